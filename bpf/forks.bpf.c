/* Who creates processes: a count per parent, and what its children became. */
#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/tasks_abi.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, FORK_PARENTS_MAX);
	__type(key, u32);
	__type(value, struct fork_count);
} forks SEC(".maps");

/* What was not counted to a parent, and how often the programs ran. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct fork_stats);
} stats SEC(".maps");

/* The entry of that very process: a number used again belongs to another one. */
static __always_inline struct fork_count *entry_of(struct task_struct *leader, bool may_create)
{
	u32 tgid = (u32)leader->tgid;
	struct fork_count *e = bpf_map_lookup_elem(&forks, &tgid), fresh = {};

	if (e && e->start_boot_ns == leader->start_boottime)
		return e;
	if (!may_create)
		return 0;
	fresh.start_boot_ns = leader->start_boottime;
	bpf_probe_read_kernel(fresh.comm, sizeof(fresh.comm), leader->comm);
	/* Another CPU may have been first: its entry counts, unless it is the dead namesake's. */
	bpf_map_update_elem(&forks, &tgid, &fresh, e ? BPF_ANY : BPF_NOEXIST);
	return bpf_map_lookup_elem(&forks, &tgid);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(fork_seen, struct task_struct *parent, struct task_struct *child)
{
	u32 zero = 0;
	struct fork_stats *s = bpf_map_lookup_elem(&stats, &zero);
	struct fork_count *e;

	if (!s)
		return 0;
	__sync_fetch_and_add(&s->runs, 1);
	if (child->pid != child->tgid)
		return 0;
	e = entry_of(parent->group_leader, true);
	if (!e) {
		__sync_fetch_and_add(&s->lost, 1);
		return 0;
	}
	__sync_fetch_and_add(&e->forks, 1);
	e->child = (u32)child->tgid;
	if (!e->child_comm[0])
		bpf_probe_read_kernel(e->child_comm, sizeof(e->child_comm), child->comm);
	return 0;
}

/* A child has its parent's name until it runs another program. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(exec_seen, struct task_struct *t)
{
	u32 zero = 0;
	struct fork_stats *s = bpf_map_lookup_elem(&stats, &zero);
	struct fork_count *e = entry_of(t->real_parent->group_leader, false);

	if (s)
		__sync_fetch_and_add(&s->runs, 1);
	if (e)
		bpf_probe_read_kernel(e->child_comm, sizeof(e->child_comm), t->comm);
	return 0;
}

char _license[] SEC("license") = "GPL";
