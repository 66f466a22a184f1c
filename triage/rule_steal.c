/* The hypervisor gives our CPU time to others; nothing on this host can be blamed for it. */
#include "triage/judge.h"

#define STEAL_PCT 5

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct cpu_row *now = cpu_all(f), *was = cpu_all(frame_before(f, h));
	struct arena *a = &out->arena;

	if (!now || !was || !(now->steal_pct >= STEAL_PCT) || !(was->steal_pct >= STEAL_PCT))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	struct text steal = say(a, UNIT_PCT, now->steal_pct), busy = say(a, UNIT_PCT, now->busy_pct);
	g->severity = severity_of(now->steal_pct, STEAL_PCT, 50, 40, 85);
	g->kind = FINDING_SATURATION;
	evidence_of(g, f, SEC_CPU, now, CPU_steal_pct, STEAL_PCT);
	g->names = TEXT("the hypervisor or a CPU quota set outside this guest");
	g->headline =
	    text_printf(a, "%.*s of CPU time is stolen by the hypervisor while this guest uses %.*s",
			TEXT_ARG(steal), TEXT_ARG(busy));
	finding_next(g, 2, "cpu", NULL, &g->suspect);
}

const struct rule rule_steal = {
    .name = "steal",
    .resource = "cpu",
    .needs = SEC_BIT(SEC_CPU),
    .judge = judge,
};
