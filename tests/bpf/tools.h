/* For live tests of tools: a scheduler with the probes alone, and workloads that wait to be told. */
#ifndef TESTS_BPF_TOOLS_H
#define TESTS_BPF_TOOLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/probes/probe.h"
#include "collectors/scheduler.h"
#include "session/session.h"

#define BUDGET_OF_A_TEST 1000

struct tools {
	struct collector_env env;
	struct request focus;
	const struct collector *only[1];
	struct scheduler *scheduler;
};

static inline void tools_open(struct tools *t)
{
	struct err e = { 0 };

	*t = (struct tools){ .focus = { .kind = REQUEST_FOCUS,
					.needs = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_HIST) | SEC_BIT(SEC_COUNTS) } };
	assert_int_equal(collector_env_live(&t->env, &e), 0);
	t->env.focus = &t->focus;
	for (size_t i = 0; i < collector_registry_len; i++)
		if (!strcmp(collector_registry[i]->name, "probes"))
			t->only[0] = collector_registry[i];
	assert_non_null(t->only[0]);
	t->scheduler = scheduler_new(&(struct scheduler_options){ .collectors = t->only,
								    .ncollectors = 1,
								    .env = &t->env,
								    .period_ns = 1 },
				     &e);
	assert_non_null(t->scheduler);
}

static inline void tools_close(struct tools *t)
{
	scheduler_free(t->scheduler);
	collector_env_fini(&t->env);
}

static inline int tools_ask(struct tools *t, const char *tool, const struct scope *scope, const char *arg,
			    struct err *e)
{
	struct request q = { .kind = REQUEST_PROBE_START, .budget_cpu_pct = BUDGET_OF_A_TEST };

	if (scope)
		q.scope = *scope;
	snprintf(q.tool, sizeof(q.tool), "%s", tool);
	snprintf(q.arg, sizeof(q.arg), "%s", arg ? arg : "");
	return scheduler_ask(t->scheduler, &q, clock_mono_ns(), e);
}

static inline void tools_start(struct tools *t, const char *tool, const struct scope *scope, const char *arg)
{
	struct err e = { 0 };

	if (tools_ask(t, tool, scope, arg, &e))
		fail_msg("%s: %s", tool, e.text);
}

static inline struct frame *tools_frame(struct tools *t)
{
	struct frame *f = scheduler_frame(t->scheduler, clock_mono_ns(), clock_wall_ns());

	assert_non_null(f);
	return f;
}

static inline const struct probe_row *tools_row(const struct frame *f, uint32_t i)
{
	assert_true(i < f->sec[SEC_PROBE].nrows);
	return &FRAME_ROWS(f, probe, PROBE)[i];
}

static inline uint64_t tools_hist_total(const struct frame *f)
{
	const struct hist_row *h = FRAME_ROWS(f, hist, HIST);
	uint64_t n = 0;

	for (uint32_t i = 0; i < f->sec[SEC_HIST].nrows; i++)
		n += h[i].count;
	return n;
}

static inline const struct counts_row *tools_count(const struct frame *f, const char *key)
{
	const struct counts_row *c = FRAME_ROWS(f, counts, COUNTS);

	for (uint32_t i = 0; i < f->sec[SEC_COUNTS].nrows; i++)
		if (text_is(c[i].key, key))
			return &c[i];
	return NULL;
}

/* A workload of tests/work that reads a byte to begin and another to end. */
struct workload {
	pid_t pid;
	int to, from;
};

static inline void workload_start(struct workload *w, const char *name)
{
	int in[2], out[2];
	char path[512];

	snprintf(path, sizeof(path), RUNG_WORK_DIR "/work_%s", name);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	w->pid = fork();
	assert_true(w->pid >= 0);
	if (!w->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		for (int fd = 3; fd < 64; fd++)
			close(fd);
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	w->to = in[1];
	w->from = out[0];
}

static inline void workload_work(struct workload *w)
{
	char c;

	assert_int_equal(write(w->to, "g", 1), 1);
	assert_int_equal(read(w->from, &c, 1), 1);
}

static inline void workload_end(struct workload *w)
{
	int status;

	assert_int_equal(write(w->to, "e", 1), 1);
	assert_int_equal(waitpid(w->pid, &status, 0), w->pid);
	assert_int_equal(status, 0);
	close(w->to);
	close(w->from);
}

/* The workload's image must be running before its calls are counted. */
static inline void workload_wait_for_exec(const struct workload *w)
{
	char link[64], target[512];

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)w->pid);
	for (;;) {
		ssize_t n = readlink(link, target, sizeof(target) - 1);
		assert_true(n > 0);
		target[n] = 0;
		if (strstr(target, "work_"))
			return;
		usleep(1000);
	}
}

/* It waits for its first byte: blocked in read, which /proc says. */
static inline void workload_wait_for_read(const struct workload *w)
{
	char path[64];

	workload_wait_for_exec(w);
	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)w->pid);
	for (;;) {
		char name[64] = "";
		FILE *f = fopen(path, "re");
		assert_non_null(f);
		bool is_read = fgets(name, sizeof(name), f) != NULL;
		fclose(f);
		if (is_read && strstr(name, "pipe"))
			return;
		usleep(1000);
	}
}

/* Programs, links, maps and events this process holds; without pins they end with the last descriptor. */
static inline unsigned int kernel_objects_held(void)
{
	unsigned int n = 0;
	char path[64], target[128];

	for (int fd = 0; fd < 1024; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		ssize_t len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = 0;
		n += strstr(target, "bpf") || strstr(target, "perf_event") || strstr(target, "btf");
	}
	return n;
}

/* Why live tests of BPF cannot run here, or NULL. */
static inline const char *tools_missing(void)
{
	if (geteuid())
		return "needs root";
	return access("/sys/kernel/btf/vmlinux", R_OK) ? "needs a kernel with BTF" : NULL;
}

#define TOOLS_SKIP()                                       \
	do {                                               \
		const char *missing = tools_missing();     \
		if (missing) {                             \
			printf("skipped: %s\n", missing);  \
			return 77;                         \
		}                                          \
	} while (0)

#endif
