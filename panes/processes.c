/* Rung 2, processes: every process, sorted, filtered or as a tree. */
#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "ui/table.h"

struct processes_view {
	bool hides_kthreads;
};

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)in;
	(void)view;
	(void)cols;
	return rows >= 4 ? 1 : 0;
}

static struct item count_item(struct text label, uint32_t value, double warn, double bad)
{
	return (struct item){ label, UNIT_COUNT, value == U32_UNKNOWN ? F64_UNKNOWN : (double)value,
			      warn,  bad,        TEXT_UNKNOWN };
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct processes_view *v = view;
	const struct sys_row *s = FRAME_ROWS(in->frame, sys, SYS);
	struct item items[7] = { count_item(TEXT("processes"), in->frame->sec[SEC_TASK].nrows, 0, 0) };
	uint32_t n = 1;

	if (draw_reason(in, c, 0, 0, SEC_TASK))
		return;
	if (s) {
		items[n++] = count_item(TEXT("threads"), s->threads, 0, 0);
		items[n++] = count_item(TEXT("runnable"), s->runnable, 0, 0);
		items[n++] = count_item(TEXT("in D"), s->in_d, 1, 4);
		items[n++] = count_item(TEXT("zombies"), s->zombies, 10, 100);
		items[n++] =
			(struct item){ TEXT("forks"), UNIT_PER_S, s->forks_per_s, 200, 1000, TEXT_UNKNOWN };
	}
	if (v->hides_kthreads)
		items[n++] =
			(struct item){ TEXT("kernel threads"), UNIT_NONE, F64_UNKNOWN, 0, 0, TEXT("hidden") };
	draw_items(c, 0, 0, c->cols, items, n);
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct processes_view *v = view;

	(void)in;
	if (a != ACT_KTHREADS)
		return REPLY_IGNORED;
	v->hides_kthreads = !v->hides_kthreads;
	return REPLY_REDRAW;
}

static bool shows(const struct pane_input *in, const void *view, const void *row)
{
	const struct processes_view *v = view;

	(void)in;
	return !v || !v->hides_kthreads || ((const struct task_row *)row)->is_kthread != 1;
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	(void)in;
	(void)view;
	if (row)
		step_to_task(out, row);
	return row != NULL;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("PID"), .field = TASK_tgid, .width = 7 },
	{ .heading = TEXT_INIT("S"), .field = TASK_state, .width = 1 },
	{ .heading = TEXT_INIT("CPU"), .field = TASK_cpu_pct, .width = 6, .warn = 80, .bad = 95 },
	{ .heading = TEXT_INIT("RUNQ"), .field = TASK_runq_pct, .width = 6, .warn = 20, .bad = 100 },
	{ .heading = TEXT_INIT("IO WAIT"), .field = TASK_io_wait_pct, .width = 8, .warn = 20, .bad = 80 },
	{ .heading = TEXT_INIT("RSS"), .field = TASK_rss_bytes, .width = 6 },
	{ .heading = TEXT_INIT("READ/s"), .field = TASK_read_bytes_per_s, .width = 7 },
	{ .heading = TEXT_INIT("WRITE/s"), .field = TASK_write_bytes_per_s, .width = 8 },
	{ .heading = TEXT_INIT("THR"), .field = TASK_threads, .width = 5, .min_screen = 9 },
	{ .heading = TEXT_INIT("USER"), .field = TASK_user_pct, .width = 6, .min_screen = 13 },
	{ .heading = TEXT_INIT("SYS"), .field = TASK_system_pct, .width = 6, .min_screen = 13 },
	{ .heading = TEXT_INIT("IN D"), .field = TASK_threads_in_d, .width = 4, .min_screen = 10, .bad = 1 },
	{ .heading = TEXT_INIT("SWAP"), .field = TASK_swap_bytes, .width = 6, .min_screen = 14 },
	{ .heading = TEXT_INIT("MAJFLT/s"), .field = TASK_major_faults_per_s, .width = 8, .min_screen = 15 },
	{ .heading = TEXT_INIT("SWITCH/s"), .field = TASK_switches_per_s, .width = 8, .min_screen = 12 },
	{ .heading = TEXT_INIT("LAST"), .field = TASK_last_cpu, .width = 4, .min_screen = 15 },
	{ .heading = TEXT_INIT("NI"), .field = TASK_nice, .width = 3, .min_screen = 15 },
	{ .heading = TEXT_INIT("UID"), .field = TASK_uid, .width = 6, .min_screen = 11 },
	{ .heading = TEXT_INIT("TIME"), .field = TASK_cpu_ns_total, .width = 6, .min_screen = 10 },
	{ .heading = TEXT_INIT("CGROUP"), .field = TASK_cgroup, .width = 24, .min_screen = 18 },
	{ .heading = TEXT_INIT("COMMAND"), .field = TASK_comm, .width = 0, .cell = task_named_command },
};

static const struct table table = {
	.sec = SEC_TASK,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 2,
	.key = { TASK_tgid, TASK_start_ns },
	.is_tree = true,
	.tree_id = TASK_tgid,
	.tree_parent = TASK_ppid,
	.shows = shows,
	.style = task_style,
};

const struct pane pane_processes = {
	.name = "processes",
	.title = TEXT_INIT("PROCESSES"),
	.rung = 2,
	.needs = SEC_BIT(SEC_TASK),
	.wants = SEC_BIT(SEC_SYS),
	.view_size = sizeof(struct processes_view),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.act = act,
	.descend = descend,
};
