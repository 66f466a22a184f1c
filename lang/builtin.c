/* The table of builtins by subject. */
#include "lang/builtin.h"

#include <string.h>

extern const struct builtin_set builtin_task, builtin_clock, builtin_host;

const struct builtin_set *const builtin_sets[] = { &builtin_task, &builtin_clock, &builtin_host };
const size_t builtin_sets_len = ARRAY_LEN(builtin_sets);

static const char *const unsupported[] = {
	"username", "jiffies",   "ncpus",  "numaid", "curtask", "ppid", "pcomm",  "usermode",
	"arg0",     "arg1",      "arg2",   "arg3",   "arg4",    "arg5", "retval", "ctx",
	"func",     "probetype", "kstack", "ustack", "cpid",    "args", "true",   "false",
};

const struct builtin *builtin_find(const char *name)
{
	for (size_t s = 0; s < builtin_sets_len; s++) {
		for (size_t i = 0; i < builtin_sets[s]->len; i++) {
			if (strcmp(builtin_sets[s]->items[i].name, name) == 0)
				return &builtin_sets[s]->items[i];
		}
	}
	return NULL;
}

bool builtin_is_unsupported(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(unsupported); i++) {
		if (strcmp(unsupported[i], name) == 0)
			return true;
	}
	return false;
}
