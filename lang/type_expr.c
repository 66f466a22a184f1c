/* Types of expressions. */
#include "lang/type.h"

#include <errno.h>
#include <string.h>

#include "lang/provider.h"

/** Longest string literal and char array: a few of them must fit the stack. */
#define STR_LEN_MAX 199

static const struct type int_signed = { TYPE_INT, 8, true };

static struct type int_of(bool is_signed)
{
	return (struct type){ TYPE_INT, 8, is_signed };
}

int type_int(struct typing *t, struct expr *e, const char *what)
{
	int rc = type_expr(t, e);

	if (!rc && e->type.kind != TYPE_INT)
		return compile_fail(t->c, e->span, EINVAL, "%s must be an integer, not a string",
				    what);
	return rc;
}

static int type_literal(struct typing *t, struct expr *e)
{
	if (e->name_len > STR_LEN_MAX)
		return compile_fail(t->c, e->span, EINVAL, "strings are at most %d bytes",
				    STR_LEN_MAX);
	e->type = (struct type){ TYPE_STR, (e->name_len + 8) & ~7u, false };
	return 0;
}

static int type_var(struct typing *t, struct expr *e)
{
	struct nearest nearest;
	int rc;

	nearest_init(&nearest, e->name);
	for (uint32_t i = 0; i < t->c->nvars; i++) {
		if (t->c->vars[i].clause != t->clause)
			continue;
		if (strcmp(t->c->vars[i].name, e->name) == 0) {
			e->i_var = i;
			e->type = int_of(t->c->vars[i].is_signed);
			return 0;
		}
		nearest_offer(&nearest, t->c->vars[i].name);
	}
	rc = compile_fail(t->c, e->span, EINVAL, "%s is used before it is assigned", e->name);
	nearest_hint(&nearest, t->c->diag);
	return rc;
}

static int type_builtin(struct typing *t, struct expr *e)
{
	struct nearest nearest;
	int rc;

	e->builtin = builtin_find(e->name);
	if (e->builtin) {
		e->type = e->builtin->type;
		return 0;
	}
	if (builtin_is_unsupported(e->name))
		return compile_fail(t->c, e->span, ENOSYS, "unsupported: %s", e->name);
	rc = compile_fail(t->c, e->span, EINVAL, "unknown name '%s'", e->name);
	nearest_init(&nearest, e->name);
	for (size_t s = 0; s < builtin_sets_len; s++) {
		for (size_t i = 0; i < builtin_sets[s]->len; i++)
			nearest_offer(&nearest, builtin_sets[s]->items[i].name);
	}
	nearest_hint(&nearest, t->c->diag);
	return rc;
}

static int unknown_field(struct typing *t, const struct expr *e)
{
	struct span at = { e->span.at + e->span.len - e->name_len, e->name_len };
	int rc = compile_fail(t->c, at, EINVAL, "%s has no field '%s'", t->clause->target, e->name);
	struct nearest nearest;

	nearest_init(&nearest, e->name);
	for (uint32_t i = 0; i < t->clause->nfields; i++)
		nearest_offer(&nearest, t->clause->fields[i].name);
	nearest_hint(&nearest, t->c->diag);
	return rc;
}

static int type_field(struct typing *t, struct expr *e)
{
	const struct field *f = field_find(t->clause, e->name);

	if (!f)
		return unknown_field(t, e);
	e->field = f;
	if (f->kind == FIELD_INT)
		e->type = int_of(f->is_signed || (f->size_bytes < 8 && !f->is_pointer));
	else if (f->kind == FIELD_DATA_LOC || f->kind == FIELD_REL_LOC)
		e->type = (struct type){ TYPE_STR, LANG_STR_BYTES, false };
	else if (f->kind == FIELD_CHARS && f->size_bytes <= STR_LEN_MAX)
		e->type = (struct type){ TYPE_STR, (f->size_bytes + 7) & ~7u, false };
	else
		return compile_fail(t->c, e->span, ENOSYS, "unsupported: fields of type %s%s",
				    f->declared, f->kind == FIELD_CHARS ? " of that length" : "");
	return 0;
}

static int type_unary(struct typing *t, struct expr *e)
{
	int rc = type_int(t, e->a, "an operand");

	e->type = e->op == OP_LNOT ? int_signed : e->a->type;
	return rc;
}

static int type_comparison(struct typing *t, struct expr *e)
{
	int rc = type_expr(t, e->a);

	rc = rc ? rc : type_expr(t, e->b);
	if (rc)
		return rc;
	if (e->a->type.kind != e->b->type.kind)
		return compile_fail(t->c, e->span, EINVAL,
				    "a string and an integer cannot be compared");
	if (e->a->type.kind == TYPE_STR && e->op != OP_EQ && e->op != OP_NE)
		return compile_fail(t->c, e->span, EINVAL,
				    "strings can only be compared with == and !=");
	e->type = int_signed;
	return 0;
}

static int type_binary(struct typing *t, struct expr *e)
{
	int rc;

	if (op_is_comparison(e->op))
		return type_comparison(t, e);
	rc = type_int(t, e->a, "an operand");
	rc = rc ? rc : type_int(t, e->b, "an operand");
	if (rc)
		return rc;
	if ((e->op == OP_DIV || e->op == OP_MOD) && e->b->kind == EXPR_INT && !e->b->value)
		return compile_fail(t->c, e->b->span, EINVAL, "division by zero");
	if (e->op == OP_LAND || e->op == OP_LOR)
		e->type = int_signed;
	else if (e->op == OP_SHL || e->op == OP_SHR)
		e->type = e->a->type;
	else
		e->type = int_of(e->a->type.is_signed && e->b->type.is_signed);
	return 0;
}

static int type_choice(struct typing *t, struct expr *e)
{
	int rc = type_int(t, e->a, "a condition");

	rc = rc ? rc : type_expr(t, e->b);
	rc = rc ? rc : type_expr(t, e->c);
	if (rc)
		return rc;
	if (e->b->type.kind != e->c->type.kind)
		return compile_fail(t->c, e->span, EINVAL, "both sides of ?: must be of one type");
	if (e->b->type.kind == TYPE_STR)
		return compile_fail(t->c, e->span, ENOSYS, "unsupported: ?: with strings");
	e->type = int_of(e->b->type.is_signed && e->c->type.is_signed);
	return 0;
}

int type_unknown_function(struct typing *t, const struct expr *e)
{
	struct span at = { e->span.at, e->name_len };
	struct nearest nearest;
	int rc;

	if (aggregate_find(e->name))
		return compile_fail(t->c, e->span, EINVAL,
				    "%s() must be assigned to a map of its own", e->name);
	if (action_find(e->name))
		return compile_fail(t->c, e->span, EINVAL, "%s() has no value", e->name);
	if (function_find(e->name))
		return compile_fail(t->c, e->span, EINVAL, "%s() alone does nothing", e->name);
	if (function_is_unsupported(e->name) || aggregate_is_unsupported(e->name))
		return compile_fail(t->c, at, ENOSYS, "unsupported: %s()", e->name);
	rc = compile_fail(t->c, at, EINVAL, "unknown function '%s'", e->name);
	nearest_init(&nearest, e->name);
	for (size_t i = 0; i < functions_len; i++)
		nearest_offer(&nearest, functions[i].name);
	for (size_t i = 0; i < aggregates_len; i++)
		nearest_offer(&nearest, aggregates[i].name);
	for (size_t i = 0; i < actions_len; i++)
		nearest_offer(&nearest, actions[i].name);
	nearest_hint(&nearest, t->c->diag);
	return rc;
}

static int type_call(struct typing *t, struct expr *e)
{
	int rc = 0;

	e->function = function_find(e->name);
	if (!e->function)
		return type_unknown_function(t, e);
	if (e->nargs < e->function->nargs_min || e->nargs > e->function->nargs_max)
		return compile_fail(t->c, e->span, EINVAL, "%s() takes %u to %u arguments", e->name,
				    e->function->nargs_min, e->function->nargs_max);
	for (struct expr *arg = e->args; arg && !rc; arg = arg->next)
		rc = type_expr(t, arg);
	return rc ? rc : e->function->type(t->c, e);
}

static int type_map_read(struct typing *t, struct expr *e)
{
	int rc = type_map(t, e);
	const struct map_use *use;

	if (rc)
		return rc;
	use = &t->c->map_uses[e->i_map];
	if (use->aggregate)
		return compile_fail(t->c, e->span, ENOSYS,
				    "unsupported: reading a %s() map in a program",
				    use->aggregate->name);
	if (t->is_last && !use->is_assigned)
		return compile_fail(t->c, e->span, EINVAL, "%s is read but never assigned",
				    e->name);
	e->type = int_of(t->c->maps[e->i_map].is_signed);
	return 0;
}

int type_expr(struct typing *t, struct expr *e)
{
	static int (*const by_kind[])(struct typing *, struct expr *) = {
		[EXPR_STR] = type_literal,     [EXPR_VAR] = type_var,
		[EXPR_BUILTIN] = type_builtin, [EXPR_FIELD] = type_field,
		[EXPR_MAP] = type_map_read,    [EXPR_UNARY] = type_unary,
		[EXPR_BINARY] = type_binary,   [EXPR_COND] = type_choice,
		[EXPR_CALL] = type_call,
	};

	if (e->kind != EXPR_INT)
		return by_kind[e->kind](t, e);
	e->type = int_of(e->value <= INT64_MAX);
	return 0;
}
