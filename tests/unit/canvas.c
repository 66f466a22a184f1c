/* What lands in which cell, and that nothing lands outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ui/canvas.h"

static void assert_screen(const struct canvas *c, const char *want)
{
	char *got = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&got, &len);

	canvas_dump(c, out, false);
	fclose(out);
	assert_string_equal(got, want);
	free(got);
}

static void text_is_clipped_at_every_edge(void **state)
{
	struct canvas *c = canvas_new(2, 5);
	(void)state;

	assert_int_equal(canvas_put(c, 0, 3, TEXT("abc"), STYLE_PLAIN), 5);
	canvas_put(c, 1, -2, TEXT("xyz"), STYLE_PLAIN);
	canvas_put(c, 2, 0, TEXT("below"), STYLE_PLAIN);
	canvas_put(c, -1, 0, TEXT("above"), STYLE_PLAIN);
	assert_screen(c, "   ab\nz\n");
	canvas_free(c);
}

static void half_a_wide_glyph_is_never_left(void **state)
{
	struct canvas *c = canvas_new(1, 6);
	(void)state;

	canvas_put(c, 0, 0, text_printf(c->arena, "a\u6f22\u5b57b"), STYLE_PLAIN);
	assert_int_equal(c->cells[2].len, 0);
	canvas_put(c, 0, 2, TEXT("x"), STYLE_PLAIN);
	assert_screen(c, "a x\u5b57b\n");
	canvas_put(c, 0, 3, TEXT("y"), STYLE_PLAIN);
	assert_screen(c, "a xy b\n");
	canvas_clear(c);
	canvas_put(c, 0, 5, text_printf(c->arena, "\u6f22"), STYLE_PLAIN);
	assert_screen(c, "\n");
	canvas_free(c);
}

static void a_window_keeps_drawing_inside(void **state)
{
	struct canvas *c = canvas_new(3, 8);
	struct canvas w = canvas_sub(c, 1, 2, 9, 3);
	struct canvas none = canvas_sub(c, 5, 20, 4, 4);
	(void)state;

	assert_int_equal(w.rows, 2);
	assert_int_equal(w.cols, 3);
	canvas_put(&w, 0, 0, TEXT("abcdef"), STYLE_PLAIN);
	canvas_bar(&w, 1, 0, 10, 100, STYLE_PLAIN);
	assert_int_equal(none.rows, 0);
	canvas_put(&none, 0, 0, TEXT("lost"), STYLE_PLAIN);
	canvas_style(&none, 0, 0, 4, STYLE_BAD);
	assert_screen(c, "\n  abc\n  \u2588\u2588\u2588\n");
	canvas_free(c);
}

static void fields_numbers_bars_and_sparks(void **state)
{
	struct canvas *c = canvas_new(4, 12);
	double values[] = { 0, 5, 10, F64_UNKNOWN };
	(void)state;

	c->is_ascii = true;
	canvas_field(c, 0, 0, 6, false, TEXT("longer text"), STYLE_PLAIN);
	canvas_field(c, 0, 7, 4, true, TEXT("12"), STYLE_PLAIN);
	canvas_number(c, 1, 0, 5, UNIT_PCT, F64_UNKNOWN, STYLE_PLAIN);
	canvas_put(c, 1, 6, text_printf(c->arena, "\u00e9"), STYLE_PLAIN);
	canvas_bar(c, 2, 0, 4, 50, STYLE_GOOD);
	canvas_bar(c, 2, 5, 3, F64_UNKNOWN, STYLE_GOOD);
	canvas_bar(c, 2, 9, 3, 0.1, STYLE_GOOD);
	canvas_spark(c, 3, 0, values, 4, 10, STYLE_PLAIN);
	assert_screen(c, "longe~   12\n    - ?\n##.. ??? #..\n.:|\n");
	canvas_free(c);
}

static void styles_are_dumped_as_letters(void **state)
{
	struct canvas *c = canvas_new(1, 4);
	char *got = NULL;
	size_t len = 0;
	(void)state;

	canvas_put(c, 0, 0, TEXT("ab"), STYLE_BAD);
	canvas_style(c, 0, 1, 9, STYLE_SELECT);
	FILE *out = open_memstream(&got, &len);
	canvas_dump(c, out, true);
	fclose(out);
	assert_string_equal(got, "ab\nbsss\n");
	free(got);
	canvas_free(c);
}

static void no_size_is_too_small_or_too_large(void **state)
{
	(void)state;
	for (int rows = 0; rows <= 500; rows = rows * 3 + 1) {
		for (int cols = 0; cols <= 500; cols = cols * 3 + 1) {
			struct canvas *c = canvas_new(rows, cols);
			assert_non_null(c);
			for (int at = -3; at < 4; at++) {
				canvas_put(c, at, at, TEXT("text"), STYLE_PLAIN);
				canvas_field(c, at, cols + at, at, true, TEXT("text"), STYLE_PLAIN);
				canvas_bar(c, rows + at, at, cols, 33, STYLE_PLAIN);
			}
			canvas_free(c);
		}
	}
	canvas_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_every_edge),
		cmocka_unit_test(half_a_wide_glyph_is_never_left),
		cmocka_unit_test(a_window_keeps_drawing_inside),
		cmocka_unit_test(fields_numbers_bars_and_sparks),
		cmocka_unit_test(styles_are_dumped_as_letters),
		cmocka_unit_test(no_size_is_too_small_or_too_large),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
