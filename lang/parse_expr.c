/* Expressions: precedence climbing over a table of binary operators. */
#include "lang/parse.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *punct;
	enum op op;
	uint32_t precedence;
} binaries[] = {
	{ "||", OP_LOR, 1 }, { "&&", OP_LAND, 2 }, { "|", OP_OR, 3 },  { "^", OP_XOR, 4 },
	{ "&", OP_AND, 5 },  { "==", OP_EQ, 6 },   { "!=", OP_NE, 6 }, { "<", OP_LT, 7 },
	{ "<=", OP_LE, 7 },  { ">", OP_GT, 7 },    { ">=", OP_GE, 7 }, { "<<", OP_SHL, 8 },
	{ ">>", OP_SHR, 8 }, { "+", OP_ADD, 9 },   { "-", OP_SUB, 9 }, { "*", OP_MUL, 10 },
	{ "/", OP_DIV, 10 }, { "%", OP_MOD, 10 },
};

static const struct {
	const char *punct;
	enum op op;
} unaries[] = {
	{ "-", OP_NEG },
	{ "~", OP_NOT },
	{ "!", OP_LNOT },
};

/** Operators of the language that have no lowering. */
static const struct {
	const char *punct, *construct;
} unsupported[] = {
	{ "++", "++ inside an expression" },
	{ "--", "-- inside an expression" },
	{ "*", "dereferencing a pointer" },
	{ "&", "taking an address" },
};

static int new_expr(struct parser *p, enum expr_kind kind, struct expr **out)
{
	struct expr *e = arena_alloc(p->c->arena, sizeof(*e));

	if (!e)
		return compile_nomem(p->c);
	e->kind = kind;
	e->span = p->tok.span;
	e->name = p->tok.name;
	e->name_len = p->tok.name_len;
	e->depth = 1;
	*out = e;
	return 0;
}

/** Stretch e's place to the last word read and take the depth of its parts into account. */
static int close_expr(struct parser *p, struct expr *e)
{
	const struct expr *parts[] = { e->a, e->b, e->c };

	e->span.len = p->last_end - e->span.at;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (parts[i] && parts[i]->depth >= e->depth)
			e->depth = parts[i]->depth + 1;
	}
	for (const struct expr *arg = e->args; arg; arg = arg->next) {
		if (arg->depth >= e->depth)
			e->depth = arg->depth + 1;
	}
	if (e->depth > PARSE_DEPTH_MAX)
		return compile_fail(p->c, e->span, EINVAL, "expression is nested too deeply");
	return 0;
}

int parse_list(struct parser *p, const char *closing, struct expr **first, uint32_t *n)
{
	struct expr **tail = first;
	bool outer = p->in_filter;
	int rc = 0;

	p->in_filter = false;
	*n = 0;
	while (!parse_at(p, closing)) {
		rc = *n ? parse_expect(p, ",") : 0;
		rc = rc ? rc : parse_expr(p, tail);
		if (rc)
			return rc;
		tail = &(*tail)->next;
		(*n)++;
	}
	p->in_filter = outer;
	return parse_advance(p);
}

/** args.field and args->field. */
static int parse_field(struct parser *p, struct expr *e)
{
	int rc = parse_advance(p);

	if (rc)
		return rc;
	if (p->tok.kind != TOK_NAME)
		return parse_unexpected(p, "the name of a field");
	e->kind = EXPR_FIELD;
	e->name = p->tok.name;
	e->name_len = p->tok.name_len;
	rc = parse_advance(p);
	return rc ? rc : close_expr(p, e);
}

static int parse_name(struct parser *p, struct expr **out)
{
	int rc = new_expr(p, EXPR_BUILTIN, out);
	struct expr *e = *out;

	rc = rc ? rc : parse_advance(p);
	if (rc)
		return rc;
	if (strcmp(e->name, "args") == 0 && (parse_at(p, ".") || parse_at(p, "->")))
		return parse_field(p, e);
	if (!parse_at(p, "("))
		return 0;
	e->kind = EXPR_CALL;
	rc = parse_advance(p);
	rc = rc ? rc : parse_list(p, ")", &e->args, &e->nargs);
	return rc ? rc : close_expr(p, e);
}

static int parse_map(struct parser *p, struct expr **out)
{
	int rc = new_expr(p, EXPR_MAP, out);
	struct token bracket;

	rc = rc ? rc : parse_advance(p);
	if (rc || !parse_at(p, "["))
		return rc;
	bracket = p->tok;
	rc = parse_advance(p);
	rc = rc ? rc : parse_list(p, "]", &(*out)->args, &(*out)->nargs);
	if (!rc && !(*out)->nargs)
		return compile_fail(p->c, bracket.span, EINVAL, "a map's key is empty");
	return rc ? rc : close_expr(p, *out);
}

static int parse_paren(struct parser *p, struct expr **out)
{
	bool outer = p->in_filter;
	int rc = parse_advance(p);

	p->in_filter = false;
	if (!rc && p->tok.kind == TOK_NAME &&
	    (strcmp(p->tok.name, "struct") == 0 || strcmp(p->tok.name, "union") == 0))
		return parse_unsupported(p, "casts to structures");
	rc = rc ? rc : parse_expr(p, out);
	p->in_filter = outer;
	if (!rc && parse_at(p, ","))
		return parse_unsupported(p, "tuples");
	return rc ? rc : parse_expect(p, ")");
}

static int parse_primary(struct parser *p, struct expr **out)
{
	int rc;

	switch (p->tok.kind) {
	case TOK_INT:
		rc = new_expr(p, EXPR_INT, out);
		if (rc)
			return rc;
		(*out)->value = p->tok.value;
		return parse_advance(p);
	case TOK_STRING: rc = new_expr(p, EXPR_STR, out); return rc ? rc : parse_advance(p);
	case TOK_VAR: rc = new_expr(p, EXPR_VAR, out); return rc ? rc : parse_advance(p);
	case TOK_NAME: return parse_name(p, out);
	case TOK_MAP: return parse_map(p, out);
	case TOK_PUNCT:
		if (parse_at(p, "("))
			return parse_paren(p, out);
		return parse_unexpected(p, "an expression");
	default: return parse_unexpected(p, "an expression");
	}
}

static int parse_postfix(struct parser *p, struct expr **out)
{
	int rc = parse_primary(p, out);

	if (rc)
		return rc;
	if (parse_at(p, ".") || parse_at(p, "->"))
		return parse_unsupported(p, "members of structures other than args");
	if (parse_at(p, "["))
		return parse_unsupported(p, "indexing");
	return 0;
}

static int parse_unary(struct parser *p, struct expr **out)
{
	int rc;

	for (size_t i = 0; i < ARRAY_LEN(unsupported); i++) {
		if (parse_at(p, unsupported[i].punct))
			return parse_unsupported(p, unsupported[i].construct);
	}
	for (size_t i = 0; i < ARRAY_LEN(unaries); i++) {
		if (!parse_at(p, unaries[i].punct))
			continue;
		rc = new_expr(p, EXPR_UNARY, out);
		if (rc)
			return rc;
		(*out)->op = unaries[i].op;
		if (++p->depth > PARSE_DEPTH_MAX)
			return compile_fail(p->c, p->tok.span, EINVAL,
					    "expression is nested too deeply");
		rc = parse_advance(p);
		rc = rc ? rc : parse_unary(p, &(*out)->a);
		p->depth--;
		return rc ? rc : close_expr(p, *out);
	}
	return parse_postfix(p, out);
}

static int parse_binary(struct parser *p, uint32_t least, struct expr **out)
{
	int rc = parse_unary(p, out);

	while (!rc) {
		struct expr *left = *out, *e = NULL;
		size_t i = 0;

		if (p->in_filter && p->tok.ends_filter)
			return 0;
		while (i < ARRAY_LEN(binaries) && !parse_at(p, binaries[i].punct))
			i++;
		if (i == ARRAY_LEN(binaries) || binaries[i].precedence < least)
			return 0;
		rc = new_expr(p, EXPR_BINARY, &e);
		if (rc)
			return rc;
		e->span.at = left->span.at;
		e->op = binaries[i].op;
		e->a = left;
		rc = parse_advance(p);
		rc = rc ? rc : parse_binary(p, binaries[i].precedence + 1, &e->b);
		rc = rc ? rc : close_expr(p, e);
		*out = e;
	}
	return rc;
}

static int parse_cond(struct parser *p, struct expr **out)
{
	int rc = parse_binary(p, 1, out);
	struct expr *e = NULL;

	if (rc || !parse_at(p, "?"))
		return rc;
	rc = new_expr(p, EXPR_COND, &e);
	if (rc)
		return rc;
	e->span.at = (*out)->span.at;
	e->a = *out;
	*out = e;
	rc = parse_advance(p);
	if (!rc && parse_at(p, ":"))
		return parse_unsupported(p, "?: without a middle");
	rc = rc ? rc : parse_expr(p, &e->b);
	rc = rc ? rc : parse_expect(p, ":");
	rc = rc ? rc : parse_expr(p, &e->c);
	return rc ? rc : close_expr(p, e);
}

int parse_expr(struct parser *p, struct expr **out)
{
	int rc;

	if (++p->depth > PARSE_DEPTH_MAX)
		return compile_fail(p->c, p->tok.span, EINVAL, "expression is nested too deeply");
	rc = parse_cond(p, out);
	p->depth--;
	return rc;
}
