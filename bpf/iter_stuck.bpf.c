/* Who is blocked, in which system call, on what, and where in the kernel: one pass over all
 * threads. */
#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/tasks_abi.h"

#define UNKNOWN      (~0ULL)
#define STATE_D      0x02
#define STATE_NOLOAD 0x400

/* The process whose sleeping threads are wanted too; 0: only threads in D. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} focus SEC(".maps");

static __always_inline u32 task_state(struct task_struct *t)
{
	u32 exit_state = (u32)t->exit_state;

	if (bpf_core_field_exists(t->__state))
		return t->__state | exit_state;
	return (u32)BPF_CORE_READ((struct task_struct___long_state *)t, state) | exit_state;
}

static __always_inline bool is_wanted(struct task_struct *t, u32 state)
{
	u32 zero = 0, *tgid = bpf_map_lookup_elem(&focus, &zero);

	if ((state & 0x7f) == STATE_D)
		return !(state & STATE_NOLOAD);
	return tgid && *tgid && (u32)t->tgid == *tgid && (state & 0x7f);
}

/*
 * exec_start is when the thread last stopped running, by its run queue's task
 * clock. That clock stands still while the CPU idles: our own CPU's run queue
 * says by how much.
 */
static __always_inline u64 waited_ns(struct task_struct *t)
{
	struct task_struct *self = (struct task_struct *)bpf_get_current_task_btf();
	u64 now, there_clock, there_task, since;

	if (!bpf_core_field_exists(t->se.cfs_rq) || !bpf_core_field_exists(t->se.cfs_rq->rq) ||
	    t->on_cpu)
		return UNKNOWN;
	now = self->se.cfs_rq->rq->clock;
	there_clock = t->se.cfs_rq->rq->clock;
	there_task = t->se.cfs_rq->rq->clock_task;
	since = t->se.exec_start;
	return (there_task > since ? there_task - since : 0) +
	       (now > there_clock ? now - there_clock : 0);
}

static __always_inline void fill_syscall(struct stuck_record *r, struct task_struct *t)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(t);

#if defined(__TARGET_ARCH_arm64)
	r->syscall_nr = BPF_CORE_READ(regs, syscallno);
	r->args[0] = BPF_CORE_READ(regs, orig_x0);
	r->args[1] = BPF_CORE_READ(regs, regs[1]);
	r->args[2] = BPF_CORE_READ(regs, regs[2]);
	r->args[3] = BPF_CORE_READ(regs, regs[3]);
	r->args[4] = BPF_CORE_READ(regs, regs[4]);
	r->args[5] = BPF_CORE_READ(regs, regs[5]);
#else
	r->syscall_nr = (s64)BPF_CORE_READ(regs, orig_ax);
	r->args[0] = BPF_CORE_READ(regs, di);
	r->args[1] = BPF_CORE_READ(regs, si);
	r->args[2] = BPF_CORE_READ(regs, dx);
	r->args[3] = BPF_CORE_READ(regs, r10);
	r->args[4] = BPF_CORE_READ(regs, r8);
	r->args[5] = BPF_CORE_READ(regs, r9);
#endif
}

/* The open file behind the first argument, if it is one; whether it is meant as one is for user
 * space to know. */
static __always_inline void fill_object(struct stuck_record *r, struct task_struct *t)
{
	struct fdtable *table = BPF_CORE_READ(t, files, fdt);
	u64 fd = r->args[0];
	struct file **slot, *file = 0;
	struct inode *inode;

	if (!table || fd >= BPF_CORE_READ(table, max_fds))
		return;
	slot = BPF_CORE_READ(table, fd) + fd;
	bpf_probe_read_kernel(&file, sizeof(file), slot);
	if (!file)
		return;
	inode = BPF_CORE_READ(file, f_inode);
	r->object_ino = BPF_CORE_READ(inode, i_ino);
	r->object_mode = BPF_CORE_READ(inode, i_mode);
	r->object_dev = BPF_CORE_READ(inode, i_sb, s_dev);
}

SEC("iter/task")
int iter_stuck(struct bpf_iter__task *ctx)
{
	struct task_struct *t = ctx->task;
	struct stuck_record r = {};
	long bytes;

	if (!t)
		return 0;
	r.state = task_state(t);
	if (!is_wanted(t, r.state))
		return 0;
	r.start_boot_ns = t->group_leader->start_boottime;
	r.switches = t->nvcsw + t->nivcsw;
	r.waited_ns = waited_ns(t);
	r.tid = (u32)t->pid;
	r.tgid = (u32)t->tgid;
	bpf_probe_read_kernel(r.comm, sizeof(r.comm), t->comm);
	r.syscall_nr = -1;
	if (!(t->flags & PF_KTHREAD) && !t->exit_state) {
		fill_syscall(&r, t);
		fill_object(&r, t);
	}
	bytes = bpf_get_task_stack(t, r.ip, sizeof(r.ip), 0);
	r.depth = bytes < 0 ? (s32)bytes : (s32)((u64)bytes / sizeof(r.ip[0]));
	bpf_seq_write(ctx->meta->seq, &r, sizeof(r));
	return 0;
}

char _license[] SEC("license") = "GPL";
