/* Lowering of clauses and statements. */
#include "lang/builtin.h"

#include <errno.h>

#include "lang/provider.h"

int32_t lower_stack(struct lower *lo, uint32_t size_bytes)
{
	lo->stack_used_bytes += (size_bytes + 7) & ~7u;
	if (lo->stack_used_bytes > lo->ir->stack_bytes)
		lo->ir->stack_bytes = lo->stack_used_bytes;
	return -(int32_t)lo->stack_used_bytes;
}

void lower_zero(struct lower *lo, int32_t off, uint32_t size_bytes)
{
	for (uint32_t i = 0; i < size_bytes; i += 8)
		ir_store_stack(lo->ir, off + (int32_t)i, 8, ir_imm(0));
}

struct ir_val lower_pid_tgid(struct lower *lo)
{
	if (lo->pid_tgid.kind == IR_NONE)
		lo->pid_tgid = ir_call(lo->ir, BPF_FUNC_get_current_pid_tgid, true)->dst;
	return lo->pid_tgid;
}

static void lower_stmts(struct lower *lo, const struct stmt *s);

static void lower_set_var(struct lower *lo, const struct stmt *s)
{
	struct ir_val var = lo->vars[s->target->i_var], v = lower_expr(lo, s->value);

	if (s->op != OP_NONE)
		v = lower_arithmetic(lo, s->op, var, v,
				     s->target->type.is_signed && s->value->type.is_signed);
	ir_mov(lo->ir, var, v);
}

static void lower_if(struct lower *lo, const struct stmt *s)
{
	struct ir *ir = lo->ir;
	uint32_t yes = ir_block(ir), no = ir_block(ir), after = s->other ? ir_block(ir) : no;
	uint32_t used = lo->stack_used_bytes;
	struct ir_val known;

	lower_cond(lo, s->value, yes, no);
	lo->stack_used_bytes = used;
	/* What one arm fetches is not known in the other. */
	known = lo->pid_tgid;
	ir_begin(ir, yes);
	lower_stmts(lo, s->then);
	ir_jump(ir, after);
	lo->pid_tgid = known;
	if (!s->other) {
		ir_begin(ir, after);
		return;
	}
	ir_begin(ir, no);
	lower_stmts(lo, s->other);
	ir_jump(ir, after);
	lo->pid_tgid = known;
	ir_begin(ir, after);
}

static void lower_action(struct lower *lo, const struct stmt *s)
{
	s->action->lower(lo, s->target);
}

static void lower_stmts(struct lower *lo, const struct stmt *s)
{
	static void (*const by_kind[])(struct lower *, const struct stmt *) = {
		[STMT_SET_VAR] = lower_set_var,     [STMT_SET_MAP] = lower_set_map,
		[STMT_AGGREGATE] = lower_aggregate, [STMT_IF] = lower_if,
		[STMT_CALL] = lower_action,
	};

	for (; s; s = s->next) {
		uint32_t used = lo->stack_used_bytes;

		lo->ir->span = s->span;
		by_kind[s->kind](lo, s);
		lo->stack_used_bytes = used;
	}
}

/** Give every variable its register; one first assigned in a block starts as zero, as it may be
 * skipped. */
static void lower_vars(struct lower *lo, const struct stmt *s, bool is_nested)
{
	for (; s; s = s->next) {
		if (s->kind == STMT_IF) {
			lower_vars(lo, s->then, true);
			lower_vars(lo, s->other, true);
		}
		if (s->kind != STMT_SET_VAR || lo->vars[s->target->i_var].kind != IR_NONE)
			continue;
		lo->vars[s->target->i_var] = ir_reg(lo->ir);
		if (is_nested)
			ir_mov(lo->ir, lo->vars[s->target->i_var], ir_imm(0));
	}
}

/** Leave at once for other processes and for ourselves. */
static void lower_host_filter(struct lower *lo, uint32_t out)
{
	const struct lang_host *host = lo->c->host;
	uint32_t wanted = host->filter_tgid ? host->filter_tgid : host->self_tgid;
	uint32_t body = ir_block(lo->ir);
	struct ir_val pid;

	if (!wanted) {
		ir_jump(lo->ir, body);
		ir_begin(lo->ir, body);
		return;
	}
	pid = ir_alu(lo->ir, OP_SHR, lower_pid_tgid(lo), ir_imm(32), false);
	if (host->filter_tgid && host->filter_tgid == host->self_tgid)
		ir_jump(lo->ir, out);
	else
		ir_branch(lo->ir, host->filter_tgid ? OP_EQ : OP_NE, pid, ir_imm(wanted), false,
			  body, out);
	ir_begin(lo->ir, body);
}

static int lower_clause(struct compile *c, struct unit_of_code *unit)
{
	struct lower lo = { .c = c, .clause = unit->clause };
	uint32_t out, body;

	lo.ir = unit->ir = arena_alloc(c->arena, sizeof(*unit->ir));
	if (!lo.ir)
		return compile_nomem(c);
	ir_init(lo.ir, c->arena);
	lo.ir->span = unit->clause->span;
	lower_vars(&lo, unit->clause->body, false);
	out = ir_block(lo.ir);
	lower_host_filter(&lo, out);
	if (unit->clause->filter) {
		body = ir_block(lo.ir);
		lo.ir->span = unit->clause->filter->span;
		lower_cond(&lo, unit->clause->filter, body, out);
		lo.stack_used_bytes = 0;
		ir_begin(lo.ir, body);
	}
	lower_stmts(&lo, unit->clause->body);
	lo.ir->span = unit->clause->span;
	ir_jump(lo.ir, out);
	ir_begin(lo.ir, out);
	ir_add(lo.ir, IR_RET)->a = ir_imm(unit->clause->resolved->returns);
	ir_number(lo.ir);
	return lo.ir->is_broken ? compile_nomem(c) : 0;
}

int pass_lower(struct compile *c)
{
	uint32_t i = 0;
	int rc = 0;

	c->units = arena_array(c->arena, c->nclauses, sizeof(*c->units));
	if (!c->units)
		return compile_nomem(c);
	for (struct clause *clause = c->clauses; clause && !rc; clause = clause->next) {
		c->units[i].clause = clause;
		rc = lower_clause(c, &c->units[i++]);
	}
	return rc;
}
