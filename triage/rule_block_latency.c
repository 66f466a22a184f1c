/* Rung 4, read: the slowest block requests of biolatency, and who does the I/O that waits for them. */
#include "triage/hist_judge.h"

#define SLOW_NS  20e6
#define SHARE    0.05
#define REQUESTS 20

static const struct task_row *most_io(const struct frame *f)
{
	const struct task_row *read = task_most(f, TASK_read_bytes_per_s, 4096);
	const struct task_row *write = task_most(f, TASK_write_bytes_per_s, 4096);

	if (read && write)
		return read->read_bytes_per_s >= write->write_bytes_per_s ? read : write;
	return read ? read : write ? write : task_most(f, TASK_io_wait_pct, 5);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	struct arena *a = &out->arena;
	struct hist_tail now, was;

	if (!hist_tail_of(f, "biolatency", SHARE, REQUESTS, &now) || !((double)now.slot->low >= SLOW_NS))
		return;
	if (!hist_tail_of(frame_before(f, h), "biolatency", SHARE, REQUESTS, &was) ||
	    !((double)was.slot->low >= SLOW_NS))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct task_row *t = most_io(f);
	struct text slow = say(a, UNIT_NS, (double)now.slot->low), who = TEXT("");
	struct text share = say(a, UNIT_PCT, 100.0 * (double)now.beyond / (double)now.values);
	struct text values = say(a, UNIT_COUNT, (double)now.values);
	g->severity = severity_of((double)now.slot->low, SLOW_NS, 1e9, 55, 90);
	g->kind = FINDING_LATENCY;
	evidence_of(g, f, SEC_HIST, now.slot, HIST_low, SLOW_NS);
	evidence_of(g, f, SEC_HIST, now.slot, HIST_delta, F64_UNKNOWN);
	if (t) {
		g->suspect = scope_of_task(t);
		evidence_of(g, f, SEC_TASK, t, TASK_read_bytes_per_s, F64_UNKNOWN);
		evidence_of(g, f, SEC_TASK, t, TASK_write_bytes_per_s, F64_UNKNOWN);
		who = text_printf(a, ". Most I/O by %.*s[%u]", TEXT_ARG(t->comm), t->tgid);
	}
	g->headline =
	    text_printf(a, "%.*s of %.*s requests to %.*s took %.*s or longer%.*s", TEXT_ARG(share),
			TEXT_ARG(values), TEXT_ARG(now.probe->scope), TEXT_ARG(slow), TEXT_ARG(who));
	if (t)
		finding_next(g, 4, "tool", "syscalls", &g->suspect);
	else
		finding_next(g, 2, "stuck", NULL, &g->suspect);
}

const struct rule rule_block_latency = {
    .name = "block_latency",
    .resource = "disk",
    .needs = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_HIST),
    .judge = judge,
};
