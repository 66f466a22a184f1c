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
	const char *fix;    /* when more privilege is not the answer */
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

/* Attempts by subject, for the table. */
int cap_bpf(const struct collector_env *env, struct err *e);
int cap_ring_buffer(const struct collector_env *env, struct err *e);
int cap_bpf_stats(const struct collector_env *env, struct err *e);
int cap_tracepoint(const struct collector_env *env, struct err *e);
int cap_raw_tracepoint(const struct collector_env *env, struct err *e);
int cap_typed_tracepoint(const struct collector_env *env, struct err *e);
int cap_fentry(const struct collector_env *env, struct err *e);
int cap_iterator(const struct collector_env *env, struct err *e);
int cap_kprobe(const struct collector_env *env, struct err *e);
int cap_uprobe(const struct collector_env *env, struct err *e);
int cap_cpu_clock(const struct collector_env *env, struct err *e);
int cap_cycles(const struct collector_env *env, struct err *e);
int cap_btf(const struct collector_env *env, struct err *e);
int cap_tracefs(const struct collector_env *env, struct err *e);
int cap_pressure(const struct collector_env *env, struct err *e);
int cap_delay_accounting(const struct collector_env *env, struct err *e);
int cap_all_processes(const struct collector_env *env, struct err *e);
int cap_perf_paranoid(const struct collector_env *env, struct err *e);
int cap_kernel_addresses(const struct collector_env *env, struct err *e);
int cap_syscall_files(const struct collector_env *env, struct err *e);

#endif
