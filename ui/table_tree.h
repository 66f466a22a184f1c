/* Rows as a forest: children under their parents, siblings in sort order. */
#ifndef UI_TABLE_TREE_H
#define UI_TABLE_TREE_H

#include "ui/table_rows.h"

/** Reorder r depth first and drop what lies under folded rows; on lack of memory r stays a list. */
void table_tree_order(const struct table *t, const struct table_view *v, struct arena *a, struct table_rows *r);

#endif
