/* Wildcards in attach points: one clause per probe they match. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "lang/provider.h"

struct expansion {
	struct compile *c;
	const struct clause *written;
	struct clause ***last;
	uint32_t n;
	int rc;
};

static int append(struct expansion *x, const char *target)
{
	struct compile *c = x->c;
	struct clause *clause;

	if (c->nclauses == LANG_PROGS_MAX)
		return compile_fail(c, x->written->span, EINVAL, "more than %d probes",
				    LANG_PROGS_MAX);
	clause = arena_alloc(c->arena, sizeof(*clause));
	if (!clause)
		return compile_nomem(c);
	*clause = *x->written;
	clause->target = arena_dup(c->arena, target, strlen(target));
	if (!clause->target)
		return compile_nomem(c);
	c->nclauses++;
	x->n++;
	**x->last = clause;
	*x->last = &clause->next;
	return 0;
}

static bool offer(void *ctx, const char *target)
{
	struct expansion *x = ctx;

	if (fnmatch(x->written->target, target, FNM_NOESCAPE) == 0)
		x->rc = append(x, target);
	return x->rc == 0;
}

int expand_clause(struct compile *c, const struct clause *written, struct clause ***last)
{
	const struct provider *provider = provider_find(written->provider);
	struct expansion x = { .c = c, .written = written, .last = last };
	char prefix[64];
	size_t n = strcspn(written->target, "*?[");

	/* An unknown provider is the resolve pass's complaint. */
	if (!provider || !written->target[n])
		return append(&x, written->target);
	/* What stands before the first wildcard narrows the listing. */
	if (n >= sizeof(prefix))
		n = 0;
	memcpy(prefix, written->target, n);
	prefix[n] = '\0';
	if (n && !memchr(prefix, ':', n))
		prefix[0] = '\0';
	provider->list(c->host, prefix, offer, &x);
	if (!x.rc && !x.n)
		return compile_fail(c, written->span, EINVAL, "no %s matches '%s' on this host",
				    provider->name, written->target);
	return x.rc;
}
