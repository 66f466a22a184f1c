/* What the calling thread and all of rung spend, collectors or not. */
#ifndef COLLECTORS_PROCESS_COST_H
#define COLLECTORS_PROCESS_COST_H

#include "frame/builder.h"

/** CPU clocks as of the frame before. Zeroed before the first. */
struct process_cost {
	uint64_t mono_ns, thread_ns, process_ns;
};

/** Add the COST rows "sampler" (this thread) and "rung" (every thread). */
void process_cost_rows(struct process_cost *p, struct frame_builder *b);

#endif
