/*
 * Readline as an editor without a terminal: its editing and history commands are
 * called by name, so it reads nothing; its output goes to /dev/null; it installs
 * no handlers. Keys that would start a dialogue of its own never reach it.
 */
#include "ui/prompt.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "ui/keymap.h"

#define HISTORY_LINES 1000
#define LINE_BYTES_MAX 4000

struct prompt {
	struct prompt_options o;
	FILE *in, *out;
	char *draft;   /* what was typed before the history was walked; NULL: not walking */
	int i_history; /* line shown while walking */
	char *killed;  /* by the last Ctrl-K, Ctrl-U or Ctrl-W */
	char **names; /* of the last Tab; one block */
	size_t nnames;
	char history[PATH_MAX];
};

static void no_redisplay(void)
{
}

static void no_line(char *line)
{
	free(line);
}

/* The history's path, its folders made; empty when there is no place for it. */
static void history_path(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int len;

	if (state && state[0] == '/')
		len = snprintf(out, size, "%s", state);
	else
		len = snprintf(out, size, "%s/.local/state", home ? home : "");
	out[0] = (state && state[0] == '/') || (home && home[0] == '/') ? out[0] : 0;
	if (!out[0] || len < 0 || (size_t)len + sizeof("/rung/history") > size) {
		out[0] = 0;
		return;
	}
	for (char *slash = out + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(out, 0700);
		*slash = '/';
	}
	mkdir(out, 0700);
	strcat(out, "/rung");
	mkdir(out, 0700);
	strcat(out, "/history");
}

static void attach_readline(struct prompt *p)
{
	rl_readline_name = "rung";
	rl_instream = p->in;
	rl_outstream = p->out;
	rl_redisplay_function = no_redisplay;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_callback_handler_install("", no_line);
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("editing-mode", "emacs");
	using_history();
	clear_history();
	if (p->history[0])
		read_history(p->history);
	using_history();
}

struct prompt *prompt_new(const struct prompt_options *o)
{
	struct prompt *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->o = *o;
	if (o->has_history)
		history_path(p->history, sizeof(p->history));
	p->in = fopen("/dev/null", "re");
	p->out = fopen("/dev/null", "we");
	if (!p->in || !p->out) {
		if (p->in)
			fclose(p->in);
		if (p->out)
			fclose(p->out);
		free(p);
		return NULL;
	}
	attach_readline(p);
	if (o->text)
		rl_insert_text(o->text);
	return p;
}

void prompt_free(struct prompt *p)
{
	if (!p)
		return;
	rl_callback_handler_remove();
	rl_replace_line("", 1);
	clear_history();
	rl_instream = NULL;
	rl_outstream = NULL;
	fclose(p->in);
	fclose(p->out);
	free(p->names);
	free(p->draft);
	free(p->killed);
	free(p);
}

/* The word that ends at the cursor, as completion sees it. */
static size_t word_len(const char *line, size_t at)
{
	size_t n = 0;

	while (n < at && !strchr(" \t{}();,=<>!|&+*", line[at - n - 1]))
		n++;
	return n;
}

static void complete(struct prompt *p)
{
	size_t at = (size_t)rl_point, typed = word_len(rl_line_buffer, at);
	char **names = p->o.complete ? p->o.complete(rl_line_buffer, at) : NULL;

	if (!names)
		return;
	size_t common = names[0] ? strlen(names[0]) : 0;
	for (size_t i = 1; names[0] && names[i]; i++)
		for (size_t j = 0; j < common; j++)
			if (names[0][j] != names[i][j])
				common = j;
	/* A name may complete only the word's tail, such as the field after "args." */
	while (typed && (typed > common || strncmp(names[0], rl_line_buffer + at - typed, typed)))
		typed--;
	if (names[0] && common > typed) {
		char *rest = strndup(names[0] + typed, common - typed);
		if (rest)
			rl_insert_text(rest);
		free(rest);
	}
	p->names = names;
	while (names[p->nnames])
		p->nnames++;
}

const char *const *prompt_names(const struct prompt *p, size_t *n)
{
	*n = p->nnames;
	return (const char *const *)p->names;
}

/* Code points go in as text: never as a command, whatever inputrc says. */
static void type(struct prompt *p, uint32_t key)
{
	char utf8[5] = { 0 };

	if (rl_end >= LINE_BYTES_MAX)
		return;
	if (key < 0x80) {
		utf8[0] = (char)key;
	} else if (key < 0x800) {
		utf8[0] = (char)(0xc0 | key >> 6);
		utf8[1] = (char)(0x80 | (key & 0x3f));
	} else if (key < 0x10000) {
		utf8[0] = (char)(0xe0 | key >> 12);
		utf8[1] = (char)(0x80 | (key >> 6 & 0x3f));
		utf8[2] = (char)(0x80 | (key & 0x3f));
	} else {
		utf8[0] = (char)(0xf0 | key >> 18);
		utf8[1] = (char)(0x80 | (key >> 12 & 0x3f));
		utf8[2] = (char)(0x80 | (key >> 6 & 0x3f));
		utf8[3] = (char)(0x80 | (key & 0x3f));
	}
	rl_insert_text(utf8);
	free(p->draft);
	p->draft = NULL;
}

static void show(const char *line)
{
	rl_replace_line(line, 1);
	rl_point = rl_end;
}

/* Walk to the next older (by -1) or newer line that starts as the draft does up to len. */
static void walk(struct prompt *p, int by, size_t len)
{
	if (!p->draft) {
		p->draft = strdup(rl_line_buffer);
		p->i_history = history_length;
	}
	if (!p->draft)
		return;
	len = len < strlen(p->draft) ? len : strlen(p->draft);
	for (int i = p->i_history + by; i >= 0 && i <= history_length; i += by) {
		const HIST_ENTRY *at = i < history_length ? history_get(history_base + i) : NULL;
		const char *line = i == history_length ? p->draft : at ? at->line : "";
		if (strncmp(line, p->draft, len))
			continue;
		p->i_history = i;
		show(line);
		return;
	}
}

static void older(struct prompt *p)
{
	walk(p, -1, 0);
}

static void newer(struct prompt *p)
{
	walk(p, 1, 0);
}

static void older_like(struct prompt *p)
{
	walk(p, -1, LINE_BYTES_MAX);
}

static void newer_like(struct prompt *p)
{
	walk(p, 1, LINE_BYTES_MAX);
}

static void cut(struct prompt *p, int from, int to)
{
	if (from >= to)
		return;
	free(p->killed);
	p->killed = rl_copy_text(from, to);
	rl_delete_text(from, to);
	rl_point = from;
}

static void cut_to_end(struct prompt *p)
{
	cut(p, rl_point, rl_end);
}

static void cut_to_start(struct prompt *p)
{
	cut(p, 0, rl_point);
}

static void cut_word(struct prompt *p)
{
	int from = rl_point;

	while (from > 0 && rl_line_buffer[from - 1] == ' ')
		from--;
	while (from > 0 && rl_line_buffer[from - 1] != ' ')
		from--;
	cut(p, from, rl_point);
}

static void paste(struct prompt *p)
{
	if (p->killed && rl_end + (int)strlen(p->killed) <= LINE_BYTES_MAX)
		rl_insert_text(p->killed);
}

/* Keys that edit: readline's command, or ours where readline's needs its own loop around it. */
static const struct edit_key {
	uint32_t key;
	rl_command_func_t *command;
	void (*own)(struct prompt *p);
} edit_keys[] = {
	{ KEY_LEFT_, rl_backward_char, NULL }, { 'B' & 0x1f, rl_backward_char, NULL },
	{ KEY_RIGHT_, rl_forward_char, NULL }, { 'F' & 0x1f, rl_forward_char, NULL },
	{ KEY_HOME_, rl_beg_of_line, NULL }, { 'A' & 0x1f, rl_beg_of_line, NULL },
	{ KEY_END_, rl_end_of_line, NULL }, { 'E' & 0x1f, rl_end_of_line, NULL },
	{ KEY_BACKSPACE_, rl_rubout, NULL }, { 0x7f, rl_rubout, NULL }, { 'H' & 0x1f, rl_rubout, NULL },
	{ KEY_DELETE_, rl_delete, NULL }, { 'D' & 0x1f, rl_delete, NULL },
	{ 'T' & 0x1f, rl_transpose_chars, NULL }, { '_' & 0x1f, rl_undo_command, NULL },
	{ KEY_UP_, NULL, older }, { 'P' & 0x1f, NULL, older },
	{ KEY_DOWN_, NULL, newer }, { 'N' & 0x1f, NULL, newer },
	{ 'R' & 0x1f, NULL, older_like }, { 'S' & 0x1f, NULL, newer_like },
	{ 'K' & 0x1f, NULL, cut_to_end }, { 'U' & 0x1f, NULL, cut_to_start },
	{ 'W' & 0x1f, NULL, cut_word }, { 'Y' & 0x1f, NULL, paste },
};

static void edit(struct prompt *p, uint32_t key)
{
	void (*done)(struct prompt *p) = NULL;

	for (size_t i = 0; i < ARRAY_LEN(edit_keys); i++) {
		if (edit_keys[i].key != key)
			continue;
		done = edit_keys[i].own;
		if (done)
			done(p);
		else
			edit_keys[i].command(1, 0);
	}
	if (done == older || done == newer || done == older_like || done == newer_like)
		return;
	/* What is shown is a line of its own now. */
	free(p->draft);
	p->draft = NULL;
}

enum prompt_result prompt_key(struct prompt *p, uint32_t key)
{
	bool is_erase = key == KEY_BACKSPACE_ || key == 0x7f || key == ('H' & 0x1f) || key == ('D' & 0x1f);

	free(p->names);
	p->names = NULL;
	p->nnames = 0;
	if (key == KEY_ENTER_ || key == '\n' || key == '\r')
		return PROMPT_DONE;
	if (key == KEY_ESC_ || key == 0x1b || key == ('C' & 0x1f) || (is_erase && !rl_end))
		return PROMPT_CANCELLED;
	if (key == '\t')
		complete(p);
	else if (key < 0x20 || key == 0x7f || key >= 0x110000)
		edit(p, key);
	else
		type(p, key);
	return PROMPT_EDITING;
}

const char *prompt_line(const struct prompt *p)
{
	(void)p;
	return rl_line_buffer ? rl_line_buffer : "";
}

size_t prompt_cursor(const struct prompt *p)
{
	(void)p;
	return (size_t)rl_point;
}

void prompt_remember(struct prompt *p)
{
	const char *line = prompt_line(p);
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	if (!p->history[0] || !line[0] || (last && !strcmp(last->line, line)))
		return;
	int fd = open(p->history, O_WRONLY | O_CREAT | O_CLOEXEC, 0600); /* appending does not create */
	if (fd < 0)
		return;
	close(fd);
	add_history(line);
	append_history(1, p->history);
	history_truncate_file(p->history, HISTORY_LINES);
}
