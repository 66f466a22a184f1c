/* What the rules about latency histograms share. */
#ifndef TRIAGE_HIST_JUDGE_H
#define TRIAGE_HIST_JUDGE_H

#include "triage/judge.h"

/** The slow end of a tool's histogram in one frame. */
struct hist_tail {
	const struct probe_row *probe;
	const struct hist_row *slot; /* where the slowest share begins; NULL: too few values to say */
	uint64_t values;             /* in this frame */
	uint64_t beyond;             /* of them, in that slot and above */
};

/** The slot that holds the given share (0-1) of the frame's values of the running tool. False: not running,
 * or too few. */
bool hist_tail_of(const struct frame *f, const char *tool, double share, uint64_t min_values,
		  struct hist_tail *t);

#endif
