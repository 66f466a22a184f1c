/* The only form in which bytes reach a screen, a file or a log. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/**
 * Bytes that are safe to put on a terminal: valid UTF-8 without C0, C1, DEL or
 * bidi controls. Only text_clean(), text_printf(), text_of() and TEXT() make
 * one; the canvas and the exporters take nothing else. utf8 == NULL means the
 * value is not known. Bytes are borrowed from the arena or the literal.
 */
struct text {
	const char *utf8;
	uint32_t len;
	uint32_t cols; /* terminal columns: wide glyphs count two, combining ones none */
};

/** A literal of ours, printable ASCII only: in static records, and in expressions. */
#define TEXT_INIT(lit) { "" lit "", sizeof(lit) - 1, sizeof(lit) - 1 }
#define TEXT(lit) ((struct text)TEXT_INIT(lit))
#define TEXT_UNKNOWN ((struct text){ 0 })

/** Copy untrusted bytes, showing each unsafe or invalid one as U+00B7; TEXT_UNKNOWN when memory is used up. */
struct text text_clean(struct arena *a, const char *raw, size_t len);

/** text_clean() of a NUL-terminated string; NULL gives TEXT_UNKNOWN. */
struct text text_clean_str(struct arena *a, const char *raw);

/** Format, then clean the result: safe whatever the arguments hold. */
PRINTF_LIKE(2, 3)
struct text text_printf(struct arena *a, const char *fmt, ...);

/** A copy in another arena; TEXT_UNKNOWN stays unknown. */
struct text text_copy(struct arena *a, struct text t);

/** The longest prefix of at most that many columns; never splits a glyph. */
struct text text_clip(struct text t, uint32_t cols);

/** The suffix that starts at byte offset at; at must be a glyph boundary. */
struct text text_skip(struct text t, uint32_t at);

/** Bytes and columns of the first glyph with its combining marks; 0 bytes at the end. */
uint32_t text_glyph(struct text t, uint32_t *cols);

/** Byte equality; unknown equals only unknown. */
bool text_eq(struct text a, struct text b);

/** Equality with a C string of ours. */
bool text_is(struct text t, const char *ours);

/** Byte order for sorting; unknown sorts first. */
int text_cmp(struct text a, struct text b);

/** True when needle occurs in t, ASCII letters compared without case. */
bool text_has(struct text t, const char *needle, size_t needle_len);

/** A text that owns its bytes, for state that outlives a frame. Zeroed is the empty text. */
struct text_buf {
	char utf8[160];
	uint32_t len, cols;
};

/** Keep a copy, clipped to what fits at a glyph boundary. */
void text_keep(struct text_buf *b, struct text t);

/** Format, clean and keep. */
PRINTF_LIKE(2, 3)
void text_keepf(struct text_buf *b, const char *fmt, ...);

/** The kept text, borrowed from b. */
struct text text_of(const struct text_buf *b);

/** printf("%.*s", TEXT_ARG(t)). */
#define TEXT_ARG(t) (int)(t).len, (t).utf8 ? (t).utf8 : ""

#endif
