/* The counts shape: one row per key into COUNTS, of tools and of bespoke programs. */
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "collectors/probes/family.h"
#include "collectors/probes/kmap.h"
#include "collectors/probes/run.h"

struct counts_reading {
	struct probe_run *run;
	struct frame_builder *b;
	const struct lang_map *map; /* of a bespoke program; NULL: of a tool */
	struct text name;
	uint64_t elapsed_ns;
	struct err *e;
};

static struct counts_row *add_row(struct counts_reading *r, const struct kmap *m, const void *key)
{
	struct counts_row *row = FRAME_ADD(r->b, counts, COUNTS);

	if (!row) {
		err_set(r->e, ENOMEM, "no memory for the frame");
		return NULL;
	}
	row->probe_id = r->run->id;
	row->name = r->name;
	row->key = family_key_text(frame_arena(r->b), r->run, r->map, key, m->key_bytes);
	return row;
}

static double per_s(struct counts_reading *r, const struct kmap *m, const void *key, uint64_t count)
{
	uint64_t delta = run_delta(r->run, family_key_hash(r->map, key, m->key_bytes), count);

	return r->elapsed_ns ? (double)delta * (double)NS_PER_S / (double)r->elapsed_ns : F64_UNKNOWN;
}

static int add_counts(void *ctx, const struct kmap *m, const void *key, const void *values)
{
	struct counts_reading *r = ctx;
	uint64_t n = kmap_sum(m, values, offsetof(struct counts, count));
	struct counts_row *row = n ? add_row(r, m, key) : NULL;

	if (!n)
		return 0;
	if (!row)
		return -ENOMEM;
	r->run->values_total += n;
	row->count = n;
	row->per_s = per_s(r, m, key, n);
	if (r->run->entry->probe->unit != UNIT_NS)
		return 0;
	row->errors = kmap_sum(m, values, offsetof(struct counts, errors));
	uint64_t total_ns = kmap_sum(m, values, offsetof(struct counts, total_ns));
	/* A call that does not return is counted when it is made; it has no time. */
	if (!total_ns)
		return 0;
	row->total_ns = total_ns;
	row->max_ns = kmap_max(m, values, offsetof(struct counts, max_ns));
	row->avg_ns = (double)total_ns / (double)n;
	return 0;
}

static int read_counts(struct probe_run *run, struct frame_builder *b, struct err *e)
{
	struct counts_reading r = { .run = run,
				    .b = b,
				    .name = TEXT(""),
				    .elapsed_ns = run_elapsed_ns(run, clock_mono_ns()),
				    .e = e };
	int small = tool_map_fd(&run->tool, "counts_small");
	struct kmap m;
	int err = kmap_init(&m, tool_map_fd(&run->tool, "counts"), e);

	run->values_total = 0;
	if (!err)
		err = kmap_each(&m, add_counts, &r, e);
	if (!err && small >= 0)
		err = kmap_init(&m, small, e);
	if (!err && small >= 0)
		err = kmap_each(&m, add_counts, &r, e);
	return err;
}

static int add_program_row(void *ctx, const struct kmap *m, const void *key, const void *values)
{
	struct counts_reading *r = ctx;
	uint64_t v = kmap_sum(m, values, 0);

	/* A keyless map always has its entry, also before the first event. */
	if (!v && !r->map->nkeys)
		return 0;
	struct counts_row *row = add_row(r, m, key);
	if (!row)
		return -ENOMEM;
	if (r->map->agg == AGG_COUNT) {
		r->run->values_total += v;
		row->count = v;
		row->per_s = per_s(r, m, key, v);
	} else {
		row->sum = (int64_t)v;
	}
	return 0;
}

int family_read_count_map(struct probe_run *run, const struct lang_map *map, int fd, struct frame_builder *b,
			  struct err *e)
{
	struct counts_reading r = { .run = run,
				    .b = b,
				    .map = map,
				    .name = text_clean_str(frame_arena(b), map->name),
				    .elapsed_ns = run_elapsed_ns(run, clock_mono_ns()),
				    .e = e };
	struct kmap m;
	int err = kmap_init(&m, fd, e);

	return err ? err : kmap_each(&m, add_program_row, &r, e);
}

const struct probe_family probe_family_counts = { .name = "counts", .read = read_counts };
