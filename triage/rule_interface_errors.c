/* An interface counts damaged or overrun packets: a cable, an optic, a duplex mismatch, a ring too small. */
#include "triage/net_judge.h"

static double errors(const struct net_row *n)
{
	return sum_known(sum_known(n->rx_errors_per_s, n->tx_errors_per_s), n->rx_overruns_per_s);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct net_row *rows = FRAME_ROWS(f, net, NET);
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;

	for (uint32_t i = 0; i < f->sec[SEC_NET].nrows; i++) {
		const struct net_row *n = &rows[i], *was = net_by_name(prev, n->name);
		if (!was || !(errors(n) > 0) || !(errors(was) > 0))
			continue;
		struct finding *g = finding_add(out);
		if (!g)
			return;
		struct text rx = say(a, UNIT_PER_S, n->rx_errors_per_s),
			    tx = say(a, UNIT_PER_S, n->tx_errors_per_s);
		struct text overruns = say(a, UNIT_PER_S, n->rx_overruns_per_s);
		g->severity = severity_max(45, severity_of(errors(n), 1, 1000, 45, 80));
		g->kind = FINDING_ERRORS;
		evidence_of(g, f, SEC_NET, n, NET_rx_errors_per_s, 0);
		evidence_of(g, f, SEC_NET, n, NET_tx_errors_per_s, 0);
		evidence_of(g, f, SEC_NET, n, NET_rx_overruns_per_s, 0);
		g->suspect = scope_of_net(n);
		g->headline = text_printf(a, "%.*s has errors: %.*s/s received, %.*s/s sent, %.*s/s overruns",
					  TEXT_ARG(n->name), TEXT_ARG(rx), TEXT_ARG(tx), TEXT_ARG(overruns));
		finding_next(g, 2, "net", NULL, &g->suspect);
	}
}

const struct rule rule_interface_errors = {
    .name = "interface_errors",
    .resource = "network",
    .needs = SEC_BIT(SEC_NET),
    .judge = judge,
};
