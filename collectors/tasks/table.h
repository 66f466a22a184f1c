/* From readings to rows: threads become processes, counters become rates. */
#ifndef COLLECTORS_TASKS_TABLE_H
#define COLLECTORS_TASKS_TABLE_H

#include "base/map.h"
#include "collectors/collector.h"
#include "collectors/tasks/cgroup_names.h"
#include "collectors/tasks/reading.h"

/** Sums of one process in one reading. */
struct process_sum {
	const struct task_record *leader; /* borrowed from the reading; NULL: not seen */
	uint64_t start_boot_ns;
	struct task_counters total; /* live and exited threads */
	/* Live threads only know these; what was seen of exited ones is kept. */
	uint64_t runq_ns, io_wait_ns;
	uint64_t runq_growth_ns, io_wait_growth_ns;
	uint32_t tgid, threads_running, threads_in_d, threads_seen;
};

/** All processes of one reading, found by tgid. Zeroed is empty. */
struct process_sums {
	VEC(struct process_sum) rows;
	struct map by_tgid;
};

/** The sums of that very process, borrowed, or NULL: another start is another process. */
const struct process_sum *process_sums_find(const struct process_sums *s, uint32_t tgid,
					    uint64_t start_boot_ns);

/** This reading and the one before. Zeroed: no reading yet. */
struct task_table {
	struct task_reading readings[2];
	struct process_sums sums[2];
	uint32_t now;       /* index of the newest */
	uint32_t nreadings; /* since the source was chosen; rates need two */
};

/** The reading to fill next; it becomes the newest at task_table_sum(). */
struct task_reading *task_table_next(struct task_table *t);

/** Group the reading just filled into processes; -ENOMEM when memory is used up (nothing changed).
 */
int task_table_sum(struct task_table *t, struct err *e);

/** TASK rows of the newest reading. Paths come through names, which reads below proc_fd. */
void task_table_rows(const struct task_table *t, struct cgroup_names *names, int proc_fd,
		     struct frame_builder *b);

/** THREAD rows of one process (start_boot_ns 0: any) from the newest reading, rates against the one
 * before. */
void task_table_threads(const struct task_table *t, uint32_t tgid, uint64_t start_boot_ns,
			struct frame_builder *b);

/** Forget all readings: the next one comes from another source, whose counters cannot be compared.
 */
void task_table_reset(struct task_table *t);

/** Free the memory; empty and usable after. */
void task_table_fini(struct task_table *t);

#endif
