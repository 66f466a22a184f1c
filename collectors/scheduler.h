/* Owns the collectors and makes frames of what they sample; has no thread and no clock of its
 * own. */
#ifndef COLLECTORS_SCHEDULER_H
#define COLLECTORS_SCHEDULER_H

#include "collectors/collector.h"

struct scheduler;

struct scheduler_options {
	const struct collector *const *collectors; /* outlive the scheduler */
	size_t ncollectors;
	const struct collector_env *env; /* copied, with the focus; its fds outlive the scheduler */
	uint64_t period_ns;              /* of frames */
};

/** Stop every collector and free; accepts NULL. */
void scheduler_free(struct scheduler *s);

/** A scheduler with all collectors closed; NULL with words on failure. */
struct scheduler *scheduler_new(const struct scheduler_options *o, struct err *e) MUST_CHECK;

/** The next frame, with a reference for the caller: what is due is sampled, the rest carried.
 * NULL: no memory. */
struct frame *scheduler_frame(struct scheduler *s, uint64_t mono_ns, uint64_t wall_ns);

/** Open one needed collector that is slow to start; false when none is waiting. Call it between
 * frames. */
bool scheduler_open_slow(struct scheduler *s, uint64_t mono_ns);

/** How soon after the frame before another is worth making ahead of the period; UINT64_MAX: not
 * ahead. */
uint64_t scheduler_hurry_ns(const struct scheduler *s);

/** Take a request: focus and sample-now here, probes by the collector that knows them. -errno
 * with words. */
int scheduler_ask(struct scheduler *s, const struct request *r, uint64_t mono_ns, struct err *e);

#endif
