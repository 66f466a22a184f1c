/* syscalls: the system calls of a scope by number, failures and wall time; with a name, each call decoded. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "collectors/probes/cost.h"
#include "collectors/probes/probe.h"
#include "collectors/syscalls/decode.h"
#include "collectors/syscalls/names.h"

#define COMPAT_BASE (UINT64_C(1) << 32) /* as in bpf/syscalls.bpf.c */

static struct text name_text(struct arena *a, uint64_t id)
{
	const char *name = id < COMPAT_BASE ? syscall_name((uint32_t)id) : NULL;

	if (name)
		return text_clean_str(a, name);
	if (id >= COMPAT_BASE)
		return text_printf(a, "ia32_%u", (unsigned)(id - COMPAT_BASE));
	return text_printf(a, "syscall_%d", (int)id);
}

static int stream_one(const char *arg, struct probe_filter *f, struct err *e)
{
	if (!arg[0])
		return 0;
	int nr = syscall_nr(arg);
	if (nr < 0)
		return err_set(e, EINVAL, "there is no system call %s", arg);
	const struct syscall_decoder *d = decoder_find(arg);
	f->nr = nr;
	f->flags = FILTER_STREAM;
	if (d && d->copy_arg)
		f->flags |= d->copy_arg | (uint32_t)d->copy_bytes << 3 | (d->is_copied_before ? FILTER_AT_ENTER : 0);
	return 0;
}

static struct text args_text(struct arena *a, const struct probe_event *ev)
{
	const char *name = ev->id < COMPAT_BASE ? syscall_name((uint32_t)ev->id) : NULL;

	return decode_args(a, name ? decoder_find(name) : NULL, ev);
}

/* No counter of the kernel tells; whatever the scope, both programs run for every call of the host. */
static double rate(const struct frame *f, const struct scope *s)
{
	(void)f;
	(void)s;
	return 2 * tracepoint_rate_per_s("sys_enter", 20 * NS_PER_MS);
}

const struct probe probe_syscalls = {
	.answers = "Which system calls are made, which fail, and how long do they take?",
	.family = &probe_family_counts,
	.stream = &probe_family_events,
	.unit = UNIT_NS,
	.scopes = 1u << SCOPE_HOST | 1u << SCOPE_PROCESS | 1u << SCOPE_THREAD,
	.rate = rate,
	.ns_per_event = 150,
	.key_text = name_text,
	.set_filter = stream_one,
	.event_args = args_text,
};
