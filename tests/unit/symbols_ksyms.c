/* Kernel names: bounds of functions, modules, aliases, hidden addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <errno.h>

#include "collectors/symbols/ksyms.h"

static const char symbols[] = "ffffffff81000000 T _stext\n"
			      "ffffffff81000100 t local_alias\n"
			      "ffffffff81000100 T do_work\n"
			      "ffffffff81000200 t helper\n"
			      "ffffffff81000280 t .Lblock\n"
			      "ffffffff81000300 D _etext\n"
			      "ffffffff81000400 D some_data\n"
			      "ffffffffc0002000 t bpf_prog_0123_f\t[bpf]\n"
			      "ffffffffc0000000 t ext4_read\t[ext4]\n"
			      "ffffffffc0000040 t ext4_write\t[ext4]\n";

struct want {
	uint64_t ip;
	const char *name, *module;
	uint64_t offset;
};

static void functions_are_found_within_their_bounds(void **state)
{
	static const struct want wants[] = {
		{ 0xffffffff81000000, "_stext", NULL, 0 },
		{ 0xffffffff810000ff, "_stext", NULL, 0xff },
		{ 0xffffffff81000100, "do_work", NULL, 0 },
		{ 0xffffffff81000290, "helper", NULL, 0x90 },
		{ 0xffffffffc0000041, "ext4_write", "ext4", 1 },
		{ 0xffffffffc0002010, "bpf_prog_0123_f", "bpf", 0x10 },
	};
	struct err e = { 0 };
	struct ksyms *k = ksyms_parse(symbols, sizeof(symbols) - 1, &e);
	(void)state;

	assert_non_null(k);
	assert_int_equal(ksyms_len(k), 6);
	for (size_t i = 0; i < ARRAY_LEN(wants); i++) {
		const char *name, *module;
		uint64_t offset;
		assert_true(ksyms_find(k, wants[i].ip, &name, &offset, &module));
		assert_string_equal(name, wants[i].name);
		assert_int_equal(offset, wants[i].offset);
		if (wants[i].module)
			assert_string_equal(module, wants[i].module);
		else
			assert_null(module);
	}
	ksyms_free(k);
}

static void what_is_not_code_has_no_name(void **state)
{
	static const uint64_t ips[] = { 0, 0x400000, 0xffffffff80ffffff, 0xffffffff81000300, 0xffffffff81000400,
					0xffffffffa0000000, UINT64_MAX };
	struct err e = { 0 };
	struct ksyms *k = ksyms_parse(symbols, sizeof(symbols) - 1, &e);
	const char *name;
	(void)state;

	assert_non_null(k);
	for (size_t i = 0; i < ARRAY_LEN(ips); i++)
		assert_false(ksyms_find(k, ips[i], &name, NULL, NULL));
	ksyms_free(k);
}

static void hidden_addresses_are_a_refusal_with_a_fix(void **state)
{
	static const char hidden[] = "0000000000000000 T _stext\n0000000000000000 T do_work\n";
	struct err e = { 0 };
	(void)state;

	assert_null(ksyms_parse(hidden, sizeof(hidden) - 1, &e));
	assert_int_equal(e.code, EPERM);
	assert_non_null(strstr(e.text, "kptr_restrict"));
	assert_null(ksyms_parse("", 0, &e));
}

static void damaged_text_is_skipped(void **state)
{
	static const char damaged[] = "\n \nzz T x\nffffffff81000000\nffffffff81000000 \nffffffff81000000 T\n"
				      "ffffffff81000010 T good\tmod\nffffffff81000020 T cut";
	struct err e = { 0 };
	struct ksyms *k = ksyms_parse(damaged, sizeof(damaged) - 1, &e);
	const char *name, *module;
	(void)state;

	assert_non_null(k);
	assert_int_equal(ksyms_len(k), 2);
	assert_true(ksyms_find(k, 0xffffffff81000010, &name, NULL, &module));
	assert_string_equal(name, "good");
	assert_string_equal(module, "mod");
	assert_true(ksyms_find(k, 0xffffffff81000021, &name, NULL, NULL));
	assert_string_equal(name, "cut");
	ksyms_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_within_their_bounds),
		cmocka_unit_test(what_is_not_code_has_no_name),
		cmocka_unit_test(hidden_addresses_are_a_refusal_with_a_fix),
		cmocka_unit_test(damaged_text_is_skipped),
	};

	return cmocka_run_group_tests_name("symbols_ksyms", tests, NULL, NULL);
}
