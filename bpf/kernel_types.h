/*
 * The kernel structures our programs read: only the fields used, found at load
 * time by name (CO-RE), so that no vmlinux.h and no BTF is needed to build.
 * Names ending in ___<what> are older or newer layouts of the same structure.
 */
#ifndef BPF_KERNEL_TYPES_H
#define BPF_KERNEL_TYPES_H

#include <linux/types.h>
#include <linux/bpf.h>

/* Our pt_regs carries the kernel's register names; bpf_tracing.h asks by this name. */
#define __VMLINUX_H__ 1

typedef _Bool bool;
#define true 1
#define false 0

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	u64 regs[31], sp, pc, pstate;
};
struct pt_regs {
	u64 regs[31], sp, pc, pstate;
	u64 orig_x0;
	s32 syscallno;
};
#else
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
	unsigned long ip, cs, flags, sp, ss;
};
#endif

typedef struct {
	s64 counter;
} atomic_long_t;

typedef struct {
	u32 val;
} kuid_t;

struct percpu_counter {
	s64 count;
};

/* Before 6.2: one struct of plain counters; the type is gone after. */
struct mm_rss_stat {
	atomic_long_t count[4];
};

/* Indexes of rss_stat. */
enum { RSS_FILE, RSS_ANON, RSS_SWAP, RSS_SHMEM };

struct super_block {
	u32 s_dev;
};

struct inode {
	u16 i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
};

struct file {
	struct inode *f_inode;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct mm_struct {
	unsigned long total_vm; /* pages */
	struct percpu_counter rss_stat[4];
};

struct mm_struct___single {
	struct mm_rss_stat rss_stat;
};

struct kernfs_node {
	const char *name;
	u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

struct cgroup {
	int level;
	struct kernfs_node *kn;
};

enum cgroup_subsys_id { memory_cgrp_id = 4 };

struct css_set {
	struct cgroup_subsys_state *subsys[12];
	struct cgroup *dfl_cgrp; /* in the v2 hierarchy */
};

struct cred {
	kuid_t euid;
};

struct rq {
	u64 clock;
	u64 clock_task; /* without interrupt and stolen time */
};

struct cfs_rq {
	struct rq *rq; /* with group scheduling */
};

struct sched_entity {
	u64 exec_start; /* by rq->clock_task */
	u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct sched_info {
	unsigned long long run_delay;
};

struct task_delay_info {
	u64 blkio_delay;
};

struct task_io_accounting {
	u64 read_bytes, write_bytes;
};

/* What exited threads left behind; live threads are not in it. */
struct signal_struct {
	int nr_threads;
	u64 utime, stime;
	unsigned long nvcsw, nivcsw;
	unsigned long maj_flt;
	struct task_io_accounting ioac;
	unsigned long long sum_sched_runtime;
};

struct thread_info {
	unsigned long flags;
	u32 status;
	u32 cpu;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	void *stack;
	unsigned int flags;
	unsigned int cpu; /* before 5.16 with thread_info in the task: here */
	int on_cpu;
	int static_prio;
	struct sched_entity se;
	struct sched_info sched_info;
	struct mm_struct *mm;
	int exit_state;
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	u64 utime, stime;
	unsigned long nvcsw, nivcsw;
	u64 start_boottime;
	unsigned long maj_flt;
	const struct cred *cred;
	char comm[16];
	struct files_struct *files;
	struct signal_struct *signal;
	struct task_io_accounting ioac;
	struct css_set *cgroups;
	struct task_delay_info *delays;
};

/* Before 5.14. */
struct task_struct___long_state {
	long state;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct gendisk {
	int major;
	int first_minor;
};

struct request_queue {
	struct gendisk *disk;
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	unsigned int __data_len; /* bytes not completed yet */
};

/* Before 5.17: the queue did not know its disk. */
struct request___rq_disk {
	struct gendisk *rq_disk;
};

#pragma clang attribute pop

#define TASK_COMM_LEN 16
#define PF_KTHREAD 0x00200000
#define PF_EXITING 0x00000004

#endif
