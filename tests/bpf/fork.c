/* FORK rows against an exact number of children. */
#include "actor.h"

extern const struct collector collector_forks;

#define CHILDREN 137

static const struct fork_row *parent_row(const struct frame *f, pid_t pid)
{
	for (uint32_t i = 0; i < f->sec[SEC_FORK].nrows; i++)
		if (FRAME_ROWS(f, fork, FORK)[i].tgid == (uint32_t)pid)
			return &FRAME_ROWS(f, fork, FORK)[i];
	return NULL;
}

static void every_child_is_counted_and_no_thread(void **state)
{
	struct actor a = actor_start("forks", "137");
	struct live l;
	(void)state;

	live_open(&l, &collector_forks, true);
	assert_int_equal(write(a.to, "x", 1), 1);
	actor_wait(&a);
	live_sample(&l);
	const struct fork_row *r = parent_row(l.last, a.pid);
	assert_non_null(r);
	assert_int_equal(r->forks_total, CHILDREN);
	assert_true(text_is(r->comm, "work_tasks_acto"));
	assert_true(r->forks_per_s > 0);
	struct cost c = l.cost;
	l.c->cost(l.self, &c);
	assert_true(c.ns_per_event > 0 && c.self_ns > l.cost.self_ns && c.lost == 0);
	for (uint32_t i = 1; i < l.last->sec[SEC_FORK].nrows; i++)
		assert_true(FRAME_ROWS(l.last, fork, FORK)[i - 1].forks_per_s >=
			    FRAME_ROWS(l.last, fork, FORK)[i].forks_per_s);
	live_sample(&l); /* it forks no more */
	assert_null(parent_row(l.last, a.pid));
	actor_end(&a);
	live_close(&l);
}

static void a_child_is_named_by_the_program_it_runs(void **state)
{
	struct live l;
	(void)state;

	live_open(&l, &collector_forks, true);
	pid_t pid = fork();
	if (!pid) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	live_sample(&l);
	const struct fork_row *r = parent_row(l.last, getpid());
	assert_non_null(r);
	assert_int_equal(r->forks_total, 1);
	assert_true(text_is(r->child_comm, "true"));
	live_close(&l);
}

static void without_bpf_the_section_is_off_with_a_reason(void **state)
{
	struct live l;
	(void)state;

	live_open(&l, &collector_forks, false);
	live_sample(&l);
	assert_int_equal(l.last->sec[SEC_FORK].state, SEC_OFF);
	assert_true(text_has(l.last->sec[SEC_FORK].why, "BPF", 3));
	live_close(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_child_is_counted_and_no_thread),
		cmocka_unit_test(a_child_is_named_by_the_program_it_runs),
		cmocka_unit_test(without_bpf_the_section_is_off_with_a_reason),
	};

	if (geteuid()) {
		puts("skipped: loading BPF programs needs root");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
