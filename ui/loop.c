#include "ui/loop.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "ui/term.h"

/** What the loop holds while it runs. */
struct loop {
	struct console *console;
	struct source *source;
	struct terminal *terminal;
	struct canvas *canvas;
	int epoll_fd, signal_fd, tick_fd;
	bool is_dirty, is_over;
};

static void wanted_signals(sigset_t *set)
{
	static const int wanted[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT };

	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		sigaddset(set, wanted[i]);
}

int loop_block_signals(struct err *e)
{
	sigset_t set;

	wanted_signals(&set);
	/* A reader that went away shows as an error of write, not as our end. */
	signal(SIGPIPE, SIG_IGN);
	return sigprocmask(SIG_BLOCK, &set, NULL) ? err_errno(e, errno, "blocking signals") : 0;
}

static int watch(struct loop *l, int fd, struct err *e)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &ev) ? err_errno(e, errno, "epoll") : 0;
}

static int open_fds(struct loop *l, struct err *e)
{
	/* A tick keeps ages and the clock moving when no frame comes; rare, so that idling costs nothing. */
	const struct itimerspec every = { .it_interval.tv_sec = 1, .it_value.tv_sec = 1 };
	sigset_t set;

	wanted_signals(&set);
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	l->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	l->tick_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (l->epoll_fd < 0 || l->signal_fd < 0 || l->tick_fd < 0 || timerfd_settime(l->tick_fd, 0, &every, NULL))
		return err_errno(e, errno, "event loop");
	int rc = watch(l, STDIN_FILENO, e);
	if (!rc)
		rc = watch(l, l->signal_fd, e);
	if (!rc)
		rc = watch(l, l->tick_fd, e);
	if (!rc && l->source->fd >= 0)
		rc = watch(l, l->source->fd, e);
	return rc;
}

static int fit_canvas(struct loop *l, struct err *e)
{
	int rows, cols;

	terminal_size(l->terminal, &rows, &cols);
	canvas_free(l->canvas);
	l->canvas = canvas_new(rows, cols);
	if (!l->canvas)
		return err_set(e, ENOMEM, "out of memory");
	l->canvas->is_ascii = terminal_is_ascii(l->terminal);
	l->is_dirty = true;
	return 0;
}

static int suspend(struct loop *l, struct err *e)
{
	terminal_suspend(l->terminal);
	return fit_canvas(l, e);
}

static int take_signals(struct loop *l, struct err *e)
{
	struct signalfd_siginfo s;
	int rc = 0;

	while (!rc && read(l->signal_fd, &s, sizeof(s)) == (ssize_t)sizeof(s)) {
		switch (s.ssi_signo) {
		case SIGWINCH:
		case SIGCONT:
			terminal_resize(l->terminal);
			rc = fit_canvas(l, e);
			break;
		case SIGTSTP:
			rc = suspend(l, e);
			break;
		default:
			l->is_over = true;
		}
	}
	return rc;
}

static int take_keys(struct loop *l, struct err *e)
{
	uint32_t key;

	while (!l->is_over && terminal_key(l->terminal, &key)) {
		l->is_dirty = true;
		if (key == KEY_RESIZE_) {
			int rc = fit_canvas(l, e);
			if (rc)
				return rc;
			continue;
		}
		if (key == ('L' & 0x1f))
			terminal_repaint(l->terminal);
		l->is_over = !console_key(l->console, key);
		if (console_take_suspend(l->console)) {
			int rc = suspend(l, e);
			if (rc)
				return rc;
		}
	}
	return 0;
}

static void draw(struct loop *l)
{
	int col = 0;
	const char *line = console_prompt(l->console, &col);

	canvas_clear(l->canvas);
	console_draw(l->console, l->canvas);
	terminal_draw(l->terminal, l->canvas, line ? l->canvas->rows - 1 : -1, col);
	l->is_dirty = false;
}

/* One wake-up: everything that is ready, then at most one draw. */
static int step(struct loop *l, struct err *e)
{
	struct epoll_event ready[4];
	int n = epoll_wait(l->epoll_fd, ready, (int)ARRAY_LEN(ready), -1), rc = 0;

	if (n < 0)
		return errno == EINTR ? 0 : err_errno(e, errno, "epoll_wait");
	for (int i = 0; i < n && !rc; i++) {
		if (ready[i].data.fd == l->signal_fd) {
			rc = take_signals(l, e);
		} else if (ready[i].data.fd == STDIN_FILENO) {
			/* A terminal that is gone hangs up for ever: leave instead of spinning. */
			if (ready[i].events & (EPOLLHUP | EPOLLERR))
				l->is_over = true;
			rc = rc ? rc : take_keys(l, e);
		} else if (ready[i].data.fd == l->tick_fd) {
			uint64_t ticks;
			l->is_dirty |= read(l->tick_fd, &ticks, sizeof(ticks)) > 0;
		}
	}
	l->is_dirty |= console_poll(l->console);
	if (!rc && console_take_suspend(l->console))
		rc = suspend(l, e);
	if (!rc && !l->is_over && l->is_dirty)
		draw(l);
	return rc;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

int loop_run(struct console *c, struct source *s, struct err *e)
{
	struct loop l = { .console = c, .source = s, .epoll_fd = -1, .signal_fd = -1, .tick_fd = -1 };

	l.terminal = terminal_open(e);
	if (!l.terminal)
		return -e->code;
	int rc = open_fds(&l, e);
	if (!rc)
		rc = fit_canvas(&l, e);
	if (!rc) {
		console_poll(c);
		draw(&l);
	}
	while (!rc && !l.is_over)
		rc = step(&l, e);
	canvas_free(l.canvas);
	close_fd(l.epoll_fd);
	close_fd(l.signal_fd);
	close_fd(l.tick_fd);
	terminal_close(l.terminal);
	return rc;
}
