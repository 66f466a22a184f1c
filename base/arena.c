#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN_BYTES 16u
#define CHUNK_BYTES ((size_t)16 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size_bytes, used_bytes;
	size_t pad; /* keeps bytes[] aligned to 16 */
	_Alignas(16) unsigned char bytes[];
};

static struct arena_chunk *chunk_new(struct arena *a, size_t size_bytes)
{
	size_t whole = sizeof(struct arena_chunk) + size_bytes;

	if (whole < size_bytes || (a->limit_bytes && a->held_bytes + whole > a->limit_bytes))
		return NULL;
	struct arena_chunk *c = malloc(whole);
	if (!c)
		return NULL;
	c->next = NULL;
	c->size_bytes = size_bytes;
	c->used_bytes = 0;
	a->held_bytes += whole;
	return c;
}

void *arena_alloc(struct arena *a, size_t size_bytes)
{
	if (size_bytes > SIZE_MAX - 2 * ALIGN_BYTES - sizeof(struct arena_chunk))
		return NULL;
	size_t need = (size_bytes + ALIGN_BYTES - 1) & ~(size_t)(ALIGN_BYTES - 1);
	if (!need)
		need = ALIGN_BYTES;
	struct arena_chunk *c = a->head;
	if (!c || c->size_bytes - c->used_bytes < need) {
		c = chunk_new(a, need > CHUNK_BYTES ? need : CHUNK_BYTES);
		if (!c)
			return NULL;
		c->next = a->head;
		a->head = c;
	}
	void *p = c->bytes + c->used_bytes;
	c->used_bytes += need;
	a->used_bytes += need;
	return memset(p, 0, size_bytes);
}

void *arena_array(struct arena *a, size_t n, size_t size_bytes)
{
	size_t total;

	if (__builtin_mul_overflow(n, size_bytes, &total))
		return NULL;
	return arena_alloc(a, total);
}

char *arena_dup(struct arena *a, const char *bytes, size_t len)
{
	if (len == SIZE_MAX)
		return NULL;
	char *p = arena_alloc(a, len + 1);
	if (p && len)
		memcpy(p, bytes, len);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *p = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
	if (p)
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *keep = a->head;

	if (!keep)
		return;
	for (struct arena_chunk *c = keep->next, *next; c; c = next) {
		next = c->next;
		a->held_bytes -= sizeof(*c) + c->size_bytes;
		free(c);
	}
	keep->next = NULL;
	keep->used_bytes = 0;
	a->used_bytes = 0;
}

void arena_fini(struct arena *a)
{
	for (struct arena_chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	a->head = NULL;
	a->used_bytes = a->held_bytes = 0;
}
