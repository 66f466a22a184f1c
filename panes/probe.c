/* Rung 5, probes of one's own: the programs that run, their price, and what the selected one found. */
#include "panes/draw_bits.h"
#include "panes/draw_family.h"

struct probe_view {
	uint32_t id;                           /* of the selected probe; 0: the newest */
	struct family_view families[FAMILIES]; /* in the order shown */
};

static bool is_bespoke(const struct probe_row *p)
{
	return text_is(p->name, "probe");
}

static uint32_t bespoke_count(const struct frame *f)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		n += is_bespoke(&rows[i]);
	return n;
}

static const struct probe_row *bespoke_at(const struct frame *f, uint32_t place)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (is_bespoke(&rows[i]) && !place--)
			return &rows[i];
	return NULL;
}

static uint32_t selected(const struct frame *f, const struct probe_view *v)
{
	uint32_t n = bespoke_count(f), newest = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (v->id && bespoke_at(f, i)->id == v->id)
			return i;
		if (bespoke_at(f, i)->id > bespoke_at(f, newest)->id)
			newest = i;
	}
	return newest;
}

static void draw_empty(const struct pane_input *in, struct canvas *c)
{
	static const struct text lines[] = {
		TEXT_INIT("No probe of your own runs. Press : and type one, for example:"),
		TEXT_INIT(""),
		TEXT_INIT("tracepoint:syscalls:sys_enter_openat { @[comm] = count() }"),
		TEXT_INIT("    who opens files, and how many"),
		TEXT_INIT("tracepoint:sched:sched_switch /pid == 4312/ { @[args.next_comm] = count() }"),
		TEXT_INIT("    whom a process makes room for"),
		TEXT_INIT("tracepoint:block:block_rq_issue { @ = hist(args.bytes) }"),
		TEXT_INIT("    how large disk requests are"),
	};
	int row = draw_reason(in, c, 0, 0, SEC_PROBE) && in->frame->sec[SEC_PROBE].why.len ? 2 : 0;

	if (!row)
		canvas_style(c, 0, 0, c->cols, STYLE_PLAIN);
	struct canvas body = canvas_sub(c, row, 0, c->rows - row, c->cols);
	for (int i = 0; i < body.rows; i++)
		canvas_field(&body, i, 0, c->cols, false, i < (int)ARRAY_LEN(lines) ? lines[i] : TEXT(""),
			     i && i % 2 == 0 ? STYLE_LINK : STYLE_PLAIN);
}

static void draw_list(const struct pane_input *in, struct canvas *c, uint32_t n, uint32_t at)
{
	struct list_view list = { at };
	uint32_t top = list_top(&list, n, c->rows), room = c->rows > 0 ? (uint32_t)c->rows : 0;

	for (uint32_t i = top; i < n && i - top < room; i++) {
		const struct probe_row *p = bespoke_at(in->frame, i);
		int row = (int)(i - top),
		    col = draw_textf(c, row, 0, STYLE_DIM, "%c%u ", i == at ? '>' : ' ', p->id);
		col = canvas_field(c, row, col, 8, false, p->state,
				   text_is(p->state, "running") ? STYLE_GOOD : STYLE_BAD) +
		      1;
		canvas_number(c, row, col, 6, UNIT_PCT, p->cpu_pct, style_of(p->cpu_pct, 2, 10));
		canvas_field(c, row, col + 7, c->cols - col - 7, false,
			     p->program.len ? p->program : TEXT("-"), i == at ? STYLE_HEAD : STYLE_PLAIN);
	}
	draw_more(c, n - top > room ? n - top - room : 0);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct probe_view *v = view;
	uint32_t n = bespoke_count(in->frame), at = selected(in->frame, v);
	int list = n > 5 ? 5 : (int)n;

	if (!n) {
		draw_empty(in, c);
		return;
	}
	const struct probe_row *p = bespoke_at(in->frame, at);
	struct canvas sub = canvas_sub(c, 0, 0, list, c->cols);
	draw_list(in, &sub, n, at);
	int row = list + draw_cost(p, c, list);
	struct canvas body = canvas_sub(c, row + (c->rows > 16), 0, c->rows - row - (c->rows > 16), c->cols);
	const struct family *shown[FAMILIES];
	uint32_t nshown = families_of(in, p, shown);
	for (uint32_t i = 0; i < nshown; i++) {
		int from = body.rows * (int)i / (int)nshown, to = body.rows * (int)(i + 1) / (int)nshown;
		struct canvas part = canvas_sub(&body, from, 0, to - from, body.cols);
		shown[i]->draw(in, p, &v->families[i], TEXT(""), &part);
	}
	if (!nshown && text_is(p->state, "running"))
		draw_textf(&body, 0, 0, STYLE_WARN, "cannot show results of the kind \"%.*s\"",
			   TEXT_ARG(p->family));
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct probe_view *v = view;
	uint32_t n = bespoke_count(in->frame), at = selected(in->frame, v);

	if (!n)
		return REPLY_IGNORED;
	if (a == ACT_NEXT_PANEL || a == ACT_PREV_PANEL) {
		at = (at + (a == ACT_NEXT_PANEL ? 1 : n - 1)) % n;
		*v = (struct probe_view){ .id = bespoke_at(in->frame, at)->id };
		return REPLY_REDRAW;
	}
	const struct probe_row *p = bespoke_at(in->frame, at);
	const struct family *shown[FAMILIES];
	uint32_t nshown = families_of(in, p, shown);
	enum reply r = REPLY_IGNORED;
	for (uint32_t i = 0; i < nshown; i++)
		if (shown[i]->act(in, p, &v->families[i], TEXT(""), a) == REPLY_REDRAW)
			r = REPLY_REDRAW;
	return r;
}

const struct pane pane_probe = {
	.name = "probe",
	.title = TEXT_INIT("PROBE"),
	.rung = 5,
	.wants = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_HIST) | SEC_BIT(SEC_COUNTS) | SEC_BIT(SEC_EVENTS) |
		 SEC_BIT(SEC_STACKS),
	.view_size = sizeof(struct probe_view),
	.draw = draw,
	.act = act,
};
