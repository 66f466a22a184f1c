/* Keys as data: contexts that fall back pane -> table -> global. */
#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "ui/action.h"

struct keymap;

/** Keys above the Unicode range; below it a key is its code point. Ctrl-X is X & 0x1f. */
enum key {
	KEY_UP_ = 0x110000, KEY_DOWN_, KEY_LEFT_, KEY_RIGHT_, KEY_PGUP_, KEY_PGDN_, KEY_HOME_, KEY_END_,
	KEY_BACKSPACE_, KEY_DELETE_, KEY_ENTER_, KEY_ESC_, KEY_BACKTAB_, KEY_RESIZE_,
	KEY_F0_ /* F1 is KEY_F0_ + 1, to F12 */
};

/** An empty keymap; NULL when memory is used up. */
struct keymap *keymap_new(void);
/** Free; accepts NULL. */
void keymap_free(struct keymap *k);

/** Layer a keymap file's text on top; errors name file and line. Grammar: keymaps/default.keys. */
int keymap_parse(struct keymap *k, const char *file, const char *bytes, size_t len, struct err *e);

/** The default keymap built into the program. */
extern const char keymap_default_bytes[];
extern const size_t keymap_default_len;

/** The action of a key in a context ("processes", "table", "prompt"), falling back; ACT_NONE if unbound. */
enum action keymap_find(const struct keymap *k, const char *context, bool is_table, uint32_t key);

/** Walk the bindings visible in a context, for help; false at the end. Start with *at = 0. */
bool keymap_next(const struct keymap *k, const char *context, bool is_table, uint32_t *at,
		 const char **keys, enum action *action, const char **help);

/** Name of a key as in keymap files ("j", "<F1>", "C-d"); written to out of at least 16 bytes. */
void key_label(uint32_t key, char out[static 16]);

/** Parse one key at *at ("j", "<Down>", "C-d") and advance; 0 on an unknown name. */
uint32_t key_parse(const char **at);

#endif
