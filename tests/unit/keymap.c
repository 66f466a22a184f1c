/* Keys in, actions out; errors name the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ui/keymap.h"

static int parse(struct keymap *k, const char *text, struct err *e)
{
	*e = (struct err){ 0 };
	return keymap_parse(k, "my.keys", text, strlen(text), e);
}

static void every_default_binding_is_an_action(void **state)
{
	struct keymap *k = keymap_new();
	struct err e = { 0 };
	(void)state;

	if (keymap_parse(k, "default.keys", keymap_default_bytes, keymap_default_len, &e))
		fail_msg("%s", e.text);
	assert_int_equal(keymap_find(k, "glance", false, 'j'), ACT_DOWN);
	assert_int_equal(keymap_find(k, "glance", false, KEY_F0_ + 1), ACT_HELP);
	assert_int_equal(keymap_find(k, "glance", false, 'n'), ACT_NEXT_FINDING);
	assert_int_equal(keymap_find(k, "glance", true, 'n'), ACT_SEARCH_NEXT);
	assert_int_equal(keymap_find(k, "processes", true, 't'), ACT_TREE);
	assert_int_equal(keymap_find(k, "disk", true, 't'), ACT_NONE);
	assert_int_equal(keymap_find(k, "glance", false, 4), ACT_HALF_DOWN);
	assert_int_equal(keymap_find(k, "glance", false, '\\'), ACT_FILTER);
	keymap_free(k);
}

static void every_action_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int i = 0; i < ACT_COUNT; i++) {
		assert_non_null(action_descs[i].name);
		assert_non_null(action_descs[i].help);
		assert_int_equal(action_by_name(action_descs[i].name, strlen(action_descs[i].name)), i);
	}
	assert_int_equal(action_by_name("no-such", 7), ACT_NONE);
}

static void later_lines_and_nearer_contexts_win(void **state)
{
	struct keymap *k = keymap_new();
	struct err e;
	(void)state;

	assert_int_equal(parse(k, "# a comment\n\nglobal a b up\r\ntable  a  down  go on down\ndisk a quit", &e), 0);
	assert_int_equal(keymap_find(k, "disk", true, 'a'), ACT_QUIT);
	assert_int_equal(keymap_find(k, "net", true, 'a'), ACT_DOWN);
	assert_int_equal(keymap_find(k, "net", false, 'a'), ACT_UP);
	assert_int_equal(parse(k, "global b none\n", &e), 0);
	assert_int_equal(keymap_find(k, "net", false, 'b'), ACT_NONE);
	assert_int_equal(parse(k, "global b left\n", &e), 0);
	assert_int_equal(keymap_find(k, "net", false, 'b'), ACT_LEFT);
	keymap_free(k);
}

static void help_shows_what_works_here(void **state)
{
	struct keymap *k = keymap_new();
	struct err e;
	const char *keys, *help;
	enum action action;
	uint32_t at = 0;
	(void)state;

	assert_int_equal(parse(k, "global a up\nglobal c quit\ntable a <Up> down my own words\n", &e), 0);
	assert_true(keymap_next(k, "disk", true, &at, &keys, &action, &help));
	assert_string_equal(keys, "a <Up>");
	assert_int_equal(action, ACT_DOWN);
	assert_string_equal(help, "my own words");
	assert_true(keymap_next(k, "disk", true, &at, &keys, &action, &help));
	assert_string_equal(keys, "c");
	assert_false(keymap_next(k, "disk", true, &at, &keys, &action, &help));
	keymap_free(k);
}

static void errors_name_file_and_line(void **state)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "global a up\nglobal <Nope> down\n", "my.keys:2: '<Nope>' is neither a key nor an action" },
		{ "global a fly\n", "my.keys:1: 'fly' is neither a key nor an action" },
		{ "\n\nglobal a\n", "my.keys:3: no action on this line" },
		{ "global up\n", "my.keys:1: no key on this line" },
		{ "global a b c d e f g h i up\n", "my.keys:1: more than 8 keys on one line" },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct keymap *k = keymap_new();
		struct err e;
		assert_true(parse(k, cases[i].text, &e) < 0);
		assert_string_equal(e.text, cases[i].want);
		keymap_free(k);
	}
}

static void names_of_keys_go_both_ways(void **state)
{
	const char *at = "j <Enter>C-d <Space> \u00e9 < <PgDn>";
	static const uint32_t want[] = { 'j', KEY_ENTER_, 4, ' ', 0xe9, '<', KEY_PGDN_ };
	char name[16];
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		assert_int_equal(key_parse(&at), want[i]);
	assert_int_equal(key_parse(&at), 0);
	key_label(KEY_F0_ + 12, name);
	assert_string_equal(name, "<F12>");
	key_label(4, name);
	assert_string_equal(name, "C-d");
	key_label('x', name);
	assert_string_equal(name, "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_default_binding_is_an_action),
		cmocka_unit_test(every_action_has_a_name_of_its_own),
		cmocka_unit_test(later_lines_and_nearer_contexts_win),
		cmocka_unit_test(help_shows_what_works_here),
		cmocka_unit_test(errors_name_file_and_line),
		cmocka_unit_test(names_of_keys_go_both_ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
