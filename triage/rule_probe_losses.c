/* A probe loses events: what it shows is true but too little, and must not be read as a total. */
#include "triage/judge.h"

static uint64_t lost_before(const struct frame *prev, uint32_t id)
{
	const struct probe_row *rows = prev ? FRAME_ROWS(prev, probe, PROBE) : NULL;

	for (uint32_t i = 0; rows && i < prev->sec[SEC_PROBE].nrows; i++)
		if (rows[i].id == id)
			return rows[i].lost;
	return U64_UNKNOWN;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++) {
		const struct probe_row *p = &rows[i];
		uint64_t was = lost_before(prev, p->id);
		if (p->lost == U64_UNKNOWN || was == U64_UNKNOWN || p->lost <= was)
			continue;
		struct finding *g = finding_add(out);
		if (!g)
			return;
		struct text now = say(a, UNIT_COUNT, (double)(p->lost - was));
		struct text all = say(a, UNIT_COUNT, (double)p->lost);
		g->severity = 40;
		g->kind = FINDING_ERRORS;
		evidence_of(g, f, SEC_PROBE, p, PROBE_lost, (double)was);
		g->headline =
		    text_printf(a,
				"our probe %u %.*s (%.*s) lost %.*s events in this frame, %.*s in all: "
				"its numbers are too low",
				p->id, TEXT_ARG(p->name), TEXT_ARG(p->scope), TEXT_ARG(now), TEXT_ARG(all));
		finding_next(g, 4, "overhead", NULL, &g->suspect);
	}
}

const struct rule rule_probe_losses = {
    .name = "probe_losses",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_PROBE),
    .judge = judge,
};
