/* What panes share: labelled numbers, history sparks, reasons, lists with a cursor. */
#ifndef PANES_DRAW_BITS_H
#define PANES_DRAW_BITS_H

#include "ui/pane.h"

/** A labelled number, or a word in its place; at or above bad it also gets a "!" for screens without colour.
 */
struct item {
	struct text label;
	enum unit unit;
	double value;     /* NaN: shown as "-" */
	double warn, bad; /* 0: none */
	struct text word; /* shown instead of the number when known */
};

/** Style of a value against two thresholds; 0 means no threshold, NaN is dim. */
enum style style_of(double value, double warn, double bad);

/** A number at its natural width with its per-second suffix; lives in the arena. */
struct text number_text(struct arena *a, enum unit u, double value);

/** Items from left to right while they fit whole into width columns; returns the column after. */
int draw_items(struct canvas *c, int row, int col, int width, const struct item *items, uint32_t n);

/** Formatted text at a place; returns the column after it. */
PRINTF_LIKE(5, 6)
int draw_textf(struct canvas *c, int row, int col, enum style s, const char *fmt, ...);

/** Why a section is not there or not whole, on one row; returns the rows used (0 when it is OK). */
int draw_reason(const struct pane_input *in, struct canvas *c, int row, int col, enum frame_sec sec);

/** Text over at most that many rows, broken at blanks, the last one cut with "~"; returns the rows used. */
int draw_wrapped(struct canvas *c, int row, int col, int rows, struct text t, enum style s);

/** draw_reason() over several rows, so that the fix at its end is read too. */
int draw_reason_wrapped(const struct pane_input *in, struct canvas *c, int row, int rows, enum frame_sec sec);

#define SERIES_SAMPLES 60 /* frames that a spark reaches back */

/**
 * Values of one field of a row over the last SERIES_SAMPLES frames, the largest of each
 * group when n is smaller, oldest first; NaN where the row was not there. The row is found
 * by its identity.
 */
void series_of(const struct pane_input *in, enum frame_sec sec, const void *row, uint32_t field,
	       double *values, int n);

/** Time between the oldest frame that sparks reach and the frame on screen; 0 without a past. */
uint64_t series_span_ns(const struct pane_input *in);

/** A spark of that series, width columns wide, against max (0: its own largest). */
void draw_history(const struct pane_input *in, struct canvas *c, int row, int col, int width,
		  enum frame_sec sec, const void *row_of, uint32_t field, double max, enum style s);

/** A labelled spark with its span and its present value on one row, over the whole width. */
void draw_history_line(const struct pane_input *in, struct canvas *c, int row, struct text label,
		       enum frame_sec sec, const void *row_of, uint32_t field, double max);

/** One cell of a heat map: its height says how near to 100 percent; "?" when unknown. */
struct text draw_heat(const struct canvas *c, double pct);

/** A cursor in a list that a pane draws itself; zeroed is the first row. */
struct list_view {
	uint32_t cursor;
};

/** Apply a movement to a list of n rows. */
enum reply list_act(struct list_view *v, enum action a, uint32_t n);

/** The cursor, never past the end of n rows. */
uint32_t list_at(const struct list_view *v, uint32_t n);

/** First row to draw so that the cursor is visible among `rows` rows. */
uint32_t list_top(const struct list_view *v, uint32_t n, int rows);

/** "12 more below" at the end of a list that is cut, in the last row of the window. */
void draw_more(struct canvas *c, uint32_t hidden);

#endif
