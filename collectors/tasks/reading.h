/* One look at all tasks of the host, whoever took it. */
#ifndef COLLECTORS_TASKS_READING_H
#define COLLECTORS_TASKS_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "bpf/tasks_abi.h"

/** Records in ascending order of tid, and when they were taken. Zeroed is empty. */
struct task_reading {
	VEC(struct task_record) records;
	uint64_t mono_ns, boot_ns;
	bool has_threads; /* false: one record per process, holding the sums of its threads */
};

/** Forget the records, keep the memory, note the time. */
void task_reading_start(struct task_reading *r);

/** A new record with every value unknown, or NULL when memory is used up. */
struct task_record *task_reading_add(struct task_reading *r);

/** Put the records in order when their source did not. */
void task_reading_sort(struct task_reading *r);

/** Free the memory; empty and usable after. */
void task_reading_fini(struct task_reading *r);

/** Parents of records that have no record themselves, each once: at most max of them go to tgids;
 * how many. */
uint32_t task_reading_missing_parents(const struct task_reading *r, uint32_t *tgids, uint32_t max);

/** The resolution of start times: what /proc has, so that an identity is the same whoever read it.
 */
uint64_t task_tick_ns(void);

/** Read an iterator's fd to its end into the reading and close it; -errno with words. */
int task_reading_drain(struct task_reading *r, int fd, struct err *e);

/** The letter ps shows for the kernel's state bits (R S D T t X Z P I). */
uint32_t task_state_char(uint32_t kernel_state);

/** State bits that task_state_char() turns into that letter; for sources that only have letters. */
uint32_t task_state_of_char(char letter);

#endif
