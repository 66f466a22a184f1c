/* Helper calls: arguments may sit in each other's registers, so moves are ordered. */
#include "lang/emit.h"

/** One register move that is still to be made. */
struct move {
	uint8_t dst, src;
	int32_t add;
};

static bool is_source_of_other(const struct move *moves, uint32_t n, uint32_t except, uint8_t reg)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i != except && moves[i].src == reg)
			return true;
	}
	return false;
}

static void emit_move(struct emitter *em, const struct move *m)
{
	if (m->dst != m->src)
		emit(em, BPF_ALU64 | BPF_MOV | BPF_X, m->dst, m->src, 0, 0);
	if (m->add)
		emit(em, BPF_ALU64 | BPF_ADD | BPF_K, m->dst, 0, 0, m->add);
}

/** Make all moves as if at once; r0 breaks rings. */
static void emit_moves(struct emitter *em, struct move *moves, uint32_t n)
{
	while (n) {
		uint32_t i = 0;

		while (i < n && is_source_of_other(moves, n, i, moves[i].dst))
			i++;
		if (i == n) {
			uint8_t held = moves[0].src;

			emit(em, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_0, held, 0, 0);
			for (uint32_t k = 0; k < n; k++) {
				if (moves[k].src == held)
					moves[k].src = BPF_REG_0;
			}
			continue;
		}
		emit_move(em, &moves[i]);
		moves[i] = moves[--n];
	}
}

static void emit_map_fd(struct emitter *em, uint8_t dst, uint32_t i_map)
{
	if (em->nrelocs < em->cap_relocs)
		em->relocs[em->nrelocs++] = (struct lang_reloc){ .at = em->n, .i_map = i_map };
	emit(em, BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_FD, 0, 0);
	emit(em, 0, 0, 0, 0, 0);
}

/** An argument that depends on no register that another argument may take. */
static void emit_fresh(struct emitter *em, uint8_t dst, const struct ir_arg *arg)
{
	if (arg->kind == ARG_MAP) {
		emit_map_fd(em, dst, arg->i_map);
	} else if (arg->kind == ARG_STACK) {
		emit(em, BPF_ALU64 | BPF_MOV | BPF_X, dst, BPF_REG_10, 0, 0);
		emit(em, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, arg->off);
	} else {
		emit_value(em, arg->val, dst);
		if (arg->kind == ARG_BASE && arg->off)
			emit(em, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, arg->off);
	}
}

static bool in_register(const struct emitter *em, const struct ir_arg *arg)
{
	return (arg->kind == ARG_VAL || arg->kind == ARG_BASE) && arg->val.kind == IR_REG &&
	       em->ir->homes[arg->val.reg].kind == HOME_REG;
}

void emit_call(struct emitter *em, const struct ir_ins *ins)
{
	struct move moves[IR_ARGS_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < ins->nargs; i++) {
		const struct ir_arg *arg = &ins->args[i];

		if (in_register(em, arg))
			moves[n++] = (struct move){ (uint8_t)(BPF_REG_1 + i),
						    em->ir->homes[arg->val.reg].reg,
						    arg->kind == ARG_BASE ? arg->off : 0 };
	}
	emit_moves(em, moves, n);
	for (uint32_t i = 0; i < ins->nargs; i++) {
		if (!in_register(em, &ins->args[i]))
			emit_fresh(em, (uint8_t)(BPF_REG_1 + i), &ins->args[i]);
	}
	emit(em, BPF_JMP | BPF_CALL, 0, 0, 0, (int32_t)ins->helper);
	emit_result(em, ins->dst, BPF_REG_0);
}
