/* Trees as nested lists, one statement a line. */
#include "lang/dump.h"

#include <inttypes.h>

static void dump_expr(struct writer *w, const struct expr *e)
{
	const struct expr *const parts[] = { e->a, e->b, e->c };

	switch (e->kind) {
	case EXPR_INT: writer_add(w, "%" PRIu64, e->value); return;
	case EXPR_STR:
		writer_add(w, "\"");
		for (uint32_t i = 0; i < e->name_len; i++)
			writer_add(w,
				   e->name[i] >= ' ' && e->name[i] < 0x7f && e->name[i] != '"'
				       ? "%c"
				       : "\\x%02x",
				   (unsigned char)e->name[i]);
		writer_add(w, "\"");
		return;
	case EXPR_VAR:
	case EXPR_BUILTIN: writer_add(w, "%s", e->name); return;
	case EXPR_FIELD: writer_add(w, "args.%s", e->name); return;
	case EXPR_UNARY:
	case EXPR_BINARY: writer_add(w, "(%s", op_name(e->op)); break;
	case EXPR_COND: writer_add(w, "(?:"); break;
	case EXPR_MAP:
		writer_add(w, "%s", e->name);
		if (!e->args)
			return;
		writer_add(w, "[");
		for (const struct expr *key = e->args; key; key = key->next) {
			dump_expr(w, key);
			writer_add(w, key->next ? " " : "]");
		}
		return;
	case EXPR_CALL: writer_add(w, "(%s", e->name); break;
	}
	for (size_t i = 0; i < ARRAY_LEN(parts) && parts[i]; i++) {
		writer_add(w, " ");
		dump_expr(w, parts[i]);
	}
	for (const struct expr *arg = e->args; arg; arg = arg->next) {
		writer_add(w, " ");
		dump_expr(w, arg);
	}
	writer_add(w, ")");
}

static void dump_stmts(struct writer *w, const struct stmt *s, int indent)
{
	for (; s; s = s->next) {
		writer_add(w, "\n%*s", indent, "");
		if (s->kind == STMT_IF) {
			writer_add(w, "(if ");
			dump_expr(w, s->value);
			writer_add(w, " (then");
			dump_stmts(w, s->then, indent + 2);
			writer_add(w, ")");
			if (s->other) {
				writer_add(w, " (else");
				dump_stmts(w, s->other, indent + 2);
				writer_add(w, ")");
			}
		} else if (s->kind == STMT_CALL) {
			writer_add(w, "(do ");
			dump_expr(w, s->target);
		} else {
			writer_add(w, "(%s= ", op_name(s->op));
			dump_expr(w, s->target);
			writer_add(w, " ");
			dump_expr(w, s->value);
		}
		writer_add(w, ")");
	}
}

char *dump_ast(const struct compile *c, struct arena *a)
{
	struct writer w = { .arena = a };

	for (const struct clause *clause = c->clauses; clause; clause = clause->next) {
		writer_add(&w, "(probe %s:%s", clause->provider, clause->target);
		if (clause->filter) {
			writer_add(&w, "\n  (filter ");
			dump_expr(&w, clause->filter);
			writer_add(&w, ")");
		}
		dump_stmts(&w, clause->body, 2);
		writer_add(&w, ")\n");
	}
	return writer_text(&w);
}
