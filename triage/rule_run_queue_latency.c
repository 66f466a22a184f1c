/* Rung 4, read: how long threads wait for a CPU once they could run, and who waits the most. */
#include "triage/hist_judge.h"

#define SLOW_NS  8e6
#define SHARE    0.05
#define SWITCHES 100

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	struct arena *a = &out->arena;
	struct hist_tail now, was;

	if (!hist_tail_of(f, "runqlat", SHARE, SWITCHES, &now) || !((double)now.slot->low >= SLOW_NS))
		return;
	if (!hist_tail_of(frame_before(f, h), "runqlat", SHARE, SWITCHES, &was) ||
	    !((double)was.slot->low >= SLOW_NS))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct task_row *waits = task_most(f, TASK_runq_pct, 5), *runs = task_most(f, TASK_cpu_pct, 5);
	struct text slow = say(a, UNIT_NS, (double)now.slot->low), victim = TEXT(""), culprit = TEXT("");
	struct text share = say(a, UNIT_PCT, 100.0 * (double)now.beyond / (double)now.values);
	g->severity = severity_of((double)now.slot->low, SLOW_NS, 200e6, 55, 85);
	g->kind = FINDING_LATENCY;
	evidence_of(g, f, SEC_HIST, now.slot, HIST_low, SLOW_NS);
	evidence_of(g, f, SEC_HIST, now.slot, HIST_delta, F64_UNKNOWN);
	/* Among equals the same one may wait and run the most: then only the running is worth a word. */
	if (waits && waits != runs) {
		evidence_of(g, f, SEC_TASK, waits, TASK_runq_pct, 5);
		victim = text_printf(a, ". %.*s[%u] waits the most", TEXT_ARG(waits->comm), waits->tgid);
	}
	if (runs) {
		g->suspect = scope_of_task(runs);
		evidence_of(g, f, SEC_TASK, runs, TASK_cpu_pct, 5);
		culprit = text_printf(a, "%s%.*s[%u] runs the most", victim.len ? ", " : ". ",
				      TEXT_ARG(runs->comm), runs->tgid);
	}
	g->headline = text_printf(a, "%.*s of the waits for a CPU took %.*s or longer%.*s%.*s",
				  TEXT_ARG(share), TEXT_ARG(slow), TEXT_ARG(victim), TEXT_ARG(culprit));
	if (runs)
		finding_next(g, 3, "profile", NULL, &g->suspect);
	else
		finding_next(g, 2, "processes", NULL, &g->suspect);
}

const struct rule rule_run_queue_latency = {
    .name = "run_queue_latency",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_HIST),
    .judge = judge,
};
