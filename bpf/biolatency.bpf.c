/*
 * biolatency: time a block request spends in the device, from issue to its last
 * completion, by device. The request's address joins the two: sectors do not
 * survive flushes and merges. Counts what the device was given, which is what
 * /proc/diskstats counts as reads, writes, discards and flushes, but for one case:
 * an fsync without data is there an empty write and the flush sent for it, here
 * only that flush. A request completed in parts counts once; commands of drivers
 * (SMART, SCSI passthrough) count neither there nor here. The owner is not asked for: at completion any task may be current.
 */
#include "bpf/probe.bpf.h"

#define OP_MASK 0xff
#define OP_FLUSH 2
#define OP_DRIVER_IN 34
#define OP_DRIVER_OUT 35

PROBE_HIST;
PROBE_SCRATCH(issued_ns, __u64, __u64);

static __always_inline __u32 device_of(struct request *rq)
{
	struct request___rq_disk *old = (void *)rq;
	struct gendisk *disk;

	if (bpf_core_field_exists(old->rq_disk))
		disk = old->rq_disk;
	else
		disk = rq->q->disk;
	return (__u32)disk->major << 20 | (__u32)disk->first_minor;
}

static __always_inline int issue(struct request *rq)
{
	__u64 key = (__u64)rq, now_ns = bpf_ktime_get_ns();
	__u32 op = rq->cmd_flags & OP_MASK;

	if (op == OP_DRIVER_IN || op == OP_DRIVER_OUT)
		return 0;
	if (filter.dev && filter.dev != device_of(rq))
		return 0;
	if (bpf_map_update_elem(&issued_ns, &key, &now_ns, BPF_ANY))
		lose(LOSS_MAP_FULL);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(on_issue__args1, struct request *rq)
{
	return issue(rq);
}

/* Before 5.11 the queue came first. */
SEC("tp_btf/block_rq_issue")
int BPF_PROG(on_issue__args2, void *q, struct request *rq)
{
	return issue(rq);
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(on_complete, struct request *rq, int error, unsigned int done_bytes)
{
	__u64 key = (__u64)rq, now_ns, *start_ns;
	__u32 op = rq->cmd_flags & OP_MASK;

	if (done_bytes < rq->__data_len || op == OP_DRIVER_IN || op == OP_DRIVER_OUT)
		return 0;
	start_ns = bpf_map_lookup_elem(&issued_ns, &key);
	if (!start_ns) {
		/* An fsync without data ends here too, but the device only saw the flush made for it. */
		bool is_never_issued = !done_bytes && op != OP_FLUSH;
		if (!is_never_issued && (!filter.dev || filter.dev == device_of(rq)))
			lose(LOSS_UNMATCHED);
		return 0;
	}
	now_ns = bpf_ktime_get_ns();
	if (now_ns < *start_ns)
		lose(LOSS_NEGATIVE);
	else if (now_ns - *start_ns >= filter.min_ns)
		hist_add(device_of(rq), now_ns - *start_ns);
	bpf_map_delete_elem(&issued_ns, &key);
	return 0;
}
