/* A table of the kernel is nearly full; the next open, fork or connection fails without a word in the
 * counters. */
#include "triage/judge.h"

#define NEAR_PCT 80

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct limit_row *rows = FRAME_ROWS(f, limit, LIMIT);
	struct arena *a = &out->arena;

	(void)h; /* a level, not a rate: one sample proves it */
	for (uint32_t i = 0; i < f->sec[SEC_LIMIT].nrows; i++) {
		const struct limit_row *l = &rows[i];
		if (!(l->used_pct >= NEAR_PCT))
			continue;
		struct finding *g = finding_add(out);
		if (!g)
			return;
		struct fmt_buf used, max;
		struct text pct = say(a, UNIT_PCT, l->used_pct);
		struct text have = fmt_u64(&used, UNIT_COUNT, l->used, 0),
			    may = fmt_u64(&max, UNIT_COUNT, l->max, 0);
		g->severity = severity_of(l->used_pct, NEAR_PCT, 99, 45, 90);
		g->kind = FINDING_UTILISATION;
		evidence_of(g, f, SEC_LIMIT, l, LIMIT_used_pct, NEAR_PCT);
		evidence_of(g, f, SEC_LIMIT, l, LIMIT_max, F64_UNKNOWN);
		g->headline = text_printf(a, "%.*s nearly used up: %.*s of %.*s (%.*s)", TEXT_ARG(l->name),
					  TEXT_ARG(have), TEXT_ARG(may), TEXT_ARG(pct));
		g->names = text_printf(a, "the limit on %.*s", TEXT_ARG(l->name));
		finding_next(g, 2, text_is(l->name, "conntrack") ? "net" : "processes", NULL, &g->suspect);
	}
}

const struct rule rule_limits_near = {
    .name = "limits_near",
    .resource = "limits",
    .needs = SEC_BIT(SEC_LIMIT),
    .judge = judge,
};
