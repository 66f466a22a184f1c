/* An interface drops packets: a ring or a queue is too short for what arrives, or nobody empties it in time.
 */
#include "triage/net_judge.h"

#define DROPS_PER_S 10
#define SHARE_PCT   0.1

static double drops(const struct net_row *n)
{
	return sum_known(n->rx_drops_per_s, n->tx_drops_per_s);
}

/* Frames of unknown protocols count as drops too, so a few per second say nothing. */
static double dropped_share_pct(const struct net_row *n)
{
	double lost = drops(n), passed = sum_known(n->rx_packets_per_s, n->tx_packets_per_s);

	if (!(lost >= DROPS_PER_S))
		return F64_UNKNOWN;
	return passed >= 0 ? 100 * lost / (passed + lost) : 100;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct net_row *rows = FRAME_ROWS(f, net, NET);
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;

	for (uint32_t i = 0; i < f->sec[SEC_NET].nrows; i++) {
		const struct net_row *n = &rows[i], *was = net_by_name(prev, n->name);
		if (!was || !(dropped_share_pct(n) >= SHARE_PCT) || !(dropped_share_pct(was) >= SHARE_PCT))
			continue;
		struct finding *g = finding_add(out);
		if (!g)
			return;
		bool is_rx = !(n->tx_drops_per_s > n->rx_drops_per_s);
		struct text lost = say(a, UNIT_PER_S, drops(n)),
			    share = say(a, UNIT_PCT, dropped_share_pct(n));
		g->severity = severity_of(dropped_share_pct(n), SHARE_PCT, 5, 40, 85);
		g->kind = FINDING_ERRORS;
		evidence_of(g, f, SEC_NET, n, is_rx ? NET_rx_drops_per_s : NET_tx_drops_per_s, DROPS_PER_S);
		evidence_of(g, f, SEC_NET, n, is_rx ? NET_rx_packets_per_s : NET_tx_packets_per_s,
			    F64_UNKNOWN);
		g->suspect = scope_of_net(n);
		g->headline =
		    text_printf(a, "%.*s drops %.*s packets/s, %.*s of them, mostly on %s", TEXT_ARG(n->name),
				TEXT_ARG(lost), TEXT_ARG(share), is_rx ? "receive" : "send");
		finding_next(g, 2, "net", NULL, &g->suspect);
	}
}

const struct rule rule_net_drops = {
    .name = "net_drops",
    .resource = "network",
    .needs = SEC_BIT(SEC_NET),
    .judge = judge,
};
