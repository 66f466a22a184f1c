/* The ordered list of steps taken, with their evidence: the incident report in the making. */
#ifndef FRAME_TRAIL_H
#define FRAME_TRAIL_H

#include "base/vec.h"
#include "frame/scope.h"

/** One entry: a descent, an ascent, a probe started, a note or a mark. */
struct trail_entry {
	uint64_t wall_ns;
	struct text_buf kind;  /* "descend", "ascend", "probe", "note", "snapshot" */
	uint32_t rung;
	struct text_buf pane;
	struct text_buf scope;
	struct text_buf evidence;
};

struct trail {
	VEC(struct trail_entry) entries;
};

/** Append a step; false when memory is used up. */
bool trail_add(struct trail *t, uint64_t wall_ns, const char *kind, const struct step *s);

/** Free the memory; empty and usable after. */
void trail_fini(struct trail *t);

#endif
