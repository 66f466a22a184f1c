/* What rung itself costs: every collector, probe and thread, and the sum. */
#include "panes/draw_bits.h"
#include "panes/draw_family.h"
#include "ui/cost.h"
#include "ui/table.h"

static int probes_shown(const struct pane_input *in, int rows)
{
	int n = (int)in->frame->sec[SEC_PROBE].nrows, room = rows >= 40   ? 10
							     : rows >= 18 ? 4
							     : rows >= 8  ? 1
									  : 0;

	return n > room ? room : n;
}

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)view;
	(void)cols;
	return 2 + probes_shown(in, rows);
}

static void draw_probe(struct canvas *c, int row, const struct probe_row *p)
{
	struct text who = text_printf(c->arena, "%.*s %.*s", TEXT_ARG(p->name),
				      TEXT_ARG(p->program.len ? p->program : p->scope));
	int name = c->cols >= 120 ? 40 : c->cols >= 70 ? 22 : 12;

	canvas_field(c, row, 0, name, false, who, STYLE_PLAIN);
	struct canvas rest = canvas_sub(c, row, name + 1, 1, c->cols - name - 1);
	draw_cost(p, &rest, 0);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct frame *f = in->frame;
	const struct cost_row *costs = FRAME_ROWS(f, cost, COST);
	const struct probe_row *probes = FRAME_ROWS(f, probe, PROBE);
	double lost = 0, overruns = 0, thinned = in->history ? (double)in->history->thinned : 0;
	int shown = c->rows - 2 < (int)f->sec[SEC_PROBE].nrows ? c->rows - 2 : (int)f->sec[SEC_PROBE].nrows;

	(void)view;
	for (uint32_t i = 0; i < f->sec[SEC_COST].nrows; i++) {
		lost += costs[i].lost == U64_UNKNOWN ? 0 : (double)costs[i].lost;
		overruns += costs[i].overruns == U64_UNKNOWN ? 0 : (double)costs[i].overruns;
	}
	struct item total[] = {
		{ TEXT("total"), UNIT_PCT, cost_total_pct(f), 2, 10, TEXT_UNKNOWN },
		{ TEXT_UNKNOWN, UNIT_NONE, F64_UNKNOWN, 0, 0, TEXT("of one CPU") },
		{ TEXT("probes"), UNIT_COUNT, f->sec[SEC_PROBE].nrows, 0, 0, TEXT_UNKNOWN },
		{ TEXT("lost"), UNIT_COUNT, lost, 0, 1, TEXT_UNKNOWN },
		{ TEXT("overruns"), UNIT_COUNT, overruns, 1, 0, TEXT_UNKNOWN },
		/* Last, and only drawn once frames were given up to stay within memory. */
		{ TEXT("samples thinned"), UNIT_COUNT, thinned, 1, 0, TEXT_UNKNOWN },
	};
	draw_items(c, 0, 0, c->cols, total, (uint32_t)ARRAY_LEN(total) - (thinned == 0));
	for (int i = 0; i < shown; i++)
		draw_probe(c, 1 + i, &probes[i]);
	if ((int)f->sec[SEC_PROBE].nrows > shown && shown >= 0 && c->cols >= 76)
		draw_textf(c, 0, c->cols - 24, STYLE_DIM, "%u probes not shown",
			   f->sec[SEC_PROBE].nrows - (uint32_t)shown);
	canvas_put(c, c->rows - 1, 0, TEXT("COLLECTORS, PROBES AND THREADS"), STYLE_HEAD);
}

static enum style cost_style(const struct pane_input *in, const void *row)
{
	const struct cost_row *r = row;

	(void)in;
	return text_is(r->state, "running") ? STYLE_PLAIN : text_is(r->state, "off") ? STYLE_DIM : STYLE_WARN;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("WHO"), .field = COST_who, .width = 16 },
	{ .heading = TEXT_INIT("KIND"), .field = COST_kind, .width = 9 },
	{ .heading = TEXT_INIT("STATE"), .field = COST_state, .width = 11 },
	{ .heading = TEXT_INIT("CPU"), .field = COST_cpu_pct, .width = 5, .warn = 2, .bad = 10 },
	{ .heading = TEXT_INIT("LAST RUN"), .field = COST_last_wall_ns, .width = 8 },
	{ .heading = TEXT_INIT("EVERY"), .field = COST_period_ns, .width = 6 },
	{ .heading = TEXT_INIT("OVERRUN"), .field = COST_overruns, .width = 7, .warn = 1 },
	{ .heading = TEXT_INIT("LOST"), .field = COST_lost, .width = 6, .bad = 1 },
	{ .heading = TEXT_INIT("EVENTS/s"), .field = COST_events_per_s, .width = 8, .min_screen = 10 },
	{ .heading = TEXT_INIT("ns/EVENT"), .field = COST_ns_per_event, .width = 8, .min_screen = 10 },
	{ .heading = TEXT_INIT("RUNS"), .field = COST_runs, .width = 8, .min_screen = 12 },
	{ .heading = TEXT_INIT("CPU TIME"), .field = COST_self_ns_total, .width = 8, .min_screen = 12 },
	{ .heading = TEXT_INIT("WHY"), .field = COST_why, .width = 0, .min_screen = 10 },
};

static const struct table table = {
	.sec = SEC_COST,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 3,
	.key = { COST_who, COST_kind },
	.style = cost_style,
};

const struct pane pane_overhead = {
	.name = "overhead",
	.title = TEXT_INIT("OVERHEAD"),
	.needs = SEC_BIT(SEC_COST),
	.wants = SEC_BIT(SEC_PROBE),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
};
