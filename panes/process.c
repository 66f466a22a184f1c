/* Rung 2, one process: what it uses, where it is stuck, and its threads. */
#include <math.h>

#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "panes/draw_stuck.h"
#include "ui/table.h"

#define SUMMARY_ROWS 4
#define HISTORY_ROWS 4

static bool is_mine(const struct pane_input *in, uint32_t tgid)
{
	return in->step && in->step->scope.tgid == tgid;
}

static uint32_t groups_of(const struct pane_input *in, struct arena *a, struct stuck_group **groups)
{
	uint32_t left_out;

	*groups = arena_array(a, STUCK_GROUPS_MAX, sizeof(**groups));
	return *groups && in->step && in->step->scope.tgid
		       ? stuck_groups(in, in->step->scope.tgid, *groups, &left_out)
		       : 0;
}

static int stuck_rows(const struct pane_input *in, int rows)
{
	struct arena a = { 0 };
	struct stuck_group *groups;
	int n = (int)groups_of(in, &a, &groups), room = rows >= 40 ? 10 : rows >= 24 ? 5 : 3;

	arena_fini(&a);
	return 1 + (n > room ? room : n > 0 ? n : 1);
}

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)view;
	(void)cols;
	if (rows < 14)
		return rows >= 8 ? 3 : 1;
	return SUMMARY_ROWS + HISTORY_ROWS + stuck_rows(in, rows) + 1;
}

static double known(uint64_t v)
{
	return v == U64_UNKNOWN ? F64_UNKNOWN : (double)v;
}

static double known32(uint32_t v)
{
	return v == U32_UNKNOWN ? F64_UNKNOWN : (double)v;
}

static void draw_summary(const struct pane_input *in, struct canvas *c, const struct task_row *t)
{
	struct item uses[] = {
		{ TEXT("cpu"), UNIT_PCT, t->cpu_pct, 80, 95, TEXT_UNKNOWN },
		{ TEXT("user"), UNIT_PCT, t->user_pct, 0, 0, TEXT_UNKNOWN },
		{ TEXT("system"), UNIT_PCT, t->system_pct, 40, 80, TEXT_UNKNOWN },
		{ TEXT("waits for cpu"), UNIT_PCT, t->runq_pct, 20, 100, TEXT_UNKNOWN },
		{ TEXT("io wait"), UNIT_PCT, t->io_wait_pct, 20, 80, TEXT_UNKNOWN },
		{ TEXT("switches"), UNIT_PER_S, t->switches_per_s, 0, 0, TEXT_UNKNOWN },
		{ TEXT("last cpu"), UNIT_NONE, known32(t->last_cpu), 0, 0, TEXT_UNKNOWN },
	};
	struct item holds[] = {
		{ TEXT("rss"), UNIT_BYTES, known(t->rss_bytes), 0, 0, TEXT_UNKNOWN },
		{ TEXT("growth"), UNIT_BYTES_PER_S, t->rss_bytes_per_s, 1 << 20, 64 << 20, TEXT_UNKNOWN },
		{ TEXT("swap"), UNIT_BYTES, known(t->swap_bytes), 1, 0, TEXT_UNKNOWN },
		{ TEXT("read"), UNIT_BYTES_PER_S, t->read_bytes_per_s, 0, 0, TEXT_UNKNOWN },
		{ TEXT("write"), UNIT_BYTES_PER_S, t->write_bytes_per_s, 0, 0, TEXT_UNKNOWN },
		{ TEXT("major faults"), UNIT_PER_S, t->major_faults_per_s, 10, 100, TEXT_UNKNOWN },
	};
	const struct host_row *h = FRAME_ROWS(in->frame, host, HOST);
	struct item is[] = {
		{ TEXT("state"), UNIT_CHAR, known32(t->state), 0, 0, TEXT_UNKNOWN },
		{ TEXT("threads"), UNIT_COUNT, known32(t->threads), 0, 0, TEXT_UNKNOWN },
		{ TEXT("running"), UNIT_COUNT, known32(t->threads_running), 0, 0, TEXT_UNKNOWN },
		{ TEXT("in D"), UNIT_COUNT, known32(t->threads_in_d), 0, 1, TEXT_UNKNOWN },
		{ TEXT("parent"), UNIT_NONE, known32(t->ppid), 0, 0, TEXT_UNKNOWN },
		{ TEXT("uid"), UNIT_NONE, known32(t->uid), 0, 0, TEXT_UNKNOWN },
		{ TEXT("age"), UNIT_NS,
		  h && h->uptime_ns != U64_UNKNOWN && t->start_ns <= h->uptime_ns
			  ? (double)(h->uptime_ns - t->start_ns)
			  : F64_UNKNOWN,
		  0, 0, TEXT_UNKNOWN },
		{ TEXT("cgroup"), UNIT_NONE, F64_UNKNOWN, 0, 0, t->cgroup.utf8 ? t->cgroup : TEXT("-") },
	};
	struct text who = text_printf(c->arena, "%.*s[%u]", TEXT_ARG(t->comm), t->tgid);

	int end = canvas_put(c, 0, 0, who, STYLE_HEAD) + 2;
	canvas_field(c, 0, end, c->cols - end, false, task_command(in, t, c->arena), STYLE_PLAIN);
	/* UNIT_CHAR is no number: the letter itself is the word. */
	if (t->state != U32_UNKNOWN) {
		struct fmt_buf b;
		is[0].word = text_copy(c->arena, fmt_u64(&b, UNIT_CHAR, t->state, 0));
		is[0].value = F64_UNKNOWN;
	}
	draw_items(c, 1, 0, c->cols, uses, ARRAY_LEN(uses));
	draw_items(c, 2, 0, c->cols, holds, ARRAY_LEN(holds));
	draw_items(c, 3, 0, c->cols, is, ARRAY_LEN(is));
}

static void draw_stuck(const struct pane_input *in, struct canvas *c)
{
	struct stuck_group *groups;
	uint32_t n = groups_of(in, c->arena, &groups);
	int end = canvas_put(c, 0, 0, TEXT("STUCK NOW"), STYLE_HEAD);

	if (draw_reason(in, c, 0, end + 2, SEC_STUCK) && !n)
		return;
	if (!n) {
		canvas_put(c, 1, 0, TEXT("no blocked thread seen"), STYLE_DIM);
		return;
	}
	for (int i = 0; i < (int)n && i + 1 < c->rows; i++) {
		const struct stuck_group *g = &groups[i];
		enum style s = g->state == 'D' ? STYLE_BAD : STYLE_PLAIN;
		struct fmt_buf b;
		struct text threads = text_printf(c->arena, "%ux", g->threads);
		canvas_field(c, i + 1, 0, 5, true, threads, s);
		canvas_put(c, i + 1, 6,
			   g->state == U32_UNKNOWN ? TEXT("-")
						   : text_copy(c->arena, fmt_u64(&b, UNIT_CHAR, g->state, 0)),
			   s);
		canvas_number(c, i + 1, 8, 6, UNIT_NS, known(g->waited_ns), s);
		canvas_field(c, i + 1, 15, 22, false, g->top, s);
		canvas_field(c, i + 1, 38, c->cols - 38, false,
			     g->longest->syscall.len ? g->longest->syscall : g->longest->comm, STYLE_PLAIN);
	}
	if ((int)n > c->rows - 1)
		draw_textf(c, 0, end + 2, STYLE_DIM, "%d more groups: S shows all", (int)n - (c->rows - 1));
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct task_row *t = task_in_scope(in);
	int at = SUMMARY_ROWS;

	(void)view;
	if (!t) {
		if (!in->step || !in->step->scope.tgid) {
			canvas_put(c, 0, 0, TEXT("No process is chosen: 2 lists them."), STYLE_DIM);
			return;
		}
		struct text who = scope_label(c->arena, &in->step->scope);
		draw_textf(c, 0, 0, STYLE_WARN,
			   "%.*s is not in this frame: it has exited, or had not started yet.",
			   TEXT_ARG(who));
		canvas_put(c, 1, 0, TEXT("Back leads to where it was chosen; [ goes back in time."),
			   STYLE_DIM);
		return;
	}
	draw_summary(in, c, t);
	if (c->rows < 10)
		return;
	draw_history_line(in, c, at, TEXT("cpu"), SEC_TASK, t, TASK_cpu_pct, 100);
	draw_history_line(in, c, at + 1, TEXT("rss"), SEC_TASK, t, TASK_rss_bytes, 0);
	draw_history_line(in, c, at + 2, TEXT("read"), SEC_TASK, t, TASK_read_bytes_per_s, 0);
	draw_history_line(in, c, at + 3, TEXT("write"), SEC_TASK, t, TASK_write_bytes_per_s, 0);
	at += HISTORY_ROWS;
	struct canvas sub = canvas_sub(c, at, 0, c->rows - at - 1, c->cols);
	draw_stuck(in, &sub);
	int end = canvas_put(c, c->rows - 1, 0, TEXT("THREADS"), STYLE_HEAD);
	draw_reason(in, c, c->rows - 1, end + 2, SEC_THREAD);
}

static bool shows(const struct pane_input *in, const void *view, const void *row)
{
	(void)view;
	return is_mine(in, ((const struct thread_row *)row)->tgid);
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct task_row *t = task_in_scope(in);

	(void)view;
	(void)row;
	if (!t)
		return false;
	struct scope s = task_scope(t);
	/* Code that runs is seen by sampling; code that waits only by what it asks of the kernel. */
	if (t->cpu_pct >= 50)
		step_to(out, 3, "profile", NULL, &s);
	else
		step_to(out, 4, "tool", "syscalls", &s);
	why_of_task(&out->why, t);
	return true;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("TID"), .field = THREAD_tid, .width = 7 },
	{ .heading = TEXT_INIT("NAME"), .field = THREAD_comm, .width = 16 },
	{ .heading = TEXT_INIT("S"), .field = THREAD_state, .width = 1 },
	{ .heading = TEXT_INIT("CPU"), .field = THREAD_cpu_pct, .width = 6, .warn = 80, .bad = 95 },
	{ .heading = TEXT_INIT("USER"), .field = THREAD_user_pct, .width = 6 },
	{ .heading = TEXT_INIT("SYS"), .field = THREAD_system_pct, .width = 6, .warn = 40, .bad = 80 },
	{ .heading = TEXT_INIT("RUNQ"), .field = THREAD_runq_pct, .width = 6, .warn = 20, .bad = 80 },
	{ .heading = TEXT_INIT("SWITCH/s"), .field = THREAD_switches_per_s, .width = 8 },
	{ .heading = TEXT_INIT("LAST CPU"), .field = THREAD_last_cpu, .width = 8 },
	{ .heading = TEXT_INIT("TIME"), .field = THREAD_cpu_ns_total, .width = 7 },
};

static const struct table table = {
	.sec = SEC_THREAD,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 3,
	.key = { THREAD_tid, THREAD_start_ns },
	.shows = shows,
};

const struct pane pane_process = {
	.name = "process",
	.title = TEXT_INIT("PROCESS"),
	.rung = 2,
	.needs = SEC_BIT(SEC_TASK),
	.wants = SEC_BIT(SEC_THREAD) | SEC_BIT(SEC_STUCK) | SEC_BIT(SEC_HOST),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.descend = descend,
};
