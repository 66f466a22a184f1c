/* Rung 4, one tool at work: its question, its price, and what it found. */
#include <string.h>

#include "panes/draw_bits.h"
#include "panes/draw_family.h"
#include "panes/draw_steps.h"

struct tool_view {
	struct family_view family;
};

static const struct tool_desc *desc_of(const struct pane_input *in)
{
	for (uint32_t i = 0; in->step && in->step->tool && i < in->ntools; i++)
		if (!strcmp(in->tools[i].name, in->step->tool))
			return &in->tools[i];
	return NULL;
}

static struct text arg_of(const struct pane_input *in)
{
	return in->step ? text_of(&in->step->arg) : TEXT("");
}

static const struct probe_row *probe_here(const struct pane_input *in, struct arena *a)
{
	return in->step && in->step->tool
		       ? probe_of(in->frame, in->step->tool, scope_text(a, &in->step->scope))
		       : NULL;
}

static void draw_waiting(const struct pane_input *in, struct canvas *c, int row)
{
	if (in->frame->sec[SEC_PROBE].state != SEC_OFF &&
	    draw_reason_wrapped(in, c, row, c->rows - row, SEC_PROBE))
		return;
	canvas_put(c, row, 0, TEXT("Starting: its first result comes with the next sample."), STYLE_PLAIN);
	canvas_put(c, row + 1, 0, TEXT("In a recording, or further back in time: it did not run then."),
		   STYLE_DIM);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct tool_view *v = view;
	const struct tool_desc *d = desc_of(in);
	const struct probe_row *p = probe_here(in, c->arena);
	struct text arg = arg_of(in);
	int row = 1;

	if (!in->step || !in->step->tool) {
		canvas_put(c, 0, 0, TEXT("No tool is chosen: 4 lists them."), STYLE_DIM);
		return;
	}
	int at = draw_textf(c, 0, 0, STYLE_HEAD, "%s%s%.*s on %.*s", in->step->tool, arg.len ? " " : "",
			    TEXT_ARG(arg), TEXT_ARG(scope_label(c->arena, &in->step->scope)));
	if (d)
		canvas_field(c, 0, at + 2, c->cols - at - 2, false, d->answers, STYLE_DIM);
	if (!p) {
		draw_waiting(in, c, row);
		return;
	}
	row += draw_cost(p, c, row);
	const struct family *f = family_of(p, arg);
	struct canvas body = canvas_sub(c, row + (c->rows > 16), 0, c->rows - row - (c->rows > 16), c->cols);
	if (f)
		f->draw(in, p, &v->family, arg, &body);
	else if (text_is(p->state, "running"))
		draw_textf(&body, 0, 0, STYLE_WARN, "cannot show results of the kind \"%.*s\"",
			   TEXT_ARG(p->family));
	else
		canvas_put(&body, 0, 0, TEXT("C shows what this host allows."), STYLE_DIM);
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct tool_view *v = view;
	struct arena arena = { 0 };
	const struct probe_row *p = probe_here(in, &arena);
	const struct family *f = p ? family_of(p, arg_of(in)) : NULL;
	enum reply r = f ? f->act(in, p, &v->family, arg_of(in), a) : REPLY_IGNORED;

	arena_fini(&arena);
	return r;
}

/* A counted system call leads to the stream of its calls. */
static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct tool_view *v = view;
	struct arena arena = { 0 };
	const struct probe_row *p = probe_here(in, &arena);
	struct fmt_buf calls, errors, avg;

	(void)row;
	arena_fini(&arena);
	if (!p || strcmp(in->step->tool, "syscalls") != 0 || family_of(p, arg_of(in)) != &family_counts)
		return false;
	const struct counts_row *k = counts_at(in, p, &v->family);
	if (!k || !k->key.len)
		return false;
	step_to(out, 4, "tool", in->step->tool, &in->step->scope);
	text_keep(&out->arg, k->key);
	text_keepf(&out->why, "%.*s: %s calls, %s failed, %s on average", TEXT_ARG(k->key),
		   fmt_u64(&calls, UNIT_COUNT, k->count, 0).utf8,
		   fmt_u64(&errors, UNIT_COUNT, k->errors, 0).utf8,
		   fmt_f64(&avg, UNIT_NS, k->avg_ns, 0).utf8);
	return true;
}

const struct pane pane_tool = {
	.name = "tool",
	.title = TEXT_INIT("TOOL"),
	.rung = 4,
	.wants = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_HIST) | SEC_BIT(SEC_COUNTS) | SEC_BIT(SEC_EVENTS) |
		 SEC_BIT(SEC_STACKS),
	.view_size = sizeof(struct tool_view),
	.draw = draw,
	.act = act,
	.descend = descend,
};
