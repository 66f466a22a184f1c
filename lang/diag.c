/* Complaints: line and column, edit distance, caret text. */
#include "lang/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_BYTES 64

int diag_set(struct diag *d, const char *text, struct span at, int code, const char *fmt, ...)
{
	va_list ap;

	d->span = at;
	d->line = 1;
	d->column = 1;
	for (uint32_t i = 0; i < at.at && text[i]; i++) {
		d->column++;
		if (text[i] == '\n') {
			d->line++;
			d->column = 1;
		}
	}
	d->hint[0] = '\0';
	va_start(ap, fmt);
	vsnprintf(d->message, sizeof(d->message), fmt, ap);
	va_end(ap);
	return -code;
}

void diag_hint(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->hint, sizeof(d->hint), fmt, ap);
	va_end(ap);
}

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t least = a < b ? a : b;

	return least < c ? least : c;
}

/** Levenshtein distance, one row at a time; names beyond NAME_MAX_BYTES count as far. */
static uint32_t edit_distance(const char *a, const char *b)
{
	uint32_t row[NAME_MAX_BYTES + 1];
	size_t na = strlen(a), nb = strlen(b);

	if (na > NAME_MAX_BYTES || nb > NAME_MAX_BYTES)
		return UINT32_MAX;
	for (uint32_t j = 0; j <= nb; j++)
		row[j] = j;
	for (uint32_t i = 1; i <= na; i++) {
		uint32_t diagonal = row[0];

		row[0] = i;
		for (uint32_t j = 1; j <= nb; j++) {
			uint32_t substituted = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = min3(row[j] + 1, row[j - 1] + 1, substituted);
		}
	}
	return row[nb];
}

void nearest_init(struct nearest *n, const char *wanted)
{
	n->wanted = wanted;
	n->best[0] = '\0';
	n->distance = UINT32_MAX;
}

void nearest_offer(struct nearest *n, const char *name)
{
	uint32_t distance = edit_distance(n->wanted, name);

	if (distance >= n->distance)
		return;
	n->distance = distance;
	snprintf(n->best, sizeof(n->best), "%s", name);
}

void nearest_hint(const struct nearest *n, struct diag *d)
{
	size_t allowed = strlen(n->wanted) / 3 + 1;

	if (n->distance <= allowed)
		diag_hint(d, "did you mean %s?", n->best);
}

uint32_t lang_diag_text(struct arena *a, const char *text, const struct diag *d,
			struct text lines[LANG_DIAG_LINES])
{
	size_t len = strlen(text), at = d->span.at < len ? d->span.at : len;
	size_t from, to, n_marked = d->span.len ? d->span.len : 1;
	struct text before, marked;
	char carets[256];
	uint32_t n = 0;

	for (from = at; from > 0 && text[from - 1] != '\n'; from--)
		;
	for (to = at; text[to] && text[to] != '\n'; to++)
		;
	if (n_marked > to - at)
		n_marked = to - at;
	before = text_clean(a, text + from, at - from);
	marked = text_clean(a, text + at, n_marked);
	n_marked = marked.cols ? marked.cols : 1;
	if (n_marked > sizeof(carets))
		n_marked = sizeof(carets);
	memset(carets, '^', sizeof(carets));

	lines[n++] = text_printf(a, "%u:%u: %s", d->line, d->column, d->message);
	lines[n++] = text_clean(a, text + from, to - from);
	lines[n++] = text_printf(a, "%*s%.*s", (int)before.cols, "", (int)n_marked, carets);
	if (d->hint[0])
		lines[n++] = text_clean_str(a, d->hint);
	return n;
}
