/* Calls that do something rather than give a value: delete(). */
#include <errno.h>
#include <string.h>

#include "lang/type.h"

static int type_delete(struct typing *t, struct expr *call)
{
	struct expr *map = call->args;

	if (call->nargs != 1 || map->kind != EXPR_MAP)
		return compile_fail(t->c, call->span, EINVAL, "delete() takes one key of a map");
	if (!map->nargs)
		return compile_fail(t->c, map->span, ENOSYS,
				    "unsupported: delete() of a map without a key");
	return type_map(t, map);
}

static void lower_delete(struct lower *lo, const struct expr *call)
{
	lower_delete_key(lo, call->args);
}

const struct action actions[] = {
	{ .name = "delete", .type = type_delete, .lower = lower_delete },
};
const size_t actions_len = ARRAY_LEN(actions);

const struct action *action_find(const char *name)
{
	for (size_t i = 0; i < actions_len; i++) {
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	}
	return NULL;
}
