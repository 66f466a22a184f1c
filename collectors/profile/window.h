/* The last seconds of samples, kept by slice so that old ones leave, and folded into functions. */
#ifndef COLLECTORS_PROFILE_WINDOW_H
#define COLLECTORS_PROFILE_WINDOW_H

#include "base/vec.h"
#include "collectors/symbols/names.h"
#include "frame/scope.h"

/** Samples of one thread in one function. */
struct hit {
	const struct symbol *symbol;
	struct text comm;
	uint64_t start_ns; /* 0: not known */
	uint32_t tgid, tid, n;
};

/** What came with one look at the rings. */
struct slice {
	VEC(struct hit) hits;
	uint64_t end_ns;
	uint64_t samples, lost, throttled;
	double busy_s; /* CPU time the host had while it was filled; NaN: not known */
};

/** Zeroed is empty. */
struct window {
	VEC(struct slice) slices; /* oldest first */
};

/** One function within a scope. */
struct window_row {
	const struct symbol *symbol;
	struct text comm; /* of the process with most of the samples */
	uint32_t tgid;
	uint64_t samples, top_samples;
};

/** Functions of a scope, hottest first, and what the whole window holds. */
struct window_sum {
	VEC(struct window_row) rows;
	uint64_t samples, unresolved; /* in the scope */
	uint64_t all_samples, lost, throttled;
	double busy_s;
};

/** Begin a slice that ends now, and drop those that ended more than keep_ns ago. NULL: no memory. */
struct slice *window_begin(struct window *w, uint64_t now_ns, uint64_t keep_ns);

/** Count one sample; false when memory is used up. */
bool slice_add(struct slice *s, const struct hit *h);

/** Join equal hits, when all of the slice are there. */
void slice_fold(struct slice *s);

/** Sum the hits inside scope into out (zeroed); false when memory is used up. Free out->rows. */
bool window_fold(const struct window *w, const struct scope *scope, struct window_sum *out);

/** Free the memory; empty and usable after. */
void window_fini(struct window *w);

#endif
