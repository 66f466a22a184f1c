/* The contract of a screen: a const record, a pure draw, and where each row leads. */
#ifndef UI_PANE_H
#define UI_PANE_H

#include "frame/finding.h"
#include "frame/frame.h"
#include "frame/history.h"
#include "frame/scope.h"
#include "frame/trail.h"
#include "ui/action.h"
#include "ui/canvas.h"

struct table;
struct keymap;
struct tool_desc;

/** What a pane may look at while it draws or acts. Everything is borrowed and const. */
struct pane_input {
	const struct frame *frame;       /* the frame on screen; never NULL while a pane draws */
	const struct history *history;   /* frames up to the newest; see age */
	uint32_t age;                    /* of the frame on screen in the history */
	const struct findings *findings; /* of the frame on screen */
	const struct trail *trail;
	const struct step *step;         /* how this pane was reached: scope, tool, arg */
	const struct keymap *keys;
	const struct pane *prev_pane;    /* pane beneath, for the help screen; NULL at the root */
	const struct tool_desc *tools;   /* the rung 4 catalogue */
	uint32_t ntools;
};

/** A targeted tool as the catalogue shows it; main makes the list from the probe registry. */
struct tool_desc {
	const char *name;
	struct text answers;  /* the question */
	const char *family;
	uint32_t scopes;      /* bit per enum scope_kind it accepts */
};

enum reply { REPLY_IGNORED, REPLY_REDRAW };

/** One screen. Its view state is plain zeroed memory that the core owns; nothing to free. */
struct pane {
	const char *name;        /* keymap context, step.pane, golden-test folder */
	struct text title;       /* in the ladder line */
	uint32_t rung;           /* 1-5; 0 for help, overhead and trail */
	uint64_t needs;          /* SEC_BIT()s; the core draws the reason for each that is missing */
	uint64_t wants;          /* sections used when there */
	size_t view_size;        /* of the pane's own state */
	const struct table *table; /* set: the core draws, sorts, filters, scrolls; draw may then be a header above it */
	/** Rows that draw() uses above the table in a window of that size; NULL: 0. */
	int (*header_rows)(const struct pane_input *in, const void *view, int rows, int cols);
	void (*draw)(const struct pane_input *in, const void *view, struct canvas *c);
	/** Asked before the table; REPLY_IGNORED passes the action on to it, then to the console. */
	enum reply (*act)(const struct pane_input *in, void *view, enum action a);
	/** Where Enter leads from the row under the cursor (row is the table's, else NULL); false: nowhere. */
	bool (*descend)(const struct pane_input *in, const void *view, const void *row, struct step *out);
};

/** All panes, made by the build from panes/<name>.c holding `const struct pane pane_<name>`. */
extern const struct pane *const pane_registry[];
extern const size_t pane_registry_len;

#endif
