/* Finding a probe's row and family, and its cost line. */
#include "panes/draw_family.h"

#include <math.h>
#include <string.h>

static const struct family *const families[FAMILIES] = { &family_hist, &family_counts, &family_events,
							 &family_stacks };

const struct family *family_of(const struct probe_row *p, struct text arg)
{
	if (arg.len)
		return &family_events;
	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (text_is(p->family, families[i]->name))
			return families[i];
	return NULL;
}

static bool has_rows(const struct frame *f, enum frame_sec sec, uint32_t id)
{
	for (uint32_t i = 0; i < f->sec[sec].nrows; i++)
		if (*(const uint32_t *)frame_row(f, sec, i) == id)
			return true;
	return false;
}

uint32_t families_of(const struct pane_input *in, const struct probe_row *p,
		     const struct family *out[static FAMILIES])
{
	uint32_t n = 0;

	for (size_t i = 0; i < FAMILIES; i++)
		if (has_rows(in->frame, families[i]->sec, p->id))
			out[n++] = families[i];
	if (!n && family_of(p, TEXT("")))
		out[n++] = family_of(p, TEXT(""));
	return n;
}

const struct probe_row *probe_of(const struct frame *f, const char *tool, struct text scope)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE), *found = NULL;

	for (uint32_t i = 0; tool && i < f->sec[SEC_PROBE].nrows; i++) {
		if (!text_is(rows[i].name, tool) || !text_eq(rows[i].scope, scope))
			continue;
		if (!found || text_is(rows[i].state, "running") || !text_is(found->state, "running"))
			found = &rows[i];
	}
	return found;
}

const struct probe_row *probe_by_id(const struct frame *f, uint32_t id)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static double known(uint64_t v)
{
	return v == U64_UNKNOWN ? F64_UNKNOWN : (double)v;
}

int draw_cost(const struct probe_row *p, struct canvas *c, int row)
{
	bool runs = text_is(p->state, "running");
	struct item items[] = {
		{ TEXT("events"), UNIT_PER_S, p->events_per_s, 0, 0, TEXT_UNKNOWN },
		{ TEXT_UNKNOWN, UNIT_NONE, F64_UNKNOWN, 0, 0,
		  text_printf(c->arena, "%.*s/event",
			      TEXT_ARG(number_text(c->arena, UNIT_NS, p->ns_per_event))) },
		{ TEXT("cpu"), UNIT_PCT, p->cpu_pct, 2, 10, TEXT_UNKNOWN },
		{ TEXT("lost"), UNIT_COUNT, known(p->lost), 0, 1, TEXT_UNKNOWN },
		{ TEXT("unmatched"), UNIT_COUNT, known(p->unmatched), 1, 0, TEXT_UNKNOWN },
		{ TEXT("predicted"), UNIT_PCT, p->predicted_cpu_pct, 0, 0, TEXT_UNKNOWN },
		{ TEXT("memory"), UNIT_BYTES, known(p->memory_bytes), 0, 0, TEXT_UNKNOWN },
	};

	int at =
		canvas_put(c, row, 0, p->state.len ? p->state : TEXT("-"), runs ? STYLE_GOOD : STYLE_BAD) + 2;
	/* What never ran has no price. */
	if (runs || !isnan(p->events_per_s))
		draw_items(c, row, at, c->cols - at, items, ARRAY_LEN(items));
	if (runs || !p->why.len)
		return 1;
	at = canvas_put(c, row + 1, 0, TEXT("why: "), STYLE_DIM);
	return 1 + draw_wrapped(c, row + 1, at, 2, p->why, STYLE_WARN);
}

void draw_nothing(const struct pane_input *in, const struct probe_row *p, enum frame_sec sec,
		  struct canvas *c, struct text words)
{
	if (in->frame->sec[sec].state != SEC_OFF && draw_reason_wrapped(in, c, 0, c->rows, sec))
		return;
	canvas_field(c, 0, 0, c->cols, false,
		     text_is(p->state, "running") ? words : TEXT("it found nothing before it ended"),
		     STYLE_DIM);
}

enum unit probe_unit(const struct probe_row *p)
{
	for (int u = UNIT_COUNT; u < UNIT_COUNT_OF_UNITS; u++)
		if (p->unit.len && text_is(p->unit, unit_name((enum unit)u)))
			return (enum unit)u;
	return UNIT_COUNT;
}
