/* The helper process and the command lines it reads; a FIFO stands for a file that hangs. */
#include "proc_tree.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "collectors/proc/cmdlines.h"
#include "collectors/scheduler.h"

/* A /proc of our own. */
struct tree {
	char path[64];
	int fd;
};

static void tree_make(struct tree *t)
{
	snprintf(t->path, sizeof(t->path), "/tmp/rung-helper-XXXXXX");
	assert_non_null(mkdtemp(t->path));
	t->fd = open(t->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(t->fd >= 0);
}

static void tree_write(const struct tree *t, uint32_t pid, const char *bytes, size_t len)
{
	char path[32];

	snprintf(path, sizeof(path), "%u", pid);
	assert_true(mkdirat(t->fd, path, 0700) == 0 || errno == EEXIST);
	snprintf(path, sizeof(path), "%u/cmdline", pid);
	int fd = openat(t->fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static void tree_hang(const struct tree *t, uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "%u", pid);
	assert_int_equal(mkdirat(t->fd, path, 0700), 0);
	snprintf(path, sizeof(path), "%u/cmdline", pid);
	assert_int_equal(mkfifoat(t->fd, path, 0600), 0);
}

static void tree_remove(struct tree *t)
{
	char command[128];

	close(t->fd);
	snprintf(command, sizeof(command), "rm -r %s", t->path);
	assert_int_equal(system(command), 0);
}

/* Answers come from another process: look again until there is one. */
static struct helper_answer take(struct helper *h, uint64_t now_ns)
{
	struct helper_answer a = { 0 };

	while (!helper_take(h, now_ns, &a))
		poll(NULL, 0, 1);
	return a;
}

static void answers_come_in_order(void **state)
{
	struct tree t;
	struct err e;
	char longer[HELPER_TEXT_BYTES + 1], longer_path[200] = "";
	(void)state;

	tree_make(&t);
	memset(longer, 'x', sizeof(longer));
	memset(longer_path, 'x', sizeof(longer_path) - 1);
	tree_write(&t, 1, "a\0b c\0", 6);
	tree_write(&t, 4294967294u, longer, sizeof(longer));
	tree_write(&t, 3, longer, sizeof(longer) - 1);
	struct helper *h = helper_start(t.fd, &e);
	assert_non_null(h);
	assert_int_equal(helper_ask(h, 7, "1/cmdline", 0), 0);
	assert_int_equal(helper_ask(h, 8, "4294967294/cmdline", 0), 0);
	assert_int_equal(helper_ask(h, 9, "2/cmdline", 0), 0);
	assert_int_equal(helper_ask(h, 10, "3/cmdline", 0), 0);
	assert_int_equal(helper_ask(h, 11, longer_path, 0), -ENAMETOOLONG);
	struct helper_answer a = take(h, 0);
	assert_int_equal(a.key, 7);
	assert_int_equal(a.code, 0);
	assert_int_equal(a.len, 6);
	assert_memory_equal(a.bytes, "a\0b c\0", 6);
	a = take(h, 0);
	assert_int_equal(a.len, HELPER_TEXT_BYTES);
	assert_int_equal(a.is_cut, 1);
	a = take(h, 0);
	assert_int_equal(a.code, ENOENT);
	a = take(h, 0);
	assert_int_equal(a.len, HELPER_TEXT_BYTES);
	assert_int_equal(a.is_cut, 0);
	assert_false(helper_take(h, 0, &a));
	assert_int_equal(helper_hung(h), 0);
	helper_free(h);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
	tree_remove(&t);
}

static void a_child_that_hangs_is_replaced(void **state)
{
	struct tree t;
	struct err e;
	struct helper_answer a;
	(void)state;

	tree_make(&t);
	tree_hang(&t, 1);
	tree_write(&t, 2, "fine", 5);
	struct helper *h = helper_start(t.fd, &e);
	assert_non_null(h);
	assert_int_equal(helper_ask(h, 1, "1/cmdline", 0), 0);
	assert_int_equal(helper_ask(h, 2, "2/cmdline", 0), 0);
	assert_false(helper_take(h, NS_PER_S, &a));
	assert_true(helper_take(h, 5 * NS_PER_S, &a));
	assert_int_equal(a.key, 1);
	assert_int_equal(a.code, ETIMEDOUT);
	a = take(h, 5 * NS_PER_S);
	assert_int_equal(a.key, 2);
	assert_int_equal(a.code, 0);
	assert_memory_equal(a.bytes, "fine", 5);
	helper_free(h);
	tree_remove(&t);
}

static void kill_our_only_child(void)
{
	DIR *proc = opendir("/proc");
	int killed = 0;

	assert_non_null(proc);
	for (struct dirent *d; (d = readdir(proc));) {
		char path[300], stat[256] = "";
		int ppid = 0;
		snprintf(path, sizeof(path), "/proc/%s/stat", d->d_name);
		FILE *f = atoi(d->d_name) > 0 ? fopen(path, "r") : NULL;
		if (!f)
			continue;
		if (fgets(stat, sizeof(stat), f) && strrchr(stat, ')'))
			sscanf(strrchr(stat, ')'), ") %*c %d", &ppid);
		fclose(f);
		if (ppid == getpid())
			killed += kill(atoi(d->d_name), SIGKILL) == 0;
	}
	closedir(proc);
	assert_int_equal(killed, 1);
}

static void a_child_that_dies_is_replaced(void **state)
{
	struct tree t;
	struct err e;
	(void)state;

	tree_make(&t);
	tree_hang(&t, 1);
	tree_write(&t, 2, "fine", 5);
	struct helper *h = helper_start(t.fd, &e);
	assert_non_null(h);
	assert_int_equal(helper_ask(h, 1, "1/cmdline", 0), 0);
	assert_int_equal(helper_ask(h, 2, "2/cmdline", 0), 0);
	kill_our_only_child();
	struct helper_answer a = take(h, 0);
	assert_int_equal(a.key, 1);
	assert_int_equal(a.code, ETIMEDOUT);
	a = take(h, 0);
	assert_int_equal(a.key, 2);
	assert_memory_equal(a.bytes, "fine", 5);
	helper_free(h);
	tree_remove(&t);
}

static void questions_are_bounded(void **state)
{
	struct tree t;
	struct err e;
	uint32_t taken = 0;
	(void)state;

	tree_make(&t);
	tree_hang(&t, 1);
	struct helper *h = helper_start(t.fd, &e);
	assert_non_null(h);
	while (taken < 1000 && helper_ask(h, taken, "1/cmdline", 0) == 0)
		taken++;
	assert_in_range(taken, 10, 999);
	/* Nobody can free this one while every read hangs: nothing is asked of more children
	 * than a few. */
	for (uint64_t s = 1; s < 200; s++) {
		struct helper_answer a;
		helper_take(h, s * 10 * NS_PER_S, &a);
		assert_in_range(helper_hung(h), 0, 8);
	}
	helper_free(h);
	tree_remove(&t);
}

static struct text lookup(struct cmdline_cache *c, struct helper *h, uint32_t pid, struct text comm)
{
	return cmdline_cache_get(c, h, pid, 7, comm, 0);
}

static void a_command_line_is_read_once_until_the_name_changes(void **state)
{
	struct cmdline_cache c = { 0 };
	struct tree t;
	struct err e;
	struct text text = TEXT_UNKNOWN;
	(void)state;

	tree_make(&t);
	tree_write(&t, 1, "sh\0-c\0\x1b[2Jevil\0\0", 16);
	struct helper *h = helper_start(t.fd, &e);
	assert_non_null(h);
	while (!text.utf8) {
		cmdline_cache_begin(&c, h, 0);
		text = lookup(&c, h, 1, TEXT("sh"));
		cmdline_cache_end(&c);
	}
	assert_true(text_has(text, "sh -c ", 6));
	assert_null(memchr(text.utf8, 0x1b, text.len));
	assert_true(text_has(text, "evil", 4));
	assert_true(text.utf8[text.len - 1] == 'l');

	tree_write(&t, 1,
		   "sleep\0"
		   "9\0",
		   8);
	for (int i = 0; i < 5; i++) {
		cmdline_cache_begin(&c, h, 0);
		assert_true(text_has(lookup(&c, h, 1, TEXT("sh")), "sh -c", 5));
		assert_false(c.rows.ptr[0].is_asked);
		cmdline_cache_end(&c);
	}
	do { /* after exec the last known one stands until the new one is there */
		cmdline_cache_begin(&c, h, 0);
		text = lookup(&c, h, 1, TEXT("sleep"));
		assert_non_null(text.utf8);
		cmdline_cache_end(&c);
	} while (!text_is(text, "sleep 9"));
	cmdline_cache_fini(&c);
	helper_free(h);
	tree_remove(&t);
}

static void a_frame_asks_for_fifty_and_forgets_the_dead(void **state)
{
	struct cmdline_cache c = { 0 };
	struct tree t;
	struct err e;
	uint32_t asked = 0;
	(void)state;

	tree_make(&t);
	struct helper *h = helper_start(t.fd, &e);
	assert_non_null(h);
	cmdline_cache_begin(&c, h, 0);
	for (uint32_t pid = 1; pid <= 300; pid++)
		lookup(&c, h, pid, TEXT("x"));
	cmdline_cache_end(&c);
	for (uint32_t i = 0; i < c.rows.len; i++)
		asked += c.rows.ptr[i].is_asked;
	assert_int_equal(c.rows.len, 300);
	assert_int_equal(asked, 50);
	cmdline_cache_begin(&c, h, 0);
	for (uint32_t pid = 2; pid <= 300; pid += 3)
		lookup(&c, h, pid, TEXT("x"));
	cmdline_cache_end(&c);
	assert_int_equal(c.rows.len, 100);
	for (uint32_t i = 0; i < c.rows.len; i++)
		assert_int_equal(c.rows.ptr[i].tgid % 3, 2);
	cmdline_cache_begin(&c, h, 0);
	cmdline_cache_end(&c);
	assert_int_equal(c.rows.len, 0);
	cmdline_cache_fini(&c);
	helper_free(h);
	tree_remove(&t);
}

/* Two processes and a kernel thread, as the collector of tasks would list them. */
static int listing_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			  struct err *e)
{
	(void)self;
	(void)env;
	(void)e;
	for (uint32_t i = 1; i <= 3; i++) {
		struct task_row *t = FRAME_ADD(b, task, TASK);
		t->tgid = i;
		t->start_ns = 7;
		t->comm = TEXT("x");
		t->is_kthread = i == 3;
	}
	return 0;
}

static void task_rows_are_completed_in_the_same_frame(void **state)
{
	static const struct collector listing = { .name = "listing",
						  .provides = SEC_BIT(SEC_TASK),
						  .sample = listing_sample };
	extern const struct collector collector_cmdlines;
	const struct collector *const both[] = { &collector_cmdlines, &listing };
	struct tree t;
	struct err e;
	struct frame *f = NULL;
	uint64_t now_ns = START_NS;
	(void)state;

	tree_make(&t);
	tree_write(&t, 1, "one", 4);
	tree_write(&t, 2, "", 0);
	tree_write(&t, 3, "three", 6);
	struct collector_env env = { t.fd, -1, -1, false, &nothing_on_screen };
	struct scheduler_options o = { both, 2, &env, NS_PER_S };
	struct scheduler *s = scheduler_new(&o, &e);
	assert_non_null(s);
	do {
		frame_unref(f);
		now_ns += 900 * NS_PER_MS;
		f = scheduler_frame(s, now_ns, now_ns);
		assert_non_null(f);
		assert_int_equal(f->sec[SEC_TASK].nrows, 3);
	} while (!FRAME_ROWS(f, task, TASK)[0].cmdline.utf8 ||
		 !FRAME_ROWS(f, task, TASK)[1].cmdline.utf8);
	assert_true(text_is(FRAME_ROWS(f, task, TASK)[0].cmdline, "one"));
	assert_true(text_is(FRAME_ROWS(f, task, TASK)[1].cmdline, "")); /* known to be empty */
	assert_null(FRAME_ROWS(f, task, TASK)[2].cmdline.utf8);
	frame_unref(f);
	scheduler_free(s);
	tree_remove(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_in_order),
		/* Before others have left children that are still dying. */
		cmocka_unit_test(a_child_that_dies_is_replaced),
		cmocka_unit_test(a_child_that_hangs_is_replaced),
		cmocka_unit_test(questions_are_bounded),
		cmocka_unit_test(a_command_line_is_read_once_until_the_name_changes),
		cmocka_unit_test(a_frame_asks_for_fifty_and_forgets_the_dead),
		cmocka_unit_test(task_rows_are_completed_in_the_same_frame),
	};

	return cmocka_run_group_tests_name("proc_helper", tests, NULL, NULL);
}
