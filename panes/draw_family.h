/* The four ways to show what a probe found; shared by ready-made tools and bespoke programs. */
#ifndef PANES_DRAW_FAMILY_H
#define PANES_DRAW_FAMILY_H

#include "panes/draw_bits.h"

/** View state of one probe's result; zeroed is a valid start. */
struct family_view {
	uint64_t key;   /* identity of the row under the cursor; 0: the first */
	uint32_t place; /* its place; in a stream: rows back from the newest */
	uint32_t sort;  /* column of counts + 1; 0: the family's own */
	bool is_inverted;
};

/** One family: how its rows are drawn and moved in. */
struct family {
	const char *name;   /* as PROBE rows carry it */
	enum frame_sec sec; /* of its rows, which all start with probe_id */
	/** Draw into the whole window. arg: only rows of that name when it is not empty. */
	void (*draw)(const struct pane_input *in, const struct probe_row *p, const struct family_view *v,
		     struct text arg, struct canvas *c);
	/** Move, sort. */
	enum reply (*act)(const struct pane_input *in, const struct probe_row *p, struct family_view *v,
			  struct text arg, enum action a);
};

#define FAMILIES 4
extern const struct family family_hist, family_counts, family_events, family_stacks;

/** The family of a probe; a stream when arg asks for single calls; NULL for a name that is not known. */
const struct family *family_of(const struct probe_row *p, struct text arg);

/** The families in which the probe has results, at most FAMILIES; a program may fill several kinds of maps.
 */
uint32_t families_of(const struct pane_input *in, const struct probe_row *p,
		     const struct family *out[static FAMILIES]);

/** The running probe of that tool and scope, else the latest that stopped; NULL when there is none. */
const struct probe_row *probe_of(const struct frame *f, const char *tool, struct text scope);

/** The probe of that number, or NULL. */
const struct probe_row *probe_by_id(const struct frame *f, uint32_t id);

/** What the probe costs, on one row; and its reason on a second when it does not run. Returns rows used. */
int draw_cost(const struct probe_row *p, struct canvas *c, int row);

/** Why there is no result: the section's reason, or the words while the probe runs. */
void draw_nothing(const struct pane_input *in, const struct probe_row *p, enum frame_sec sec,
		  struct canvas *c, struct text words);

/** The unit of a probe's values. */
enum unit probe_unit(const struct probe_row *p);

/** The row of counts under the cursor, or NULL. */
const struct counts_row *counts_at(const struct pane_input *in, const struct probe_row *p,
				   const struct family_view *v);

#endif
