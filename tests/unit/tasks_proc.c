/* Threads and blocked threads read from a made-up /proc, and names of system calls and errors. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fmt.h"
#include "collectors/syscalls/names.h"
#include "collectors/tasks/procps.h"
#include "collectors/tasks/stuck.h"

static char root[] = "/tmp/rung_tasks_XXXXXX";

static void put(const char *path, const char *text)
{
	char full[256];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *c = full + strlen(root) + 1; (c = strchr(c, '/')); *c++ = '/') {
		*c = 0;
		mkdir(full, 0700);
	}
	FILE *f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make_tree(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	put("10/task/10/stat",
	    "10 (a) R (b)\n) S 1 10 10 0 -1 4194560 1 2 3 4 500 250 0 0 20 5 2 0 700 "
	    "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 3 0 0 0\n");
	put("10/task/10/status",
	    "Name:\ta\nvoluntary_ctxt_switches:\t40\nnonvoluntary_ctxt_switches:\t2\n");
	put("10/task/10/schedstat", "7600000000 123456 42\n");
	put("10/task/11/stat", "11 (io) D 1 10 10 0 -1 64 0 0 0 0 0 0 0 0 20 0 2 0 900 "
			       "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 1 0 0 0\n");
	put("10/task/11/syscall", "1 0x5 0x7ffe 0x1000 0x0 0x0 0x0 0x7ffd 0x7f00\n");
	put("10/task/11/stack", "[<0>] io_schedule+0x46/0x80\n[<0>] nfs_wait+0x1/0x2 [nfs]\n");
	put("10/task/12/stat", "12 (cut");
	put("10/fdinfo/5", "pos:\t0\nflags:\t0100001\nmnt_id:\t30\nino:\t77\n");
	return 0;
}

static int drop_tree(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static int open_tree(void)
{
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void threads_are_read_whatever_their_name(void **state)
{
	struct task_reading r = { 0 };
	struct err e = { 0 };
	int fd = open_tree();
	uint64_t tick = task_tick_ns();
	(void)state;

	assert_int_equal(procfs_read_threads(fd, 10, &r, &e), 0);
	assert_int_equal(r.records.len, 2);
	const struct task_record *t = &r.records.ptr[0];
	assert_int_equal(t->tid, 10);
	assert_string_equal(t->comm, "a) R (b)\n");
	assert_int_equal(task_state_char(t->state), 'S');
	assert_int_equal(t->own.user_ns, 500 * tick);
	assert_int_equal(t->own.system_ns, 250 * tick);
	assert_int_equal(t->own.exec_ns, 7600000000);
	assert_int_equal(t->runq_ns, 123456);
	assert_int_equal(t->own.switches, 42);
	assert_int_equal(t->start_boot_ns, 700 * tick);
	assert_int_equal(t->nice, 5);
	assert_int_equal(t->last_cpu, 3);
	t = &r.records.ptr[1];
	assert_int_equal(task_state_char(t->state), 'D');
	assert_true(t->own.switches == U64_UNKNOWN && t->runq_ns == U64_UNKNOWN);
	assert_int_equal(procfs_read_threads(fd, 99, &r, &e), -ENOENT);
	assert_true(strstr(e.text, "99") != NULL);
	task_reading_fini(&r);
	close(fd);
}

struct seen {
	struct stuck_seen all[4];
	uint32_t n;
};

static void keep(void *arg, const struct stuck_seen *s)
{
	struct seen *to = arg;

	assert_true(to->n < 4);
	to->all[to->n++] = *s;
}

static void a_blocked_thread_is_told_with_call_and_stack(void **state)
{
	struct seen seen = { .n = 0 };
	struct stuck_memory m = { 0 };
	struct err e = { 0 };
	int fd = open_tree();
	(void)state;

	assert_int_equal(stuck_scan_proc(fd, 0, keep, &seen, &e), 0);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.all[0].record.syscall_nr, 1);
	assert_int_equal(seen.all[0].record.args[2], 0x1000);
	assert_string_equal(seen.all[0].stack, "io_schedule;nfs_wait");
	struct frame_builder *b = frame_builder_new(NULL, 1, 1);
	stuck_add_row(&m, &seen.all[0].record, seen.all[0].stack, fd, b);
	struct frame *f = frame_seal(b);
	const struct stuck_row *row = FRAME_ROWS(f, stuck, STUCK);
	assert_int_equal(f->sec[SEC_STUCK].nrows, 1);
	assert_int_equal(row->state, 'D');
	assert_true(row->waited_ns == U64_UNKNOWN);
	assert_true(text_is(row->stack, "io_schedule;nfs_wait"));
#if defined(__x86_64__)
	assert_true(text_is(row->syscall, "write(5, 0x7ffe, 4096)"));
#endif
	frame_unref(f);
	stuck_memory_fini(&m);
	close(fd);
}

static void a_name_is_believed_only_for_the_right_inode(void **state)
{
	struct arena a = { 0 };
	struct stuck_record r = { .object_ino = 77,
				  .object_mode = S_IFREG | 0644,
				  .object_dev = 8 << 20 | 1 };
	int fd = open_tree();
	(void)state;

	assert_int_equal(mkdirat(fd, "10/fd", 0700), 0);
	assert_int_equal(symlinkat("/var/log/x\033[2J.log", fd, "10/fd/5"), 0);
	struct text t = stuck_object(&a, fd, 10, 5, &r);
	assert_true(text_has(t, "/var/log/x", 10) && !memchr(t.utf8, 033, t.len));
	r.object_ino = 78; /* closed and opened again meanwhile */
	assert_true(text_is(stuck_object(&a, fd, 10, 5, &r), "file inode 78 on 8:1"));
	assert_true(text_is(stuck_object(&a, fd, 10, 6, &r), "file inode 78 on 8:1"));
	r.object_mode = 0;
	assert_null(stuck_object(&a, fd, 10, 6, &r).utf8);
	arena_fini(&a);
	close(fd);
}

static void calls_and_errors_have_names(void **state)
{
	(void)state;
	for (uint32_t nr = 0; nr < 1024; nr++)
		if (syscall_name(nr))
			assert_int_equal(syscall_nr(syscall_name(nr)), nr);
	assert_true(syscall_nr("read") >= 0 && syscall_nr("futex_waitv") == 449);
	assert_int_equal(syscall_nr("no_such_call"), -1);
	assert_null(syscall_name(UINT32_MAX));
	assert_string_equal(errno_name(2), "ENOENT");
	assert_string_equal(errno_name(512), "ERESTARTSYS");
	assert_string_equal(errno_name(516), "ERESTART_RESTARTBLOCK");
	assert_null(errno_name(0));
	assert_null(errno_name(-5));
	assert_null(errno_name(4000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_read_whatever_their_name),
		cmocka_unit_test(a_blocked_thread_is_told_with_call_and_stack),
		cmocka_unit_test(a_name_is_believed_only_for_the_right_inode),
		cmocka_unit_test(calls_and_errors_have_names),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
