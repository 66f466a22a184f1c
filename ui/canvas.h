/* A grid of cells that panes draw on; it knows no terminal. */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdio.h>

#include "base/fmt.h"
#include "base/text.h"

/** What a cell means; themes map these to colours and attributes. */
enum style { STYLE_PLAIN, STYLE_HEAD, STYLE_DIM, STYLE_GOOD, STYLE_WARN, STYLE_BAD, STYLE_SELECT, STYLE_LINK, STYLE_COUNT };

/** One cell: a glyph of up to 12 bytes; a wide glyph's second cell has len 0. */
struct cell {
	char utf8[12];
	uint8_t len;
	uint8_t style;
};

/** A grid, or a window into one (see canvas_sub). */
struct canvas {
	int rows, cols;        /* size of this window */
	struct cell *cells;    /* top-left cell of this window */
	int stride;            /* cells per row of the grid */
	struct arena *arena;   /* for texts made while drawing; lives until the next draw */
	bool is_ascii;         /* no glyphs outside ASCII: bars and sparks use # . : | */
};

/** A blank grid; NULL when memory is used up. */
struct canvas *canvas_new(int rows, int cols);
/** Free; accepts NULL. */
void canvas_free(struct canvas *c);
/** Blank all cells and reset the arena. */
void canvas_clear(struct canvas *c);

/** Blank the cells of a window; texts made while drawing stay. */
void canvas_blank(struct canvas *c);

/** A window into c, clipped to it; shares cells and arena. May be of zero size: drawing on it does nothing. */
struct canvas canvas_sub(const struct canvas *c, int row, int col, int rows, int cols);

/** Put text at a place, clipped to the window; returns the column after it. */
int canvas_put(struct canvas *c, int row, int col, struct text t, enum style s);

/** Put text in a field of width columns, right- or left-aligned, cut with ~ when too long. */
int canvas_field(struct canvas *c, int row, int col, int width, bool is_right, struct text t, enum style s);

/** Put a number in a field of width columns, right-aligned; "-" when unknown. */
int canvas_number(struct canvas *c, int row, int col, int width, enum unit u, double value, enum style s);

/** A bar of width cells filled to pct of 100; unknown (NaN) draws "?" cells dimmed. */
int canvas_bar(struct canvas *c, int row, int col, int width, double pct, enum style s);

/** n values as one row of sparks of max height; NaN draws a blank. */
int canvas_spark(struct canvas *c, int row, int col, const double *values, int n, double max, enum style s);

/** Restyle a stretch of cells, for selection. */
void canvas_style(struct canvas *c, int row, int col, int width, enum style s);

/** Print the cells as text, trailing blanks cut; with_styles adds the grid of style letters (.hdgwbsl). */
void canvas_dump(const struct canvas *c, FILE *out, bool with_styles);

#endif
