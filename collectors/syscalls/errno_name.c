/* Error numbers by name, with the kernel's own that never reach user space. */
#include <stddef.h>
#include <string.h>

#include "base/attr.h"
#include "collectors/syscalls/names.h"

static const struct {
	int value;
	const char *name;
} internal[] = {
	{ 512, "ERESTARTSYS" }, { 513, "ERESTARTNOINTR" },        { 514, "ERESTARTNOHAND" },
	{ 515, "ENOIOCTLCMD" }, { 516, "ERESTART_RESTARTBLOCK" }, { 517, "EPROBE_DEFER" },
	{ 524, "ENOTSUPP" },
};

const char *errno_name(int64_t errno_value)
{
	for (size_t i = 0; i < ARRAY_LEN(internal); i++)
		if (internal[i].value == errno_value)
			return internal[i].name;
	if (errno_value <= 0 || errno_value > 511)
		return NULL;
	return strerrorname_np((int)errno_value);
}
