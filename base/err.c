#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	e->code = code;
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	return -code;
}

int err_errno(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	e->code = code;
	int n = vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	const char *words = strerrordesc_np(code);
	if (n >= 0 && (size_t)n < sizeof(e->text))
		snprintf(e->text + n, sizeof(e->text) - (size_t)n, ": %s",
			 words ? words : "unknown error");
	return -code;
}

int err_at(struct err *e, const char *fmt, ...)
{
	struct err inner = *e;
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(e->text))
		snprintf(e->text + n, sizeof(e->text) - (size_t)n, "%.*s",
			 (int)(sizeof(e->text) - (size_t)n - 1), inner.text);
	return -e->code;
}
