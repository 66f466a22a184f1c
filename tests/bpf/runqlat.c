/* The runqlat tool against two processes that wake each other a known number of times. */
#include "tools.h"

static void sees_every_wakeup(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_pingpong");
	workload_wait_for_read(&w);
	struct scope s = scope_process((uint32_t)w.pid, 0, TEXT("pingpong"));
	tools_start(&t, "runqlat", &s, NULL);
	workload_work(&w);
	struct frame *f = tools_frame(&t);

	/* It blocks for each of 2,000 answers, unless the answer is already there. */
	uint64_t n = tools_hist_total(f);
	assert_true(n >= 1500 && n <= 8000);
	const struct hist_row *h = FRAME_ROWS(f, hist, HIST);
	for (uint32_t i = 0; i < f->sec[SEC_HIST].nrows; i++) {
		assert_true(h[i].low < h[i].high);
		assert_true(h[i].high < INT64_C(1) << 36); /* no century-long waits */
		assert_int_equal(h[i].key.len, 0);
		assert_int_equal(h[i].delta, h[i].count);
	}
	const struct probe_row *p = tools_row(f, 0);
	assert_int_equal(p->lost, 0);
	/* Waits that began before the start are few; each is counted. */
	assert_true(p->unmatched <= 2);
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

/* The filter is about who is woken: an uninvolved process gets none of the wakeups it causes. */
static void filters_by_the_woken(void **state)
{
	struct tools t;
	struct workload w;
	(void)state;

	tools_open(&t);
	workload_start(&w, "tools_pingpong");
	workload_wait_for_read(&w);
	struct scope s = scope_process(1, 0, TEXT("init"));
	tools_start(&t, "runqlat", &s, NULL);
	workload_work(&w);
	struct frame *f = tools_frame(&t);
	assert_true(tools_hist_total(f) < 1500);
	frame_unref(f);
	workload_end(&w);
	tools_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sees_every_wakeup),
		cmocka_unit_test(filters_by_the_woken),
	};
	TOOLS_SKIP();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
