/* Clauses and statements. A body is read once per attach point, so each probe gets its own tree. */
#include "lang/parse.h"

#include <errno.h>
#include <string.h>

#include "lang/provider.h"

int parse_advance(struct parser *p)
{
	p->last_end = p->tok.span.at + p->tok.span.len;
	return lex_next(&p->lexer, &p->tok);
}

bool parse_at(const struct parser *p, const char *punct)
{
	return p->tok.kind == TOK_PUNCT && strcmp(p->tok.name, punct) == 0;
}

int parse_unexpected(struct parser *p, const char *expected)
{
	/* Point behind the last word, not behind the blank lines after it. */
	if (p->tok.kind == TOK_END)
		return compile_fail(p->c, (struct span){ p->last_end, 1 }, EINVAL,
				    "expected %s, found the end of the program", expected);
	return compile_fail(p->c, p->tok.span, EINVAL, "expected %s, found '%.*s'", expected,
			    (int)(p->tok.span.len < 40 ? p->tok.span.len : 40),
			    p->c->text + p->tok.span.at);
}

int parse_unsupported(struct parser *p, const char *construct)
{
	return compile_fail(p->c, p->tok.span, ENOSYS, "unsupported: %s", construct);
}

int parse_expect(struct parser *p, const char *punct)
{
	char quoted[8] = "'";

	if (parse_at(p, punct))
		return parse_advance(p);
	strcat(strcat(quoted, punct), "'");
	return parse_unexpected(p, quoted);
}

static bool at_word(const struct parser *p, const char *word)
{
	return p->tok.kind == TOK_NAME && strcmp(p->tok.name, word) == 0;
}

static int parse_block(struct parser *p, struct stmt **out);

static int parse_if(struct parser *p, struct stmt *s)
{
	int rc = parse_advance(p);

	s->kind = STMT_IF;
	rc = rc ? rc : parse_expr(p, &s->value);
	rc = rc ? rc : parse_block(p, &s->then);
	if (rc || !at_word(p, "else"))
		return rc;
	rc = parse_advance(p);
	if (rc || !at_word(p, "if"))
		return rc ? rc : parse_block(p, &s->other);
	s->other = arena_alloc(p->c->arena, sizeof(*s->other));
	if (!s->other)
		return compile_nomem(p->c);
	s->other->span = p->tok.span;
	if (++p->depth > PARSE_DEPTH_MAX)
		return compile_fail(p->c, p->tok.span, EINVAL, "blocks are nested too deeply");
	rc = parse_if(p, s->other);
	p->depth--;
	return rc;
}

static const struct {
	const char *punct;
	enum op op;
} assignments[] = {
	{ "=", OP_NONE }, { "+=", OP_ADD },  { "-=", OP_SUB },  { "*=", OP_MUL },
	{ "/=", OP_DIV }, { "%=", OP_MOD },  { "&=", OP_AND },  { "|=", OP_OR },
	{ "^=", OP_XOR }, { "<<=", OP_SHL }, { ">>=", OP_SHR },
};

/** x++ and x-- are x += 1 and x -= 1. */
static int parse_step(struct parser *p, struct stmt *s)
{
	s->op = parse_at(p, "++") ? OP_ADD : OP_SUB;
	s->value = arena_alloc(p->c->arena, sizeof(*s->value));
	if (!s->value)
		return compile_nomem(p->c);
	s->value->kind = EXPR_INT;
	s->value->span = p->tok.span;
	s->value->value = 1;
	s->value->depth = 1;
	return parse_advance(p);
}

static int parse_assignment(struct parser *p, struct stmt *s)
{
	size_t i = 0;
	int rc;

	if (parse_at(p, "++") || parse_at(p, "--"))
		return parse_step(p, s);
	while (i < ARRAY_LEN(assignments) && !parse_at(p, assignments[i].punct))
		i++;
	if (i == ARRAY_LEN(assignments))
		return parse_unexpected(p, "an assignment");
	s->op = assignments[i].op;
	rc = parse_advance(p);
	return rc ? rc : parse_expr(p, &s->value);
}

/** Statements of the language that have no lowering. */
static const struct {
	const char *word, *construct;
} unsupported[] = {
	{ "while", "while loops" },    { "for", "for loops" }, { "unroll", "unroll" },
	{ "let", "let declarations" }, { "return", "return" }, { "break", "break" },
	{ "continue", "continue" },
};

static int parse_simple(struct parser *p, struct stmt *s)
{
	int rc;

	for (size_t i = 0; i < ARRAY_LEN(unsupported); i++) {
		if (at_word(p, unsupported[i].word))
			return parse_unsupported(p, unsupported[i].construct);
	}
	if (parse_at(p, "++") || parse_at(p, "--"))
		return parse_unsupported(p, "++ and -- before their operand");
	rc = parse_expr(p, &s->target);
	if (rc)
		return rc;
	if (s->target->kind == EXPR_CALL) {
		s->kind = STMT_CALL;
		return 0;
	}
	if (s->target->kind != EXPR_VAR && s->target->kind != EXPR_MAP)
		return compile_fail(p->c, s->target->span, EINVAL,
				    "a statement assigns to a map or a $variable");
	s->kind = s->target->kind == EXPR_VAR ? STMT_SET_VAR : STMT_SET_MAP;
	return parse_assignment(p, s);
}

static int parse_stmt(struct parser *p, struct stmt **out)
{
	struct stmt *s = *out = arena_alloc(p->c->arena, sizeof(*s));
	int rc;

	if (!s)
		return compile_nomem(p->c);
	s->span = p->tok.span;
	if (at_word(p, "if"))
		return parse_if(p, s);
	rc = parse_simple(p, s);
	s->span.len = p->last_end - s->span.at;
	if (rc || parse_at(p, "}"))
		return rc;
	return parse_expect(p, ";");
}

static int parse_block(struct parser *p, struct stmt **out)
{
	int rc;

	if (++p->depth > PARSE_DEPTH_MAX)
		return compile_fail(p->c, p->tok.span, EINVAL, "blocks are nested too deeply");
	rc = parse_expect(p, "{");
	while (!rc && !parse_at(p, "}")) {
		if (parse_at(p, ";")) {
			rc = parse_advance(p);
			continue;
		}
		rc = parse_stmt(p, out);
		if (!rc)
			out = &(*out)->next;
	}
	p->depth--;
	return rc ? rc : parse_advance(p);
}

static int parse_filter_and_body(struct parser *p, struct clause *clause)
{
	int rc = parse_advance(p);

	if (!rc && parse_at(p, "/")) {
		p->in_filter = true;
		rc = parse_advance(p);
		rc = rc ? rc : parse_expr(p, &clause->filter);
		p->in_filter = false;
		rc = rc ? rc : parse_expect(p, "/");
	}
	return rc ? rc : parse_block(p, &clause->body);
}

/** provider:target, where the target may hold colons of its own. */
static int parse_attach_point(struct parser *p, struct clause *clause)
{
	struct token provider, part;
	int rc = lex_attach_word(&p->lexer, &provider);
	char ch;

	if (rc)
		return rc;
	clause->span = provider.span;
	clause->provider = provider.name;
	clause->target = "";
	if (!provider.name_len)
		return compile_fail(p->c, provider.span, EINVAL,
				    "expected a probe such as tracepoint:sched:sched_switch");
	while ((ch = p->c->text[p->lexer.at]) == ':') {
		p->lexer.at++;
		rc = lex_attach_word(&p->lexer, &part);
		if (rc)
			return rc;
		clause->target = arena_printf(p->c->arena, "%s%s%s", clause->target,
					      *clause->target ? ":" : "", part.name);
		if (!clause->target)
			return compile_nomem(p->c);
	}
	clause->span.len = p->lexer.at - clause->span.at;
	return 0;
}

/** A list of attach points, then the body once for each of them. */
static int parse_clause(struct parser *p, struct clause ***tail)
{
	struct clause *first = NULL, **last = &first;
	struct lexer body;
	int rc;

	do {
		if (last != &first)
			p->lexer.at++;
		struct clause written = { .next = NULL };

		rc = parse_attach_point(p, &written);
		rc = rc ? rc : expand_clause(p->c, &written, &last);
		if (rc)
			return rc;
	} while (lex_peek_byte(&p->lexer) == ',');
	body = p->lexer;
	for (struct clause *clause = first; clause; clause = clause->next) {
		p->lexer = body;
		p->tok.span = (struct span){ clause->span.at, clause->span.len };
		rc = parse_filter_and_body(p, clause);
		if (rc)
			return rc;
		**tail = clause;
		*tail = &clause->next;
	}
	return 0;
}

int pass_parse(struct compile *c)
{
	struct parser p = { .c = c, .lexer = { .c = c } };
	struct clause **tail = &c->clauses;
	int rc = 0;

	while (!rc && lex_peek_byte(&p.lexer)) {
		rc = parse_clause(&p, &tail);
		/* The word after the body was read as code; the next clause starts at it again. */
		p.lexer.at = p.tok.span.at;
	}
	if (!rc && !c->clauses)
		return compile_fail(c, (struct span){ 0, 1 }, EINVAL, "the program is empty");
	return rc;
}
