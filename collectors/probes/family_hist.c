/* The hist shape: log2 slots into HIST rows, of tools and of bespoke programs. */
#include <string.h>

#include "collectors/probes/family.h"
#include "collectors/probes/kmap.h"
#include "collectors/probes/run.h"

struct hist_reading {
	struct probe_run *run;
	struct frame_builder *b;
	const struct lang_map *map; /* of a bespoke program; NULL: of a tool */
	struct text name;
	uint32_t nslots;
	struct err *e;
};

/* Slot i of a tool; a bespoke program's slot 0 holds negative values and the others are one further. */
static void slot_range(uint32_t slot, bool has_negative, int64_t *low, int64_t *high)
{
	if (has_negative && slot == 0) {
		*low = INT64_MIN + 1; /* INT64_MIN means unknown */
		*high = 0;
		return;
	}
	slot -= has_negative;
	*low = slot ? (int64_t)(UINT64_C(1) << (slot - 1)) : 0;
	*high = slot >= 63 ? INT64_MAX : (int64_t)(UINT64_C(1) << slot);
}

static int add_slots(void *ctx, const struct kmap *m, const void *key, const void *values)
{
	struct hist_reading *r = ctx;
	struct arena *a = frame_arena(r->b);
	struct text label = family_key_text(a, r->run, r->map, key, m->key_bytes);
	uint64_t hash = family_key_hash(r->map, key, m->key_bytes);

	for (uint32_t i = 0; i < r->nslots; i++) {
		uint64_t n = kmap_sum(m, values, i * 8);
		if (!n)
			continue;
		r->run->values_total += n;
		struct hist_row *row = FRAME_ADD(r->b, hist, HIST);
		if (!row)
			return err_set(r->e, ENOMEM, "no memory for the frame");
		row->probe_id = r->run->id;
		row->name = r->name;
		row->key = label;
		row->slot = i;
		slot_range(i, r->map != NULL, &row->low, &row->high);
		row->count = n;
		row->delta = run_delta(r->run, hash + i * UINT64_C(0x9e3779b97f4a7c15), n);
	}
	return 0;
}

static int read_hists(struct probe_run *run, struct frame_builder *b, struct err *e)
{
	struct hist_reading r = { .run = run, .b = b, .nslots = HIST_SLOTS, .name = TEXT(""), .e = e };
	struct kmap m;
	int err = kmap_init(&m, tool_map_fd(&run->tool, "hists"), e);

	run->values_total = 0;
	return err ? err : kmap_each(&m, add_slots, &r, e);
}

int family_read_hist_map(struct probe_run *run, const struct lang_map *map, int fd, struct frame_builder *b,
			 struct err *e)
{
	struct hist_reading r = { .run = run,
				  .b = b,
				  .map = map,
				  .nslots = LANG_HIST_SLOTS,
				  .name = text_clean_str(frame_arena(b), map->name),
				  .e = e };
	struct kmap m;
	int err = kmap_init(&m, fd, e);

	return err ? err : kmap_each(&m, add_slots, &r, e);
}

const struct probe_family probe_family_hist = { .name = "hist", .read = read_hists };
