/* Which probe types there are, and the pass that finds each clause's probe. */
#include "lang/provider.h"

#include <errno.h>
#include <string.h>

extern const struct provider provider_tracepoint;

const struct provider *const providers[] = { &provider_tracepoint };
const size_t providers_len = ARRAY_LEN(providers);

/** Probe types of the language that have no provider. */
static const char *const unsupported[] = {
	"BEGIN",    "END", "begin",     "end",   "kprobe",   "k",        "kretprobe",     "kr",
	"fentry",   "f",   "fexit",     "fr",    "kfunc",    "kretfunc", "rawtracepoint", "rt",
	"uprobe",   "u",   "uretprobe", "ur",    "usdt",     "U",        "profile",       "p",
	"interval", "i",   "software",  "s",     "hardware", "h",        "watchpoint",    "w",
	"iter",     "it",  "self",      "bench", "test",
};

/** Words that open a definition rather than a probe. */
static const char *const definitions[] = { "config", "macro",    "fn",      "let", "import",
					   "struct", "#include", "#define", "#!" };

const struct provider *provider_find(const char *name)
{
	for (size_t i = 0; i < providers_len; i++) {
		if (strcmp(providers[i]->name, name) == 0 || strcmp(providers[i]->alias, name) == 0)
			return providers[i];
	}
	return NULL;
}

const struct field *field_find(const struct clause *clause, const char *name)
{
	for (uint32_t i = 0; i < clause->nfields; i++) {
		if (strcmp(clause->fields[i].name, name) == 0)
			return &clause->fields[i];
	}
	return NULL;
}

static bool is_among(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

static int unknown_provider(struct compile *c, const struct clause *clause)
{
	struct span at = { clause->span.at, (uint32_t)strlen(clause->provider) };
	struct nearest nearest;
	int rc;

	if (is_among(unsupported, ARRAY_LEN(unsupported), clause->provider))
		return compile_fail(c, at, ENOSYS, "unsupported: %s probes", clause->provider);
	if (is_among(definitions, ARRAY_LEN(definitions), clause->provider))
		return compile_fail(c, at, ENOSYS, "unsupported: %s", clause->provider);
	rc = compile_fail(c, at, EINVAL, "unknown probe type '%s'", clause->provider);
	nearest_init(&nearest, clause->provider);
	for (size_t i = 0; i < providers_len; i++)
		nearest_offer(&nearest, providers[i]->name);
	nearest_hint(&nearest, c->diag);
	return rc;
}

int pass_resolve(struct compile *c)
{
	for (struct clause *clause = c->clauses; clause; clause = clause->next) {
		int rc;

		clause->resolved = provider_find(clause->provider);
		if (!clause->resolved)
			return unknown_provider(c, clause);
		rc = clause->resolved->resolve(c, clause);
		if (rc)
			return rc;
	}
	return 0;
}
