#include "collectors/proc/helper.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/proc/helper_child.h"

#define QUESTIONS_MAX 64u
#define HUNG_MAX      8u
/* Long enough for a healthy child on a starved host. */
#define PATIENCE_NS (3 * NS_PER_S)

struct helper {
	int dir_fd, socket_fd;
	pid_t child;         /* 0: none at present */
	uint64_t waiting_ns; /* since when the oldest question is the child's */
	uint32_t first, len;
	struct helper_question asked[QUESTIONS_MAX]; /* answered in this order */
	uint32_t nhung;
	pid_t hung[HUNG_MAX]; /* killed, not gone yet */
};

static int start_child(struct helper *h)
{
	int pair[2], code;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	h->child = fork();
	if (h->child == 0)
		helper_child_main(pair[1], h->dir_fd);
	code = errno;
	close(pair[1]);
	if (h->child < 0) {
		h->child = 0;
		close(pair[0]);
		return -code;
	}
	h->socket_fd = pair[0];
	return 0;
}

static void reap(struct helper *h)
{
	for (uint32_t i = 0; i < h->nhung;) {
		if (waitpid(h->hung[i], NULL, WNOHANG) == 0)
			i++;
		else
			h->hung[i] = h->hung[--h->nhung];
	}
}

/* A child in an uninterruptible sleep dies when it wakes; until then it is only counted. */
static void abandon(struct helper *h)
{
	if (!h->child)
		return;
	close(h->socket_fd);
	h->socket_fd = -1;
	kill(h->child, SIGKILL);
	h->hung[h->nhung++] = h->child;
	h->child = 0;
}

struct helper *helper_start(int dir_fd, struct err *e)
{
	struct helper *h = calloc(1, sizeof(*h));
	int rc;

	if (!h || dir_fd < 0) {
		err_errno(e, h ? EBADF : ENOMEM, "helper process");
		free(h);
		return NULL;
	}
	h->dir_fd = dir_fd;
	h->socket_fd = -1;
	rc = start_child(h);
	if (rc) {
		err_errno(e, -rc, "helper process");
		free(h);
		return NULL;
	}
	return h;
}

void helper_free(struct helper *h)
{
	if (!h)
		return;
	/* One that owes no answer cannot hang and is gone at once; with the others there is
	 * little patience. */
	if (h->child && !h->len) {
		kill(h->child, SIGKILL);
		close(h->socket_fd);
		while (waitpid(h->child, NULL, 0) < 0 && errno == EINTR)
			;
	} else {
		abandon(h);
	}
	for (int tries = 0; h->nhung && tries < 100; tries++) {
		reap(h);
		nanosleep(&(struct timespec){ .tv_nsec = h->nhung ? 1000000 : 0 }, NULL);
	}
	free(h);
}

static bool send_question(const struct helper *h, const struct helper_question *q)
{
	return h->child && send(h->socket_fd, q, sizeof(*q), MSG_DONTWAIT | MSG_NOSIGNAL) ==
			       (ssize_t)sizeof(*q);
}

/* A new child gets every question that the last one did not come to. */
static void restart(struct helper *h, uint64_t now_ns)
{
	reap(h);
	if (h->child || h->nhung >= HUNG_MAX || start_child(h) != 0)
		return;
	h->waiting_ns = now_ns;
	for (uint32_t i = 0; i < h->len; i++)
		if (!send_question(h, &h->asked[(h->first + i) % QUESTIONS_MAX]))
			h->len = i;
}

int helper_ask(struct helper *h, uint64_t key, const char *path, uint64_t now_ns)
{
	struct helper_question q = { .key = key };

	if (strlen(path) >= sizeof(q.path))
		return -ENAMETOOLONG;
	memcpy(q.path, path, strlen(path));
	if (!h->child)
		restart(h, now_ns);
	if (!h->child || h->len == QUESTIONS_MAX || !send_question(h, &q))
		return -EAGAIN;
	if (!h->len)
		h->waiting_ns = now_ns;
	h->asked[(h->first + h->len++) % QUESTIONS_MAX] = q;
	return 0;
}

static void take_first(struct helper *h, uint64_t now_ns)
{
	h->first = (h->first + 1) % QUESTIONS_MAX;
	h->len--;
	h->waiting_ns = now_ns;
}

/* The oldest question is what the child hung on or died of: it is answered with that, the
 * others go on. */
static bool give_up(struct helper *h, uint64_t now_ns, struct helper_answer *a)
{
	*a = (struct helper_answer){ .key = h->asked[h->first].key, .code = ETIMEDOUT };
	abandon(h);
	take_first(h, now_ns);
	restart(h, now_ns);
	return true;
}

bool helper_take(struct helper *h, uint64_t now_ns, struct helper_answer *a)
{
	ssize_t got;

	if (!h->child)
		restart(h, now_ns);
	if (!h->child || !h->len)
		return false;
	got = recv(h->socket_fd, a, sizeof(*a), MSG_DONTWAIT);
	if (got >= (ssize_t)offsetof(struct helper_answer, bytes)) {
		take_first(h, now_ns);
		return true;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR) && now_ns < h->waiting_ns + PATIENCE_NS)
		return false;
	return give_up(h, now_ns, a);
}

uint32_t helper_hung(const struct helper *h)
{
	return h->nhung;
}

uint64_t helper_cpu_ns(const struct helper *h)
{
	struct timespec t;
	clockid_t clock;

	if (!h->child || clock_getcpuclockid(h->child, &clock) != 0 ||
	    clock_gettime(clock, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}
