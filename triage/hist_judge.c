#include "triage/hist_judge.h"

#define ROWS_MAX                                                                                             \
	4096u /* pairs are compared below; a foreign file with more than any tool makes is not judged */

static const struct probe_row *running(const struct frame *f, const char *tool)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (text_is(rows[i].name, tool) && text_is(rows[i].state, "running"))
			return &rows[i];
	return NULL;
}

static bool is_counted(const struct hist_row *r, uint32_t probe_id)
{
	return r->probe_id == probe_id && r->delta != U64_UNKNOWN && r->delta && r->low != I64_UNKNOWN;
}

bool hist_tail_of(const struct frame *f, const char *tool, double share, uint64_t min_values,
		  struct hist_tail *t)
{
	*t = (struct hist_tail){.probe = f ? running(f, tool) : NULL};
	if (!t->probe)
		return false;
	const struct hist_row *rows = FRAME_ROWS(f, hist, HIST);
	uint32_t n = f->sec[SEC_HIST].nrows;
	for (uint32_t i = 0; i < n; i++)
		if (is_counted(&rows[i], t->probe->id))
			t->values += rows[i].delta;
	if (n > ROWS_MAX || t->values < min_values)
		return false;
	/* Slots of several keys may interleave: take the highest bound that still leaves enough values above.
	 */
	for (uint32_t i = 0; i < n; i++) {
		uint64_t beyond = 0;
		if (!is_counted(&rows[i], t->probe->id) || (t->slot && rows[i].low <= t->slot->low))
			continue;
		for (uint32_t k = 0; k < n; k++)
			if (is_counted(&rows[k], t->probe->id) && rows[k].low >= rows[i].low)
				beyond += rows[k].delta;
		if ((double)beyond >= share * (double)t->values) {
			t->slot = &rows[i];
			t->beyond = beyond;
		}
	}
	return t->slot != NULL;
}
