/* Building, sealing, carrying and keeping frames; the text form reads back the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "frame/builder.h"
#include "frame/codec.h"
#include "frame/history.h"

static struct frame *sample(const struct frame *prev, uint64_t mono_ns)
{
	struct frame_builder *b = frame_builder_new(prev, mono_ns, 1700000000000000000ull + mono_ns);
	struct task_row *t;

	for (uint32_t i = 0; i < 3; i++) {
		t = FRAME_ADD(b, task, TASK);
		t->tgid = 100 + i;
		t->start_ns = 7;
		t->comm = text_clean_str(frame_arena(b), i == 1 ? "evil\x1b[2J\t\\" : i == 2 ? "-" : "f@#");
		t->cpu_pct = i * 12.5;
	}
	frame_set_state(b, SEC_STUCK, SEC_DENIED, "needs %s", "CAP_BPF");
	return frame_seal(b);
}

static void a_new_row_knows_nothing(void **state)
{
	struct frame_builder *b = frame_builder_new(NULL, 1, 1);
	(void)state;

	for (int s = 0; s < SEC_COUNT; s++) {
		const void *row = frame_add(b, (enum frame_sec)s);
		for (uint32_t i = 0; i < section_descs[s].nfields; i++) {
			assert_false(field_known(&section_descs[s].fields[i], row));
			assert_true(section_descs[s].fields[i].help[0] != 0);
		}
	}
	struct frame *f = frame_seal(b);
	assert_int_equal(f->sec[SEC_DISK].state, SEC_OK);
	frame_unref(f);
}

static void text_form_reads_back_the_same(void **state)
{
	char *first = NULL, *second = NULL;
	size_t len;
	uint32_t line = 0;
	struct err e = { 0 };
	struct frame *a = sample(NULL, 10), *b = sample(a, 20);
	(void)state;

	FILE *out = open_memstream(&first, &len);
	frame_write_text(out, a);
	frame_write_text(out, b);
	fclose(out);
	FILE *in = fmemopen(first, len, "r");
	struct frame *ra = frame_read_text(in, NULL, &line, &e);
	assert_non_null(ra);
	struct frame *rb = frame_read_text(in, ra, &line, &e);
	assert_non_null(rb);
	assert_null(frame_read_text(in, rb, &line, &e));
	assert_int_equal(e.code, 0);
	fclose(in);
	assert_int_equal(rb->elapsed_ns, 10);
	assert_int_equal(rb->sec[SEC_STUCK].state, SEC_DENIED);
	assert_true(text_is(rb->sec[SEC_STUCK].why, "needs CAP_BPF"));
	out = open_memstream(&second, &len);
	frame_write_text(out, ra);
	frame_write_text(out, rb);
	fclose(out);
	assert_string_equal(first, second);
	free(first);
	free(second);
	frame_unref(a);
	frame_unref(b);
	frame_unref(ra);
	frame_unref(rb);
}

static void bad_text_names_its_line(void **state)
{
	static const struct { const char *text, *want; } bad[] = {
		{ "x\n", "line 1: a frame line" },
		{ "frame 1\n", "line 1: frame SEQ" },
		{ "frame 1 2 3\n@disk busy\n", "line 2: @disk" },
		{ "frame 1 2 3\n@disk ok\nname\tmajor\nsda\tx\n", "line 4: major" },
		{ "frame 1 2 3\n@disk ok\nname\nsda\t1\n", "line 4: more values" },
		{ "frame 1 2 3\n@disk ok\nmajor\n4294967296\n", "line 4: major" },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err e = { 0 };
		uint32_t line = 0;
		FILE *in = fmemopen((void *)(uintptr_t)bad[i].text, strlen(bad[i].text), "r");
		assert_null(frame_read_text(in, NULL, &line, &e));
		fclose(in);
		assert_int_not_equal(e.code, 0);
		assert_non_null(strstr(e.text, bad[i].want));
	}
}

static void carried_rows_outlive_their_frame(void **state)
{
	struct frame *a = sample(NULL, 10);
	struct frame_builder *b = frame_builder_new(a, 20, 20);
	(void)state;

	frame_carry(b, SEC_TASK);
	frame_carry(b, SEC_STUCK);
	frame_unref(a);
	struct frame *f = frame_seal(b);
	assert_int_equal(f->sec[SEC_TASK].nrows, 3);
	assert_int_equal(f->seq, 1);
	assert_true(text_is(FRAME_ROWS(f, task, TASK)[2].comm, "-"));
	assert_true(text_is(f->sec[SEC_STUCK].why, "needs CAP_BPF"));
	assert_ptr_equal(frame_task(f, 101, 7), &FRAME_ROWS(f, task, TASK)[1]);
	assert_null(frame_task(f, 101, 8));
	frame_unref(f);
}

static void rates_use_elapsed_time_and_never_invent(void **state)
{
	(void)state;
	assert_true(rate_per_s(10, 30, 2000000000) == 10.0);
	assert_true(rate_per_s(30, 10, 1000000000) != rate_per_s(30, 10, 1000000000)); /* NaN: went backwards */
	assert_true(rate_per_s(1, 2, 0) != rate_per_s(1, 2, 0));
	assert_true(rate_per_s(U64_UNKNOWN, 2, 5) != rate_per_s(U64_UNKNOWN, 2, 5));
}

static void history_keeps_the_newest(void **state)
{
	struct history h;
	(void)state;

	assert_int_equal(history_init(&h, 4), 0);
	assert_null(history_at(&h, 0));
	for (uint64_t i = 1; i <= 9; i++) {
		struct frame_builder *b = frame_builder_new(history_at(&h, 0), i * 100, 0);
		struct frame *f = frame_seal(b);
		history_push(&h, f);
		frame_unref(f);
	}
	assert_int_equal(history_at(&h, 0)->mono_ns, 900);
	assert_int_equal(history_at(&h, 3)->mono_ns, 600);
	assert_null(history_at(&h, 4));
	assert_int_equal(history_find(&h, 850), 1);
	assert_int_equal(history_find(&h, 900), 0);
	assert_int_equal(history_find(&h, 1), 3);
	history_fini(&h);
}

static void a_large_history_grows_coarse_not_short(void **state)
{
	struct history h;
	(void)state;

	assert_int_equal(history_init(&h, 600), 0);
	h.bytes_max = 0;
	for (uint64_t i = 1; i <= 400; i++) {
		struct frame_builder *b = frame_builder_new(history_at(&h, 0), i * 1000, 0);
		for (int row = 0; row < 20; row++)
			FRAME_ADD(b, task, TASK)->tgid = 1;
		struct frame *f = frame_seal(b);
		if (!h.bytes_max)
			h.bytes_max = 100 * frame_bytes(f);
		history_push(&h, f);
		assert_true(h.bytes <= h.bytes_max);
		frame_unref(f);
	}
	assert_int_equal(h.len + h.thinned, 400);
	assert_true(h.len > 40);
	assert_int_equal(history_at(&h, h.len - 1)->mono_ns, 1000);
	assert_int_equal(history_at(&h, 0)->mono_ns, 400000);
	assert_int_equal(history_at(&h, 10)->mono_ns, 390000);
	for (uint32_t age = 1; age < h.len; age++)
		assert_true(history_at(&h, age)->mono_ns < history_at(&h, age - 1)->mono_ns);
	history_fini(&h);
	assert_int_equal(h.bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_row_knows_nothing),
		cmocka_unit_test(text_form_reads_back_the_same),
		cmocka_unit_test(bad_text_names_its_line),
		cmocka_unit_test(carried_rows_outlive_their_frame),
		cmocka_unit_test(rates_use_elapsed_time_and_never_invent),
		cmocka_unit_test(history_keeps_the_newest),
		cmocka_unit_test(a_large_history_grows_coarse_not_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
