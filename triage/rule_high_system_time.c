/* A process spends its time in the kernel: it asks for too much too often, and its system calls say what. */
#include "triage/judge.h"

#define SYSTEM_PCT 40
#define SHARE      0.6

static bool is_kernel_bound(const struct task_row *t)
{
	return t && t->is_kthread != 1 && t->system_pct >= SYSTEM_PCT && t->system_pct >= SHARE * t->cpu_pct;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK), *top = NULL;
	const struct frame *prev = frame_before(f, h);
	struct arena *a = &out->arena;
	uint32_t more = 0;

	for (uint32_t i = 0; prev && i < f->sec[SEC_TASK].nrows; i++) {
		if (!is_kernel_bound(&rows[i]) ||
		    !is_kernel_bound(frame_task(prev, rows[i].tgid, rows[i].start_ns)))
			continue;
		more++;
		if (!top || rows[i].system_pct > top->system_pct)
			top = &rows[i];
	}
	if (!top)
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	struct text sys = say(a, UNIT_PCT, top->system_pct), cpu = say(a, UNIT_PCT, top->cpu_pct),
		    others = TEXT("");
	g->severity = severity_of(top->system_pct, SYSTEM_PCT, 400, 55, 80);
	g->kind = FINDING_UTILISATION;
	evidence_of(g, f, SEC_TASK, top, TASK_system_pct, SYSTEM_PCT);
	evidence_of(g, f, SEC_TASK, top, TASK_cpu_pct, F64_UNKNOWN);
	if (more > 1)
		others = text_printf(a, "; %u more like it", more - 1);
	g->suspect = scope_of_task(top);
	g->headline =
	    text_printf(a, "%.*s[%u] spends %.*s of a CPU in the kernel, of %.*s in all%.*s",
			TEXT_ARG(top->comm), top->tgid, TEXT_ARG(sys), TEXT_ARG(cpu), TEXT_ARG(others));
	finding_next(g, 4, "tool", "syscalls", &g->suspect);
}

const struct rule rule_high_system_time = {
    .name = "high_system_time",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_TASK),
    .judge = judge,
};
