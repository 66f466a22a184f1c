/* System call names: a table by number. */
#include "collectors/syscalls/names.h"

#include <stddef.h>
#include <string.h>

#include "base/attr.h"

static const char *const names[] = {
#if defined(__x86_64__)
#include "collectors/syscalls/names_x86_64.h"
#else
#include "collectors/syscalls/names_generic.h"
#endif
};

const char *syscall_name(uint32_t nr)
{
	return nr < ARRAY_LEN(names) ? names[nr] : NULL;
}

int syscall_nr(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i] && !strcmp(names[i], name))
			return (int)i;
	return -1;
}
