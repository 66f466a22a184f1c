#include "collectors/proc/counter.h"

#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"

/* A wrap is believed only when the growth is small against the range, else it was a reset. */
#define WRAP_MAX (UINT64_C(1) << 30)

uint64_t counter_delta(uint64_t before, uint64_t now)
{
	uint64_t delta;

	if (before == U64_UNKNOWN || now == U64_UNKNOWN)
		return U64_UNKNOWN;
	if (now >= before)
		return now - before;
	delta = before <= UINT32_MAX ? (uint32_t)((uint32_t)now - (uint32_t)before) : now - before;
	return delta < WRAP_MAX ? delta : U64_UNKNOWN;
}

uint64_t counter_delta_clamped(uint64_t before, uint64_t now)
{
	if (before == U64_UNKNOWN || now == U64_UNKNOWN)
		return U64_UNKNOWN;
	return now > before ? now - before : 0;
}

double counter_per_s(uint64_t delta, uint64_t elapsed_ns)
{
	if (delta == U64_UNKNOWN || !elapsed_ns)
		return F64_UNKNOWN;
	return (double)delta * (double)NS_PER_S / (double)elapsed_ns;
}

static uint64_t field_at(const void *row, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)row + offset, sizeof(value));
	return value;
}

void counter_rates(const struct counter_field *fields, size_t n, const void *before, void *now,
		   uint64_t elapsed_ns)
{
	for (size_t i = 0; before && i < n; i++) {
		uint64_t delta = counter_delta(field_at(before, fields[i].total),
					       field_at(now, fields[i].total));
		double rate = counter_per_s(delta, elapsed_ns) * fields[i].scale;
		memcpy((char *)now + fields[i].rate, &rate, sizeof(rate));
	}
}

bool counter_was_reset(const struct counter_field *fields, size_t n, const void *before,
		       const void *now)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t a = field_at(before, fields[i].total), b = field_at(now, fields[i].total);
		if (a != U64_UNKNOWN && b != U64_UNKNOWN && counter_delta(a, b) == U64_UNKNOWN)
			return true;
	}
	return false;
}
