/* Completion: what may stand where the cursor is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "lang/builtin.h"
#include "lang/provider.h"

struct offers {
	VEC(char *) words;
	const char *prefix; /* what is typed of the word */
	const char *before; /* put in front of each word */
	const char *after;
	bool is_broken;
};

static bool offer(void *ctx, const char *word)
{
	struct offers *o = ctx;
	char **slot, *text = NULL;

	if (strncmp(word, o->prefix, strlen(o->prefix)) != 0)
		return true;
	slot = VEC_ADD(&o->words);
	if (!slot || asprintf(&text, "%s%s%s", o->before, word, o->after) < 0) {
		o->is_broken = true;
		return false;
	}
	*slot = text;
	return true;
}

static bool is_word_byte(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       ch == '_';
}

/** True when byte at of the line is inside a body or filter rather than in an attach point. */
static bool in_code(const char *line, size_t at)
{
	int depth = 0;
	bool in_filter = false;

	for (size_t i = 0; i < at; i++) {
		if (line[i] == '/' && depth == 0)
			in_filter = !in_filter;
		depth += line[i] == '{' ? 1 : line[i] == '}' ? -1 : 0;
	}
	return depth > 0 || in_filter;
}

/** The fields of the probe typed last before at. */
static void offer_fields(struct offers *o, const char *line, size_t at,
			 const struct lang_host *host)
{
	struct arena arena = { 0 };
	struct diag d;
	struct compile *c = arena_alloc(&arena, sizeof(*c));
	struct clause clause = { 0 };
	char *text = arena_dup(&arena, line, at);
	const char *start = NULL;

	for (size_t i = 0; text && i < at; i++) {
		for (size_t p = 0; p < providers_len; p++) {
			size_t n = strlen(providers[p]->name);

			if (strncmp(text + i, providers[p]->name, n) != 0 || text[i + n] != ':' ||
			    (i && is_word_byte(text[i - 1])))
				continue;
			start = text + i + n + 1;
			clause.resolved = providers[p];
		}
	}
	if (c && start) {
		*c = (struct compile){ .text = text, .host = host, .arena = &arena, .diag = &d };
		clause.target = arena_dup(&arena, start, strcspn(start, " \t\n/{,"));
		if (clause.target && clause.resolved->resolve(c, &clause) == 0) {
			for (uint32_t i = 0; i < clause.nfields; i++)
				offer(o, clause.fields[i].name);
		}
	}
	arena_fini(&arena);
}

static void offer_names(struct offers *o)
{
	for (size_t s = 0; s < builtin_sets_len; s++) {
		for (size_t i = 0; i < builtin_sets[s]->len; i++)
			offer(o, builtin_sets[s]->items[i].name);
	}
	offer(o, "args.");
	o->after = "(";
	for (size_t i = 0; i < functions_len; i++)
		offer(o, functions[i].name);
	for (size_t i = 0; i < aggregates_len; i++)
		offer(o, aggregates[i].name);
	for (size_t i = 0; i < actions_len; i++)
		offer(o, actions[i].name);
}

static void offer_probes(struct offers *o, const char *word, const struct lang_host *host)
{
	const char *colon = strchr(word, ':');
	const struct provider *provider;
	char name[32], before[40];

	if (!colon) {
		o->after = ":";
		for (size_t i = 0; i < providers_len; i++)
			offer(o, providers[i]->name);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(colon - word), word);
	provider = provider_find(name);
	if (!provider)
		return;
	snprintf(before, sizeof(before), "%s:", name);
	o->before = before;
	o->prefix = colon + 1;
	provider->list(host, colon + 1, offer, o);
	o->before = "";
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/** Sort, drop doubles, and pack all words behind their pointers so that one free() releases them.
 */
static char **pack(struct offers *o)
{
	size_t bytes = 0, n = 0;
	char **packed, *at;

	if (o->words.len)
		qsort(o->words.ptr, o->words.len, sizeof(char *), by_bytes);
	for (uint32_t i = 0; i < o->words.len; i++)
		bytes += strlen(o->words.ptr[i]) + 1;
	packed = malloc((o->words.len + 1u) * sizeof(char *) + bytes);
	if (!packed)
		return NULL;
	at = (char *)(packed + o->words.len + 1);
	for (uint32_t i = 0; i < o->words.len; i++) {
		if (n && strcmp(packed[n - 1], o->words.ptr[i]) == 0)
			continue;
		packed[n++] = at;
		at = stpcpy(at, o->words.ptr[i]) + 1;
	}
	packed[n] = NULL;
	return packed;
}

char **lang_complete(const char *line, size_t at, const struct lang_host *host)
{
	struct offers o = { .before = "", .after = "" };
	bool code = in_code(line, at);
	size_t from = at;
	char **packed = NULL, *word;

	while (from > 0 && (is_word_byte(line[from - 1]) || (!code && line[from - 1] == ':')))
		from--;
	word = strndup(line + from, at - from);
	if (!word)
		return NULL;
	o.prefix = word;
	if (!code)
		offer_probes(&o, word, host);
	else if ((from >= 5 && strncmp(line + from - 5, "args.", 5) == 0) ||
		 (from >= 6 && strncmp(line + from - 6, "args->", 6) == 0))
		offer_fields(&o, line, at, host);
	else
		offer_names(&o);
	if (!o.is_broken)
		packed = pack(&o);
	for (uint32_t i = 0; i < o.words.len; i++)
		free(o.words.ptr[i]);
	VEC_FINI(&o.words);
	free(word);
	return packed;
}
