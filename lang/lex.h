/* Words of the probe language, read on demand because attach points have their own alphabet. */
#ifndef LANG_LEX_H
#define LANG_LEX_H

#include "lang/compile.h"

enum token_kind { TOK_END, TOK_NAME, TOK_VAR, TOK_MAP, TOK_INT, TOK_STRING, TOK_PUNCT };

/** One word. name points into the arena (strings: escapes resolved). */
struct token {
	enum token_kind kind;
	struct span span;
	const char *name; /* NUL-terminated; of TOK_PUNCT: the operator */
	uint32_t name_len;
	uint64_t value;   /* of an integer */
	bool ends_filter; /* a '/' with '{' next */
};

/** Where reading stands; copying it is a bookmark. */
struct lexer {
	struct compile *c;
	uint32_t at;
};

/** The next word; 0 or a negative errno with the complaint filled. */
int lex_next(struct lexer *lx, struct token *t);

/** The next piece of an attach point, up to ':' ',' '/' '{' or space; an empty name when there is
 * none. */
int lex_attach_word(struct lexer *lx, struct token *t);

/** Skip spaces and comments and return the byte after them, 0 at the end. */
char lex_peek_byte(struct lexer *lx);

#endif
