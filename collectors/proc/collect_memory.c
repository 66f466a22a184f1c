/* MEM: where memory is, and how hard the kernel works to find more, from meminfo and vmstat. */
#include <unistd.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

struct memory_state {
	struct scan_buf buf;
	uint64_t oom_kills_at_start; /* oom_kill when rung started */
	bool has_start;
	double page_bytes;
};

#define KIB(name, field) { name, offsetof(struct mem_row, field), 1024 }

static const struct scan_key meminfo_keys[] = {
	KIB("MemTotal", total_bytes),
	KIB("MemFree", free_bytes),
	KIB("MemAvailable", available_bytes),
	KIB("Buffers", buffers_bytes),
	KIB("Cached", cached_bytes),
	KIB("SwapTotal", swap_total_bytes),
	KIB("SwapFree", swap_free_bytes),
	KIB("Dirty", dirty_bytes),
	KIB("Writeback", writeback_bytes),
	KIB("AnonPages", anon_bytes),
	KIB("Mapped", mapped_bytes),
	KIB("Shmem", shmem_bytes),
	KIB("Slab", slab_bytes),
	KIB("SUnreclaim", slab_unreclaimable_bytes),
	KIB("PageTables", page_tables_bytes),
	KIB("Committed_AS", committed_bytes),
	KIB("Hugetlb", hugepages_bytes),
};

#define VMSTAT(name, field) { name, offsetof(struct mem_row, field), 1 }

static const struct scan_key vmstat_keys[] = {
	VMSTAT("pswpin", swap_in_pages_total),
	VMSTAT("pswpout", swap_out_pages_total),
	VMSTAT("allocstall_*", alloc_stall_total),
	VMSTAT("pgfault", faults_total),
	VMSTAT("pgmajfault", major_faults_total),
	VMSTAT("pgscan_kswapd", scan_kswapd_total),
	VMSTAT("pgscan_direct", scan_direct_total),
	VMSTAT("oom_kill", oom_kills_total),
};

#define RATE(total, rate) { offsetof(struct mem_row, total), offsetof(struct mem_row, rate), 1 }

static const struct counter_field mem_rates[] = {
	RATE(swap_in_pages_total, swap_in_bytes_per_s),
	RATE(swap_out_pages_total, swap_out_bytes_per_s),
	RATE(major_faults_total, major_faults_per_s),
	RATE(faults_total, faults_per_s),
	RATE(scan_kswapd_total, scan_kswapd_per_s),
	RATE(scan_direct_total, scan_direct_per_s),
	RATE(alloc_stall_total, alloc_stall_per_s),
};

static int memory_open(void *self, const struct collector_env *env, struct err *e)
{
	struct memory_state *m = self;

	(void)env;
	(void)e;
	m->page_bytes = (double)sysconf(_SC_PAGESIZE);
	return 0;
}

static void derive(struct memory_state *m, struct mem_row *row)
{
	row->swap_in_bytes_per_s *= m->page_bytes;
	row->swap_out_bytes_per_s *= m->page_bytes;
	if (row->total_bytes && row->total_bytes != U64_UNKNOWN &&
	    row->available_bytes <= row->total_bytes)
		row->used_pct = 100.0 -
				100.0 * (double)row->available_bytes / (double)row->total_bytes;
	if (row->oom_kills_total == U64_UNKNOWN)
		return;
	if (!m->has_start) {
		m->oom_kills_at_start = row->oom_kills_total;
		m->has_start = true;
	}
	row->oom_kills = counter_delta_clamped(m->oom_kills_at_start, row->oom_kills_total);
}

static int memory_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			 struct err *e)
{
	struct memory_state *m = self;
	const struct frame *prev = frame_prev(b);
	struct mem_row *row;
	struct scan file;
	int rc = scan_file(&m->buf, env->proc_fd, "meminfo", &file, e);

	if (rc)
		return rc;
	row = FRAME_ADD(b, mem, MEM);
	if (!row)
		return 0;
	scan_keys(&file, meminfo_keys, ARRAY_LEN(meminfo_keys), row);
	scan_mark_cut(&m->buf, b, SEC_MEM);
	if (scan_file(&m->buf, env->proc_fd, "vmstat", &file, e)) {
		frame_set_state(b, SEC_MEM, SEC_TRUNCATED, "%s", e->text);
	} else {
		scan_keys(&file, vmstat_keys, ARRAY_LEN(vmstat_keys), row);
		scan_mark_cut(&m->buf, b, SEC_MEM);
	}
	counter_rates(mem_rates, ARRAY_LEN(mem_rates), prev ? frame_row(prev, SEC_MEM, 0) : NULL,
		      row, frame_elapsed_ns(b));
	derive(m, row);
	return 0;
}

static void memory_close(void *self)
{
	struct memory_state *m = self;

	scan_buf_fini(&m->buf);
}

const struct collector collector_memory = {
	.name = "memory",
	.provides = SEC_BIT(SEC_MEM),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 5 * NS_PER_MS,
	.self_size = sizeof(struct memory_state),
	.open = memory_open,
	.sample = memory_sample,
	.close = memory_close,
};
