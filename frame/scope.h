/* What is looked at, and one step down the ladder. */
#ifndef FRAME_SCOPE_H
#define FRAME_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum scope_kind {
	SCOPE_HOST,
	SCOPE_CGROUP,
	SCOPE_PROCESS,
	SCOPE_THREAD,
	SCOPE_DEVICE,
	SCOPE_INTERFACE,
	SCOPE_FUNCTION
};

/** What a pane, probe or finding is about. Zeroed is the whole host. */
struct scope {
	enum scope_kind kind;
	uint32_t tgid;        /* process and thread; 0 otherwise */
	uint32_t tid;         /* thread only */
	uint64_t start_ns;    /* with tgid the identity; 0: not known */
	uint32_t major, minor; /* device */
	struct text_buf name; /* comm, device, interface, cgroup path or function */
};

/** "host", "pid 4312", "tid 7", "nvme0n1", "eth0", "cgroup /x": also what probe rows carry. */
struct text scope_text(struct arena *a, const struct scope *s);

/** With the name: "report.py[4312]", "host", "nvme0n1". */
struct text scope_label(struct arena *a, const struct scope *s);

/** Same kind and identity (names of processes are not compared). */
bool scope_eq(const struct scope *a, const struct scope *b);

/** Scope of a process. */
struct scope scope_process(uint32_t tgid, uint64_t start_ns, struct text comm);

/** One step: where Enter leads, with the scope carried and the evidence that pointed there. */
struct step {
	uint32_t rung;         /* 1-5; 0: there is no further step */
	const char *pane;      /* name of the pane to show */
	const char *tool;      /* rung 4: tool to start; NULL otherwise */
	struct scope scope;
	struct text_buf arg;   /* pane-specific: a syscall to stream, text to pre-fill at the prompt */
	struct text_buf why;   /* evidence, written to the trail */
};

#endif
