/* FORK: which parents create processes, counted in the kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/map.h"
#include "base/vec.h"
#include "bpf/tasks_abi.h"
#include "collectors/collector.h"
#include "collectors/probes/cost.h"
#include "collectors/probes/load.h"

/* A run of ours costs about this, when the kernel is not timing BPF programs: two look-ups and a
 * copy. */
#define RUN_NS_GUESS 300.0

/* A parent that forked since the sample before. */
struct parent {
	uint32_t tgid;
	uint64_t grown;
	struct fork_count now;
};

struct forks_state {
	struct loaded_tool tool;
	struct err no_bpf;
	struct map before; /* tgid and start hashed to its count */
	struct map now;
	VEC(struct parent) parents;
	uint64_t since_ns; /* of the sample before, or the start */
	struct fork_stats stats;
	double runs_per_s;
};

static int forks_open(void *self, const struct collector_env *env, struct err *e)
{
	struct forks_state *st = self;

	(void)e;
	st->runs_per_s = F64_UNKNOWN;
	if (!env->may_bpf)
		err_set(&st->no_bpf, EPERM, "BPF is switched off");
	else
		(void)tool_load(&st->tool, "forks", NULL, &st->no_bpf);
	st->since_ns = clock_mono_ns();
	return 0;
}

static uint64_t identity(uint32_t tgid, uint64_t start_boot_ns)
{
	uint64_t id[2] = { tgid, start_boot_ns };

	return map_hash(id, sizeof(id));
}

static int add_parent(struct forks_state *st, uint32_t tgid, const struct fork_count *c)
{
	uint64_t key = identity(tgid, c->start_boot_ns);
	uint64_t *before = map_get(&st->before, key);

	if (!map_put(&st->now, key, c->forks))
		return -ENOMEM;
	uint64_t grown = before && *before <= c->forks ? c->forks - *before : c->forks;
	if (!grown)
		return 0;
	struct parent *p = VEC_ADD(&st->parents);
	if (!p)
		return -ENOMEM;
	*p = (struct parent){ .tgid = tgid, .grown = grown, .now = *c };
	return 0;
}

/* Parents that are gone make room for others, once their last forks have been shown. */
static bool is_over(uint32_t tgid, uint64_t grown)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u", tgid);
	return !grown && access(path, F_OK) && errno == ENOENT;
}

static int read_map(struct forks_state *st, struct err *e)
{
	int fd = tool_map_fd(&st->tool, "forks");
	uint32_t key = 0, next = 0, nkeys = 0;
	struct fork_count c;

	VEC_CLEAR(&st->parents);
	map_clear(&st->now);
	/* The count bounds the walk: a key deleted under it sends it back to the start. */
	for (bool has_key = false; nkeys < FORK_PARENTS_MAX; nkeys++, key = next, has_key = true) {
		if (bpf_map_get_next_key(fd, has_key ? &key : NULL, &next))
			break;
		if (bpf_map_lookup_elem(fd, &next, &c))
			continue;
		if (add_parent(st, next, &c))
			return err_errno(e, ENOMEM, "counting forks");
	}
	return 0;
}

static void drop_dead(struct forks_state *st)
{
	int fd = tool_map_fd(&st->tool, "forks");
	uint32_t key = 0, next;
	struct fork_count c;

	for (int more = !bpf_map_get_next_key(fd, NULL, &next); more;) {
		key = next;
		more = !bpf_map_get_next_key(fd, &key, &next);
		if (bpf_map_lookup_elem(fd, &key, &c))
			continue;
		uint64_t *before = map_get(&st->before, identity(key, c.start_boot_ns));
		if (before && is_over(key, c.forks - *before))
			(void)bpf_map_delete_elem(fd, &key);
	}
}

static int by_growth(const void *x, const void *y)
{
	const struct parent *a = x, *b = y;

	if (a->grown != b->grown)
		return a->grown < b->grown ? 1 : -1;
	return (a->tgid > b->tgid) - (a->tgid < b->tgid);
}

static void rows(struct forks_state *st, struct frame_builder *b, uint64_t elapsed_ns)
{
	struct arena *a = frame_arena(b);

	for (uint32_t i = 0; i < st->parents.len; i++) {
		const struct parent *p = &st->parents.ptr[i];
		struct fork_row *row = FRAME_ADD(b, fork, FORK);
		if (!row)
			return;
		row->tgid = p->tgid;
		row->comm = text_clean(a, p->now.comm, strnlen(p->now.comm, sizeof(p->now.comm)));
		row->child_comm = text_clean(a, p->now.child_comm,
					     strnlen(p->now.child_comm, sizeof(p->now.child_comm)));
		row->forks_per_s = rate_per_s(0, p->grown, elapsed_ns);
		row->forks_total = p->now.forks;
	}
}

static int forks_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			struct err *e)
{
	struct forks_state *st = self;
	uint32_t zero = 0;
	struct fork_stats stats;

	(void)env;
	if (!st->tool.object) {
		frame_set_state(b, SEC_FORK, SEC_OFF, "counting forks needs BPF: %s",
				st->no_bpf.text);
		return 0;
	}
	uint64_t now_ns = clock_mono_ns(), elapsed_ns = now_ns - st->since_ns;
	int err = read_map(st, e);
	if (err)
		return err;
	if (bpf_map_lookup_elem(tool_map_fd(&st->tool, "stats"), &zero, &stats))
		return err_errno(e, errno, "reading the fork counter");
	frame_set_state(b, SEC_FORK, SEC_OK, NULL);
	if (stats.lost > st->stats.lost)
		frame_set_state(b, SEC_FORK, SEC_TRUNCATED,
				"%llu forks were not counted: more than %d parents",
				(unsigned long long)(stats.lost - st->stats.lost),
				FORK_PARENTS_MAX);
	if (st->parents.len)
		qsort(st->parents.ptr, st->parents.len, sizeof(st->parents.ptr[0]), by_growth);
	rows(st, b, elapsed_ns);
	drop_dead(st);
	struct map was = st->before;
	st->before = st->now;
	st->now = was;
	st->runs_per_s = rate_per_s(st->stats.runs, stats.runs, elapsed_ns);
	st->stats = stats;
	st->since_ns = now_ns;
	return 0;
}

/* Exact while something has the kernel time BPF programs, else by count. */
static void forks_cost(void *self, struct cost *c)
{
	struct forks_state *st = self;
	struct run_stats s;

	if (!st->tool.object)
		return;
	stats_read(st->tool.prog_fds, st->tool.nprogs, &s);
	c->ns_per_event = s.runs ? (double)s.run_ns / (double)s.runs : RUN_NS_GUESS;
	c->events_per_s = st->runs_per_s;
	c->self_ns += (uint64_t)((double)st->stats.runs * c->ns_per_event);
	c->lost += st->stats.lost;
}

static void forks_close(void *self)
{
	struct forks_state *st = self;

	tool_unload(&st->tool);
	map_fini(&st->before);
	map_fini(&st->now);
	VEC_FINI(&st->parents);
}

const struct collector collector_forks = {
	.name = "forks",
	.provides = SEC_BIT(SEC_FORK),
	.period_ns = NS_PER_S,
	.budget_ns = 20 * NS_PER_MS,
	.is_slow_start = true,
	.self_size = sizeof(struct forks_state),
	.open = forks_open,
	.sample = forks_sample,
	.cost = forks_cost,
	.close = forks_close,
};
