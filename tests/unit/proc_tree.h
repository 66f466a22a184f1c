/* Samples a collector on captured trees: tests/proc/<name>/<step>/{proc,sys}. */
#ifndef TESTS_UNIT_PROC_TREE_H
#define TESTS_UNIT_PROC_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "collectors/collector.h"

#define START_NS (1000 * NS_PER_S)

static const struct request nothing_on_screen;

static inline int tree_dir(const char *name, int step, const char *what)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/proc/%s/%d/%s", RUNG_TESTS, name, step, what);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A collector of one test, opened on the first step. */
struct tree_run {
	const struct collector *c;
	const char *name;
	void *self;
	struct frame *last;
	struct err e;
	int rc;
};

/* Sample the step, one frame each, at an instant of the caller's; the frame stays the run's. */
static inline const struct frame *tree_step(struct tree_run *r, int step, uint64_t mono_ns)
{
	struct collector_env env = { tree_dir(r->name, step, "proc"),
				     tree_dir(r->name, step, "sys"), -1, false,
				     &nothing_on_screen };
	struct frame_builder *b = frame_builder_new(r->last, mono_ns, mono_ns);
	struct cost cost = { 0 };

	assert_non_null(b);
	if (!r->self) {
		r->self = calloc(1, r->c->self_size);
		assert_non_null(r->self);
		assert_true(!r->c->open || r->c->open(r->self, &env, &r->e) == 0);
	}
	r->rc = collector_run(r->c, r->self, &env, b, &cost, &r->e);
	assert_int_equal(cost.runs, 1);
	frame_unref(r->last);
	r->last = frame_seal(b);
	assert_non_null(r->last);
	if (env.proc_fd >= 0)
		close(env.proc_fd);
	if (env.sys_fd >= 0)
		close(env.sys_fd);
	return r->last;
}

static inline void tree_end(struct tree_run *r)
{
	if (r->self && r->c->close)
		r->c->close(r->self);
	free(r->self);
	frame_unref(r->last);
}

static inline void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-6 * (1 + fabs(expected))))
		fail_msg("%g is not %g", value, expected);
}

#endif
