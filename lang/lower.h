/* Lowering: typed trees into the intermediate form, values straight into their destination. */
#ifndef LANG_LOWER_H
#define LANG_LOWER_H

#include "lang/ir.h"

/** Most a program may keep on its stack, spilled registers included. */
#define LANG_STACK_BYTES 512

/** One clause being lowered. */
struct lower {
	struct compile *c;
	struct ir *ir;
	const struct clause *clause;
	struct ir_val pid_tgid; /* get_current_pid_tgid() where it is known already, else IR_NONE */
	struct ir_val vars[LANG_VARS_MAX];
	uint32_t stack_used_bytes; /* by what is alive; ir->stack_bytes is the most ever */
};

/** An integer expression's value. */
struct ir_val lower_expr(struct lower *lo, const struct expr *e);

/** a op b with C's meaning for both signednesses; division by zero gives 0, its remainder the
 * dividend. */
struct ir_val lower_arithmetic(struct lower *lo, enum op op, struct ir_val a, struct ir_val b,
			       bool is_signed);

/** Branch on an expression without making a 0 or 1 of it. */
void lower_cond(struct lower *lo, const struct expr *e, uint32_t yes, uint32_t no);

/** Write a string, NUL-padded, into size bytes of stack at off. */
void lower_string(struct lower *lo, const struct expr *e, int32_t off, uint32_t size_bytes);

/** Write a constant string, NUL-padded and cut to size - 1, into stack at off. */
void lower_literal(struct lower *lo, const char *bytes, uint32_t len, int32_t off,
		   uint32_t size_bytes);

/** Compare two strings for == or !=. */
void lower_string_cond(struct lower *lo, const struct expr *e, uint32_t yes, uint32_t no);

/** Eight-aligned stack bytes, from the frame pointer; live until stack_used_bytes is set back. */
int32_t lower_stack(struct lower *lo, uint32_t size_bytes);

/** Store zeros over stack bytes (a multiple of 8). */
void lower_zero(struct lower *lo, int32_t off, uint32_t size_bytes);

/** The pid_tgid of the current thread, fetched once per path. */
struct ir_val lower_pid_tgid(struct lower *lo);

/** The key of a map in stack memory, in the layout of its lang_map; where it is. */
int32_t lower_key(struct lower *lo, const struct expr *map);

/** Find the value of a key, inserting zeros when it is new; jump to lost (counted) when the map is
 * full. */
struct ir_val lower_entry(struct lower *lo, uint32_t i_map, int32_t key, uint32_t lost);

/** The value of @map or @map[key]: what is stored, or 0. */
struct ir_val lower_map_read(struct lower *lo, const struct expr *map);

/** Remove a key. */
void lower_delete_key(struct lower *lo, const struct expr *map);

/** Statements that write maps. */
void lower_set_map(struct lower *lo, const struct stmt *s);
void lower_aggregate(struct lower *lo, const struct stmt *s);

#endif
