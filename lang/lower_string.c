/* Lowering of strings: they live in stack bytes, NUL-padded, and are compared in words. */
#include "lang/builtin.h"

#include <string.h>

#include "lang/provider.h"

void lower_literal(struct lower *lo, const char *bytes, uint32_t len, int32_t off,
		   uint32_t size_bytes)
{
	for (uint32_t i = 0; i < size_bytes; i += 8) {
		char word[8] = "";
		uint64_t imm;

		for (uint32_t k = 0; k < 8 && i + k < len && i + k + 1 < size_bytes; k++)
			word[k] = bytes[i + k];
		memcpy(&imm, word, sizeof(imm));
		ir_store_stack(lo->ir, off + (int32_t)i, 8, ir_imm(imm));
	}
}

/** Copy the record's own string: at a fixed place, or where a (length << 16 | offset) word says. */
static void lower_record_string(struct lower *lo, const struct field *f, int32_t off,
				uint32_t size_bytes)
{
	struct ir_val ctx = { .kind = IR_REG, .reg = IR_CTX }, from;
	uint32_t room = size_bytes;
	struct ir_ins *call;
	struct ir_arg source = { .kind = ARG_BASE, .val = ctx, .off = (int32_t)f->offset_bytes };

	if (f->kind == FIELD_CHARS) {
		room = f->size_bytes < size_bytes ? f->size_bytes : size_bytes;
	} else {
		from =
		    ir_alu(lo->ir, OP_AND, ir_load(lo->ir, ctx, (int32_t)f->offset_bytes, 4, false),
			   ir_imm(0xffff), false);
		/* __rel_loc counts from the end of its own word. */
		if (f->kind == FIELD_REL_LOC)
			from = ir_alu(lo->ir, OP_ADD, from, ir_imm(f->offset_bytes + 4), false);
		source = (struct ir_arg){ .kind = ARG_VAL,
					  .val = ir_alu(lo->ir, OP_ADD, from, ctx, false) };
	}
	lower_zero(lo, off, size_bytes);
	call = ir_call(lo->ir, BPF_FUNC_probe_read_kernel_str, false);
	ir_arg(call, (struct ir_arg){ .kind = ARG_STACK, .off = off });
	ir_arg(call, (struct ir_arg){ .kind = ARG_VAL, .val = ir_imm(room) });
	ir_arg(call, source);
}

void lower_string(struct lower *lo, const struct expr *e, int32_t off, uint32_t size_bytes)
{
	switch (e->kind) {
	case EXPR_STR: lower_literal(lo, e->name, e->name_len, off, size_bytes); break;
	case EXPR_BUILTIN: e->builtin->lower_string(lo, off, size_bytes); break;
	case EXPR_FIELD: lower_record_string(lo, e->field, off, size_bytes); break;
	case EXPR_CALL: e->function->lower_string(lo, e, off, size_bytes); break;
	default: break;
	}
}

/** Compare the literal with its NUL in the widest pieces that cover it exactly, so padding does not
 * matter. */
static void compare_literal(struct lower *lo, int32_t at, const struct expr *literal,
			    uint32_t equal, uint32_t differs)
{
	uint32_t len = literal->name_len + 1, i = 0;

	while (i < len) {
		uint32_t piece = len - i >= 8 ? 8 : len - i >= 4 ? 4 : len - i >= 2 ? 2 : 1;
		uint32_t next = i + piece < len ? ir_block(lo->ir) : equal;
		uint64_t want = 0;

		/* Also right on big-endian hosts: the piece is compared as the number its bytes are
		 * in memory. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		memcpy((char *)&want + 8 - piece, literal->name + i, piece);
#else
		memcpy(&want, literal->name + i, piece);
#endif
		ir_branch(lo->ir, OP_EQ, ir_load_stack(lo->ir, at + (int32_t)i, (uint8_t)piece),
			  ir_imm(want), false, next, differs);
		if (next != equal)
			ir_begin(lo->ir, next);
		i += piece;
	}
}

static void compare_words(struct lower *lo, int32_t a, int32_t b, uint32_t size_bytes,
			  uint32_t equal, uint32_t differs)
{
	for (uint32_t i = 0; i < size_bytes; i += 8) {
		uint32_t next = i + 8 < size_bytes ? ir_block(lo->ir) : equal;
		struct ir_val left = ir_load_stack(lo->ir, a + (int32_t)i, 8);
		struct ir_val right = ir_load_stack(lo->ir, b + (int32_t)i, 8);

		ir_branch(lo->ir, OP_EQ, left, right, false, next, differs);
		if (next != equal)
			ir_begin(lo->ir, next);
	}
}

void lower_string_cond(struct lower *lo, const struct expr *e, uint32_t yes, uint32_t no)
{
	uint32_t equal = e->op == OP_EQ ? yes : no, differs = e->op == OP_EQ ? no : yes;
	const struct expr *a = e->a, *b = e->b;
	uint32_t used = lo->stack_used_bytes;
	int32_t at_a, at_b;

	if (a->kind == EXPR_STR) {
		a = e->b;
		b = e->a;
	}
	if (b->kind == EXPR_STR && (b->name_len >= a->type.size_bytes)) {
		/* The buffer has no room for so long a string. */
		ir_jump(lo->ir, differs);
		return;
	}
	at_a = lower_stack(lo, a->type.size_bytes);
	lower_string(lo, a, at_a, a->type.size_bytes);
	if (b->kind == EXPR_STR) {
		compare_literal(lo, at_a, b, equal, differs);
	} else {
		at_b = lower_stack(lo, b->type.size_bytes);
		lower_string(lo, b, at_b, b->type.size_bytes);
		/* Both are NUL-terminated: beyond the shorter buffer equal strings have nothing. */
		compare_words(lo, at_a, at_b,
			      a->type.size_bytes < b->type.size_bytes ? a->type.size_bytes
								      : b->type.size_bytes,
			      equal, differs);
	}
	lo->stack_used_bytes = used;
}
