/* More wants to run than there are CPUs: run queue and pressure agree with busy CPUs. */
#include "triage/judge.h"

#define BUSY_PCT 80
#define PSI_PCT  10

static double queue_per_cpu(const struct frame *f)
{
	const struct sys_row *sys = FRAME_ROWS(f, sys, SYS);
	uint32_t cpus = cpu_count(f);

	if (!f->sec[SEC_SYS].nrows || !cpus || sys->runnable == U32_UNKNOWN)
		return F64_UNKNOWN;
	return (double)sys->runnable / cpus;
}

static uint32_t weigh(const struct frame *f)
{
	const struct cpu_row *all = f ? cpu_all(f) : NULL;
	const struct psi_row *psi = psi_of(f, "cpu");

	if (!all || !(all->busy_pct >= BUSY_PCT))
		return 0;
	/* The run queue is one instant and includes us: it must be clearly above one task per CPU. */
	return severity_max(severity_of(queue_per_cpu(f), 1.5, 4, 50, 90),
			    severity_of(psi ? psi->some_pct : F64_UNKNOWN, PSI_PCT, 70, 50, 95));
}

/* Processes of one program together: eight workers at 50% matter more than one at 100%. */
static double cpu_of_program(const struct frame *f, struct text comm, uint32_t *processes)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK);
	double pct = 0;

	*processes = 0;
	for (uint32_t i = 0; i < f->sec[SEC_TASK].nrows; i++)
		if (rows[i].cpu_pct > 0 && text_eq(rows[i].comm, comm)) {
			pct += rows[i].cpu_pct;
			++*processes;
		}
	return pct;
}

/* The name comes first: a narrow screen cuts the end. */
static struct text by_whom(struct arena *a, const struct frame *f, const struct task_row *top)
{
	uint32_t processes;
	double pct = cpu_of_program(f, top->comm, &processes);
	struct text share = say(a, UNIT_PCT, pct);

	if (processes > 1)
		return text_printf(a, " by %u x %.*s (%.*s)", processes, TEXT_ARG(top->comm),
				   TEXT_ARG(share));
	return text_printf(a, " by %.*s[%u] (%.*s)", TEXT_ARG(top->comm), top->tgid, TEXT_ARG(share));
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
	const struct cpu_row *all = cpu_all(f);
	const struct psi_row *psi = psi_of(f, "cpu");
	const struct sys_row *sys = FRAME_ROWS(f, sys, SYS);
	const struct task_row *top = task_most(f, TASK_cpu_pct, 1);
	struct text who = TEXT(""), stalled = TEXT("");

	g->severity = severity;
	g->kind = FINDING_SATURATION;
	evidence_of(g, f, SEC_CPU, all, CPU_busy_pct, BUSY_PCT);
	evidence_of(g, f, SEC_SYS, sys, SYS_runnable, cpu_count(f));
	if (psi) {
		evidence_of(g, f, SEC_PSI, psi, PSI_some_pct, PSI_PCT);
		struct text pct = say(a, UNIT_PCT, psi->some_pct);
		stalled = text_printf(a, ", psi %.*s", TEXT_ARG(pct));
	}
	if (top) {
		who = by_whom(a, f, top);
		g->suspect = scope_of_task(top);
		evidence_of(g, f, SEC_TASK, top, TASK_cpu_pct, 1);
	}
	struct text busy = say(a, UNIT_PCT, all->busy_pct);
	struct fmt_buf b;
	struct text runnable =
	    fmt_u64(&b, UNIT_COUNT, sys->runnable == U32_UNKNOWN ? U64_UNKNOWN : sys->runnable, 0);
	g->headline =
	    text_printf(a, "CPU saturated%.*s: %.*s busy, %.*s runnable on %u CPUs%.*s", TEXT_ARG(who),
			TEXT_ARG(busy), TEXT_ARG(runnable), cpu_count(f), TEXT_ARG(stalled));
	/* One process that dominates is worth a profile; a crowd is worth a list first. */
	if (top && top->cpu_pct >= 50.0 * cpu_count(f))
		finding_next(g, 3, "profile", NULL, &g->suspect);
	else
		finding_next(g, 2, "processes", NULL, &(struct scope){0});
}

const struct rule rule_cpu_saturated = {
    .name = "cpu_saturated",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_CPU) | SEC_BIT(SEC_SYS),
    .judge = judge,
};
