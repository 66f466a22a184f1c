/* Two threads over one slot: order kept, nothing leaked, nothing torn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <pthread.h>
#include <cmocka.h>

#include "frame/builder.h"
#include "frame/mailbox.h"

enum { FRAMES = 5000 };

static void *produce(void *arg)
{
	struct mailbox *m = arg;
	struct frame *prev = NULL;

	for (uint64_t i = 1; i <= FRAMES; i++) {
		struct frame_builder *b = frame_builder_new(prev, i, i);
		struct host_row *h = FRAME_ADD(b, host, HOST);
		h->uptime_ns = i;
		h->hostname = text_printf(frame_arena(b), "host-%u", (unsigned)i);
		struct frame *f = frame_seal(b);
		frame_unref(prev);
		prev = frame_ref(f);
		mailbox_put(m, f);
	}
	frame_unref(prev);
	return NULL;
}

static void latest_wins_and_order_is_kept(void **state)
{
	struct mailbox m;
	struct err e = { 0 };
	pthread_t producer;
	uint64_t last = 0;
	(void)state;

	assert_int_equal(mailbox_init(&m, &e), 0);
	assert_null(mailbox_take(&m));
	assert_int_equal(pthread_create(&producer, NULL, produce, &m), 0);
	while (last < FRAMES) {
		struct pollfd p = { .fd = m.fd, .events = POLLIN };
		assert_int_equal(poll(&p, 1, 10000), 1);
		struct frame *f = mailbox_take(&m);
		if (!f)
			continue;
		struct arena a = { 0 };
		const struct host_row *h = FRAME_ROWS(f, host, HOST);
		assert_true(f->mono_ns > last);
		assert_int_equal(h->uptime_ns, f->mono_ns);
		assert_true(text_eq(h->hostname, text_printf(&a, "host-%u", (unsigned)f->mono_ns)));
		last = f->mono_ns;
		frame_unref(f);
		arena_fini(&a);
	}
	pthread_join(producer, NULL);
	mailbox_fini(&m);
	mailbox_fini(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(latest_wins_and_order_is_kept) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
