/*
 * The intermediate form of one program: basic blocks of instructions over
 * virtual registers. Not SSA: a $variable is one register assigned many times.
 */
#ifndef LANG_IR_H
#define LANG_IR_H

#include "lang/compile.h"

enum ir_op {
	IR_ENTRY,       /* dst = the context */
	IR_MOV,         /* dst = a */
	IR_ALU,         /* dst = a alu b */
	IR_LOAD,        /* dst = *(size)(a + off), extended by is_signed */
	IR_STORE,       /* *(size)(a + off) = b */
	IR_LOAD_STACK,  /* dst = *(size)(frame + off) */
	IR_STORE_STACK, /* *(size)(frame + off) = b */
	IR_ATOMIC_ADD,  /* *(u64)(a + off) += b, for maps shared by CPUs */
	IR_CALL,        /* dst = helper(args); IR_NONE: result unused */
	IR_JUMP,        /* to target[0] */
	IR_BRANCH,      /* to target[0] when a alu b, else target[1] */
	IR_RET,         /* return a */
};

/** A virtual register or a constant. */
struct ir_val {
	enum { IR_NONE, IR_REG, IR_IMM } kind;
	uint32_t reg;
	uint64_t imm;
};

/** An argument of a helper call, built in its register and nowhere else. */
struct ir_arg {
	enum { ARG_VAL, ARG_STACK, ARG_MAP, ARG_BASE } kind;
	struct ir_val val; /* ARG_BASE: val + off */
	int32_t off;       /* ARG_STACK: from the frame */
	uint32_t i_map;
};

#define IR_ARGS_MAX 5
struct ir_ins {
	enum ir_op op;
	enum op alu;
	uint8_t size;
	bool is_signed;
	struct ir_val dst, a, b;
	int32_t off;
	uint32_t helper;
	uint32_t nargs;
	struct ir_arg args[IR_ARGS_MAX];
	uint32_t target[2];
	struct span span;
	struct ir_ins *next;
};

struct ir_block {
	struct ir_ins *first, *last;
	uint32_t first_at, last_at; /* positions in layout order, set by ir_number() */
	bool is_reached;
};

/** Where a virtual register lives; filled by the allocator. */
struct ir_home {
	enum { HOME_NONE, HOME_REG, HOME_STACK, HOME_CONST } kind;
	uint8_t reg;
	int32_t off;
	uint64_t imm;
};

/** The register that holds the context. */
#define IR_CTX 0u

struct ir {
	struct arena *arena;
	struct ir_block *blocks;
	uint32_t nblocks, cap_blocks;
	uint32_t *order; /* blocks in the order they are laid out */
	uint32_t norder;
	uint32_t nregs;
	struct ir_home *homes; /* per register */
	uint32_t stack_bytes;
	struct span span;   /* given to new instructions */
	bool is_broken;     /* memory was used up: the result is void */
	struct ir_ins sink; /* what ir_add() gives out then */
};

/** An empty program; is_broken is set when memory is used up. */
void ir_init(struct ir *ir, struct arena *a);

/** A new block that is laid out when ir_begin() is called on it. */
uint32_t ir_block(struct ir *ir);
void ir_begin(struct ir *ir, uint32_t block);

/** A new virtual register. */
struct ir_val ir_reg(struct ir *ir);

/** A constant. */
struct ir_val ir_imm(uint64_t imm);

/** A new instruction at the end of the current block; never NULL. */
struct ir_ins *ir_add(struct ir *ir, enum ir_op op);

/** The common forms. */
void ir_mov(struct ir *ir, struct ir_val dst, struct ir_val a);
struct ir_val ir_alu(struct ir *ir, enum op op, struct ir_val a, struct ir_val b, bool is_signed);
void ir_jump(struct ir *ir, uint32_t block);
void ir_branch(struct ir *ir, enum op op, struct ir_val a, struct ir_val b, bool is_signed,
	       uint32_t yes, uint32_t no);
struct ir_val ir_load(struct ir *ir, struct ir_val base, int32_t off, uint8_t size, bool is_signed);
void ir_store(struct ir *ir, struct ir_val base, int32_t off, uint8_t size, struct ir_val v);
void ir_store_stack(struct ir *ir, int32_t off, uint8_t size, struct ir_val v);
struct ir_val ir_load_stack(struct ir *ir, int32_t off, uint8_t size);
struct ir_ins *ir_call(struct ir *ir, uint32_t helper, bool wants_result);
void ir_arg(struct ir_ins *call, struct ir_arg arg);

/** True when v is a constant that fits the 32-bit field of an instruction. */
bool ir_fits(struct ir_val v);

/** Registers read by an instruction; how many (at most 2 + IR_ARGS_MAX). */
uint32_t ir_uses(const struct ir_ins *ins, uint32_t uses[2 + IR_ARGS_MAX]);

/** Mark blocks that can be reached, drop the others from the layout, number what is left. */
void ir_number(struct ir *ir);

#endif
