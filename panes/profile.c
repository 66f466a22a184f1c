/* Rung 3, profile: which code runs, and how far the sample can be trusted. */
#include <math.h>

#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "ui/table.h"

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)in;
	(void)view;
	(void)cols;
	return rows >= 6 ? 3 : 1;
}

static double known(uint64_t v)
{
	return v == U64_UNKNOWN ? F64_UNKNOWN : (double)v;
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct profstat_row *s = FRAME_ROWS(in->frame, profstat, PROFSTAT);

	(void)view;
	if (!s) {
		if (!draw_reason_wrapped(in, c, 0, c->rows, SEC_PROFSTAT))
			canvas_put(c, 0, 0, TEXT("sampling starts"), STYLE_DIM);
		return;
	}
	/* Fewer samples than asked for, by a quarter, and the shares are of something else than the window.
	 */
	bool is_slow = s->effective_hz < 0.75 * s->wanted_hz;
	struct item how[] = {
		{ TEXT("event"), UNIT_NONE, F64_UNKNOWN, 0, 0, s->event.len ? s->event : TEXT("-") },
		{ TEXT("of"), UNIT_NONE, F64_UNKNOWN, 0, 0, s->scope.len ? s->scope : TEXT("-") },
		{ TEXT("rate"), UNIT_HZ, s->effective_hz, is_slow ? 1e-9 : 0, 0, TEXT_UNKNOWN },
		{ TEXT("wanted"), UNIT_HZ, s->wanted_hz, 0, 0, TEXT_UNKNOWN },
		{ TEXT("stacks by"), UNIT_NONE, F64_UNKNOWN, 0, 0, s->method.len ? s->method : TEXT("-") },
	};
	struct item trust[] = {
		{ TEXT("samples"), UNIT_COUNT, known(s->samples), 0, 0, TEXT_UNKNOWN },
		{ TEXT("lost"), UNIT_COUNT, known(s->lost), 0, 1, TEXT_UNKNOWN },
		{ TEXT("unresolved"), UNIT_PCT, s->unresolved_pct, 10, 30, TEXT_UNKNOWN },
		{ TEXT("truncated"), UNIT_PCT, s->truncated_pct, 10, 30, TEXT_UNKNOWN },
		{ TEXT("throttled"), UNIT_COUNT, known(s->throttled), 0, 1, TEXT_UNKNOWN },
	};
	draw_items(c, 0, 0, c->cols, how, ARRAY_LEN(how));
	draw_items(c, 1, 0, c->cols, trust, ARRAY_LEN(trust));
	if (s->samples == 0)
		canvas_put(c, 2, 0, TEXT("no samples: nothing in scope ran on a CPU"), STYLE_DIM);
	else if (!draw_reason(in, c, 2, 0, SEC_PROFILE) && s->samples != U64_UNKNOWN && s->samples < 50)
		canvas_put(c, 2, 0, TEXT("few samples: shares are rough"), STYLE_WARN);
}

static struct text who_cell(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct profile_row *p = row;

	(void)in;
	if (p->tgid == U32_UNKNOWN)
		return p->comm;
	return text_printf(a, "%.*s[%u]", TEXT_ARG(p->comm), p->tgid);
}

/* Kernel code is entered by system calls: count them. User code of one process: a question of one's own. */
static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct profile_row *p = row;
	struct fmt_buf b;

	(void)view;
	if (!p || p->tgid == U32_UNKNOWN || !p->tgid)
		return false;
	const struct task_row *t = frame_task(in->frame, p->tgid, 0);
	struct scope s = t ? task_scope(t) : scope_process(p->tgid, 0, p->comm);
	if (!in->step || in->step->scope.kind == SCOPE_HOST) {
		step_to(out, 3, "profile", NULL, &s);
	} else if (p->is_kernel == 1) {
		step_to(out, 4, "tool", "syscalls", &s);
	} else {
		step_to(out, 5, "probe", NULL, &s);
		text_keepf(&out->arg,
			   "tracepoint:raw_syscalls:sys_enter /pid == %u/ { @[args.id] = count() }", p->tgid);
	}
	text_keepf(&out->why, "%s of samples in %.*s (%.*s), most by %.*s[%u]",
		   fmt_f64(&b, UNIT_PCT, p->self_pct, 0).utf8, TEXT_ARG(p->symbol), TEXT_ARG(p->object),
		   TEXT_ARG(p->comm), p->tgid);
	return true;
}

static enum style row_style(const struct pane_input *in, const void *row)
{
	const struct profile_row *p = row;

	(void)in;
	return p->self_pct >= 30 ? STYLE_BAD : p->self_pct >= 10 ? STYLE_WARN : STYLE_PLAIN;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("SELF"), .field = PROFILE_self_pct, .width = 6, .warn = 10, .bad = 30 },
	{ .heading = TEXT_INIT("SAMPLES"), .field = PROFILE_samples, .width = 7 },
	{ .heading = TEXT_INIT("OBJECT"), .field = PROFILE_object, .width = 18 },
	{ .heading = TEXT_INIT("PROCESS"), .field = PROFILE_comm, .width = 20, .cell = who_cell },
	{ .heading = TEXT_INIT("SYMBOL"), .field = PROFILE_symbol, .width = 0 },
};

static const struct table table = {
	.sec = SEC_PROFILE,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 0,
	.key = { PROFILE_symbol, PROFILE_object },
	.style = row_style,
};

const struct pane pane_profile = {
	.name = "profile",
	.title = TEXT_INIT("PROFILE"),
	.rung = 3,
	.wants = SEC_BIT(SEC_PROFSTAT) | SEC_BIT(SEC_PROFILE) | SEC_BIT(SEC_TASK),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.descend = descend,
};
