#include "collectors/symbols/names.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The demangler's work can grow faster than its input. */
#define MANGLED_BYTES_MAX 2048u
/* What a table or a report can use; the rest of a C++ name is template arguments. */
#define SHOWN_BYTES_MAX 512u
#define ARENA_BYTES_MAX ((size_t)32 << 20)

static const struct symbol no_room = { TEXT_INIT("[names full]"), TEXT_INIT("[names full]"), false, false, false };

char *names_demangle(const char *raw)
{
	if (raw[0] != '_' || strlen(raw) > MANGLED_BYTES_MAX)
		return NULL;
	return cplus_demangle(raw, raw[1] == 'D' ? DMGL_DLANG : DMGL_AUTO | DMGL_ANSI);
}

static struct text clean(struct arena *a, const char *raw)
{
	size_t len = strnlen(raw, SHOWN_BYTES_MAX);

	/* A multi-byte glyph cut in half is shown as dots by the cleaning. */
	return text_clean(a, raw, len);
}

static uint64_t key_of(const char *raw, const char *object, const struct symbol *flags)
{
	uint64_t parts[3] = { map_hash(raw, strlen(raw)), map_hash(object, strlen(object)),
			      (uint64_t)flags->is_kernel | (uint64_t)flags->is_exact << 1 |
				      (uint64_t)flags->is_resolved << 2 };

	return map_hash(parts, sizeof(parts));
}

static struct symbol *symbol_new(struct names *n, const char *raw, const char *object, const struct symbol *flags)
{
	n->arena.limit_bytes = ARENA_BYTES_MAX;
	struct symbol *s = arena_alloc(&n->arena, sizeof(*s));
	if (!s)
		return NULL;
	char *plain = flags->is_kernel ? NULL : names_demangle(raw);
	*s = *flags;
	s->symbol = clean(&n->arena, plain ? plain : raw);
	s->object = clean(&n->arena, object);
	free(plain);
	return s->symbol.utf8 && s->object.utf8 ? s : NULL;
}

const struct symbol *names_symbol(struct names *n, const char *raw, const char *object, const struct symbol *flags)
{
	uint64_t key = key_of(raw, object, flags), *known = map_get(&n->known, key);

	if (known)
		return (const struct symbol *)(uintptr_t)*known;
	const struct symbol *s = symbol_new(n, raw, object, flags);
	if (!s || !map_put(&n->known, key, (uintptr_t)s)) {
		n->refused++;
		return &no_room;
	}
	return s;
}

struct text names_word(struct names *n, const char *raw)
{
	uint64_t key = map_hash(raw, strlen(raw)), *known = map_get(&n->words, key);

	if (known)
		return *(const struct text *)(uintptr_t)*known;
	n->arena.limit_bytes = ARENA_BYTES_MAX;
	struct text *t = arena_alloc(&n->arena, sizeof(*t));
	if (t)
		*t = clean(&n->arena, raw);
	if (!t || !t->utf8 || !map_put(&n->words, key, (uintptr_t)t)) {
		n->refused++;
		return TEXT_UNKNOWN;
	}
	return *t;
}

void names_fini(struct names *n)
{
	map_fini(&n->known);
	map_fini(&n->words);
	arena_fini(&n->arena);
}
