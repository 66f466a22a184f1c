/* Where frames come from: live or a recording; nothing else asks which. */
#ifndef FRAME_SOURCE_H
#define FRAME_SOURCE_H

#include "base/err.h"
#include "frame/frame.h"
#include "frame/scope.h"

enum request_kind {
	REQUEST_FOCUS,       /* sections on screen and their scope: collectors on demand follow it */
	REQUEST_PROBE_START, /* tool by name, or program when tool is empty */
	REQUEST_PROBE_STOP,  /* probe_id */
	REQUEST_SAMPLE_NOW
};

/** What the console asks of the side that samples. Plain data, copied. */
struct request {
	enum request_kind kind;
	uint64_t needs;       /* SEC_BIT()s on screen */
	struct scope scope;
	char tool[32];
	char arg[64];         /* tool-specific: the syscall to stream */
	char program[4096];   /* bespoke program text */
	uint32_t probe_id;    /* to stop; on start 0 */
	double budget_cpu_pct; /* what the probe may cost, 100 is one CPU; 0: the default */
};

/** A stream of frames. Implementations embed it first. */
struct source {
	int fd; /* readable when next() has something; -1: always */
	/** A frame with a reference for the caller, or NULL when there is none at present. */
	struct frame *(*next)(struct source *s);
	/** Queue a request; -errno with words when it cannot be had (a recording has no probes). */
	int (*ask)(struct source *s, const struct request *r, struct err *e);
	/** Stop and free. */
	void (*close)(struct source *s);
};

#endif
