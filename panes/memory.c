/* Rung 2, memory: what it holds, whether somebody stalls for it, and which processes have it. */
#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "triage/judge.h"
#include "ui/table.h"

#define HEADER_ROWS 8

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)in;
	(void)view;
	(void)cols;
	return rows >= 16 ? HEADER_ROWS : rows >= 6 ? 2 : 1;
}

static struct item bytes_item(struct text label, uint64_t value)
{
	return (struct item){ label, UNIT_BYTES, value == U64_UNKNOWN ? F64_UNKNOWN : (double)value,
			      0,     0,          TEXT_UNKNOWN };
}

static void draw_holds(const struct mem_row *m, struct canvas *c, int row)
{
	struct item holds[] = {
		bytes_item(TEXT("anon"), m->anon_bytes),
		bytes_item(TEXT("cached"), m->cached_bytes),
		bytes_item(TEXT("shmem"), m->shmem_bytes),
		bytes_item(TEXT("slab"), m->slab_bytes),
		bytes_item(TEXT("free"), m->free_bytes),
		bytes_item(TEXT("buffers"), m->buffers_bytes),
		bytes_item(TEXT("page tables"), m->page_tables_bytes),
		bytes_item(TEXT("mapped"), m->mapped_bytes),
		bytes_item(TEXT("huge pages"), m->hugepages_bytes),
		bytes_item(TEXT("committed"), m->committed_bytes),
	};
	struct item writes[] = {
		bytes_item(TEXT("dirty"), m->dirty_bytes),
		bytes_item(TEXT("writeback"), m->writeback_bytes),
		bytes_item(TEXT("swap"), m->swap_total_bytes),
		bytes_item(TEXT("swap free"), m->swap_free_bytes),
		{ TEXT("oom kills"), UNIT_COUNT,
		  m->oom_kills == U64_UNKNOWN ? F64_UNKNOWN : (double)m->oom_kills, 0, 1, TEXT_UNKNOWN },
		bytes_item(TEXT("unreclaimable slab"), m->slab_unreclaimable_bytes),
	};

	draw_items(c, row, 0, c->cols, holds, ARRAY_LEN(holds));
	draw_items(c, row + 1, 0, c->cols, writes, ARRAY_LEN(writes));
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct mem_row *m = FRAME_ROWS(in->frame, mem, MEM);
	const struct psi_row *psi = psi_of(in->frame, "memory");

	(void)view;
	if (!m)
		return;
	struct item head[] = {
		bytes_item(TEXT("available"), m->available_bytes),
		bytes_item(TEXT("of"), m->total_bytes),
		{ TEXT("stalled"), UNIT_PCT, psi ? psi->some_pct : F64_UNKNOWN, 5, 20, TEXT_UNKNOWN },
	};
	struct item moves[] = {
		{ TEXT("swap in"), UNIT_BYTES_PER_S, m->swap_in_bytes_per_s, 1, 1 << 20, TEXT_UNKNOWN },
		{ TEXT("out"), UNIT_BYTES_PER_S, m->swap_out_bytes_per_s, 1, 1 << 20, TEXT_UNKNOWN },
		{ TEXT("major faults"), UNIT_PER_S, m->major_faults_per_s, 100, 1000, TEXT_UNKNOWN },
		{ TEXT("direct reclaim"), UNIT_PER_S, m->scan_direct_per_s, 1, 10000, TEXT_UNKNOWN },
		{ TEXT("stalls"), UNIT_PER_S, m->alloc_stall_per_s, 1, 100, TEXT_UNKNOWN },
		{ TEXT("kswapd"), UNIT_PER_S, m->scan_kswapd_per_s, 0, 0, TEXT_UNKNOWN },
		{ TEXT("faults"), UNIT_PER_S, m->faults_per_s, 0, 0, TEXT_UNKNOWN },
	};
	int bar = c->cols >= 120 ? 40 : c->cols >= 60 ? 20 : 5;
	canvas_put(c, 0, 0, TEXT("used"), STYLE_DIM);
	canvas_bar(c, 0, 5, bar, m->used_pct, style_of(m->used_pct, 85, 95));
	canvas_number(c, 0, 5 + bar, 6, UNIT_PCT, m->used_pct, style_of(m->used_pct, 85, 95));
	draw_items(c, 0, 13 + bar, c->cols - 13 - bar, head, ARRAY_LEN(head));
	draw_items(c, 1, 0, c->cols, moves, ARRAY_LEN(moves));
	if (c->rows < HEADER_ROWS)
		return;
	draw_holds(m, c, 2);
	draw_history_line(in, c, 4, TEXT("used"), SEC_MEM, m, MEM_used_pct, 100);
	if (!draw_reason(in, c, 5, 0, SEC_PSI))
		draw_history_line(in, c, 5, TEXT("stalled (psi)"), SEC_PSI, psi, PSI_some_pct, 100);
	int end = canvas_put(c, 7, 0, TEXT("WHO HAS IT"), STYLE_HEAD);
	draw_reason(in, c, 7, end + 2, SEC_TASK);
}

static bool shows(const struct pane_input *in, const void *view, const void *row)
{
	(void)in;
	(void)view;
	return ((const struct task_row *)row)->is_kthread != 1;
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	(void)in;
	(void)view;
	if (row)
		step_to_task(out, row);
	return row != NULL;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("PID"), .field = TASK_tgid, .width = 7 },
	{ .heading = TEXT_INIT("COMM"), .field = TASK_comm, .width = 15 },
	{ .heading = TEXT_INIT("RSS"), .field = TASK_rss_bytes, .width = 7 },
	{ .heading = TEXT_INIT("GROWTH/s"), .field = TASK_rss_bytes_per_s, .width = 8,
	  .warn = 1 << 20, .bad = 64 << 20 },
	{ .heading = TEXT_INIT("SWAP"), .field = TASK_swap_bytes, .width = 7, .warn = 1 },
	{ .heading = TEXT_INIT("MAJFLT/s"), .field = TASK_major_faults_per_s, .width = 8,
	  .warn = 10, .bad = 100 },
	{ .heading = TEXT_INIT("VIRT"), .field = TASK_virtual_bytes, .width = 7 },
	{ .heading = TEXT_INIT("CPU"), .field = TASK_cpu_pct, .width = 6 },
	{ .heading = TEXT_INIT("CGROUP"), .field = TASK_cgroup, .width = 24, .min_screen = 15 },
	{ .heading = TEXT_INIT("COMMAND"), .field = TASK_cmdline, .width = 0, .min_screen = 10,
	  .cell = task_command },
};

static const struct table table = {
	.sec = SEC_TASK,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 2,
	.key = { TASK_tgid, TASK_start_ns },
	.shows = shows,
};

const struct pane pane_memory = {
	.name = "memory",
	.title = TEXT_INIT("MEMORY"),
	.rung = 2,
	.needs = SEC_BIT(SEC_MEM),
	.wants = SEC_BIT(SEC_PSI) | SEC_BIT(SEC_TASK),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
	.descend = descend,
};
