/* Instructions as text: the subset of BPF the emitter writes. */
#include "lang/dump.h"

#include <inttypes.h>

static const char *const alu_names[16] = {
	[BPF_ADD >> 4] = "+=",  [BPF_SUB >> 4] = "-=",    [BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=",  [BPF_MOD >> 4] = "%=",    [BPF_AND >> 4] = "&=",
	[BPF_OR >> 4] = "|=",   [BPF_XOR >> 4] = "^=",    [BPF_LSH >> 4] = "<<=",
	[BPF_RSH >> 4] = ">>=", [BPF_ARSH >> 4] = "s>>=", [BPF_MOV >> 4] = "=",
	[BPF_NEG >> 4] = "= -",
};

static const char *const jump_names[16] = {
	[BPF_JEQ >> 4] = "==",   [BPF_JNE >> 4] = "!=",   [BPF_JLT >> 4] = "<",
	[BPF_JLE >> 4] = "<=",   [BPF_JGT >> 4] = ">",    [BPF_JGE >> 4] = ">=",
	[BPF_JSLT >> 4] = "s<",  [BPF_JSLE >> 4] = "s<=", [BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=",
};

static const char *size_name(uint8_t code)
{
	static const char *const names[4] = { "u32", "u16", "u8", "u64" };

	return names[BPF_SIZE(code) >> 3];
}

static void dump_operand(struct writer *w, const struct bpf_insn *insn)
{
	if (BPF_SRC(insn->code) == BPF_X)
		writer_add(w, "r%u", insn->src_reg);
	else
		writer_add(w, "%d", insn->imm);
}

static void dump_jump(struct writer *w, const struct bpf_insn *insn, uint32_t at)
{
	int64_t target = (int64_t)at + 1 + insn->off;

	switch (BPF_OP(insn->code)) {
	case BPF_CALL: writer_add(w, "call %d", insn->imm); return;
	case BPF_EXIT: writer_add(w, "exit"); return;
	case BPF_JA: writer_add(w, "goto %" PRId64, target); return;
	default: break;
	}
	writer_add(w, "if r%u %s ", insn->dst_reg, jump_names[BPF_OP(insn->code) >> 4]);
	dump_operand(w, insn);
	writer_add(w, " goto %" PRId64, target);
}

static void dump_store(struct writer *w, const struct bpf_insn *insn)
{
	bool is_atomic = BPF_CLASS(insn->code) == BPF_STX && BPF_MODE(insn->code) == BPF_ATOMIC;

	writer_add(w, "%s*(%s *)(r%u %+d) %s ", is_atomic ? "lock " : "", size_name(insn->code),
		   insn->dst_reg, insn->off, is_atomic ? "+=" : "=");
	if (BPF_CLASS(insn->code) == BPF_STX)
		writer_add(w, "r%u", insn->src_reg);
	else
		writer_add(w, "%d", insn->imm);
}

static void dump_insn(struct writer *w, const struct bpf_insn *insn, uint32_t at)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_JMP: dump_jump(w, insn, at); break;
	case BPF_LDX:
		writer_add(w, "r%u = *(%s *)(r%u %+d)", insn->dst_reg, size_name(insn->code),
			   insn->src_reg, insn->off);
		break;
	case BPF_ST:
	case BPF_STX: dump_store(w, insn); break;
	case BPF_ALU64:
		writer_add(w, "r%u %s ", insn->dst_reg, alu_names[BPF_OP(insn->code) >> 4]);
		if (BPF_OP(insn->code) == BPF_NEG)
			writer_add(w, "r%u", insn->dst_reg);
		else
			dump_operand(w, insn);
		break;
	default: writer_add(w, "code 0x%02x", insn->code); break;
	}
}

/** Maps by name, other wide constants as numbers. */
static void dump_wide(struct writer *w, const struct lang_result *out, const struct lang_prog *prog,
		      uint32_t at)
{
	const struct bpf_insn *insn = &prog->insns[at];

	for (uint32_t i = 0; i < prog->nrelocs; i++) {
		if (prog->relocs[i].at == at) {
			writer_add(w, "r%u = map %s", insn->dst_reg,
				   out->maps[prog->relocs[i].i_map].name);
			return;
		}
	}
	writer_add(w, "r%u = 0x%" PRIx64, insn->dst_reg,
		   (uint64_t)(uint32_t)insn[1].imm << 32 | (uint32_t)insn->imm);
}

char *dump_asm(const struct compile *c, struct arena *a)
{
	struct writer w = { .arena = a };

	for (uint32_t i = 0; i < c->out->nprogs; i++) {
		const struct lang_prog *prog = &c->out->progs[i];

		writer_add(&w, "%s:%s\n", prog->provider, prog->target);
		for (uint32_t at = 0; at < prog->ninsns; at++) {
			writer_add(&w, "%4u: ", at);
			if (prog->insns[at].code == (BPF_LD | BPF_IMM | BPF_DW))
				dump_wide(&w, c->out, prog, at++);
			else
				dump_insn(&w, &prog->insns[at], at);
			writer_add(&w, "\n");
		}
	}
	return writer_text(&w);
}
