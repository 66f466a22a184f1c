/* The kernel's own receive queue overflows: packets arrive at one CPU faster than its softirq handles them.
 */
#include "triage/net_judge.h"

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	double rate = netcount_sustained(f, frame_before(f, h), "Softnet.dropped");
	struct arena *a = &out->arena;

	if (!(rate > 0))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct netcount_row *n = netcount_of(f, "Softnet.dropped");
	struct text per_s = say(a, UNIT_PER_S, n->per_s);
	g->severity = severity_max(55, severity_of(rate, 1, 1000, 55, 85));
	g->kind = FINDING_SATURATION;
	evidence_of(g, f, SEC_NETCOUNT, n, NETCOUNT_per_s, 0);
	g->headline = text_printf(
	    a, "a CPU's receive backlog is full: %.*s packets/s dropped before any socket saw them",
	    TEXT_ARG(per_s));
	finding_next(g, 2, "cpu", NULL, &g->suspect);
}

const struct rule rule_softnet_drops = {
    .name = "softnet_drops",
    .resource = "network",
    .needs = SEC_BIT(SEC_NETCOUNT),
    .judge = judge,
};
