/* What a probe's programs cost the kernel, measured in short windows and corrected. */
#ifndef COLLECTORS_PROBES_COST_H
#define COLLECTORS_PROBES_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/** Of this host: what the kernel's own figure leaves out and adds. */
struct calibration {
	bool is_done;
	double floor_ns; /* reported for a program that does nothing */
	double tax_ns;   /* what attaching that program really adds per event */
};

/** Kernel figures of all programs of a probe at one instant. */
struct run_stats {
	uint64_t runs, run_ns, misses;
	uint64_t mono_ns;
};

/** The cost as shown. Rates and times are NaN until measured. */
struct run_cost {
	struct run_stats at_start, at_end; /* of the latest window */
	uint64_t runs, run_ns;     /* over all windows */
	uint64_t misses;
	double events_per_s, ns_per_event, cpu_pct;
};

/** Measure the floor and the tax on this thread; takes under 20 ms, needs BPF. */
int calibrate(struct calibration *c, struct err *e);

/** Hits per second of a raw tracepoint on this host, counted for window_ns; NaN when it cannot be counted. */
double tracepoint_rate_per_s(const char *event, uint64_t window_ns);

/** Let the kernel time every BPF program of the host until the fd is closed; -1 when it may not. */
int stats_enable(void);

/** Sum the figures of these programs. */
void stats_read(const int *prog_fds, uint32_t n, struct run_stats *s);

/**
 * Take the latest window into the cost. The values the probe gave out per second
 * since the reading before bound the rate when the window saw too few runs.
 */
void cost_update(struct run_cost *c, const struct calibration *cal, double values_per_s);

/** The budget: 10 % of one CPU or 2 % of the host, whichever is less, as a percentage of one CPU. */
double budget_default_cpu_pct(uint32_t ncpus);

#endif
