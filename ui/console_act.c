/* What each action does, as a table; what is not in it belongs to the pane and its table. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "ui/console_state.h"

/* Actions by which the user points at something: from then on Enter means that. */
static bool is_choice(enum action a)
{
	return (a >= ACT_UP && a <= ACT_RIGHT) || a == ACT_NEXT_PANEL || a == ACT_PREV_PANEL || a == ACT_SEARCH_NEXT ||
	       a == ACT_SEARCH_PREV || a == ACT_FOLLOW;
}

/* The pane first, then its table. */
static bool offer(struct console *c, enum action a)
{
	struct layer *top = console_top(c);
	struct pane_input in = console_input(c);
	bool is_taken = false;

	if (!in.frame)
		return false;
	if (top->pane->act && top->pane->act(&in, top->view, a) == REPLY_REDRAW)
		is_taken = true;
	else if (top->pane->table)
		is_taken = table_act(top->pane->table, &in, top->view, &top->table, a, c->page) == REPLY_REDRAW;
	if (is_taken && is_choice(a)) {
		top->has_moved = true;
		c->is_on_finding = false;
	}
	return is_taken;
}

static void do_back(struct console *c, enum action a)
{
	(void)a;
	if (!console_ascend(c))
		console_say(c, STYLE_DIM, "this is where it starts; q leaves");
}

static void do_cancel(struct console *c, enum action a)
{
	struct layer *top = console_top(c);

	if (top->table.filter[0])
		top->table.filter[0] = 0;
	else if (top->table.search[0])
		top->table.search[0] = 0;
	else if (c->is_on_finding)
		c->is_on_finding = false;
	else if (c->nlayers == 1 && (top->has_moved || top->table.has_moved))
		top->has_moved = top->table.has_moved = false;
	else
		do_back(c, a);
}

static void do_deeper(struct console *c, enum action a)
{
	(void)a;
	console_deeper(c);
}

static void do_left(struct console *c, enum action a)
{
	if (!offer(c, a))
		do_back(c, a);
}

static void do_right(struct console *c, enum action a)
{
	if (!offer(c, a))
		console_deeper(c);
}

static void do_view_next(struct console *c, enum action a)
{
	struct step s = c->last_left;

	(void)a;
	if (s.pane)
		console_descend(c, &s);
}

/* Which screen a rung's digit shows. */
static const char *const rung_panes[] = { NULL, "glance", "processes", "profile", "tools", "probe" };

static void do_rung(struct console *c, enum action a)
{
	uint32_t rung = (uint32_t)(a - ACT_RUNG_1) + 1;
	const struct pane *pane = console_top(c)->pane;

	if (pane->rung == rung && offer(c, a))
		return;
	if (!strcmp(pane->name, rung_panes[rung]))
		return;
	if (rung == 1) {
		while (console_ascend(c))
			;
		return;
	}
	console_open(c, rung_panes[rung], console_top(c)->step.scope, "chosen by hand");
}

static void do_search_next(struct console *c, enum action a)
{
	struct layer *top = console_top(c);

	if (top->pane->table && top->table.search[0]) {
		if (!offer(c, a))
			console_say(c, STYLE_DIM, "no row matches");
		return;
	}
	if (!c->findings.n) {
		console_say(c, STYLE_DIM, "there is no finding");
		return;
	}
	/* The first press points at the finding on screen; with it chosen already, at the next. */
	if (console_follows_finding(c))
		c->i_finding = (c->i_finding + (a == ACT_SEARCH_PREV ? c->findings.n - 1 : 1)) % c->findings.n;
	c->is_on_finding = true;
	c->chosen_rule = c->findings.rows[c->i_finding].rule;
	c->chosen_suspect = c->findings.rows[c->i_finding].suspect;
}

static void do_freeze(struct console *c, enum action a)
{
	(void)a;
	console_freeze(c, !c->is_frozen);
}

static void do_travel(struct console *c, enum action a)
{
	bool is_minute = a == ACT_MINUTE_PREV || a == ACT_MINUTE_NEXT;

	console_travel(c, a == ACT_SAMPLE_PREV || a == ACT_MINUTE_PREV ? 1 : -1, is_minute);
}

/* Keys that open a screen for the selection. */
static const struct selection_row {
	enum action action;
	uint32_t rung;
	const char *pane, *tool, *why;
} selection_rows[] = {
	{ ACT_SYSCALLS, 4, "tool", "syscalls", "system calls, asked for by key" },
	{ ACT_STACKS, 2, "stuck", NULL, "where it waits, asked for by key" },
	{ ACT_MENU, 4, "tools", NULL, "tools for it, asked for by key" },
};

static void do_selection(struct console *c, enum action a)
{
	if (offer(c, a))
		return;
	for (size_t i = 0; i < ARRAY_LEN(selection_rows); i++) {
		const struct selection_row *r = &selection_rows[i];
		if (r->action != a)
			continue;
		struct step s = { .rung = r->rung, .pane = r->pane, .tool = r->tool, .scope = console_selection(c) };
		text_keepf(&s.why, "%s", r->why);
		if (!s.tool || console_tool_scope(c, s.tool, &s.scope))
			console_descend(c, &s);
	}
}

/* Screens about the console itself: no rung, no entry in the trail; the same key closes them. */
static const struct { enum action action; const char *pane; } own_panes[] = {
	{ ACT_HELP, "help" }, { ACT_OVERHEAD, "overhead" }, { ACT_TRAIL, "trail" }, { ACT_CAPS, "caps" },
};

static void do_own_pane(struct console *c, enum action a)
{
	for (size_t i = 0; i < ARRAY_LEN(own_panes); i++) {
		if (own_panes[i].action != a)
			continue;
		if (!strcmp(console_top(c)->pane->name, own_panes[i].pane))
			console_ascend(c);
		else
			console_open(c, own_panes[i].pane, console_top(c)->step.scope, "");
	}
}

static void do_prompt(struct console *c, enum action a)
{
	(void)a;
	console_ask(c, &prompt_command, "");
}

static void do_table_prompt(struct console *c, enum action a)
{
	struct layer *top = console_top(c);

	if (!top->pane->table)
		console_say(c, STYLE_DIM, "there are no rows to choose from here");
	else if (a == ACT_FILTER)
		console_ask(c, &prompt_filter, top->table.filter);
	else
		console_ask(c, &prompt_search, "");
}

static void do_go_time(struct console *c, enum action a)
{
	(void)a;
	console_ask(c, &prompt_time, "");
}

static void do_snapshot(struct console *c, enum action a)
{
	(void)a;
	console_snapshot(c, "");
}

static void do_command_line(struct console *c, enum action a)
{
	const struct step *s = &console_top(c)->step;
	char scope[200] = "";

	(void)a;
	if (s->scope.tgid)
		snprintf(scope, sizeof(scope), " -p %u", s->scope.tgid);
	else if (s->scope.kind != SCOPE_HOST)
		snprintf(scope, sizeof(scope), "   # on screen: %.*s; only a process has a flag", (int)s->scope.name.len, s->scope.name.utf8);
	if (s->tool)
		console_say(c, STYLE_LINK, "rung tool %s%s", s->tool, scope);
	else if (!strcmp(console_top(c)->pane->name, "probe") && s->arg.len)
		console_say(c, STYLE_LINK, "rung probe -e '%.*s'%s", (int)s->arg.len, s->arg.utf8, scope);
	else
		console_say(c, STYLE_LINK, "rung%s", scope);
}

static void do_resample(struct console *c, enum action a)
{
	struct request r = { .kind = REQUEST_SAMPLE_NOW };
	struct err e = { 0 };

	(void)a;
	if (c->o.source->ask(c->o.source, &r, &e))
		console_say(c, STYLE_WARN, "%s", e.text);
}

static void do_suspend(struct console *c, enum action a)
{
	(void)a;
	console_pause(c);
}

void console_leave(struct console *c)
{
	c->is_asking_to_leave = console_has_probe(c) || c->o.trail->entries.len > c->trail_saved;
	c->is_over = !c->is_asking_to_leave;
}

static void do_quit(struct console *c, enum action a)
{
	(void)a;
	if (!console_ascend(c))
		console_leave(c);
}

static void do_stop(struct console *c, enum action a)
{
	if (!console_stop_probe(c))
		do_quit(c, a);
}

static void do_nothing(struct console *c, enum action a)
{
	(void)c, (void)a; /* every key redraws; the loop repaints on Ctrl-L */
}

static void (*const does[ACT_COUNT])(struct console *c, enum action a) = {
	[ACT_LEFT] = do_left, [ACT_RIGHT] = do_right,
	[ACT_DEEPER] = do_deeper, [ACT_BACK] = do_back, [ACT_CANCEL] = do_cancel,
	[ACT_VIEW_PREV] = do_back, [ACT_VIEW_NEXT] = do_view_next,
	[ACT_RUNG_1] = do_rung, [ACT_RUNG_2] = do_rung, [ACT_RUNG_3] = do_rung,
	[ACT_RUNG_4] = do_rung, [ACT_RUNG_5] = do_rung,
	[ACT_HELP] = do_own_pane, [ACT_OVERHEAD] = do_own_pane, [ACT_TRAIL] = do_own_pane, [ACT_CAPS] = do_own_pane,
	[ACT_PROMPT] = do_prompt, [ACT_SEARCH] = do_table_prompt, [ACT_FILTER] = do_table_prompt,
	[ACT_SEARCH_NEXT] = do_search_next, [ACT_SEARCH_PREV] = do_search_next, [ACT_NEXT_FINDING] = do_search_next,
	[ACT_FREEZE] = do_freeze, [ACT_SAMPLE_PREV] = do_travel, [ACT_SAMPLE_NEXT] = do_travel,
	[ACT_MINUTE_PREV] = do_travel, [ACT_MINUTE_NEXT] = do_travel, [ACT_GO_TIME] = do_go_time,
	[ACT_SYSCALLS] = do_selection, [ACT_STACKS] = do_selection, [ACT_MENU] = do_selection,
	[ACT_SNAPSHOT] = do_snapshot, [ACT_COMMAND_LINE] = do_command_line,
	[ACT_STOP_PROBE] = do_stop, [ACT_REDRAW] = do_nothing, [ACT_RESAMPLE] = do_resample,
	[ACT_SUSPEND] = do_suspend, [ACT_QUIT] = do_quit,
};

void console_act(struct console *c, enum action a)
{
	if (does[a])
		does[a](c, a);
	else if (!offer(c, a) && console_frame(c))
		console_say(c, STYLE_DIM, "%s: not on this screen", action_descs[a].name);
}
