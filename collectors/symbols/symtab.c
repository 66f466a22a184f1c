#include "collectors/symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

/* Functions inside functions are rare and shallow: look this many starts back for one that still holds. */
#define NESTING_MAX 8
#define NAME_BYTES_MAX 16384u

bool symtab_add(struct symtab *t, uint64_t addr, uint64_t size, const char *name, size_t len, enum sym_rank rank)
{
	if (len > NAME_BYTES_MAX)
		len = NAME_BYTES_MAX;
	if (t->names.len > UINT32_MAX / 2 || addr + size < addr)
		return false;
	if (!vec_reserve((void **)&t->names.ptr, &t->names.cap, t->names.len + (uint32_t)len + 1, 1))
		return false;
	struct sym *s = VEC_ADD(&t->syms);
	if (!s)
		return false;
	*s = (struct sym){ addr, size, t->names.len, (uint32_t)rank };
	memcpy(t->names.ptr + t->names.len, name, len);
	t->names.ptr[t->names.len + len] = 0;
	t->names.len += (uint32_t)len + 1;
	return true;
}

/* Names are added in order, so the offset of the name breaks ties as a stable sort would. */
static int by_address(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* write rather than __write or __GI___write. */
static bool is_plainer(const char *a, const char *than)
{
	size_t x = strspn(a, "_"), y = strspn(than, "_");

	return x != y ? x < y : strlen(a) < strlen(than);
}

void symtab_sort(struct symtab *t, bool is_last_wins)
{
	uint32_t n = 0;

	if (t->syms.len)
		qsort(t->syms.ptr, t->syms.len, sizeof(t->syms.ptr[0]), by_address);
	for (uint32_t i = 0; i < t->syms.len; i++) {
		struct sym s = t->syms.ptr[i], *last = n ? &t->syms.ptr[n - 1] : NULL;
		if (!last || last->addr != s.addr) {
			t->syms.ptr[n++] = s;
			continue;
		}
		bool is_tied = s.rank == last->rank;
		if (s.rank > last->rank ||
		    (is_tied && (is_last_wins || is_plainer(symtab_name(t, &s), symtab_name(t, last)))))
			*last = s;
	}
	t->syms.len = n;
}

static bool holds(const struct sym *s, uint64_t addr, bool is_nearest)
{
	if (s->size)
		return addr - s->addr < s->size;
	if (s->rank == SYM_EXPORT_SIZELESS)
		return addr == s->addr;
	return is_nearest;
}

const struct sym *symtab_find(const struct symtab *t, uint64_t addr, uint32_t *steps)
{
	uint32_t low = 0, high = t->syms.len, nsteps = 0;
	const struct sym *found = NULL;

	for (; low < high; nsteps++) {
		uint32_t mid = low + (high - low) / 2;
		if (t->syms.ptr[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (uint32_t back = 1; back <= NESTING_MAX && back <= low && !found; back++, nsteps++)
		if (holds(&t->syms.ptr[low - back], addr, back == 1))
			found = &t->syms.ptr[low - back];
	if (steps)
		*steps = nsteps;
	return found;
}

const char *symtab_name(const struct symtab *t, const struct sym *s)
{
	return t->names.ptr + s->name;
}

size_t symtab_bytes(const struct symtab *t)
{
	return t->syms.cap * sizeof(t->syms.ptr[0]) + t->names.cap;
}

void symtab_fini(struct symtab *t)
{
	VEC_FINI(&t->syms);
	VEC_FINI(&t->names);
}
