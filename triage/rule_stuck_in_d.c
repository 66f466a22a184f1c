/* Threads in uninterruptible sleep that stay there: a device, a network file system or a lock does not
 * answer. */
#include "triage/judge.h"

#include <string.h>

#define WAITED_NS 1000000000ull

/* What one pass over the stuck rows gives. */
struct stuck {
	uint32_t threads;
	const struct stuck_row *longest;
	const struct task_row *task; /* the same without the iterator: a process seen in D twice */
};

static void count_rows(const struct frame *f, struct stuck *s)
{
	const struct stuck_row *rows = FRAME_ROWS(f, stuck, STUCK);

	for (uint32_t i = 0; i < f->sec[SEC_STUCK].nrows; i++) {
		if (rows[i].state != 'D' || rows[i].waited_ns == U64_UNKNOWN || rows[i].waited_ns < WAITED_NS)
			continue;
		s->threads++;
		if (!s->longest || rows[i].waited_ns > s->longest->waited_ns)
			s->longest = &rows[i];
	}
}

static void count_tasks(const struct frame *f, const struct frame *prev, struct stuck *s)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK);

	for (uint32_t i = 0; prev && i < f->sec[SEC_TASK].nrows; i++) {
		/* Kernel threads rest in D between two jobs; without a waiting time they cannot be judged. */
		if (rows[i].state != 'D' || rows[i].is_kthread == 1)
			continue;
		const struct task_row *was = frame_task(prev, rows[i].tgid, rows[i].start_ns);
		/* One that switched in between had an answer: it waits often, it is not stuck. */
		if (!was || was->state != 'D' || rows[i].switches_per_s > 0)
			continue;
		s->threads +=
		    rows[i].threads_in_d != U32_UNKNOWN && rows[i].threads_in_d ? rows[i].threads_in_d : 1;
		if (!s->task)
			s->task = &rows[i];
	}
}

/* The innermost kernel frame that says more than "it sleeps". */
static struct text wait_place(struct text stack)
{
	static const char *const sleepers[] = {"schedule", "__schedule", "schedule_timeout", "io_schedule"};

	while (stack.len) {
		const char *end = memchr(stack.utf8, ';', stack.len);
		uint32_t len = end ? (uint32_t)(end - stack.utf8) : stack.len;
		bool is_sleeper = false;
		for (size_t i = 0; i < ARRAY_LEN(sleepers); i++)
			is_sleeper |= strlen(sleepers[i]) == len && !memcmp(sleepers[i], stack.utf8, len);
		if (!is_sleeper || !end)
			return text_clip(stack, len);
		stack = text_skip(stack, len + 1);
	}
	return stack;
}

static void say_rows(struct finding *g, struct arena *a, const struct frame *f, const struct stuck *s)
{
	const struct stuck_row *r = s->longest;
	struct text waited = say(a, UNIT_NS, (double)r->waited_ns), place = wait_place(r->stack);

	g->severity = severity_max(severity_of((double)r->waited_ns, WAITED_NS, 60e9, 45, 85),
				   severity_of(s->threads, 2, 32, 50, 90));
	evidence_of(g, f, SEC_STUCK, r, STUCK_waited_ns, WAITED_NS);
	g->suspect = scope_process(r->tgid, r->start_ns == U64_UNKNOWN ? 0 : r->start_ns, r->comm);
	g->headline = text_printf(a, "%u thread%s stuck in D, longest %.*s[%u] for %.*s%s%.*s%s%.*s",
				  s->threads, s->threads == 1 ? "" : "s", TEXT_ARG(r->comm), r->tid,
				  TEXT_ARG(waited), r->syscall.len ? " in " : "", TEXT_ARG(r->syscall),
				  place.len ? ", at " : "", TEXT_ARG(place));
}

static void say_tasks(struct finding *g, struct arena *a, const struct frame *f, const struct stuck *s)
{
	const struct task_row *t = s->task;

	g->severity = severity_max(45, severity_of(s->threads, 2, 32, 50, 90));
	evidence_of(g, f, SEC_TASK, t, TASK_threads_in_d, 1);
	g->suspect = scope_of_task(t);
	g->headline = text_printf(a, "%u thread%s stuck in D, among them %.*s[%u]", s->threads,
				  s->threads == 1 ? "" : "s", TEXT_ARG(t->comm), t->tgid);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	struct stuck s = {0};

	count_rows(f, &s);
	if (!s.longest)
		count_tasks(f, frame_before(f, h), &s);
	if (!s.longest && !s.task)
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	g->kind = FINDING_LATENCY;
	evidence_of(g, f, SEC_SYS, FRAME_ROWS(f, sys, SYS), SYS_in_d, 1);
	if (s.longest)
		say_rows(g, &out->arena, f, &s);
	else
		say_tasks(g, &out->arena, f, &s);
	finding_next(g, 2, "stuck", NULL, &(struct scope){0});
}

const struct rule rule_stuck_in_d = {
    .name = "stuck_in_d",
    .resource = "tasks",
    .needs = SEC_BIT(SEC_SYS),
    .judge = judge,
};
