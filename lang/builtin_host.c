/* Builtins about the machine and the probe: cpu rand probe. */
#include "lang/builtin.h"

#include <string.h>

static struct ir_val lower_cpu(struct lower *lo)
{
	return ir_call(lo->ir, BPF_FUNC_get_smp_processor_id, true)->dst;
}

static struct ir_val lower_rand(struct lower *lo)
{
	return ir_call(lo->ir, BPF_FUNC_get_prandom_u32, true)->dst;
}

static void lower_probe(struct lower *lo, int32_t off, uint32_t size_bytes)
{
	char name[LANG_STR_BYTES] = "";
	size_t len = strlen(lo->clause->provider), room = sizeof(name) - 1;

	/* provider:target, cut to the size every use of it has. */
	strncat(name, lo->clause->provider, room);
	if (len < room) {
		strcat(name, ":");
		strncat(name, lo->clause->target, room - len - 1);
	}
	lower_literal(lo, name, (uint32_t)strlen(name), off, size_bytes);
}

static const struct builtin items[] = {
	{ .name = "cpu", .type = { TYPE_INT, 8, true }, .lower = lower_cpu },
	{ .name = "rand", .type = { TYPE_INT, 8, true }, .lower = lower_rand },
	{ .name = "probe",
	  .type = { TYPE_STR, LANG_STR_BYTES, false },
	  .lower_string = lower_probe },
};

extern const struct builtin_set builtin_host;
const struct builtin_set builtin_host = { items, ARRAY_LEN(items) };
