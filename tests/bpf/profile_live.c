/* The profile of programs whose shares are known. Counts and shares are asserted, never durations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/collector.h"

#define SPLIT RUNG_WORK_DIR "/work_profile_split"
/* Looks at the profile before a test gives up: a loaded host needs more of them for as many samples. */
#define LOOKS_MAX 60

extern const struct collector collector_profile;

struct run {
	pid_t pid;
	void *self;
	struct collector_env env;
	struct request focus;
	struct frame *frame; /* the latest */
};

static pid_t spawn(const char *path, const char *what)
{
	int ready[2];
	char line[16];

	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(ready[1], 1);
		close(ready[0]);
		close(ready[1]);
		/* A loaded host gives it a CPU all the same. */
		if (nice(-15) == -1)
			_exit(126);
		execl(path, path, what, "120", (char *)NULL);
		_exit(127);
	}
	close(ready[1]);
	assert_true(read(ready[0], line, sizeof(line)) > 0);
	close(ready[0]);
	return pid;
}

static void look(struct run *r)
{
	struct frame_builder *b = frame_builder_new(NULL, clock_mono_ns(), clock_wall_ns());
	struct cost cost = { 0 };
	struct err e = { 0 };

	assert_non_null(b);
	r->env.focus = &r->focus;
	if (collector_run(&collector_profile, r->self, &r->env, b, &cost, &e) < 0)
		fail_msg("%s", e.text);
	frame_unref(r->frame);
	r->frame = frame_seal(b);
	assert_non_null(r->frame);
}

static const struct profstat_row *stat_of(const struct run *r)
{
	assert_int_equal(r->frame->sec[SEC_PROFSTAT].nrows, 1);
	return FRAME_ROWS(r->frame, profstat, PROFSTAT);
}

static void start(struct run *r, const char *path, const char *what)
{
	struct err e = { 0 };

	*r = (struct run){ .pid = spawn(path, what) };
	r->focus.scope = scope_process((uint32_t)r->pid, 0, TEXT("split"));
	assert_int_equal(collector_env_live(&r->env, &e), 0);
	r->env.focus = &r->focus;
	r->self = calloc(1, collector_profile.self_size);
	assert_non_null(r->self);
	if (collector_profile.open(r->self, &r->env, &e))
		fail_msg("%s", e.text);
}

static void until_samples(struct run *r, uint64_t samples)
{
	const struct timespec pause = { .tv_nsec = 500 * 1000 * 1000 };

	for (int i = 0; i < LOOKS_MAX; i++) {
		look(r);
		if (stat_of(r)->samples >= samples)
			return;
		nanosleep(&pause, NULL);
	}
	fail_msg("%llu samples are too few", (unsigned long long)stat_of(r)->samples);
}

static void stop(struct run *r)
{
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	frame_unref(r->frame);
	collector_profile.close(r->self);
	collector_env_fini(&r->env);
	free(r->self);
}

static double share_of(const struct run *r, const char *symbol)
{
	const struct profile_row *rows = FRAME_ROWS(r->frame, profile, PROFILE);
	double pct = 0;

	for (uint32_t i = 0; i < r->frame->sec[SEC_PROFILE].nrows; i++)
		if (text_is(rows[i].symbol, symbol))
			pct += rows[i].self_pct;
	return pct;
}

static void shares_are_within_eight_points(void **state)
{
	struct run r;
	double sum = 0;
	(void)state;

	start(&r, SPLIT, "split");
	until_samples(&r, 300);
	const struct profile_row *rows = FRAME_ROWS(r.frame, profile, PROFILE);
	for (uint32_t i = 0; i < r.frame->sec[SEC_PROFILE].nrows; i++) {
		sum += rows[i].self_pct;
		assert_true(!i || rows[i].samples <= rows[i - 1].samples);
		assert_int_equal(rows[i].tgid, r.pid);
	}
	print_message("%llu samples: hot %.1f warm %.1f\n", (unsigned long long)stat_of(&r)->samples,
		      share_of(&r, "profile_hot"), share_of(&r, "profile_warm"));
	assert_true(sum > 99.9 && sum < 100.1);
	assert_true(share_of(&r, "profile_hot") > 62 && share_of(&r, "profile_hot") < 78);
	assert_true(share_of(&r, "profile_warm") > 22 && share_of(&r, "profile_warm") < 38);
	assert_true(text_is(rows[0].object, "work_profile_split"));
	assert_true(stat_of(&r)->unresolved_pct < 1);
	stop(&r);
}

static void copy_of(char path[64], const char *command)
{
	char line[512];

	snprintf(path, 64, "/tmp/rung_profile_%d", (int)getpid());
	snprintf(line, sizeof(line), "%s %s %s", command, SPLIT, path);
	assert_int_equal(system(line), 0);
}

static void stripped_code_has_an_offset_and_no_wrong_name(void **state)
{
	struct run r;
	char path[64];
	uint64_t own = 0;
	double top_pct = 0;
	(void)state;

	copy_of(path, "objcopy --strip-all");
	start(&r, path, "split");
	unlink(path);
	until_samples(&r, 300);
	const struct profile_row *rows = FRAME_ROWS(r.frame, profile, PROFILE);
	for (uint32_t i = 0; i < r.frame->sec[SEC_PROFILE].nrows; i++) {
		if (!text_has(rows[i].object, "rung_profile_", 13))
			continue;
		own += rows[i].samples;
		top_pct = rows[i].self_pct > top_pct ? rows[i].self_pct : top_pct;
		assert_int_equal(strncmp(rows[i].symbol.utf8, "rung_profile_", 13), 0);
		assert_non_null(strstr(rows[i].symbol.utf8, "+0x"));
	}
	assert_true(own * 10 >= stat_of(&r)->samples * 8);
	/* Samples of one nameless function are one row. */
	assert_true(top_pct > 62 && top_pct < 78);
	assert_true(stat_of(&r)->unresolved_pct >= 80);
	stop(&r);
}

static void a_deleted_binary_keeps_its_names(void **state)
{
	struct run r;
	char path[64];
	(void)state;

	copy_of(path, "cp");
	start(&r, path, "split");
	unlink(path);
	until_samples(&r, 100);
	assert_true(share_of(&r, "profile_hot") > 50);
	assert_non_null(strstr(FRAME_ROWS(r.frame, profile, PROFILE)[0].object.utf8, "(deleted)"));
	stop(&r);
}

static void system_calls_show_kernel_functions(void **state)
{
	struct run r;
	double kernel_pct = 0, pipe_pct = 0;
	(void)state;

	start(&r, SPLIT, "syscalls");
	until_samples(&r, 100);
	const struct profile_row *rows = FRAME_ROWS(r.frame, profile, PROFILE);
	for (uint32_t i = 0; i < r.frame->sec[SEC_PROFILE].nrows; i++) {
		kernel_pct += rows[i].is_kernel == 1 ? rows[i].self_pct : 0;
		pipe_pct += rows[i].is_kernel == 1 && text_has(rows[i].symbol, "pipe_", 5) ? rows[i].self_pct : 0;
	}
	assert_true(kernel_pct > 40);
	assert_true(pipe_pct > 0);
	assert_true(stat_of(&r)->unresolved_pct < 5);
	stop(&r);
}

static void another_scope_shows_the_time_already_past(void **state)
{
	struct run r;
	uint64_t process, host;
	(void)state;

	start(&r, SPLIT, "split");
	until_samples(&r, 100);
	process = stat_of(&r)->samples;
	r.focus.scope = (struct scope){ 0 };
	look(&r);
	host = stat_of(&r)->samples;
	assert_true(host >= process);
	assert_true(text_is(stat_of(&r)->scope, "host"));
	assert_true(share_of(&r, "profile_hot") > 0);
	/* A process that starts under the same number later is another one. */
	r.focus.scope = scope_process((uint32_t)r.pid, 1, TEXT("split"));
	look(&r);
	assert_int_equal(stat_of(&r)->samples, 0);
	assert_int_equal(r.frame->sec[SEC_PROFILE].nrows, 0);
	assert_int_equal(r.frame->sec[SEC_PROFILE].state, SEC_OK);
	stop(&r);
}

static void processes_already_gone_are_known_by_program(void **state)
{
	const struct timespec pause = { .tv_sec = 1 };
	struct run r;
	uint64_t gone = 0;
	(void)state;

	start(&r, SPLIT, "brief");
	r.focus.scope = (struct scope){ 0 };
	for (int i = 0; i < LOOKS_MAX && gone < 20; i++) {
		nanosleep(&pause, NULL);
		look(&r);
		const struct profile_row *rows = FRAME_ROWS(r.frame, profile, PROFILE);
		for (uint32_t k = 0; k < r.frame->sec[SEC_PROFILE].nrows; k++)
			if (text_is(rows[k].symbol, "[exited before it was looked at]") &&
			    text_is(rows[k].object, "work_profile_sp"))
				gone += rows[k].samples;
	}
	assert_true(gone >= 20);
	stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_within_eight_points),
		cmocka_unit_test(stripped_code_has_an_offset_and_no_wrong_name),
		cmocka_unit_test(a_deleted_binary_keeps_its_names),
		cmocka_unit_test(system_calls_show_kernel_functions),
		cmocka_unit_test(processes_already_gone_are_known_by_program),
		cmocka_unit_test(another_scope_shows_the_time_already_past),
	};

	if (geteuid() != 0) {
		printf("skipped: sampling every CPU needs root\n");
		return 77;
	}
	return cmocka_run_group_tests_name("profile_live", tests, NULL, NULL);
}
