/* Bespoke programs from text to rows, against a workload whose calls are known. */
#include "tools.h"

static void ask_program(struct tools *t, const struct scope *s, const char *text, int expect, struct err *e)
{
	struct request q = { .kind = REQUEST_PROBE_START, .budget_cpu_pct = BUDGET_OF_A_TEST };

	if (s)
		q.scope = *s;
	snprintf(q.program, sizeof(q.program), "%s", text);
	int got = scheduler_ask(t->scheduler, &q, clock_mono_ns(), e);
	if (got != expect)
		fail_msg("%s: %d %s", text, got, e->text);
}

static void counts_and_histograms(void **state)
{
	struct tools t;
	struct workload w;
	struct err e = { 0 };
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_calls");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("calls"));
	ask_program(&t, &s, "tracepoint:syscalls:sys_enter_openat { @opens[comm] = count(); }", 0, &e);
	ask_program(&t, &s, "tracepoint:syscalls:sys_exit_openat { @fails = hist(0 - args->ret); }", 0, &e);
	workload_work(&w);
	struct frame *f = tools_frame(&t);

	const struct counts_row *c = tools_count(f, "work_tools_call");
	assert_non_null(c);
	assert_true(text_is(c->name, "@opens"));
	assert_int_equal(c->count, 1000);
	const struct hist_row *h = FRAME_ROWS(f, hist, HIST);
	assert_int_equal(f->sec[SEC_HIST].nrows, 1);
	assert_true(text_is(h->name, "@fails"));
	assert_int_equal(h->count, 1000);
	assert_int_equal(h->low, 2); /* ENOENT is 2 */
	assert_int_equal(h->high, 4);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(text_is(tools_row(f, i)->state, "running"));
		assert_true(text_is(tools_row(f, i)->name, "probe"));
		assert_int_equal(tools_row(f, i)->lost, 0);
	}
	frame_unref(f);
	/* Read again, counts stay and nothing is new. */
	f = tools_frame(&t);
	assert_int_equal(tools_count(f, "work_tools_call")->count, 1000);
	assert_int_equal(FRAME_ROWS(f, hist, HIST)->delta, 0);
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
	assert_int_equal(kernel_objects_held(), 0);
}

static void complaints_name_the_place(void **state)
{
	struct tools t;
	struct err e = { 0 };
	(void)state;

	tools_open(&t);
	ask_program(&t, NULL, "tracepoint:syscalls:sys_enter_openat { @ = cuont(); }", -EINVAL, &e);
	assert_non_null(strstr(e.text, "1:"));
	ask_program(&t, NULL, "tracepoint:no_such_group:no_such_event { @ = count(); }", -EINVAL, &e);
	struct frame *f = tools_frame(&t);
	assert_int_equal(f->sec[SEC_PROBE].nrows, 2);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(text_is(tools_row(f, i)->state, "failed"));
		assert_true(tools_row(f, i)->why.len > 0);
	}
	frame_unref(f);
	tools_close(&t);
	assert_int_equal(kernel_objects_held(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_and_histograms),
		cmocka_unit_test(complaints_name_the_place),
	};
	struct collector_env env;
	struct err e = { 0 };

	TOOLS_SKIP();
	if (collector_env_live(&env, &e) || env.tracefs_fd < 0) {
		printf("skipped: no tracefs\n");
		return 77;
	}
	collector_env_fini(&env);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
