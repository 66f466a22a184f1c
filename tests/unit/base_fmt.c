/* Numbers as people read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fmt.h"

struct fmt_case {
	enum unit unit;
	double value;
	uint32_t width;
	const char *want;
};

static const struct fmt_case cases[] = {
	{ UNIT_NS, 310, 0, "310ns" }, { UNIT_NS, 4200, 0, "4.20us" }, { UNIT_NS, 31e6, 4, "31ms" },
	{ UNIT_NS, 4.8e9, 0, "4.80s" }, { UNIT_NS, 125e9, 0, "2m05s" }, { UNIT_NS, 3.5424e15, 0, "41d" },
	{ UNIT_NS, -1500, 0, "-1.50us" }, { UNIT_BYTES, 0, 0, "0B" }, { UNIT_BYTES, 1023, 0, "1023B" },
	{ UNIT_BYTES, 1024, 0, "1.00K" }, { UNIT_BYTES, 20.1 * 0x1p30, 0, "20.1G" },
	{ UNIT_BYTES_PER_S, 212 * 0x1p20, 0, "212M" }, { UNIT_PCT, 97.4, 0, "97%" }, { UNIT_PCT, 0.1, 0, "0.1%" },
	{ UNIT_PCT, 9.96, 0, "10%" }, { UNIT_COUNT, 4112, 0, "4,112" }, { UNIT_COUNT, 1234567, 5, "1.23M" },
	{ UNIT_COUNT, 1234567, 0, "1,234,567" }, { UNIT_COUNT, 123456789, 3, "###" }, { UNIT_PER_S, 3, 0, "3" },
	{ UNIT_PER_S, 0.4, 0, "0.4" }, { UNIT_PER_S, 12400, 5, "12.4k" }, { UNIT_RATIO, 38.2, 0, "38" },
	{ UNIT_NONE, 4312, 0, "4312" },
};

static void values_read_as_written(void **state)
{
	struct fmt_buf b;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(fmt_f64(&b, cases[i].unit, cases[i].value, cases[i].width).utf8, cases[i].want);
}

static void no_number_is_wider_than_its_field(void **state)
{
	struct fmt_buf b;
	(void)state;

	for (int u = 0; u < UNIT_COUNT_OF_UNITS; u++)
		for (uint32_t width = 1; width < 12; width++)
			for (double v = 1e-3; v < 1e19; v *= 3.7) {
				assert_true(fmt_f64(&b, (enum unit)u, v, width).cols <= width);
				assert_true(fmt_f64(&b, (enum unit)u, -v, width).cols <= width);
				assert_true(fmt_u64(&b, (enum unit)u, (uint64_t)v, width).cols <= width);
			}
}

static void unknown_is_a_dash_never_zero(void **state)
{
	struct fmt_buf b;
	(void)state;

	for (int u = 0; u < UNIT_COUNT_OF_UNITS; u++) {
		assert_string_equal(fmt_u64(&b, (enum unit)u, U64_UNKNOWN, 6).utf8, "-");
		assert_string_equal(fmt_i64(&b, (enum unit)u, I64_UNKNOWN, 6).utf8, "-");
		assert_string_equal(fmt_f64(&b, (enum unit)u, F64_UNKNOWN, 6).utf8, "-");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_read_as_written),
		cmocka_unit_test(no_number_is_wider_than_its_field),
		cmocka_unit_test(unknown_is_a_dash_never_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
