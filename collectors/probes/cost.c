/* Owns the arithmetic from the kernel's program statistics to the price on screen. */
#include "collectors/probes/cost.h"

#include <math.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/clock.h"
#include "base/fmt.h"

#define BUDGET_ONE_CPU_PCT 10.0
#define BUDGET_HOST_PCT 2.0
#define RUNS_ENOUGH 20 /* in a window, to trust its rate */

int stats_enable(void)
{
	return bpf_enable_stats(BPF_STATS_RUN_TIME);
}

void stats_read(const int *prog_fds, uint32_t n, struct run_stats *s)
{
	*s = (struct run_stats){ .mono_ns = clock_mono_ns() };
	for (uint32_t i = 0; i < n; i++) {
		struct bpf_prog_info info = { 0 };
		uint32_t len = sizeof(info);
		if (bpf_obj_get_info_by_fd(prog_fds[i], &info, &len))
			continue;
		s->runs += info.run_cnt;
		s->run_ns += info.run_time_ns;
		s->misses += info.recursion_misses;
	}
}

/* The kernel's figure holds the cost of measuring and leaves out the way to the program. */
static double corrected_ns(const struct calibration *cal, double reported_ns)
{
	double own_ns = reported_ns - (cal->is_done ? cal->floor_ns : 0);

	return (own_ns > 0 ? own_ns : 0) + (cal->is_done ? cal->tax_ns : 0);
}

void cost_update(struct run_cost *c, const struct calibration *cal, double values_per_s)
{
	const struct run_stats *end = &c->at_end;
	uint64_t runs = end->runs - c->at_start.runs;
	uint64_t window_ns = end->mono_ns - c->at_start.mono_ns;

	c->misses = end->misses;
	c->runs += runs;
	c->run_ns += end->run_ns - c->at_start.run_ns;
	double windowed = window_ns ? (double)runs * (double)NS_PER_S / (double)window_ns : 0;
	c->events_per_s = windowed;
	if (runs < RUNS_ENOUGH && values_per_s > 0)
		c->events_per_s = values_per_s;
	/* One window tells little about rare events, so they are averaged over all of them. */
	if (runs >= RUNS_ENOUGH)
		c->ns_per_event = corrected_ns(cal, (double)(end->run_ns - c->at_start.run_ns) / (double)runs);
	else if (c->runs)
		c->ns_per_event = corrected_ns(cal, (double)c->run_ns / (double)c->runs);
	else
		c->ns_per_event = F64_UNKNOWN;
	c->cpu_pct = isnan(c->ns_per_event) ? (c->events_per_s > 0 ? F64_UNKNOWN : 0)
					    : c->events_per_s * c->ns_per_event * 100 / (double)NS_PER_S;
}

double budget_default_cpu_pct(uint32_t ncpus)
{
	double host = BUDGET_HOST_PCT * (ncpus ? ncpus : 1);

	return host < BUDGET_ONE_CPU_PCT ? host : BUDGET_ONE_CPU_PCT;
}
