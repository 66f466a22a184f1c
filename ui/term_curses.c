/*
 * The curses driver. What must be undone after a crash is kept in file-scope
 * variables, since a signal handler can reach nothing else.
 */
#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/attr.h"
#include "ui/keymap.h"

struct terminal {
	SCREEN *screen;
	bool is_ascii, has_colour;
	attr_t attrs[STYLE_COUNT];
};

static struct termios crash_modes;
static char crash_bytes[128];
static volatile sig_atomic_t crash_len;

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP };

/* Only async-signal-safe calls: leave the alternate screen, restore the modes, die of the same signal. */
static void on_crash(int sig)
{
	if (crash_len) {
		ssize_t n = write(STDOUT_FILENO, crash_bytes, (size_t)crash_len);
		(void)n;
		tcsetattr(STDIN_FILENO, TCSANOW, &crash_modes);
		crash_len = 0;
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void arm_crash(void)
{
	static const char *const wanted[] = { "rmkx", "rmcup", "cnorm", "sgr0" };
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const char *s = tigetstr(wanted[i]);
		size_t n = s && s != (char *)-1 ? strlen(s) : 0;
		if (n && len + n < sizeof(crash_bytes)) {
			memcpy(crash_bytes + len, s, n);
			len += n;
		}
	}
	crash_len = (sig_atomic_t)len;
	struct sigaction sa = { .sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND | SA_NODEFER };
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(crash_signals); i++)
		sigaction(crash_signals[i], &sa, NULL);
}

static void disarm_crash(void)
{
	crash_len = 0;
	for (size_t i = 0; i < ARRAY_LEN(crash_signals); i++)
		signal(crash_signals[i], SIG_DFL);
}

/** How a style looks: a colour pair where there are colours, attributes where there are none. */
struct look {
	short fg;
	attr_t with_colour, without;
};

static const struct look looks[STYLE_COUNT] = {
	[STYLE_PLAIN] = { -1, A_NORMAL, A_NORMAL },
	[STYLE_HEAD] = { -1, A_BOLD, A_BOLD },
	[STYLE_DIM] = { COLOR_CYAN, A_NORMAL, A_DIM },
	[STYLE_GOOD] = { COLOR_GREEN, A_NORMAL, A_NORMAL },
	[STYLE_WARN] = { COLOR_YELLOW, A_BOLD, A_BOLD },
	[STYLE_BAD] = { COLOR_RED, A_BOLD, A_BOLD | A_UNDERLINE },
	[STYLE_SELECT] = { -1, A_REVERSE, A_REVERSE },
	[STYLE_LINK] = { COLOR_BLUE, A_BOLD, A_UNDERLINE },
};

static void choose_looks(struct terminal *t)
{
	t->has_colour = has_colors() && start_color() == OK && use_default_colors() == OK;
	for (int s = 0; s < STYLE_COUNT; s++) {
		t->attrs[s] = t->has_colour ? looks[s].with_colour : looks[s].without;
		if (t->has_colour && looks[s].fg >= 0 && init_pair((short)(s + 1), looks[s].fg, -1) == OK)
			t->attrs[s] |= (attr_t)COLOR_PAIR(s + 1);
	}
}

static void set_modes(void)
{
	raw(); /* Ctrl-C and Ctrl-Z are keys here; signals sent by others still arrive */
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	meta(stdscr, TRUE);
	leaveok(stdscr, FALSE);
}

struct terminal *terminal_open(struct err *e)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(e, ENOTTY, "the console needs a terminal; see rung --help for what works without one");
		return NULL;
	}
	struct terminal *t = calloc(1, sizeof(*t));
	if (!t) {
		err_set(e, ENOMEM, "out of memory");
		return NULL;
	}
	setlocale(LC_CTYPE, "");
	t->is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	tcgetattr(STDIN_FILENO, &crash_modes);
	ESCDELAY = 25;
	t->screen = newterm(NULL, stdout, stdin);
	if (!t->screen) {
		const char *name = getenv("TERM");
		err_set(e, ENOENT, "no description of terminal \"%.40s\"; try TERM=xterm or TERM=linux",
			name ? name : "");
		free(t);
		return NULL;
	}
	set_modes();
	choose_looks(t);
	arm_crash();
	return t;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	endwin();
	delscreen(t->screen);
	disarm_crash();
	free(t);
}

bool terminal_is_ascii(const struct terminal *t)
{
	return t->is_ascii;
}

void terminal_size(const struct terminal *t, int *rows, int *cols)
{
	(void)t;
	*rows = LINES;
	*cols = COLS;
}

void terminal_resize(struct terminal *t)
{
	struct winsize w;

	(void)t;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_row && w.ws_col)
		resizeterm(w.ws_row, w.ws_col);
	clearok(curscr, TRUE);
}

void terminal_repaint(struct terminal *t)
{
	(void)t;
	clearok(curscr, TRUE);
}

/* One row as runs of equal style: one call each instead of one per cell. */
static void draw_row(const struct terminal *t, const struct canvas *c, int row)
{
	const struct cell *cells = c->cells + (size_t)row * (size_t)c->stride;
	char run[1024];
	size_t len = 0;
	int style = -1;

	move(row, 0);
	for (int col = 0; col < c->cols; col++) {
		if (cells[col].style != style || len + sizeof(cells[col].utf8) > sizeof(run)) {
			if (len)
				addnstr(run, (int)len);
			len = 0;
			style = cells[col].style;
			attrset((int)t->attrs[style < STYLE_COUNT ? style : STYLE_PLAIN]);
		}
		memcpy(run + len, cells[col].utf8, cells[col].len);
		len += cells[col].len;
	}
	if (len)
		addnstr(run, (int)len);
}

void terminal_draw(struct terminal *t, const struct canvas *c, int cursor_row, int cursor_col)
{
	erase();
	for (int row = 0; row < c->rows && row < LINES; row++)
		draw_row(t, c, row);
	attrset(A_NORMAL);
	curs_set(cursor_row >= 0);
	if (cursor_row >= 0)
		move(cursor_row < LINES ? cursor_row : LINES - 1, cursor_col < COLS ? cursor_col : COLS - 1);
	refresh();
}

/** Curses' name of a key and ours. */
struct key_pair {
	wint_t theirs;
	uint32_t ours;
};

static const struct key_pair special[] = {
	{ KEY_UP, KEY_UP_ }, { KEY_DOWN, KEY_DOWN_ }, { KEY_LEFT, KEY_LEFT_ }, { KEY_RIGHT, KEY_RIGHT_ },
	{ KEY_PPAGE, KEY_PGUP_ }, { KEY_NPAGE, KEY_PGDN_ }, { KEY_HOME, KEY_HOME_ }, { KEY_END, KEY_END_ },
	{ KEY_BACKSPACE, KEY_BACKSPACE_ }, { KEY_DC, KEY_DELETE_ }, { KEY_ENTER, KEY_ENTER_ },
	{ KEY_BTAB, KEY_BACKTAB_ }, { KEY_RESIZE, KEY_RESIZE_ },
};

static uint32_t translate_special(wint_t w)
{
	for (size_t i = 0; i < ARRAY_LEN(special); i++)
		if (special[i].theirs == w)
			return special[i].ours;
	if (w > KEY_F0 && w <= KEY_F(12))
		return KEY_F0_ + (uint32_t)(w - KEY_F0);
	return 0;
}

static uint32_t translate_plain(wint_t w)
{
	switch (w) {
	case '\r':
	case '\n': return KEY_ENTER_;
	case 0x1b: return KEY_ESC_;
	case 0x7f:
	case '\b': return KEY_BACKSPACE_;
	default: return (uint32_t)w;
	}
}

bool terminal_key(struct terminal *t, uint32_t *key)
{
	wint_t w = 0;

	(void)t;
	for (;;) {
		int rc = get_wch(&w);
		if (rc == ERR)
			return false;
		*key = rc == KEY_CODE_YES ? translate_special(w) : translate_plain(w);
		if (*key)
			return true; /* a key nobody knows is skipped */
	}
}

void terminal_suspend(struct terminal *t)
{
	sigset_t stop, before;

	endwin();
	disarm_crash();
	/* The stop signal is blocked for the loop's signalfd; it must act here. */
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, &before);
	signal(SIGTSTP, SIG_DFL);
	kill(0, SIGTSTP);
	sigprocmask(SIG_SETMASK, &before, NULL);
	set_modes();
	arm_crash();
	terminal_resize(t);
	refresh();
}
