/* From the intermediate form with homes to BPF instructions (cpu v2). */
#include "lang/emit.h"

#include <errno.h>

#include "lang/provider.h"

/** Most instructions a call with five wide arguments becomes, and any other one. */
#define INSNS_PER_CALL  24
#define INSNS_PER_OTHER 8

void emit(struct emitter *em, uint8_t code, uint8_t dst, uint8_t src, int32_t off, int32_t imm)
{
	if (em->n >= em->cap) {
		em->is_full = true;
		return;
	}
	em->spans[em->n] = em->span;
	em->insns[em->n++] = (struct bpf_insn){
		.code = code,
		.dst_reg = dst & 15u,
		.src_reg = src & 15u,
		.off = (int16_t)off,
		.imm = imm,
	};
}

void emit_constant(struct emitter *em, uint8_t dst, uint64_t imm)
{
	if ((int64_t)imm == (int32_t)imm) {
		emit(em, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, (int32_t)imm);
		return;
	}
	emit(em, BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, (int32_t)(uint32_t)imm);
	emit(em, 0, 0, 0, 0, (int32_t)(uint32_t)(imm >> 32));
}

uint8_t emit_value(struct emitter *em, struct ir_val v, uint8_t temp)
{
	const struct ir_home *home;

	if (v.kind != IR_REG) {
		emit_constant(em, temp, v.imm);
		return temp;
	}
	home = &em->ir->homes[v.reg];
	if (home->kind == HOME_REG)
		return home->reg;
	if (home->kind == HOME_CONST)
		emit_constant(em, temp, home->imm);
	else
		emit(em, BPF_LDX | BPF_MEM | BPF_DW, temp, BPF_REG_10, home->off, 0);
	return temp;
}

uint8_t emit_target(const struct emitter *em, struct ir_val dst, uint8_t temp)
{
	const struct ir_home *home = &em->ir->homes[dst.reg];

	return home->kind == HOME_REG ? home->reg : temp;
}

void emit_result(struct emitter *em, struct ir_val dst, uint8_t in)
{
	const struct ir_home *home;

	if (dst.kind != IR_REG)
		return;
	home = &em->ir->homes[dst.reg];
	if (home->kind == HOME_REG && home->reg != in)
		emit(em, BPF_ALU64 | BPF_MOV | BPF_X, home->reg, in, 0, 0);
	else if (home->kind == HOME_STACK)
		emit(em, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, in, home->off, 0);
}

static uint8_t size_code(uint32_t size_bytes)
{
	return size_bytes == 1 ? BPF_B : size_bytes == 2 ? BPF_H : size_bytes == 4 ? BPF_W : BPF_DW;
}

static const uint8_t alu_codes[OP_COUNT_OF_OPS] = {
	[OP_ADD] = BPF_ADD, [OP_SUB] = BPF_SUB, [OP_MUL] = BPF_MUL, [OP_DIV] = BPF_DIV,
	[OP_MOD] = BPF_MOD, [OP_AND] = BPF_AND, [OP_OR] = BPF_OR,   [OP_XOR] = BPF_XOR,
	[OP_SHL] = BPF_LSH, [OP_SHR] = BPF_RSH,
};

static void emit_mov(struct emitter *em, const struct ir_ins *ins)
{
	uint8_t into;

	if (ins->a.kind == IR_IMM) {
		into = emit_target(em, ins->dst, BPF_REG_0);
		emit_constant(em, into, ins->a.imm);
		emit_result(em, ins->dst, into);
	} else {
		emit_result(em, ins->dst,
			    emit_value(em, ins->a, emit_target(em, ins->dst, BPF_REG_0)));
	}
}

static void emit_alu(struct emitter *em, const struct ir_ins *ins)
{
	uint8_t code = ins->alu == OP_SHR && ins->is_signed ? BPF_ARSH : alu_codes[ins->alu];
	uint8_t into = emit_target(em, ins->dst, BPF_REG_0), b = 0, a;
	bool is_negation = ins->alu == OP_SUB && ins->a.kind == IR_IMM && !ins->a.imm;

	if (!ir_fits(ins->b))
		b = emit_value(em, ins->b, BPF_REG_1);
	/* The left operand would go where the right one still is: compute aside. */
	if (!ir_fits(ins->b) && b == into && !is_negation)
		into = BPF_REG_0;
	if (is_negation) {
		if (into != b)
			emit(em, BPF_ALU64 | BPF_MOV | BPF_X, into, b, 0, 0);
		emit(em, BPF_ALU64 | BPF_NEG, into, 0, 0, 0);
	} else {
		a = emit_value(em, ins->a, into);
		if (a != into)
			emit(em, BPF_ALU64 | BPF_MOV | BPF_X, into, a, 0, 0);
		if (ir_fits(ins->b))
			emit(em, BPF_ALU64 | BPF_K | code, into, 0, 0, (int32_t)ins->b.imm);
		else
			emit(em, BPF_ALU64 | BPF_X | code, into, b, 0, 0);
	}
	emit_result(em, ins->dst, into);
}

static void emit_load(struct emitter *em, const struct ir_ins *ins)
{
	uint8_t base = ins->op == IR_LOAD_STACK ? BPF_REG_10 : emit_value(em, ins->a, BPF_REG_1);
	uint8_t into = emit_target(em, ins->dst, BPF_REG_0);
	int32_t unused_bits = 64 - 8 * ins->size;

	emit(em, BPF_LDX | BPF_MEM | size_code(ins->size), into, base, ins->off, 0);
	if (ins->is_signed && unused_bits) {
		emit(em, BPF_ALU64 | BPF_LSH | BPF_K, into, 0, 0, unused_bits);
		emit(em, BPF_ALU64 | BPF_ARSH | BPF_K, into, 0, 0, unused_bits);
	}
	emit_result(em, ins->dst, into);
}

static void emit_store(struct emitter *em, const struct ir_ins *ins)
{
	uint8_t base = ins->op == IR_STORE_STACK ? BPF_REG_10 : emit_value(em, ins->a, BPF_REG_1);
	uint8_t size = size_code(ins->size);

	if (ir_fits(ins->b))
		emit(em, BPF_ST | BPF_MEM | size, base, 0, ins->off, (int32_t)ins->b.imm);
	else
		emit(em, BPF_STX | BPF_MEM | size, base, emit_value(em, ins->b, BPF_REG_0),
		     ins->off, 0);
}

static void emit_atomic_add(struct emitter *em, const struct ir_ins *ins)
{
	uint8_t base = emit_value(em, ins->a, BPF_REG_1);

	emit(em, BPF_STX | BPF_ATOMIC | BPF_DW, base, emit_value(em, ins->b, BPF_REG_0), ins->off,
	     BPF_ADD);
}

static void emit_entry(struct emitter *em, const struct ir_ins *ins)
{
	emit_result(em, ins->dst, BPF_REG_1);
}

static void emit_ret(struct emitter *em, const struct ir_ins *ins)
{
	emit_constant(em, BPF_REG_0, ins->a.imm);
	emit(em, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/** A jump's offset holds its block until all blocks have a place. */
static void emit_goto(struct emitter *em, uint32_t block)
{
	emit(em, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	em->targets[em->n - 1] = block + 1;
}

static void emit_jump(struct emitter *em, const struct ir_ins *ins)
{
	if (ins->target[0] != em->next_block)
		emit_goto(em, ins->target[0]);
}

static uint8_t jump_code(enum op op, bool is_signed)
{
	static const uint8_t codes[2][OP_COUNT_OF_OPS] = {
		{ [OP_EQ] = BPF_JEQ,
		  [OP_NE] = BPF_JNE,
		  [OP_LT] = BPF_JLT,
		  [OP_LE] = BPF_JLE,
		  [OP_GT] = BPF_JGT,
		  [OP_GE] = BPF_JGE },
		{ [OP_EQ] = BPF_JEQ,
		  [OP_NE] = BPF_JNE,
		  [OP_LT] = BPF_JSLT,
		  [OP_LE] = BPF_JSLE,
		  [OP_GT] = BPF_JSGT,
		  [OP_GE] = BPF_JSGE },
	};

	return codes[is_signed][op];
}

static enum op opposite(enum op op)
{
	static const enum op opposites[OP_COUNT_OF_OPS] = {
		[OP_EQ] = OP_NE, [OP_NE] = OP_EQ, [OP_LT] = OP_GE,
		[OP_LE] = OP_GT, [OP_GT] = OP_LE, [OP_GE] = OP_LT,
	};

	return opposites[op];
}

static void emit_branch(struct emitter *em, const struct ir_ins *ins)
{
	bool flip = ins->target[0] == em->next_block;
	uint8_t code = jump_code(flip ? opposite(ins->alu) : ins->alu, ins->is_signed);
	uint8_t a = emit_value(em, ins->a, BPF_REG_0);

	if (ir_fits(ins->b))
		emit(em, BPF_JMP | BPF_K | code, a, 0, 0, (int32_t)ins->b.imm);
	else
		emit(em, BPF_JMP | BPF_X | code, a, emit_value(em, ins->b, BPF_REG_1), 0, 0);
	em->targets[em->n - 1] = ins->target[flip] + 1;
	if (!flip && ins->target[1] != em->next_block)
		emit_goto(em, ins->target[1]);
}

static void emit_ins(struct emitter *em, const struct ir_ins *ins)
{
	static void (*const by_op[])(struct emitter *, const struct ir_ins *) = {
		[IR_ENTRY] = emit_entry,       [IR_MOV] = emit_mov,
		[IR_ALU] = emit_alu,           [IR_LOAD] = emit_load,
		[IR_STORE] = emit_store,       [IR_LOAD_STACK] = emit_load,
		[IR_STORE_STACK] = emit_store, [IR_ATOMIC_ADD] = emit_atomic_add,
		[IR_CALL] = emit_call,         [IR_JUMP] = emit_jump,
		[IR_BRANCH] = emit_branch,     [IR_RET] = emit_ret,
	};
	bool is_dead = ins->dst.kind == IR_REG && ins->op != IR_CALL &&
		       (em->ir->homes[ins->dst.reg].kind == HOME_NONE ||
			em->ir->homes[ins->dst.reg].kind == HOME_CONST);

	em->span = ins->span;
	if (!is_dead)
		by_op[ins->op](em, ins);
}

/** Room for the worst case, known from the intermediate form. */
static bool emitter_init(struct emitter *em, const struct ir *ir, struct arena *a)
{
	uint32_t n = 0, ncalls = 0;

	for (uint32_t i = 0; i < ir->norder; i++) {
		for (const struct ir_ins *ins = ir->blocks[ir->order[i]].first; ins;
		     ins = ins->next) {
			n += ins->op == IR_CALL ? INSNS_PER_CALL : INSNS_PER_OTHER;
			ncalls += ins->op == IR_CALL;
		}
	}
	*em = (struct emitter){ .ir = ir, .cap = n, .cap_relocs = ncalls };
	em->insns = arena_array(a, n, sizeof(*em->insns));
	em->spans = arena_array(a, n, sizeof(*em->spans));
	em->targets = arena_array(a, n, sizeof(*em->targets));
	em->block_at = arena_array(a, ir->nblocks, sizeof(*em->block_at));
	em->relocs = arena_array(a, ncalls + 1, sizeof(*em->relocs));
	return em->insns && em->spans && em->targets && em->block_at && em->relocs;
}

static int fix_jumps(struct compile *c, struct emitter *em)
{
	for (uint32_t i = 0; i < em->n; i++) {
		int64_t off;

		if (!em->targets[i])
			continue;
		off = (int64_t)em->block_at[em->targets[i] - 1] - i - 1;
		if (off != (int16_t)off)
			return compile_fail(c, em->spans[i], EINVAL,
					    "the probe is too long: a jump spans %lld instructions",
					    (long long)off);
		em->insns[i].off = (int16_t)off;
	}
	return 0;
}

static int emit_unit(struct compile *c, const struct unit_of_code *unit, struct lang_prog *prog)
{
	const struct ir *ir = unit->ir;
	struct emitter em;
	int rc;

	if (!emitter_init(&em, ir, c->arena))
		return compile_nomem(c);
	for (uint32_t i = 0; i < ir->norder; i++) {
		em.block_at[ir->order[i]] = em.n;
		em.next_block = i + 1 < ir->norder ? ir->order[i + 1] : ir->nblocks;
		for (const struct ir_ins *ins = ir->blocks[ir->order[i]].first; ins;
		     ins = ins->next)
			emit_ins(&em, ins);
	}
	rc = em.is_full ? compile_fail(c, unit->clause->span, EINVAL, "the probe is too long")
			: fix_jumps(c, &em);
	*prog = (struct lang_prog){
		.provider = unit->clause->resolved->name,
		.target = unit->clause->target,
		.tracepoint_id = unit->clause->tracepoint_id,
		.prog_type = unit->clause->resolved->prog_type,
		.insns = em.insns,
		.ninsns = em.n,
		.relocs = em.relocs,
		.nrelocs = em.nrelocs,
		.spans = em.spans,
	};
	return rc;
}

int pass_emit(struct compile *c)
{
	struct lang_result *out = c->out;
	int rc = 0;

	out->nprogs = c->nclauses;
	out->progs = arena_array(c->arena, c->nclauses, sizeof(*out->progs));
	out->nmaps = c->nmaps;
	out->i_losses = c->i_losses;
	out->maps = arena_array(c->arena, c->nmaps, sizeof(*out->maps));
	if (!out->progs || !out->maps)
		return compile_nomem(c);
	for (uint32_t i = 0; i < c->nmaps; i++)
		out->maps[i] = c->maps[i];
	for (uint32_t i = 0; i < c->nclauses && !rc; i++)
		rc = emit_unit(c, &c->units[i], &out->progs[i]);
	return rc;
}
