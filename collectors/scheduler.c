#include "collectors/scheduler.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "collectors/process_cost.h"
#include "collectors/slot.h"
#include "collectors/summarise.h"

/* A pane that is left and entered again soon does not pay for opening twice. */
#define CLOSE_AFTER_NS  (3 * NS_PER_S)
#define SECOND_FRAME_NS (200 * NS_PER_MS)

struct scheduler {
	struct collector_env env;
	struct request focus; /* env.focus */
	struct frame *prev;
	bool is_forced; /* the next frame samples everything that is open */
	struct process_cost process;
	size_t nslots;
	struct slot slots[];
};

struct scheduler *scheduler_new(const struct scheduler_options *o, struct err *e)
{
	struct scheduler *s = calloc(1, sizeof(*s) + o->ncollectors * sizeof(s->slots[0]));

	if (!s) {
		err_set(e, ENOMEM, "out of memory");
		return NULL;
	}
	s->env = *o->env;
	s->focus = *o->env->focus;
	s->env.focus = &s->focus;
	/* One that provides nothing completes the rows of the others, so it runs behind them. */
	for (int is_last = false; is_last <= true; is_last++)
		for (size_t i = 0; i < o->ncollectors; i++)
			if ((o->collectors[i]->provides == 0) == is_last)
				s->slots[s->nslots++] = slot_of(o->collectors[i], o->period_ns);
	return s;
}

void scheduler_free(struct scheduler *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nslots; i++)
		slot_close(&s->slots[i]);
	frame_unref(s->prev);
	free(s);
}

static bool is_needed(const struct scheduler *s, const struct slot *slot)
{
	return !slot->c->is_on_demand || (slot->c->provides & s->focus.needs);
}

/* A failed collector becomes a closed one again when its time has come. */
static void forgive(struct slot *slot, uint64_t now_ns)
{
	if (slot->state == SLOT_FAILED && now_ns >= slot->retry_ns)
		slot->state = SLOT_CLOSED;
}

static void rest(struct slot *slot, uint64_t now_ns)
{
	/* Its rows are not carried while nobody looks, so the next sample has nothing to
	 * compare with. */
	slot->sampled_ns = 0;
	slot->fresh_samples = 0;
	if (slot->state == SLOT_OPEN && now_ns > slot->needed_ns + CLOSE_AFTER_NS)
		slot_close(slot);
}

static void serve(struct scheduler *s, struct slot *slot, struct frame_builder *b)
{
	uint64_t now_ns = frame_mono_ns(b);

	if (!is_needed(s, slot)) {
		rest(slot, now_ns);
		return;
	}
	slot->needed_ns = now_ns;
	forgive(slot, now_ns);
	if (slot->state == SLOT_CLOSED && !slot->c->is_slow_start)
		slot_open(slot, &s->env, now_ns);
	if (slot->state == SLOT_FAILED)
		slot_mark_failed(slot, b);
	else if (slot->state == SLOT_OPEN && (s->is_forced || slot_is_due(slot, now_ns)))
		slot_sample(slot, &s->env, b);
	else if (slot->state == SLOT_OPEN)
		slot_carry(slot, b);
}

struct frame *scheduler_frame(struct scheduler *s, uint64_t mono_ns, uint64_t wall_ns)
{
	struct frame_builder *b = frame_builder_new(s->prev, mono_ns, wall_ns);
	struct frame *f;

	if (!b)
		return NULL;
	for (size_t i = 0; i < s->nslots; i++)
		serve(s, &s->slots[i], b);
	s->is_forced = false;
	summarise_tasks(b);
	for (size_t i = 0; i < s->nslots; i++)
		slot_cost_row(&s->slots[i], b);
	process_cost_rows(&s->process, b);
	f = frame_seal(b);
	if (!f)
		return NULL;
	frame_unref(s->prev);
	s->prev = frame_ref(f);
	return f;
}

bool scheduler_open_slow(struct scheduler *s, uint64_t mono_ns)
{
	for (size_t i = 0; i < s->nslots; i++) {
		struct slot *slot = &s->slots[i];
		if (!slot->c->is_slow_start || !is_needed(s, slot))
			continue;
		forgive(slot, mono_ns);
		if (slot->state != SLOT_CLOSED)
			continue;
		slot_open(slot, &s->env, mono_ns);
		return true;
	}
	return false;
}

uint64_t scheduler_hurry_ns(const struct scheduler *s)
{
	uint64_t soonest_ns = s->is_forced ? 0 : UINT64_MAX;

	for (size_t i = 0; i < s->nslots; i++) {
		const struct slot *slot = &s->slots[i];
		bool is_startable = slot->state == SLOT_CLOSED && !slot->c->is_slow_start;
		if (!is_needed(s, slot) || (slot->state != SLOT_OPEN && !is_startable))
			continue;
		if (!slot->fresh_samples)
			return 0;
		if (slot_lacks_second(slot))
			soonest_ns = soonest_ns < SECOND_FRAME_NS ? soonest_ns : SECOND_FRAME_NS;
	}
	return soonest_ns;
}

/* A section on screen that the frame before does not have, or has about another scope, is
 * wanted at once. */
static bool is_wanted_at_once(const struct scheduler *s, const struct slot *slot,
			      bool has_other_scope)
{
	uint64_t shown = slot->c->provides & s->focus.needs;

	for (int sec = 0; s->prev && sec < SEC_COUNT; sec++)
		if ((shown & SEC_BIT(sec)) &&
		    (s->prev->sec[sec].state == SEC_OFF || slot->c->is_on_demand))
			return true;
	return shown && has_other_scope;
}

static void take_focus(struct scheduler *s, const struct request *r)
{
	bool has_other_scope = !scope_eq(&s->focus.scope, &r->scope);
	bool has_other_needs = s->focus.needs != r->needs;

	s->focus = *r;
	for (size_t i = 0; (has_other_scope || has_other_needs) && i < s->nslots; i++)
		if (is_wanted_at_once(s, &s->slots[i], has_other_scope))
			s->slots[i].fresh_samples = 0;
}

static int ask_collectors(struct scheduler *s, const struct request *r, uint64_t mono_ns,
			  struct err *e)
{
	for (size_t i = 0; i < s->nslots; i++) {
		struct slot *slot = &s->slots[i];
		if (!slot->c->ask)
			continue;
		if (slot->state == SLOT_CLOSED)
			slot_open(slot, &s->env, mono_ns);
		if (slot->state == SLOT_FAILED) {
			*e = slot->why;
			return -e->code;
		}
		int rc = slot->c->ask(slot->self, &s->env, r, e);
		if (rc == -ENOSYS)
			continue;
		slot->fresh_samples = 0;
		return rc;
	}
	return err_set(e, ENOSYS, "nothing here runs probes");
}

int scheduler_ask(struct scheduler *s, const struct request *r, uint64_t mono_ns, struct err *e)
{
	switch (r->kind) {
	case REQUEST_FOCUS:
		take_focus(s, r);
		return 0;
	case REQUEST_SAMPLE_NOW:
		s->is_forced = true;
		return 0;
	case REQUEST_PROBE_START:
	case REQUEST_PROBE_STOP:
		return ask_collectors(s, r, mono_ns, e);
	}
	return err_set(e, EINVAL, "unknown request");
}
