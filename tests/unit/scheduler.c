/* The scheduler with collectors of its own: who is sampled when, what failure and cost look
 * like. */
#include "proc_tree.h"

#include <errno.h>

#include "collectors/scheduler.h"

/* What a test's collectors see and do; its address rides in the focus. */
struct script {
	int opens, samples, closes, asks;
	int open_error, sample_error, ask_error;
	uint64_t burn_ns, kernel_ns, elapsed_ns, focus_needs;
};

static struct script *script_of(const struct collector_env *env)
{
	return (struct script *)env->focus->scope.start_ns;
}

struct scripted {
	struct script *script;
};

static int scripted_open(void *self, const struct collector_env *env, struct err *e)
{
	struct script *s = script_of(env);

	((struct scripted *)self)->script = s;
	s->opens++;
	return s->open_error ? err_errno(e, s->open_error, "loading") : 0;
}

static int scripted_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			   struct err *e)
{
	struct script *s = ((struct scripted *)self)->script;
	uint64_t until_ns = clock_thread_cpu_ns() + s->burn_ns;

	while (clock_thread_cpu_ns() < until_ns)
		;
	s->samples++;
	s->elapsed_ns = frame_elapsed_ns(b);
	s->focus_needs = env->focus->needs;
	if (s->sample_error)
		return err_errno(e, s->sample_error, "reading");
	struct disk_row *d = FRAME_ADD(b, disk, DISK);
	d->name = text_printf(frame_arena(b), "sample %d", s->samples);
	return 0;
}

static int scripted_ask(void *self, const struct collector_env *env, const struct request *r,
			struct err *e)
{
	struct script *s = ((struct scripted *)self)->script;

	(void)env;
	s->asks++;
	if (strcmp(r->tool, "mine") != 0)
		return -ENOSYS;
	return s->ask_error ? err_set(e, s->ask_error, "no such tool") : 0;
}

static void scripted_cost(void *self, struct cost *c)
{
	c->self_ns += ((struct scripted *)self)->script->kernel_ns;
	c->ns_per_event = 300;
}

static void scripted_close(void *self)
{
	struct script *s = ((struct scripted *)self)->script;

	if (s)
		s->closes++;
}

#define SCRIPTED                                                                                   \
	.name = "scripted", .provides = SEC_BIT(SEC_DISK), .period_ns = NS_PER_S,                  \
	.self_size = sizeof(struct scripted), .open = scripted_open, .sample = scripted_sample,    \
	.ask = scripted_ask, .cost = scripted_cost, .close = scripted_close

static const struct collector always = { SCRIPTED };
static const struct collector on_demand = { SCRIPTED, .is_on_demand = true };
static const struct collector slow = { SCRIPTED, .is_slow_start = true };
static const struct collector frugal = { SCRIPTED, .budget_ns = 4 * NS_PER_MS };

/* A scheduler of one collector, with its script, its clock and the latest frame. */
struct rig {
	struct script script;
	struct scheduler *s;
	struct frame *f;
	uint64_t now_ns;
};

static struct request focus_on(struct rig *r, uint64_t needs, uint32_t tgid)
{
	struct request focus = { .kind = REQUEST_FOCUS, .needs = needs };

	focus.scope.kind = tgid ? SCOPE_PROCESS : SCOPE_HOST;
	focus.scope.tgid = tgid;
	focus.scope.start_ns = (uint64_t)(uintptr_t)&r->script;
	return focus;
}

static void rig_start(struct rig *r, const struct collector *c)
{
	const struct collector *const one[] = { c };
	struct request focus = focus_on(r, 0, 0);
	struct collector_env env = { -1, -1, -1, false, &focus };
	struct scheduler_options o = { one, 1, &env, NS_PER_S };
	struct err e;

	r->s = scheduler_new(&o, &e);
	assert_non_null(r->s);
	r->now_ns = START_NS;
}

static const struct frame *rig_frame(struct rig *r, uint64_t later_ns)
{
	r->now_ns += later_ns;
	frame_unref(r->f);
	r->f = scheduler_frame(r->s, r->now_ns, r->now_ns);
	assert_non_null(r->f);
	return r->f;
}

static void rig_focus(struct rig *r, uint64_t needs, uint32_t tgid)
{
	struct request focus = focus_on(r, needs, tgid);
	struct err e;

	assert_int_equal(scheduler_ask(r->s, &focus, r->now_ns, &e), 0);
}

static void rig_end(struct rig *r)
{
	frame_unref(r->f);
	scheduler_free(r->s);
	assert_int_equal(r->script.opens, r->script.closes);
}

static const struct cost_row *cost_of(const struct frame *f, const char *who)
{
	for (uint32_t i = 0; i < f->sec[SEC_COST].nrows; i++)
		if (text_is(FRAME_ROWS(f, cost, COST)[i].who, who))
			return &FRAME_ROWS(f, cost, COST)[i];
	fail_msg("no cost row %s", who);
	return NULL;
}

static void assert_shows(const struct frame *f, const char *name)
{
	assert_int_equal(f->sec[SEC_DISK].nrows, 1);
	assert_true(text_is(FRAME_ROWS(f, disk, DISK)->name, name));
}

static void what_is_not_due_is_carried_and_keeps_its_age(void **state)
{
	struct rig r = { 0 };
	(void)state;

	rig_start(&r, &always);
	assert_int_equal(scheduler_hurry_ns(r.s), 0);
	assert_shows(rig_frame(&r, 0), "sample 1");
	assert_int_equal(r.script.elapsed_ns, 0);
	assert_int_equal(scheduler_hurry_ns(r.s), 200 * NS_PER_MS);
	assert_shows(rig_frame(&r, 100 * NS_PER_MS), "sample 1");
	assert_shows(rig_frame(&r, 100 * NS_PER_MS), "sample 2");
	assert_int_equal(r.script.elapsed_ns, 200 * NS_PER_MS);
	assert_true(scheduler_hurry_ns(r.s) == UINT64_MAX);
	assert_shows(rig_frame(&r, 300 * NS_PER_MS), "sample 2");
	assert_shows(rig_frame(&r, 300 * NS_PER_MS), "sample 2");
	assert_int_equal(r.f->elapsed_ns, 300 * NS_PER_MS);
	assert_shows(rig_frame(&r, 200 * NS_PER_MS), "sample 3");
	assert_int_equal(r.script.elapsed_ns, 800 * NS_PER_MS);
	assert_shows(rig_frame(&r, 3600 * NS_PER_S), "sample 4");
	assert_int_equal(r.script.elapsed_ns, 3600 * NS_PER_S);
	struct request now = { .kind = REQUEST_SAMPLE_NOW };
	struct err e;
	assert_int_equal(scheduler_ask(r.s, &now, r.now_ns, &e), 0);
	assert_int_equal(scheduler_hurry_ns(r.s), 0);
	assert_shows(rig_frame(&r, 60 * NS_PER_MS), "sample 5");
	assert_int_equal(r.script.elapsed_ns, 60 * NS_PER_MS);
	rig_end(&r);
}

static void what_is_seldom_sampled_is_not_hurried_and_paid_for_over_time(void **state)
{
	static const struct collector seldom = { .name = "seldom",
						 .provides = SEC_BIT(SEC_DISK),
						 .period_ns = 60 * NS_PER_S,
						 .self_size = sizeof(struct scripted),
						 .open = scripted_open,
						 .sample = scripted_sample,
						 .close = scripted_close };
	struct rig r = { .script = { .burn_ns = 10 * NS_PER_MS } };
	(void)state;

	rig_start(&r, &seldom);
	rig_frame(&r, 0);
	assert_true(isnan(cost_of(r.f, "seldom")->cpu_pct));
	assert_true(scheduler_hurry_ns(r.s) == UINT64_MAX);
	rig_frame(&r, NS_PER_S);
	double soon_pct = cost_of(r.f, "seldom")->cpu_pct;
	assert_true(soon_pct >= 1);
	rig_frame(&r, 9 * NS_PER_S);
	assert_near(cost_of(r.f, "seldom")->cpu_pct, soon_pct / 10);
	assert_int_equal(r.script.samples, 1);
	rig_frame(&r, 50 * NS_PER_S);
	assert_int_equal(r.script.samples, 2);
	rig_end(&r);
}

static void on_demand_runs_only_while_it_is_looked_at(void **state)
{
	struct rig r = { 0 };
	(void)state;

	rig_start(&r, &on_demand);
	assert_int_equal(rig_frame(&r, 0)->sec[SEC_DISK].state, SEC_OFF);
	assert_true(text_is(cost_of(r.f, "scripted")->state, "off"));
	assert_true(scheduler_hurry_ns(r.s) == UINT64_MAX);
	rig_focus(&r, SEC_BIT(SEC_NET), 0);
	rig_frame(&r, NS_PER_S);
	assert_int_equal(r.script.opens, 0);

	rig_focus(&r, SEC_BIT(SEC_DISK), 0);
	assert_int_equal(scheduler_hurry_ns(r.s), 0);
	assert_shows(rig_frame(&r, NS_PER_S), "sample 1");
	assert_int_equal(r.script.focus_needs, SEC_BIT(SEC_DISK));
	assert_shows(rig_frame(&r, NS_PER_S), "sample 2");
	rig_focus(&r, SEC_BIT(SEC_DISK), 77); /* another process: at once */
	assert_int_equal(scheduler_hurry_ns(r.s), 0);
	assert_shows(rig_frame(&r, 50 * NS_PER_MS), "sample 3");

	rig_focus(&r, SEC_BIT(SEC_NET), 0);
	assert_int_equal(rig_frame(&r, NS_PER_S)->sec[SEC_DISK].state, SEC_OFF);
	assert_int_equal(r.script.closes, 0);
	rig_frame(&r, 5 * NS_PER_S);
	assert_int_equal(r.script.closes, 1);
	rig_focus(&r, SEC_BIT(SEC_DISK), 0);
	assert_shows(rig_frame(&r, NS_PER_S), "sample 4");
	assert_int_equal(r.script.elapsed_ns, 0);
	assert_int_equal(r.script.opens, 2);
	rig_end(&r);
}

static void a_slow_start_waits_until_frames_flow(void **state)
{
	struct rig r = { 0 };
	(void)state;

	rig_start(&r, &slow);
	assert_int_equal(rig_frame(&r, 0)->sec[SEC_DISK].state, SEC_OFF);
	assert_int_equal(r.script.opens, 0);
	assert_true(text_is(cost_of(r.f, "scripted")->why, "starting"));
	assert_true(scheduler_open_slow(r.s, r.now_ns));
	assert_false(scheduler_open_slow(r.s, r.now_ns));
	assert_int_equal(r.script.opens, 1);
	assert_int_equal(scheduler_hurry_ns(r.s), 0);
	assert_shows(rig_frame(&r, 50 * NS_PER_MS), "sample 1");
	rig_end(&r);
}

static void a_failed_open_keeps_its_words_and_is_tried_again_later(void **state)
{
	struct rig r = { .script = { .open_error = EPERM } };
	(void)state;

	rig_start(&r, &always);
	rig_frame(&r, 0);
	assert_int_equal(r.f->sec[SEC_DISK].state, SEC_DENIED);
	assert_true(text_has(r.f->sec[SEC_DISK].why, "loading", 7));
	assert_true(text_is(cost_of(r.f, "scripted")->state, "failed"));
	assert_true(text_has(cost_of(r.f, "scripted")->why, "scripted: ", 10));
	assert_true(scheduler_hurry_ns(r.s) == UINT64_MAX);
	for (int i = 0; i < 9; i++)
		assert_int_equal(rig_frame(&r, NS_PER_S)->sec[SEC_DISK].state, SEC_DENIED);
	assert_int_equal(r.script.opens, 1);
	r.script.open_error = ENOENT;
	assert_int_equal(rig_frame(&r, NS_PER_S)->sec[SEC_DISK].state, SEC_FAILED);
	assert_int_equal(r.script.opens, 2);
	assert_int_equal(r.script.closes, 2);
	r.script.open_error = 0;
	assert_shows(rig_frame(&r, 10 * NS_PER_S), "sample 1");
	rig_end(&r);
}

static void a_failed_sample_marks_its_sections_once(void **state)
{
	struct rig r = { .script = { .sample_error = EIO } };
	(void)state;

	rig_start(&r, &always);
	rig_frame(&r, 0);
	assert_int_equal(r.f->sec[SEC_DISK].state, SEC_FAILED);
	assert_true(text_has(r.f->sec[SEC_DISK].why, "scripted: reading", 17));
	assert_true(text_is(cost_of(r.f, "scripted")->state, "failed"));
	r.script.sample_error = 0;
	rig_frame(&r, NS_PER_S);
	assert_int_equal(r.f->sec[SEC_DISK].state, SEC_OK);
	assert_true(text_is(cost_of(r.f, "scripted")->state, "running"));
	rig_end(&r);
}

static void over_budget_doubles_the_period_in_sight(void **state)
{
	struct rig r = { .script = { .burn_ns = 9 * NS_PER_MS } };
	(void)state;

	rig_start(&r, &frugal);
	for (int i = 0; i < 3; i++)
		rig_frame(&r, NS_PER_S);
	assert_int_equal(r.script.samples, 3);
	const struct cost_row *c = cost_of(r.f, "scripted");
	assert_int_equal(c->period_ns, 2 * NS_PER_S);
	assert_true(text_is(c->state, "over budget"));
	assert_true(c->why.len > 0);
	assert_int_equal(rig_frame(&r, NS_PER_S)->sec[SEC_DISK].state, SEC_STALE);
	assert_true(r.f->sec[SEC_DISK].why.len > 0);
	assert_shows(r.f, "sample 3");
	assert_int_equal(rig_frame(&r, NS_PER_S)->sec[SEC_DISK].state, SEC_OK);
	assert_int_equal(r.script.elapsed_ns, 2 * NS_PER_S);

	r.script.burn_ns = 0;
	for (int i = 0; i < 20; i++)
		rig_frame(&r, NS_PER_S);
	assert_int_equal(cost_of(r.f, "scripted")->period_ns, NS_PER_S);
	assert_true(text_is(cost_of(r.f, "scripted")->state, "running"));
	rig_end(&r);
}

static void the_kernel_side_is_charged_and_outlives_a_close(void **state)
{
	struct rig r = { .script = { .kernel_ns = 100 * NS_PER_S } };
	(void)state;

	rig_start(&r, &on_demand);
	rig_focus(&r, SEC_BIT(SEC_DISK), 0);
	rig_frame(&r, 0);
	rig_frame(&r, NS_PER_S);
	const struct cost_row *c = cost_of(r.f, "scripted");
	assert_int_equal(c->runs, 2);
	assert_in_range(c->self_ns_total, 100 * NS_PER_S, 101 * NS_PER_S);
	assert_near(c->ns_per_event, 300);
	assert_true(isnan(c->events_per_s));
	r.script.kernel_ns += NS_PER_S / 2;
	c = cost_of(rig_frame(&r, NS_PER_S), "scripted");
	assert_true(c->cpu_pct >= 50 && c->cpu_pct < 60);
	rig_focus(&r, 0, 0);
	c = cost_of(rig_frame(&r, 10 * NS_PER_S), "scripted");
	assert_int_equal(r.script.closes, 1);
	assert_in_range(c->self_ns_total, 100 * NS_PER_S, 101 * NS_PER_S);
	assert_near(c->cpu_pct, 0);
	rig_end(&r);
}

static void rungs_own_threads_have_a_bill(void **state)
{
	struct rig r = { 0 };
	(void)state;

	rig_start(&r, &always);
	rig_frame(&r, 0);
	uint64_t before_ns = cost_of(r.f, "sampler")->self_ns_total;
	rig_frame(&r, NS_PER_S);
	assert_true(cost_of(r.f, "sampler")->self_ns_total > before_ns);
	assert_true(cost_of(r.f, "rung")->self_ns_total >= cost_of(r.f, "sampler")->self_ns_total);
	assert_true(cost_of(r.f, "rung")->cpu_pct > 0);
	rig_end(&r);
}

static void requests_find_the_collector_that_takes_them(void **state)
{
	struct rig r = { 0 };
	struct request start = { .kind = REQUEST_PROBE_START, .tool = "mine" };
	struct err e;
	(void)state;

	rig_start(&r, &slow);
	assert_int_equal(scheduler_ask(r.s, &start, r.now_ns, &e), 0);
	assert_int_equal(r.script.opens, 1);
	assert_int_equal(r.script.asks, 1);
	r.script.ask_error = ENOENT;
	assert_int_equal(scheduler_ask(r.s, &start, r.now_ns, &e), -ENOENT);
	assert_string_equal(e.text, "no such tool");
	snprintf(start.tool, sizeof(start.tool), "other");
	assert_int_equal(scheduler_ask(r.s, &start, r.now_ns, &e), -ENOSYS);
	assert_true(e.text[0] != 0);
	rig_end(&r);

	struct rig failing = { .script = { .open_error = EPERM } };
	rig_start(&failing, &slow);
	assert_int_equal(scheduler_ask(failing.s, &start, failing.now_ns, &e), -EPERM);
	assert_non_null(strstr(e.text, "scripted: loading"));
	rig_end(&failing);
}

/* Three processes with five threads, and the file's counts of the host. */
static int census_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			 struct err *e)
{
	(void)self;
	(void)env;
	(void)e;
	FRAME_ADD(b, sys, SYS)->runnable = 1;
	for (uint32_t i = 0; i < 3; i++) {
		struct task_row *t = FRAME_ADD(b, task, TASK);
		t->state = i == 1 ? 'Z' : 'S';
		t->threads = i == 1 ? U32_UNKNOWN : 1 + i;
		t->threads_in_d = i == 2 ? 2 : 0;
	}
	return 0;
}

static void counts_of_tasks_follow_from_their_rows(void **state)
{
	static const struct collector census = { .name = "census",
						 .period_ns = NS_PER_S,
						 .sample = census_sample,
						 .provides = SEC_BIT(SEC_SYS) | SEC_BIT(SEC_TASK) };
	struct rig r = { 0 };
	(void)state;

	rig_start(&r, &census);
	const struct sys_row *sys = FRAME_ROWS(rig_frame(&r, 0), sys, SYS);
	assert_int_equal(sys->processes, 3);
	assert_int_equal(sys->threads, 4);
	assert_int_equal(sys->zombies, 1);
	assert_int_equal(sys->in_d, 2);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_due_is_carried_and_keeps_its_age),
		cmocka_unit_test(what_is_seldom_sampled_is_not_hurried_and_paid_for_over_time),
		cmocka_unit_test(on_demand_runs_only_while_it_is_looked_at),
		cmocka_unit_test(a_slow_start_waits_until_frames_flow),
		cmocka_unit_test(a_failed_open_keeps_its_words_and_is_tried_again_later),
		cmocka_unit_test(a_failed_sample_marks_its_sections_once),
		cmocka_unit_test(over_budget_doubles_the_period_in_sight),
		cmocka_unit_test(the_kernel_side_is_charged_and_outlives_a_close),
		cmocka_unit_test(rungs_own_threads_have_a_bill),
		cmocka_unit_test(requests_find_the_collector_that_takes_them),
		cmocka_unit_test(counts_of_tasks_follow_from_their_rows),
	};

	return cmocka_run_group_tests_name("scheduler", tests, NULL, NULL);
}
