/* The contract of everything that samples, and the only place that charges for it. */
#ifndef COLLECTORS_COLLECTOR_H
#define COLLECTORS_COLLECTOR_H

#include "base/err.h"
#include "frame/builder.h"
#include "frame/source.h"

/** What the host looks like to a collector; parameters, so that tests can point elsewhere. */
struct collector_env {
	int proc_fd;        /* directory fd of /proc or of a captured tree */
	int sys_fd;         /* directory fd of /sys or of a captured tree */
	int tracefs_fd;     /* directory fd of tracefs, or -1 */
	bool may_bpf;       /* BPF may be tried; false for captured trees and --no-bpf */
	const struct request *focus; /* what is on screen now; never NULL */
};

/** What one collector has cost since start; becomes a row of the COST section. */
struct cost {
	uint64_t self_ns; /* thread CPU time, plus BPF run time where it has programs */
	uint64_t wall_ns, last_wall_ns;
	uint64_t runs, overruns;
	double events_per_s, ns_per_event; /* kernel part; unknown without one */
	uint64_t lost;
};

/** One sampler. Const record; its state is self_size zeroed bytes. */
struct collector {
	const char *name;
	uint64_t provides;   /* SEC_BIT()s it fills; 0: completes others, runs behind them */
	bool is_on_demand;   /* sampled only while something on screen needs what it provides */
	uint64_t period_ns;  /* at most this often; sections in between are carried */
	uint64_t budget_ns;  /* self_ns allowed per second; past it the period doubles, visibly */
	bool is_slow_start;  /* opened after the first frame is out (BPF loads) */
	size_t self_size;
	/** Prepare; what it took is still released by close when it fails. NULL: nothing to
	 * prepare. */
	int (*open)(void *self, const struct collector_env *env, struct err *e);
	/** Fill the sections; one without rows that is fine so needs frame_set_state(SEC_OK),
	 * else it stays OFF. */
	int (*sample)(void *self, const struct collector_env *env, struct frame_builder *b,
		      struct err *e);
	/** A request from the console (probe start and stop); NULL: takes none. -ENOSYS: not
	 * mine. */
	int (*ask)(void *self, const struct collector_env *env, const struct request *r,
		   struct err *e);
	/** Add what the kernel side cost since open (BPF programs) to a copy of the cost; NULL:
	 * none. */
	void (*cost)(void *self, struct cost *c);
	/** Release everything; accepts a zeroed or half-opened self. NULL: nothing to release. */
	void (*close)(void *self);
};

/** The only caller of ->sample: times it, charges it, marks its sections on failure. */
int collector_run(const struct collector *c, void *self, const struct collector_env *env,
		  struct frame_builder *b, struct cost *cost, struct err *e);

/** Mark sections DENIED or FAILED with the words of e; what collector_run() does, also for a
 * failed open. */
void collector_mark_failed(struct frame_builder *b, uint64_t sections, const struct err *e);

/** All collectors, made by the build from collectors/<folder>/collect_<name>.c holding `const
 * struct collector collector_<name>`. */
extern const struct collector *const collector_registry[];
extern const size_t collector_registry_len;

/** Open what the environment needs on the live host; what is missing is -1. */
int collector_env_live(struct collector_env *env, struct err *e);
/** Close its fds. */
void collector_env_fini(struct collector_env *env);

#endif
