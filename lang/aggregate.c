/* Aggregations: count() sum() hist(). Values are per CPU, so plain adds suffice. */
#include "lang/builtin.h"

#include <string.h>

static const char *const unsupported[] = { "min", "max", "avg", "stats", "lhist", "tseries" };

static void add_to(struct lower *lo, struct ir_val base, int32_t off, struct ir_val v)
{
	struct ir_val old = ir_load(lo->ir, base, off, 8, false);

	ir_store(lo->ir, base, off, 8, ir_alu(lo->ir, OP_ADD, old, v, false));
}

static void update_count(struct lower *lo, struct ir_val entry, struct ir_val v)
{
	(void)v;
	add_to(lo, entry, 0, ir_imm(1));
}

static void update_sum(struct lower *lo, struct ir_val entry, struct ir_val v)
{
	add_to(lo, entry, 0, v);
}

/** 1 when v, which is below 2^63, is not zero; without a branch, as paths multiply in the verifier.
 */
static struct ir_val is_nonzero(struct lower *lo, struct ir_val v)
{
	struct ir_val negated = ir_alu(lo->ir, OP_SUB, ir_imm(0), v, false);

	return ir_alu(lo->ir, OP_SHR, negated, ir_imm(63), false);
}

/** The slot of v: 0 below zero, 1 for zero, else 2 plus the position of the highest bit. */
static struct ir_val prepare_hist(struct lower *lo, struct ir_val v)
{
	struct ir *ir = lo->ir;
	struct ir_val mask =
	    ir_alu(ir, OP_XOR, ir_alu(ir, OP_SHR, v, ir_imm(63), true), ir_imm(UINT64_MAX), false);
	struct ir_val slot = ir_alu(ir, OP_ADD, is_nonzero(lo, v), ir_imm(1), false);

	for (uint32_t power = 5; power < 6; power--) {
		struct ir_val high = ir_alu(ir, OP_SHR, v, ir_imm(1u << power), false);
		struct ir_val step = ir_alu(ir, OP_SHL, is_nonzero(lo, high), ir_imm(power), false);

		v = ir_alu(ir, OP_SHR, v, step, false);
		slot = ir_alu(ir, OP_ADD, slot, step, false);
	}
	return ir_alu(ir, OP_AND, slot, mask, false);
}

static void update_hist(struct lower *lo, struct ir_val entry, struct ir_val slot)
{
	struct ir *ir = lo->ir;
	uint32_t inside = ir_block(ir), after = ir_block(ir);

	if (slot.kind == IR_IMM) {
		add_to(lo, entry, (int32_t)slot.imm * 8, ir_imm(1));
		return;
	}
	/* Always true; it tells the verifier so. */
	ir_branch(ir, OP_LT, slot, ir_imm(LANG_HIST_SLOTS), false, inside, after);
	ir_begin(ir, inside);
	add_to(lo, ir_alu(ir, OP_ADD, entry, ir_alu(ir, OP_SHL, slot, ir_imm(3), false), false), 0,
	       ir_imm(1));
	ir_jump(ir, after);
	ir_begin(ir, after);
}

const struct aggregate aggregates[] = {
	{ .name = "count", .agg = AGG_COUNT, .value_bytes = 8, .update = update_count },
	{ .name = "sum",
	  .agg = AGG_SUM,
	  .takes_value = true,
	  .value_bytes = 8,
	  .update = update_sum },
	{ .name = "hist",
	  .agg = AGG_HIST,
	  .takes_value = true,
	  .value_bytes = LANG_HIST_SLOTS * 8,
	  .prepare = prepare_hist,
	  .update = update_hist },
};
const size_t aggregates_len = ARRAY_LEN(aggregates);

const struct aggregate *aggregate_find(const char *name)
{
	for (size_t i = 0; i < aggregates_len; i++) {
		if (strcmp(aggregates[i].name, name) == 0)
			return &aggregates[i];
	}
	return NULL;
}

bool aggregate_is_unsupported(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(unsupported); i++) {
		if (strcmp(unsupported[i], name) == 0)
			return true;
	}
	return false;
}
