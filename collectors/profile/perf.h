/* Samples of what the CPUs execute: perf events with rings of our own. */
#ifndef COLLECTORS_PROFILE_PERF_H
#define COLLECTORS_PROFILE_PERF_H

#include "base/err.h"
#include "base/vec.h"

enum perf_mode { PERF_USER, PERF_KERNEL, PERF_GUEST };

/** Where one thread was. */
struct perf_sample {
	uint64_t ip;
	uint32_t tgid, tid;
	enum perf_mode mode;
};

struct perf_ring {
	int fd;
	uint32_t tid; /* 0: everything on one CPU */
	void *base;
};

/** Open events. Zeroed is closed. */
struct perf {
	VEC(struct perf_ring) rings;
	const char *event; /* "cycles" or "cpu-clock" */
	bool is_user_only; /* the kernel part may not be sampled */
	uint32_t hz;
	uint32_t left_out;        /* threads past what is sampled one by one */
	uint64_t lost, throttled; /* since open */
};

/** Sample every CPU hz times a second while it is not idle; -errno with words and the fix. */
int perf_open_cpus(struct perf *p, uint32_t hz, struct err *e);

/** Sample the threads of one process, for want of the right to whole CPUs; call it again to follow new threads. */
int perf_open_threads(struct perf *p, int proc_fd, uint32_t tgid, uint32_t hz, struct err *e);

/** Who takes what the rings hold. */
struct perf_sink {
	void (*sample)(void *ctx, const struct perf_sample *s);
	/** A process runs a new program from now on; comm is untrusted. Told before all samples. */
	void (*program)(void *ctx, uint32_t tgid, const char *comm);
	void *ctx;
};

/** Hand over everything since the last drain, ring by ring, and count what was lost. */
void perf_drain(struct perf *p, const struct perf_sink *to);

/** Close and unmap; accepts a zeroed one. */
void perf_close(struct perf *p);

#endif
