/* The command line of export and open: exit statuses, private files, text that came from a frame file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Exit status of `rung WORDS`; what it printed, both streams, in out. */
static int rung(const char *words, char *out, size_t size)
{
	char command[1200];

	snprintf(command, sizeof(command), "'%s' %s 2>&1", RUNG_BIN, words);
	FILE *in = popen(command, "r");
	assert_non_null(in);
	size_t n = fread(out, 1, size - 1, in);
	out[n] = 0;
	while (fgetc(in) != EOF)
		;
	int status = pclose(in);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_wrong_usage(void **state)
{
	static const char *const wrong[] = {
	    "export",
	    "export x",
	    "export x --format pdf",
	    "export x y --format md",
	    "export x --format md --last 0",
	    "export x --format md --last many",
	    "open",
	    "open x y",
	    "open x --size 80",
	    "export --no-such-option x",
	};
	char out[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (rung(wrong[i], out, sizeof(out)) != 2)
			fail_msg("rung %s: not taken for wrong usage: %s", wrong[i], out);
	assert_int_equal(rung("export x", out, sizeof(out)), 2);
	assert_non_null(strstr(out, "json"));
	assert_non_null(strstr(out, "md"));
}

static void test_failures_name_the_file(void **state)
{
	char out[4096];

	(void)state;
	assert_int_equal(rung("export /no/such/file --format md", out, sizeof(out)), 1);
	assert_non_null(strstr(out, "/no/such/file"));
	assert_int_equal(rung("open \"$(printf '/no/\\033[31mred')\"", out, sizeof(out)), 1);
	assert_null(strchr(out, 0x1b));
	assert_int_equal(rung("export '" RUNG_TESTS
			      "/triage/disk_saturated.fires.frame' --format md -o /dev/full",
			      out, sizeof(out)),
			 1);
	assert_non_null(strstr(out, "/dev/full"));
}

static void test_report_of_a_fixture(void **state)
{
	char out[16384], words[700], path[256];
	struct stat st;

	(void)state;
	assert_int_equal(
	    rung("export '" RUNG_TESTS "/triage/disk_saturated.fires.frame' --format md", out, sizeof(out)),
	    0);
	assert_non_null(strstr(out, "nvme0n1 saturated: 97% busy, queue 34, await 31.0ms"));
	assert_non_null(strstr(out, "Next: rung 4, biolatency nvme0n1"));
	snprintf(path, sizeof(path), "%s/export-%d.md", RUNG_WORK_DIR, getpid());
	snprintf(words, sizeof(words), "export '%s/triage/swapping.fires.frame' --format md --last 1 -o '%s'",
		 RUNG_TESTS, path);
	mode_t before = umask(0);
	assert_int_equal(rung(words, out, sizeof(out)), 0);
	umask(before);
	assert_non_null(strstr(out, "last 1 of 2 frames"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(st.st_size > 100);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_wrong_usage),
	    cmocka_unit_test(test_failures_name_the_file),
	    cmocka_unit_test(test_report_of_a_fixture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
