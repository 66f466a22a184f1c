/* What this kernel and these privileges allow, found by trying. */
#ifndef COLLECTORS_TASKS_CAPS_H
#define COLLECTORS_TASKS_CAPS_H

#include <stddef.h>

#include "collectors/collector.h"

/** One feature. Const record in caps_table.c. */
struct cap {
	const char *name;
	const char *serves; /* what of rung depends on it */
	/** 0 when it works, else -errno with what is missing in words. Leaves nothing behind. */
	int (*attempt)(const struct collector_env *env, struct err *e);
	const char *fix;       /* when more privilege is not the answer */
	bool is_fix_for_users; /* what the administrator can do for users without privilege */
};

extern const struct cap caps_table[];
extern const size_t caps_table_len;

/** What one attempt gave. */
struct cap_result {
	const struct cap *cap;
	bool has;
	struct err why;  /* code 0 when it works */
	const char *fix; /* empty when it works */
};

/** Try one feature now. */
struct cap_result cap_try(const struct cap *c, const struct collector_env *env);

/* Attempts by subject, for the table; each as struct cap's attempt. */

/** A program of the plainest type loads. */
int cap_bpf(const struct collector_env *env, struct err *e);
/** A ring buffer can be made. */
int cap_ring_buffer(const struct collector_env *env, struct err *e);
/** The kernel times BPF programs on demand. */
int cap_bpf_stats(const struct collector_env *env, struct err *e);
/** A program attaches to a tracepoint through perf. */
int cap_tracepoint(const struct collector_env *env, struct err *e);
/** A program attaches to a raw tracepoint. */
int cap_raw_tracepoint(const struct collector_env *env, struct err *e);
/** A program attaches to a tracepoint with typed arguments. */
int cap_typed_tracepoint(const struct collector_env *env, struct err *e);
/** A program attaches to the entry of a kernel function through a trampoline. */
int cap_fentry(const struct collector_env *env, struct err *e);
/** A task iterator attaches and can be read. */
int cap_iterator(const struct collector_env *env, struct err *e);
/** A program attaches to a kernel function by breakpoint. */
int cap_kprobe(const struct collector_env *env, struct err *e);
/** A program attaches to a function of our own binary. */
int cap_uprobe(const struct collector_env *env, struct err *e);
/** A program attaches to the timer that samples CPUs. */
int cap_cpu_clock(const struct collector_env *env, struct err *e);
/** The hardware counts cycles. */
int cap_cycles(const struct collector_env *env, struct err *e);
/** The kernel describes its types. */
int cap_btf(const struct collector_env *env, struct err *e);
/** tracefs is at hand. */
int cap_tracefs(const struct collector_env *env, struct err *e);
/** The kernel measures stall times. */
int cap_pressure(const struct collector_env *env, struct err *e);
/** The kernel measures block I/O waits per task. */
int cap_delay_accounting(const struct collector_env *env, struct err *e);
/** Processes of other users are visible. */
int cap_all_processes(const struct collector_env *env, struct err *e);
/** perf events are open to this user. */
int cap_perf_paranoid(const struct collector_env *env, struct err *e);
/** Kernel symbols have addresses. */
int cap_kernel_addresses(const struct collector_env *env, struct err *e);
/** Another process's system call can be read from /proc. */
int cap_syscall_files(const struct collector_env *env, struct err *e);

#endif
