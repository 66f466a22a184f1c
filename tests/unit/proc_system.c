/* CPU percentages from /proc/stat: their sum, guests, counters that step back, CPUs that come
 * and go. */
#include "proc_tree.h"

extern const struct collector collector_system;

static double sum_pct(const struct cpu_row *r)
{
	return r->user_pct + r->nice_pct + r->system_pct + r->irq_pct + r->softirq_pct +
	       r->steal_pct + r->guest_pct + r->iowait_pct + r->idle_pct;
}

static void guests_are_counted_once(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "guest" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_int_equal(f->sec[SEC_CPU].nrows, 3);
	assert_true(isnan(FRAME_ROWS(f, cpu, CPU)[0].user_pct));
	f = tree_step(&r, 2, START_NS + 2 * NS_PER_S);
	const struct cpu_row *cpu = FRAME_ROWS(f, cpu, CPU);
	assert_int_equal(cpu[0].id, U32_UNKNOWN);
	assert_int_equal(cpu[1].id, 0);
	assert_near(cpu[1].user_pct, 40);
	assert_near(cpu[1].nice_pct, 6);
	assert_near(cpu[1].guest_pct, 24);
	assert_near(cpu[1].steal_pct, 1);
	assert_near(cpu[1].busy_pct, 84);
	assert_near(cpu[2].idle_pct, 100);
	assert_near(cpu[2].busy_pct, 0);
	assert_near(cpu[0].user_pct, 20);
	for (int i = 0; i < 3; i++)
		assert_near(sum_pct(&cpu[i]), 100);
	tree_end(&r);
}

static void rates_use_the_time_that_passed(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "guest" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + 40 * NS_PER_S);
	const struct sys_row *sys = FRAME_ROWS(f, sys, SYS);
	assert_int_equal(sys->runnable, 3);
	assert_int_equal(sys->blocked, 0);
	assert_near(sys->ctxt_per_s, 50);
	assert_near(sys->forks_per_s, 0.25);
	assert_near(sys->intr_per_s, 12.5);
	assert_near(sys->softirq_per_s, 12.5);
	assert_int_equal(sys->processes, U32_UNKNOWN);
	tree_end(&r);
}

static void counters_that_step_back_take_nothing_away(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "backwards" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + NS_PER_S);
	const struct cpu_row *cpu = FRAME_ROWS(f, cpu, CPU);
	for (int i = 0; i < 2; i++) {
		assert_near(sum_pct(&cpu[i]), 100);
		assert_near(cpu[i].user_pct, 0);
		assert_near(cpu[i].idle_pct, 0);
		assert_near(cpu[i].iowait_pct, 0);
		assert_near(cpu[i].steal_pct, 0);
	}
	assert_true(isnan(FRAME_ROWS(f, sys, SYS)->ctxt_per_s));
	tree_end(&r);
}

static void cpus_are_matched_by_number(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "hotplug" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + NS_PER_S);
	const struct cpu_row *cpu = FRAME_ROWS(f, cpu, CPU);
	assert_int_equal(f->sec[SEC_CPU].nrows, 4);
	assert_int_equal(cpu[1].id, 0);
	assert_near(cpu[1].user_pct, 75);
	assert_int_equal(cpu[2].id, 3);
	assert_true(isnan(cpu[2].busy_pct));
	assert_int_equal(cpu[3].id, 5);
	assert_near(cpu[3].idle_pct, 100);
	assert_near(cpu[0].user_pct, 37.5);
	assert_near(sum_pct(&cpu[0]), 100);
	tree_end(&r);
}

static void columns_an_old_kernel_lacks_stay_unknown(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "old" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + NS_PER_S);
	const struct cpu_row *cpu = FRAME_ROWS(f, cpu, CPU);
	assert_near(cpu[1].user_pct, 30);
	assert_near(cpu[1].idle_pct, 70);
	assert_true(isnan(cpu[1].guest_pct));
	assert_int_equal(cpu[1].guest_ticks_total, U64_UNKNOWN);
	tree_end(&r);
}

static void two_samples_within_a_tick_say_nothing(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "guest" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 1, START_NS + NS_PER_MS);
	assert_true(isnan(FRAME_ROWS(f, cpu, CPU)[0].busy_pct));
	assert_true(isnan(FRAME_ROWS(f, cpu, CPU)[1].idle_pct));
	tree_end(&r);
}

static void a_cut_file_is_said_to_be_cut(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "cut" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_int_equal(r.rc, 0);
	assert_int_equal(f->sec[SEC_CPU].state, SEC_TRUNCATED);
	assert_true(f->sec[SEC_CPU].why.len > 0);
	assert_int_equal(f->sec[SEC_CPU].nrows, 2);
	tree_end(&r);
}

static void an_empty_or_missing_file_fails_with_words(void **state)
{
	struct tree_run r = { .c = &collector_system, .name = "empty" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_true(r.rc < 0);
	assert_int_equal(f->sec[SEC_CPU].state, SEC_FAILED);
	assert_int_equal(f->sec[SEC_SYS].state, SEC_FAILED);
	r.name = "psi";
	f = tree_step(&r, 1, START_NS + NS_PER_S);
	assert_true(r.rc < 0);
	assert_true(text_has(f->sec[SEC_CPU].why, "stat", 4));
	tree_end(&r);
}

static void two_samples_of_this_host_add_up(void **state)
{
	struct collector_env env;
	struct err e;
	struct frame *first, *second;
	struct cost cost = { 0 };
	void *self = calloc(1, collector_system.self_size);
	uint64_t started_ns = clock_mono_ns();
	(void)state;

	assert_non_null(self);
	assert_int_equal(collector_env_live(&env, &e), 0);
	struct frame_builder *b = frame_builder_new(NULL, started_ns, started_ns);
	assert_int_equal(collector_run(&collector_system, self, &env, b, &cost, &e), 0);
	first = frame_seal(b);
	/* Busy until every CPU has ticked, so that there is something to divide. */
	for (uint32_t ticked = 0; ticked < first->sec[SEC_CPU].nrows;) {
		b = frame_builder_new(first, clock_mono_ns(), started_ns);
		assert_int_equal(collector_run(&collector_system, self, &env, b, &cost, &e), 0);
		second = frame_seal(b);
		ticked = 0;
		for (uint32_t i = 0; i < second->sec[SEC_CPU].nrows; i++) {
			double pct = sum_pct(&FRAME_ROWS(second, cpu, CPU)[i]);
			ticked += isnan(pct) ? 0u : 1u;
			assert_true(isnan(pct) || fabs(pct - 100) < 0.1);
		}
		frame_unref(second);
	}
	frame_unref(first);
	collector_system.close(self);
	free(self);
	collector_env_fini(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guests_are_counted_once),
		cmocka_unit_test(rates_use_the_time_that_passed),
		cmocka_unit_test(counters_that_step_back_take_nothing_away),
		cmocka_unit_test(cpus_are_matched_by_number),
		cmocka_unit_test(columns_an_old_kernel_lacks_stay_unknown),
		cmocka_unit_test(two_samples_within_a_tick_say_nothing),
		cmocka_unit_test(a_cut_file_is_said_to_be_cut),
		cmocka_unit_test(an_empty_or_missing_file_fails_with_words),
		cmocka_unit_test(two_samples_of_this_host_add_up),
	};

	return cmocka_run_group_tests_name("proc_system", tests, NULL, NULL);
}
