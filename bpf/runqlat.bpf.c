/*
 * runqlat: how long runnable threads wait for a CPU, from wakeup or preemption
 * to running. Every decision is about the thread in the argument: at a wakeup
 * the current task is the waker. The moment kept with each thread is the first
 * one since it last ran, so migrations between queues do not count twice.
 */
#include "bpf/probe.bpf.h"

#define TASK_RUNNING 0

PROBE_HIST;
PROBE_THREAD_SCRATCH(queued_ns, __u64);

static __always_inline int enqueue(struct task_struct *p, bool was_running)
{
	__u64 *at;

	if (!p->pid || !wants(p->tgid, p->pid))
		return 0;
	at = bpf_task_storage_get(&queued_ns, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!at)
		lose(LOSS_MAP_FULL);
	else if (was_running || !*at)
		*at = bpf_ktime_get_ns();
	return 0;
}

static __always_inline bool is_runnable(struct task_struct *p)
{
	struct task_struct___long_state *old = (void *)p;

	if (bpf_core_field_exists(old->state))
		return old->state == TASK_RUNNING;
	return p->__state == TASK_RUNNING;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *p)
{
	return enqueue(p, false);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
	return enqueue(p, false);
}

static __always_inline int run(struct task_struct *next)
{
	__u64 *at, now_ns;

	if (!next->pid || !wants(next->tgid, next->pid))
		return 0;
	at = bpf_task_storage_get(&queued_ns, next, 0, 0);
	if (!at || !*at) {
		lose(LOSS_UNMATCHED); /* queued before the tool started */
		return 0;
	}
	now_ns = bpf_ktime_get_ns();
	if (now_ns < *at)
		lose(LOSS_NEGATIVE);
	else if (now_ns - *at >= filter.min_ns)
		hist_add(0, now_ns - *at);
	*at = 0;
	return 0;
}

static __always_inline void leave(struct task_struct *prev, bool is_ready)
{
	__u64 *at;

	if (is_ready) {
		enqueue(prev, true);
		return;
	}
	/* A wakeup that arrived while it still ran must not start the next wait. */
	at = bpf_task_storage_get(&queued_ns, prev, 0, 0);
	if (at)
		*at = 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch__args4, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	leave(prev, preempt || prev_state == TASK_RUNNING);
	return run(next);
}

/* Before 5.18 the state is not handed over; reading it races with a wakeup. */
SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch__args3, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	leave(prev, preempt || is_runnable(prev));
	return run(next);
}
