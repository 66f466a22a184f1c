/* Counters that only grow, except when they wrap or their device is replaced. */
#ifndef COLLECTORS_PROC_COUNTER_H
#define COLLECTORS_PROC_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Growth from before to now, also across a wrap at 2^32 or 2^64; U64_UNKNOWN when either is or
 * after a reset. */
uint64_t counter_delta(uint64_t before, uint64_t now);

/** Growth, 0 when the counter went backwards; U64_UNKNOWN when either is unknown. */
uint64_t counter_delta_clamped(uint64_t before, uint64_t now);

/** A growth per second of real time; NaN when it is unknown or time stood still. */
double counter_per_s(uint64_t delta, uint64_t elapsed_ns);

/** Where a counter lies in a row and where its rate goes (both as offsets), and what one count
 * is worth. */
struct counter_field {
	size_t total, rate;
	double scale;
};

/** Fill the rates of a row from the row before; without one (NULL) they stay unknown. */
void counter_rates(const struct counter_field *fields, size_t n, const void *before, void *now,
		   uint64_t elapsed_ns);

/** True when some counter was reset: the name now belongs to another or a restarted device. */
bool counter_was_reset(const struct counter_field *fields, size_t n, const void *before,
		       const void *now);

#endif
