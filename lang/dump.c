/* The writer of dumps. */
#include "lang/dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void writer_add(struct writer *w, const char *fmt, ...)
{
	char piece[512];
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(piece, sizeof(piece), fmt, ap);
	va_end(ap);
	len = strlen(piece);
	if (w->len + len + 1 > w->cap) {
		size_t cap = (w->cap + len) * 2 + 256;
		char *grown = w->is_broken ? NULL : arena_alloc(w->arena, cap);

		if (!grown) {
			w->is_broken = true;
			return;
		}
		if (w->len)
			memcpy(grown, w->bytes, w->len);
		w->bytes = grown;
		w->cap = cap;
	}
	memcpy(w->bytes + w->len, piece, len + 1);
	w->len += len;
}

char *writer_text(const struct writer *w)
{
	return w->is_broken ? NULL : w->bytes;
}
