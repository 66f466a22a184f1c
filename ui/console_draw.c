/* The whole screen: which lines it has at this size, and the pane between them. */
#include "ui/console_state.h"

static bool is_missing(const struct frame *f, uint32_t sec)
{
	return f->sec[sec].state != SEC_OK && !f->sec[sec].nrows;
}

static struct text why_missing(const struct frame *f, uint32_t sec, struct arena *a)
{
	const struct section *s = &f->sec[sec];

	if (!s->why.len)
		return text_printf(a, "%s: %s", section_descs[sec].name, sec_state_name(s->state));
	return text_printf(a, "%s: %s: %.*s", section_descs[sec].name, sec_state_name(s->state), TEXT_ARG(s->why));
}

/* How many of the sections a pane needs are not there, and how many it needs. */
static int count_missing(const struct frame *f, uint64_t needs, int *nneeds)
{
	int n = 0;

	*nneeds = 0;
	for (uint32_t s = 0; s < SEC_COUNT; s++) {
		if (!(needs & SEC_BIT(s)))
			continue;
		++*nneeds;
		n += is_missing(f, s);
	}
	return n;
}

static void draw_missing(const struct frame *f, uint64_t needs, struct canvas *out, enum style s)
{
	int row = 0;

	for (uint32_t sec = 0; sec < SEC_COUNT; sec++)
		if ((needs & SEC_BIT(sec)) && is_missing(f, sec))
			canvas_field(out, row++, 0, out->cols, false, why_missing(f, sec, out->arena), s);
}

/* Why rows are fewer than there are. */
static void draw_choice(const struct layer *l, const struct pane_input *in, struct canvas *out)
{
	uint32_t shown = table_count(l->pane->table, in, l->view, &l->table);
	uint32_t all = in->frame->sec[l->pane->table->sec].nrows;
	struct text filter = text_clean_str(out->arena, l->table.filter);

	canvas_field(out, 0, 0, out->cols, false,
		     text_printf(out->arena, "filter: %.*s   %u of %u rows", TEXT_ARG(filter), shown, all), STYLE_LINK);
}

static void draw_table(struct console *c, const struct layer *l, const struct pane_input *in, struct canvas *out)
{
	int header = l->pane->header_rows ? l->pane->header_rows(in, l->view, out->rows, out->cols) : 0;
	int choice = l->table.filter[0] && out->rows > 3;

	header = header < 0 ? 0 : header > out->rows ? out->rows : header;
	if (l->pane->draw && header) {
		struct canvas above = canvas_sub(out, 0, 0, header, out->cols);
		l->pane->draw(in, l->view, &above);
	}
	if (choice) {
		struct canvas line = canvas_sub(out, header, 0, 1, out->cols);
		draw_choice(l, in, &line);
	}
	struct canvas table = canvas_sub(out, header + choice, 0, out->rows - header - choice, out->cols);
	c->page = table.rows > 1 ? table.rows - 1 : 1;
	table_draw(l->pane->table, in, l->view, &l->table, &table);
}

static void draw_pane(struct console *c, struct canvas *out)
{
	const struct layer *top = console_top(c);
	const struct pane *pane = top->pane;
	struct pane_input in = console_input(c);
	int nneeds;

	if (out->rows < 1 || out->cols < 1)
		return;
	if (!in.frame) {
		canvas_put(out, 0, 0, TEXT("waiting for the first sample"), STYLE_DIM);
		return;
	}
	int missing = count_missing(in.frame, pane->needs, &nneeds);
	if (missing && missing == nneeds) {
		draw_missing(in.frame, pane->needs, out, STYLE_WARN);
		return;
	}
	/* What is there is drawn; the rest is named below it, where there is room. */
	missing = missing < out->rows / 3 ? missing : 0;
	struct canvas room = canvas_sub(out, 0, 0, out->rows - missing, out->cols);
	if (pane->table)
		draw_table(c, top, &in, &room);
	else if (pane->draw)
		pane->draw(&in, top->view, &room);
	if (missing) {
		struct canvas below = canvas_sub(out, out->rows - missing, 0, missing, out->cols);
		draw_missing(in.frame, pane->needs, &below, STYLE_DIM);
	}
}

void console_draw(struct console *c, struct canvas *out)
{
	int rows = out->rows;
	/* The smaller the screen, the fewer lines around the pane. */
	int above = rows >= 6 ? 2 : rows >= 3 ? 1 : 0;
	int below = rows >= 8 ? 2 : rows >= 4 ? 1 : 0;

	out->is_ascii |= c->o.is_ascii;
	struct canvas pane = canvas_sub(out, above, 0, rows - above - below, out->cols);
	draw_pane(c, &pane);
	if (above)
		console_draw_header(c, out);
	if (above > 1)
		console_draw_ladder(c, out);
	if (below > 1) {
		struct canvas line = canvas_sub(out, rows - 2, 0, 1, out->cols);
		if (c->prompt && c->status.len) /* the prompt has the last line */
			console_draw_hints(c, &line);
		else
			console_draw_finding(c, &line);
	}
	if (below) {
		struct canvas line = canvas_sub(out, rows - 1, 0, 1, out->cols);
		if (below == 1 && !c->status.len && !c->is_asking_to_leave)
			console_draw_finding(c, &line);
		else if (!c->prompt)
			console_draw_hints(c, &line);
	}
	if (c->prompt && rows)
		console_draw_prompt(c, out);
}
