/* The scanner and the counters under odd input. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>
#include <cmocka.h>

#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

static struct scan over(const char *s)
{
	return (struct scan){ s, s + strlen(s) };
}

static void numbers_are_whole_words_or_unknown(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} cases[] = {
		{ "0", 0 },
		{ "  17 4", 17 },
		{ "18446744073709551614", UINT64_MAX - 1 },
		{ "18446744073709551616", U64_UNKNOWN },
		{ "99999999999999999999999", U64_UNKNOWN },
		{ "-1", U64_UNKNOWN },
		{ "1x", U64_UNKNOWN },
		{ "", U64_UNKNOWN },
		{ "   ", U64_UNKNOWN },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct scan s = over(cases[i].text);
		assert_int_equal(scan_u64(&s), cases[i].value);
	}
	struct scan s = over("1 -1 3");
	assert_int_equal(scan_u64(&s), 1);
	assert_int_equal(scan_u64(&s), U64_UNKNOWN);
	assert_int_equal(scan_u64(&s), 3);
	s = over("4294967294 4294967295");
	assert_int_equal(scan_u32(&s), UINT32_MAX - 1);
	assert_int_equal(scan_u32(&s), U32_UNKNOWN);
	s = over("00ff FFFFFFFFFFFFFFFE 12345678901234567 fg");
	assert_int_equal(scan_hex(&s), 255);
	assert_int_equal(scan_hex(&s), UINT64_MAX - 1);
	assert_int_equal(scan_hex(&s), U64_UNKNOWN);
	assert_int_equal(scan_hex(&s), U64_UNKNOWN);
}

static void fractions_are_read_without_the_locale(void **state)
{
	struct scan s = over("12.50 7 0.05 .5 1,5 nan -1.0");
	(void)state;

	assert_true(fabs(scan_f64(&s) - 12.5) < 1e-12);
	assert_true(fabs(scan_f64(&s) - 7) < 1e-12);
	assert_true(fabs(scan_f64(&s) - 0.05) < 1e-12);
	for (int i = 0; i < 4; i++)
		assert_true(isnan(scan_f64(&s)));
	assert_true(s.at == s.end);
}

static void a_file_larger_than_the_buffer_is_read_whole(void **state)
{
	char path[] = "/tmp/rung-scan-XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");
	struct scan_buf buf = { 0 };
	struct scan s, line;
	struct err e;
	uint32_t lines = 0;
	(void)state;

	assert_non_null(out);
	for (uint32_t i = 0; i < 50000; i++)
		fprintf(out, "key%u %u\n", i, i);
	fprintf(out, "half 12");
	fclose(out);
	assert_int_equal(scan_file(&buf, AT_FDCWD, path, &s, &e), 0);
	assert_true(buf.is_cut);
	for (; scan_line(&s, &line); lines++) {
		struct scan word;
		assert_true(scan_word(&line, &word));
		assert_int_equal(scan_u64(&line), lines);
	}
	assert_int_equal(lines, 50000);
	unlink(path);
	assert_int_equal(scan_file(&buf, AT_FDCWD, path, &s, &e), -ENOENT);
	assert_non_null(strstr(e.text, path));
	assert_false(scan_line(&s, &line));
	scan_buf_fini(&buf);
}

static void keys_are_whole_and_prefixes_add_up(void **state)
{
	static const struct scan_key keys[] = { { "stall_*", 0, 1 },
						{ "oom", 8, 2 },
						{ "gone", 16, 1 } };
	uint64_t row[3] = { U64_UNKNOWN, U64_UNKNOWN, U64_UNKNOWN };
	struct scan file = over("oomph 5\noom: 4 kB\nstall_a 1\n\nstall_b 2\nstall_c x\noom\n");
	(void)state;

	scan_keys(&file, keys, ARRAY_LEN(keys), row);
	assert_int_equal(row[0], 3);
	assert_int_equal(row[1], 8);
	assert_int_equal(row[2], U64_UNKNOWN);
}

static void counters_tell_a_wrap_from_a_reset(void **state)
{
	(void)state;
	assert_int_equal(counter_delta(5, 8), 3);
	assert_int_equal(counter_delta(UINT32_MAX - 4, 5), 10);
	assert_int_equal(counter_delta(UINT64_MAX - 4, 5), 10);
	assert_int_equal(counter_delta(1000000, 5), U64_UNKNOWN);
	assert_int_equal(counter_delta(UINT64_C(1) << 40, 5), U64_UNKNOWN);
	assert_int_equal(counter_delta(U64_UNKNOWN, 5), U64_UNKNOWN);
	assert_int_equal(counter_delta(5, U64_UNKNOWN), U64_UNKNOWN);
	assert_int_equal(counter_delta_clamped(9, 5), 0);
	assert_true(isnan(counter_per_s(5, 0)));
	assert_true(isnan(counter_per_s(U64_UNKNOWN, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_whole_words_or_unknown),
		cmocka_unit_test(fractions_are_read_without_the_locale),
		cmocka_unit_test(a_file_larger_than_the_buffer_is_read_whole),
		cmocka_unit_test(keys_are_whole_and_prefixes_add_up),
		cmocka_unit_test(counters_tell_a_wrap_from_a_reset),
	};

	return cmocka_run_group_tests_name("proc_scan", tests, NULL, NULL);
}
