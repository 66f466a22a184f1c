/* Bump memory with one lifetime: per frame, per compile, per draw. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/attr.h"

struct arena_chunk;

/** A bump allocator; zeroed is a valid empty arena without a limit. */
struct arena {
	struct arena_chunk *head;
	size_t used_bytes;  /* handed out since the last reset */
	size_t held_bytes;  /* taken from the system */
	size_t limit_bytes; /* held_bytes may not pass this; 0: no limit */
};

/** Zeroed memory aligned to 16 bytes that lives until reset or fini; NULL when memory or limit is used up. */
void *arena_alloc(struct arena *a, size_t size_bytes) MUST_CHECK;

/** arena_alloc() of n elements, NULL also when n * size overflows. */
void *arena_array(struct arena *a, size_t n, size_t size_bytes) MUST_CHECK;

/** Copy of len bytes with a NUL appended; NULL when memory is used up. */
char *arena_dup(struct arena *a, const char *bytes, size_t len) MUST_CHECK;

/** Formatted NUL-terminated bytes (untrusted ones stay untrusted); NULL when memory is used up. */
PRINTF_LIKE(2, 3)
char *arena_printf(struct arena *a, const char *fmt, ...) MUST_CHECK;

/** Forget everything allocated, keep one chunk for the next round. */
void arena_reset(struct arena *a);

/** Return all memory; the arena is empty and usable after. */
void arena_fini(struct arena *a);

#endif
