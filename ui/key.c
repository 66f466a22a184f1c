/* Names of keys, both ways. */
#include <stdio.h>
#include <string.h>

#include "base/glyph.h"
#include "ui/keymap.h"

static const struct key_row {
	const char *name;
	uint32_t key;
} key_rows[] = {
	{ "<Up>", KEY_UP_ }, { "<Down>", KEY_DOWN_ }, { "<Left>", KEY_LEFT_ }, { "<Right>", KEY_RIGHT_ },
	{ "<PgUp>", KEY_PGUP_ }, { "<PgDn>", KEY_PGDN_ }, { "<Home>", KEY_HOME_ }, { "<End>", KEY_END_ },
	{ "<Backspace>", KEY_BACKSPACE_ }, { "<Delete>", KEY_DELETE_ }, { "<Enter>", KEY_ENTER_ },
	{ "<Esc>", KEY_ESC_ }, { "<BackTab>", KEY_BACKTAB_ }, { "<Tab>", '\t' }, { "<Space>", ' ' },
	{ "<F1>", KEY_F0_ + 1 }, { "<F2>", KEY_F0_ + 2 }, { "<F3>", KEY_F0_ + 3 }, { "<F4>", KEY_F0_ + 4 },
	{ "<F5>", KEY_F0_ + 5 }, { "<F6>", KEY_F0_ + 6 }, { "<F7>", KEY_F0_ + 7 }, { "<F8>", KEY_F0_ + 8 },
	{ "<F9>", KEY_F0_ + 9 }, { "<F10>", KEY_F0_ + 10 }, { "<F11>", KEY_F0_ + 11 }, { "<F12>", KEY_F0_ + 12 },
};

void key_label(uint32_t key, char out[static 16])
{
	for (size_t i = 0; i < ARRAY_LEN(key_rows); i++) {
		if (key_rows[i].key == key) {
			snprintf(out, 16, "%s", key_rows[i].name);
			return;
		}
	}
	if (key && key < 0x20)
		snprintf(out, 16, "C-%c", (int)(key | 0x60));
	else if (key > 0x20 && key < 0x7f)
		snprintf(out, 16, "%c", (int)key);
	else
		snprintf(out, 16, "U+%04X", key);
}

static uint32_t parse_named(const char **at)
{
	for (size_t i = 0; i < ARRAY_LEN(key_rows); i++) {
		size_t len = strlen(key_rows[i].name);
		if (!strncmp(*at, key_rows[i].name, len)) {
			*at += len;
			return key_rows[i].key;
		}
	}
	return 0;
}

uint32_t key_parse(const char **at)
{
	while (**at == ' ' || **at == '\t')
		(*at)++;
	uint32_t key = **at == '<' ? parse_named(at) : 0;
	if (key)
		return key;
	if ((*at)[0] == 'C' && (*at)[1] == '-' && (*at)[2] > ' ') {
		key = (uint32_t)(*at)[2] & 0x1f;
		*at += 3;
		return key;
	}
	uint32_t len = glyph_decode(*at, strlen(*at), &key);
	if (!len || glyph_is_unsafe(key))
		return 0;
	*at += len;
	return key;
}
