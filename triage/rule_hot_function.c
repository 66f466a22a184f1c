/* Rung 3, read: one function holds much of the on-CPU time. The end of the ladder: it has a name. */
#include "triage/judge.h"

#define SAMPLES  50
#define SELF_PCT 25
#define BUSY_PCT 30

/* The row that sums the rest belongs to no process and is no function. */
static const struct profile_row *hottest(const struct frame *f)
{
	const struct profile_row *rows = FRAME_ROWS(f, profile, PROFILE), *top = NULL;

	for (uint32_t i = 0; i < f->sec[SEC_PROFILE].nrows; i++)
		if (rows[i].tgid != U32_UNKNOWN && rows[i].self_pct > (top ? top->self_pct : 0))
			top = &rows[i];
	return top;
}

/*
 * A large share of nearly nothing is no trouble: the process must want a CPU to speak of. What it
 * waits for on a crowded host counts as wanted.
 */
static double demand_pct(const struct task_row *t)
{
	return t->cpu_pct + (t->runq_pct > 0 ? t->runq_pct : 0);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct profstat_row *p = f->sec[SEC_PROFSTAT].nrows ? FRAME_ROWS(f, profstat, PROFSTAT) : NULL;
	const struct profile_row *top = hottest(f);
	struct arena *a = &out->arena;

	(void)h; /* the profile is a window over many samples already */
	if (!p || !top || p->samples == U64_UNKNOWN || p->samples < SAMPLES || top->self_pct < SELF_PCT)
		return;
	const struct task_row *t = frame_task(f, top->tgid, 0);
	if (!t || !(demand_pct(t) >= BUSY_PCT))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	struct fmt_buf b;
	struct text pct = say(a, UNIT_PCT, top->self_pct), n = fmt_u64(&b, UNIT_COUNT, p->samples, 0);
	g->severity = severity_of(top->self_pct, SELF_PCT, 90, 45, 70);
	g->kind = FINDING_UTILISATION;
	evidence_of(g, f, SEC_PROFILE, top, PROFILE_self_pct, SELF_PCT);
	evidence_of(g, f, SEC_PROFSTAT, p, PROFSTAT_samples, SAMPLES);
	evidence_of(g, f, SEC_TASK, t, TASK_cpu_pct, BUSY_PCT);
	g->suspect = scope_of_task(t);
	g->names = text_printf(a, "%.*s in %.*s, run by %.*s[%u]", TEXT_ARG(top->symbol),
			       TEXT_ARG(top->object), TEXT_ARG(t->comm), t->tgid);
	g->headline = text_printf(a, "%.*s (%.*s) takes %.*s of the CPU samples in %.*s[%u], of %.*s samples",
				  TEXT_ARG(top->symbol), TEXT_ARG(top->object), TEXT_ARG(pct),
				  TEXT_ARG(t->comm), t->tgid, TEXT_ARG(n));
}

const struct rule rule_hot_function = {
    .name = "hot_function",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_PROFSTAT) | SEC_BIT(SEC_PROFILE),
    .judge = judge,
};
