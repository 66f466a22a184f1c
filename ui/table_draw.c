/* Headings and visible rows; only what is on screen is formatted. */
#include <math.h>

#include "ui/table_rows.h"

#define TREE_INDENT_MAX 24

/* Where a column lands on this screen; width 0: hidden. */
struct place {
	int col, width;
};

struct table_draw {
	const struct table *t;
	const struct pane_input *in;
	const struct table_view *v;
	struct table_rows rows;
	struct place place[32];
	uint32_t ncolumns;
	uint32_t i_tree; /* column that carries the tree */
	uint32_t i_sort;
};

static bool is_right(const struct table *t, const struct column *c)
{
	const struct field_desc *d = &section_descs[t->sec].fields[c->field];

	/* What fills the rest of the line is words, whatever field it sorts by. */
	return c->width && d->kind != KIND_text && d->unit != UNIT_CHAR;
}

static void lay_out(struct table_draw *td, const struct canvas *c)
{
	int used = 0, flexible = -1, at = 0;

	td->ncolumns = td->t->ncolumns < ARRAY_LEN(td->place) ? td->t->ncolumns : (uint32_t)ARRAY_LEN(td->place);
	for (uint32_t i = 0; i < td->ncolumns; i++) {
		const struct column *col = &td->t->columns[i];
		if (col->min_screen && c->cols < 10 * col->min_screen)
			continue;
		if (!col->width)
			flexible = (int)i;
		td->place[i].width = col->width ? col->width : 1;
		used += td->place[i].width + 1;
	}
	if (flexible >= 0 && c->cols > used)
		td->place[flexible].width += c->cols - used + 1;
	for (uint32_t i = 0; i < td->ncolumns; i++) {
		td->place[i].col = at;
		at += td->place[i].width ? td->place[i].width + 1 : 0;
	}
	td->i_tree = flexible >= 0 ? (uint32_t)flexible : 0;
	for (uint32_t i = 0; flexible < 0 && i < td->ncolumns; i++)
		if (!is_right(td->t, &td->t->columns[i]) && td->place[i].width)
			td->i_tree = i;
}

static void draw_headings(const struct table_draw *td, struct canvas *c, bool is_ascending)
{
	canvas_style(c, 0, 0, c->cols, STYLE_HEAD);
	for (uint32_t i = 0; i < td->ncolumns; i++) {
		const struct column *col = &td->t->columns[i];
		const struct place *p = &td->place[i];
		struct text heading = col->heading;
		if (!p->width)
			continue;
		if (i == td->i_sort) {
			struct text marked = text_printf(c->arena, "%.*s%c", TEXT_ARG(heading), is_ascending ? '^' : 'v');
			heading = marked.cols <= (uint32_t)p->width ? marked : heading;
		}
		canvas_field(c, 0, p->col, p->width, is_right(td->t, col), heading,
			     i == td->i_sort ? STYLE_LINK : STYLE_HEAD);
	}
}

static enum style cell_style(const struct column *col, const struct field_desc *d, const void *row, enum style of_row)
{
	double v = col->bad > 0 || col->warn > 0 ? field_number(d, row) : F64_UNKNOWN;

	if (col->bad > 0 && v >= col->bad)
		return STYLE_BAD;
	if (col->warn > 0 && v >= col->warn)
		return STYLE_WARN;
	return of_row == STYLE_PLAIN && !field_known(d, row) ? STYLE_DIM : of_row;
}

/* Indent and fold mark before the text of the tree's column; the columns they took. */
static int draw_branch(const struct table_draw *td, struct canvas *c, int y, const struct place *p, uint32_t at)
{
	int indent = 2 * td->rows.depth[at];

	if (indent > TREE_INDENT_MAX)
		indent = TREE_INDENT_MAX;
	if (indent + 2 >= p->width)
		return 0;
	if (td->rows.has_children[at]) {
		bool is_folded = table_is_folded(td->v, table_row_key(td->t, table_rows_at(&td->rows, at)));
		canvas_put(c, y, p->col + indent, is_folded ? TEXT("+") : TEXT("-"), STYLE_DIM);
	}
	return indent + 2;
}

static void draw_row(const struct table_draw *td, struct canvas *c, int y, uint32_t at)
{
	const void *row = table_rows_at(&td->rows, at);
	enum style of_row = td->t->style ? td->t->style(td->in, row) : STYLE_PLAIN;

	for (uint32_t i = 0; i < td->ncolumns; i++) {
		const struct column *col = &td->t->columns[i];
		const struct field_desc *d = &td->rows.desc->fields[col->field];
		const struct place *p = &td->place[i];
		if (!p->width || p->col >= c->cols)
			continue;
		int skip = td->rows.depth && i == td->i_tree ? draw_branch(td, c, y, p, at) : 0;
		bool right = is_right(td->t, col);
		struct text t = col->cell ? col->cell(td->in, row, c->arena)
					  : field_text_of(d, row, right ? (uint32_t)p->width : 0, c->arena);
		canvas_field(c, y, p->col + skip, p->width - skip, right, t.utf8 ? t : TEXT("-"),
			     cell_style(col, d, row, of_row));
	}
	if (at == td->rows.cursor)
		canvas_style(c, y, 0, c->cols, STYLE_SELECT);
}

void table_draw(const struct table *t, const struct pane_input *in, const void *pane_view,
		const struct table_view *v, struct canvas *c)
{
	struct table_draw td = { .t = t, .in = in, .v = v };
	bool is_ascending;

	if (c->rows < 1 || c->cols < 1 || !t->ncolumns)
		return;
	table_rows_build(t, in, pane_view, v, c->arena, &td.rows);
	lay_out(&td, c);
	td.i_sort = table_sort_column(t, in, v, &is_ascending);
	draw_headings(&td, c, is_ascending);
	uint32_t page = (uint32_t)c->rows - 1, top = table_top(v, &td.rows, page);
	for (uint32_t i = 0; i < page && top + i < td.rows.n; i++)
		draw_row(&td, c, (int)i + 1, top + i);
	if (!td.rows.n && v->filter[0])
		canvas_put(c, 1, 0, TEXT("no row passes the filter; Esc drops it"), STYLE_DIM);
}
