/* Rung 2, CPU: how the time is spent, who waits for it, and which core is alone in trouble. */
#include <math.h>

#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "triage/judge.h"
#include "ui/table.h"

#define HEADER_ROWS 6

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)in;
	(void)view;
	(void)cols;
	return rows >= 14 ? HEADER_ROWS : rows >= 6 ? 2 : 1;
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct frame *f = in->frame;
	const struct cpu_row *all = cpu_all(f);
	const struct sys_row *sys = FRAME_ROWS(f, sys, SYS);
	const struct host_row *host = FRAME_ROWS(f, host, HOST);
	const struct psi_row *psi = psi_of(f, "cpu");
	double ncpu = cpu_count(f);

	(void)view;
	if (!all)
		return;
	struct item use[] = {
		{ TEXT("busy"), UNIT_PCT, all->busy_pct, 80, 95, TEXT_UNKNOWN },
		{ TEXT("user"), UNIT_PCT, all->user_pct, 0, 0, TEXT_UNKNOWN },
		{ TEXT("system"), UNIT_PCT, all->system_pct, 30, 60, TEXT_UNKNOWN },
		{ TEXT("io wait"), UNIT_PCT, all->iowait_pct, 0, 0, TEXT_UNKNOWN },
		{ TEXT("irq"), UNIT_PCT, all->irq_pct + all->softirq_pct, 10, 30, TEXT_UNKNOWN },
		{ TEXT("steal"), UNIT_PCT, all->steal_pct, 5, 15, TEXT_UNKNOWN },
		{ TEXT("nice"), UNIT_PCT, all->nice_pct, 0, 0, TEXT_UNKNOWN },
		{ TEXT("guest"), UNIT_PCT, all->guest_pct, 0, 0, TEXT_UNKNOWN },
	};
	struct item wait[] = {
		{ TEXT("runnable"), UNIT_COUNT,
		  sys && sys->runnable != U32_UNKNOWN ? sys->runnable : F64_UNKNOWN, ncpu + 1, 2 * ncpu,
		  TEXT_UNKNOWN },
		{ TEXT("on CPUs"), UNIT_COUNT, ncpu, 0, 0, TEXT_UNKNOWN },
		{ TEXT("stalled"), UNIT_PCT, psi ? psi->some_pct : F64_UNKNOWN, 10, 40, TEXT_UNKNOWN },
		{ TEXT("switches"), UNIT_PER_S, sys ? sys->ctxt_per_s : F64_UNKNOWN, 0, 0, TEXT_UNKNOWN },
		{ TEXT("load"), UNIT_RATIO, host ? host->load1 : F64_UNKNOWN, 0, 0, TEXT_UNKNOWN },
		{ TEXT("irqs"), UNIT_PER_S, sys ? sys->intr_per_s : F64_UNKNOWN, 0, 0, TEXT_UNKNOWN },
	};
	draw_items(c, 0, 0, c->cols, use, ARRAY_LEN(use));
	draw_items(c, 1, 0, c->cols, wait, ARRAY_LEN(wait));
	if (c->rows < HEADER_ROWS)
		return;
	draw_history_line(in, c, 2, TEXT("busy"), SEC_CPU, all, CPU_busy_pct, 100);
	if (sys)
		draw_history_line(in, c, 3, TEXT("runnable"), SEC_SYS, sys, SYS_runnable, ncpu);
	if (!draw_reason(in, c, 4, 0, SEC_PSI))
		draw_history_line(in, c, 4, TEXT("stalled (psi)"), SEC_PSI, psi, PSI_some_pct, 100);
}

static bool shows(const struct pane_input *in, const void *view, const void *row)
{
	(void)in;
	(void)view;
	return ((const struct cpu_row *)row)->id != U32_UNKNOWN;
}

/* The busiest process that ran on this CPU last is the best name for what keeps it busy. */
static const struct task_row *busiest_on(const struct frame *f, uint32_t cpu)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK), *most = NULL;

	for (uint32_t i = 0; i < f->sec[SEC_TASK].nrows; i++)
		if (rows[i].last_cpu == cpu && rows[i].cpu_pct > (most ? most->cpu_pct : 0))
			most = &rows[i];
	return most;
}

static struct text who_cell(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct task_row *t = busiest_on(in->frame, ((const struct cpu_row *)row)->id);
	struct fmt_buf b;

	if (!t)
		return TEXT("-");
	return text_printf(a, "%.*s[%u] %s", TEXT_ARG(t->comm), t->tgid,
			   fmt_f64(&b, UNIT_PCT, t->cpu_pct, 0).utf8);
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct cpu_row *cpu = row;
	struct fmt_buf b, b2;

	(void)view;
	if (!cpu)
		return false;
	const struct task_row *t = busiest_on(in->frame, cpu->id);
	const char *busy = fmt_f64(&b, UNIT_PCT, cpu->busy_pct, 0).utf8;
	if (t) {
		struct scope s = task_scope(t);
		step_to(out, 2, "process", NULL, &s);
		text_keepf(&out->why, "cpu%u %s busy, most by %.*s[%u] at %s", cpu->id, busy,
			   TEXT_ARG(t->comm), t->tgid, fmt_f64(&b2, UNIT_PCT, t->cpu_pct, 0).utf8);
	} else {
		step_to(out, 3, "profile", NULL, NULL);
		text_keepf(&out->why, "cpu%u %s busy, no process stands out", cpu->id, busy);
	}
	return true;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("CPU"), .field = CPU_id, .width = 4 },
	{ .heading = TEXT_INIT("BUSY"), .field = CPU_busy_pct, .width = 6, .warn = 80, .bad = 95 },
	{ .heading = TEXT_INIT("USER"), .field = CPU_user_pct, .width = 6 },
	{ .heading = TEXT_INIT("SYS"), .field = CPU_system_pct, .width = 6, .warn = 40, .bad = 70 },
	{ .heading = TEXT_INIT("IOWAIT"), .field = CPU_iowait_pct, .width = 6 },
	{ .heading = TEXT_INIT("IRQ"), .field = CPU_irq_pct, .width = 6, .warn = 10, .bad = 30 },
	{ .heading = TEXT_INIT("SOFT"), .field = CPU_softirq_pct, .width = 6, .warn = 20, .bad = 50 },
	{ .heading = TEXT_INIT("STEAL"), .field = CPU_steal_pct, .width = 6, .warn = 5, .bad = 15 },
	{ .heading = TEXT_INIT("NICE"), .field = CPU_nice_pct, .width = 6, .min_screen = 10 },
	{ .heading = TEXT_INIT("GUEST"), .field = CPU_guest_pct, .width = 6, .min_screen = 10 },
	{ .heading = TEXT_INIT("IDLE"), .field = CPU_idle_pct, .width = 6, .min_screen = 10 },
	{ .heading = TEXT_INIT("BUSIEST PROCESS SEEN"), .field = CPU_id, .width = 0, .cell = who_cell },
};

static const struct table table = {
	.sec = SEC_CPU,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 1,
	.key = { CPU_id, CPU_id },
	.shows = shows,
};

const struct pane pane_cpu = {
	.name = "cpu",
	.title = TEXT_INIT("CPU"),
	.rung = 2,
	.needs = SEC_BIT(SEC_CPU),
	.wants = SEC_BIT(SEC_SYS) | SEC_BIT(SEC_PSI) | SEC_BIT(SEC_HOST) | SEC_BIT(SEC_TASK),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.descend = descend,
};
