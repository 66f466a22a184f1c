/* STUCK rows of a thread that is known to be blocked reading a known pipe. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actor.h"

extern const struct collector collector_stuck;

static const struct stuck_row *thread_named(const struct frame *f, const char *comm)
{
	for (uint32_t i = 0; i < f->sec[SEC_STUCK].nrows; i++)
		if (text_is(FRAME_ROWS(f, stuck, STUCK)[i].comm, comm))
			return &FRAME_ROWS(f, stuck, STUCK)[i];
	return NULL;
}

/* The reader says it is ready before it blocks: look until it is asleep in its call. */
static const struct stuck_row *until_blocked(struct live *l)
{
	for (int i = 0; i < 2000; i++) {
		live_sample(l);
		const struct stuck_row *r = thread_named(l->last, "in_read");
		if (r && text_has(r->syscall, "read(", 5))
			return r;
		usleep(1000);
	}
	return NULL;
}

static void expect_pipe(bool may_bpf)
{
	struct actor a = actor_start("pipe", "");
	unsigned fd;
	char object[64], want[32];
	struct live l;

	assert_int_equal(sscanf(a.said, "fd %u %63s", &fd, object), 2);
	live_open(&l, &collector_stuck, may_bpf);
	l.focus.scope = scope_process((uint32_t)a.pid, 0, TEXT_UNKNOWN);
	const struct stuck_row *r = until_blocked(&l);
	assert_non_null(r);
	print_message("%.*s on %.*s in %.*s\n", TEXT_ARG(r->syscall), TEXT_ARG(r->object),
		      TEXT_ARG(r->stack));
	snprintf(want, sizeof(want), "read(%u, 0x", fd);
	assert_true(text_has(r->syscall, want, strlen(want)));
	assert_int_equal(r->syscall_nr, 0);
	assert_true(text_is(r->object, object));
	assert_int_equal(r->state, 'S');
	assert_int_equal(r->tgid, (uint32_t)a.pid);
	assert_int_not_equal(r->tid, r->tgid);
	assert_true(text_has(r->stack, "pipe_read", 9));
	/* It does not run between two looks, so the wait grows by at least what passed. */
	uint64_t first_ns = r->waited_ns == U64_UNKNOWN ? 0 : r->waited_ns;
	uint64_t from_ns = clock_mono_ns();
	usleep(50000);
	live_sample(&l);
	uint64_t passed_ns = clock_mono_ns() - from_ns;
	r = thread_named(l.last, "in_read");
	assert_non_null(r);
	print_message("waited %.1f ms, then %.1f ms after %.1f ms\n", (double)first_ns / 1e6,
		      (double)r->waited_ns / 1e6, (double)passed_ns / 1e6);
	assert_true(r->waited_ns != U64_UNKNOWN && r->waited_ns > first_ns);
	assert_true(r->waited_ns + 12 * NS_PER_MS > first_ns + passed_ns);
	live_close(&l);
	actor_end(&a);
}

static void the_iterator_names_call_object_and_stack(void **state)
{
	(void)state;
	expect_pipe(true);
}

static void proc_names_them_too(void **state)
{
	(void)state;
	expect_pipe(false);
}

static void sleepers_of_others_are_left_out(void **state)
{
	struct actor a = actor_start("threads", "3");
	struct live l;
	(void)state;

	live_open(&l, &collector_stuck, true);
	live_sample(&l);
	for (uint32_t i = 0; i < l.last->sec[SEC_STUCK].nrows; i++)
		assert_int_equal(FRAME_ROWS(l.last, stuck, STUCK)[i].state, 'D');
	l.focus.scope = scope_process((uint32_t)a.pid, 0, TEXT_UNKNOWN);
	live_sample(&l);
	uint32_t mine = 0;
	for (uint32_t i = 0; i < l.last->sec[SEC_STUCK].nrows; i++)
		mine += FRAME_ROWS(l.last, stuck, STUCK)[i].tgid == (uint32_t)a.pid;
	assert_int_equal(mine, 3);
	live_close(&l);
	actor_end(&a);
}

/* A parent in vfork() waits uninterruptibly for its child: a D state that anyone can make. The workload is a
 * program of its own, since the thread sanitizer turns vfork into fork. */
static void a_thread_in_d_is_found_on_the_whole_host(void **state)
{
	int held[2];
	struct live l;
	const struct stuck_row *r = NULL;
	(void)state;

	assert_int_equal(pipe(held), 0);
	pid_t pid = fork();
	if (!pid) {
		close(held[1]);
		dup2(held[0], 0);
		dup2(open("/dev/null", O_WRONLY), 1);
		execl(RUNG_WORK_DIR "/work_tasks_vfork", "work_tasks_vfork", (char *)NULL);
		_exit(127);
	}
	close(held[0]);
	live_open(&l, &collector_stuck, true);
	for (int i = 0; i < 2000 && !r; i++) {
		usleep(1000);
		live_sample(&l);
		for (uint32_t j = 0; j < l.last->sec[SEC_STUCK].nrows; j++)
			if (FRAME_ROWS(l.last, stuck, STUCK)[j].tgid == (uint32_t)pid)
				r = &FRAME_ROWS(l.last, stuck, STUCK)[j];
	}
	assert_non_null(r);
	assert_int_equal(r->state, 'D');
	print_message("%.*s in %.*s\n", TEXT_ARG(r->syscall), TEXT_ARG(r->stack));
	assert_true(text_has(r->syscall, "fork(", 5));
	close(held[1]);
	waitpid(pid, NULL, 0);
	live_close(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_iterator_names_call_object_and_stack),
		cmocka_unit_test(proc_names_them_too),
		cmocka_unit_test(sleepers_of_others_are_left_out),
		cmocka_unit_test(a_thread_in_d_is_found_on_the_whole_host),
	};

	if (geteuid()) {
		puts("skipped: loading BPF programs needs root");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
