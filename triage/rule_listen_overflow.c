/* Connections are refused or delayed because a server does not accept them in time. */
#include "triage/net_judge.h"

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	static const char *const counters[] = {"TcpExt.ListenOverflows", "TcpExt.ListenDrops"};
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;

	for (size_t i = 0; i < ARRAY_LEN(counters); i++) {
		double rate = netcount_sustained(f, prev, counters[i]);
		if (!(rate > 0))
			continue;
		struct finding *g = finding_add(out);
		if (!g)
			return;
		const struct netcount_row *n = netcount_of(f, counters[i]);
		struct text per_s = say(a, UNIT_PER_S, n->per_s);
		g->severity = severity_max(60, severity_of(rate, 1, 500, 60, 90));
		g->kind = FINDING_SATURATION;
		evidence_of(g, f, SEC_NETCOUNT, n, NETCOUNT_per_s, 0);
		g->headline = text_printf(a,
					  "a listen queue is full: %.*s connections/s are turned away; "
					  "its server does not accept fast enough",
					  TEXT_ARG(per_s));
		finding_next(g, 2, "net", NULL, &g->suspect);
		/* Every overflow is a drop as well: the first counter that moves says it all. */
		return;
	}
}

const struct rule rule_listen_overflow = {
    .name = "listen_overflow",
    .resource = "network",
    .needs = SEC_BIT(SEC_NETCOUNT),
    .judge = judge,
};
