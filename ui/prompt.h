/* One line of typed text: edited by readline, drawn by us. One prompt at a time. */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct prompt;

/** What a key did to the line. */
enum prompt_result { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

struct prompt_options {
	const char *text;          /* to start with */
	bool has_history;          /* remember lines in $XDG_STATE_HOME/rung/history */
	char **(*complete)(const char *line, size_t at); /* as in console_options; NULL: none */
};

/** Release the line; accepts NULL. */
void prompt_free(struct prompt *p);

/** Start a line; NULL when memory or descriptors are used up. */
struct prompt *prompt_new(const struct prompt_options *o) OWNED(prompt_free);

/** Feed one key (see enum key). */
enum prompt_result prompt_key(struct prompt *p, uint32_t key);

/** The text so far; borrowed until the next key. */
const char *prompt_line(const struct prompt *p);

/** Byte offset of the cursor in prompt_line(). */
size_t prompt_cursor(const struct prompt *p);

/** What the word before the cursor could become, if the last key was Tab and left a choice; NULL and 0 otherwise. */
const char *const *prompt_names(const struct prompt *p, size_t *n);

/** Keep the line in the history, once. */
void prompt_remember(struct prompt *p);

#endif
