#include "collectors/slot.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fmt.h"

#define RETRY_NS      (10 * NS_PER_S)
#define PERIOD_MAX_NS (64 * NS_PER_S)
/* Rates need two samples; the second one does not wait for a whole period. */
#define SECOND_SAMPLE_NS (200 * NS_PER_MS)
/* What is sampled less often than this has no rates to show. */
#define RATES_PERIOD_MAX_NS (5 * NS_PER_S)

struct slot slot_of(const struct collector *c, uint64_t frame_period_ns)
{
	uint64_t period_ns = c->period_ns > frame_period_ns ? c->period_ns : frame_period_ns;
	struct cost nothing = { .events_per_s = F64_UNKNOWN, .ns_per_event = F64_UNKNOWN };

	return (struct slot){
		.c = c,
		.base_period_ns = period_ns,
		.period_ns = period_ns,
		.cost = nothing,
		.total = nothing,
	};
}

static int open_self(struct slot *s, const struct collector_env *env)
{
	s->self = calloc(1, s->c->self_size ? s->c->self_size : 1);
	if (!s->self)
		return err_set(&s->why, ENOMEM, "out of memory");
	return s->c->open ? s->c->open(s->self, env, &s->why) : 0;
}

void slot_open(struct slot *s, const struct collector_env *env, uint64_t now_ns)
{
	uint64_t cpu_ns = clock_thread_cpu_ns();
	int rc;

	s->why = (struct err){ 0 };
	rc = open_self(s, env);
	s->cost.self_ns += clock_thread_cpu_ns() - cpu_ns;
	s->state = SLOT_OPEN;
	s->fresh_samples = 0;
	s->sampled_ns = 0;
	s->needed_ns = now_ns;
	if (rc >= 0)
		return;
	if (!s->why.code)
		err_errno(&s->why, -rc, "opening");
	err_at(&s->why, "%s: ", s->c->name);
	slot_close(s);
	s->state = SLOT_FAILED;
	s->retry_ns = now_ns + RETRY_NS;
}

void slot_close(struct slot *s)
{
	/* The next life counts its kernel side from zero again. */
	if (s->total.self_ns > s->cost.self_ns)
		s->cost.self_ns = s->total.self_ns;
	if (s->total.lost > s->cost.lost)
		s->cost.lost = s->total.lost;
	s->total = s->cost;
	if (s->self && s->c->close)
		s->c->close(s->self);
	free(s->self);
	s->self = NULL;
	s->state = SLOT_CLOSED;
	s->sampled_ns = 0;
}

bool slot_lacks_second(const struct slot *s)
{
	return s->fresh_samples == 1 && s->base_period_ns <= RATES_PERIOD_MAX_NS;
}

bool slot_is_due(const struct slot *s, uint64_t now_ns)
{
	if (s->state != SLOT_OPEN)
		return false;
	if (!s->fresh_samples || !s->sampled_ns || now_ns < s->sampled_ns)
		return true;
	/* A timer that fires a little early must not cost a whole period. */
	uint64_t wait_ns = s->period_ns - s->period_ns / 4;
	if (slot_lacks_second(s) && wait_ns > SECOND_SAMPLE_NS)
		wait_ns = SECOND_SAMPLE_NS;
	return now_ns - s->sampled_ns >= wait_ns;
}

static uint64_t allowed_ns(const struct slot *s, uint64_t period_ns)
{
	return (uint64_t)((double)s->c->budget_ns * (double)period_ns / (double)NS_PER_S);
}

/* The period doubles rather than a sample being skipped at random: a late number is shown as
 * late. */
static void adapt_period(struct slot *s, uint64_t spent_ns)
{
	if (!s->c->budget_ns)
		return;
	s->over = spent_ns > allowed_ns(s, s->period_ns) ? s->over + 1 : 0;
	s->under = spent_ns <= allowed_ns(s, s->period_ns / 2) / 2 ? s->under + 1 : 0;
	if (s->over >= 2 && s->period_ns < PERIOD_MAX_NS) {
		s->period_ns *= 2;
		s->over = 0;
	} else if (s->under >= 4 && s->period_ns > s->base_period_ns) {
		s->period_ns /= 2;
		s->under = 0;
	}
}

void slot_sample(struct slot *s, const struct collector_env *env, struct frame_builder *b)
{
	uint64_t now_ns = frame_mono_ns(b), before_ns = s->total.self_ns;
	uint64_t elapsed_ns = s->sampled_ns && now_ns > s->sampled_ns ? now_ns - s->sampled_ns : 0;

	frame_set_elapsed_ns(b, elapsed_ns);
	collector_run(s->c, s->self, env, b, &s->cost, &s->why);
	s->total = s->cost;
	if (s->c->cost)
		s->c->cost(s->self, &s->total);
	s->spent_ns = s->total.self_ns > before_ns ? s->total.self_ns - before_ns : 0;
	s->interval_ns = elapsed_ns;
	/* What opening and the first look cost is no measure of what follows. */
	if (elapsed_ns)
		adapt_period(s, s->spent_ns);
	s->sampled_ns = now_ns;
	s->fresh_samples++;
}

void slot_carry(const struct slot *s, struct frame_builder *b)
{
	const struct frame *prev = frame_prev(b);
	struct fmt_buf every;

	for (int sec = 0; prev && sec < SEC_COUNT; sec++) {
		if (sec == SEC_COST || !(s->c->provides & SEC_BIT(sec)))
			continue;
		frame_carry(b, (enum frame_sec)sec);
		if (prev->sec[sec].state == SEC_OK && s->period_ns > s->base_period_ns)
			frame_set_state(b, (enum frame_sec)sec, SEC_STALE,
					"over its budget: sampled every %s only",
					fmt_u64(&every, UNIT_NS, s->period_ns, 0).utf8);
	}
}

void slot_mark_failed(const struct slot *s, struct frame_builder *b)
{
	collector_mark_failed(b, s->c->provides, &s->why);
}

static struct text state_text(const struct slot *s)
{
	if (s->state == SLOT_FAILED || (s->state == SLOT_OPEN && s->why.code))
		return TEXT("failed");
	if (s->state == SLOT_CLOSED || !s->sampled_ns)
		return TEXT("off");
	return s->period_ns > s->base_period_ns ? TEXT("over budget") : TEXT("running");
}

static struct text why_text(const struct slot *s, struct arena *a)
{
	struct fmt_buf may, every;

	if (s->why.code)
		return text_clean_str(a, s->why.text);
	if (s->state == SLOT_CLOSED || !s->sampled_ns)
		return s->c->is_on_demand ? TEXT("nothing on screen needs it") : TEXT("starting");
	if (s->period_ns > s->base_period_ns)
		return text_printf(a, "may spend %s of CPU a second: sampled every %s only",
				   fmt_u64(&may, UNIT_NS, s->c->budget_ns, 0).utf8,
				   fmt_u64(&every, UNIT_NS, s->period_ns, 0).utf8);
	return TEXT("");
}

/* A sample that is long ago has been paid for over all the time since. */
static double cpu_pct(const struct slot *s, uint64_t now_ns)
{
	uint64_t since_ns = now_ns - s->sampled_ns;
	uint64_t window_ns = since_ns > s->interval_ns ? since_ns : s->interval_ns;

	if (!s->sampled_ns)
		return 0;
	return window_ns ? 100.0 * (double)s->spent_ns / (double)window_ns : F64_UNKNOWN;
}

void slot_cost_row(const struct slot *s, struct frame_builder *b)
{
	struct cost_row *row = FRAME_ADD(b, cost, COST);

	if (!row)
		return;
	row->who = text_clean_str(frame_arena(b), s->c->name);
	row->kind = TEXT("collector");
	row->state = state_text(s);
	row->why = why_text(s, frame_arena(b));
	row->period_ns = s->period_ns;
	row->self_ns_total = s->total.self_ns;
	row->wall_ns_total = s->total.wall_ns;
	row->last_wall_ns = s->total.last_wall_ns;
	row->runs = s->total.runs;
	row->overruns = s->total.overruns;
	row->events_per_s = s->total.events_per_s;
	row->ns_per_event = s->total.ns_per_event;
	row->cpu_pct = cpu_pct(s, frame_mono_ns(b));
	row->lost = s->total.lost;
}
