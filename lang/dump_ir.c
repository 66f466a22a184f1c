/* Basic blocks as text: one instruction a line. */
#include "lang/dump.h"

#include <inttypes.h>

#include "lang/ir.h"

static void dump_val(struct writer *w, struct ir_val v)
{
	if (v.kind == IR_REG)
		writer_add(w, v.reg == IR_CTX ? "ctx" : "v%u", v.reg);
	else
		writer_add(w, "%" PRId64, (int64_t)v.imm);
}

static void dump_alu(struct writer *w, const struct ir_ins *ins)
{
	dump_val(w, ins->a);
	writer_add(w, " %s%s ", ins->is_signed ? "s" : "", op_name(ins->alu));
	dump_val(w, ins->b);
}

static void dump_call(struct writer *w, const struct compile *c, const struct ir_ins *ins)
{
	writer_add(w, "call %u(", ins->helper);
	for (uint32_t i = 0; i < ins->nargs; i++) {
		const struct ir_arg *arg = &ins->args[i];

		writer_add(w, i ? ", " : "");
		if (arg->kind == ARG_MAP) {
			writer_add(w, "%s", c->maps[arg->i_map].name);
		} else if (arg->kind == ARG_STACK) {
			writer_add(w, "fp%d", arg->off);
		} else {
			dump_val(w, arg->val);
			if (arg->kind == ARG_BASE)
				writer_add(w, "+%d", arg->off);
		}
	}
	writer_add(w, ")");
}

static void dump_memory(struct writer *w, const struct ir_ins *ins)
{
	bool is_stack = ins->op == IR_LOAD_STACK || ins->op == IR_STORE_STACK;

	writer_add(w, "%s%u[", ins->is_signed ? "s" : "u", ins->size * 8u);
	if (is_stack) {
		writer_add(w, "fp%d]", ins->off);
	} else {
		dump_val(w, ins->a);
		writer_add(w, "+%d]", ins->off);
	}
}

static void dump_ins(struct writer *w, const struct compile *c, const struct ir_ins *ins)
{
	writer_add(w, "  ");
	if (ins->dst.kind == IR_REG) {
		dump_val(w, ins->dst);
		writer_add(w, " = ");
	}
	switch (ins->op) {
	case IR_ENTRY: writer_add(w, "entry"); break;
	case IR_MOV: dump_val(w, ins->a); break;
	case IR_ALU: dump_alu(w, ins); break;
	case IR_LOAD:
	case IR_LOAD_STACK: dump_memory(w, ins); break;
	case IR_STORE:
	case IR_STORE_STACK:
		dump_memory(w, ins);
		writer_add(w, " = ");
		dump_val(w, ins->b);
		break;
	case IR_ATOMIC_ADD:
		writer_add(w, "atomic ");
		dump_val(w, ins->a);
		writer_add(w, " += ");
		dump_val(w, ins->b);
		break;
	case IR_CALL: dump_call(w, c, ins); break;
	case IR_JUMP: writer_add(w, "jump b%u", ins->target[0]); break;
	case IR_BRANCH:
		writer_add(w, "if ");
		dump_alu(w, ins);
		writer_add(w, " b%u else b%u", ins->target[0], ins->target[1]);
		break;
	case IR_RET:
		writer_add(w, "return ");
		dump_val(w, ins->a);
		break;
	}
	writer_add(w, "\n");
}

char *dump_ir(const struct compile *c, struct arena *a)
{
	struct writer w = { .arena = a };

	for (uint32_t i = 0; i < c->nclauses; i++) {
		const struct ir *ir = c->units[i].ir;

		writer_add(&w, "%s:%s\n", c->units[i].clause->provider, c->units[i].clause->target);
		for (uint32_t b = 0; b < ir->norder; b++) {
			writer_add(&w, "b%u:\n", ir->order[b]);
			for (const struct ir_ins *ins = ir->blocks[ir->order[b]].first; ins;
			     ins = ins->next)
				dump_ins(&w, c, ins);
		}
	}
	return writer_text(&w);
}
