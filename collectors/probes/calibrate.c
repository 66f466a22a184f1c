/* Owns the measurement of what a program that does nothing costs on this host. */
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/probes/cost.h"

#define CALLS 4000
#define ROUNDS 5

/* Best of several rounds: whatever else runs here only adds. */
static double call_ns(void)
{
	double best = 0;

	for (int r = 0; r < ROUNDS; r++) {
		uint64_t start_ns = clock_mono_ns();
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		double ns = (double)(clock_mono_ns() - start_ns) / CALLS;
		if (!r || ns < best)
			best = ns;
	}
	return best;
}

static int load_empty(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "rung_empty", "GPL", insns, ARRAY_LEN(insns), NULL);
}

int calibrate(struct calibration *c, struct err *e)
{
	double bare_ns = call_ns();
	int prog = load_empty();
	if (prog < 0)
		return err_errno(e, errno, "loading a BPF program (needs CAP_BPF and CAP_PERFMON)");
	int link = bpf_raw_tracepoint_open("sys_enter", prog);
	if (link < 0) {
		int code = errno;
		close(prog);
		return err_errno(e, code, "calibrating: attaching an empty program");
	}
	double hooked_ns = call_ns();
	struct run_stats s = { 0 };
	int stats = stats_enable();
	if (stats >= 0) {
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		stats_read(&prog, 1, &s);
		close(stats);
	}
	close(link);
	close(prog);
	c->tax_ns = hooked_ns > bare_ns ? hooked_ns - bare_ns : 0;
	c->floor_ns = s.runs ? (double)s.run_ns / (double)s.runs : 0;
	c->is_done = true;
	return 0;
}

double tracepoint_rate_per_s(const char *event, uint64_t window_ns)
{
	struct run_stats first, last;
	struct timespec t = { .tv_sec = (time_t)(window_ns / NS_PER_S), .tv_nsec = (long)(window_ns % NS_PER_S) };
	double per_s = F64_UNKNOWN;
	int prog = load_empty();
	int link = prog < 0 ? -1 : bpf_raw_tracepoint_open(event, prog);
	int stats = link < 0 ? -1 : stats_enable();

	if (stats >= 0) {
		stats_read(&prog, 1, &first);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
		stats_read(&prog, 1, &last);
		per_s = (double)(last.runs - first.runs) * (double)NS_PER_S / (double)(last.mono_ns - first.mono_ns);
	}
	const int fds[] = { stats, link, prog };
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return per_s;
}
