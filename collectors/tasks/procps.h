/* Tasks from /proc, for kernels and users without BPF: coarser and dearer, but always there. */
#ifndef COLLECTORS_TASKS_PROCPS_H
#define COLLECTORS_TASKS_PROCPS_H

#include "collectors/tasks/reading.h"

struct pids_info;

/** Add every process of the live /proc, one record each holding the sums of its threads. *info is
 * made at the first call; -errno with words. */
int procps_read_processes(struct pids_info **info, struct task_reading *r, struct err *e);

/** procps_read_processes() that stops at mono_ns; *is_cut says whether processes are missing for it. */
int procps_read_until(struct pids_info **info, uint64_t mono_ns, struct task_reading *r, bool *is_cut, struct err *e);

/** procps_read_processes() of at most 16 processes only; those that are gone are left out. */
int procps_read_some(struct pids_info **info, struct task_reading *r, uint32_t *tgids, uint32_t n,
		     struct err *e);

/** Release; accepts NULL inside. */
void procps_release(struct pids_info **info);

/** Add the threads of one process below proc_fd; -errno with words when the process is gone. */
int procfs_read_threads(int proc_fd, uint32_t tgid, struct task_reading *r, struct err *e);

#endif
