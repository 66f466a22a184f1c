/* Filter, sort and cursor over an index of rows; nothing is formatted here. */
#include "ui/table_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "ui/filter.h"
#include "ui/table_tree.h"

static uint64_t field_bits(const struct field_desc *d, const void *row)
{
	const char *at = (const char *)row + d->offset;

	switch (d->kind) {
	case KIND_u32: return *(const uint32_t *)at;
	case KIND_text: return map_hash(((const struct text *)at)->utf8, ((const struct text *)at)->len);
	default: return *(const uint64_t *)at;
	}
}

uint64_t table_row_key(const struct table *t, const void *row)
{
	const struct section_desc *d = &section_descs[t->sec];
	uint64_t ids[2] = { field_bits(&d->fields[t->key[0]], row), field_bits(&d->fields[t->key[1]], row) };
	uint64_t key = map_hash(ids, sizeof(ids));

	return key ? key : 1;
}

const void *table_rows_at(const struct table_rows *r, uint32_t place)
{
	if (place >= r->n)
		return NULL;
	return (const char *)r->section->rows + (size_t)r->order[place] * r->desc->row_bytes;
}

uint32_t table_sort_column(const struct table *t, const struct pane_input *in, const struct table_view *v,
			   bool *is_ascending)
{
	uint32_t column = t->sort;

	*is_ascending = t->is_sort_ascending;
	if (v->sort) {
		column = v->sort - 1;
		/* Texts are read from a to z, numbers from the largest. */
		if (column != t->sort && column < t->ncolumns)
			*is_ascending = section_descs[t->sec].fields[t->columns[column].field].kind == KIND_text;
	} else if (t->first_sort) {
		uint32_t field = t->first_sort(in);
		for (uint32_t i = 0; i < t->ncolumns; i++)
			if (t->columns[i].field == field)
				column = i;
	}
	*is_ascending ^= v->is_inverted;
	return column < t->ncolumns ? column : 0;
}

/* One row's place in the sort; ties go by the section's own order, which makes any sort stable. */
struct sort_key {
	double number;
	struct text text;
	uint32_t i_row;
};

struct sort_how {
	bool is_text, is_ascending;
};

static int compare(const void *pa, const void *pb, void *how_)
{
	const struct sort_key *a = pa, *b = pb;
	const struct sort_how *how = how_;
	bool a_unknown = how->is_text ? !a->text.utf8 : isnan(a->number);
	bool b_unknown = how->is_text ? !b->text.utf8 : isnan(b->number);
	int order = 0;

	/* Unknown values go last whatever the direction. */
	if (a_unknown != b_unknown)
		return a_unknown ? 1 : -1;
	if (!a_unknown)
		order = how->is_text ? text_cmp(a->text, b->text) : (a->number > b->number) - (a->number < b->number);
	if (order)
		return how->is_ascending ? order : -order;
	return (a->i_row > b->i_row) - (a->i_row < b->i_row);
}

static void sort_rows(const struct table *t, const struct pane_input *in, const struct table_view *v,
		      struct arena *a, struct table_rows *r)
{
	struct sort_how how;
	uint32_t column = table_sort_column(t, in, v, &how.is_ascending);
	const struct field_desc *d = &r->desc->fields[t->columns[column].field];
	struct sort_key *keys = arena_array(a, r->n, sizeof(*keys));

	if (!keys)
		return;
	how.is_text = d->kind == KIND_text;
	for (uint32_t i = 0; i < r->n; i++) {
		const char *row = table_rows_at(r, i);
		keys[i].i_row = r->order[i];
		if (how.is_text)
			keys[i].text = *(const struct text *)(row + d->offset);
		else
			keys[i].number = field_number(d, row);
	}
	qsort_r(keys, r->n, sizeof(*keys), compare, &how);
	for (uint32_t i = 0; i < r->n; i++)
		r->order[i] = keys[i].i_row;
}

static void choose_rows(const struct table *t, const struct pane_input *in, const void *pane_view,
			const struct table_view *v, struct table_rows *r)
{
	struct filter f;

	filter_init(&f, v->filter, r->desc);
	for (uint32_t i = 0; i < r->section->nrows; i++) {
		const void *row = (const char *)r->section->rows + (size_t)i * r->desc->row_bytes;
		if (t->shows && !t->shows(in, pane_view, row))
			continue;
		if (f.nterms && !filter_passes(&f, r->desc, row))
			continue;
		r->order[r->n++] = i;
	}
	filter_fini(&f);
}

static uint32_t find_cursor(const struct table *t, const struct table_view *v, const struct table_rows *r)
{
	if (!r->n)
		return 0;
	if (v->has_moved && v->cursor_key) {
		/* The row is nearly always where it was, or near. */
		if (v->cursor < r->n && table_row_key(t, table_rows_at(r, v->cursor)) == v->cursor_key)
			return v->cursor;
		for (uint32_t i = 0; i < r->n; i++)
			if (table_row_key(t, table_rows_at(r, i)) == v->cursor_key)
				return i;
	}
	return v->cursor < r->n ? v->cursor : r->n - 1;
}

void table_rows_build(const struct table *t, const struct pane_input *in, const void *pane_view,
		      const struct table_view *v, struct arena *a, struct table_rows *out)
{
	*out = (struct table_rows){ .desc = &section_descs[t->sec], .section = &in->frame->sec[t->sec] };
	if (!out->section->nrows || !t->ncolumns)
		return;
	out->order = arena_array(a, out->section->nrows, sizeof(*out->order));
	if (!out->order)
		return;
	choose_rows(t, in, pane_view, v, out);
	if (!out->n)
		return;
	sort_rows(t, in, v, a, out);
	if (t->is_tree && v->is_tree)
		table_tree_order(t, v, a, out);
	out->cursor = find_cursor(t, v, out);
}

bool table_is_folded(const struct table_view *v, uint64_t key)
{
	for (uint32_t i = 0; i < v->folded.n; i++)
		if (v->folded.keys[i] == key)
			return true;
	return false;
}

uint32_t table_top(const struct table_view *v, const struct table_rows *r, uint32_t page)
{
	uint32_t top = v->top;

	if (!page || r->n <= page)
		return 0;
	if (top > r->n - page)
		top = r->n - page;
	if (r->cursor < top)
		return r->cursor;
	return r->cursor >= top + page ? r->cursor - page + 1 : top;
}
