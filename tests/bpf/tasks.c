/* TASK and THREAD rows against processes whose truth is known, from the iterator and from /proc. */
#include "actor.h"

extern const struct collector collector_tasks;

/* Until the iterator is in use the first two samples come from /proc. */
static void open_iterator(struct live *l)
{
	live_open(l, &collector_tasks, true);
	for (int i = 0; i < 3; i++)
		live_sample(l);
	assert_true(text_is(l->last->sec[SEC_TASK].why, "from the BPF task iterator"));
}

static void open_proc(struct live *l)
{
	live_open(l, &collector_tasks, false);
	for (int i = 0; i < 3; i++)
		live_sample(l);
	assert_true(text_is(text_clip(l->last->sec[SEC_TASK].why, 10), "from /proc"));
}

static void expect_cpu(struct live *l, double tolerance_pct)
{
	struct actor a = actor_start("spin", "1");

	l->focus.scope = scope_process((uint32_t)a.pid, 0, TEXT_UNKNOWN);
	live_sample(l);
	uint64_t cpu_ns = cpu_ns_of(a.pid), mono_ns = clock_mono_ns();
	live_sample(l);
	until_cpu_ns(a.pid, 700 * NS_PER_MS);
	double window_ns = (double)(clock_mono_ns() - mono_ns);
	double truth = (double)(cpu_ns_of(a.pid) - cpu_ns) * 100 / window_ns;
	live_sample(l);
	const struct task_row *t = frame_task(l->last, (uint32_t)a.pid, 0);
	assert_non_null(t);
	print_message("cpu %.2f%%, truth %.2f%%, user %.1f%%\n", t->cpu_pct, truth, t->user_pct);
	/* Where in a pass over all processes this one was read is not known. */
	tolerance_pct += 100 * (double)l->cost.last_wall_ns / window_ns;
	assert_true(fabs(t->cpu_pct - truth) <= tolerance_pct);
	assert_true(t->user_pct > 0.9 * t->cpu_pct);
	assert_true(fabs(t->user_pct + t->system_pct - t->cpu_pct) < 0.01);
	assert_int_equal(t->last_cpu, 1);
	assert_int_equal(t->threads, 2);
	double sum = 0;
	assert_int_equal(l->last->sec[SEC_THREAD].nrows, 2);
	for (int i = 0; i < 2; i++)
		sum += FRAME_ROWS(l->last, thread, THREAD)[i].cpu_pct;
	assert_true(fabs(sum - t->cpu_pct) <= tolerance_pct);
	actor_end(&a);
}

static void a_spinning_process_reads_what_it_spent(void **state)
{
	struct live l;
	(void)state;

	open_iterator(&l);
	expect_cpu(&l, 3.0);
	live_close(&l);
	open_proc(&l);
	expect_cpu(&l, 6.0); /* ticks */
	live_close(&l);
}

static void expect_shape(struct live *l)
{
	struct actor threads = actor_start("threads", "17"), zombie = actor_start("zombie", "");
	struct actor named = actor_start("name", "a)\033[31m b\n(");
	unsigned child = 0;

	assert_int_equal(sscanf(zombie.said, "child %u", &child), 1);
	live_sample(l);
	live_sample(l);
	const struct task_row *t = frame_task(l->last, (uint32_t)threads.pid, 0);
	assert_non_null(t);
	assert_int_equal(t->threads, 17);
	assert_int_equal(t->state, 'S');
	assert_int_equal(t->ppid, (uint32_t)getpid());
	assert_true(t->rss_bytes > 0 && t->rss_bytes < t->virtual_bytes);
	assert_int_equal(t->is_kthread, 0);
	assert_int_equal(t->nice, 0);
	const struct task_row *z = frame_task(l->last, child, 0);
	assert_non_null(z);
	assert_int_equal(z->state, 'Z');
	assert_int_equal(z->ppid, (uint32_t)zombie.pid);
	const struct task_row *n = frame_task(l->last, (uint32_t)named.pid, 0);
	assert_non_null(n);
	for (uint32_t i = 0; i < n->comm.len; i++)
		assert_true((unsigned char)n->comm.utf8[i] >= 0x20);
	assert_true(text_has(n->comm, "a)", 2));
	const struct task_row *k = frame_task(l->last, 2, 0);
	assert_non_null(k);
	assert_int_equal(k->is_kthread, 1);
	assert_non_null(frame_task(l->last, 1, 0));
	actor_end(&named);
	actor_end(&zombie);
	actor_end(&threads);
}

static void threads_zombies_and_odd_names_are_seen(void **state)
{
	struct live l;
	(void)state;

	open_iterator(&l);
	expect_shape(&l);
	live_close(&l);
	open_proc(&l);
	expect_shape(&l);
	live_close(&l);
}

static void cpu_time_of_exited_threads_is_kept(void **state)
{
	struct live l;
	(void)state;

	open_iterator(&l);
	struct actor a = actor_start("brief", "8");
	uint64_t truth_ns = cpu_ns_of(a.pid);
	live_sample(&l);
	const struct task_row *t = frame_task(l.last, (uint32_t)a.pid, 0);
	assert_non_null(t);
	assert_int_equal(t->threads, 1);
	assert_true(t->cpu_ns_total >= truth_ns &&
		    t->cpu_ns_total < truth_ns + truth_ns / 50 + NS_PER_MS);
	assert_true(t->cpu_pct > 0); /* started after the reading before: all of it is new */
	actor_end(&a);
	live_close(&l);
}

/* What the two sources know in common must be the same. */
static void both_sources_agree_on_identity(void **state)
{
	struct live bpf, proc;
	uint32_t same = 0;
	(void)state;

	open_iterator(&bpf);
	open_proc(&proc);
	for (uint32_t i = 0; i < bpf.last->sec[SEC_TASK].nrows; i++) {
		const struct task_row *x = &FRAME_ROWS(bpf.last, task, TASK)[i];
		const struct task_row *y = frame_task(proc.last, x->tgid, x->start_ns);
		if (!y)
			continue;
		same++;
		assert_int_equal(x->ppid, y->ppid);
		assert_int_equal(x->uid, y->uid);
		assert_int_equal(x->is_kthread, y->is_kthread);
		assert_int_equal(x->nice, y->nice);
	}
	print_message("%u of %u processes are the same\n", same, bpf.last->sec[SEC_TASK].nrows);
	assert_true(same * 10 >= bpf.last->sec[SEC_TASK].nrows * 7);
	assert_true(same > 10);
	live_close(&bpf);
	live_close(&proc);
}

/* What went wrong, by number; runs without privilege in a child. */
static int look_as_nobody(pid_t child_of_root)
{
	struct live l = { .c = &collector_tasks, .self = calloc(1, collector_tasks.self_size) };

	if (!l.self || setgid(65534) || setuid(65534) || collector_env_live(&l.env, &l.e))
		return 1;
	l.env.focus = &l.focus;
	l.env.may_bpf = true;
	for (int i = 0; i < 3; i++) {
		struct frame_builder *b =
			frame_builder_new(l.last, clock_mono_ns(), clock_wall_ns());
		if (!b || collector_run(l.c, l.self, &l.env, b, &l.cost, &l.e))
			return 2;
		frame_unref(l.last);
		l.last = frame_seal(b);
	}
	const struct task_row *other = frame_task(l.last, (uint32_t)child_of_root, 0);
	const struct task_row *own = frame_task(l.last, (uint32_t)getpid(), 0);
	struct text why = l.last->sec[SEC_TASK].why;
	if (!other || !own)
		return 3;
	if (!text_has(why, "from /proc", 10) || !text_has(why, "CAP_BPF", 7))
		return 4;
	if (other->uid != 0 || other->read_bytes_total != U64_UNKNOWN || isnan(other->cpu_pct))
		return 5;
	if (own->uid != 65534 || own->read_bytes_total == U64_UNKNOWN)
		return 6;
	live_close(&l);
	return 0;
}

static void an_ordinary_user_sees_all_processes_and_why_not_more(void **state)
{
	struct actor a = actor_start("threads", "1");
	int status;
	(void)state;

	pid_t pid = fork();
	if (!pid)
		_exit(look_as_nobody(a.pid));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	actor_end(&a);
}

static double us_per_process(struct live *l)
{
	l->cost = (struct cost){ 0 };
	for (int i = 0; i < 20; i++)
		live_sample(l);
	return (double)l->cost.self_ns / 20e3 / l->last->sec[SEC_TASK].nrows;
}

static void the_iterator_costs_a_fraction_of_proc(void **state)
{
	struct live bpf, proc;
	(void)state;

	open_iterator(&bpf);
	open_proc(&proc);
	double iterator_us = us_per_process(&bpf), proc_us = us_per_process(&proc);
	print_message("iterator %.2f us per process, /proc %.2f us\n", iterator_us, proc_us);
	assert_true(iterator_us * 5 < proc_us);
	live_close(&bpf);
	live_close(&proc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spinning_process_reads_what_it_spent),
		cmocka_unit_test(threads_zombies_and_odd_names_are_seen),
		cmocka_unit_test(cpu_time_of_exited_threads_is_kept),
		cmocka_unit_test(both_sources_agree_on_identity),
		cmocka_unit_test(an_ordinary_user_sees_all_processes_and_why_not_more),
		cmocka_unit_test(the_iterator_costs_a_fraction_of_proc),
	};

	if (geteuid()) {
		puts("skipped: loading BPF programs needs root");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
