/*
 * Readline through its callback interface, as an editor without a terminal: keys
 * arrive through a pipe, its output goes to /dev/null, it installs no handlers.
 * Enter, Esc and Tab never reach it, so it needs no way to call back.
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
	int keys_fd;
	char **names; /* of the last Tab; one block */
	size_t nnames;
	char history[PATH_MAX];
};

static int next_byte(FILE *in)
{
	unsigned char byte;

	/* Nothing to read is answered as the end: the editor must never wait. */
	return read(fileno(in), &byte, 1) == 1 ? byte : EOF;
}

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

static bool open_streams(struct prompt *p)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return false;
	p->keys_fd = fds[1];
	p->in = fdopen(fds[0], "r");
	if (!p->in)
		close(fds[0]);
	p->out = fopen("/dev/null", "we");
	return p->in && p->out;
}

static void attach_readline(struct prompt *p)
{
	rl_readline_name = "rung";
	rl_instream = p->in;
	rl_outstream = p->out;
	rl_getc_function = next_byte;
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
	p->keys_fd = -1;
	if (o->has_history)
		history_path(p->history, sizeof(p->history));
	if (!open_streams(p)) {
		if (p->in)
			fclose(p->in);
		if (p->keys_fd >= 0)
			close(p->keys_fd);
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
	rl_instream = NULL;
	rl_outstream = NULL;
	fclose(p->in);
	fclose(p->out);
	close(p->keys_fd);
	free(p->names);
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

/* Code points go in as bytes, one editing command per call. */
static void type(const struct prompt *p, uint32_t key)
{
	unsigned char utf8[4];
	size_t len = 1;

	if (key < 0x80) {
		utf8[0] = (unsigned char)key;
	} else if (key < 0x800) {
		utf8[0] = (unsigned char)(0xc0 | key >> 6);
		utf8[1] = (unsigned char)(0x80 | (key & 0x3f));
		len = 2;
	} else if (key < 0x10000) {
		utf8[0] = (unsigned char)(0xe0 | key >> 12);
		utf8[1] = (unsigned char)(0x80 | (key >> 6 & 0x3f));
		utf8[2] = (unsigned char)(0x80 | (key & 0x3f));
		len = 3;
	} else {
		utf8[0] = (unsigned char)(0xf0 | key >> 18);
		utf8[1] = (unsigned char)(0x80 | (key >> 12 & 0x3f));
		utf8[2] = (unsigned char)(0x80 | (key >> 6 & 0x3f));
		utf8[3] = (unsigned char)(0x80 | (key & 0x3f));
		len = 4;
	}
	if (key >= 0x20) { /* printable: never a command, whatever inputrc says */
		char text[5] = { 0 };
		memcpy(text, utf8, len);
		if (rl_end < LINE_BYTES_MAX)
			rl_insert_text(text);
	} else if (write(p->keys_fd, utf8, len) == (ssize_t)len) {
		rl_callback_read_char();
	}
}

/* Keys that readline has commands for, called by name: no escape sequences to time out on. */
static const struct edit_key {
	uint32_t key;
	rl_command_func_t *command;
} edit_keys[] = {
	{ KEY_LEFT_, rl_backward_char }, { KEY_RIGHT_, rl_forward_char },
	{ KEY_HOME_, rl_beg_of_line }, { KEY_END_, rl_end_of_line },
	{ KEY_UP_, rl_get_previous_history }, { KEY_DOWN_, rl_get_next_history },
	{ 'P' & 0x1f, rl_get_previous_history }, { 'N' & 0x1f, rl_get_next_history },
	{ KEY_BACKSPACE_, rl_rubout }, { 0x7f, rl_rubout }, { 'H' & 0x1f, rl_rubout },
	{ KEY_DELETE_, rl_delete }, { 'D' & 0x1f, rl_delete },
	{ 'A' & 0x1f, rl_beg_of_line }, { 'E' & 0x1f, rl_end_of_line },
	{ 'B' & 0x1f, rl_backward_char }, { 'F' & 0x1f, rl_forward_char },
	{ 'K' & 0x1f, rl_kill_line }, { 'U' & 0x1f, rl_unix_line_discard },
	{ 'W' & 0x1f, rl_unix_word_rubout }, { 'Y' & 0x1f, rl_yank },
};

static bool edit(uint32_t key)
{
	for (size_t i = 0; i < ARRAY_LEN(edit_keys); i++) {
		if (edit_keys[i].key != key)
			continue;
		edit_keys[i].command(1, 0);
		return true;
	}
	return false;
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
	else if (!edit(key) && key < 0x110000)
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
