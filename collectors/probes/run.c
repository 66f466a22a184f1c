/* Owns one probe's life: what is asked becomes a filter and a loaded program, then rows, then nothing. */
#include "collectors/probes/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/probes/family.h"
#include "collectors/probes/kmap.h"

#define MAPS_MAX 16u

/* A bespoke program has no single shape: each of its maps has its own. */
static const struct probe_family family_program = { .name = "counts", .read = family_read_program };

static bool device_has(const struct collector_env *env, const struct scope *s, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "dev/block/%u:%u/%s", s->major, s->minor, what);
	return env->sys_fd >= 0 && faccessat(env->sys_fd, path, F_OK, 0) == 0;
}

static int filter_of(const struct probe_run *r, const struct collector_env *env, struct probe_filter *f,
		     struct err *e)
{
	const struct scope *s = &r->scope;

	*f = (struct probe_filter){ .self_tgid = (uint32_t)getpid(), .nr = -1 };
	if (!(r->entry->probe->scopes & 1u << s->kind))
		return err_set(e, EINVAL, "%s cannot look at this kind of scope", r->entry->name);
	switch (s->kind) {
	case SCOPE_THREAD:
		f->tid = s->tid;
		break;
	case SCOPE_PROCESS:
		f->tgid = s->tgid;
		break;
	case SCOPE_DEVICE:
		if (!device_has(env, s, ""))
			return err_set(e, ENODEV, "there is no block device %u:%u", s->major, s->minor);
		if (device_has(env, s, "partition"))
			return err_set(e, EINVAL, "%u:%u is a partition: ask for its disk", s->major, s->minor);
		f->dev = s->major << 20 | s->minor;
		break;
	default:
		break;
	}
	if (r->entry->probe->set_filter)
		return r->entry->probe->set_filter(r->arg, f, e);
	return r->arg[0] ? err_set(e, EINVAL, "%s takes no argument", r->entry->name) : 0;
}

/* A process that is not there would be waited for in vain. */
static int check_process(const struct probe_run *r, const struct collector_env *env, struct err *e)
{
	const struct scope *s = &r->scope;
	uint32_t pid = s->kind == SCOPE_THREAD ? s->tid : s->kind == SCOPE_PROCESS ? s->tgid : 0;
	char path[32];

	snprintf(path, sizeof(path), "%u", pid);
	if (pid && env->proc_fd >= 0 && faccessat(env->proc_fd, path, F_OK, 0))
		return err_set(e, ESRCH, "there is no %s %u", s->kind == SCOPE_THREAD ? "thread" : "process", pid);
	return 0;
}

static int start_tool(struct probe_run *r, const struct collector_env *env, struct err *e)
{
	struct probe_filter f;
	const struct probe *p = r->entry->probe;
	int err = filter_of(r, env, &f, e);

	if (!err)
		err = tool_load(&r->tool, r->entry->name, &f, e);
	if (err)
		return err;
	r->family = f.flags & FILTER_STREAM && p->stream ? p->stream : p->family;
	if (r->family != &probe_family_events)
		return 0;
	r->events = event_queue_new(tool_map_fd(&r->tool, "events"), e);
	return r->events ? 0 : -e->code;
}

static int start_program(struct probe_run *r, const struct collector_env *env, struct err *e)
{
	struct lang_host host = { .tracefs_fd = env->tracefs_fd, .self_tgid = (uint32_t)getpid() };

	r->family = &family_program;
	if (r->scope.kind == SCOPE_PROCESS)
		host.filter_tgid = r->scope.tgid;
	else if (r->scope.kind != SCOPE_HOST)
		return err_set(e, EINVAL, "a program can look at the host or at a process");
	return program_load(&r->bespoke, r->program, &host, e);
}

static uint64_t memory_of(const struct probe_run *r)
{
	int fds[MAPS_MAX];
	uint32_t n = r->entry ? tool_map_fds(&r->tool, fds, MAPS_MAX) : r->bespoke.nmaps;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t one = kmap_memory_bytes(r->entry ? fds[i] : r->bespoke.map_fds[i]);
		if (one == U64_UNKNOWN)
			return U64_UNKNOWN;
		bytes += one;
	}
	return bytes;
}

int run_start(struct probe_run *r, const struct collector_env *env, struct err *e)
{
	int err = check_process(r, env, e);

	r->since_wall_ns = clock_wall_ns();
	r->cost = (struct run_cost){ .events_per_s = F64_UNKNOWN, .ns_per_event = F64_UNKNOWN, .cpu_pct = F64_UNKNOWN };
	if (!err && !env->may_bpf)
		err = err_set(e, EPERM, "BPF is not to be used here");
	if (!err)
		err = r->entry ? start_tool(r, env, e) : start_program(r, env, e);
	if (err) {
		run_stop(r, RUN_FAILED, TEXT_UNKNOWN);
		text_keepf(&r->why, "%s", e->text);
		return err;
	}
	r->state = RUN_RUNNING;
	r->read_mono_ns = clock_mono_ns();
	r->memory_bytes = memory_of(r);
	return 0;
}

void run_stop(struct probe_run *r, enum run_state state, struct text why)
{
	event_queue_free(r->events);
	r->events = NULL;
	tool_unload(&r->tool);
	program_unload(&r->bespoke);
	map_fini(&r->before);
	r->state = state;
	text_keep(&r->why, why);
}

void run_fini(struct probe_run *r)
{
	run_stop(r, RUN_STOPPED, TEXT_UNKNOWN);
	free(r->program);
	*r = (struct probe_run){ 0 };
}

static int add_losses(void *ctx, const struct kmap *m, const void *key, const void *values)
{
	uint64_t *by_kind = ctx;
	uint32_t kind;

	memcpy(&kind, key, sizeof(kind));
	if (kind < LOSS_COUNT)
		by_kind[kind] = kmap_sum(m, values, 0);
	return 0;
}

static int read_losses(struct probe_run *r, struct err *e)
{
	uint64_t by_kind[LOSS_COUNT] = { 0 };
	const struct lang_result *result = &r->bespoke.result;
	struct kmap m;
	int fd = r->entry ? tool_map_fd(&r->tool, "losses") : r->bespoke.map_fds[result->i_losses];
	int err = kmap_init(&m, fd, e);

	if (!err)
		err = kmap_each(&m, add_losses, by_kind, e);
	if (err)
		return err_at(e, "losses: ");
	r->lost = by_kind[LOSS_RING] + by_kind[LOSS_MAP_FULL] + r->dropped + r->cost.misses;
	r->unmatched = by_kind[LOSS_UNMATCHED] + by_kind[LOSS_NEGATIVE];
	return 0;
}

int run_read(struct probe_run *r, struct frame_builder *b, struct err *e)
{
	int err = r->family->read(r, b, e);

	if (!err)
		err = read_losses(r, e);
	r->read_mono_ns = clock_mono_ns();
	return err;
}

uint32_t run_prog_fds(const struct probe_run *r, const int **fds)
{
	*fds = r->entry ? r->tool.prog_fds : r->bespoke.prog_fds;
	return r->entry ? r->tool.nprogs : r->bespoke.nprogs;
}

uint64_t run_delta(struct probe_run *r, uint64_t key_hash, uint64_t total)
{
	uint64_t *before = map_get(&r->before, key_hash);
	uint64_t delta = before && *before <= total ? total - *before : total;

	/* Without memory the next increase is too large once; the totals stay right. */
	if (before)
		*before = total;
	else
		(void)map_put(&r->before, key_hash, total);
	return delta;
}

uint64_t run_elapsed_ns(const struct probe_run *r, uint64_t mono_ns)
{
	return mono_ns > r->read_mono_ns ? mono_ns - r->read_mono_ns : 0;
}
