/* The compiler: a list of passes. */
#include "lang/compile.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lang/dump.h"

static const struct {
	const char *name;
	int (*run)(struct compile *c);
} passes[] = {
	{ "parse", pass_parse },       /* text to trees, one per probe */
	{ "resolve", pass_resolve },   /* probes and their fields on this host */
	{ "type", pass_type },         /* names, types, the layout of maps */
	{ "lower", pass_lower },       /* trees to basic blocks */
	{ "allocate", pass_allocate }, /* registers and stack */
	{ "emit", pass_emit },         /* instructions */
};

/** Longest program text; positions and depths stay far below their types. */
#define TEXT_BYTES_MAX (1u << 20)

int compile_fail(struct compile *c, struct span at, int code, const char *fmt, ...)
{
	char message[sizeof(c->diag->message)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	return diag_set(c->diag, c->text, at, code, "%s", message);
}

int compile_nomem(struct compile *c)
{
	return compile_fail(c, (struct span){ 0, 1 }, ENOMEM, "memory is used up");
}

/** Run the passes up to and including the one named, NULL: all. */
static int run_passes(struct compile *c, const char *last)
{
	int rc = 0;

	if (strnlen(c->text, TEXT_BYTES_MAX + 1) > TEXT_BYTES_MAX)
		return compile_fail(c, (struct span){ 0, 1 }, EINVAL,
				    "the program is longer than 1 MiB");
	for (size_t i = 0; i < ARRAY_LEN(passes) && !rc; i++) {
		rc = passes[i].run(c);
		if (last && strcmp(passes[i].name, last) == 0)
			break;
	}
	return rc;
}

static struct compile *compile_new(const char *text, const struct lang_host *host, struct arena *a,
				   struct lang_result *out, struct diag *d)
{
	struct compile *c = arena_alloc(a, sizeof(*c));

	*d = (struct diag){ 0 };
	*out = (struct lang_result){ 0 };
	if (!c) {
		diag_set(d, text, (struct span){ 0, 1 }, ENOMEM, "memory is used up");
		return NULL;
	}
	c->text = text;
	c->host = host;
	c->arena = a;
	c->diag = d;
	c->out = out;
	return c;
}

int lang_compile(const char *text, const struct lang_host *host, struct arena *a,
		 struct lang_result *out, struct diag *d)
{
	struct compile *c = compile_new(text, host, a, out, d);

	return c ? run_passes(c, NULL) : -ENOMEM;
}

char *lang_dump(const char *text, const struct lang_host *host, const char *stage, struct arena *a,
		struct diag *d)
{
	static const struct {
		const char *stage, *last;
		char *(*dump)(const struct compile *c, struct arena *a);
	} dumps[] = {
		{ "ast", "parse", dump_ast },
		{ "ir", "lower", dump_ir },
		{ "asm", "emit", dump_asm },
	};
	struct lang_result out;
	struct compile *c = compile_new(text, host, a, &out, d);

	for (size_t i = 0; c && i < ARRAY_LEN(dumps); i++) {
		if (strcmp(dumps[i].stage, stage) == 0)
			return run_passes(c, dumps[i].last) ? NULL : dumps[i].dump(c, a);
	}
	if (c)
		compile_fail(c, (struct span){ 0, 1 }, EINVAL, "no stage '%s': ast, ir or asm",
			     stage);
	return NULL;
}
