/* Every tests/lang/<case>.bt against its pinned trees, blocks and instructions, or its complaint.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include "lang/lang.h"

#define CASES RUNG_TESTS "/lang"

/** A whole file, NUL-terminated; NULL when there is none. */
static char *slurp(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t n;

	if (!f)
		return NULL;
	text = calloc(1, 65536);
	assert_non_null(text);
	n = fread(text, 1, 65535, f);
	assert_true(n < 65535);
	fclose(f);
	return text;
}

/** Compare with the pin; with LANG_PIN set, write it instead. */
static void check_pin(const char *path, const char *got)
{
	char *want;

	if (getenv("LANG_PIN")) {
		FILE *f = fopen(path, "we");

		assert_non_null(f);
		fputs(got, f);
		assert_int_equal(fclose(f), 0);
		return;
	}
	want = slurp(path);
	if (!want || strcmp(want, got) != 0)
		fail_msg("%s differs; got:\n%s", path, got);
	free(want);
}

static void pin_path(char *out, size_t size, const char *bt, const char *extension)
{
	snprintf(out, size, "%.*s.%s", (int)(strlen(bt) - 3), bt, extension);
}

static void check_complaint(const char *bt, const char *text, const struct diag *d, struct arena *a)
{
	struct text lines[LANG_DIAG_LINES];
	uint32_t n = lang_diag_text(a, text, d, lines);
	char path[512], got[4096] = "";
	size_t len = 0;

	for (uint32_t i = 0; i < n; i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%.*s\n", TEXT_ARG(lines[i]));
	pin_path(path, sizeof(path), bt, "err");
	check_pin(path, got);
}

static void check_case(const char *bt, const struct lang_host *host)
{
	static const char *const stages[] = { "ast", "ir", "asm" };
	struct arena arena = { 0 };
	struct diag d;
	char *text = slurp(bt);

	assert_non_null(text);
	for (size_t i = 0; i < ARRAY_LEN(stages); i++) {
		char path[512], *dump = lang_dump(text, host, stages[i], &arena, &d);

		if (!dump) {
			check_complaint(bt, text, &d, &arena);
			break;
		}
		pin_path(path, sizeof(path), bt, stages[i]);
		if (strstr(bt, "/err_") == NULL)
			check_pin(path, dump);
		else if (i + 1 == ARRAY_LEN(stages))
			fail_msg("%s compiles", bt);
	}
	free(text);
	arena_fini(&arena);
}

static void cases_match_their_pins(void **state)
{
	struct lang_host host = { .tracefs_fd =
				      open(CASES "/tracefs", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
				  .self_tgid = 77 };
	glob_t found;

	(void)state;
	assert_true(host.tracefs_fd >= 0);
	assert_int_equal(glob(CASES "/*.bt", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 10);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_case(found.gl_pathv[i], &host);
	globfree(&found);
	close(host.tracefs_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(cases_match_their_pins) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
