/* Processes are created so fast that creating them is the work; the children are gone before a list shows
 * them. */
#include "triage/judge.h"

#define FORKS_PER_S 100

static double forks_per_s(const struct frame *f)
{
	return f && f->sec[SEC_SYS].nrows ? FRAME_ROWS(f, sys, SYS)->forks_per_s : F64_UNKNOWN;
}

static const struct fork_row *top_parent(const struct frame *f)
{
	const struct fork_row *rows = FRAME_ROWS(f, fork, FORK), *top = NULL;

	for (uint32_t i = 0; i < f->sec[SEC_FORK].nrows; i++)
		if (rows[i].forks_per_s > (top ? top->forks_per_s : 0))
			top = &rows[i];
	return top;
}

static struct text accuse(struct finding *g, struct arena *a, const struct frame *f,
			  const struct fork_row *top)
{
	struct text rate = say(a, UNIT_PER_S, top->forks_per_s);
	const struct task_row *t = frame_task(f, top->tgid, 0);

	g->suspect = t ? scope_of_task(t) : scope_process(top->tgid, 0, top->comm);
	evidence_of(g, f, SEC_FORK, top, FORK_forks_per_s, FORKS_PER_S / 4);
	return text_printf(a, ", %.*s/s by %.*s[%u]%s%.*s", TEXT_ARG(rate), TEXT_ARG(top->comm), top->tgid,
			   top->child_comm.len ? ", latest child " : "", TEXT_ARG(top->child_comm));
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	struct arena *a = &out->arena;
	double rate = forks_per_s(f);

	if (!(rate >= FORKS_PER_S) || !(forks_per_s(frame_before(f, h)) >= FORKS_PER_S))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct fork_row *top = top_parent(f);
	struct text total = say(a, UNIT_PER_S, rate), who = TEXT("");
	g->severity = severity_of(rate, FORKS_PER_S, 2000, 45, 85);
	g->kind = FINDING_UTILISATION;
	evidence_of(g, f, SEC_SYS, FRAME_ROWS(f, sys, SYS), SYS_forks_per_s, FORKS_PER_S);
	if (top && top->forks_per_s >= FORKS_PER_S / 4)
		who = accuse(g, a, f, top);
	g->headline = text_printf(a, "fork storm: %.*s processes and threads/s%.*s",
				  TEXT_ARG(total), TEXT_ARG(who));
	finding_next(g, 2, g->suspect.kind == SCOPE_PROCESS ? "process" : "processes", NULL, &g->suspect);
}

const struct rule rule_fork_storm = {
    .name = "fork_storm",
    .resource = "tasks",
    .needs = SEC_BIT(SEC_SYS),
    .judge = judge,
};
