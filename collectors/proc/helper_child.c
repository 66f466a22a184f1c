#include "collectors/proc/helper_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/proc/helper.h"

/* Everything rung has open would live as long as a child that hangs: terminal, probes, session
 * file. */
static void close_others(int a, int b)
{
	unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);

	if (low > 0)
		close_range(0, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0u, 0);
}

static void read_start(int dir_fd, const char *path, struct helper_answer *a)
{
	char more;
	ssize_t got;
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		a->code = errno;
		return;
	}
	while (a->len < sizeof(a->bytes)) {
		got = read(fd, a->bytes + a->len, sizeof(a->bytes) - a->len);
		if (got < 0)
			a->code = errno;
		if (got <= 0)
			break;
		a->len += (uint32_t)got;
	}
	a->is_cut = a->len == sizeof(a->bytes) && read(fd, &more, 1) == 1;
	close(fd);
}

_Noreturn void helper_child_main(int socket_fd, int dir_fd)
{
	struct helper_question q;
	sigset_t all;

	/* The terminal's Ctrl-C and Ctrl-Z are for the console. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "rung-helper");
	close_others(socket_fd, dir_fd);
	while (recv(socket_fd, &q, sizeof(q), 0) == (ssize_t)sizeof(q)) {
		struct helper_answer a = { .key = q.key };
		read_start(dir_fd, q.path, &a);
		size_t len = offsetof(struct helper_answer, bytes) + a.len;
		if (send(socket_fd, &a, len, MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}
