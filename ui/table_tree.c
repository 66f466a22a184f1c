#include "ui/table_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define NONE UINT32_MAX

/* Places are positions in the sorted list that the tree is made from. */
struct forest {
	uint32_t *first, *next; /* first child and next sibling of a place */
	uint32_t *stack;        /* places whose subtree is still to be walked */
	uint16_t *depth;
	bool *is_done;
};

static uint32_t id_of(const struct table_rows *r, uint32_t field, uint32_t place)
{
	const char *row = table_rows_at(r, place);

	return *(const uint32_t *)(row + r->desc->fields[field].offset);
}

static bool forest_alloc(struct forest *f, struct arena *a, uint32_t n)
{
	f->first = arena_array(a, n, sizeof(*f->first));
	f->next = arena_array(a, n, sizeof(*f->next));
	f->stack = arena_array(a, n, sizeof(*f->stack));
	f->depth = arena_array(a, n, sizeof(*f->depth));
	f->is_done = arena_array(a, n, sizeof(*f->is_done));
	return f->first && f->next && f->stack && f->depth && f->is_done;
}

/* Link every place to its parent, last first, so that lists of siblings come out in sort order. */
static bool forest_link(struct forest *f, const struct table *t, const struct table_rows *r, bool *is_root)
{
	struct map by_id = { 0 };
	bool is_linked = true;

	memset(f->first, 0xff, r->n * sizeof(*f->first));
	memset(f->next, 0xff, r->n * sizeof(*f->next));
	for (uint32_t i = 0; i < r->n && is_linked; i++)
		is_linked = map_put(&by_id, id_of(r, t->tree_id, i), i);
	for (uint32_t i = r->n; i-- > 0 && is_linked;) {
		uint64_t *parent = map_get(&by_id, id_of(r, t->tree_parent, i));
		is_root[i] = !parent || *parent == i;
		if (is_root[i])
			continue;
		f->next[i] = f->first[*parent];
		f->first[*parent] = i;
	}
	map_fini(&by_id);
	return is_linked;
}

/* Emit a place and what is under it. Rows under a fold count as done but are not emitted. */
static void forest_walk(struct forest *f, const struct table *t, const struct table_view *v,
			const struct table_rows *from, struct table_rows *to, uint32_t root)
{
	uint32_t n = 0, hidden_below = NONE;

	f->stack[n++] = root;
	f->is_done[root] = true;
	while (n) {
		uint32_t place = f->stack[--n];
		uint16_t depth = f->depth[place];
		if (hidden_below != NONE && depth <= hidden_below)
			hidden_below = NONE;
		if (hidden_below == NONE) {
			to->order[to->n] = from->order[place];
			to->depth[to->n] = depth;
			to->has_children[to->n++] = f->first[place] != NONE;
			if (table_is_folded(v, table_row_key(t, table_rows_at(from, place))))
				hidden_below = depth;
		}
		uint32_t base = n;
		for (uint32_t c = f->first[place]; c != NONE; c = f->next[c]) {
			if (f->is_done[c])
				continue;
			f->is_done[c] = true;
			f->depth[c] = (uint16_t)(depth < UINT16_MAX ? depth + 1 : depth);
			f->stack[n++] = c;
		}
		for (uint32_t i = base, j = n; i + 1 < j; i++) { /* the first sibling is popped first */
			uint32_t swap = f->stack[--j];
			f->stack[j] = f->stack[i];
			f->stack[i] = swap;
		}
	}
}

void table_tree_order(const struct table *t, const struct table_view *v, struct arena *a, struct table_rows *r)
{
	struct table_rows to = *r;
	struct forest f;
	bool *is_root = arena_array(a, r->n, sizeof(*is_root));

	to.n = 0;
	to.order = arena_array(a, r->n, sizeof(*to.order));
	to.depth = arena_array(a, r->n, sizeof(*to.depth));
	to.has_children = arena_array(a, r->n, sizeof(*to.has_children));
	if (!is_root || !to.order || !to.depth || !to.has_children || !forest_alloc(&f, a, r->n) ||
	    !forest_link(&f, t, r, is_root))
		return;
	for (uint32_t i = 0; i < r->n; i++)
		if (is_root[i])
			forest_walk(&f, t, v, r, &to, i);
	for (uint32_t i = 0; i < r->n; i++) /* parents in a circle have no root */
		if (!f.is_done[i])
			forest_walk(&f, t, v, r, &to, i);
	*r = to;
}
