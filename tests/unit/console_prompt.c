/* The line editor without a terminal: editing, history in a file, hostile keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "ui/keymap.h"
#include "ui/prompt.h"

static char state_dir[] = "/tmp/rung-prompt-XXXXXX";

static void feed(struct prompt *p, const char *keys)
{
	uint32_t key;

	while ((key = key_parse(&keys)))
		prompt_key(p, key);
}

static void assert_line(struct prompt *p, const char *want, size_t cursor)
{
	assert_string_equal(prompt_line(p), want);
	assert_int_equal(prompt_cursor(p), cursor);
}

static void editing(void **state)
{
	struct prompt *p = prompt_new(&(struct prompt_options){ .text = "one two" });
	(void)state;

	assert_line(p, "one two", 7);
	feed(p, "C-w");
	assert_line(p, "one ", 4);
	feed(p, "x y <Left> <Backspace>");
	assert_line(p, "one y", 4);
	feed(p, "C-a C-k C-y <Home> <Delete>");
	assert_line(p, "ne y", 0);
	feed(p, "<End> \u00e9 \u6f22 <Backspace>");
	assert_line(p, "ne y\u00e9", 6);
	feed(p, "C-u");
	assert_line(p, "", 0);
	assert_int_equal(prompt_key(p, 'a'), PROMPT_EDITING);
	assert_int_equal(prompt_key(p, KEY_BACKSPACE_), PROMPT_EDITING);
	assert_int_equal(prompt_key(p, KEY_BACKSPACE_), PROMPT_CANCELLED);
	assert_int_equal(prompt_key(p, KEY_ENTER_), PROMPT_DONE);
	prompt_free(p);
	prompt_free(NULL);
}

static void remember(const char *line)
{
	struct prompt *p = prompt_new(&(struct prompt_options){ .text = line, .has_history = true });

	prompt_remember(p);
	prompt_free(p);
}

static void lines_are_remembered_once_and_for_the_owner_only(void **state)
{
	char path[128];
	struct stat st;
	(void)state;

	remember("first probe");
	remember("second");
	remember("second");
	remember("");
	snprintf(path, sizeof(path), "%s/rung/history", state_dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	struct prompt *p = prompt_new(&(struct prompt_options){ .text = "", .has_history = true });
	feed(p, "<Up>");
	assert_string_equal(prompt_line(p), "second");
	feed(p, "<Up> x");
	assert_string_equal(prompt_line(p), "first probex");
	/* An edited line is what one returns to. */
	feed(p, "<Up> <Down> <Down>");
	assert_string_equal(prompt_line(p), "first probex");
	feed(p, "C-u f i C-r");
	assert_string_equal(prompt_line(p), "first probe");
	prompt_free(p);
	/* Other lines keep out of it. */
	p = prompt_new(&(struct prompt_options){ .text = "" });
	feed(p, "<Up>");
	assert_string_equal(prompt_line(p), "");
	prompt_free(p);
}

static void no_key_is_too_strange(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 60; seed++) {
		uint32_t x = seed;
		struct prompt *p = prompt_new(&(struct prompt_options){ .text = "", .has_history = seed % 2 });
		for (int i = 0; i < 400; i++) {
			x = x * 1664525u + 1013904223u;
			uint32_t key = x >> 8 & 1 ? (x >> 16) % 0x20 : 0x20 + (x >> 12) % 0x500;
			if (x >> 9 & 1)
				key = KEY_UP_ + (x >> 16) % 30;
			prompt_key(p, key);
			assert_true(prompt_cursor(p) <= strlen(prompt_line(p)));
		}
		prompt_free(p);
	}
}

static void a_line_has_an_end(void **state)
{
	struct prompt *p = prompt_new(&(struct prompt_options){ .text = "" });
	(void)state;

	for (int i = 0; i < 10000; i++)
		prompt_key(p, 'a');
	assert_int_equal(strlen(prompt_line(p)), 4000);
	prompt_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(editing),
		cmocka_unit_test(lines_are_remembered_once_and_for_the_owner_only),
		cmocka_unit_test(no_key_is_too_strange),
		cmocka_unit_test(a_line_has_an_end),
	};
	char path[128];

	setlocale(LC_CTYPE, "C.UTF-8");
	if (!mkdtemp(state_dir))
		return 1;
	setenv("XDG_STATE_HOME", state_dir, 1);
	setenv("INPUTRC", "/dev/null", 1);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(path, sizeof(path), "%s/rung/history", state_dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/rung", state_dir);
	rmdir(path);
	rmdir(state_dir);
	return failed;
}
