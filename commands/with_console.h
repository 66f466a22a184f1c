/* What every command that opens the console shares: keymaps, triage, tools, compiler, terminal or dump. */
#ifndef COMMANDS_WITH_CONSOLE_H
#define COMMANDS_WITH_CONSOLE_H

#include "frame/source.h"
#include "frame/trail.h"

/** How to show a source; zeroed but for source and trail is the console on this terminal. */
struct console_show {
	struct source *source; /* closed at the end */
	struct trail *trail;   /* borrowed */
	struct scope scope;
	const char *keys;      /* keys to press first, as in keymap files, separated by blanks; NULL: none */
	bool is_dump;          /* print the screen instead of taking the terminal */
	bool has_styles;       /* with the grid of style letters */
	bool is_ascii;
	int rows, cols;        /* of the dump */
};

/** Show it until the user leaves; the exit status. Errors go to stderr. */
int with_console(const struct console_show *show);

/** Open FILE as a source: a session (*.rung) or frames as text. NULL with words. */
struct source *with_console_open(const char *path, struct trail *trail, struct err *e);

/** Say on stderr what failed; the words may hold bytes of others, so they are cleaned. */
void with_console_complain(const struct err *e);

/** Parse COLSxROWS; false when it is not that. */
bool with_console_size(const char *text, int *cols, int *rows);

#endif
