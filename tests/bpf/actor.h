/* Starts work_tasks_actor in a known state and samples collectors on the live host. */
#ifndef TESTS_BPF_ACTOR_H
#define TESTS_BPF_ACTOR_H

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "collectors/collector.h"

/* A child with both ends of its conversation; what it said before "ready" is in said. */
struct actor {
	pid_t pid;
	int to;
	FILE *from;
	char said[128];
};

/* Reads lines until "ready"; the last other line stays in said. */
static inline void actor_wait(struct actor *a)
{
	char line[128];

	for (;;) {
		assert_non_null(fgets(line, sizeof(line), a->from));
		if (!strcmp(line, "ready\n"))
			return;
		strcpy(a->said, line);
	}
}

static inline struct actor actor_start(const char *act, const char *arg)
{
	int in[2], out[2];
	struct actor a = { 0 };

	assert_int_equal(pipe(in) | pipe(out), 0);
	a.pid = fork();
	assert_true(a.pid >= 0);
	if (!a.pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		for (int fd = 3; fd < 64; fd++)
			close(fd);
		execl(RUNG_WORK_DIR "/work_tasks_actor", "work_tasks_actor", act, arg, NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	a.to = in[1];
	a.from = fdopen(out[0], "r");
	actor_wait(&a);
	return a;
}

static inline void actor_end(struct actor *a)
{
	close(a->to);
	fclose(a->from);
	assert_int_equal(waitpid(a->pid, NULL, 0), a->pid);
}

/* One collector on the live host, with the frame it filled last. */
struct live {
	const struct collector *c;
	void *self;
	struct collector_env env;
	struct request focus;
	struct frame *last;
	struct cost cost;
	struct err e;
};

static inline void live_open(struct live *l, const struct collector *c, bool may_bpf)
{
	*l = (struct live){ .c = c, .self = calloc(1, c->self_size) };
	assert_int_equal(collector_env_live(&l->env, &l->e), 0);
	l->env.focus = &l->focus;
	l->env.may_bpf = may_bpf;
	if (c->open)
		assert_int_equal(c->open(l->self, &l->env, &l->e), 0);
}

static inline void live_sample(struct live *l)
{
	struct frame_builder *b = frame_builder_new(l->last, clock_mono_ns(), clock_wall_ns());

	assert_int_equal(collector_run(l->c, l->self, &l->env, b, &l->cost, &l->e), 0);
	frame_unref(l->last);
	l->last = frame_seal(b);
	assert_non_null(l->last);
}

static inline void live_close(struct live *l)
{
	l->c->close(l->self);
	free(l->self);
	frame_unref(l->last);
	collector_env_fini(&l->env);
}

/* CPU time of a process as the kernel accounts it, exact to the nanosecond. */
static inline uint64_t cpu_ns_of(pid_t pid)
{
	clockid_t id;
	struct timespec t;

	assert_int_equal(clock_getcpuclockid(pid, &id), 0);
	assert_int_equal(clock_gettime(id, &t), 0);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Let the process spend that much CPU: a condition, whatever else the host does. */
static inline void until_cpu_ns(pid_t pid, uint64_t ns)
{
	uint64_t from = cpu_ns_of(pid);

	while (cpu_ns_of(pid) - from < ns)
		usleep(1000);
}

#endif
