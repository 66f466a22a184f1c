/* TCP has to send again: packets are lost on the way or the peer does not keep up. */
#include "triage/net_judge.h"

#define RETRANS_PER_S 5
#define SHARE_PCT     1

static double share_pct(const struct frame *f)
{
	const struct netcount_row *again = netcount_of(f, "Tcp.RetransSegs"),
				  *sent = netcount_of(f, "Tcp.OutSegs");

	/* A share of a handful of segments is noise. */
	if (!again || !sent || !(again->per_s >= RETRANS_PER_S) || !(sent->per_s > 0))
		return F64_UNKNOWN;
	/* OutSegs leaves retransmissions out. */
	return 100 * again->per_s / (sent->per_s + again->per_s);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	double now = share_pct(f), was = share_pct(frame_before(f, h));
	struct arena *a = &out->arena;

	if (!(now >= SHARE_PCT) || !(was >= SHARE_PCT))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct netcount_row *again = netcount_of(f, "Tcp.RetransSegs"),
				  *sent = netcount_of(f, "Tcp.OutSegs");
	struct text pct = say(a, UNIT_PCT, now), rate = say(a, UNIT_PER_S, again->per_s);
	g->severity = severity_of(now, SHARE_PCT, 20, 45, 85);
	g->kind = FINDING_ERRORS;
	evidence_of(g, f, SEC_NETCOUNT, again, NETCOUNT_per_s, RETRANS_PER_S);
	evidence_of(g, f, SEC_NETCOUNT, sent, NETCOUNT_per_s, F64_UNKNOWN);
	g->headline =
	    text_printf(a, "TCP retransmits %.*s of its segments, %.*s/s: loss on the path or a slow peer",
			TEXT_ARG(pct), TEXT_ARG(rate));
	finding_next(g, 2, "net", NULL, &g->suspect);
}

const struct rule rule_retransmits = {
    .name = "retransmits",
    .resource = "network",
    .needs = SEC_BIT(SEC_NETCOUNT),
    .judge = judge,
};
