/* Stages of compilation as text. */
#ifndef LANG_DUMP_H
#define LANG_DUMP_H

#include "lang/compile.h"

/** Text that grows in an arena; broken when memory is used up. */
struct writer {
	struct arena *arena;
	char *bytes;
	size_t len, cap;
	bool is_broken;
};

/** Append formatted text. */
PRINTF_LIKE(2, 3)
void writer_add(struct writer *w, const char *fmt, ...);

/** The text, or NULL when memory was used up. */
char *writer_text(const struct writer *w);

/** Trees, blocks and instructions of a compilation that has come so far; NULL when memory is used
 * up. */
char *dump_ast(const struct compile *c, struct arena *a);
char *dump_ir(const struct compile *c, struct arena *a);
char *dump_asm(const struct compile *c, struct arena *a);

#endif
