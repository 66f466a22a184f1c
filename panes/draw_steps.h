/* Steps down the ladder with their evidence, and how a process reads as a row. */
#ifndef PANES_DRAW_STEPS_H
#define PANES_DRAW_STEPS_H

#include "ui/pane.h"

/** Fill a step: where, with what, about what. The evidence is for the caller to write. */
void step_to(struct step *out, uint32_t rung, const char *pane, const char *tool, const struct scope *s);

/** A step to the pane of a process, with what it uses as the evidence. */
void step_to_task(struct step *out, const struct task_row *t);

/** The scope of a process row. */
struct scope task_scope(const struct task_row *t);

/** What a process uses, in words with units, as evidence. */
void why_of_task(struct text_buf *why, const struct task_row *t);

/** The process a step is about: in the frame, by identity; NULL when it is not (or no longer) there. */
const struct task_row *task_in_scope(const struct pane_input *in);

/** The command line, or the command name when that is all there is. */
struct text task_command(const struct pane_input *in, const void *row, struct arena *a);

/** The command name and then the command line, unless that starts with the name anyway. */
struct text task_named_command(const struct pane_input *in, const void *row, struct arena *a);

/** Style of a process row: dead and blocked ones stand out. */
enum style task_style(const struct pane_input *in, const void *row);

#endif
