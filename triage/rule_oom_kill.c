/* The kernel killed a process to get memory back. One is enough, and it stays worth knowing for minutes. */
#include "base/map.h"
#include "triage/judge.h"

/* The victim is not in the counters: the largest process that was there before the kill and is not after it.
 */
static const struct task_row *largest_gone(const struct frame *before, const struct frame *after)
{
	const struct task_row *rows = FRAME_ROWS(before, task, TASK), *still = FRAME_ROWS(after, task, TASK);
	const struct task_row *gone = NULL;
	struct map there = {0}; /* start by process id */
	bool has_memory = true;

	for (uint32_t i = 0; has_memory && i < after->sec[SEC_TASK].nrows; i++)
		has_memory = map_put(&there, still[i].tgid, still[i].start_ns) != NULL;
	for (uint32_t i = 0; has_memory && i < before->sec[SEC_TASK].nrows; i++) {
		const uint64_t *start_ns = map_get(&there, rows[i].tgid);
		if (rows[i].rss_bytes == U64_UNKNOWN || (start_ns && *start_ns == rows[i].start_ns))
			continue;
		if (!gone || rows[i].rss_bytes > gone->rss_bytes)
			gone = &rows[i];
	}
	map_fini(&there);
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
		since = say(a, UNIT_NS, (double)age_ns);
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
