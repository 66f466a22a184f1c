/* Builtins about the running task: pid tid uid gid comm cgroup. */
#include "lang/builtin.h"

static struct ir_val lower_pid(struct lower *lo)
{
	return ir_alu(lo->ir, OP_SHR, lower_pid_tgid(lo), ir_imm(32), false);
}

/** The low half of v. */
static struct ir_val low_half(struct lower *lo, struct ir_val v)
{
	struct ir_val up = ir_alu(lo->ir, OP_SHL, v, ir_imm(32), false);

	return ir_alu(lo->ir, OP_SHR, up, ir_imm(32), false);
}

static struct ir_val lower_tid(struct lower *lo)
{
	return low_half(lo, lower_pid_tgid(lo));
}

static struct ir_val lower_uid(struct lower *lo)
{
	return low_half(lo, ir_call(lo->ir, BPF_FUNC_get_current_uid_gid, true)->dst);
}

static struct ir_val lower_gid(struct lower *lo)
{
	return ir_alu(lo->ir, OP_SHR, ir_call(lo->ir, BPF_FUNC_get_current_uid_gid, true)->dst,
		      ir_imm(32), false);
}

static struct ir_val lower_cgroup(struct lower *lo)
{
	return ir_call(lo->ir, BPF_FUNC_get_current_cgroup_id, true)->dst;
}

static void lower_comm(struct lower *lo, int32_t off, uint32_t size_bytes)
{
	struct ir_ins *call;

	/* The helper pads with NULs what it is given, which is all when nothing wider is wanted. */
	if (size_bytes > 16)
		lower_zero(lo, off + 16, size_bytes - 16);
	call = ir_call(lo->ir, BPF_FUNC_get_current_comm, false);
	ir_arg(call, (struct ir_arg){ .kind = ARG_STACK, .off = off });
	ir_arg(call, (struct ir_arg){ .kind = ARG_VAL, .val = ir_imm(16) });
}

static const struct builtin items[] = {
	{ .name = "pid", .type = { TYPE_INT, 8, true }, .lower = lower_pid },
	{ .name = "tid", .type = { TYPE_INT, 8, true }, .lower = lower_tid },
	{ .name = "uid", .type = { TYPE_INT, 8, true }, .lower = lower_uid },
	{ .name = "gid", .type = { TYPE_INT, 8, true }, .lower = lower_gid },
	{ .name = "cgroup", .type = { TYPE_INT, 8, false }, .lower = lower_cgroup },
	{ .name = "comm", .type = { TYPE_STR, 16, false }, .lower_string = lower_comm },
};

extern const struct builtin_set builtin_task;
const struct builtin_set builtin_task = { items, ARRAY_LEN(items) };
