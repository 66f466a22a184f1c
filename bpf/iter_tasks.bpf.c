/* Every thread of the host as one fixed record: a whole process table in one read. */
#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/tasks_abi.h"

#define UNKNOWN (~0ULL)

static __always_inline u32 task_state(struct task_struct *t)
{
	u32 exit_state = (u32)t->exit_state;

	if (bpf_core_field_exists(t->__state))
		return t->__state | exit_state;
	return (u32)BPF_CORE_READ((struct task_struct___long_state *)t, state) | exit_state;
}

static __always_inline u32 last_cpu(struct task_struct *t)
{
	if (bpf_core_field_exists(t->thread_info.cpu))
		return t->thread_info.cpu;
	if (bpf_core_field_exists(t->cpu))
		return t->cpu;
	return (u32)UNKNOWN;
}

/*
 * A literal index, so that the element's size is the running kernel's. The
 * counters are per CPU and only summed now and then: small ones dip below zero.
 */
#define PAGES(mm, which)                                                                           \
	({                                                                                         \
		s64 n = bpf_core_field_exists(((struct mm_rss_stat *)0)->count)                    \
				? BPF_CORE_READ((struct mm_struct___single *)(mm),                 \
						rss_stat.count[which].counter)                     \
				: BPF_CORE_READ(mm, rss_stat[which].count);                        \
		n > 0 ? (u64)n : 0;                                                                \
	})

static __always_inline void fill_memory(struct task_record *r, struct mm_struct *mm)
{
	if (!mm)
		return;
	r->rss_pages = PAGES(mm, RSS_FILE) + PAGES(mm, RSS_ANON) + PAGES(mm, RSS_SHMEM);
	r->swap_pages = PAGES(mm, RSS_SWAP);
	r->virtual_pages = mm->total_vm;
}

/* Where only v1 controllers divide the host, everything is in the v2 root: the memory one tells
 * more. */
static __always_inline u64 cgroup_id(struct task_struct *t)
{
	struct cgroup *cg = t->cgroups->dfl_cgrp;

	if (cg->level == 0 && bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id)) {
		u32 i = (u32)bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id);
		struct cgroup_subsys_state *css = 0;

		bpf_core_read(&css, sizeof(css), &t->cgroups->subsys[i & 15]);
		if (css)
			return BPF_CORE_READ(css, cgroup, kn, id);
	}
	return cg->kn->id;
}

static __always_inline void fill_own(struct task_record *r, struct task_struct *t)
{
	r->own.exec_ns = t->se.sum_exec_runtime;
	r->own.user_ns = t->utime;
	r->own.system_ns = t->stime;
	r->own.switches = t->nvcsw + t->nivcsw;
	r->own.major_faults = t->maj_flt;
	r->own.read_bytes = UNKNOWN;
	r->own.write_bytes = UNKNOWN;
	if (bpf_core_field_exists(t->ioac.read_bytes)) {
		r->own.read_bytes = t->ioac.read_bytes;
		r->own.write_bytes = t->ioac.write_bytes;
	}
	r->runq_ns = UNKNOWN;
	if (bpf_core_field_exists(t->sched_info.run_delay))
		r->runq_ns = t->sched_info.run_delay;
	r->io_wait_ns = UNKNOWN;
	if (bpf_core_field_exists(t->delays)) {
		struct task_delay_info *d = t->delays;

		if (d)
			r->io_wait_ns = d->blkio_delay;
	}
}

static __always_inline void fill_exited(struct task_record *r, struct signal_struct *s)
{
	r->exited.exec_ns = s->sum_sched_runtime;
	r->exited.user_ns = s->utime;
	r->exited.system_ns = s->stime;
	r->exited.switches = s->nvcsw + s->nivcsw;
	r->exited.major_faults = s->maj_flt;
	if (bpf_core_field_exists(s->ioac.read_bytes)) {
		r->exited.read_bytes = s->ioac.read_bytes;
		r->exited.write_bytes = s->ioac.write_bytes;
	}
}

SEC("iter/task")
int iter_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *t = ctx->task;
	struct task_record r = {};

	if (!t)
		return 0;
	r.start_boot_ns = t->start_boottime;
	r.tid = (u32)t->pid;
	r.tgid = (u32)t->tgid;
	r.ppid = (u32)t->real_parent->tgid;
	r.euid = t->cred->euid.val;
	r.state = task_state(t);
	r.flags = t->flags;
	r.last_cpu = last_cpu(t);
	r.nice = t->static_prio - 120;
	bpf_probe_read_kernel(r.comm, sizeof(r.comm), t->comm);
	fill_own(&r, t);
	if (r.tid == r.tgid) {
		r.threads = (u32)t->signal->nr_threads;
		r.cgroup_id = cgroup_id(t);
		fill_exited(&r, t->signal);
		fill_memory(&r, t->mm);
	}
	bpf_seq_write(ctx->meta->seq, &r, sizeof(r));
	return 0;
}

char _license[] SEC("license") = "GPL";
