/* One probe from its start to its removal: what is loaded, what it was, what it cost. */
#ifndef COLLECTORS_PROBES_RUN_H
#define COLLECTORS_PROBES_RUN_H

#include "base/map.h"
#include "collectors/probes/cost.h"
#include "collectors/probes/load.h"
#include "collectors/probes/load_program.h"
#include "collectors/probes/probe.h"

enum run_state { RUN_RUNNING, RUN_STOPPED, RUN_FAILED };

struct event_queue;

/** A probe of this session; ids are never used twice. Zeroed is empty. */
struct probe_run {
	uint32_t id;
	enum run_state state;
	struct text_buf why;            /* when it is not running */
	const struct probe_entry *entry; /* NULL: a bespoke program */
	struct text_buf name;           /* of a tool that does not exist; empty otherwise */
	const struct probe_family *family;
	struct scope scope;
	char arg[64];
	char *program;                  /* text of a bespoke program, owned */
	uint64_t since_wall_ns;
	uint64_t read_mono_ns;          /* when its maps were read last */
	double predicted_cpu_pct;

	struct loaded_tool tool;
	struct loaded_program bespoke;
	struct event_queue *events;     /* events shape only */
	struct map before;              /* counts at the reading before, by hash of the key */

	struct run_cost cost;
	double budget_cpu_pct;
	uint32_t periods_over;
	uint64_t over_since_ns;         /* monotonic */
	uint64_t values_total;          /* values in its output since it started */
	uint64_t dropped;               /* read but not shown: more than a frame may hold */
	uint64_t lost, unmatched;
	uint64_t memory_bytes;
};

/** Load and attach what r->entry or r->program asks for; on failure nothing stays loaded. */
int run_start(struct probe_run *r, const struct collector_env *env, struct err *e);

/** Detach and unload; the record and its reason stay. */
void run_stop(struct probe_run *r, enum run_state state, struct text why);

/** Stop and free all of it; accepts zeroed. */
void run_fini(struct probe_run *r);

/** Read its maps into the frame. */
int run_read(struct probe_run *r, struct frame_builder *b, struct err *e);

/** Bring the histogram and counts of an ended probe from the frame before: its result stays readable. */
void run_carry(const struct probe_run *r, struct frame_builder *b);

/** Program fds, borrowed, for statistics; their number. */
uint32_t run_prog_fds(const struct probe_run *r, const int **fds);

/** The increase of a counter of this probe since it was read last, and remember it. */
uint64_t run_delta(struct probe_run *r, uint64_t key_hash, uint64_t total);

/** Nanoseconds since this probe was read last. */
uint64_t run_elapsed_ns(const struct probe_run *r, uint64_t mono_ns);

#endif
