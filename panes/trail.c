/* The trail: the steps taken, in order, with what was seen; the incident report in the making. */
#include "panes/draw_bits.h"

struct trail_view {
	uint32_t back; /* rows above the newest */
};

static struct text time_text(struct arena *a, uint64_t wall_ns)
{
	struct fmt_buf b;

	return text_copy(a, fmt_u64(&b, UNIT_WALL_NS, wall_ns, 0));
}

static void draw_entry(struct canvas *c, int row, const struct trail_entry *e)
{
	int scope = c->cols >= 120 ? 30 : c->cols >= 70 ? 17 : 12, at = 0;

	if (c->cols >= 60)
		at = canvas_field(c, row, 0, 8, false, e ? time_text(c->arena, e->wall_ns) : TEXT("TIME"),
				  e ? STYLE_DIM : STYLE_HEAD) +
		     1;
	at = canvas_field(c, row, at, 8, false, e ? text_of(&e->kind) : TEXT("STEP"),
			  e ? STYLE_PLAIN : STYLE_HEAD) +
	     1;
	struct text pane = !e        ? TEXT("TO")
			   : e->rung ? text_printf(c->arena, "%u %.*s", e->rung, TEXT_ARG(text_of(&e->pane)))
				     : text_of(&e->pane);
	at = canvas_field(c, row, at, 15, false, pane, e ? STYLE_LINK : STYLE_HEAD) + 1;
	at = canvas_field(c, row, at, scope, false, e ? text_of(&e->scope) : TEXT("ABOUT"),
			  e ? STYLE_PLAIN : STYLE_HEAD) +
	     1;
	canvas_field(c, row, at, c->cols - at, false, e ? text_of(&e->evidence) : TEXT("BECAUSE"),
		     e ? STYLE_PLAIN : STYLE_HEAD);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct trail_view *v = view;
	uint32_t n = in->trail ? in->trail->entries.len : 0, room = c->rows > 1 ? (uint32_t)c->rows - 1 : 0;

	if (!n) {
		canvas_put(c, 0, 0,
			   TEXT("No step yet. Enter on a finding or a row goes deeper and is written here."),
			   STYLE_DIM);
		return;
	}
	uint32_t back = v->back < n ? v->back : n - 1, shown = n - back < room ? n - back : room;
	draw_entry(c, 0, NULL);
	for (uint32_t i = 0; i < shown; i++)
		draw_entry(c, 1 + (int)i, &in->trail->entries.ptr[n - back - shown + i]);
	draw_more(c, back);
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct trail_view *v = view;
	uint32_t n = in->trail ? in->trail->entries.len : 0;
	struct list_view list = { n ? n - 1 - (v->back < n ? v->back : n - 1) : 0 };
	enum reply r = list_act(&list, a, n);

	v->back = n ? n - 1 - list.cursor : 0;
	return r;
}

const struct pane pane_trail = {
	.name = "trail",
	.title = TEXT_INIT("TRAIL"),
	.view_size = sizeof(struct trail_view),
	.draw = draw,
	.act = act,
};
