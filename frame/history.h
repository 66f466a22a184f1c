/* The last ten minutes as references to frames, in bounded memory. */
#ifndef FRAME_HISTORY_H
#define FRAME_HISTORY_H

#include "frame/frame.h"

/** Frames of a busy host are large: past this the older half is thinned rather than the span cut short. */
#define HISTORY_BYTES_MAX ((size_t)128 << 20)

/** A ring of frames, oldest first; each slot holds a reference. */
struct history {
	struct frame **ring;
	uint32_t cap, first, len;
	size_t bytes;     /* held by all frames */
	size_t bytes_max; /* HISTORY_BYTES_MAX unless changed after history_init() */
	uint64_t thinned; /* frames given up to stay below it */
};

/** Room for cap frames (600 is ten minutes at 1 Hz); -ENOMEM when there is no memory. */
int history_init(struct history *h, uint32_t cap);

/** Append a frame, taking a reference; the oldest is dropped when full, every second old one when too large. */
void history_push(struct history *h, const struct frame *f);

/** Frame by age: 0 is the newest. NULL past the end. Borrowed. */
const struct frame *history_at(const struct history *h, uint32_t age);

/** Age of the newest frame that is at or before mono_ns; len - 1 when all are younger. */
uint32_t history_find(const struct history *h, uint64_t mono_ns);

/** Drop all references. */
void history_fini(struct history *h);

#endif
