/* On a host where nobody mounted tracefs rung has its own, and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>
#include <cmocka.h>

#include "collectors/collector.h"

static void without_a_mount_events_are_still_readable(void **state)
{
	struct collector_env env;
	struct err e;
	char id[16];
	(void)state;

	assert_int_equal(access("/sys/kernel/tracing/events", F_OK), -1);
	assert_int_equal(collector_env_live(&env, &e), 0);
	assert_true(env.tracefs_fd >= 0);
	int fd = openat(env.tracefs_fd, "events/sched/sched_switch/id", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_true(read(fd, id, sizeof(id)) > 0 && atoi(id) > 0);
	close(fd);
	assert_int_equal(access("/sys/kernel/tracing/events", F_OK), -1);
	collector_env_fini(&env);
	assert_int_equal(env.tracefs_fd, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(
	    without_a_mount_events_are_still_readable) };
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing",
					      "/sys/kernel/debug" };

	/* A mount namespace of our own: what is unmounted here stays mounted everywhere else. */
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
		printf("skipped: needs CAP_SYS_ADMIN for a mount namespace\n");
		return 77;
	}
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		while (umount2(places[i], MNT_DETACH) == 0)
			;
	return cmocka_run_group_tests_name("env_tracefs", tests, NULL, NULL);
}
