/* Functions that give a value: str(). */
#include "lang/builtin.h"

#include <errno.h>
#include <string.h>

#include "lang/provider.h"

/** Longest string str() may be asked for; two of them and a key fit the stack. */
#define STR_BYTES_MAX 200u

static const char *const unsupported[] = {
	"printf",      "print",  "time",    "strftime", "clear",    "zero",        "has_key",
	"len",         "exit",   "system",  "cat",      "join",     "buf",         "strncmp",
	"strcontains", "strlen", "ksym",    "usym",     "kaddr",    "uaddr",       "reg",
	"ntop",        "pton",   "macaddr", "bswap",    "cgroupid", "cgroup_path", "path",
	"strerror",    "signal", "kstack",  "ustack",   "sizeof",   "offsetof",    "kptr",
	"uptr",        "nsecs",  "getopt",  "override", "errorf",   "find",
};

static int type_str(struct compile *c, struct expr *e)
{
	const struct expr *pointer = e->args, *len = pointer->next;
	uint32_t size_bytes = LANG_STR_BYTES;

	if (pointer->type.kind != TYPE_INT)
		return compile_fail(c, pointer->span, EINVAL, "str() takes a pointer");
	if (len && len->kind != EXPR_INT)
		return compile_fail(c, len->span, ENOSYS,
				    "unsupported: str() with a length that is not a number");
	if (len && (len->value < 1 || len->value > STR_BYTES_MAX))
		return compile_fail(c, len->span, EINVAL, "str() takes a length of 1 to %u",
				    STR_BYTES_MAX);
	if (len)
		size_bytes = ((uint32_t)len->value + 7) & ~7u;
	e->type = (struct type){ TYPE_STR, size_bytes, false };
	return 0;
}

/** A pointer taken straight from a field knows whose memory it points into; others are the
 * kernel's. */
static bool is_user_pointer(const struct expr *e)
{
	return e->kind == EXPR_FIELD && e->field->is_user;
}

static void lower_str(struct lower *lo, const struct expr *e, int32_t off, uint32_t size_bytes)
{
	const struct expr *len = e->args->next;
	struct ir_val pointer = lower_expr(lo, e->args);
	struct ir_ins *call;

	lower_zero(lo, off, size_bytes);
	call = ir_call(lo->ir,
		       is_user_pointer(e->args) ? BPF_FUNC_probe_read_user_str
						: BPF_FUNC_probe_read_kernel_str,
		       false);
	ir_arg(call, (struct ir_arg){ .kind = ARG_STACK, .off = off });
	ir_arg(call, (struct ir_arg){ .kind = ARG_VAL,
				      .val = ir_imm(len ? len->value : e->type.size_bytes) });
	ir_arg(call, (struct ir_arg){ .kind = ARG_VAL, .val = pointer });
}

const struct function functions[] = {
	{ .name = "str",
	  .nargs_min = 1,
	  .nargs_max = 2,
	  .type = type_str,
	  .lower_string = lower_str },
};
const size_t functions_len = ARRAY_LEN(functions);

const struct function *function_find(const char *name)
{
	for (size_t i = 0; i < functions_len; i++) {
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	}
	return NULL;
}

bool function_is_unsupported(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(unsupported); i++) {
		if (strcmp(unsupported[i], name) == 0)
			return true;
	}
	return false;
}
