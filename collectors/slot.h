/* One collector's life: opened, sampled within its budget, closed, and what it has cost. */
#ifndef COLLECTORS_SLOT_H
#define COLLECTORS_SLOT_H

#include "collectors/collector.h"

enum slot_state { SLOT_CLOSED, SLOT_OPEN, SLOT_FAILED };

struct slot {
	const struct collector *c;
	void *self; /* c->self_size bytes; NULL while closed */
	enum slot_state state;
	uint64_t base_period_ns; /* without trouble */
	uint64_t period_ns;      /* now: longer while over budget */
	uint64_t sampled_ns;     /* instant of the latest sample; 0: none whose rows still count */
	uint64_t needed_ns;      /* instant it was last needed */
	uint64_t retry_ns;       /* SLOT_FAILED: next attempt to open */
	uint32_t fresh_samples;  /* since opened, or since the focus it serves changed */
	uint32_t over, under;    /* consecutive samples above the budget, and far enough below it */
	struct err why;          /* of the latest failure to open */
	struct cost cost;        /* user side, and the kernel side of earlier lives */
	struct cost total;       /* cost with the kernel side as of the latest sample */
	uint64_t spent_ns;       /* by the latest sample and since the one before */
	uint64_t interval_ns;    /* between the latest two samples; 0: there is only one */
};

/** A closed slot for a collector, sampled at most every frame_period_ns. */
struct slot slot_of(const struct collector *c, uint64_t frame_period_ns);

/** Open it; on failure the slot is FAILED with words and not tried again for ten seconds. */
void slot_open(struct slot *s, const struct collector_env *env, uint64_t now_ns);

/** Close it; its cost stays. */
void slot_close(struct slot *s);

/** True when it is open and its next sample may be taken at now_ns. */
bool slot_is_due(const struct slot *s, uint64_t now_ns);

/** True when it has one sample and needs another for its rates, sooner than its period. */
bool slot_lacks_second(const struct slot *s);

/** Sample into the frame of that instant, charge for it and adapt the period to the budget. */
void slot_sample(struct slot *s, const struct collector_env *env, struct frame_builder *b);

/** Bring the sections of the frame before into this one, marked STALE when the budget is why. */
void slot_carry(const struct slot *s, struct frame_builder *b);

/** Mark its sections with why it could not be opened. */
void slot_mark_failed(const struct slot *s, struct frame_builder *b);

/** Its row of the COST section. */
void slot_cost_row(const struct slot *s, struct frame_builder *b);

#endif
