/* One look at blocked threads, whoever took it, and how it becomes rows. */
#ifndef COLLECTORS_TASKS_STUCK_H
#define COLLECTORS_TASKS_STUCK_H

#include "base/map.h"
#include "base/vec.h"
#include "bpf/tasks_abi.h"
#include "collectors/collector.h"
#include "collectors/symbols/ksyms.h"

/** A blocked thread as /proc tells it: what the kernel half would have said, and names it could not
 * give. */
struct stuck_seen {
	struct stuck_record record; /* waited_ns unknown; depth 0 when the stack is text */
	char stack[512];            /* "a;b;c", empty when not permitted */
	bool is_syscall_denied;
};

/** What is remembered between looks. Zeroed is empty. */
struct stuck_memory {
	struct ksyms *ksyms;
	bool has_tried_ksyms;
	struct map since; /* (tid, switches) hashed to the monotonic ns of the first look that had
			     it */
	struct map since_before;
};

/** Forget threads that have run since; call before the rows of a look. */
void stuck_memory_turn(struct stuck_memory *m);

/** Free the memory; empty and usable after. */
void stuck_memory_fini(struct stuck_memory *m);

/** Add the STUCK row of a record; stack_text NULL: from the record's addresses. */
void stuck_add_row(struct stuck_memory *m, const struct stuck_record *r, const char *stack_text,
		   int proc_fd, struct frame_builder *b);

/**
 * The object behind a file descriptor of another process, in words. Only names that lead to inode
 * ino are believed; otherwise the inode itself is told. Never touches the file: it may be on a
 * server that is gone.
 */
struct text stuck_object(struct arena *a, int proc_fd, uint32_t tgid, uint32_t fd,
			 const struct stuck_record *r);

/** Call fn for every thread below proc_fd that is in D, or asleep in the process tgid. -errno with
 * words. */
int stuck_scan_proc(int proc_fd, uint32_t tgid,
		    void (*fn)(void *arg, const struct stuck_seen *seen), void *arg, struct err *e);

#endif
