/* The syscalls tool against a workload whose calls are known one by one. */
#include "tools.h"

static void counts_exactly(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_calls");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("calls"));
	tools_start(&t, "syscalls", &s, NULL);
	workload_work(&w);
	struct frame *f = tools_frame(&t);

	const struct counts_row *open = tools_count(f, "openat"), *sleep = tools_count(f, "nanosleep");
	assert_non_null(open);
	assert_int_equal(open->count, 1000);
	assert_int_equal(open->errors, 1000);
	assert_non_null(sleep);
	assert_int_equal(sleep->count, 500);
	assert_int_equal(sleep->errors, 0);
	assert_true(sleep->avg_ns >= 1e6);
	assert_true(sleep->max_ns >= 1000000);
	assert_true(sleep->total_ns >= 500 * UINT64_C(1000000));
	/* Only its own: nobody else sleeps in this scope, and no call of ours is in it. */
	assert_null(tools_count(f, "bpf"));
	const struct probe_row *p = tools_row(f, 0);
	assert_true(text_is(p->state, "running"));
	assert_true(text_is(p->family, "counts"));
	assert_int_equal(p->lost, 0);
	/* The read it waited in was entered before the tool started. */
	assert_int_equal(p->unmatched, 1);
	assert_true(p->memory_bytes > 0 && p->memory_bytes != U64_UNKNOWN);
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

static void streams_decoded(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_calls");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("calls"));
	tools_start(&t, "syscalls", &s, "openat");
	workload_work(&w);
	struct frame *f = tools_frame(&t);
	const struct events_row *ev = FRAME_ROWS(f, events, EVENTS);

	assert_int_equal(f->sec[SEC_EVENTS].nrows, 1000);
	assert_int_equal(f->sec[SEC_COUNTS].nrows, 0);
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(ev[i].seq, i);
		assert_int_equal(ev[i].tgid, w.pid);
		assert_true(text_is(ev[i].name, "openat"));
		assert_true(text_is(ev[i].args, "AT_FDCWD, \"/rung-missing-file\", O_RDONLY|O_CLOEXEC"));
		assert_int_equal(ev[i].ret, -ENOENT);
		assert_true(text_is(ev[i].error, "ENOENT"));
		assert_true(ev[i].latency_ns > 0 && ev[i].latency_ns < NS_PER_S);
		assert_true(!i || ev[i].wall_ns >= ev[i - 1].wall_ns);
	}
	frame_unref(f);
	/* A frame holds only what is new. */
	f = tools_frame(&t);
	assert_int_equal(f->sec[SEC_EVENTS].nrows, 0);
	assert_true(text_is(tools_row(f, 0)->family, "events"));
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

static void decodes_a_sleep(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_calls");
	workload_wait_for_read(&w);
	struct scope s = { .kind = SCOPE_THREAD, .tid = (uint32_t)w.pid };
	tools_start(&t, "syscalls", &s, "nanosleep");
	workload_work(&w);
	struct frame *f = tools_frame(&t);
	const struct events_row *ev = FRAME_ROWS(f, events, EVENTS);

	assert_int_equal(f->sec[SEC_EVENTS].nrows, 500);
	assert_true(text_is(ev[0].args, "0.001000000s, NULL"));
	assert_true(ev[0].latency_ns >= 1000000);
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

/* Threads that end before they return from a call leave nothing behind, and a call without return counts. */
static void counts_calls_without_return(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_calls");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("calls"));
	tools_start(&t, "syscalls", &s, NULL);
	workload_work(&w);
	workload_end(&w);
	struct frame *f = tools_frame(&t);
	const struct counts_row *c = tools_count(f, "exit_group");

	assert_non_null(c);
	assert_int_equal(c->count, 1);
	assert_true(c->avg_ns != c->avg_ns); /* no time, not zero time */
	frame_unref(f);
	tools_close(&t);
}

/* Numbers without a name are not dropped, 32-bit numbers not mistaken, interruptions not called failures. */
static void edges_are_counted(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_edges");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("edges"));
	tools_start(&t, "syscalls", &s, NULL);
	workload_work(&w);
	struct frame *f = tools_frame(&t);
	const struct counts_row *unknown = tools_count(f, "syscall_777"), *sleep = tools_count(f, "nanosleep");

	assert_non_null(unknown);
	assert_int_equal(unknown->count, 2);
	assert_int_equal(unknown->errors, 2);
	assert_non_null(sleep);
	assert_int_equal(sleep->count, 1);
	assert_int_equal(sleep->errors, 0); /* -ERESTART_RESTARTBLOCK to the kernel */
	assert_int_equal(tools_count(f, "openat")->errors, 3);
#if defined(__x86_64__)
	if (!access("/proc/sys/abi/vsyscall32", F_OK)) {
		assert_non_null(tools_count(f, "ia32_20"));
		assert_int_equal(tools_count(f, "ia32_20")->count, 3);
	}
	assert_null(tools_count(f, "writev")); /* what 20 is in 64 bits */
#endif
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

static void edges_are_decoded(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_edges");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("edges"));
	tools_start(&t, "syscalls", &s, "openat");
	tools_start(&t, "syscalls", &s, "nanosleep");
	workload_work(&w);
	struct frame *f = tools_frame(&t);
	const struct events_row *ev = FRAME_ROWS(f, events, EVENTS);

	assert_int_equal(f->sec[SEC_EVENTS].nrows, 4);
	assert_true(text_is(ev[0].args, "AT_FDCWD, \"/rung-at-the-end\", O_RDONLY"));
	assert_true(text_has(ev[1].args, "(unreadable)", 12));
	assert_true(text_is(ev[1].error, "EFAULT"));
	assert_true(text_is(ev[2].args, "AT_FDCWD, \"/rung\\x0a\\x1b[31m\\\"\302\267\", O_RDONLY"));
	assert_true(text_is(ev[3].name, "nanosleep"));
	assert_true(text_is(ev[3].error, "ERESTART_RESTARTBLOCK"));
	assert_true(ev[3].latency_ns < 100 * NS_PER_S);
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

static void leaves_itself_out(void **state)
{
	struct tools t;
	(void)state;

	tools_open(&t);
	tools_start(&t, "syscalls", NULL, NULL);
	for (int i = 0; i < 100; i++)
		assert_int_equal(access("/rung-missing-of-the-test", F_OK), -1);
	struct frame *f = tools_frame(&t);
	const struct counts_row *bpf = tools_count(f, "bpf");
	assert_true(!bpf || bpf->count < 100);
	frame_unref(f);
	tools_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_exactly),
		cmocka_unit_test(streams_decoded),
		cmocka_unit_test(decodes_a_sleep),
		cmocka_unit_test(counts_calls_without_return),
		cmocka_unit_test(edges_are_counted),
		cmocka_unit_test(edges_are_decoded),
		cmocka_unit_test(leaves_itself_out),
	};
	TOOLS_SKIP();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
