/* The console's life: frames in, keys to whoever owns them now. */
#include "ui/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/console_state.h"

const struct frame *console_frame(const struct console *c)
{
	return history_at(&c->history, c->age);
}

struct layer *console_top(struct console *c)
{
	return &c->layers[c->nlayers - 1];
}

struct pane_input console_input(const struct console *c)
{
	const struct layer *top = &c->layers[c->nlayers - 1];

	return (struct pane_input){
		.frame = console_frame(c),
		.history = &c->history,
		.age = c->age,
		.findings = &c->findings,
		.trail = c->o.trail,
		.step = &top->step,
		.keys = c->o.keys,
		.prev_pane = c->nlayers > 1 ? top[-1].pane : NULL,
		.tools = c->o.tools,
		.ntools = c->o.ntools,
	};
}

void console_say(struct console *c, enum style s, const char *fmt, ...)
{
	char words[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	text_keepf(&c->status, "%s", words);
	c->status_style = s;
}

/* A finding that leads away from this screen; one that leads here has been followed already. */
static bool leads_on(const struct console *c, const struct finding *g)
{
	const struct layer *top = &c->layers[c->nlayers - 1];
	const char *tool = top->step.tool;

	if (!g->next.pane || strcmp(g->next.pane, top->pane->name))
		return true;
	return (tool && g->next.tool ? strcmp(tool, g->next.tool) != 0 : tool != g->next.tool) ||
	       !scope_eq(&g->next.scope, &top->step.scope);
}

/* The best next step from here: worst first, but what is about this screen's scope before the rest. */
static uint32_t best_finding(const struct console *c)
{
	const struct scope *scope = &c->layers[c->nlayers - 1].step.scope;

	for (uint32_t i = 0; scope->kind != SCOPE_HOST && i < c->findings.n; i++)
		if (scope_eq(&c->findings.rows[i].suspect, scope) && leads_on(c, &c->findings.rows[i]))
			return i;
	for (uint32_t i = 0; i < c->findings.n; i++)
		if (leads_on(c, &c->findings.rows[i]))
			return i;
	return 0;
}

void console_choose_finding(struct console *c)
{
	/* What the user has chosen stays chosen while it is there, wherever it now ranks. */
	for (uint32_t i = 0; c->is_on_finding && i < c->findings.n; i++) {
		const struct finding *g = &c->findings.rows[i];
		if (g->rule == c->chosen_rule && scope_eq(&g->suspect, &c->chosen_suspect)) {
			c->i_finding = i;
			return;
		}
	}
	c->is_on_finding = false;
	c->i_finding = best_finding(c);
}

void console_judge(struct console *c)
{
	const struct frame *f = console_frame(c);
	/* The past is judged as it was then: without the frames that came after. */
	struct history past = c->history;

	arena_fini(&c->findings.arena);
	c->findings = (struct findings){ 0 };
	past.len -= c->age;
	if (f && c->o.triage && !c->o.triage(f, &past, &c->findings))
		console_say(c, STYLE_BAD, "not judged: out of memory");
	console_choose_finding(c);
}

struct console *console_new(const struct console_options *o)
{
	struct console *c = o->npanes ? calloc(1, sizeof(*c)) : NULL;

	if (!c)
		return NULL;
	c->o = *o;
	c->page = 20;
	c->trail_saved = o->trail->entries.len;
	const struct pane *first = o->panes[0];
	for (size_t i = 0; i < o->npanes; i++)
		if (o->panes[i]->rung == 1)
			first = o->panes[i];
	c->layers[0] = (struct layer){ .pane = first, .step = { .rung = first->rung, .pane = first->name } };
	c->layers[0].step.scope = o->scope;
	c->layers[0].view = calloc(1, first->view_size + 1);
	c->nlayers = 1;
	if (!c->layers[0].view || history_init(&c->history, CONSOLE_FRAMES)) {
		console_free(c);
		return NULL;
	}
	console_focus(c);
	return c;
}

void console_free(struct console *c)
{
	struct err e = { 0 };

	if (!c)
		return;
	console_settle(c, &e);
	for (uint32_t i = 0; i < c->nlayers; i++)
		free(c->layers[i].view);
	prompt_free(c->prompt);
	history_fini(&c->history);
	arena_fini(&c->findings.arena);
	VEC_FINI(&c->started);
	free(c);
}

/* Rows may have moved or gone with the new frame: let the table note where its cursor is. */
static void refresh_cursor(struct console *c)
{
	struct layer *top = console_top(c);
	struct pane_input in = console_input(c);

	if (in.frame && top->pane->table)
		table_act(top->pane->table, &in, top->view, &top->table, ACT_NONE, c->page);
}

bool console_poll(struct console *c)
{
	const struct frame *shown = console_frame(c);
	uint64_t shown_ns = shown ? shown->mono_ns : 0;
	bool is_first = !c->history.len, has_written = console_poll_snapshot(c);
	uint32_t n = 0;
	struct frame *f;

	while ((f = c->o.source->next(c->o.source))) {
		history_push(&c->history, f);
		frame_unref(f);
		n++;
	}
	/* By time, not by count: the history may have thinned or dropped what is older. */
	if (n && c->is_frozen)
		c->age = history_find(&c->history, shown_ns);
	if (c->is_resuming)
		console_resume(c);
	if (!n)
		return has_written;
	if (c->is_pausing && !console_has_probe(c)) {
		c->is_pausing = false;
		c->is_suspend_wanted = true;
	}
	if (!c->is_frozen || is_first)
		console_judge(c);
	refresh_cursor(c);
	return true;
}

static void answer_leave(struct console *c, uint32_t key)
{
	c->is_asking_to_leave = false;
	if (key == 'W') {
		console_snapshot(c, "");
		return;
	}
	c->is_over = key == 'y' || key == 'Y' || key == 'q' || key == ('C' & 0x1f);
}

bool console_key(struct console *c, uint32_t key)
{
	const struct pane *pane = console_top(c)->pane;

	c->status = (struct text_buf){ 0 };
	if (c->prompt) {
		console_prompt_key(c, key);
		return !c->is_over;
	}
	if (c->is_asking_to_leave) {
		answer_leave(c, key);
		return !c->is_over;
	}
	if (key == '\r' || key == '\n')
		key = KEY_ENTER_;
	if (key == 0x7f || key == ('H' & 0x1f))
		key = KEY_BACKSPACE_;
	if (key == 0x1b)
		key = KEY_ESC_;
	enum action a = keymap_find(c->o.keys, pane->name, pane->table != NULL, key);
	if (a != ACT_NONE) {
		console_act(c, a);
	} else if (key != KEY_RESIZE_) {
		char name[16];
		key_label(key, name);
		console_say(c, STYLE_DIM, "%s does nothing here; ? lists the keys", name);
	}
	return !c->is_over;
}

bool console_take_suspend(struct console *c)
{
	bool is_wanted = c->is_suspend_wanted;

	c->is_resuming |= is_wanted;
	c->is_suspend_wanted = false;
	return is_wanted;
}
