/* Lowering of integer expressions and conditions. */
#include "lang/builtin.h"
#include "lang/provider.h"

/** |v| and, in *sign, all ones when v is negative. */
static struct ir_val absolute(struct ir *ir, struct ir_val v, struct ir_val *sign)
{
	*sign = ir_alu(ir, OP_SHR, v, ir_imm(63), true);
	return ir_alu(ir, OP_SUB, ir_alu(ir, OP_XOR, v, *sign, false), *sign, false);
}

/** The instruction set has no signed division before its version 4: divide the absolutes, then set
 * the sign. */
static struct ir_val signed_division(struct ir *ir, enum op op, struct ir_val a, struct ir_val b)
{
	struct ir_val a_sign, b_sign, sign, v;
	struct ir_val a_abs = absolute(ir, a, &a_sign), b_abs = absolute(ir, b, &b_sign);

	v = ir_alu(ir, op, a_abs, b_abs, false);
	sign = op == OP_DIV ? ir_alu(ir, OP_XOR, a_sign, b_sign, false) : a_sign;
	return ir_alu(ir, OP_SUB, ir_alu(ir, OP_XOR, v, sign, false), sign, false);
}

struct ir_val lower_arithmetic(struct lower *lo, enum op op, struct ir_val a, struct ir_val b,
			       bool is_signed)
{
	bool is_constant = a.kind == IR_IMM && b.kind == IR_IMM;

	if ((op == OP_DIV || op == OP_MOD) && is_signed && !is_constant)
		return signed_division(lo->ir, op, a, b);
	return ir_alu(lo->ir, op, a, b, is_signed);
}

/** Let two arms leave their value in one register. */
static struct ir_val lower_choice(struct lower *lo, const struct expr *cond,
				  const struct expr *yes_expr, const struct expr *no_expr)
{
	struct ir *ir = lo->ir;
	uint32_t yes = ir_block(ir), no = ir_block(ir), after = ir_block(ir);
	struct ir_val v = ir_reg(ir), known;

	lower_cond(lo, cond, yes, no);
	known = lo->pid_tgid;
	ir_begin(ir, yes);
	ir_mov(ir, v, yes_expr ? lower_expr(lo, yes_expr) : ir_imm(1));
	ir_jump(ir, after);
	lo->pid_tgid = known;
	ir_begin(ir, no);
	ir_mov(ir, v, no_expr ? lower_expr(lo, no_expr) : ir_imm(0));
	ir_jump(ir, after);
	lo->pid_tgid = known;
	ir_begin(ir, after);
	return v;
}

static struct ir_val lower_field(struct lower *lo, const struct expr *e)
{
	const struct field *f = e->field;

	return ir_load(lo->ir, (struct ir_val){ .kind = IR_REG, .reg = IR_CTX },
		       (int32_t)f->offset_bytes, (uint8_t)f->size_bytes, f->is_signed);
}

static struct ir_val lower_unary(struct lower *lo, const struct expr *e)
{
	struct ir_val a;

	if (e->op == OP_LNOT)
		return lower_choice(lo, e, NULL, NULL);
	a = lower_expr(lo, e->a);
	if (e->op == OP_NEG)
		return ir_alu(lo->ir, OP_SUB, ir_imm(0), a, false);
	return ir_alu(lo->ir, OP_XOR, a, ir_imm(UINT64_MAX), false);
}

static struct ir_val lower_binary(struct lower *lo, const struct expr *e)
{
	struct ir_val a, b;

	if (op_is_comparison(e->op) || e->op == OP_LAND || e->op == OP_LOR)
		return lower_choice(lo, e, NULL, NULL);
	a = lower_expr(lo, e->a);
	b = lower_expr(lo, e->b);
	return lower_arithmetic(lo, e->op, a, b, e->type.is_signed);
}

struct ir_val lower_expr(struct lower *lo, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT: return ir_imm(e->value);
	case EXPR_VAR: return lo->vars[e->i_var];
	case EXPR_BUILTIN: return e->builtin->lower(lo);
	case EXPR_FIELD: return lower_field(lo, e);
	case EXPR_MAP: return lower_map_read(lo, e);
	case EXPR_UNARY: return lower_unary(lo, e);
	case EXPR_BINARY: return lower_binary(lo, e);
	case EXPR_COND: return lower_choice(lo, e->a, e->b, e->c);
	case EXPR_STR:
	case EXPR_CALL: break;
	}
	/* Strings never are integers: the type pass saw to it. */
	return ir_imm(0);
}

/** && and ||: the second half runs on one outcome of the first only. */
static void lower_logic(struct lower *lo, const struct expr *e, uint32_t yes, uint32_t no)
{
	uint32_t second = ir_block(lo->ir);
	struct ir_val known;

	if (e->op == OP_LAND)
		lower_cond(lo, e->a, second, no);
	else
		lower_cond(lo, e->a, yes, second);
	known = lo->pid_tgid;
	ir_begin(lo->ir, second);
	lower_cond(lo, e->b, yes, no);
	lo->pid_tgid = known;
}

void lower_cond(struct lower *lo, const struct expr *e, uint32_t yes, uint32_t no)
{
	struct ir_val a, b;

	if (e->kind == EXPR_UNARY && e->op == OP_LNOT) {
		lower_cond(lo, e->a, no, yes);
	} else if (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR)) {
		lower_logic(lo, e, yes, no);
	} else if (e->kind == EXPR_BINARY && op_is_comparison(e->op)) {
		if (e->a->type.kind == TYPE_STR) {
			lower_string_cond(lo, e, yes, no);
			return;
		}
		a = lower_expr(lo, e->a);
		b = lower_expr(lo, e->b);
		ir_branch(lo->ir, e->op, a, b, e->a->type.is_signed && e->b->type.is_signed, yes,
			  no);
	} else {
		ir_branch(lo->ir, OP_NE, lower_expr(lo, e), ir_imm(0), false, yes, no);
	}
}
