/* What rung and its kernel programs cost in one frame. */
#ifndef UI_COST_H
#define UI_COST_H

#include "frame/frame.h"

/** CPU time of the process and of all its kernel programs, 100 is one CPU; NaN when not known. */
double cost_total_pct(const struct frame *f);

#endif
