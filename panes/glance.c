/* Rung 1: which resource is in trouble? The USE matrix, the findings, the processes that matter for them. */
#include "panes/draw_matrix.h"
#include "panes/draw_steps.h"
#include "panes/draw_strips.h"
#include "ui/table.h"

enum focus { FOCUS_TASKS, FOCUS_MATRIX, FOCUS_FINDINGS, FOCUS_COUNT };

struct glance_view {
	bool has_strips;
	enum focus focus;
	struct list_view matrix, findings;
};

static int findings_rows(const struct pane_input *in, int rows)
{
	int n = in->findings ? (int)in->findings->n : 0, room = rows >= 40 ? 10 : rows >= 24 ? 5 : 3;

	return n > room ? room : n > 0 ? n : 1;
}

static int strip_rows_shown(const struct pane_input *in, const struct glance_view *v, int rows, int cols)
{
	if (!v->has_strips)
		return 0;
	int want = strips_rows(in->frame, cols);
	return want > rows / 3 ? rows / 3 : want;
}

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	return MATRIX_ROWS + 1 + strip_rows_shown(in, view, rows, cols) + 1 + findings_rows(in, rows) + 1;
}

static void draw_finding(const struct pane_input *in, struct canvas *c, int row, const struct finding *g,
			 int spark_cols)
{
	enum style s = g->severity >= 60 ? STYLE_BAD : STYLE_WARN;
	int room = c->cols - 12 - (spark_cols ? spark_cols + 1 : 0);

	canvas_number(c, row, 0, 3, UNIT_COUNT, g->severity, s);
	canvas_field(c, row, 4, 8, false, text_printf(c->arena, "%s", g->resource ? g->resource : ""), s);
	canvas_field(c, row, 12, room, false, g->headline, STYLE_PLAIN);
	if (!spark_cols || !g->nevidence)
		return;
	const struct evidence *e = &g->evidence[0];
	const void *of = e->sec < SEC_COUNT ? frame_row(in->frame, e->sec, e->row) : NULL;
	if (of && e->field < section_descs[e->sec].nfields)
		draw_history(in, c, row, c->cols - spark_cols, spark_cols, e->sec, of, e->field,
			     section_descs[e->sec].fields[e->field].unit == UNIT_PCT ? 100 : e->threshold, s);
}

/* What the matrix could not ask, once, instead of a dash without a reason. */
static void draw_locked(const struct pane_input *in, struct canvas *c, int row, int col)
{
	static const enum frame_sec asked[] = { SEC_PSI, SEC_NETCOUNT };

	for (size_t i = 0; i < ARRAY_LEN(asked); i++)
		if (in->frame->sec[asked[i]].state > SEC_OK && draw_reason(in, c, row, col, asked[i]))
			return;
}

static void draw_findings(const struct pane_input *in, const struct glance_view *v, struct canvas *c)
{
	uint32_t n = in->findings ? in->findings->n : 0;
	int spark_cols = c->cols >= 140 ? 60 : c->cols >= 100 ? 30 : c->cols >= 70 ? 15 : 0;
	uint64_t span_ns = series_span_ns(in);

	canvas_put(c, 0, 0, TEXT("FINDINGS"), STYLE_HEAD);
	draw_locked(in, c, 0, n > (uint32_t)(c->rows - 1 > 0 ? c->rows - 1 : 0) ? 30 : 10);
	if (!n) {
		canvas_put(c, 1, 0, TEXT("none: no rule fires on this frame"), STYLE_GOOD);
		return;
	}
	if (spark_cols && span_ns)
		canvas_field(c, 0, c->cols - spark_cols, spark_cols, true,
			     text_printf(c->arena, "last %.*s",
					 TEXT_ARG(number_text(c->arena, UNIT_NS, (double)span_ns))),
			     STYLE_DIM);
	uint32_t top = list_top(&v->findings, n, c->rows - 1);
	for (uint32_t i = top; i < n && (int)(i - top) < c->rows - 1; i++) {
		int row = 1 + (int)(i - top);
		draw_finding(in, c, row, &in->findings->rows[i], spark_cols);
		if (v->focus == FOCUS_FINDINGS && i == list_at(&v->findings, n))
			canvas_style(c, row, 0, c->cols, STYLE_SELECT);
	}
	if (n > (uint32_t)(c->rows - 1 > 0 ? c->rows - 1 : 0))
		draw_textf(c, 0, 10, STYLE_DIM, "%u, %d shown: Tab", n, c->rows - 1);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct glance_view *v = view;
	int strips = strip_rows_shown(in, v, c->rows, c->cols), at = MATRIX_ROWS + 1;
	struct canvas sub = canvas_sub(c, 0, 0, at, c->cols);
	struct text title;

	matrix_draw(in, &sub, v->focus == FOCUS_MATRIX ? (int)list_at(&v->matrix, MATRIX_ROWS) : -1);
	if (strips) {
		sub = canvas_sub(c, at, 0, strips, c->cols);
		strips_draw(in, &sub);
		at += strips;
	}
	int nfind = findings_rows(in, c->rows);
	sub = canvas_sub(c, at, 0, nfind + 1, c->cols);
	draw_findings(in, v, &sub);
	at += nfind + 1;
	matrix_trouble(in, &title);
	int end = canvas_put(c, at, 0, title, STYLE_HEAD);
	draw_reason(in, c, at, end + 2, SEC_TASK);
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct glance_view *v = view;

	switch (a) {
	case ACT_RUNG_1:
		v->has_strips = !v->has_strips;
		return REPLY_REDRAW;
	case ACT_NEXT_PANEL:
		v->focus = (v->focus + 1) % FOCUS_COUNT;
		return REPLY_REDRAW;
	case ACT_PREV_PANEL:
		v->focus = (v->focus + FOCUS_COUNT - 1) % FOCUS_COUNT;
		return REPLY_REDRAW;
	default:
		break;
	}
	if (v->focus == FOCUS_MATRIX)
		return list_act(&v->matrix, a, MATRIX_ROWS);
	if (v->focus == FOCUS_FINDINGS)
		return list_act(&v->findings, a, in->findings ? in->findings->n : 0);
	return REPLY_IGNORED;
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct glance_view *v = view;

	if (v->focus == FOCUS_MATRIX)
		return matrix_step(in, list_at(&v->matrix, MATRIX_ROWS), out);
	if (v->focus == FOCUS_FINDINGS) {
		if (!in->findings || !in->findings->n)
			return false;
		const struct finding *g = &in->findings->rows[list_at(&v->findings, in->findings->n)];
		*out = g->next;
		if (!out->why.len)
			text_keep(&out->why, g->headline);
		return g->next.rung != 0;
	}
	if (!row)
		return false;
	step_to_task(out, row);
	return true;
}

static uint32_t first_sort(const struct pane_input *in)
{
	struct text title;

	return matrix_trouble(in, &title);
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("PID"), .field = TASK_tgid, .width = 7 },
	{ .heading = TEXT_INIT("COMM"), .field = TASK_comm, .width = 15 },
	{ .heading = TEXT_INIT("S"), .field = TASK_state, .width = 1 },
	{ .heading = TEXT_INIT("CPU"), .field = TASK_cpu_pct, .width = 6, .warn = 80, .bad = 95 },
	{ .heading = TEXT_INIT("RUNQ"), .field = TASK_runq_pct, .width = 6, .warn = 20, .bad = 100 },
	{ .heading = TEXT_INIT("IO WAIT"), .field = TASK_io_wait_pct, .width = 8, .warn = 20, .bad = 80 },
	{ .heading = TEXT_INIT("IN D"), .field = TASK_threads_in_d, .width = 5, .bad = 1 },
	{ .heading = TEXT_INIT("READ/s"), .field = TASK_read_bytes_per_s, .width = 7 },
	{ .heading = TEXT_INIT("WRITE/s"), .field = TASK_write_bytes_per_s, .width = 8 },
	{ .heading = TEXT_INIT("RSS"), .field = TASK_rss_bytes, .width = 6 },
	{ .heading = TEXT_INIT("THR"), .field = TASK_threads, .width = 5, .min_screen = 10 },
	{ .heading = TEXT_INIT("CGROUP"), .field = TASK_cgroup, .width = 24, .min_screen = 15 },
	{ .heading = TEXT_INIT("COMMAND"), .field = TASK_cmdline, .width = 0, .min_screen = 10,
	  .cell = task_command },
};

static const struct table table = {
	.sec = SEC_TASK,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 3,
	.key = { TASK_tgid, TASK_start_ns },
	.style = task_style,
	.first_sort = first_sort,
};

const struct pane pane_glance = {
	.name = "glance",
	.title = TEXT_INIT("GLANCE"),
	.rung = 1,
	.wants = SEC_BIT(SEC_HOST) | SEC_BIT(SEC_SYS) | SEC_BIT(SEC_CPU) | SEC_BIT(SEC_PSI) |
		 SEC_BIT(SEC_MEM) | SEC_BIT(SEC_DISK) | SEC_BIT(SEC_NET) | SEC_BIT(SEC_NETCOUNT) |
		 SEC_BIT(SEC_LIMIT) | SEC_BIT(SEC_TASK),
	.view_size = sizeof(struct glance_view),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.act = act,
	.descend = descend,
};
