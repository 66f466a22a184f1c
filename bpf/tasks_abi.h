/*
 * What the task iterators and the fork counter hand to user space. Counters are
 * since the thread's start; U64_UNKNOWN's pattern (all ones) means not known.
 */
#ifndef BPF_TASKS_ABI_H
#define BPF_TASKS_ABI_H

#include <linux/types.h>

/** Counters that the kernel keeps per thread and sums up over exited threads of a process. */
struct task_counters {
	__u64 exec_ns;            /* CPU time, exact */
	__u64 user_ns, system_ns; /* CPU time by tick: a ratio, not an amount */
	__u64 switches;
	__u64 major_faults;
	__u64 read_bytes, write_bytes;
};

/** One thread; iter_tasks writes them in ascending order of tid. */
struct task_record {
	__u64 start_boot_ns;
	struct task_counters own;
	struct task_counters exited; /* of the whole process; zero unless tid == tgid */
	__u64 runq_ns;               /* waited for a CPU */
	__u64 io_wait_ns;            /* waited for block I/O */
	__u64 rss_pages, virtual_pages, swap_pages;
	__u64 cgroup_id; /* kernfs id, a key for a cache of paths */
	__u32 tid, tgid, ppid, euid;
	__u32 state; /* kernel's bits: __state | exit_state */
	__u32 flags; /* PF_* */
	__u32 threads;
	__u32 last_cpu;
	__s32 nice;
	char comm[16];
	__u32 pad;
};

/** Most kernel frames kept of one blocked thread. */
#define STUCK_DEPTH 24

/** One blocked thread. */
struct stuck_record {
	__u64 start_boot_ns; /* of the process */
	__u64 switches;      /* unchanged between two reads: it has not run */
	__u64 waited_ns;     /* since it last got a CPU */
	__s64 syscall_nr;    /* -1: not in a system call */
	__u64 args[6];
	__u64 object_ino;  /* of the file behind args[0] */
	__u32 object_dev;  /* kernel dev_t */
	__u32 object_mode; /* 0: args[0] is not an open file */
	__u32 tid, tgid;
	__u32 state;
	__s32 depth; /* kernel frames in ip, or -errno */
	char comm[16];
	__u64 ip[STUCK_DEPTH]; /* innermost first */
};

/** Parents counted at the same time. */
#define FORK_PARENTS_MAX 8192

/** What one parent created; keyed by its tgid. */
struct fork_count {
	__u64 start_boot_ns; /* of the parent */
	__u64 forks;
	char comm[16];       /* of the parent */
	char child_comm[16]; /* of the child that ran a program last */
	__u32 child;         /* tgid of the latest child */
	__u32 pad;
};

/** Totals of the fork counter. */
struct fork_stats {
	__u64 runs; /* of its programs */
	__u64 lost; /* forks not counted to a parent: too many parents */
};

#endif
