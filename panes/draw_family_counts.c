/* A table of keys with how often, how long and how many failed; columns without a value are left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "panes/draw_family.h"

#define ROWS_MAX 4096

/** One column; key and name stand left of them. */
struct counts_column {
	struct text heading;
	uint32_t field;
	int width;
};

static const struct counts_column columns[] = {
	{ TEXT_INIT("COUNT"), COUNTS_count, 10 },   { TEXT_INIT("PER s"), COUNTS_per_s, 8 },
	{ TEXT_INIT("ERRORS"), COUNTS_errors, 8 },  { TEXT_INIT("TOTAL"), COUNTS_total_ns, 7 },
	{ TEXT_INIT("AVERAGE"), COUNTS_avg_ns, 7 }, { TEXT_INIT("LONGEST"), COUNTS_max_ns, 7 },
	{ TEXT_INIT("SUM"), COUNTS_sum, 12 },
};

/** The rows of one probe in the order shown. */
struct ordered {
	const struct counts_row *rows[ROWS_MAX];
	uint32_t n, left_out;
};

/** What qsort_r hands to the comparison. */
struct order {
	uint32_t field;
	bool is_inverted;
};

static double value_of(uint32_t field, const struct counts_row *row)
{
	return field_number(&section_descs[SEC_COUNTS].fields[field], row);
}

/* Unknown last; equal ones by failures, then by name, so that rows do not dance. */
static int by_order(const void *a, const void *b, void *order_of)
{
	const struct counts_row *x = *(const struct counts_row *const *)a,
				*y = *(const struct counts_row *const *)b;
	const struct order *o = order_of;
	double vx = value_of(o->field, x), vy = value_of(o->field, y);
	int r = isnan(vx) || isnan(vy) ? isnan(vx) - isnan(vy) : vx > vy ? -1 : vx < vy;

	if (!r && x->errors != y->errors)
		r = x->errors != U64_UNKNOWN && (y->errors == U64_UNKNOWN || x->errors > y->errors) ? -1 : 1;
	if (!r)
		r = text_cmp(x->key, y->key);
	return o->is_inverted ? -r : r;
}

static void rows_of(const struct pane_input *in, const struct probe_row *p, const struct family_view *v,
		    struct ordered *out)
{
	const struct counts_row *rows = FRAME_ROWS(in->frame, counts, COUNTS);
	struct order o = { columns[v->sort ? (v->sort - 1) % ARRAY_LEN(columns) : 0].field, v->is_inverted };

	out->n = out->left_out = 0;
	for (uint32_t i = 0; i < in->frame->sec[SEC_COUNTS].nrows; i++) {
		if (rows[i].probe_id != p->id)
			continue;
		if (out->n < ROWS_MAX)
			out->rows[out->n++] = &rows[i];
		else
			out->left_out++;
	}
	qsort_r(out->rows, out->n, sizeof(out->rows[0]), by_order, &o);
}

static uint64_t key_of(const struct counts_row *row)
{
	return map_hash(row->key.utf8 ? row->key.utf8 : "", row->key.len) ^
	       (map_hash(row->name.utf8 ? row->name.utf8 : "", row->name.len) << 1) ^ 1;
}

/* The cursor stays on its row while the order changes under it. */
static uint32_t cursor_in(const struct family_view *v, const struct ordered *o)
{
	for (uint32_t i = 0; v->key && i < o->n; i++)
		if (key_of(o->rows[i]) == v->key)
			return i;
	return !v->key || !o->n ? 0 : v->place < o->n ? v->place : o->n - 1;
}

static bool is_any_known(const struct ordered *o, uint32_t field)
{
	for (uint32_t i = 0; i < o->n; i++)
		if (!isnan(value_of(field, o->rows[i])))
			return true;
	return false;
}

static bool has_names(const struct ordered *o)
{
	for (uint32_t i = 0; i < o->n; i++)
		if (o->rows[i]->name.len)
			return true;
	return false;
}

static enum style value_style(uint32_t field, double v)
{
	return field == COUNTS_errors && v > 0 ? STYLE_BAD : STYLE_PLAIN;
}

static void draw_row(struct canvas *c, int row, const struct ordered *o, const struct counts_row *r,
		     int key_cols, bool names, uint32_t sort)
{
	int at = 0;

	if (names)
		at = canvas_field(c, row, 0, 10, false, r ? r->name : TEXT("MAP"),
				  r ? STYLE_PLAIN : STYLE_HEAD) +
		     1;
	canvas_field(c, row, at, key_cols, false, r ? r->key : TEXT("KEY"), r ? STYLE_PLAIN : STYLE_HEAD);
	at += key_cols + 1;
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		const struct counts_column *k = &columns[i];
		if (!is_any_known(o, k->field) || at + k->width > c->cols)
			continue;
		double v = r ? value_of(k->field, r) : 0;
		if (r)
			canvas_number(c, row, at, k->width, section_descs[SEC_COUNTS].fields[k->field].unit,
				      v, value_style(k->field, v));
		else
			canvas_field(c, row, at, k->width, true, k->heading,
				     i == sort ? STYLE_LINK : STYLE_HEAD);
		at += k->width + 1;
	}
}

static void draw(const struct pane_input *in, const struct probe_row *p, const struct family_view *v,
		 struct text arg, struct canvas *c)
{
	struct ordered *o = arena_alloc(c->arena, sizeof(*o));
	uint32_t sort = v->sort ? (v->sort - 1) % (uint32_t)ARRAY_LEN(columns) : 0;

	(void)arg;
	if (!o)
		return;
	rows_of(in, p, v, o);
	if (!o->n) {
		draw_nothing(in, p, SEC_COUNTS, c,
			     TEXT("nothing counted yet: none has happened since it started"));
		return;
	}
	bool names = has_names(o);
	int fixed = names ? 11 : 0, key_cols = 12;
	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		fixed += is_any_known(o, columns[i].field) ? columns[i].width + 1 : 0;
	for (uint32_t i = 0; i < o->n; i++)
		if ((int)o->rows[i]->key.cols > key_cols)
			key_cols = (int)o->rows[i]->key.cols;
	if (key_cols > c->cols - fixed)
		key_cols = c->cols - fixed < 12 ? 12 : c->cols - fixed;
	draw_row(c, 0, o, NULL, key_cols, names, sort);
	struct canvas body = canvas_sub(c, 1, 0, c->rows - 1, c->cols);
	struct list_view list = { cursor_in(v, o) };
	uint32_t top = list_top(&list, o->n, body.rows);
	for (uint32_t i = top; i < o->n && (int)(i - top) < body.rows; i++) {
		draw_row(&body, (int)(i - top), o, o->rows[i], key_cols, names, sort);
		if (i == list.cursor)
			canvas_style(&body, (int)(i - top), 0, body.cols, STYLE_SELECT);
	}
	uint32_t room = body.rows > 0 ? (uint32_t)body.rows : 0;
	draw_more(&body, (o->n - top > room ? o->n - top - room : 0) + o->left_out);
}

static bool sort_act(struct family_view *v, enum action a)
{
	uint32_t n = (uint32_t)ARRAY_LEN(columns), at = v->sort ? (v->sort - 1) % n : 0;

	switch (a) {
	case ACT_SORT_NEXT:
		v->sort = 1 + (at + 1) % n;
		return true;
	case ACT_SORT_PREV:
		v->sort = 1 + (at + n - 1) % n;
		return true;
	case ACT_SORT_CPU:
		v->sort = 1;
		return true;
	case ACT_SORT_TIME:
		v->sort = 4;
		return true;
	case ACT_SORT_INVERT:
		v->is_inverted = !v->is_inverted;
		return true;
	default:
		return false;
	}
}

static enum reply act(const struct pane_input *in, const struct probe_row *p, struct family_view *v,
		      struct text arg, enum action a)
{
	(void)arg;
	if (sort_act(v, a))
		return REPLY_REDRAW;
	struct ordered *o = malloc(sizeof(*o));
	if (!o)
		return REPLY_IGNORED;
	rows_of(in, p, v, o);
	struct list_view list = { cursor_in(v, o) };
	enum reply r = list_act(&list, a, o->n);
	if (r == REPLY_REDRAW && o->n) {
		v->place = list.cursor;
		v->key = key_of(o->rows[list.cursor]);
	}
	free(o);
	return r;
}

const struct counts_row *counts_at(const struct pane_input *in, const struct probe_row *p,
				   const struct family_view *v)
{
	struct ordered *o = malloc(sizeof(*o));

	if (!o)
		return NULL;
	rows_of(in, p, v, o);
	const struct counts_row *row = o->n ? o->rows[cursor_in(v, o)] : NULL;
	free(o);
	return row;
}

const struct family family_counts = { .name = "counts", .sec = SEC_COUNTS, .draw = draw, .act = act };
