/* Which rows of a table are on screen and in what order; shared by its drawing and its keys. */
#ifndef UI_TABLE_ROWS_H
#define UI_TABLE_ROWS_H

#include "ui/table.h"

/** An ordered choice of rows; arrays live in the arena given to table_rows_build(). */
struct table_rows {
	const struct section_desc *desc;
	const struct section *section;
	uint32_t *order;   /* row indexes, top to bottom */
	uint16_t *depth;   /* of each place in the tree; NULL in a list */
	bool *has_children; /* of each place; NULL in a list */
	uint32_t n;
	uint32_t cursor;   /* place under the cursor; 0 when empty */
};

/** Choose and order; on lack of memory the rows stay in the section's order, or none are chosen. */
void table_rows_build(const struct table *t, const struct pane_input *in, const void *pane_view,
		      const struct table_view *v, struct arena *a, struct table_rows *out);

/** Row at a place. */
const void *table_rows_at(const struct table_rows *r, uint32_t place);

/** Identity of a row across frames; never 0. */
uint64_t table_row_key(const struct table *t, const void *row);

/** The column that orders the rows and whether it ascends. */
uint32_t table_sort_column(const struct table *t, const struct pane_input *in, const struct table_view *v, bool *is_ascending);

/** Whether the user has folded this row. */
bool table_is_folded(const struct table_view *v, uint64_t key);

/** First place on screen when page rows fit, so that the cursor is seen. */
uint32_t table_top(const struct table_view *v, const struct table_rows *r, uint32_t page);

#endif
