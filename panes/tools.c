/* Rung 4, the catalogue: ready-made tools by the question they answer, those for the present scope first. */
#include "panes/draw_bits.h"
#include "panes/draw_family.h"
#include "panes/draw_steps.h"

struct tools_view {
	struct list_view list;
};

static const struct scope host = { .kind = SCOPE_HOST };

static const struct scope *scope_here(const struct pane_input *in)
{
	return in->step ? &in->step->scope : &host;
}

/* A tool of the host also answers for a scope it cannot narrow to; then it is started on the host. */
static bool is_valid(const struct pane_input *in, const struct tool_desc *t)
{
	return t->scopes & (1u << scope_here(in)->kind);
}

static uint32_t valid_count(const struct pane_input *in)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < in->ntools; i++)
		n += is_valid(in, &in->tools[i]);
	return n;
}

/* Valid ones first, each part in the order of the registry. */
static const struct tool_desc *tool_at(const struct pane_input *in, uint32_t place)
{
	for (int wanted = 1; wanted >= 0; wanted--)
		for (uint32_t i = 0; i < in->ntools; i++)
			if (is_valid(in, &in->tools[i]) == (wanted == 1) && !place--)
				return &in->tools[i];
	return NULL;
}

static const char *const scope_words[] = {
	[SCOPE_HOST] = "the host",       [SCOPE_CGROUP] = "a cgroup", [SCOPE_PROCESS] = "a process",
	[SCOPE_THREAD] = "a thread",     [SCOPE_DEVICE] = "a device", [SCOPE_INTERFACE] = "an interface",
	[SCOPE_FUNCTION] = "a function",
};

static struct text needs_text(struct arena *a, const struct tool_desc *t)
{
	for (size_t k = 0; k < ARRAY_LEN(scope_words); k++)
		if (t->scopes & (1u << k))
			return text_printf(a, "works on %s", scope_words[k]);
	return TEXT("works on nothing");
}

static void draw_tool(const struct pane_input *in, struct canvas *c, int row, const struct tool_desc *t)
{
	bool valid = is_valid(in, t);
	const struct probe_row *p =
		valid ? probe_of(in->frame, t->name, scope_text(c->arena, scope_here(in))) : NULL;
	enum style s = valid ? STYLE_PLAIN : STYLE_DIM;
	int state = c->cols >= 76 ? 18 : 0, question = c->cols >= 100 ? 23 : 15;

	canvas_field(c, row, 0, 14, false, text_printf(c->arena, "%s", t->name),
		     valid ? STYLE_LINK : STYLE_DIM);
	if (question > 15)
		canvas_field(c, row, 15, 7, false, text_printf(c->arena, "%s", t->family), s);
	canvas_field(c, row, question, c->cols - question - state - 1, false, t->answers, s);
	if (!state)
		return;
	struct text now = !valid ? needs_text(c->arena, t)
			  : p    ? text_printf(c->arena, "%.*s %.*s cpu", TEXT_ARG(p->state),
					       TEXT_ARG(number_text(c->arena, UNIT_PCT, p->cpu_pct)))
				 : TEXT("");
	canvas_field(c, row, c->cols - state, state, false, now, p ? STYLE_GOOD : STYLE_DIM);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct tools_view *v = view;
	uint32_t valid = valid_count(in);

	if (!in->ntools) {
		canvas_put(c, 0, 0, TEXT("No tool is built in."), STYLE_WARN);
		return;
	}
	draw_textf(c, 0, 0, valid ? STYLE_PLAIN : STYLE_WARN, "%u of %u tools work on %.*s", valid,
		   in->ntools, TEXT_ARG(scope_label(c->arena, scope_here(in))));
	canvas_put(c, 1, 0,
		   c->cols >= 100 ? TEXT("TOOL           SHOWS   QUESTION") : TEXT("TOOL           QUESTION"),
		   STYLE_HEAD);
	if (c->cols >= 76)
		canvas_put(c, 1, c->cols - 18, TEXT("NOW"), STYLE_HEAD);
	struct canvas body = canvas_sub(c, 2, 0, c->rows - 2, c->cols);
	uint32_t top = list_top(&v->list, in->ntools, body.rows),
		 room = body.rows > 0 ? (uint32_t)body.rows : 0;
	for (uint32_t i = top; i < in->ntools && i - top < room; i++) {
		draw_tool(in, &body, (int)(i - top), tool_at(in, i));
		if (i == list_at(&v->list, in->ntools))
			canvas_style(&body, (int)(i - top), 0, body.cols, STYLE_SELECT);
	}
	draw_more(&body, in->ntools - top > room ? in->ntools - top - room : 0);
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	return list_act(&((struct tools_view *)view)->list, a, in->ntools);
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct tools_view *v = view;
	const struct tool_desc *t = in->ntools ? tool_at(in, list_at(&v->list, in->ntools)) : NULL;

	(void)row;
	if (!t || !is_valid(in, t))
		return false;
	step_to(out, 4, "tool", t->name, scope_here(in));
	text_keep(&out->why, t->answers);
	return true;
}

const struct pane pane_tools = {
	.name = "tools",
	.title = TEXT_INIT("TOOLS"),
	.rung = 4,
	.wants = SEC_BIT(SEC_PROBE),
	.view_size = sizeof(struct tools_view),
	.draw = draw,
	.act = act,
	.descend = descend,
};
