/* Grouping and rates of task readings, without a kernel. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/tasks/table.h"

#define S NS_PER_S

/* One thread; everything not named is zero. */
static struct task_record *put(struct task_reading *r, uint32_t tid, uint32_t tgid,
			       uint64_t start_ns, uint64_t exec_ns)
{
	struct task_record *rec = task_reading_add(r);

	assert_non_null(rec);
	*rec = (struct task_record){ .tid = tid,
				     .tgid = tgid,
				     .start_boot_ns = start_ns,
				     .threads = 1,
				     .cgroup_id = U64_UNKNOWN,
				     .state = 1,
				     .comm = "t" };
	rec->own.exec_ns = rec->own.user_ns = exec_ns;
	return rec;
}

/* A reading that claims to have been taken at that second. */
static struct task_reading *at(struct task_table *t, uint64_t s)
{
	struct task_reading *r = task_table_next(t);

	r->mono_ns = r->boot_ns = s * S;
	r->has_threads = true;
	return r;
}

static struct frame *sum(struct task_table *t, uint32_t focus)
{
	struct frame_builder *b = frame_builder_new(NULL, S, S);
	struct cgroup_names names = { 0 };
	struct err e = { 0 };

	assert_int_equal(task_table_sum(t, &e), 0);
	task_table_rows(t, &names, -1, b);
	task_table_threads(t, focus, 0, b);
	cgroup_names_fini(&names);
	return frame_seal(b);
}

static void threads_add_up_and_exited_ones_stay(void **state)
{
	struct task_table t = { 0 };
	(void)state;

	struct task_reading *r = at(&t, 100);
	put(r, 10, 10, S, 5 * S)->runq_ns = 1 * S;
	put(r, 11, 10, S, 7 * S)->runq_ns = 2 * S;
	frame_unref(sum(&t, 0));
	r = at(&t, 102);
	struct task_record *leader = put(r, 10, 10, S, 6 * S);
	leader->runq_ns = 1 * S + S / 2;
	leader->exited.exec_ns = leader->exited.user_ns =
		8 * S; /* thread 11 ran one more second and left */
	struct frame *f = sum(&t, 10);
	const struct task_row *p = frame_task(f, 10, S);
	assert_non_null(p);
	assert_int_equal(p->cpu_ns_total, 14 * S);
	assert_true(fabs(p->cpu_pct - 100) < 1e-6);
	assert_true(fabs(p->runq_pct - 25) < 1e-6);
	assert_int_equal(p->runq_ns_total, 3 * S + S / 2);
	assert_int_equal(f->sec[SEC_THREAD].nrows, 1);
	assert_true(fabs(FRAME_ROWS(f, thread, THREAD)[0].cpu_pct - 50) < 1e-6);
	frame_unref(f);
	task_table_fini(&t);
}

static void a_reused_pid_is_another_process(void **state)
{
	struct task_table t = { 0 };
	(void)state;

	put(at(&t, 100), 10, 10, S, 50 * S);
	struct frame *f = sum(&t, 0);
	assert_true(isnan(frame_task(f, 10, 0)->cpu_pct));
	frame_unref(f);
	struct task_reading *r = at(&t, 101);
	put(r, 10, 10, 100 * S + S / 2, S / 4); /* started in between: all it has is new */
	put(r, 12, 12, 99 * S, 3 * S);          /* older, but never seen: nothing to compare with */
	f = sum(&t, 0);
	assert_true(fabs(frame_task(f, 10, 0)->cpu_pct - 25) < 1e-6);
	assert_true(isnan(frame_task(f, 12, 0)->cpu_pct));
	frame_unref(f);
	task_table_fini(&t);
}

static void a_thread_leaving_during_the_reading_is_no_negative_rate(void **state)
{
	struct task_table t = { 0 };
	(void)state;

	struct task_reading *r = at(&t, 100);
	put(r, 10, 10, S, 5 * S);
	put(r, 11, 10, S, 70 * S);
	frame_unref(sum(&t, 0));
	put(at(&t, 101), 10, 10, S, 5 * S); /* 11 is neither live nor among the exited yet */
	struct frame *f = sum(&t, 0);
	assert_int_equal(frame_task(f, 10, 0)->cpu_ns_total, 75 * S);
	assert_true(frame_task(f, 10, 0)->cpu_pct == 0);
	frame_unref(f);
	put(at(&t, 102), 10, 10, S, 5 * S)->exited.exec_ns = 70 * S + S / 2;
	f = sum(&t, 0);
	assert_true(fabs(frame_task(f, 10, 0)->cpu_pct - 50) < 1e-6);
	frame_unref(f);
	task_table_fini(&t);
}

static void unknown_counters_stay_unknown(void **state)
{
	struct task_table t = { 0 };
	(void)state;

	for (uint64_t s = 100; s < 102; s++) {
		struct task_record *r = put(at(&t, s), 10, 10, S, s * S);
		r->io_wait_ns = r->own.read_bytes = r->own.user_ns = U64_UNKNOWN;
		struct frame *f = sum(&t, 10);
		const struct task_row *p = frame_task(f, 10, 0);
		assert_int_equal(p->io_wait_ns_total, U64_UNKNOWN);
		assert_int_equal(p->read_bytes_total, U64_UNKNOWN);
		assert_int_equal(p->user_ns_total, U64_UNKNOWN);
		assert_true(isnan(p->io_wait_pct) && isnan(p->read_bytes_per_s) &&
			    isnan(p->user_pct));
		assert_true(s == 100 ? isnan(p->cpu_pct) : fabs(p->cpu_pct - 100) < 1e-6);
		frame_unref(f);
	}
	task_table_fini(&t);
}

static void a_thread_may_have_a_lower_number_than_its_process(void **state)
{
	struct task_table t = { 0 };
	(void)state;

	struct task_reading *r = at(&t, 100);
	put(r, 900, 900, S, S);
	put(r, 7, 900, S, 2 * S)->state = 2;
	task_reading_sort(r);
	struct frame *f = sum(&t, 900);
	assert_int_equal(f->sec[SEC_TASK].nrows, 1);
	assert_int_equal(frame_task(f, 900, 0)->cpu_ns_total, 3 * S);
	assert_int_equal(frame_task(f, 900, 0)->threads_in_d, 1);
	assert_int_equal(f->sec[SEC_THREAD].nrows, 2);
	assert_int_equal(FRAME_ROWS(f, thread, THREAD)[0].tid, 7);
	frame_unref(f);
	task_table_fini(&t);
}

static void parents_without_a_record_are_named_once(void **state)
{
	struct task_reading r = { 0 };
	uint32_t missing[2];
	(void)state;

	put(&r, 10, 10, S, 0)->ppid = 1;
	put(&r, 11, 11, S, 0)->ppid = 10;
	put(&r, 12, 12, S, 0)->ppid = 1;
	put(&r, 13, 13, S, 0)->ppid = 0;
	assert_int_equal(task_reading_missing_parents(&r, missing, 2), 1);
	assert_int_equal(missing[0], 1);
	put(&r, 14, 14, S, 0)->ppid = 7;
	put(&r, 15, 15, S, 0)->ppid = 8;
	assert_int_equal(task_reading_missing_parents(&r, missing, 2), 2);
	assert_int_equal(missing[1], 7);
	task_reading_fini(&r);
}

static void state_letters_are_those_of_ps(void **state)
{
	static const struct {
		uint32_t bits;
		char letter;
	} cases[] = {
		{ 0, 'R' },      { 1, 'S' },      { 2, 'D' },      { 0x102, 'D' },
		{ 0x402, 'I' },  { 4, 'T' },      { 8, 't' },      { 0x20, 'Z' },
		{ 0x10, 'X' },   { 0x30, 'Z' },   { 0x40, 'P' },   { 0xa2, 'Z' },
		{ 0x8000, 'D' }, { 0x1000, 'D' }, { 0x2001, 'S' }, { 0x100, 'R' },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(task_state_char(cases[i].bits), cases[i].letter);
	for (const char *c = "RSDTtXZPI"; *c; c++)
		assert_int_equal(task_state_char(task_state_of_char(*c)), *c);
}

static void the_cgroup_that_says_most_is_chosen(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "0::/system.slice/x.service\n", "/system.slice/x.service" },
		{ "9:name=systemd:/s\n4:memory:/m/a:b\n0::/\n", "/m/a:b" },
		{ "4:memory:/\n0::/user.slice\n", "/user.slice" },
		{ "0::/", "/" },
		{ "4:memory:/old\n", "/old" },
	};
	const char *path;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t n = cgroup_choose(cases[i].text, strlen(cases[i].text), &path);
		assert_int_equal(n, strlen(cases[i].want));
		assert_memory_equal(path, cases[i].want, n);
	}
	assert_int_equal(cgroup_choose("garbage\n:\n", 10, &path), 0);
	assert_int_equal(cgroup_choose("", 0, &path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_add_up_and_exited_ones_stay),
		cmocka_unit_test(a_reused_pid_is_another_process),
		cmocka_unit_test(a_thread_leaving_during_the_reading_is_no_negative_rate),
		cmocka_unit_test(unknown_counters_stay_unknown),
		cmocka_unit_test(a_thread_may_have_a_lower_number_than_its_process),
		cmocka_unit_test(parents_without_a_record_are_named_once),
		cmocka_unit_test(state_letters_are_those_of_ps),
		cmocka_unit_test(the_cgroup_that_says_most_is_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
