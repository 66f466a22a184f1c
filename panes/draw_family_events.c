/* A stream, newest at the bottom: single events with their arguments, result and latency. */
#include <stdlib.h>

#include "panes/draw_family.h"

#define EVENTS_MAX 4096

static bool is_shown(const struct events_row *e, const struct probe_row *p, struct text arg)
{
	return e->probe_id == p->id && (!arg.len || text_eq(e->name, arg));
}

/* Newest first, over the frames kept: each frame may hold only what came since the one before, or overlap it.
 */
static uint32_t gather(const struct pane_input *in, const struct probe_row *p, struct text arg,
		       const struct events_row **out, uint32_t max)
{
	uint64_t before = U64_UNKNOWN;
	uint32_t n = 0;

	for (uint32_t age = 0; n < max; age++) {
		const struct frame *f =
			age ? in->history ? history_at(in->history, in->age + age) : NULL : in->frame;
		if (!f)
			break;
		const struct events_row *rows = FRAME_ROWS(f, events, EVENTS);
		for (uint32_t i = f->sec[SEC_EVENTS].nrows; i-- && n < max;) {
			if (rows[i].probe_id != p->id || (before != U64_UNKNOWN && rows[i].seq >= before))
				continue;
			before = rows[i].seq;
			if (is_shown(&rows[i], p, arg))
				out[n++] = &rows[i];
		}
	}
	return n;
}

static struct text result_text(struct arena *a, const struct events_row *e)
{
	struct fmt_buf b;

	if (e->error.len)
		return e->error;
	return text_copy(a, fmt_i64(&b, UNIT_NONE, e->ret, 0));
}

/* A stream of one call of one process needs neither its name nor, when narrow, who made it. */
static void draw_event(struct canvas *c, int row, const struct events_row *e, bool has_name)
{
	struct fmt_buf b;
	int at = 0, tail = 10 + 1 + 7;

	if (c->cols >= 70)
		at = canvas_field(c, row, 0, 8, false,
				  e ? text_copy(c->arena, fmt_u64(&b, UNIT_WALL_NS, e->wall_ns, 8))
				    : TEXT("TIME"),
				  e ? STYLE_DIM : STYLE_HEAD) +
		     1;
	at = canvas_field(c, row, at, 7, true,
			  e ? text_copy(c->arena, fmt_u64(&b, UNIT_NONE,
							  e->tid == U32_UNKNOWN ? U64_UNKNOWN : e->tid, 7))
			    : TEXT("TID"),
			  e ? STYLE_PLAIN : STYLE_HEAD) +
	     1;
	if (has_name || c->cols >= 100)
		at = canvas_field(c, row, at, c->cols >= 100 ? 15 : 10, false, e ? e->comm : TEXT("COMM"),
				  e ? STYLE_PLAIN : STYLE_HEAD) +
		     1;
	if (has_name)
		at = canvas_field(c, row, at, 14, false, e ? e->name : TEXT("WHAT"),
				  e ? STYLE_PLAIN : STYLE_HEAD) +
		     1;
	int args = c->cols - at - tail - 1;
	if (args > 0)
		at = canvas_field(c, row, at, args, false, e ? e->args : TEXT("ARGUMENTS"),
				  e ? STYLE_PLAIN : STYLE_HEAD) +
		     1;
	at = canvas_field(c, row, at, 10, true, e ? result_text(c->arena, e) : TEXT("RESULT"),
			  !e             ? STYLE_HEAD
			  : e->error.len ? STYLE_BAD
					 : STYLE_PLAIN) +
	     1;
	canvas_field(c, row, at, 7, true,
		     e ? text_copy(c->arena, fmt_u64(&b, UNIT_NS, e->latency_ns, 7)) : TEXT("LATENCY"),
		     e ? STYLE_PLAIN : STYLE_HEAD);
}

static void draw(const struct pane_input *in, const struct probe_row *p, const struct family_view *v,
		 struct text arg, struct canvas *c)
{
	const struct events_row **rows = arena_array(c->arena, EVENTS_MAX, sizeof(const struct events_row *));
	uint32_t room = c->rows > 1 ? (uint32_t)c->rows - 1 : 0;

	if (!rows)
		return;
	uint32_t want = v->place + room < EVENTS_MAX ? v->place + room : EVENTS_MAX;
	uint32_t n = gather(in, p, arg, rows, want);
	if (!n) {
		draw_nothing(in, p, SEC_EVENTS, c,
			     arg.len ? text_printf(c->arena, "no %.*s yet: waiting for the first call",
						   TEXT_ARG(arg))
				     : TEXT("no event yet: waiting for the first"));
		return;
	}
	uint32_t back = v->place < n ? v->place : n - 1, shown = n - back < room ? n - back : room;
	draw_event(c, 0, NULL, !arg.len);
	for (uint32_t i = 0; i < shown; i++)
		draw_event(c, 1 + (int)i, rows[back + shown - 1 - i], !arg.len);
	if (back)
		draw_more(c, back);
}

static enum reply act(const struct pane_input *in, const struct probe_row *p, struct family_view *v,
		      struct text arg, enum action a)
{
	const struct events_row **rows = calloc(EVENTS_MAX, sizeof(const struct events_row *));

	if (!rows)
		return REPLY_IGNORED;
	uint32_t n = gather(in, p, arg, rows, EVENTS_MAX);
	free(rows);
	/* The list runs upwards from the newest. */
	struct list_view list = { n ? n - 1 - (v->place < n ? v->place : n - 1) : 0 };
	enum reply r = list_act(&list, a, n);
	v->place = n ? n - 1 - list.cursor : 0;
	return r;
}

const struct family family_events = { .name = "events", .sec = SEC_EVENTS, .draw = draw, .act = act };
