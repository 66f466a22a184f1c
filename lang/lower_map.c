/* Lowering of map access: keys, entries, reads, writes, aggregation. */
#include "lang/builtin.h"

int32_t lower_key(struct lower *lo, const struct expr *map)
{
	const struct lang_map *m = &lo->c->maps[map->i_map];
	int32_t at = lower_stack(lo, m->key_bytes);
	uint32_t i = 0;

	if (!m->nkeys)
		ir_store_stack(lo->ir, at, 4, ir_imm(0));
	for (const struct expr *key = map->args; key; key = key->next, i++) {
		int32_t part = at + (int32_t)m->keys[i].offset;

		if (m->keys[i].type == LANG_STR)
			lower_string(lo, key, part, m->keys[i].size);
		else
			ir_store_stack(lo->ir, part, 8, lower_expr(lo, key));
	}
	return at;
}

static struct ir_ins *map_call(struct lower *lo, uint32_t helper, bool wants_result, uint32_t i_map,
			       int32_t key)
{
	struct ir_ins *call = ir_call(lo->ir, helper, wants_result);

	ir_arg(call, (struct ir_arg){ .kind = ARG_MAP, .i_map = i_map });
	ir_arg(call, (struct ir_arg){ .kind = ARG_STACK, .off = key });
	return call;
}

/** Look a key up and branch on whether it is there. */
static struct ir_val lookup(struct lower *lo, uint32_t i_map, int32_t key, uint32_t there,
			    uint32_t missing)
{
	struct ir_val entry = map_call(lo, BPF_FUNC_map_lookup_elem, true, i_map, key)->dst;

	ir_branch(lo->ir, OP_NE, entry, ir_imm(0), false, there, missing);
	return entry;
}

static void insert(struct lower *lo, uint32_t i_map, int32_t key, struct ir_arg value,
		   uint64_t flags)
{
	struct ir_ins *call = map_call(lo, BPF_FUNC_map_update_elem, false, i_map, key);

	ir_arg(call, value);
	ir_arg(call, (struct ir_arg){ .kind = ARG_VAL, .val = ir_imm(flags) });
}

/** Zeros to begin a value with: 8 bytes of stack, or the template map for a histogram. */
static struct ir_arg zero_value(struct lower *lo, uint32_t i_map, uint32_t missing)
{
	struct ir *ir = lo->ir;
	int32_t at = lower_stack(lo, 8);
	uint32_t there;

	ir_store_stack(ir, at, 8, ir_imm(0));
	if (lo->c->maps[i_map].value_bytes == 8)
		return (struct ir_arg){ .kind = ARG_STACK, .off = at };
	there = ir_block(ir);
	struct ir_val zeros = lookup(lo, lo->c->i_zeros, at, there, missing);
	ir_begin(ir, there);
	return (struct ir_arg){ .kind = ARG_VAL, .val = zeros };
}

/** Add one to the count of keys that found no room, then go on at out. */
static void count_loss(struct lower *lo, uint32_t out)
{
	struct ir *ir = lo->ir;
	int32_t key = lower_stack(lo, 4);
	uint32_t there = ir_block(ir);
	struct ir_val cell, lost;

	ir_store_stack(ir, key, 4, ir_imm(LOSS_MAP_FULL));
	cell = lookup(lo, lo->c->i_losses, key, there, out);
	ir_begin(ir, there);
	lost = ir_load(ir, cell, 0, 8, false);
	ir_store(ir, cell, 0, 8, ir_alu(ir, OP_ADD, lost, ir_imm(1), false));
	ir_jump(ir, out);
}

struct ir_val lower_entry(struct lower *lo, uint32_t i_map, int32_t key, uint32_t lost)
{
	struct ir *ir = lo->ir;
	uint32_t there = ir_block(ir), missing = ir_block(ir), full = ir_block(ir);
	struct ir_val entry = ir_reg(ir);

	map_call(lo, BPF_FUNC_map_lookup_elem, false, i_map, key)->dst = entry;
	if (!lo->c->maps[i_map].nkeys) {
		/* Arrays have their one entry always; the verifier wants the test all the same. */
		ir_branch(ir, OP_NE, entry, ir_imm(0), false, there, lost);
		ir_begin(ir, there);
		return entry;
	}
	ir_branch(ir, OP_NE, entry, ir_imm(0), false, there, missing);
	ir_begin(ir, missing);
	insert(lo, i_map, key, zero_value(lo, i_map, full), BPF_NOEXIST);
	map_call(lo, BPF_FUNC_map_lookup_elem, false, i_map, key)->dst = entry;
	ir_branch(ir, OP_NE, entry, ir_imm(0), false, there, full);
	ir_begin(ir, full);
	count_loss(lo, lost);
	ir_begin(ir, there);
	return entry;
}

struct ir_val lower_map_read(struct lower *lo, const struct expr *map)
{
	struct ir *ir = lo->ir;
	uint32_t used = lo->stack_used_bytes, there = ir_block(ir), missing = ir_block(ir),
		 after = ir_block(ir);
	struct ir_val v = ir_reg(ir),
		      entry = lookup(lo, map->i_map, lower_key(lo, map), there, missing);

	lo->stack_used_bytes = used;
	ir_begin(ir, there);
	ir_mov(ir, v, ir_load(ir, entry, 0, 8, false));
	ir_jump(ir, after);
	ir_begin(ir, missing);
	ir_mov(ir, v, ir_imm(0));
	ir_jump(ir, after);
	ir_begin(ir, after);
	return v;
}

/** += and -= on a map that CPUs share lose nothing: one atomic add. */
static void add_in_place(struct lower *lo, const struct stmt *s, struct ir_val entry,
			 struct ir_val v)
{
	struct ir_ins *ins;

	if (s->op == OP_SUB)
		v = ir_alu(lo->ir, OP_SUB, ir_imm(0), v, false);
	if (v.kind == IR_IMM) {
		struct ir_val reg = ir_reg(lo->ir);

		ir_mov(lo->ir, reg, v);
		v = reg;
	}
	ins = ir_add(lo->ir, IR_ATOMIC_ADD);
	ins->a = entry;
	ins->b = v;
}

void lower_set_map(struct lower *lo, const struct stmt *s)
{
	struct ir *ir = lo->ir;
	uint32_t after = ir_block(ir);
	struct ir_val v = lower_expr(lo, s->value), entry;
	int32_t key = lower_key(lo, s->target);

	entry = lower_entry(lo, s->target->i_map, key, after);
	if (s->op == OP_ADD || s->op == OP_SUB) {
		add_in_place(lo, s, entry, v);
	} else {
		if (s->op != OP_NONE)
			v = lower_arithmetic(lo, s->op, ir_load(ir, entry, 0, 8, false), v,
					     lo->c->maps[s->target->i_map].is_signed &&
						 s->value->type.is_signed);
		ir_store(ir, entry, 0, 8, v);
	}
	ir_jump(ir, after);
	ir_begin(ir, after);
}

void lower_aggregate(struct lower *lo, const struct stmt *s)
{
	uint32_t after = ir_block(lo->ir);
	struct ir_val v = s->value ? lower_expr(lo, s->value) : ir_imm(1), entry;
	int32_t key;

	if (s->aggregate->prepare)
		v = s->aggregate->prepare(lo, v);
	key = lower_key(lo, s->target);
	entry = lower_entry(lo, s->target->i_map, key, after);
	s->aggregate->update(lo, entry, v);
	ir_jump(lo->ir, after);
	ir_begin(lo->ir, after);
}

void lower_delete_key(struct lower *lo, const struct expr *map)
{
	map_call(lo, BPF_FUNC_map_delete_elem, false, map->i_map, lower_key(lo, map));
}
