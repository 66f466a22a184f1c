/* Lines typed: commands and programs, filters, searches, times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/console_state.h"

void console_ask(struct console *c, const struct prompt_use *use, const char *text)
{
	struct prompt_options o = { .text = text, .has_history = use->has_history };

	if (use == &prompt_command)
		o.complete = c->o.complete;
	prompt_free(c->prompt);
	c->diag_column = 0;
	c->prompt_use = use;
	c->prompt = prompt_new(&o);
	if (!c->prompt)
		console_say(c, STYLE_BAD, "no prompt: out of memory or descriptors");
}

void console_prompt_key(struct console *c, uint32_t key)
{
	const struct prompt_use *use = c->prompt_use;
	enum prompt_result result = prompt_key(c->prompt, key);
	char line[4096];

	snprintf(line, sizeof(line), "%s", prompt_line(c->prompt));
	if (result == PROMPT_EDITING) {
		c->diag_column = 0;
		if (use->changed)
			use->changed(c, line);
		return;
	}
	if (result == PROMPT_CANCELLED) {
		if (use->cancelled)
			use->cancelled(c);
	} else {
		if (use->has_history)
			prompt_remember(c->prompt);
		if (!use->done(c, line))
			return;
	}
	prompt_free(c->prompt);
	c->prompt = NULL;
	c->diag_column = 0;
}

const char *console_prompt(const struct console *c, int *cursor_col)
{
	struct arena a = { 0 };

	if (!c->prompt)
		return NULL;
	const char *line = prompt_line(c->prompt);
	*cursor_col = (int)(strlen(c->prompt_use->label) + text_clean(&a, line, prompt_cursor(c->prompt)).cols);
	arena_fini(&a);
	return line;
}

static bool run_write(struct console *c, const char *arg)
{
	console_snapshot(c, arg);
	return true;
}

static bool run_quit(struct console *c, const char *arg)
{
	(void)arg;
	console_leave(c);
	return true;
}

static bool run_quit_now(struct console *c, const char *arg)
{
	(void)arg;
	c->is_over = true;
	return true;
}

static bool run_tool(struct console *c, const char *arg)
{
	for (uint32_t i = 0; i < c->o.ntools; i++) {
		const struct tool_desc *t = &c->o.tools[i];
		if (strcmp(t->name, arg))
			continue;
		struct step s = { .rung = 4, .pane = "tool", .tool = t->name, .scope = console_selection(c) };
		text_keepf(&s.why, "%.*s", TEXT_ARG(t->answers));
		return console_tool_scope(c, t->name, &s.scope) && console_descend(c, &s);
	}
	console_say(c, STYLE_WARN, "there is no tool named %s; 4 lists them", arg);
	return false;
}

/* Words at the prompt; a screen's name shows it; anything else is a program. */
static const struct { const char *word; bool (*run)(struct console *c, const char *arg); } commands[] = {
	{ "w", run_write }, { "q", run_quit }, { "q!", run_quit_now }, { "tool", run_tool },
};

static bool run_pane(struct console *c, const char *line)
{
	for (size_t i = 0; i < c->o.npanes; i++) {
		if (strcmp(c->o.panes[i]->name, line))
			continue;
		console_open(c, line, console_top(c)->step.scope, "chosen by hand");
		return true;
	}
	return false;
}

static bool command_done(struct console *c, const char *line)
{
	line += strspn(line, " ");
	size_t len = strcspn(line, " ");
	char arg[4096];

	if (!*line)
		return true;
	snprintf(arg, sizeof(arg), "%s", line + len + strspn(line + len, " "));
	for (size_t end = strlen(arg); end && arg[end - 1] == ' '; end--)
		arg[end - 1] = 0;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (strlen(commands[i].word) == len && !strncmp(commands[i].word, line, len))
			return commands[i].run(c, arg);
	return run_pane(c, line) || console_start_program(c, line);
}

static void filter_changed(struct console *c, const char *line)
{
	struct table_view *v = &console_top(c)->table;

	snprintf(v->filter, sizeof(v->filter), "%s", line);
}

static bool filter_done(struct console *c, const char *line)
{
	filter_changed(c, line);
	if (strlen(line) >= TABLE_FILTER_BYTES)
		console_say(c, STYLE_WARN, "only the first %d bytes of the filter are used", TABLE_FILTER_BYTES - 1);
	return true;
}

static void filter_cancelled(struct console *c)
{
	console_top(c)->table.filter[0] = 0;
}

static void search_changed(struct console *c, const char *line)
{
	struct layer *top = console_top(c);
	struct pane_input in = console_input(c);

	snprintf(top->table.search, sizeof(top->table.search), "%s", line);
	if (in.frame && *line &&
	    table_act(top->pane->table, &in, top->view, &top->table, ACT_SEARCH, c->page) == REPLY_IGNORED)
		console_say(c, STYLE_DIM, "no row matches");
}

static bool search_done(struct console *c, const char *line)
{
	search_changed(c, line);
	return true;
}

static void search_cancelled(struct console *c)
{
	console_top(c)->table.search[0] = 0;
}

static bool time_done(struct console *c, const char *line)
{
	return console_go_time(c, line + strspn(line, " "));
}

const struct prompt_use prompt_command = { .label = ":", .has_history = true, .done = command_done };
const struct prompt_use prompt_filter = {
	.label = "filter: ", .changed = filter_changed, .done = filter_done, .cancelled = filter_cancelled,
};
const struct prompt_use prompt_search = {
	.label = "/", .changed = search_changed, .done = search_done, .cancelled = search_cancelled,
};
const struct prompt_use prompt_time = { .label = "go to: ", .done = time_done };
