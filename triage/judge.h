/* Words that rules share: the frame before, looking up rows, weighing, naming suspects. */
#ifndef TRIAGE_JUDGE_H
#define TRIAGE_JUDGE_H

#include "triage/triage.h"

/** The newest frame of the history older than f, NULL when there is none: what one sample cannot prove, two
 * can. */
const struct frame *frame_before(const struct frame *f, const struct history *h);

/** Weight of a value: low at from, high at to, straight between; 0 below from and when unknown. */
uint32_t severity_of(double value, double from, double to, uint32_t low, uint32_t high);

/** The larger of two weights. */
uint32_t severity_max(uint32_t a, uint32_t b);

/** A number for a headline, with its unit. */
struct text say(struct arena *a, enum unit unit, double value);

/** Index of a row that came from this section of f. */
uint32_t row_index(const struct frame *f, enum frame_sec sec, const void *row);

/** Add the field of a row of f as evidence. */
void evidence_of(struct finding *g, const struct frame *f, enum frame_sec sec, const void *row,
		 uint32_t field, double threshold);

/** The pressure row of a resource ("cpu", "memory", "io"); NULL when f is NULL or the kernel has none. */
const struct psi_row *psi_of(const struct frame *f, const char *resource);

/** The protocol counter of that name; NULL when it is not there. */
const struct netcount_row *netcount_of(const struct frame *f, const char *name);

/** Row 0 of the CPU section: all CPUs together; NULL without one. */
const struct cpu_row *cpu_all(const struct frame *f);

/** CPUs that the frame knows; 0 when none. */
uint32_t cpu_count(const struct frame *f);

/** The process with the largest value of a TASK field, if above the floor; NULL otherwise. */
const struct task_row *task_most(const struct frame *f, uint32_t field, double above);

/** The scope of a process row. */
struct scope scope_of_task(const struct task_row *t);

/** Where to go from here; the reason is the headline unless the rule writes another. */
void finding_next(struct finding *g, uint32_t rung, const char *pane, const char *tool,
		  const struct scope *s);

#endif
