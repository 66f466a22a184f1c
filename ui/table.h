/* Rows of one frame section as a table: sorted, filtered, searched, folded by the core. */
#ifndef UI_TABLE_H
#define UI_TABLE_H

#include "ui/pane.h"

/** One column over a schema field. */
struct column {
	struct text heading;
	uint32_t field;        /* index such as TASK_cpu_pct */
	uint8_t width;         /* columns; 0: all that is left (one per table, normally the last) */
	uint8_t min_screen;    /* hidden when the screen is narrower than 10 * this; 0: always shown */
	double warn, bad;      /* numbers at or above get the style; 0: none */
	/** Replaces the field's own text; NULL: by kind and unit. Sorting still uses the field. */
	struct text (*cell)(const struct pane_input *in, const void *row, struct arena *a);
};

/** A table: a section, its columns and who a row is. */
struct table {
	enum frame_sec sec;
	const struct column *columns;
	uint32_t ncolumns;
	uint32_t sort;          /* index of the column sorted at first */
	bool is_sort_ascending; /* at first; numbers usually start descending */
	uint32_t key[2];        /* fields that identify a row across frames; equal when one suffices */
	bool is_tree;           /* rows can be folded as a tree */
	uint32_t tree_id, tree_parent; /* fields, u32 */
	/** Whether a row belongs on screen at all; NULL: every row. */
	bool (*shows)(const struct pane_input *in, const void *view, const void *row);
	/** Style of a whole row; NULL: plain. */
	enum style (*style)(const struct pane_input *in, const void *row);
	/** Field of the column sorted at first, chosen by the input (glance sorts by the resource in trouble); NULL: sort. */
	uint32_t (*first_sort)(const struct pane_input *in);
};

#define TABLE_FILTER_BYTES 96

/** State of a table on screen; zeroed starts at the top with the table's own sort. */
struct table_view {
	uint64_t cursor_key;    /* identity of the row under the cursor; 0: the first row */
	uint32_t cursor;        /* its place, used when the row is gone */
	uint32_t top;
	uint32_t sort;          /* column + 1; 0: the table's own */
	bool is_inverted;
	bool is_tree;
	bool has_moved;         /* the user has moved: stay on the row, not on the place */
	char filter[TABLE_FILTER_BYTES];
	char search[TABLE_FILTER_BYTES];
	struct { uint64_t keys[64]; uint32_t n; } folded;
};

/** Draw headings and rows into the window. Pure. */
void table_draw(const struct table *t, const struct pane_input *in, const void *pane_view,
		const struct table_view *v, struct canvas *c);

/** Apply a movement, sort, fold or search action; page is the number of visible rows. */
enum reply table_act(const struct table *t, const struct pane_input *in, const void *pane_view,
		     struct table_view *v, enum action a, int page);

/** The row under the cursor, or NULL when the table is empty. */
const void *table_row(const struct table *t, const struct pane_input *in, const void *pane_view,
		      const struct table_view *v);

/** Rows after filter and shows(). */
uint32_t table_count(const struct table *t, const struct pane_input *in, const void *pane_view,
		     const struct table_view *v);

#endif
