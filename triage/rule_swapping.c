/* Pages go to and from swap all the time: used swap space is no trouble, traffic is. */
#include "triage/judge.h"

#define SWAP_BYTES_PER_S (1 << 20)

static double traffic(const struct frame *f)
{
	const struct mem_row *m = f && f->sec[SEC_MEM].nrows ? FRAME_ROWS(f, mem, MEM) : NULL;

	return m ? m->swap_in_bytes_per_s + m->swap_out_bytes_per_s : F64_UNKNOWN;
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	struct arena *a = &out->arena;

	if (!(traffic(f) >= SWAP_BYTES_PER_S) || !(traffic(frame_before(f, h)) >= SWAP_BYTES_PER_S))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct mem_row *m = FRAME_ROWS(f, mem, MEM);
	const struct task_row *t = task_most(f, TASK_major_faults_per_s, 1);
	struct text who = TEXT("");

	g->severity = severity_of(traffic(f), SWAP_BYTES_PER_S, 200 << 20, 50, 90);
	g->kind = FINDING_SATURATION;
	evidence_of(g, f, SEC_MEM, m, MEM_swap_in_bytes_per_s, SWAP_BYTES_PER_S);
	evidence_of(g, f, SEC_MEM, m, MEM_swap_out_bytes_per_s, SWAP_BYTES_PER_S);
	if (t) {
		struct text faults = say(a, UNIT_PER_S, t->major_faults_per_s);
		evidence_of(g, f, SEC_TASK, t, TASK_major_faults_per_s, 1);
		who = text_printf(a, ". %.*s[%u] waits for %.*s faults/s", TEXT_ARG(t->comm), t->tgid,
				  TEXT_ARG(faults));
	} else if ((t = task_most(f, TASK_swap_bytes, 0))) {
		struct text swapped = say(a, UNIT_BYTES, (double)t->swap_bytes);
		evidence_of(g, f, SEC_TASK, t, TASK_swap_bytes, 0);
		who = text_printf(a, ". %.*s[%u] has %.*s in swap", TEXT_ARG(t->comm), t->tgid,
				  TEXT_ARG(swapped));
	}
	struct text in = say(a, UNIT_BYTES_PER_S, m->swap_in_bytes_per_s);
	struct text swapped_out = say(a, UNIT_BYTES_PER_S, m->swap_out_bytes_per_s);
	g->headline = text_printf(a, "swapping: %.*s/s in, %.*s/s out%.*s", TEXT_ARG(in),
				  TEXT_ARG(swapped_out), TEXT_ARG(who));
	if (t)
		g->suspect = scope_of_task(t);
	finding_next(g, 2, t ? "process" : "memory", NULL, &g->suspect);
}

const struct rule rule_swapping = {
    .name = "swapping",
    .resource = "memory",
    .needs = SEC_BIT(SEC_MEM),
    .judge = judge,
};
