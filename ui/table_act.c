/* Keys of a table: the cursor, the order, the folds, the search. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/filter.h"
#include "ui/table_rows.h"

struct table_act {
	const struct table *t;
	const struct pane_input *in;
	struct table_view *v;
	struct table_rows *rows;
	uint32_t page;
};

static enum reply move_to(struct table_act *ta, int64_t place)
{
	int64_t last = ta->rows->n ? (int64_t)ta->rows->n - 1 : 0;
	uint32_t to = (uint32_t)(place < 0 ? 0 : place > last ? last : place);
	const void *row = table_rows_at(ta->rows, to);

	ta->v->top = table_top(ta->v, ta->rows, ta->page);
	ta->v->cursor = ta->rows->cursor = to;
	ta->v->cursor_key = row ? table_row_key(ta->t, row) : 0;
	ta->v->has_moved = row != NULL;
	ta->v->top = table_top(ta->v, ta->rows, ta->page);
	return REPLY_REDRAW;
}

static enum reply act_move(struct table_act *ta, enum action a)
{
	int64_t at = ta->rows->cursor, page = ta->page ? ta->page : 1, half = page > 1 ? page / 2 : 1;

	switch (a) {
	case ACT_UP: return move_to(ta, at - 1);
	case ACT_DOWN: return move_to(ta, at + 1);
	case ACT_PAGE_UP: return move_to(ta, at - page);
	case ACT_PAGE_DOWN: return move_to(ta, at + page);
	case ACT_HALF_UP: return move_to(ta, at - half);
	case ACT_HALF_DOWN: return move_to(ta, at + half);
	case ACT_TOP: return move_to(ta, 0);
	case ACT_BOTTOM: return move_to(ta, ta->rows->n);
	case ACT_FOLLOW: return move_to(ta, at);
	default: return REPLY_IGNORED;
	}
}

/* Move the sort to another column; the row under the cursor keeps it only if the user had moved. */
static enum reply sort_by(struct table_act *ta, uint32_t column)
{
	ta->v->sort = column + 1;
	ta->v->is_inverted = false;
	return REPLY_REDRAW;
}

static enum reply sort_by_name(struct table_act *ta, const char *const *names)
{
	const struct section_desc *d = &section_descs[ta->t->sec];

	for (; *names; names++)
		for (uint32_t i = 0; i < ta->t->ncolumns; i++)
			if (!strcmp(d->fields[ta->t->columns[i].field].name, *names))
				return sort_by(ta, i);
	return REPLY_IGNORED;
}

static enum reply act_sort(struct table_act *ta, enum action a)
{
	static const char *const cpu[] = { "cpu_pct", "self_pct", "busy_pct", NULL };
	static const char *const memory[] = { "rss_bytes", "memory_bytes", "used_bytes", NULL };
	static const char *const time[] = { "cpu_ns_total", "total_ns", "waited_ns", "latency_ns", "self_ns_total", NULL };
	bool is_ascending;
	uint32_t column = table_sort_column(ta->t, ta->in, ta->v, &is_ascending), n = ta->t->ncolumns;

	switch (a) {
	case ACT_SORT_CPU: return sort_by_name(ta, cpu);
	case ACT_SORT_MEMORY: return sort_by_name(ta, memory);
	case ACT_SORT_TIME: return sort_by_name(ta, time);
	case ACT_SORT_NEXT: return sort_by(ta, (column + 1) % n);
	case ACT_SORT_PREV: return sort_by(ta, (column + n - 1) % n);
	case ACT_SORT_INVERT: ta->v->is_inverted = !ta->v->is_inverted; return REPLY_REDRAW;
	default: return REPLY_IGNORED;
	}
}

static enum reply fold(struct table_act *ta)
{
	uint64_t key = table_row_key(ta->t, table_rows_at(ta->rows, ta->rows->cursor));

	if (!ta->rows->has_children[ta->rows->cursor] || table_is_folded(ta->v, key) ||
	    ta->v->folded.n == ARRAY_LEN(ta->v->folded.keys))
		return REPLY_IGNORED;
	ta->v->folded.keys[ta->v->folded.n++] = key;
	return REPLY_REDRAW;
}

static enum reply unfold(struct table_act *ta)
{
	uint64_t key = table_row_key(ta->t, table_rows_at(ta->rows, ta->rows->cursor));

	for (uint32_t i = 0; i < ta->v->folded.n; i++) {
		if (ta->v->folded.keys[i] != key)
			continue;
		ta->v->folded.keys[i] = ta->v->folded.keys[--ta->v->folded.n];
		return REPLY_REDRAW;
	}
	return REPLY_IGNORED;
}

static enum reply act_tree(struct table_act *ta, enum action a)
{
	if (!ta->t->is_tree)
		return REPLY_IGNORED;
	if (a == ACT_TREE) {
		ta->v->is_tree = !ta->v->is_tree;
		return REPLY_REDRAW;
	}
	if (!ta->rows->depth)
		return REPLY_IGNORED;
	switch (a) {
	case ACT_EXPAND:
	case ACT_RIGHT: return unfold(ta);
	case ACT_COLLAPSE:
	case ACT_LEFT: return fold(ta);
	case ACT_EXPAND_ALL: ta->v->folded.n = 0; return REPLY_REDRAW;
	default: return REPLY_IGNORED;
	}
}

/* The search has the filter's grammar; it moves the cursor and wraps. */
static enum reply act_search(struct table_act *ta, enum action a)
{
	struct filter f;
	uint32_t n = ta->rows->n, step = a == ACT_SEARCH_PREV ? n - 1 : 1;
	enum reply reply = REPLY_IGNORED;

	if (!ta->v->search[0])
		return REPLY_IGNORED;
	filter_init(&f, ta->v->search, ta->rows->desc);
	/* A search as it is typed (ACT_SEARCH) may stay on the row it has. */
	uint32_t at = a == ACT_SEARCH ? ta->rows->cursor : (ta->rows->cursor + step) % n;
	for (uint32_t i = 0; i < n; i++, at = (at + step) % n) {
		if (!filter_passes(&f, ta->rows->desc, table_rows_at(ta->rows, at)))
			continue;
		reply = move_to(ta, at);
		break;
	}
	filter_fini(&f);
	return reply;
}

/* Only the user of the row under the cursor, by way of the filter; again: everybody. */
static enum reply act_user(struct table_act *ta)
{
	int field = field_by_name(ta->rows->desc, "uid");
	const void *row = table_rows_at(ta->rows, ta->rows->cursor);

	if (field < 0 || !field_known(&ta->rows->desc->fields[field], row))
		return REPLY_IGNORED;
	if (!strncmp(ta->v->filter, "uid=", 4))
		ta->v->filter[0] = 0;
	else
		snprintf(ta->v->filter, sizeof(ta->v->filter), "uid=%.0f", field_number(&ta->rows->desc->fields[field], row));
	return REPLY_REDRAW;
}

static enum reply act(struct table_act *ta, enum action a)
{
	enum reply reply = act_sort(ta, a);

	if (reply == REPLY_IGNORED && a == ACT_TREE)
		reply = act_tree(ta, a);
	if (reply != REPLY_IGNORED || !ta->rows->n)
		return reply;
	reply = act_move(ta, a);
	if (reply == REPLY_IGNORED)
		reply = act_tree(ta, a);
	if (reply == REPLY_IGNORED && a == ACT_USER)
		reply = act_user(ta);
	if (reply == REPLY_IGNORED && (a == ACT_SEARCH || a == ACT_SEARCH_NEXT || a == ACT_SEARCH_PREV))
		reply = act_search(ta, a);
	return reply;
}

enum reply table_act(const struct table *t, const struct pane_input *in, const void *pane_view,
		     struct table_view *v, enum action a, int page)
{
	struct arena arena = { 0 };
	struct table_rows rows;
	struct table_act ta = { t, in, v, &rows, page > 0 ? (uint32_t)page : 0 };

	if (!t->ncolumns)
		return REPLY_IGNORED;
	table_rows_build(t, in, pane_view, v, &arena, &rows);
	/* Remember where the row is now, should it be gone in the next frame. */
	if (v->has_moved && rows.n)
		v->cursor = rows.cursor;
	enum reply reply = act(&ta, a);
	arena_fini(&arena);
	return reply;
}

const void *table_row(const struct table *t, const struct pane_input *in, const void *pane_view,
		      const struct table_view *v)
{
	struct arena arena = { 0 };
	struct table_rows rows;

	table_rows_build(t, in, pane_view, v, &arena, &rows);
	const void *row = table_rows_at(&rows, rows.cursor);
	arena_fini(&arena);
	return row;
}

uint32_t table_count(const struct table *t, const struct pane_input *in, const void *pane_view,
		     const struct table_view *v)
{
	struct arena arena = { 0 };
	struct table_rows rows;

	table_rows_build(t, in, pane_view, v, &arena, &rows);
	arena_fini(&arena);
	return rows.n;
}
