/* Rung 4, read: a system call that nearly always fails, very often. Names the process, the call, the error,
 * the argument. */
#include "triage/judge.h"

#include <stdlib.h>
#include <string.h>

#define CALLS_PER_S 50
#define FAIL_SHARE  0.9

/* These fail by design when there is nothing to do yet; only another error than "try again" is trouble. */
static const char *const may_wait[] = {
    "recvfrom", "recvmsg",  "recvmmsg",        "read",         "readv",   "accept",
    "accept4",  "futex",    "epoll_wait",      "epoll_pwait",  "poll",    "ppoll",
    "select",   "pselect6", "rt_sigtimedwait", "io_getevents", "connect",
};
static const char *const wait_errors[] = {"EAGAIN", "EINPROGRESS", "ETIMEDOUT", "EINTR"};

static bool is_among(struct text t, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_is(t, words[i]))
			return true;
	return false;
}

static bool is_of_tool(const struct frame *f, uint32_t probe_id, const struct probe_row **probe)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (rows[i].id == probe_id && text_is(rows[i].name, "syscalls")) {
			*probe = &rows[i];
			return true;
		}
	return false;
}

/* The failed call seen most often among the streamed ones: same call, error and arguments. */
static const struct events_row *usual_failure(const struct frame *f, struct text name, uint32_t *times)
{
	const struct events_row *rows = FRAME_ROWS(f, events, EVENTS), *usual = NULL;
	uint32_t n = f->sec[SEC_EVENTS].nrows;

	*times = 0;
	/* The newest 64 are enough to see a habit and bound the pairs to compare. */
	for (uint32_t i = n > 64 ? n - 64 : 0; i < n; i++) {
		uint32_t same = 0;
		if (!text_eq(rows[i].name, name) || !rows[i].error.len)
			continue;
		for (uint32_t k = i; k < n; k++)
			same += text_eq(rows[k].name, name) && text_eq(rows[k].error, rows[i].error) &&
				text_eq(rows[k].args, rows[i].args);
		if (same > *times) {
			*times = same;
			usual = &rows[i];
		}
	}
	return usual;
}

/* "pid 4312" is how the scope of a process is written in a probe's row. */
static struct scope scope_of_probe(const struct frame *f, const struct probe_row *p)
{
	struct scope s = {0};

	if (!p->scope.utf8 || strncmp(p->scope.utf8, "pid ", 4))
		return s;
	uint32_t tgid = (uint32_t)strtoul(p->scope.utf8 + 4, NULL, 10);
	const struct task_row *t = frame_task(f, tgid, 0);
	return t ? scope_of_task(t) : scope_process(tgid, 0, TEXT_UNKNOWN);
}

static void find(const struct frame *f, const struct probe_row *p, const struct counts_row *c,
		 struct findings *out)
{
	uint32_t times;
	const struct events_row *call = usual_failure(f, c->key, &times);
	struct arena *a = &out->arena;
	bool is_wait = call ? is_among(call->error, wait_errors, ARRAY_LEN(wait_errors))
			    : is_among(c->key, may_wait, ARRAY_LEN(may_wait));

	if (is_wait)
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	g->suspect = scope_of_probe(f, p);
	if (g->suspect.kind == SCOPE_HOST && call)
		g->suspect = scope_process(call->tgid, 0, call->comm);
	g->severity = severity_of(c->per_s, CALLS_PER_S, 20000, 60, 85);
	g->kind = FINDING_ERRORS;
	evidence_of(g, f, SEC_COUNTS, c, COUNTS_per_s, CALLS_PER_S);
	evidence_of(g, f, SEC_COUNTS, c, COUNTS_errors, FAIL_SHARE * (double)c->count);
	evidence_of(g, f, SEC_COUNTS, c, COUNTS_count, F64_UNKNOWN);
	struct text who = scope_label(a, &g->suspect), rate = say(a, UNIT_PER_S, c->per_s);
	struct text share = say(a, UNIT_PCT, 100.0 * (double)c->errors / (double)c->count);
	struct text error = call ? text_printf(a, " with %.*s", TEXT_ARG(call->error)) : TEXT("");
	struct text args = call && call->args.len ? text_printf(a, ": %.*s", TEXT_ARG(call->args)) : TEXT("");
	g->headline =
	    text_printf(a, "%.*s: %.*s fails %.*s of the time%.*s, %.*s/s%.*s", TEXT_ARG(who),
			TEXT_ARG(c->key), TEXT_ARG(share), TEXT_ARG(error), TEXT_ARG(rate), TEXT_ARG(args));
	if (call) {
		g->names = text_printf(a, "%.*s in %.*s%.*s%.*s", TEXT_ARG(c->key), TEXT_ARG(who),
				       TEXT_ARG(error), TEXT_ARG(args));
		return;
	}
	g->names = text_printf(a, "%.*s in %.*s", TEXT_ARG(c->key), TEXT_ARG(who));
	finding_next(g, 4, "tool", "syscalls", &g->suspect);
	text_keep(&g->next.arg, c->key);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct counts_row *rows = FRAME_ROWS(f, counts, COUNTS);
	const struct probe_row *p = NULL;

	(void)h; /* the counts span all the time since the tool started */
	for (uint32_t i = 0; i < f->sec[SEC_COUNTS].nrows; i++) {
		const struct counts_row *c = &rows[i];
		if (!(c->per_s >= CALLS_PER_S) || c->count == U64_UNKNOWN || c->errors == U64_UNKNOWN ||
		    c->count < CALLS_PER_S || (double)c->errors < FAIL_SHARE * (double)c->count)
			continue;
		if (is_of_tool(f, c->probe_id, &p))
			find(f, p, c, out);
	}
}

const struct rule rule_failing_syscalls = {
    .name = "failing_syscalls",
    .resource = "tasks",
    .needs = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_COUNTS),
    .judge = judge,
};
