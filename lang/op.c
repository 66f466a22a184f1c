/* Operators: how they are written and what they compute. */
#include "lang/ast.h"

static const char *const names[OP_COUNT_OF_OPS] = {
	[OP_NONE] = "",  [OP_ADD] = "+",  [OP_SUB] = "-",   [OP_MUL] = "*",  [OP_DIV] = "/",
	[OP_MOD] = "%",  [OP_AND] = "&",  [OP_OR] = "|",    [OP_XOR] = "^",  [OP_SHL] = "<<",
	[OP_SHR] = ">>", [OP_EQ] = "==",  [OP_NE] = "!=",   [OP_LT] = "<",   [OP_LE] = "<=",
	[OP_GT] = ">",   [OP_GE] = ">=",  [OP_LAND] = "&&", [OP_LOR] = "||", [OP_NEG] = "-",
	[OP_NOT] = "~",  [OP_LNOT] = "!",
};

const char *op_name(enum op op)
{
	return names[op];
}

bool op_is_comparison(enum op op)
{
	return op >= OP_EQ && op <= OP_GE;
}

static uint64_t negate_if(uint64_t v, bool is_negative)
{
	return is_negative ? 0 - v : v;
}

/** Division as BPF defines it: by zero gives 0, and the remainder is the dividend. */
static uint64_t divide(enum op op, uint64_t a, uint64_t b, bool is_signed)
{
	bool a_negative = is_signed && (int64_t)a < 0, b_negative = is_signed && (int64_t)b < 0;
	uint64_t a_abs = negate_if(a, a_negative), b_abs = negate_if(b, b_negative);

	if (op == OP_DIV)
		return b_abs ? negate_if(a_abs / b_abs, a_negative != b_negative) : 0;
	return b_abs ? negate_if(a_abs % b_abs, a_negative) : a;
}

static uint64_t shift_right(uint64_t a, uint64_t n, bool is_signed)
{
	uint64_t shifted = a >> n;

	return is_signed && (int64_t)a < 0 && n ? shifted | ~(UINT64_MAX >> n) : shifted;
}

static bool compare(enum op op, uint64_t a, uint64_t b, bool is_signed)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_LT: return less;
	case OP_LE: return less || a == b;
	case OP_GT: return !less && a != b;
	default: return !less;
	}
}

uint64_t op_eval(enum op op, uint64_t a, uint64_t b, bool is_signed)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_DIV:
	case OP_MOD: return divide(op, a, b, is_signed);
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_SHL: return a << (b & 63);
	case OP_SHR: return shift_right(a, b & 63, is_signed);
	case OP_NEG: return 0 - a;
	case OP_NOT: return ~a;
	case OP_LNOT: return !a;
	case OP_LAND: return a && b;
	case OP_LOR: return a || b;
	case OP_NONE:
	case OP_COUNT_OF_OPS: return 0;
	default: return compare(op, a, b, is_signed);
	}
}
