/* A terminal: cells out, keys in. The driver behind it is the only file that knows curses. */
#ifndef UI_TERM_H
#define UI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "ui/canvas.h"

struct terminal;

/** Take over the terminal of stdin and stdout; only one at a time. NULL with words (no tty, unknown TERM). */
struct terminal *terminal_open(struct err *e);

/** Give the terminal back as it was found; accepts NULL. */
void terminal_close(struct terminal *t);

/** True when the terminal's locale cannot show glyphs outside ASCII. */
bool terminal_is_ascii(const struct terminal *t);

/** Rows and columns now. */
void terminal_size(const struct terminal *t, int *rows, int *cols);

/** Adopt a new window size after SIGWINCH and forget what was on screen. */
void terminal_resize(struct terminal *t);

/** Show the cells; the cursor is put at that place, or hidden when row is negative. */
void terminal_draw(struct terminal *t, const struct canvas *c, int cursor_row, int cursor_col);

/** Forget what is on screen, so that the next draw paints everything (Ctrl-L). */
void terminal_repaint(struct terminal *t);

/** The next key typed (see enum key), without waiting; false when there is none. */
bool terminal_key(struct terminal *t, uint32_t *key);

/** Give the terminal back, stop this process until it is continued, take the terminal again. */
void terminal_suspend(struct terminal *t);

#endif
