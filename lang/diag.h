/* Complaints with a place and, where a name is nearly right, the right name. */
#ifndef LANG_DIAG_H
#define LANG_DIAG_H

#include "lang/lang.h"

/** Fill d for a place in text and return -code. */
PRINTF_LIKE(5, 6)
int diag_set(struct diag *d, const char *text, struct span at, int code, const char *fmt, ...);

/** Set the hint of a complaint already made. */
PRINTF_LIKE(2, 3)
void diag_hint(struct diag *d, const char *fmt, ...);

/** The nearest of many names to one that was not found; offer them all, then ask. */
struct nearest {
	const char *wanted;
	char best[80];
	uint32_t distance;
};

/** Begin a search for names like wanted, which is borrowed. */
void nearest_init(struct nearest *n, const char *wanted);

/** Consider one name. */
void nearest_offer(struct nearest *n, const char *name);

/** "did you mean X?" as d's hint when something was near enough to be a slip of the hand. */
void nearest_hint(const struct nearest *n, struct diag *d);

#endif
