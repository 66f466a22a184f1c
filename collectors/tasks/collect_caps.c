/*
 * CAP: what this kernel and these privileges allow. Detaching waits for the kernel for a tenth of
 * a second in all, so a thread of its own tries once a minute and no frame waits for it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/collector.h"
#include "collectors/tasks/caps.h"

#define TRY_EVERY_NS (60 * NS_PER_S)
#define CAPS_MAX     32

struct caps_state {
	struct collector_env env; /* the thread's copy */
	pthread_t thread;
	bool has_thread;
	uint64_t tried_ns; /* monotonic, when the thread was started; 0: never */
	uint64_t cpu_ns;   /* of finished threads */
	struct cap_result shown[CAPS_MAX];
	size_t nshown;
	/* The thread's own until is_done is set. */
	atomic_bool is_done;
	struct cap_result fresh[CAPS_MAX];
	uint64_t fresh_cpu_ns;
};

static size_t ncaps(void)
{
	return caps_table_len < CAPS_MAX ? caps_table_len : CAPS_MAX;
}

static void *try_all(void *self)
{
	struct caps_state *st = self;
	uint64_t from_ns = clock_thread_cpu_ns();

	for (size_t i = 0; i < ncaps(); i++)
		st->fresh[i] = cap_try(&caps_table[i], &st->env);
	st->fresh_cpu_ns = clock_thread_cpu_ns() - from_ns;
	atomic_store(&st->is_done, true);
	return NULL;
}

static void collect_results(struct caps_state *st)
{
	pthread_join(st->thread, NULL);
	st->has_thread = false;
	memcpy(st->shown, st->fresh, sizeof(st->shown));
	st->nshown = ncaps();
	st->cpu_ns += st->fresh_cpu_ns;
}

static int start_thread(struct caps_state *st, const struct collector_env *env, uint64_t now_ns,
			struct err *e)
{
	st->env = *env;
	st->tried_ns = now_ns;
	atomic_store(&st->is_done, false);
	int rc = pthread_create(&st->thread, NULL, try_all, st);
	if (rc)
		return err_errno(e, rc, "starting a thread");
	st->has_thread = true;
	return 0;
}

static int caps_sample(void *self, const struct collector_env *env, struct frame_builder *b,
		       struct err *e)
{
	struct caps_state *st = self;
	struct arena *a = frame_arena(b);
	uint64_t now_ns = clock_mono_ns();

	if (st->has_thread && atomic_load(&st->is_done))
		collect_results(st);
	if (!st->has_thread && (!st->tried_ns || now_ns - st->tried_ns >= TRY_EVERY_NS)) {
		int err = start_thread(st, env, now_ns, e);
		if (err)
			return err;
	}
	if (!st->nshown)
		frame_set_state(b, SEC_CAP, SEC_OFF, "being tried");
	for (size_t i = 0; i < st->nshown; i++) {
		const struct cap_result *r = &st->shown[i];
		struct cap_row *row = FRAME_ADD(b, cap, CAP);
		if (!row)
			return err_errno(e, ENOMEM, "capabilities");
		row->name = text_clean_str(a, r->cap->name);
		row->has = r->has;
		row->errno_value = r->why.code;
		row->why = text_clean_str(a, r->why.text);
		row->fix = text_clean_str(a, r->fix);
	}
	return 0;
}

static void caps_cost(void *self, struct cost *c)
{
	const struct caps_state *st = self;

	c->self_ns += st->cpu_ns;
}

static void caps_close(void *self)
{
	struct caps_state *st = self;

	if (st->has_thread)
		pthread_join(st->thread, NULL);
	st->has_thread = false;
}

const struct collector collector_caps = {
	.name = "caps",
	.provides = SEC_BIT(SEC_CAP),
	.period_ns = NS_PER_S,
	.is_slow_start = true,
	.self_size = sizeof(struct caps_state),
	.sample = caps_sample,
	.cost = caps_cost,
	.close = caps_close,
};
