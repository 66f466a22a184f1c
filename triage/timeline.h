/* When each trouble began and ended over a whole recording. */
#ifndef TRIAGE_TIMELINE_H
#define TRIAGE_TIMELINE_H

#include "frame/trail.h"
#include "triage/triage.h"

/**
 * Judge every frame of the history and put an entry of kind "finding" where one begins, "named" where
 * the ladder ends at a name for it, and "over" at the last frame before ten silent ones, in the order
 * of time among the entries that are there. False when memory is used up; what was added until then stays.
 */
bool triage_timeline(const struct history *h, struct trail *t);

#endif
