/*
 * A child process for reads that can hang. A thread blocked in the kernel would keep rung from
 * ending; a child is abandoned and replaced. Questions and answers never wait.
 */
#ifndef COLLECTORS_PROC_HELPER_H
#define COLLECTORS_PROC_HELPER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/** Bytes of a file that are handed over; a longer one is marked as cut. */
#define HELPER_TEXT_BYTES 256u

struct helper;

/** What became of one question. */
struct helper_answer {
	uint64_t key;    /* the asker's own */
	int32_t code;    /* 0, or the errno of the read; ETIMEDOUT: it hung and was given up */
	uint32_t len;    /* of bytes */
	uint32_t is_cut; /* 1 when there was more */
	char bytes[HELPER_TEXT_BYTES]; /* the kernel's: not clean, not ended by NUL */
};

/** End the child and free, without waiting for one that hangs; accepts NULL. */
void helper_free(struct helper *h);

/** Fork a child that reads below dir_fd (borrowed for its life); NULL with words when none can
 * be had. */
struct helper *helper_start(int dir_fd, struct err *e) MUST_CHECK;

/** Ask for the start of a file; the answer carries the key. -EAGAIN: too many questions are open,
 * or too many children hang; -ENAMETOOLONG. */
int helper_ask(struct helper *h, uint64_t key, const char *path, uint64_t now_ns);

/** Take one answer; false when there is none yet. A child that has not answered for three
 * seconds is replaced. */
bool helper_take(struct helper *h, uint64_t now_ns, struct helper_answer *a);

/** Children that hang in the kernel now. */
uint32_t helper_hung(const struct helper *h);

/** CPU time of the present child. */
uint64_t helper_cpu_ns(const struct helper *h);

#endif
