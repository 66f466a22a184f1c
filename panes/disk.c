/* Rung 2, disk: every device as iostat -x shows it, the history of the one in trouble, and who waits. */
#include <math.h>

#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "triage/judge.h"
#include "ui/table.h"

#define HEADER_ROWS 7

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)in;
	(void)view;
	(void)cols;
	return rows >= 16 ? HEADER_ROWS : rows >= 6 ? 2 : 1;
}

/* The device of the scope, else the busiest whole disk. */
static const struct disk_row *disk_in_focus(const struct pane_input *in)
{
	const struct disk_row *rows = FRAME_ROWS(in->frame, disk, DISK), *worst = NULL;

	for (uint32_t i = 0; i < in->frame->sec[SEC_DISK].nrows; i++) {
		if (in->step && in->step->scope.kind == SCOPE_DEVICE &&
		    text_eq(text_of(&in->step->scope.name), rows[i].name))
			return &rows[i];
		if (rows[i].is_partition != 1 &&
		    (!worst || isnan(worst->util_pct) || rows[i].util_pct > worst->util_pct))
			worst = &rows[i];
	}
	return worst;
}

static void draw_users(const struct pane_input *in, struct canvas *c, int row)
{
	const struct task_row *waits = task_most(in->frame, TASK_io_wait_pct, 1);
	const struct task_row *reads = task_most(in->frame, TASK_read_bytes_per_s, 1);
	const struct task_row *writes = task_most(in->frame, TASK_write_bytes_per_s, 1);
	struct item users[3];
	uint32_t n = 0;

	if (draw_reason(in, c, row, 0, SEC_TASK))
		return;
	if (waits)
		users[n++] = (struct item){
			TEXT("waits most"),
			UNIT_NONE,
			F64_UNKNOWN,
			0,
			0,
			text_printf(c->arena, "%.*s[%u] %.*s", TEXT_ARG(waits->comm), waits->tgid,
				    TEXT_ARG(number_text(c->arena, UNIT_PCT, waits->io_wait_pct)))
		};
	if (reads)
		users[n++] = (struct item){ TEXT("reads most"),
					    UNIT_NONE,
					    F64_UNKNOWN,
					    0,
					    0,
					    text_printf(c->arena, "%.*s[%u] %.*s", TEXT_ARG(reads->comm),
							reads->tgid,
							TEXT_ARG(number_text(c->arena, UNIT_BYTES_PER_S,
									     reads->read_bytes_per_s))) };
	if (writes)
		users[n++] = (struct item){ TEXT("writes most"),
					    UNIT_NONE,
					    F64_UNKNOWN,
					    0,
					    0,
					    text_printf(c->arena, "%.*s[%u] %.*s", TEXT_ARG(writes->comm),
							writes->tgid,
							TEXT_ARG(number_text(c->arena, UNIT_BYTES_PER_S,
									     writes->write_bytes_per_s))) };
	if (n)
		draw_items(c, row, 0, c->cols, users, n);
	else
		canvas_put(c, row, 0, TEXT("no process reads, writes or waits measurably"), STYLE_DIM);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct disk_row *d = disk_in_focus(in);
	const struct psi_row *psi = psi_of(in->frame, "io");
	const struct sys_row *sys = FRAME_ROWS(in->frame, sys, SYS);

	(void)view;
	if (!d)
		return;
	struct item head[] = {
		{ TEXT("device"), UNIT_NONE, F64_UNKNOWN, 0, 0, d->name },
		{ TEXT("busy"), UNIT_PCT, d->util_pct, 70, 90, TEXT_UNKNOWN },
		{ TEXT("await"), UNIT_NS, d->await_ns, 10e6, 25e6, TEXT_UNKNOWN },
		{ TEXT("stalled"), UNIT_PCT, psi ? psi->some_pct : F64_UNKNOWN, 10, 40, TEXT_UNKNOWN },
		{ TEXT("all stalled"), UNIT_PCT, psi ? psi->full_pct : F64_UNKNOWN, 5, 20, TEXT_UNKNOWN },
		{ TEXT("in D"), UNIT_COUNT, sys && sys->in_d != U32_UNKNOWN ? sys->in_d : F64_UNKNOWN, 1, 4,
		  TEXT_UNKNOWN },
	};
	draw_items(c, 0, 0, c->cols, head, ARRAY_LEN(head));
	draw_users(in, c, 1);
	if (c->rows < HEADER_ROWS)
		return;
	draw_history_line(in, c, 2, text_printf(c->arena, "%.*s busy", TEXT_ARG(text_clip(d->name, 9))),
			  SEC_DISK, d, DISK_util_pct, 100);
	draw_history_line(in, c, 3, TEXT("await"), SEC_DISK, d, DISK_await_ns, 0);
	draw_history_line(in, c, 4, TEXT("queue"), SEC_DISK, d, DISK_queue, 0);
	if (!draw_reason(in, c, 5, 0, SEC_PSI))
		draw_history_line(in, c, 5, TEXT("stalled (psi)"), SEC_PSI, psi, PSI_some_pct, 100);
}

static struct text name_cell(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct disk_row *d = row;

	(void)in;
	return d->is_partition == 1 ? text_printf(a, " %.*s", TEXT_ARG(d->name)) : d->name;
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct disk_row *d = row;
	struct scope s = { .kind = SCOPE_DEVICE };
	struct fmt_buf busy, queue, await;

	(void)in;
	(void)view;
	if (!d)
		return false;
	s.major = d->major;
	s.minor = d->minor;
	text_keep(&s.name, d->name);
	step_to(out, 4, "tool", "biolatency", &s);
	text_keepf(&out->why, "%.*s %s busy, queue %s, await %s", TEXT_ARG(d->name),
		   fmt_f64(&busy, UNIT_PCT, d->util_pct, 0).utf8,
		   fmt_f64(&queue, UNIT_RATIO, d->queue, 0).utf8,
		   fmt_f64(&await, UNIT_NS, d->await_ns, 0).utf8);
	return true;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("DEVICE"), .field = DISK_name, .width = 12, .cell = name_cell },
	{ .heading = TEXT_INIT("BUSY"), .field = DISK_util_pct, .width = 5, .warn = 70, .bad = 90 },
	{ .heading = TEXT_INIT("QUEUE"), .field = DISK_queue, .width = 5, .warn = 4, .bad = 16 },
	{ .heading = TEXT_INIT("R AWAIT"), .field = DISK_read_await_ns, .width = 7, .warn = 10e6,
	  .bad = 25e6 },
	{ .heading = TEXT_INIT("W AWAIT"), .field = DISK_write_await_ns, .width = 7, .warn = 10e6,
	  .bad = 50e6 },
	{ .heading = TEXT_INIT("READS/s"), .field = DISK_read_per_s, .width = 7 },
	{ .heading = TEXT_INIT("WRITES/s"), .field = DISK_write_per_s, .width = 8 },
	{ .heading = TEXT_INIT("READ B/s"), .field = DISK_read_bytes_per_s, .width = 8 },
	{ .heading = TEXT_INIT("WRITE B/s"), .field = DISK_write_bytes_per_s, .width = 9 },
	{ .heading = TEXT_INIT("IN FLIGHT"), .field = DISK_in_flight, .width = 9, .min_screen = 9 },
	{ .heading = TEXT_INIT("F AWAIT"), .field = DISK_flush_await_ns, .width = 7,
	  .min_screen = 10, .warn = 25e6, .bad = 100e6 },
	{ .heading = TEXT_INIT("R SIZE"), .field = DISK_read_size_bytes, .width = 6, .min_screen = 11 },
	{ .heading = TEXT_INIT("W SIZE"), .field = DISK_write_size_bytes, .width = 6, .min_screen = 12 },
	{ .heading = TEXT_INIT("R MERGE/s"), .field = DISK_read_merge_per_s, .width = 9, .min_screen = 13 },
	{ .heading = TEXT_INIT("W MERGE/s"), .field = DISK_write_merge_per_s, .width = 9, .min_screen = 14 },
	{ .heading = TEXT_INIT("FLUSH/s"), .field = DISK_flush_per_s, .width = 7, .min_screen = 15 },
	{ .heading = TEXT_INIT("DISCARD/s"), .field = DISK_discard_per_s, .width = 9, .min_screen = 16 },
};

static const struct table table = {
	.sec = SEC_DISK,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 1,
	.key = { DISK_major, DISK_minor },
};

const struct pane pane_disk = {
	.name = "disk",
	.title = TEXT_INIT("DISK"),
	.rung = 2,
	.needs = SEC_BIT(SEC_DISK),
	.wants = SEC_BIT(SEC_PSI) | SEC_BIT(SEC_TASK) | SEC_BIT(SEC_SYS),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.descend = descend,
};
