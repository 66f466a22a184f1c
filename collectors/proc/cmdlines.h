/* Command lines as last known, by process identity; what is new is asked of the helper, a few
 * per frame. */
#ifndef COLLECTORS_PROC_CMDLINES_H
#define COLLECTORS_PROC_CMDLINES_H

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "collectors/proc/helper.h"

/** One process: its command line, and the name it had when that was read. */
struct cmdline {
	uint32_t tgid;
	uint64_t start_ns;
	uint64_t comm_hash; /* another comm means exec: read again */
	uint64_t retry_ns;  /* asked again from then on; UINT64_MAX: not by itself */
	uint32_t round;     /* it was last looked up in */
	bool is_asked;      /* an answer is on its way */
	struct text text;   /* owned; unknown until the first answer */
};

/** Zeroed is empty. */
struct cmdline_cache {
	VEC(struct cmdline) rows;
	struct map by_identity; /* to the index in rows */
	struct arena scratch;
	uint32_t round, questions_left;
};

/** Start a frame: take in what the helper has answered and allow this frame's questions. */
void cmdline_cache_begin(struct cmdline_cache *c, struct helper *h, uint64_t now_ns);

/** The command line as last known, borrowed until the next begin; unknown until it was read.
 * Asks when it should. */
struct text cmdline_cache_get(struct cmdline_cache *c, struct helper *h, uint32_t tgid,
			      uint64_t start_ns, struct text comm, uint64_t now_ns);

/** End a frame: forget the processes that were not looked up in it. */
void cmdline_cache_end(struct cmdline_cache *c);

/** Free everything; empty and usable after. */
void cmdline_cache_fini(struct cmdline_cache *c);

#endif
