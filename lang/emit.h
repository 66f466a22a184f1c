/* Instructions of one program being written. */
#ifndef LANG_EMIT_H
#define LANG_EMIT_H

#include "lang/lower.h"

/** One program's output. Arrays are sized for the worst case before writing. */
struct emitter {
	const struct ir *ir;
	struct bpf_insn *insns;
	struct span *spans;
	struct lang_reloc *relocs;
	uint32_t *targets;   /* per instruction: 1 + the block it jumps to, or 0 */
	uint32_t *block_at;  /* first instruction of each block */
	uint32_t next_block; /* laid out after the current one */
	uint32_t n, cap, nrelocs, cap_relocs;
	struct span span;
	bool is_full; /* the sizes above were too small */
};

/** Append one instruction. */
void emit(struct emitter *em, uint8_t code, uint8_t dst, uint8_t src, int32_t off, int32_t imm);

/** Load a constant in the shortest form. */
void emit_constant(struct emitter *em, uint8_t dst, uint64_t imm);

/** The register a value is in, loading it into temp when it is in none. */
uint8_t emit_value(struct emitter *em, struct ir_val v, uint8_t temp);

/** Put the arguments of a helper into r1-r5, call it, and store its result. */
void emit_call(struct emitter *em, const struct ir_ins *ins);

/** Where a result is to be computed (temp when it has no register), and storing it there
 * afterwards. */
uint8_t emit_target(const struct emitter *em, struct ir_val dst, uint8_t temp);
void emit_result(struct emitter *em, struct ir_val dst, uint8_t in);

#endif
