/* The kernel killed a process to get memory back. One is enough, and it stays worth knowing for minutes. */
#include "triage/judge.h"

/* The victim is not in the counters: the largest process that was there before the kill and is not after it.
 */
static const struct task_row *largest_gone(const struct frame *before, const struct frame *after)
{
	const struct task_row *rows = FRAME_ROWS(before, task, TASK), *gone = NULL;

	for (uint32_t i = 0; i < before->sec[SEC_TASK].nrows; i++) {
		const struct task_row *t = &rows[i];
		if (t->rss_bytes == U64_UNKNOWN || (gone && t->rss_bytes <= gone->rss_bytes))
			continue;
		if (!frame_task(after, t->tgid, t->start_ns))
			gone = t;
	}
	return gone;
}

static uint64_t kills(const struct frame *f)
{
	return f && f->sec[SEC_MEM].nrows ? FRAME_ROWS(f, mem, MEM)->oom_kills : U64_UNKNOWN;
}

/* The newest pair of frames between which the counter rose, in what the history still holds up to f. */
static const struct frame *last_kill(const struct frame *f, const struct history *h,
				     const struct frame **before)
{
	for (const struct frame *after = f; after; after = *before) {
		*before = frame_before(after, h);
		if (kills(after) == U64_UNKNOWN || kills(*before) == U64_UNKNOWN)
			continue;
		if (kills(after) > kills(*before))
			return after;
	}
	return NULL;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct frame *before = NULL;
	struct arena *a = &out->arena;
	uint64_t n = kills(f);

	if (n == U64_UNKNOWN || !n)
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct frame *after = last_kill(f, h, &before);
	struct text who = TEXT(""), since = TEXT("");
	g->severity = 50;
	g->kind = FINDING_ERRORS;
	evidence_of(g, f, SEC_MEM, FRAME_ROWS(f, mem, MEM), MEM_oom_kills, 0);
	if (after) {
		uint64_t age_ns = f->mono_ns - after->mono_ns;
		since = text_copy(a, say(a, UNIT_NS, (double)age_ns));
		since = text_printf(a, ", the last %.*s ago", TEXT_ARG(since));
		g->severity = age_ns < 60000000000ull ? 90 : 70;
		const struct task_row *t = largest_gone(before, after);
		if (t) {
			struct text rss = say(a, UNIT_BYTES, (double)t->rss_bytes);
			g->suspect = scope_of_task(t);
			who = text_printf(a, ". Gone since: %.*s[%u], %.*s", TEXT_ARG(t->comm), t->tgid,
					  TEXT_ARG(rss));
		}
	}
	g->headline = text_printf(a, "out of memory: the kernel killed %llu process%s%.*s%.*s",
				  (unsigned long long)n, n == 1 ? "" : "es", TEXT_ARG(since), TEXT_ARG(who));
	finding_next(g, 2, "memory", NULL, &(struct scope){0});
}

const struct rule rule_oom_kill = {
    .name = "oom_kill",
    .resource = "memory",
    .needs = SEC_BIT(SEC_MEM),
    .judge = judge,
};
