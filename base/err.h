/* Errors are values: a code for the program and a sentence for the operator. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/attr.h"

/** Why an operation failed, in words for the operator. Zeroed means no error. */
struct err {
	int code;       /* positive errno */
	char text[496]; /* outermost place first: callers prepend where they were */
};

/** Record a failure and return -code, so a leaf can `return err_set(...)`. */
PRINTF_LIKE(3, 4)
int err_set(struct err *e, int code, const char *fmt, ...);

/** err_set() with ": " and the system's words for the code appended. */
PRINTF_LIKE(3, 4)
int err_errno(struct err *e, int code, const char *fmt, ...);

/** Prepend context ("loading runqlat: ") and return -e->code. */
PRINTF_LIKE(2, 3)
int err_at(struct err *e, const char *fmt, ...);

#endif
