/* tracepoint:category:name, described by tracefs' events/<category>/<name>/format. */
#include "lang/provider.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lang/tracefs.h"

#define TARGET_BYTES 160

struct listing {
	const struct lang_host *host;
	const char *prefix;
	char category[TARGET_BYTES];
	bool (*offer)(void *ctx, const char *target);
	void *ctx;
	bool goes_on;
};

static bool offer_name(void *ctx, const char *name)
{
	struct listing *l = ctx;
	char target[TARGET_BYTES * 2 + 2];

	snprintf(target, sizeof(target), "%s:%.160s", l->category, name);
	if (strncmp(target, l->prefix, strlen(l->prefix)) == 0)
		l->goes_on = l->offer(l->ctx, target);
	return l->goes_on;
}

static bool offer_category(void *ctx, const char *category)
{
	struct listing *l = ctx;
	const char *colon = strchr(l->prefix, ':');
	size_t n = colon ? (size_t)(colon - l->prefix) : strlen(l->prefix);
	char path[TARGET_BYTES + 16];

	if (strncmp(category, l->prefix, n) != 0 || (colon && category[n]))
		return true;
	snprintf(l->category, sizeof(l->category), "%s", category);
	snprintf(path, sizeof(path), "events/%s", l->category);
	tracefs_list(l->host->tracefs_fd, path, offer_name, l);
	return l->goes_on;
}

static void list(const struct lang_host *host, const char *prefix,
		 bool (*offer)(void *ctx, const char *target), void *ctx)
{
	struct listing l = {
		.host = host, .prefix = prefix, .offer = offer, .ctx = ctx, .goes_on = true
	};

	if (host->tracefs_fd >= 0)
		tracefs_list(host->tracefs_fd, "events", offer_category, &l);
}

static bool offer_nearest(void *ctx, const char *target)
{
	nearest_offer(ctx, target);
	return true;
}

static int not_found(struct compile *c, const struct clause *clause)
{
	struct nearest nearest;
	int rc = compile_fail(c, clause->span, EINVAL, "no tracepoint '%s' on this host",
			      clause->target);

	nearest_init(&nearest, clause->target);
	list(c->host, "", offer_nearest, &nearest);
	nearest_hint(&nearest, c->diag);
	return rc;
}

static int resolve(struct compile *c, struct clause *clause)
{
	const char *colon = strchr(clause->target, ':');
	char path[TARGET_BYTES * 2 + 32], *format;
	int rc;

	if (!colon || colon == clause->target || !colon[1] || strchr(colon + 1, ':') ||
	    strchr(clause->target, '/') || clause->target[0] == '.')
		return compile_fail(c, clause->span, EINVAL,
				    "a tracepoint is written tracepoint:category:name");
	if (c->host->tracefs_fd < 0)
		return compile_fail(
		    c, clause->span, EINVAL,
		    "tracepoints are unknown: tracefs is not mounted or not readable");
	if (strlen(clause->target) > TARGET_BYTES)
		return not_found(c, clause);
	snprintf(path, sizeof(path), "events/%.*s/%s/format", (int)(colon - clause->target),
		 clause->target, colon + 1);
	format = tracefs_read(c->arena, c->host->tracefs_fd, path);
	if (!format && errno == ENOENT)
		return not_found(c, clause);
	if (!format)
		return compile_fail(c, clause->span, errno == ENOMEM ? ENOMEM : EINVAL,
				    "cannot read %s: %s", path, strerror(errno));
	rc = tracefs_parse_format(c->arena, format, strncmp(clause->target, "syscalls:", 9) == 0,
				  clause);
	if (rc == -ENOMEM)
		return compile_nomem(c);
	if (rc)
		return compile_fail(c, clause->span, EINVAL,
				    "%s is not a format this program knows", path);
	return 0;
}

const struct provider provider_tracepoint = {
	.name = "tracepoint",
	.alias = "t",
	.prog_type = BPF_PROG_TYPE_TRACEPOINT,
	/* Returning 1 lets other users of the event still see it. */
	.returns = 1,
	.resolve = resolve,
	.list = list,
};
