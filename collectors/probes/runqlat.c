/* runqlat: how long runnable threads wait for a CPU. */
#include "collectors/probes/probe.h"

/* Every switch runs a program, and so does nearly every wakeup before it. */
static double rate(const struct frame *f, const struct scope *s)
{
	const struct sys_row *sys = FRAME_ROWS(f, sys, SYS);

	(void)s;
	return sys ? 2 * sys->ctxt_per_s : F64_UNKNOWN;
}

const struct probe probe_runqlat = {
	.answers = "How long do runnable threads wait for a CPU?",
	.family = &probe_family_hist,
	.unit = UNIT_NS,
	.scopes = 1u << SCOPE_HOST | 1u << SCOPE_PROCESS | 1u << SCOPE_THREAD,
	.rate = rate,
	.ns_per_event = 200,
};
