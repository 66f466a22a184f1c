/* The writer of dumps. */
#include "lang/dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/** Make room for len more bytes and a NUL. */
static bool writer_reserve(struct writer *w, size_t len)
{
	size_t cap = (w->cap + len) * 2 + 256;
	char *grown;

	if (w->len + len + 1 <= w->cap)
		return true;
	grown = w->is_broken ? NULL : arena_alloc(w->arena, cap);
	if (!grown) {
		w->is_broken = true;
		return false;
	}
	if (w->len)
		memcpy(grown, w->bytes, w->len);
	w->bytes = grown;
	w->cap = cap;
	return true;
}

void writer_add(struct writer *w, const char *fmt, ...)
{
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len >= 0 && writer_reserve(w, (size_t)len)) {
		vsnprintf(w->bytes + w->len, (size_t)len + 1, fmt, again);
		w->len += (size_t)len;
	}
	va_end(again);
}

char *writer_text(const struct writer *w)
{
	return w->is_broken ? NULL : w->bytes;
}
