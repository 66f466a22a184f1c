/* Building the intermediate form and asking simple things about it. */
#include "lang/ir.h"

#include <string.h>

void ir_init(struct ir *ir, struct arena *a)
{
	uint32_t entry;

	*ir = (struct ir){ .arena = a, .nregs = 1 };
	entry = ir_block(ir);
	ir_begin(ir, entry);
	ir_add(ir, IR_ENTRY)->dst = (struct ir_val){ .kind = IR_REG, .reg = IR_CTX };
}

/** Double the block table and the layout in the arena. */
static bool grow_blocks(struct ir *ir)
{
	uint32_t cap = ir->cap_blocks ? ir->cap_blocks * 2 : 32;
	struct ir_block *blocks = arena_array(ir->arena, cap, sizeof(*blocks));
	uint32_t *order = arena_array(ir->arena, cap, sizeof(*order));

	if (!blocks || !order)
		return false;
	if (ir->nblocks) {
		memcpy(blocks, ir->blocks, ir->nblocks * sizeof(*blocks));
		memcpy(order, ir->order, ir->norder * sizeof(*order));
	}
	ir->blocks = blocks;
	ir->order = order;
	ir->cap_blocks = cap;
	return true;
}

uint32_t ir_block(struct ir *ir)
{
	if (ir->nblocks == ir->cap_blocks && !grow_blocks(ir)) {
		ir->is_broken = true;
		return 0;
	}
	return ir->nblocks++;
}

void ir_begin(struct ir *ir, uint32_t block)
{
	if (!ir->is_broken)
		ir->order[ir->norder++] = block;
}

struct ir_val ir_reg(struct ir *ir)
{
	return (struct ir_val){ .kind = IR_REG, .reg = ir->nregs++ };
}

struct ir_val ir_imm(uint64_t imm)
{
	return (struct ir_val){ .kind = IR_IMM, .imm = imm };
}

struct ir_ins *ir_add(struct ir *ir, enum ir_op op)
{
	static const struct ir_ins blank;
	struct ir_ins *ins = ir->is_broken ? NULL : arena_alloc(ir->arena, sizeof(*ins));
	struct ir_block *b;

	if (!ins) {
		/* One instruction nobody reads keeps the callers free of checks. */
		ir->is_broken = true;
		ir->sink = blank;
		return &ir->sink;
	}
	b = &ir->blocks[ir->order[ir->norder - 1]];
	if (b->last)
		b->last->next = ins;
	else
		b->first = ins;
	b->last = ins;
	ins->op = op;
	ins->span = ir->span;
	return ins;
}

bool ir_fits(struct ir_val v)
{
	return v.kind == IR_IMM && (int64_t)v.imm == (int32_t)v.imm;
}

/** Constants too wide for an instruction's field get a register. */
static struct ir_val narrow(struct ir *ir, struct ir_val v)
{
	struct ir_val wide;

	if (v.kind != IR_IMM || ir_fits(v))
		return v;
	wide = ir_reg(ir);
	ir_mov(ir, wide, v);
	return wide;
}

void ir_mov(struct ir *ir, struct ir_val dst, struct ir_val a)
{
	struct ir_ins *ins = ir_add(ir, IR_MOV);

	ins->dst = dst;
	ins->a = a;
}

/** x + 0, x << 0 and the like. */
static bool changes_nothing(enum op op, struct ir_val b)
{
	return b.kind == IR_IMM && !b.imm &&
	       (op == OP_ADD || op == OP_SUB || op == OP_OR || op == OP_XOR || op == OP_SHL ||
		op == OP_SHR);
}

struct ir_val ir_alu(struct ir *ir, enum op op, struct ir_val a, struct ir_val b, bool is_signed)
{
	struct ir_ins *ins;
	struct ir_val dst;

	if (a.kind == IR_IMM && b.kind == IR_IMM)
		return ir_imm(op_eval(op, a.imm, b.imm, is_signed));
	/* Constants that instructions may not carry: their meaning is known. */
	if ((op == OP_DIV || op == OP_MOD) && b.kind == IR_IMM && !b.imm)
		return op == OP_DIV ? ir_imm(0) : a;
	if ((op == OP_SHL || op == OP_SHR) && b.kind == IR_IMM)
		b.imm &= 63;
	if (changes_nothing(op, b))
		return a;
	b = narrow(ir, b);
	dst = ir_reg(ir);
	ins = ir_add(ir, IR_ALU);
	ins->alu = op;
	ins->is_signed = is_signed;
	ins->dst = dst;
	ins->a = a;
	ins->b = b;
	return dst;
}

void ir_jump(struct ir *ir, uint32_t block)
{
	ir_add(ir, IR_JUMP)->target[0] = block;
}

void ir_branch(struct ir *ir, enum op op, struct ir_val a, struct ir_val b, bool is_signed,
	       uint32_t yes, uint32_t no)
{
	struct ir_ins *ins;

	if (a.kind == IR_IMM && b.kind == IR_IMM) {
		ir_jump(ir, op_eval(op, a.imm, b.imm, is_signed) ? yes : no);
		return;
	}
	b = narrow(ir, b);
	ins = ir_add(ir, IR_BRANCH);
	ins->alu = op;
	ins->is_signed = is_signed;
	ins->a = a;
	ins->b = b;
	ins->target[0] = yes;
	ins->target[1] = no;
}

struct ir_val ir_load(struct ir *ir, struct ir_val base, int32_t off, uint8_t size, bool is_signed)
{
	struct ir_val dst = ir_reg(ir);
	struct ir_ins *ins = ir_add(ir, IR_LOAD);

	ins->dst = dst;
	ins->a = base;
	ins->off = off;
	ins->size = size;
	ins->is_signed = is_signed;
	return dst;
}

void ir_store(struct ir *ir, struct ir_val base, int32_t off, uint8_t size, struct ir_val v)
{
	struct ir_val narrowed = narrow(ir, v);
	struct ir_ins *ins = ir_add(ir, IR_STORE);

	ins->a = base;
	ins->b = narrowed;
	ins->off = off;
	ins->size = size;
}

void ir_store_stack(struct ir *ir, int32_t off, uint8_t size, struct ir_val v)
{
	struct ir_val narrowed = narrow(ir, v);
	struct ir_ins *ins = ir_add(ir, IR_STORE_STACK);

	ins->b = narrowed;
	ins->off = off;
	ins->size = size;
}

struct ir_val ir_load_stack(struct ir *ir, int32_t off, uint8_t size)
{
	struct ir_val dst = ir_reg(ir);
	struct ir_ins *ins = ir_add(ir, IR_LOAD_STACK);

	ins->dst = dst;
	ins->off = off;
	ins->size = size;
	return dst;
}

struct ir_ins *ir_call(struct ir *ir, uint32_t helper, bool wants_result)
{
	struct ir_val dst = wants_result ? ir_reg(ir) : (struct ir_val){ .kind = IR_NONE };
	struct ir_ins *ins = ir_add(ir, IR_CALL);

	ins->helper = helper;
	ins->dst = dst;
	return ins;
}

void ir_arg(struct ir_ins *call, struct ir_arg arg)
{
	if (call->nargs < IR_ARGS_MAX)
		call->args[call->nargs++] = arg;
}

uint32_t ir_uses(const struct ir_ins *ins, uint32_t uses[2 + IR_ARGS_MAX])
{
	uint32_t n = 0;

	if (ins->a.kind == IR_REG)
		uses[n++] = ins->a.reg;
	if (ins->b.kind == IR_REG)
		uses[n++] = ins->b.reg;
	for (uint32_t i = 0; i < ins->nargs; i++) {
		if (ins->args[i].val.kind == IR_REG)
			uses[n++] = ins->args[i].val.reg;
	}
	return n;
}

/** Targets only lie further down the layout or, with loops, further up: sweep until nothing is new.
 */
static void mark_reached(struct ir *ir)
{
	bool changed = true;

	ir->blocks[ir->order[0]].is_reached = true;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < ir->norder; i++) {
			const struct ir_block *b = &ir->blocks[ir->order[i]];
			uint32_t n = !b->is_reached || !b->last ? 0
				     : b->last->op == IR_JUMP   ? 1
				     : b->last->op == IR_BRANCH ? 2
								: 0;

			for (uint32_t t = 0; t < n; t++) {
				bool *reached = &ir->blocks[b->last->target[t]].is_reached;

				changed |= !*reached;
				*reached = true;
			}
		}
	}
}

/** Where a jump to block ends up when blocks that only jump on are left out. */
static uint32_t final_target(const struct ir *ir, uint32_t block)
{
	/* The count bounds an empty loop. */
	for (uint32_t i = 0; i < ir->norder; i++) {
		const struct ir_ins *first = ir->blocks[block].first;

		if (!first || first->op != IR_JUMP)
			break;
		block = first->target[0];
	}
	return block;
}

static void thread_jumps(struct ir *ir)
{
	for (uint32_t i = 0; i < ir->norder; i++) {
		struct ir_ins *last = ir->blocks[ir->order[i]].last;

		if (!last || (last->op != IR_JUMP && last->op != IR_BRANCH))
			continue;
		last->target[0] = final_target(ir, last->target[0]);
		last->target[1] = final_target(ir, last->target[1]);
		if (last->op == IR_BRANCH && last->target[0] == last->target[1]) {
			last->op = IR_JUMP;
			last->a.kind = last->b.kind = IR_NONE;
		}
	}
}

void ir_number(struct ir *ir)
{
	uint32_t kept = 0, at = 0;

	if (ir->is_broken)
		return;
	thread_jumps(ir);
	mark_reached(ir);
	for (uint32_t i = 0; i < ir->norder; i++) {
		struct ir_block *b = &ir->blocks[ir->order[i]];

		if (!b->is_reached)
			continue;
		ir->order[kept++] = ir->order[i];
		b->first_at = at;
		for (const struct ir_ins *ins = b->first; ins; ins = ins->next)
			at++;
		b->last_at = at ? at - 1 : 0;
	}
	ir->norder = kept;
}
