/* The window of samples: shares, scopes, old samples leaving; and who a process is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>

#include "collectors/profile/identity.h"
#include "collectors/profile/window.h"

static const struct symbol hot = { TEXT_INIT("hot"), TEXT_INIT("app"), false, true, true };
static const struct symbol warm = { TEXT_INIT("warm"), TEXT_INIT("app"), false, true, true };
static const struct symbol nameless = { TEXT_INIT("app+0x10"), TEXT_INIT("app"), false, false, false };

static void add(struct slice *s, const struct symbol *symbol, uint32_t tgid, uint32_t tid, int times)
{
	const struct hit h = { .symbol = symbol, .comm = TEXT("app"), .start_ns = 5, .tgid = tgid, .tid = tid, .n = 1 };

	assert_non_null(s);
	for (int i = 0; i < times; i++)
		assert_true(slice_add(s, &h));
}

static void samples_fold_into_functions_and_sum_up(void **state)
{
	struct window w = { 0 };
	struct window_sum sum = { 0 };
	const struct scope host = { 0 };
	(void)state;

	struct slice *s = window_begin(&w, 1000, 100);
	add(s, &warm, 1, 1, 3);
	add(s, &hot, 1, 1, 2);
	add(s, &hot, 2, 2, 2);
	add(s, &hot, 2, 3, 2);
	add(s, &nameless, 2, 3, 1);
	slice_fold(s);
	assert_int_equal(s->hits.len, 5);
	assert_true(window_fold(&w, &host, &sum));
	assert_int_equal(sum.samples, 10);
	assert_int_equal(sum.unresolved, 1);
	assert_int_equal(sum.rows.len, 3);
	assert_ptr_equal(sum.rows.ptr[0].symbol, &hot);
	assert_int_equal(sum.rows.ptr[0].samples, 6);
	assert_int_equal(sum.rows.ptr[0].tgid, 2);
	assert_int_equal(sum.rows.ptr[0].top_samples, 4);
	assert_ptr_equal(sum.rows.ptr[1].symbol, &warm);
	VEC_FINI(&sum.rows);
	window_fini(&w);
}

static void a_scope_takes_only_its_own(void **state)
{
	static const struct {
		struct scope scope;
		uint64_t samples;
	} cases[] = {
		{ { .kind = SCOPE_HOST }, 7 },
		{ { .kind = SCOPE_PROCESS, .tgid = 2 }, 4 },
		{ { .kind = SCOPE_PROCESS, .tgid = 2, .start_ns = 5 }, 4 },
		{ { .kind = SCOPE_PROCESS, .tgid = 2, .start_ns = 6 }, 0 },
		{ { .kind = SCOPE_THREAD, .tgid = 2, .tid = 3 }, 1 },
		{ { .kind = SCOPE_PROCESS, .tgid = 9 }, 0 },
	};
	struct window w = { 0 };
	(void)state;

	struct slice *s = window_begin(&w, 1000, 100);
	add(s, &hot, 1, 1, 3);
	add(s, &hot, 2, 2, 3);
	add(s, &warm, 2, 3, 1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct window_sum sum = { 0 };
		assert_true(window_fold(&w, &cases[i].scope, &sum));
		assert_int_equal(sum.samples, cases[i].samples);
		assert_int_equal(sum.all_samples, 7);
		VEC_FINI(&sum.rows);
	}
	window_fini(&w);
}

static void old_samples_leave(void **state)
{
	struct window w = { 0 };
	const struct scope host = { 0 };
	(void)state;

	for (uint64_t now = 100; now <= 2000; now += 100) {
		struct window_sum sum = { 0 };
		struct slice *s = window_begin(&w, now, 1000);
		add(s, &hot, 1, 1, 10);
		s->lost = 1;
		slice_fold(s);
		assert_true(window_fold(&w, &host, &sum));
		uint64_t slices = now / 100 < 10 ? now / 100 : 10;
		assert_int_equal(sum.samples, slices * 10);
		assert_int_equal(sum.lost, slices);
		VEC_FINI(&sum.rows);
	}
	window_fini(&w);
}

static void a_process_is_read_from_its_stat_line(void **state)
{
	static const char good[] = "42 (a) b) (c) S 1 42 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 777 1 1 1 94000 2 140000 0";
	static const char *const bad[] = { "", "42", "42 (x", "42 (x)", "42 (x) ", "42 (x) S 1 2", ")(" };
	char text[256];
	struct image image, other;
	const char *comm;
	(void)state;

	strcpy(text, good);
	assert_true(identity_parse(text, 42, 10, &image, &comm));
	assert_string_equal(comm, "a) b) (c");
	assert_int_equal(image.start_ns, 7770);
	strcpy(text, good);
	memcpy(strstr(text, "94000"), "95000", 5);
	assert_true(identity_parse(text, 42, 10, &other, &comm));
	assert_int_not_equal(image.image, other.image);
	assert_int_equal(image.start_ns, other.start_ns);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		strcpy(text, bad[i]);
		assert_false(identity_parse(text, 42, 10, &image, &comm));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_fold_into_functions_and_sum_up),
		cmocka_unit_test(a_scope_takes_only_its_own),
		cmocka_unit_test(old_samples_leave),
		cmocka_unit_test(a_process_is_read_from_its_stat_line),
	};

	return cmocka_run_group_tests_name("profile_window", tests, NULL, NULL);
}
