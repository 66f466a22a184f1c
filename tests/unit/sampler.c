/* The sampler thread on this host: frames arrive in order, requests are taken, the end is clean. */
#include "proc_tree.h"

#include <errno.h>
#include <poll.h>

#include "collectors/request_queue.h"
#include "collectors/sampler.h"

/* Waits as long as it takes; the test's own time limit ends a sampler that hangs. */
static struct frame *take(struct source *s)
{
	struct frame *f = s->next(s);

	while (!f) {
		struct pollfd ready = { .fd = s->fd, .events = POLLIN };
		assert_true(poll(&ready, 1, -1) == 1 || errno == EINTR);
		f = s->next(s);
	}
	return f;
}

static struct source *start(uint64_t period_ns)
{
	struct sampler_options o = { .period_ns = period_ns, .is_no_bpf = true };
	struct err e = { 0 };
	struct source *s = sampler_start(&o, &e);

	if (!s)
		fail_msg("%s", e.text);
	return s;
}

static void frames_arrive_in_order_and_rates_follow(void **state)
{
	struct source *s = start(0);
	struct frame *f = take(s);
	uint64_t seq = f->seq, mono_ns = f->mono_ns;
	(void)state;

	assert_int_equal(f->sec[SEC_CPU].state, SEC_OK);
	assert_int_equal(f->sec[SEC_MEM].state, SEC_OK);
	assert_int_equal(f->sec[SEC_NET].state, SEC_OK);
	assert_true(seq > 0 || isnan(FRAME_ROWS(f, sys, SYS)->ctxt_per_s));
	frame_unref(f);
	/* A collector that was slow to start brings a frame of its own in between. */
	bool has_rate = false;
	for (int i = 0; i < 10 && !has_rate; i++) {
		f = take(s);
		assert_true(f->seq > seq && f->mono_ns > mono_ns);
		seq = f->seq;
		mono_ns = f->mono_ns;
		assert_true(f->elapsed_ns > 0);
		has_rate = !isnan(FRAME_ROWS(f, sys, SYS)->ctxt_per_s);
		frame_unref(f);
	}
	assert_true(has_rate);
	s->close(s);
}

static void nothing_slow_is_opened_before_the_first_frame(void **state)
{
	struct source *s = start(0);
	struct frame *f = take(s);
	(void)state;

	for (size_t i = 0; f->seq == 0 && i < collector_registry_len; i++) {
		const struct cost_row *rows = FRAME_ROWS(f, cost, COST);
		for (uint32_t row = 0; row < f->sec[SEC_COST].nrows; row++)
			if (collector_registry[i]->is_slow_start &&
			    text_is(rows[row].who, collector_registry[i]->name))
				assert_int_equal(rows[row].runs, 0);
	}
	frame_unref(f);
	s->close(s);
}

static void a_request_brings_a_frame_ahead_of_the_period(void **state)
{
	/* With an hour between frames only requests can bring the later ones. */
	struct source *s = start(3600 * NS_PER_S);
	struct request now = { .kind = REQUEST_SAMPLE_NOW };
	struct frame *f = take(s);
	struct err e;
	(void)state;

	for (uint64_t seq = f->seq; seq < 3; seq = f->seq) {
		assert_int_equal(s->ask(s, &now, &e), 0);
		frame_unref(f);
		f = take(s);
		assert_true(f->seq > seq);
	}
	frame_unref(f);
	s->close(s);
}

static void it_ends_at_once_however_early(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct source *s = start(3600 * NS_PER_S);
		s->close(s);
	}
}

static void a_full_queue_says_so_and_focus_replaces_focus(void **state)
{
	struct request_queue *q = calloc(1, sizeof(*q));
	struct request *r = calloc(1, sizeof(*r));
	struct err e;
	(void)state;

	assert_non_null(q);
	assert_non_null(r);
	assert_int_equal(request_queue_init(q, &e), 0);
	for (uint64_t i = 0; i < 100; i++) {
		r->needs = i;
		assert_int_equal(request_queue_put(q, r, &e), 0);
	}
	r->kind = REQUEST_PROBE_STOP;
	for (uint32_t i = 1; i < REQUEST_QUEUE_CAP; i++) {
		r->probe_id = i;
		assert_int_equal(request_queue_put(q, r, &e), 0);
	}
	assert_int_equal(request_queue_put(q, r, &e), -EAGAIN);
	assert_true(request_queue_take(q, r));
	assert_int_equal(r->needs, 99);
	for (uint32_t i = 1; i < REQUEST_QUEUE_CAP; i++) {
		assert_true(request_queue_take(q, r));
		assert_int_equal(r->probe_id, i);
	}
	assert_false(request_queue_take(q, r));
	request_queue_fini(q);
	free(q);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_arrive_in_order_and_rates_follow),
		cmocka_unit_test(nothing_slow_is_opened_before_the_first_frame),
		cmocka_unit_test(a_request_brings_a_frame_ahead_of_the_period),
		cmocka_unit_test(it_ends_at_once_however_early),
		cmocka_unit_test(a_full_queue_says_so_and_focus_replaces_focus),
	};

	return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
