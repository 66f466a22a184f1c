/* Builtins about time: nsecs elapsed. */
#include "lang/builtin.h"

static struct ir_val lower_nsecs(struct lower *lo)
{
	return ir_call(lo->ir, BPF_FUNC_ktime_get_boot_ns, true)->dst;
}

static struct ir_val lower_elapsed(struct lower *lo)
{
	return ir_alu(lo->ir, OP_SUB, lower_nsecs(lo), ir_imm(lo->c->host->start_ns), false);
}

static const struct builtin items[] = {
	{ .name = "nsecs", .type = { TYPE_INT, 8, false }, .lower = lower_nsecs },
	{ .name = "elapsed", .type = { TYPE_INT, 8, false }, .lower = lower_elapsed },
};

extern const struct builtin_set builtin_clock;
const struct builtin_set builtin_clock = { items, ARRAY_LEN(items) };
