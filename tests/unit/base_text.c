/* What text_clean lets through, how wide it says that is, and how it is cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/glyph.h"
#include "base/text.h"

static struct text clean(struct arena *a, const char *raw)
{
	return text_clean_str(a, raw);
}

static void hostile_bytes_become_dots(void **state)
{
	static const char *const hostile[] = {
		"\x1b[2J", "\x1b]52;c;aGk=\x07", "a\x9b" "31m", "a\nb", "a\tb", "a\rb", "\x7f", "\xc2\x9b" "1m",
		"\xe2\x80\xae" "txt.exe", "\xe2\x81\xa6x", "\xef\xbb\xbfx", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
		"\xff\xfe", "\xe2\x82", "\xe2\x80\x8b",
	};
	struct arena a = { 0 };
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		struct text t = clean(&a, hostile[i]);
		assert_non_null(t.utf8);
		assert_non_null(strstr(t.utf8, "\xc2\xb7"));
		for (uint32_t k = 0, n; k < t.len; k += n) {
			uint32_t code = 0;
			n = glyph_decode(t.utf8 + k, t.len - k, &code);
			assert_int_not_equal(n, 0);
			assert_false(glyph_is_unsafe(code));
		}
	}
	arena_fini(&a);
}

static void every_byte_pair_cleans_to_safe_text(void **state)
{
	struct arena a = { 0 };
	(void)state;

	for (unsigned v = 0; v < 0x10000; v++) {
		char raw[2] = { (char)(v >> 8), (char)(v & 0xff) };
		struct text t = text_clean(&a, raw, 2);
		uint32_t cols = 0;
		for (uint32_t k = 0, n; k < t.len; k += n) {
			uint32_t code = 0;
			n = glyph_decode(t.utf8 + k, t.len - k, &code);
			assert_true(n && !glyph_is_unsafe(code));
			cols += glyph_cols(code);
		}
		assert_int_equal(cols, t.cols);
		if (v % 1024 == 0)
			arena_reset(&a);
	}
	arena_fini(&a);
}

static void clipping_never_splits_a_glyph(void **state)
{
	struct arena a = { 0 };
	struct text wide = clean(&a, "a\xe6\xbc\xa2\xe5\xad\x97z"); /* a, two wide glyphs, z */
	(void)state;

	assert_int_equal(wide.cols, 6);
	assert_int_equal(text_clip(wide, 2).cols, 1);
	assert_int_equal(text_clip(wide, 3).cols, 3);
	assert_int_equal(text_clip(wide, 3).len, 4);
	struct text marked = clean(&a, "e\xcc\x81x");
	assert_int_equal(marked.cols, 2);
	assert_int_equal(text_clip(marked, 1).len, 3);
	arena_fini(&a);
}

static void a_kept_text_is_cut_at_a_glyph(void **state)
{
	struct arena a = { 0 };
	struct text_buf b = { 0 };
	char raw[400];
	(void)state;

	for (size_t i = 0; i + 3 <= sizeof(raw) - 1; i += 3)
		memcpy(raw + i, "\xe6\xbc\xa2", 3);
	text_keep(&b, text_clean(&a, raw, 399));
	assert_int_equal(b.len % 3, 0);
	assert_int_equal(b.len, 159);
	assert_int_equal(b.cols, 106);
	text_keepf(&b, "x%sy", "\x1b[0m");
	assert_true(text_eq(text_of(&b), clean(&a, "x\xc2\xb7[0my")));
	arena_fini(&a);
}

static void unknown_is_not_empty(void **state)
{
	(void)state;
	assert_false(text_eq(TEXT_UNKNOWN, TEXT("")));
	assert_true(text_cmp(TEXT_UNKNOWN, TEXT("")) < 0);
	assert_true(text_has(TEXT("Report.PY"), "port.py", 7));
	assert_false(text_has(TEXT("ab"), "abc", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_bytes_become_dots),
		cmocka_unit_test(every_byte_pair_cleans_to_safe_text),
		cmocka_unit_test(clipping_never_splits_a_glyph),
		cmocka_unit_test(a_kept_text_is_cut_at_a_glyph),
		cmocka_unit_test(unknown_is_not_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
