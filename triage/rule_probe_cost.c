/* One of our own probes takes more than its budget: we must not become the incident. */
#include "triage/judge.h"

/* Of one CPU, the default of the budget that the sampling side enforces. */
#define BUDGET_PCT 10

static const struct probe_row *probe_by_id(const struct frame *f, uint32_t id)
{
	const struct probe_row *rows = f ? FRAME_ROWS(f, probe, PROBE) : NULL;

	for (uint32_t i = 0; rows && i < f->sec[SEC_PROBE].nrows; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++) {
		const struct probe_row *p = &rows[i], *was = probe_by_id(prev, p->id);
		if (!was || !(p->cpu_pct >= BUDGET_PCT) || !(was->cpu_pct >= BUDGET_PCT))
			continue;
		struct finding *g = finding_add(out);
		if (!g)
			return;
		struct text pct = say(a, UNIT_PCT, p->cpu_pct), rate = say(a, UNIT_PER_S, p->events_per_s);
		struct text each = say(a, UNIT_NS, p->ns_per_event);
		g->severity = severity_of(p->cpu_pct, BUDGET_PCT, 60, 50, 85);
		g->kind = FINDING_UTILISATION;
		evidence_of(g, f, SEC_PROBE, p, PROBE_cpu_pct, BUDGET_PCT);
		evidence_of(g, f, SEC_PROBE, p, PROBE_events_per_s, F64_UNKNOWN);
		g->headline = text_printf(
		    a, "our probe %u %.*s (%.*s) costs %.*s of a CPU: %.*s events/s at %.*s each", p->id,
		    TEXT_ARG(p->name), TEXT_ARG(p->scope), TEXT_ARG(pct), TEXT_ARG(rate), TEXT_ARG(each));
		finding_next(g, 4, "overhead", NULL, &g->suspect);
	}
}

const struct rule rule_probe_cost = {
    .name = "probe_cost",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_PROBE),
    .judge = judge,
};
