#include "ui/cost.h"

#include <math.h>

/* Kernel time of a collector's programs, which the process's own CPU time does not hold. */
static double kernel_pct(const struct cost_row *row)
{
	double pct = row->events_per_s * row->ns_per_event / 1e9 * 100;

	return isnan(pct) ? 0 : pct;
}

double cost_total_pct(const struct frame *f)
{
	double process = F64_UNKNOWN, collectors = F64_UNKNOWN, kernel = 0;

	for (uint32_t i = 0; i < f->sec[SEC_COST].nrows; i++) {
		const struct cost_row *row = &FRAME_ROWS(f, cost, COST)[i];
		if (text_is(row->kind, "process")) {
			process = row->cpu_pct;
		} else if (text_is(row->kind, "probe")) {
			kernel += isnan(row->cpu_pct) ? 0 : row->cpu_pct;
		} else if (text_is(row->kind, "collector") && !isnan(row->cpu_pct)) {
			collectors = isnan(collectors) ? row->cpu_pct : collectors + row->cpu_pct;
			kernel += kernel_pct(row);
		}
	}
	/* The process's row holds the CPU time of its threads and so of all collectors. */
	if (!isnan(process))
		return process + kernel;
	return isnan(collectors) && kernel > 0 ? kernel : collectors;
}
