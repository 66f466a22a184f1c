/* Numbers of one section that follow from the rows of another. */
#ifndef COLLECTORS_SUMMARISE_H
#define COLLECTORS_SUMMARISE_H

#include "frame/builder.h"

/** Fill the counts of tasks in the SYS row from the TASK rows built so far; without any they
 * stay unknown. */
void summarise_tasks(struct frame_builder *b);

#endif
