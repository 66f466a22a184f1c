/* The console: pane stack, trail, time travel, finding line; all of it without a terminal. */
#ifndef UI_CONSOLE_H
#define UI_CONSOLE_H

#include "frame/finding.h"
#include "frame/source.h"
#include "ui/keymap.h"
#include "ui/pane.h"

/** What the console needs from folders it may not see, given by main. */
struct console_options {
	const struct pane *const *panes;
	size_t npanes;
	const struct keymap *keys;
	struct source *source;        /* borrowed */
	const struct tool_desc *tools;
	uint32_t ntools;
	struct scope scope;           /* to start with; zeroed: host */
	/** Judge a frame: fill out (zeroed before); false when memory is used up. */
	bool (*triage)(const struct frame *f, const struct history *h, struct findings *out);
	/** Compile without loading: -errno with the message and *column (1-based) of the first error. */
	int (*check_program)(const char *program, struct err *e, uint32_t *column);
	/** Names that complete the word before the cursor, as a NULL-terminated list freed by free(); NULL: none. */
	char **(*complete)(const char *line, size_t at);
	/** Write the history and trail to path. Borrowed arguments; called in a thread of its own. */
	int (*snapshot)(const char *path, const struct history *h, const struct trail *t, struct err *e);
	struct trail *trail;          /* borrowed; a recording's trail or an empty one */
	bool is_ascii;
};

struct console;

/** A console that shows the first pane; NULL when memory is used up. */
struct console *console_new(const struct console_options *o);
/** Free; accepts NULL. */
void console_free(struct console *c);

/** Take what the source has; true when the screen changed. */
bool console_poll(struct console *c);

/** Feed one key (see enum key); true while the console goes on. */
bool console_key(struct console *c, uint32_t key);

/** Draw the whole screen; pure with respect to the console's state but for scroll clamping. */
void console_draw(struct console *c, struct canvas *out);

/** True once the user asked to suspend (Ctrl-Z); reading clears it. */
bool console_take_suspend(struct console *c);

/** Wait for a snapshot that is still being written; how it went. Call before console_free(). */
int console_settle(struct console *c, struct err *e);

/** The line being typed and the cursor's column when the prompt is open; NULL otherwise. */
const char *console_prompt(const struct console *c, int *cursor_col);

#endif
