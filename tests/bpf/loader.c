/* What loading does when it cannot, and what it leaves behind: words, and nothing. */
#include "tools.h"

#include "collectors/probes/load.h"

static void nothing_is_left(void **state)
{
	struct tools t;
	(void)state;

	assert_int_equal(kernel_objects_held(), 0);
	tools_open(&t);
	tools_start(&t, "runqlat", NULL, NULL);
	tools_start(&t, "biolatency", NULL, NULL);
	tools_start(&t, "syscalls", NULL, NULL);
	tools_start(&t, "syscalls", NULL, "openat");
	struct scope s = { .kind = SCOPE_PROCESS, .tgid = 4194303 };
	struct err e = { 0 };
	assert_true(tools_ask(&t, "runqlat", &s, NULL, &e) < 0);
	/* Programs and their links: 3 of runqlat, 2 of each other. */
	assert_true(kernel_objects_held() >= 18);
	frame_unref(tools_frame(&t));
	tools_close(&t);
	assert_int_equal(kernel_objects_held(), 0);
}

static void starts_the_same_once(void **state)
{
	struct tools t;
	struct scope other = scope_process(1, 0, TEXT("init"));
	(void)state;

	tools_open(&t);
	tools_start(&t, "runqlat", NULL, NULL);
	tools_start(&t, "runqlat", NULL, NULL);
	struct frame *f = tools_frame(&t);
	assert_int_equal(f->sec[SEC_PROBE].nrows, 1);
	uint32_t id = tools_row(f, 0)->id;
	frame_unref(f);
	tools_start(&t, "runqlat", &other, NULL);
	f = tools_frame(&t);
	assert_int_equal(f->sec[SEC_PROBE].nrows, 2);
	frame_unref(f);

	struct request stop = { .kind = REQUEST_PROBE_STOP, .probe_id = id };
	struct err e = { 0 };
	assert_int_equal(scheduler_ask(t.scheduler, &stop, clock_mono_ns(), &e), 0);
	f = tools_frame(&t);
	assert_true(text_is(tools_row(f, 0)->state, "stopped"));
	assert_true(text_is(tools_row(f, 1)->state, "running"));
	frame_unref(f);
	stop.probe_id = 4711;
	assert_int_equal(scheduler_ask(t.scheduler, &stop, clock_mono_ns(), &e), -ENOENT);
	tools_close(&t);
}

static void a_stopped_probe_keeps_its_result(void **state)
{
	struct tools t;
	struct request stop = { .kind = REQUEST_PROBE_STOP };
	struct err e = { 0 };
	(void)state;

	tools_open(&t);
	tools_start(&t, "runqlat", NULL, NULL);
	usleep(1000);
	struct frame *f = tools_frame(&t);
	uint64_t total = tools_hist_total(f);
	assert_true(total > 0);
	stop.probe_id = tools_row(f, 0)->id;
	frame_unref(f);
	assert_int_equal(scheduler_ask(t.scheduler, &stop, clock_mono_ns(), &e), 0);
	assert_int_equal(kernel_objects_held(), 0);
	for (int i = 0; i < 3; i++) {
		f = tools_frame(&t);
		assert_int_equal(tools_hist_total(f), total);
		assert_int_equal(FRAME_ROWS(f, hist, HIST)->delta, 0);
		frame_unref(f);
	}
	tools_close(&t);
}

static void refusals_have_words(void **state)
{
	static const struct { const char *tool, *arg, *words; enum scope_kind kind; } cases[] = {
		{ "no-such-tool", "", "no tool no-such-tool", SCOPE_HOST },
		{ "syscalls", "no_such_call", "no system call no_such_call", SCOPE_HOST },
		{ "runqlat", "argument", "takes no argument", SCOPE_HOST },
		{ "runqlat", "", "kind of scope", SCOPE_DEVICE },
		{ "syscalls", "", "no process", SCOPE_PROCESS },
	};
	struct tools t;
	(void)state;

	tools_open(&t);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct scope s = { .kind = cases[i].kind, .tgid = 4194303 };
		struct err e = { 0 };
		assert_true(tools_ask(&t, cases[i].tool, &s, cases[i].arg, &e) < 0);
		if (!strstr(e.text, cases[i].words))
			fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].tool, e.text, cases[i].words);
		struct frame *f = tools_frame(&t);
		assert_int_equal(f->sec[SEC_PROBE].nrows, i + 1);
		assert_true(text_is(tools_row(f, (uint32_t)i)->state, "failed"));
		assert_true(text_has(tools_row(f, (uint32_t)i)->why, cases[i].words, strlen(cases[i].words)));
		frame_unref(f);
	}
	tools_close(&t);
}

/* Without BPF (--no-bpf, or a captured tree) a start is refused in words and nothing is tried. */
static void without_bpf_it_says_so(void **state)
{
	struct tools t;
	struct err e = { 0 };
	(void)state;

	tools_open(&t);
	scheduler_free(t.scheduler);
	t.env.may_bpf = false;
	t.scheduler = scheduler_new(&(struct scheduler_options){ .collectors = t.only,
								   .ncollectors = 1,
								   .env = &t.env,
								   .period_ns = 1 },
				    &e);
	assert_non_null(t.scheduler);
	assert_int_equal(tools_ask(&t, "runqlat", NULL, NULL, &e), -EPERM);
	assert_int_equal(kernel_objects_held(), 0);
	struct frame *f = tools_frame(&t);
	assert_true(text_is(tools_row(f, 0)->state, "failed"));
	assert_true(tools_row(f, 0)->cpu_pct != tools_row(f, 0)->cpu_pct); /* unknown, not zero */
	frame_unref(f);
	tools_close(&t);
}

/* A budget that nothing can keep stops the probe, with the reason. */
static void over_budget_is_stopped(void **state)
{
	struct tools t;
	struct request q = { .kind = REQUEST_PROBE_START, .tool = "syscalls", .budget_cpu_pct = 1e-9 };
	struct err e = { 0 };
	bool is_stopped = false;
	(void)state;

	tools_open(&t);
	assert_int_equal(scheduler_ask(t.scheduler, &q, clock_mono_ns(), &e), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child)
		for (;;)
			getppid();
	for (int i = 0; i < 2000 && !is_stopped; i++) {
		struct frame *f = tools_frame(&t);
		const struct probe_row *p = tools_row(f, 0);
		is_stopped = text_is(p->state, "stopped");
		if (is_stopped)
			assert_true(text_has(p->why, "over budget", 11));
		else
			assert_true(text_is(p->state, "running"));
		frame_unref(f);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_true(is_stopped);
	tools_close(&t);
}

static void cost_is_measured(void **state)
{
	struct tools t;
	(void)state;

	tools_open(&t);
	tools_start(&t, "syscalls", NULL, NULL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child)
		for (;;)
			getppid();
	frame_unref(tools_frame(&t));
	struct frame *f = tools_frame(&t);
	const struct probe_row *p = tools_row(f, 0);
	assert_true(p->events_per_s > 10000);
	assert_true(p->ns_per_event > 1 && p->ns_per_event < 100000);
	assert_true(p->cpu_pct > 0);
	frame_unref(f);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	tools_close(&t);
}

static void text_output_has_its_shape(void **state)
{
	struct tools t;
	char *out = NULL;
	size_t len = 0;
	(void)state;

	tools_open(&t);
	tools_start(&t, "runqlat", NULL, NULL);
	usleep(1000);
	struct frame *f = tools_frame(&t);
	FILE *mem = open_memstream(&out, &len);
	assert_non_null(mem);
	assert_int_equal(session_print_probe(mem, f, tools_row(f, 0)->id), 0);
	assert_int_equal(session_print_probe(mem, f, 4711), -ENOENT);
	fclose(mem);
	assert_true(tools_hist_total(f) > 0);
	assert_non_null(strstr(out, "us, "));
	assert_non_null(strstr(out, "|@"));
	free(out);
	frame_unref(f);
	tools_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_left),
		cmocka_unit_test(starts_the_same_once),
		cmocka_unit_test(a_stopped_probe_keeps_its_result),
		cmocka_unit_test(refusals_have_words),
		cmocka_unit_test(without_bpf_it_says_so),
		cmocka_unit_test(over_budget_is_stopped),
		cmocka_unit_test(cost_is_measured),
		cmocka_unit_test(text_output_has_its_shape),
	};
	TOOLS_SKIP();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
