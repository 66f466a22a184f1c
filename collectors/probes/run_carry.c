/* Owns what remains of a probe that ended: its last rows, frame after frame. */
#include "collectors/probes/run.h"

static void carry_hist(const struct hist_row *from, struct frame_builder *b)
{
	struct hist_row *row = FRAME_ADD(b, hist, HIST);

	if (!row)
		return;
	*row = *from;
	row->name = text_copy(frame_arena(b), from->name);
	row->key = text_copy(frame_arena(b), from->key);
	row->delta = 0;
}

static void carry_counts(const struct counts_row *from, struct frame_builder *b)
{
	struct counts_row *row = FRAME_ADD(b, counts, COUNTS);

	if (!row)
		return;
	*row = *from;
	row->name = text_copy(frame_arena(b), from->name);
	row->key = text_copy(frame_arena(b), from->key);
	row->per_s = 0;
}

void run_carry(const struct probe_run *r, struct frame_builder *b)
{
	const struct frame *f = frame_prev(b);
	const struct hist_row *h = f ? FRAME_ROWS(f, hist, HIST) : NULL;
	const struct counts_row *c = f ? FRAME_ROWS(f, counts, COUNTS) : NULL;

	for (uint32_t i = 0; h && i < f->sec[SEC_HIST].nrows; i++)
		if (h[i].probe_id == r->id)
			carry_hist(&h[i], b);
	for (uint32_t i = 0; c && i < f->sec[SEC_COUNTS].nrows; i++)
		if (c[i].probe_id == r->id)
			carry_counts(&c[i], b);
}
