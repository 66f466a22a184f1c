/* Reads what a BPF iterator writes: records of one size, until the end. */
#ifndef COLLECTORS_TASKS_DRAIN_H
#define COLLECTORS_TASKS_DRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/** Read fd to its end into a growable array of elem_bytes each, and close it. -errno with words;
 * *len is what came. */
int iter_drain(int fd, void **ptr, uint32_t *len, uint32_t *cap, size_t elem_bytes, struct err *e);

#endif
