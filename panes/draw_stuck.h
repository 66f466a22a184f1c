/* Blocked threads in groups: the same state, the same system call, the same place in the kernel. */
#ifndef PANES_DRAW_STUCK_H
#define PANES_DRAW_STUCK_H

#include "ui/pane.h"

#define STUCK_GROUPS_MAX 512

/** One group; texts are those of its longest waiter. */
struct stuck_group {
	const struct stuck_row *longest; /* by known waiting time */
	struct text call;                /* system call without its arguments; "-" outside one */
	struct text top; /* innermost kernel frame that is not plain scheduling; "-" unknown */
	uint32_t state;
	uint32_t threads;
	uint32_t processes; /* changes of process among the rows, at least 1 */
	uint64_t waited_ns; /* longest; U64_UNKNOWN when none is known */
};

/** All groups of a process (0: of everybody), D first, then larger ones; threads beyond STUCK_GROUPS_MAX
 * groups are counted in *left_out. */
uint32_t stuck_groups(const struct pane_input *in, uint32_t tgid,
		      struct stuck_group groups[static STUCK_GROUPS_MAX], uint32_t *left_out);

/** True when the row belongs to the group. */
bool stuck_is_in(const struct stuck_group *g, const struct stuck_row *row);

#endif
