/* STUCK: every thread in D, and every sleeping one of the process in focus, with what it waits for.
 */
#include <errno.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/collector.h"
#include "collectors/probes/load.h"
#include "collectors/tasks/drain.h"
#include "collectors/tasks/stuck.h"

struct stuck_state {
	struct loaded_tool iter;
	struct err no_bpf; /* why the iterator is not used */
	VEC(struct stuck_record) records;
	struct stuck_memory memory;
};

static int stuck_open(void *self, const struct collector_env *env, struct err *e)
{
	struct stuck_state *st = self;

	(void)e;
	if (!env->may_bpf)
		err_set(&st->no_bpf, EPERM, "BPF is switched off");
	else
		(void)tool_load(&st->iter, "iter_stuck", NULL, &st->no_bpf);
	return 0;
}

static int sample_iterator(struct stuck_state *st, const struct collector_env *env,
			   struct frame_builder *b, struct err *e)
{
	uint32_t zero = 0, tgid = env->focus->scope.tgid;

	if (bpf_map_update_elem(tool_map_fd(&st->iter, "focus"), &zero, &tgid, BPF_ANY))
		return err_errno(e, errno, "setting the process in focus");
	int fd = tool_iterate(&st->iter, "iter_stuck", e);
	if (fd < 0)
		return fd;
	int err = iter_drain(fd, (void **)&st->records.ptr, &st->records.len, &st->records.cap,
			     sizeof(st->records.ptr[0]), e);
	if (err)
		return err;
	frame_set_state(b, SEC_STUCK, SEC_OK, "from the BPF task iterator");
	for (uint32_t i = 0; i < st->records.len; i++)
		stuck_add_row(&st->memory, &st->records.ptr[i], NULL, env->proc_fd, b);
	return 0;
}

struct scan {
	struct stuck_state *st;
	const struct collector_env *env;
	struct frame_builder *b;
	uint32_t denied;
};

static void add_seen(void *arg, const struct stuck_seen *seen)
{
	struct scan *s = arg;

	s->denied += seen->is_syscall_denied;
	stuck_add_row(&s->st->memory, &seen->record, seen->stack, s->env->proc_fd, s->b);
}

static int stuck_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			struct err *e)
{
	struct stuck_state *st = self;
	struct scan s = { st, env, b, 0 };

	stuck_memory_turn(&st->memory);
	if (st->iter.object)
		return sample_iterator(st, env, b, e);
	frame_set_state(b, SEC_STUCK, SEC_OK, "from /proc: %s", st->no_bpf.text);
	int err = stuck_scan_proc(env->proc_fd, env->focus->scope.tgid, add_seen, &s, e);
	if (!err && s.denied)
		frame_set_state(
			b, SEC_STUCK, SEC_DENIED,
			"system calls of %u threads are hidden: reading them needs CAP_SYS_PTRACE",
			s.denied);
	return err;
}

static void stuck_close(void *self)
{
	struct stuck_state *st = self;

	tool_unload(&st->iter);
	VEC_FINI(&st->records);
	stuck_memory_fini(&st->memory);
}

const struct collector collector_stuck = {
	.name = "stuck",
	.provides = SEC_BIT(SEC_STUCK),
	.is_on_demand = true,
	.period_ns = NS_PER_S,
	.budget_ns = 50 * NS_PER_MS,
	.is_slow_start = true,
	.self_size = sizeof(struct stuck_state),
	.open = stuck_open,
	.sample = stuck_sample,
	.close = stuck_close,
};
