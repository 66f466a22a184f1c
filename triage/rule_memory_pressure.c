/* Memory is short enough that tasks wait for it: pressure, reclaim by the allocating tasks, little left. */
#include "triage/judge.h"

#define PSI_PCT      5
#define USED_PCT     95
#define STALLS_PER_S 5

static uint32_t weigh(const struct frame *f)
{
	const struct mem_row *m = f && f->sec[SEC_MEM].nrows ? FRAME_ROWS(f, mem, MEM) : NULL;
	const struct psi_row *psi = psi_of(f, "memory");

	if (!m)
		return 0;
	uint32_t severity = severity_of(psi ? psi->some_pct : F64_UNKNOWN, PSI_PCT, 60, 50, 95);
	severity = severity_max(severity, severity_of(m->used_pct, USED_PCT, 99.5, 40, 85));
	/* Reclaim also follows from a full page cache; it counts only when little is left. */
	if (m->used_pct >= 80)
		severity =
		    severity_max(severity, severity_of(m->alloc_stall_per_s, STALLS_PER_S, 1000, 55, 85));
	return severity;
}

static struct text accuse(struct finding *g, struct arena *a, const struct frame *f)
{
	const struct task_row *t = task_most(f, TASK_rss_bytes_per_s, 1 << 20);

	if (t) {
		struct text rate = say(a, UNIT_BYTES_PER_S, t->rss_bytes_per_s);
		struct text rss =
		    say(a, UNIT_BYTES, t->rss_bytes == U64_UNKNOWN ? F64_UNKNOWN : (double)t->rss_bytes);
		g->suspect = scope_of_task(t);
		evidence_of(g, f, SEC_TASK, t, TASK_rss_bytes_per_s, 1 << 20);
		return text_printf(a, ". %.*s[%u] grows by %.*s/s and holds %.*s", TEXT_ARG(t->comm), t->tgid,
				   TEXT_ARG(rate), TEXT_ARG(rss));
	}
	t = task_most(f, TASK_rss_bytes, 0);
	if (!t)
		return TEXT("");
	struct text rss = say(a, UNIT_BYTES, (double)t->rss_bytes);
	g->suspect = scope_of_task(t);
	evidence_of(g, f, SEC_TASK, t, TASK_rss_bytes, 0);
	return text_printf(a, ". %.*s[%u] holds the most: %.*s", TEXT_ARG(t->comm), t->tgid, TEXT_ARG(rss));
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	uint32_t severity = weigh(f), before = weigh(frame_before(f, h));
	struct arena *a = &out->arena;

	if (!severity || !before)
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct mem_row *m = FRAME_ROWS(f, mem, MEM);
	const struct psi_row *psi = psi_of(f, "memory");
	g->severity = severity;
	g->kind = FINDING_SATURATION;
	evidence_of(g, f, SEC_MEM, m, MEM_used_pct, USED_PCT);
	evidence_of(g, f, SEC_MEM, m, MEM_alloc_stall_per_s, STALLS_PER_S);
	struct text stall = TEXT("");
	if (psi) {
		evidence_of(g, f, SEC_PSI, psi, PSI_some_pct, PSI_PCT);
		struct text pct = say(a, UNIT_PCT, psi->some_pct);
		stall = text_printf(a, ", psi %.*s", TEXT_ARG(pct));
	}
	struct text who = accuse(g, a, f), used = say(a, UNIT_PCT, m->used_pct);
	double left = m->available_bytes == U64_UNKNOWN ? F64_UNKNOWN : (double)m->available_bytes;
	struct text available = say(a, UNIT_BYTES, left);
	g->headline = text_printf(a, "memory short: %.*s used, %.*s available%.*s%.*s", TEXT_ARG(used),
				  TEXT_ARG(available), TEXT_ARG(stall), TEXT_ARG(who));
	if (g->suspect.kind == SCOPE_PROCESS)
		finding_next(g, 2, "process", NULL, &g->suspect);
	else
		finding_next(g, 2, "memory", NULL, &g->suspect);
}

const struct rule rule_memory_pressure = {
    .name = "memory_pressure",
    .resource = "memory",
    .needs = SEC_BIT(SEC_MEM),
    .judge = judge,
};
