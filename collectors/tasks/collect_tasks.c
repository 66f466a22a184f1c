/* TASK and THREAD: from the BPF task iterator, or from /proc until it is loaded and where it cannot
 * be. */
#include <errno.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/collector.h"
#include "collectors/probes/load.h"
#include "collectors/tasks/procps.h"
#include "collectors/tasks/table.h"

/* Processes that BPF does not show and /proc is asked for instead. */
#define HIDDEN_MAX 16
/* The first frame shows what /proc gives in this time; a whole pass over thousands takes longer. */
#define FIRST_READ_NS (60 * NS_PER_MS)

struct tasks_state {
	struct task_table table;   /* every task of the host */
	struct task_table threads; /* without BPF: threads of the process in focus */
	uint32_t threads_tgid;     /* whose they are */
	struct cgroup_names cgroups;
	struct loaded_tool iter;
	struct pids_info *procps;
	struct err no_bpf; /* why the iterator is not used */
	uint32_t samples;
	bool is_cut; /* the first reading stopped before the last process */
};

/*
 * A kernel may keep some processes from BPF, such as the first one of a
 * container host; their children tell that they are there.
 */
static int read_hidden(struct tasks_state *st, struct task_reading *r, struct err *e)
{
	uint32_t tgids[HIDDEN_MAX];
	uint32_t n = task_reading_missing_parents(r, tgids, HIDDEN_MAX);

	return n ? procps_read_some(&st->procps, r, tgids, n, e) : 0;
}

static int read_iterator(struct tasks_state *st, struct err *e)
{
	struct task_reading *r = task_table_next(&st->table);
	int fd = tool_iterate(&st->iter, "iter_tasks", e);
	int err = fd < 0 ? fd : task_reading_drain(r, fd, e);

	if (!err)
		err = read_hidden(st, r, e);
	if (err)
		return err;
	r->has_threads = true;
	return task_table_sum(&st->table, e);
}

/* libproc2 knows only the live /proc: a captured tree must not be answered from another host. */
static bool is_live_proc(int proc_fd)
{
	struct stat ours, live;

	return !fstat(proc_fd, &ours) && !stat("/proc", &live) && ours.st_dev == live.st_dev &&
	       ours.st_ino == live.st_ino;
}

static int read_proc(struct tasks_state *st, const struct collector_env *env, struct err *e)
{
	if (!is_live_proc(env->proc_fd))
		return err_set(e, ENOTSUP, "a captured /proc tree has no process table");
	struct task_reading *r = task_table_next(&st->table);
	r->has_threads = false;
	int err = st->samples ? procps_read_processes(&st->procps, r, e)
			      : procps_read_until(&st->procps, clock_mono_ns() + FIRST_READ_NS, r, &st->is_cut, e);
	return err ? err : task_table_sum(&st->table, e);
}

static void proc_threads(struct tasks_state *st, const struct collector_env *env,
			 struct frame_builder *b)
{
	const struct scope *focus = &env->focus->scope;
	struct err e = { 0 };

	if (st->threads_tgid != focus->tgid)
		task_table_reset(&st->threads);
	st->threads_tgid = focus->tgid;
	struct task_reading *r = task_table_next(&st->threads);
	r->has_threads = true;
	if (procfs_read_threads(env->proc_fd, focus->tgid, r, &e) ||
	    task_table_sum(&st->threads, &e)) {
		frame_set_state(b, SEC_THREAD, e.code == EACCES ? SEC_DENIED : SEC_FAILED, "%s",
				e.text);
		return;
	}
	task_table_threads(&st->threads, focus->tgid, 0, b);
}

/*
 * The first frames come from /proc, so that processes are on screen at once;
 * the second has rates against the first. Only then is the iterator loaded,
 * with a reading of its own for the third frame to compare with.
 */
static void load_iterator(struct tasks_state *st, const struct collector_env *env)
{
	if (!env->may_bpf) {
		err_set(&st->no_bpf, EPERM, "BPF is switched off");
		return;
	}
	if (tool_load(&st->iter, "iter_tasks", NULL, &st->no_bpf))
		return;
	task_table_reset(&st->table);
	if (!read_iterator(st, &st->no_bpf)) {
		task_table_reset(&st->threads);
		return;
	}
	tool_unload(&st->iter);
	task_table_reset(&st->table);
}

static void rows(struct tasks_state *st, const struct collector_env *env, struct frame_builder *b)
{
	const struct scope *focus = &env->focus->scope;
	bool is_iterator = st->iter.object != NULL;

	task_table_rows(&st->table, &st->cgroups, env->proc_fd, b);
	if (st->is_cut)
		frame_set_state(b, SEC_TASK, SEC_TRUNCATED, "the first processes of many; the rest follow");
	else if (is_iterator)
		frame_set_state(b, SEC_TASK, SEC_OK, "from the BPF task iterator");
	else if (st->no_bpf.code)
		frame_set_state(b, SEC_TASK, SEC_OK, "from /proc, in ticks: %s", st->no_bpf.text);
	else
		frame_set_state(b, SEC_TASK, SEC_OK,
				"from /proc until the task iterator is loaded");
	if (!focus->tgid)
		return;
	if (is_iterator)
		task_table_threads(&st->table, focus->tgid, focus->start_ns, b);
	else
		proc_threads(st, env, b);
}

static int tasks_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			struct err *e)
{
	struct tasks_state *st = self;
	int err = st->iter.object ? read_iterator(st, e) : read_proc(st, env, e);

	if (err)
		return err;
	rows(st, env, b);
	st->is_cut = false;
	if (++st->samples == 2)
		load_iterator(st, env);
	return 0;
}

static void tasks_close(void *self)
{
	struct tasks_state *st = self;

	task_table_fini(&st->table);
	task_table_fini(&st->threads);
	cgroup_names_fini(&st->cgroups);
	tool_unload(&st->iter);
	procps_release(&st->procps);
}

const struct collector collector_tasks = {
	.name = "tasks",
	.provides = SEC_BIT(SEC_TASK) | SEC_BIT(SEC_THREAD),
	.period_ns = NS_PER_S,
	.budget_ns = 50 * NS_PER_MS,
	.self_size = sizeof(struct tasks_state),
	.sample = tasks_sample,
	.close = tasks_close,
};
