/*
 * syscalls: which system calls a scope makes, how many fail, how long they take
 * (wall time); or, for one call, each of them with its arguments. Numbers of
 * 32-bit x86 processes are told apart by COMPAT_BASE. What a pointer argument
 * points to is read when the call has returned, because then its page is in
 * memory; only calls that replace the memory are read before.
 */
#include "bpf/probe.bpf.h"

#define TS_COMPAT 2
#define COMPAT_BASE (1ull << 32)
#define ERRNO_MAX 4095
#define RESTART_FIRST 512 /* ERESTARTSYS and its kin: interrupted, the kernel calls again */
#define RESTART_LAST 516

PROBE_COUNTS_BELOW(512);
PROBE_EVENTS;

struct call {
	__u64 start_ns; /* 0: not in a call */
	__u64 nr;
	__u64 args[6];
};
PROBE_THREAD_SCRATCH(calls, struct call);

struct copied {
	__s32 len;
	char str[EVENT_STR];
};
PROBE_THREAD_SCRATCH(before, struct copied);

struct raw_args {
	__u64 regs;
	__s64 nr_or_ret;
};

#if defined(__TARGET_ARCH_x86)
#define SIXTH_ARG(regs) BPF_CORE_READ(regs, r9)

static __always_inline bool never_returns(__u64 nr)
{
	return nr == 60 || nr == 231 || nr == COMPAT_BASE + 1 || nr == COMPAT_BASE + 252;
}

static __always_inline __u64 number_of(struct task_struct *task, __s64 nr)
{
	if (task->thread_info.status & TS_COMPAT)
		return COMPAT_BASE + (__u32)nr;
	return (__u32)nr;
}
#else
#define SIXTH_ARG(regs) BPF_CORE_READ(regs, regs[5])

static __always_inline bool never_returns(__u64 nr)
{
	return nr == 93 || nr == 94;
}

static __always_inline __u64 number_of(struct task_struct *task, __s64 nr)
{
	return (__u32)nr;
}
#endif

static __always_inline long copy_arg(char *to, const __u64 args[6])
{
	__u32 which = FILTER_STR_ARG(filter.flags);
	/* Which one is known when the program is verified, so only one line of this remains. */
	const void *from = (const void *)(which == 1   ? args[0]
					  : which == 2 ? args[1]
					  : which == 3 ? args[2]
					  : which == 4 ? args[3]
					  : which == 5 ? args[4]
						       : args[5]);
	__u32 bytes = FILTER_STR_BYTES(filter.flags);
	long err;

	if (!bytes)
		return bpf_probe_read_user_str(to, EVENT_STR, from);
	if (bytes > EVENT_STR)
		bytes = EVENT_STR;
	err = bpf_probe_read_user(to, bytes, from);
	return err ? err : bytes;
}

static __always_inline void keep_args(struct task_struct *task, struct call *c, struct pt_regs *regs)
{
	struct copied *text;

	c->args[0] = PT_REGS_PARM1_CORE_SYSCALL(regs);
	c->args[1] = PT_REGS_PARM2_CORE_SYSCALL(regs);
	c->args[2] = PT_REGS_PARM3_CORE_SYSCALL(regs);
	c->args[3] = PT_REGS_PARM4_CORE_SYSCALL(regs);
	c->args[4] = PT_REGS_PARM5_CORE_SYSCALL(regs);
	c->args[5] = SIXTH_ARG(regs);
	if (!(filter.flags & FILTER_AT_ENTER))
		return;
	text = bpf_task_storage_get(&before, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (text)
		text->len = (__s32)copy_arg(text->str, c->args);
}

SEC("raw_tp/sys_enter")
int on_enter(struct raw_args *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call *c;
	__u64 nr;

	if (!wants(task->tgid, task->pid))
		return 0;
	nr = number_of(task, ctx->nr_or_ret);
	if (filter.nr >= 0 && nr != (__u32)filter.nr)
		return 0;
	if (never_returns(nr) && !(filter.flags & FILTER_STREAM)) {
		counts_add_small(nr, 0, 0);
		return 0;
	}
	c = bpf_task_storage_get(&calls, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c) {
		lose(LOSS_MAP_FULL);
		return 0;
	}
	c->nr = nr;
	if (filter.flags & FILTER_STREAM)
		keep_args(task, c, (struct pt_regs *)ctx->regs);
	c->start_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void emit(struct task_struct *task, struct call *c, __u64 end_ns, __s64 ret)
{
	struct probe_event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	struct copied *text;

	if (!e) {
		lose(LOSS_RING);
		return;
	}
	e->end_ns = end_ns;
	e->latency_ns = end_ns - c->start_ns;
	e->tgid = task->tgid;
	e->tid = task->pid;
	e->ret = ret;
	e->id = c->nr;
	__builtin_memcpy(e->args, c->args, sizeof(e->args));
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	e->str_arg = FILTER_STR_ARG(filter.flags);
	e->str_len = 0;
	e->str[0] = 0;
	if (filter.flags & FILTER_AT_ENTER) {
		text = bpf_task_storage_get(&before, task, 0, 0);
		if (text) {
			e->str_len = text->len;
			__builtin_memcpy(e->str, text->str, sizeof(e->str));
		}
	} else if (FILTER_STR_ARG(filter.flags)) {
		e->str_len = (__s32)copy_arg(e->str, c->args);
	}
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

SEC("raw_tp/sys_exit")
int on_exit(struct raw_args *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__s64 ret = ctx->nr_or_ret;
	struct call *c;
	__u64 now_ns;
	bool is_error;

	if (!wants(task->tgid, task->pid))
		return 0;
	c = bpf_task_storage_get(&calls, task, 0, 0);
	if (!c || !c->start_ns) {
		if (filter.nr < 0)
			lose(LOSS_UNMATCHED); /* entered before the tool started, or a new child's first return */
		return 0;
	}
	now_ns = bpf_ktime_get_ns();
	is_error = ret < 0 && ret >= -ERRNO_MAX && !(ret <= -RESTART_FIRST && ret >= -RESTART_LAST);
	if (now_ns < c->start_ns)
		lose(LOSS_NEGATIVE);
	else if (now_ns - c->start_ns < filter.min_ns)
		;
	else if (filter.flags & FILTER_STREAM)
		emit(task, c, now_ns, ret);
	else
		counts_add_small(c->nr, is_error, now_ns - c->start_ns);
	c->start_ns = 0;
	return 0;
}
