/* The stack of panes: one step deeper, one step back, and the trail of both. */
#include <stdlib.h>
#include <string.h>

#include "ui/console_state.h"

static const struct pane *find_pane(const struct console *c, const char *name)
{
	for (size_t i = 0; name && i < c->o.npanes; i++)
		if (!strcmp(c->o.panes[i]->name, name))
			return c->o.panes[i];
	return NULL;
}

static void note(struct console *c, const char *kind, const struct step *s)
{
	const struct frame *f = console_frame(c);

	if (!trail_add(c->o.trail, f ? f->wall_ns : 0, kind, s))
		console_say(c, STYLE_BAD, "the trail misses this step: out of memory");
}

void console_focus(struct console *c)
{
	struct request r = { .kind = REQUEST_FOCUS, .needs = SEC_BIT(SEC_HOST) | SEC_BIT(SEC_COST) | SEC_BIT(SEC_PROBE) };
	struct layer *top = console_top(c);
	struct err e = { 0 };

	/* A screen about the console itself keeps what is beneath it sampled. */
	for (struct layer *l = top; l >= c->layers; l--) {
		r.needs |= l->pane->needs | l->pane->wants;
		if (l->pane->rung)
			break;
	}
	r.scope = top->step.scope;
	console_choose_finding(c);
	if (c->o.source->ask(c->o.source, &r, &e))
		console_say(c, STYLE_WARN, "%s", e.text);
}

static bool push(struct console *c, const struct pane *pane, const struct step *s)
{
	if (c->nlayers == CONSOLE_LAYERS) {
		console_say(c, STYLE_WARN, "%d screens deep: go back first", CONSOLE_LAYERS);
		return false;
	}
	void *view = calloc(1, pane->view_size + 1);
	if (!view) {
		console_say(c, STYLE_BAD, "out of memory");
		return false;
	}
	c->layers[c->nlayers++] = (struct layer){ .pane = pane, .step = *s, .view = view };
	c->is_on_finding = false;
	return true;
}

static bool is_same(const struct layer *top, const struct pane *pane, const struct step *s)
{
	const char *had = top->step.tool ? top->step.tool : "", *has = s->tool ? s->tool : "";

	return top->pane == pane && !strcmp(had, has) && scope_eq(&top->step.scope, &s->scope) &&
	       text_eq(text_of(&top->step.arg), text_of(&s->arg));
}

bool console_descend(struct console *c, const struct step *s)
{
	const struct pane *pane = find_pane(c, s->pane);

	if (!pane) {
		console_say(c, STYLE_WARN, "there is no screen named %s", s->pane ? s->pane : "-");
		return false;
	}
	/* The same again: the tool is started anew should it have ended, nothing is stacked. */
	if (is_same(console_top(c), pane, s))
		return !s->tool || console_start_tool(c, s);
	if (!push(c, pane, s))
		return false;
	if (pane->rung)
		note(c, "descend", s);
	if (s->tool)
		console_start_tool(c, s);
	console_focus(c);
	return true;
}

bool console_ascend(struct console *c)
{
	struct layer *top = console_top(c);

	if (c->nlayers == 1)
		return false;
	c->last_left = top->step;
	free(top->view);
	bool is_own = !top->pane->rung;
	*top = (struct layer){ 0 };
	c->nlayers--;
	c->is_on_finding = false;
	if (!is_own)
		note(c, "ascend", &console_top(c)->step);
	console_focus(c);
	return true;
}

static void follow_finding(struct console *c)
{
	const struct finding *g = &c->findings.rows[c->i_finding];
	struct step s = g->next;

	if (!s.rung) {
		console_say(c, STYLE_GOOD, "the end of the ladder: %.*s", TEXT_ARG(g->names.utf8 ? g->names : g->headline));
		return;
	}
	if (!s.why.len)
		text_keep(&s.why, g->headline);
	console_descend(c, &s);
}

/* The row under the table's cursor; NULL without a table, a row or a frame. */
static const void *selected_row(struct console *c, const struct pane_input *in)
{
	struct layer *top = console_top(c);

	if (!top->pane->table || !in->frame)
		return NULL;
	return table_row(top->pane->table, in, top->view, &top->table);
}

static bool selected_step(struct console *c, struct step *out)
{
	struct layer *top = console_top(c);
	struct pane_input in = console_input(c);

	*out = (struct step){ 0 };
	if (!top->pane->descend || !in.frame)
		return false;
	return top->pane->descend(&in, top->view, selected_row(c, &in), out);
}

struct scope console_selection(struct console *c)
{
	struct step s;

	if (selected_step(c, &s) && s.scope.kind != SCOPE_HOST)
		return s.scope;
	return console_top(c)->step.scope;
}

bool console_follows_finding(const struct console *c)
{
	const struct layer *top = &c->layers[c->nlayers - 1];
	bool is_untouched_root = c->nlayers == 1 && !top->has_moved && !top->table.has_moved;

	return c->findings.n && (c->is_on_finding || is_untouched_root);
}

void console_deeper(struct console *c)
{
	struct step s;

	if (console_follows_finding(c)) {
		follow_finding(c);
		return;
	}
	if (!selected_step(c, &s)) {
		console_say(c, STYLE_DIM, "nothing deeper from here; n chooses the next finding");
		return;
	}
	/* A probe that is only suggested waits at the prompt, to be read before it runs. */
	if (s.pane && !strcmp(s.pane, "probe") && !s.tool && s.arg.len) {
		char program[sizeof(s.arg.utf8) + 1];
		memcpy(program, s.arg.utf8, s.arg.len);
		program[s.arg.len] = 0;
		s.arg = (struct text_buf){ 0 };
		if (console_descend(c, &s))
			console_ask(c, &prompt_command, program);
		return;
	}
	console_descend(c, &s);
}

bool console_open(struct console *c, const char *name, struct scope scope, const char *why)
{
	const struct pane *pane = find_pane(c, name);
	struct step s = { .rung = pane ? pane->rung : 0, .pane = name, .scope = scope };

	text_keepf(&s.why, "%s", why);
	return console_descend(c, &s);
}
