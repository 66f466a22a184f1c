/* Reading a kernel map as a whole, the copies of every CPU handed over together. */
#ifndef COLLECTORS_PROBES_KMAP_H
#define COLLECTORS_PROBES_KMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/** What the kernel says about a map; the fd is borrowed. */
struct kmap {
	int fd;
	uint32_t type, key_bytes, value_bytes, max_entries;
	uint32_t copies;      /* values per key: possible CPUs, or 1 */
	uint32_t copy_bytes;  /* distance from one copy to the next */
};

/** Ask the kernel about a map. */
int kmap_init(struct kmap *m, int fd, struct err *e);

/** One entry: its key and m->copies values; a non-zero result ends the reading and is returned. */
typedef int kmap_fn(void *ctx, const struct kmap *m, const void *key, const void *values);

/** Call fn for every entry; hash entries added meanwhile may or may not be seen. */
int kmap_each(const struct kmap *m, kmap_fn *fn, void *ctx, struct err *e);

/** Sum over the copies of the 64-bit number at byte offset `at` of a value. */
uint64_t kmap_sum(const struct kmap *m, const void *values, uint32_t at);

/** Largest of the copies. */
uint64_t kmap_max(const struct kmap *m, const void *values, uint32_t at);

/** Kernel memory of a map; unknown when the kernel does not say. */
uint64_t kmap_memory_bytes(int fd);

#endif
