/* One CPU is used up while the others idle: a program that cannot use more than one, or interrupts on one. */
#include "triage/judge.h"

#define BUSY_PCT   90
#define OTHERS_PCT 60
#define TASK_PCT   80

static const struct cpu_row *cpu_by_id(const struct frame *f, uint32_t id)
{
	const struct cpu_row *rows = FRAME_ROWS(f, cpu, CPU);

	for (uint32_t i = 1; i < f->sec[SEC_CPU].nrows; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

/* The busiest CPU and how busy the rest is on average. */
static const struct cpu_row *busiest(const struct frame *f, double *others_pct)
{
	const struct cpu_row *rows = FRAME_ROWS(f, cpu, CPU), *most = NULL;
	double sum = 0;

	for (uint32_t i = 1; i < f->sec[SEC_CPU].nrows; i++) {
		if (!(rows[i].busy_pct >= 0))
			continue;
		sum += rows[i].busy_pct;
		if (!most || rows[i].busy_pct > most->busy_pct)
			most = &rows[i];
	}
	*others_pct = most ? (sum - most->busy_pct) / (cpu_count(f) - 1) : 0;
	return most;
}

/* The process that explains the CPU: steady near one CPU's worth, if possible last seen on it. */
static const struct task_row *culprit(const struct frame *f, const struct frame *prev, uint32_t cpu)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK), *found = NULL;

	for (uint32_t i = 0; i < f->sec[SEC_TASK].nrows; i++) {
		const struct task_row *t = &rows[i];
		if (!(t->cpu_pct >= TASK_PCT))
			continue;
		const struct task_row *was = frame_task(prev, t->tgid, t->start_ns);
		if (was && !(was->cpu_pct >= TASK_PCT))
			continue;
		bool is_here = t->last_cpu == cpu;
		if (!found || (is_here && found->last_cpu != cpu) ||
		    (is_here == (found->last_cpu == cpu) && t->cpu_pct > found->cpu_pct))
			found = t;
	}
	return found;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;
	double others_pct;

	if (!prev || cpu_count(f) < 2)
		return;
	const struct cpu_row *cpu = busiest(f, &others_pct);
	if (!cpu || cpu->busy_pct < BUSY_PCT || others_pct > OTHERS_PCT)
		return;
	const struct cpu_row *was = cpu_by_id(prev, cpu->id);
	if (!was || !(was->busy_pct >= BUSY_PCT))
		return;
	const struct task_row *t = culprit(f, prev, cpu->id);
	double irq_pct = cpu->irq_pct + cpu->softirq_pct;
	bool is_irq = irq_pct >= 50;
	if (!t && !is_irq)
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	struct text busy = say(a, UNIT_PCT, cpu->busy_pct), rest = say(a, UNIT_PCT, others_pct);
	g->severity = severity_of(cpu->busy_pct, BUSY_PCT, 100, 50, 60);
	g->kind = FINDING_UTILISATION;
	evidence_of(g, f, SEC_CPU, cpu, CPU_busy_pct, BUSY_PCT);
	if (is_irq) {
		struct text irq = say(a, UNIT_PCT, irq_pct);
		evidence_of(g, f, SEC_CPU, cpu, CPU_softirq_pct, 50);
		g->headline =
		    text_printf(a, "CPU %u is %.*s busy, %.*s of it in interrupts; the others average %.*s",
				cpu->id, TEXT_ARG(busy), TEXT_ARG(irq), TEXT_ARG(rest));
		finding_next(g, 2, "cpu", NULL, &g->suspect);
		return;
	}
	struct text share = say(a, UNIT_PCT, t->cpu_pct);
	evidence_of(g, f, SEC_TASK, t, TASK_cpu_pct, TASK_PCT);
	g->suspect = scope_of_task(t);
	g->headline =
	    text_printf(a, "%.*s[%u] uses up CPU %u: %.*s of a CPU, CPU %.*s busy, the others %.*s",
			TEXT_ARG(t->comm), t->tgid, cpu->id, TEXT_ARG(share), TEXT_ARG(busy), TEXT_ARG(rest));
	finding_next(g, 3, "profile", NULL, &g->suspect);
}

const struct rule rule_core_pinned = {
    .name = "core_pinned",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_CPU) | SEC_BIT(SEC_TASK),
    .judge = judge,
};
