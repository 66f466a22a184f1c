/* Completes the TASK rows of the frame with command lines; reading them is the helper's part. */
#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/cmdlines.h"
#include "collectors/proc/helper.h"

struct cmdlines_state {
	struct helper *helper;
	struct cmdline_cache cache;
};

static int cmdlines_open(void *self, const struct collector_env *env, struct err *e)
{
	struct cmdlines_state *st = self;

	st->helper = helper_start(env->proc_fd, e);
	return st->helper ? 0 : -e->code;
}

static int cmdlines_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			   struct err *e)
{
	struct cmdlines_state *st = self;
	uint64_t now_ns = frame_mono_ns(b);
	uint32_t n;
	struct task_row *tasks = frame_built(b, SEC_TASK, &n);

	(void)env;
	(void)e;
	cmdline_cache_begin(&st->cache, st->helper, now_ns);
	for (uint32_t i = 0; i < n; i++) {
		struct task_row *t = &tasks[i];
		if (t->is_kthread == 1 || t->state == 'Z')
			continue; /* they have none */
		struct text known = cmdline_cache_get(&st->cache, st->helper, t->tgid, t->start_ns,
						      t->comm, now_ns);
		if (known.utf8 && !t->cmdline.utf8)
			t->cmdline = text_copy(frame_arena(b), known);
	}
	if (n)
		cmdline_cache_end(&st->cache);
	return 0;
}

static void cmdlines_cost(void *self, struct cost *c)
{
	const struct cmdlines_state *st = self;

	c->self_ns += helper_cpu_ns(st->helper);
	c->lost += helper_hung(st->helper);
}

static void cmdlines_close(void *self)
{
	struct cmdlines_state *st = self;

	helper_free(st->helper);
	cmdline_cache_fini(&st->cache);
}

const struct collector collector_cmdlines = {
	.name = "cmdlines",
	.provides = 0, /* only completes */
	.period_ns = NS_PER_S / 10,
	.budget_ns = 10 * NS_PER_MS,
	.self_size = sizeof(struct cmdlines_state),
	.open = cmdlines_open,
	.sample = cmdlines_sample,
	.cost = cmdlines_cost,
	.close = cmdlines_close,
};
