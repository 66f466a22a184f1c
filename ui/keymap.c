/* Keymap files parsed into lines; the last line that binds a key in a context wins. */
#include "ui/keymap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

#define KEYS_PER_LINE 8

/* One line of a keymap file. */
struct binding {
	const char *context;
	const char *keys; /* as written, for help */
	const char *help;
	enum action action;
	uint32_t key[KEYS_PER_LINE];
	uint32_t nkeys;
};

struct keymap {
	VEC(struct binding) lines;
	struct arena arena;
};

struct keymap *keymap_new(void)
{
	return calloc(1, sizeof(struct keymap));
}

void keymap_free(struct keymap *k)
{
	if (!k)
		return;
	VEC_FINI(&k->lines);
	arena_fini(&k->arena);
	free(k);
}

/* The next word of a line: from *at to before end; its length, 0 at the end. */
static size_t word(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	const char *p = *at;
	while (p < end && *p != ' ' && *p != '\t')
		p++;
	return (size_t)(p - *at);
}

static bool is_action(const char *name, size_t len)
{
	return action_by_name(name, len) != ACT_NONE || (len == 4 && !memcmp(name, "none", 4));
}

static int parse_keys(struct keymap *k, struct binding *b, const char **at, const char *end, struct err *e)
{
	const char *first = NULL, *last = NULL;
	size_t len;

	for (; (len = word(at, end)) && !is_action(*at, len); *at += len) {
		const char *name = arena_dup(&k->arena, *at, len), *p = name;
		if (!name)
			return err_set(e, ENOMEM, "out of memory");
		if (b->nkeys == KEYS_PER_LINE)
			return err_set(e, EINVAL, "more than %d keys on one line", KEYS_PER_LINE);
		b->key[b->nkeys] = key_parse(&p);
		if (!b->key[b->nkeys++] || *p)
			return err_set(e, EINVAL, "'%s' is neither a key nor an action", name);
		first = first ? first : *at;
		last = *at + len;
	}
	if (!len)
		return err_set(e, EINVAL, "no action on this line");
	if (!first)
		return err_set(e, EINVAL, "no key on this line");
	b->keys = arena_dup(&k->arena, first, (size_t)(last - first));
	return b->keys ? 0 : err_set(e, ENOMEM, "out of memory");
}

static int parse_line(struct keymap *k, const char *at, const char *end, struct err *e)
{
	struct binding b = { 0 };
	size_t len = word(&at, end);

	if (!len || *at == '#')
		return 0;
	b.context = arena_dup(&k->arena, at, len);
	if (!b.context)
		return err_set(e, ENOMEM, "out of memory");
	at += len;
	int rc = parse_keys(k, &b, &at, end, e);
	if (rc)
		return rc;
	len = word(&at, end);
	b.action = action_by_name(at, len);
	at += len;
	word(&at, end);
	b.help = at < end ? arena_dup(&k->arena, at, (size_t)(end - at)) : action_descs[b.action].help;
	struct binding *slot = b.help ? VEC_ADD(&k->lines) : NULL;
	if (!slot)
		return err_set(e, ENOMEM, "out of memory");
	*slot = b;
	return 0;
}

int keymap_parse(struct keymap *k, const char *file, const char *bytes, size_t len, struct err *e)
{
	const char *end = bytes + len;

	for (uint32_t line = 1; bytes < end; line++) {
		const char *eol = memchr(bytes, '\n', (size_t)(end - bytes));
		const char *stop = eol ? eol : end;
		if (parse_line(k, bytes, stop > bytes && stop[-1] == '\r' ? stop - 1 : stop, e))
			return err_at(e, "%s:%u: ", file, line);
		bytes = eol ? eol + 1 : end;
	}
	return 0;
}

static const struct binding *find(const struct keymap *k, const char *context, uint32_t key)
{
	for (uint32_t i = k->lines.len; i-- > 0;) {
		const struct binding *b = &k->lines.ptr[i];
		if (strcmp(b->context, context))
			continue;
		for (uint32_t j = 0; j < b->nkeys; j++)
			if (b->key[j] == key)
				return b;
	}
	return NULL;
}

static const struct binding *resolve(const struct keymap *k, const char *context, bool is_table, uint32_t key)
{
	const struct binding *b = find(k, context, key);

	if (!b && is_table)
		b = find(k, "table", key);
	return b ? b : find(k, "global", key);
}

enum action keymap_find(const struct keymap *k, const char *context, bool is_table, uint32_t key)
{
	const struct binding *b = resolve(k, context, is_table, key);

	return b ? b->action : ACT_NONE;
}

bool keymap_next(const struct keymap *k, const char *context, bool is_table, uint32_t *at,
		 const char **keys, enum action *action, const char **help)
{
	const char *const order[] = { context, is_table ? "table" : NULL, "global" };
	uint32_t n = k->lines.len;

	/* *at counts through the lines once per context: the most specific come first. */
	for (; n && *at < n * ARRAY_LEN(order); (*at)++) {
		const struct binding *b = &k->lines.ptr[*at % n];
		const char *want = order[*at / n];
		bool is_live = false;
		if (!want || strcmp(b->context, want) || b->action == ACT_NONE)
			continue;
		for (uint32_t j = 0; j < b->nkeys; j++)
			is_live |= resolve(k, context, is_table, b->key[j]) == b;
		if (!is_live)
			continue;
		*keys = b->keys;
		*action = b->action;
		*help = b->help;
		(*at)++;
		return true;
	}
	return false;
}
