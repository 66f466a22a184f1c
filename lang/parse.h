/* Recursive descent over the words of one program. */
#ifndef LANG_PARSE_H
#define LANG_PARSE_H

#include "lang/lex.h"

/** Deepest nesting of expressions and blocks; keeps recursion in all passes bounded. */
#define PARSE_DEPTH_MAX 128

struct parser {
	struct compile *c;
	struct lexer lexer;
	struct token tok;  /* the word being looked at */
	uint32_t last_end; /* byte after the word before it */
	uint32_t depth;
	bool in_filter; /* a '/' that ends the filter is no division */
};

/** Move to the next word. */
int parse_advance(struct parser *p);

/** True when the current word is this operator. */
bool parse_at(const struct parser *p, const char *punct);

/** Consume that operator or complain that it is missing. */
int parse_expect(struct parser *p, const char *punct);

/** Complain about the current word: "expected X, found Y". */
int parse_unexpected(struct parser *p, const char *expected);

/** "unsupported: X" at the current word. */
int parse_unsupported(struct parser *p, const char *construct);

/** An expression, with ?: as its weakest operator. */
int parse_expr(struct parser *p, struct expr **out);

/** Comma-separated expressions up to the closing operator, which is consumed; linked by next. */
int parse_list(struct parser *p, const char *closing, struct expr **first, uint32_t *n);

#endif
