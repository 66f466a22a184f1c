#include "frame/scope.h"

#include <string.h>

static const char *const name_prefix[] = {
	[SCOPE_CGROUP] = "cgroup ", [SCOPE_DEVICE] = "", [SCOPE_INTERFACE] = "", [SCOPE_FUNCTION] = "",
};

struct text scope_text(struct arena *a, const struct scope *s)
{
	switch (s->kind) {
	case SCOPE_HOST: return TEXT("host");
	case SCOPE_PROCESS: return text_printf(a, "pid %u", s->tgid);
	case SCOPE_THREAD: return text_printf(a, "tid %u", s->tid);
	default: return text_printf(a, "%s%s", name_prefix[s->kind], s->name.utf8);
	}
}

struct text scope_label(struct arena *a, const struct scope *s)
{
	if (s->kind == SCOPE_PROCESS && s->name.len)
		return text_printf(a, "%s[%u]", s->name.utf8, s->tgid);
	if (s->kind == SCOPE_THREAD && s->name.len)
		return text_printf(a, "%s[%u/%u]", s->name.utf8, s->tgid, s->tid);
	return scope_text(a, s);
}

bool scope_eq(const struct scope *a, const struct scope *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case SCOPE_HOST: return true;
	case SCOPE_PROCESS: return a->tgid == b->tgid && a->start_ns == b->start_ns;
	case SCOPE_THREAD: return a->tid == b->tid && a->start_ns == b->start_ns;
	default: return !strcmp(a->name.utf8, b->name.utf8);
	}
}

struct scope scope_process(uint32_t tgid, uint64_t start_ns, struct text comm)
{
	struct scope s = { .kind = SCOPE_PROCESS, .tgid = tgid, .start_ns = start_ns };

	text_keep(&s.name, comm);
	return s;
}
