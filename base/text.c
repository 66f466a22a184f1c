#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"

/* Shown in place of each byte that may not reach a terminal: U+00B7. */
static const char dot[] = "\xc2\xb7";

/* Clean into out, which holds at least 2 * len bytes: a dot is two bytes long. */
static struct text clean_into(char *out, const char *raw, size_t len)
{
	uint32_t n = 0, cols = 0;

	for (size_t i = 0; i < len;) {
		uint32_t code = 0, took = glyph_decode(raw + i, len - i, &code);
		if (!took || glyph_is_unsafe(code)) {
			memcpy(out + n, dot, 2);
			n += 2;
			cols++;
			i += took ? took : 1;
			continue;
		}
		memcpy(out + n, raw + i, took);
		n += took;
		cols += glyph_cols(code);
		i += took;
	}
	out[n] = 0;
	return (struct text){ out, n, cols };
}

static bool is_plain(const char *raw, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (raw[i] < 0x20 || raw[i] > 0x7e)
			return false;
	return true;
}

struct text text_clean(struct arena *a, const char *raw, size_t len)
{
	if (!raw || len > UINT32_MAX / 4)
		return TEXT_UNKNOWN;
	if (is_plain(raw, len)) {
		const char *copy = arena_dup(a, raw, len);
		return copy ? (struct text){ copy, (uint32_t)len, (uint32_t)len } : TEXT_UNKNOWN;
	}
	char *out = arena_alloc(a, 2 * len + 1);
	return out ? clean_into(out, raw, len) : TEXT_UNKNOWN;
}

struct text text_clean_str(struct arena *a, const char *raw)
{
	return raw ? text_clean(a, raw, strlen(raw)) : TEXT_UNKNOWN;
}

static struct text vprintf_clean(struct arena *a, const char *fmt, va_list ap)
{
	char near[512];
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(near, sizeof(near), fmt, ap);
	struct text t = TEXT_UNKNOWN;
	if (n >= 0 && (size_t)n < sizeof(near)) {
		t = text_clean(a, near, (size_t)n);
	} else if (n >= 0) {
		char *far = malloc((size_t)n + 1);
		if (far) {
			vsnprintf(far, (size_t)n + 1, fmt, again);
			t = text_clean(a, far, (size_t)n);
			free(far);
		}
	}
	va_end(again);
	return t;
}

struct text text_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct text t = vprintf_clean(a, fmt, ap);
	va_end(ap);
	return t;
}

struct text text_copy(struct arena *a, struct text t)
{
	if (!t.utf8)
		return t;
	const char *copy = arena_dup(a, t.utf8, t.len);
	return copy ? (struct text){ copy, t.len, t.cols } : TEXT_UNKNOWN;
}

uint32_t text_glyph(struct text t, uint32_t *cols)
{
	uint32_t code = 0, n = glyph_decode(t.utf8, t.len, &code);

	*cols = n ? glyph_cols(code) : 0;
	if (!n)
		return t.len ? 1 : 0;
	for (uint32_t more; n < t.len; n += more) {
		more = glyph_decode(t.utf8 + n, t.len - n, &code);
		if (!more || glyph_cols(code))
			break;
	}
	return n;
}

static struct text clip(struct text t, uint32_t cols, uint32_t bytes)
{
	struct text out = { t.utf8, 0, 0 };

	while (out.len < t.len) {
		uint32_t w, n = text_glyph(text_skip(t, out.len), &w);
		if (!n || out.cols + w > cols || out.len + n > bytes)
			break;
		out.len += n;
		out.cols += w;
	}
	return out;
}

struct text text_clip(struct text t, uint32_t cols)
{
	return t.cols <= cols ? t : clip(t, cols, UINT32_MAX);
}

struct text text_skip(struct text t, uint32_t at)
{
	if (at > t.len)
		at = t.len;
	struct text rest = { t.utf8 ? t.utf8 + at : NULL, t.len - at, 0 };
	if (t.cols == t.len) { /* every glyph is one byte: no need to measure */
		rest.cols = rest.len;
		return rest;
	}
	for (uint32_t i = 0, code, n; i < rest.len; i += n) {
		n = glyph_decode(rest.utf8 + i, rest.len - i, &code);
		if (!n)
			break;
		rest.cols += glyph_cols(code);
	}
	return rest;
}

bool text_eq(struct text a, struct text b)
{
	if (!a.utf8 || !b.utf8)
		return a.utf8 == b.utf8;
	return a.len == b.len && !memcmp(a.utf8, b.utf8, a.len);
}

bool text_is(struct text t, const char *ours)
{
	size_t n = strlen(ours);

	return t.utf8 && t.len == n && !memcmp(t.utf8, ours, n);
}

int text_cmp(struct text a, struct text b)
{
	if (!a.utf8 || !b.utf8)
		return (a.utf8 != NULL) - (b.utf8 != NULL);
	uint32_t n = a.len < b.len ? a.len : b.len;
	int rc = memcmp(a.utf8, b.utf8, n);
	return rc ? rc : (a.len > b.len) - (a.len < b.len);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool text_has(struct text t, const char *needle, size_t needle_len)
{
	if (!t.utf8 || needle_len > t.len)
		return false;
	for (size_t i = 0; i + needle_len <= t.len; i++) {
		size_t k = 0;
		while (k < needle_len && lower(t.utf8[i + k]) == lower(needle[k]))
			k++;
		if (k == needle_len)
			return true;
	}
	return false;
}

void text_keep(struct text_buf *b, struct text t)
{
	struct text fits = clip(t, UINT32_MAX, sizeof(b->utf8) - 1);

	if (fits.len)
		memmove(b->utf8, fits.utf8, fits.len);
	b->utf8[fits.len] = 0;
	b->len = fits.len;
	b->cols = fits.cols;
}

void text_keepf(struct text_buf *b, const char *fmt, ...)
{
	struct arena a = { 0 };
	va_list ap;

	va_start(ap, fmt);
	text_keep(b, vprintf_clean(&a, fmt, ap));
	va_end(ap);
	arena_fini(&a);
}

struct text text_of(const struct text_buf *b)
{
	return (struct text){ b->utf8, b->len, b->cols };
}
