/* Tasks wait for I/O although no disk is busy: a network file system, a throttled volume, a lock in a file
 * system. */
#include "triage/judge.h"

#define PSI_PCT  20
#define BUSY_PCT 90

static bool has_busy_disk(const struct frame *f)
{
	const struct disk_row *rows = FRAME_ROWS(f, disk, DISK);

	for (uint32_t i = 0; i < f->sec[SEC_DISK].nrows; i++)
		if (rows[i].util_pct >= BUSY_PCT)
			return true;
	return false;
}

static double stalled_pct(const struct frame *f)
{
	const struct psi_row *psi = psi_of(f, "io");

	return psi ? psi->some_pct : F64_UNKNOWN;
}

static struct text accuse(struct finding *g, struct arena *a, const struct frame *f)
{
	const struct task_row *t = task_most(f, TASK_io_wait_pct, 5);
	uint32_t field = TASK_io_wait_pct;

	if (!t) {
		t = task_most(f, TASK_threads_in_d, 0);
		field = TASK_threads_in_d;
	}
	if (!t)
		return TEXT("");
	g->suspect = scope_of_task(t);
	evidence_of(g, f, SEC_TASK, t, field, 0);
	return text_printf(a, ". %.*s[%u] waits the most", TEXT_ARG(t->comm), t->tgid);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	struct arena *a = &out->arena;

	/* A busy disk explains the waiting; its own rule speaks then. */
	if (!(stalled_pct(f) >= PSI_PCT) || !(stalled_pct(frame_before(f, h)) >= PSI_PCT) || has_busy_disk(f))
		return;
	struct finding *g = finding_add(out);
	if (!g)
		return;
	const struct psi_row *psi = psi_of(f, "io");
	struct text some = say(a, UNIT_PCT, psi->some_pct), full = say(a, UNIT_PCT, psi->full_pct);
	g->severity = severity_of(psi->some_pct, PSI_PCT, 80, 45, 80);
	g->kind = FINDING_LATENCY;
	evidence_of(g, f, SEC_PSI, psi, PSI_some_pct, PSI_PCT);
	evidence_of(g, f, SEC_PSI, psi, PSI_full_pct, F64_UNKNOWN);
	struct text who = accuse(g, a, f);
	g->headline = text_printf(a, "tasks wait for I/O: psi %.*s some, %.*s full, and no disk is busy%.*s",
				  TEXT_ARG(some), TEXT_ARG(full), TEXT_ARG(who));
	finding_next(g, 2, "stuck", NULL, &(struct scope){0});
}

const struct rule rule_io_pressure = {
    .name = "io_pressure",
    .resource = "disk",
    .needs = SEC_BIT(SEC_PSI) | SEC_BIT(SEC_DISK),
    .judge = judge,
};
