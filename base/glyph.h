/* Code points: decoding, what is unsafe on a terminal, and how wide a glyph is. */
#ifndef BASE_GLYPH_H
#define BASE_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Decode one UTF-8 sequence (RFC 3629: no overlongs, no surrogates); its length, or 0 when invalid. */
uint32_t glyph_decode(const char *bytes, size_t len, uint32_t *code);

/** C0, C1, DEL, bidi controls, line separators, zero-width joiners and noncharacters. */
bool glyph_is_unsafe(uint32_t code);

/** Terminal columns of a code point: 0 for combining marks, 2 for wide ones (Unicode 15 East Asian Width), else 1. */
uint32_t glyph_cols(uint32_t code);

#endif
