#include "collectors/sampler.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/request_queue.h"
#include "collectors/scheduler.h"
#include "frame/mailbox.h"

/* However fast the console changes what it shows, sampling follows at this distance. */
#define SPACING_NS (50 * NS_PER_MS)

struct sampler {
	struct source source; /* first: what the console holds */
	struct mailbox box;
	struct request_queue queue;
	atomic_bool is_stopping;
	pthread_t thread;
	bool has_thread, has_queue;
	int epoll_fd, timer_fd, wake_fd;
	/* Below: the thread's own. */
	struct collector_env env;
	struct scheduler *scheduler;
	uint64_t period_ns, started_ns, sampled_ns;
	struct request request; /* too large for the stack of a thread */
};

static void make_frame(struct sampler *s)
{
	struct frame *f;

	s->sampled_ns = clock_mono_ns();
	f = scheduler_frame(s->scheduler, s->sampled_ns, clock_wall_ns());
	/* Without memory for a frame the next period tries again; elapsed time tells the gap. */
	if (f)
		mailbox_put(&s->box, f);
}

/* The next multiple of the period since the start: sampling that took long does not shift the
 * grid. */
static uint64_t next_frame_ns(const struct sampler *s)
{
	uint64_t periods = (s->sampled_ns - s->started_ns) / s->period_ns + 1;
	uint64_t grid_ns = s->started_ns + periods * s->period_ns;
	uint64_t hurry_ns = scheduler_hurry_ns(s->scheduler);

	if (hurry_ns < SPACING_NS)
		hurry_ns = SPACING_NS;
	if (hurry_ns != UINT64_MAX && s->sampled_ns + hurry_ns < grid_ns)
		return s->sampled_ns + hurry_ns;
	return grid_ns < s->sampled_ns + SPACING_NS ? s->sampled_ns + SPACING_NS : grid_ns;
}

static void take_requests(struct sampler *s)
{
	struct err e;

	while (request_queue_take(&s->queue, &s->request))
		/* What went wrong with a probe is said in the PROBE section by the collector
		 * that refused it. */
		(void)scheduler_ask(s->scheduler, &s->request, clock_mono_ns(), &e);
}

static void wait_until(struct sampler *s, uint64_t mono_ns)
{
	struct itimerspec at = { .it_value = { .tv_sec = (time_t)(mono_ns / NS_PER_S),
					       .tv_nsec = (long)(mono_ns % NS_PER_S) } };
	struct epoll_event events[2];
	uint64_t count;

	if (timerfd_settime(s->timer_fd, TFD_TIMER_ABSTIME, &at, NULL) != 0)
		return;
	epoll_wait(s->epoll_fd, events, ARRAY_LEN(events), -1);
	/* Both are non-blocking and level-triggered; the counts do not matter. */
	if (read(s->timer_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	if (read(s->wake_fd, &count, sizeof(count)) < 0)
		return;
}

static void *sampler_main(void *arg)
{
	struct sampler *s = arg;

	s->started_ns = clock_mono_ns();
	make_frame(s);
	while (!atomic_load_explicit(&s->is_stopping, memory_order_acquire)) {
		take_requests(s);
		uint64_t next_ns = next_frame_ns(s), now_ns = clock_mono_ns();
		if (now_ns >= next_ns)
			make_frame(s);
		else if (!scheduler_open_slow(s->scheduler, now_ns))
			wait_until(s, next_ns);
	}
	return NULL;
}

static void wake(struct sampler *s)
{
	uint64_t one = 1;
	/* It can only fail when it is already readable, which wakes as well. */
	ssize_t n = write(s->wake_fd, &one, sizeof(one));
	(void)n;
}

static struct frame *sampler_next(struct source *source)
{
	struct sampler *s = (struct sampler *)source;

	return mailbox_take(&s->box);
}

static int sampler_ask(struct source *source, const struct request *r, struct err *e)
{
	struct sampler *s = (struct sampler *)source;
	int rc = request_queue_put(&s->queue, r, e);

	wake(s);
	return rc;
}

static void sampler_close(struct source *source)
{
	struct sampler *s = (struct sampler *)source;

	if (!s)
		return;
	atomic_store_explicit(&s->is_stopping, true, memory_order_release);
	if (s->has_thread) {
		wake(s);
		pthread_join(s->thread, NULL);
	}
	scheduler_free(s->scheduler);
	collector_env_fini(&s->env);
	mailbox_fini(&s->box);
	if (s->has_queue)
		request_queue_fini(&s->queue);
	const int fds[] = { s->epoll_fd, s->timer_fd, s->wake_fd };
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(s);
}

static int open_fds(struct sampler *s, struct err *e)
{
	struct epoll_event ready = { .events = EPOLLIN };

	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	s->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	s->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (s->epoll_fd < 0 || s->timer_fd < 0 || s->wake_fd < 0 ||
	    epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, s->timer_fd, &ready) != 0 ||
	    epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, s->wake_fd, &ready) != 0)
		return err_errno(e, errno, "sampler's descriptors");
	return 0;
}

/* Signals belong to the console's thread; those a crash raises stay with the thread that crashed,
 * so that the handler that restores the terminal can run. */
static int start_thread(struct sampler *s, struct err *e)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };
	sigset_t blocked, before;
	int code;

	sigfillset(&blocked);
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		sigdelset(&blocked, crashes[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	code = pthread_create(&s->thread, NULL, sampler_main, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code)
		return err_errno(e, code, "sampler thread");
	s->has_thread = true;
	return 0;
}

static int prepare(struct sampler *s, const struct sampler_options *o, struct err *e)
{
	struct request focus = { .kind = REQUEST_FOCUS, .scope = o->scope };
	int rc = open_fds(s, e);

	if (rc || (rc = mailbox_init(&s->box, e)) || (rc = request_queue_init(&s->queue, e)))
		return rc;
	s->has_queue = true;
	s->source.fd = s->box.fd;
	s->period_ns = o->period_ns ? o->period_ns : NS_PER_S;
	rc = collector_env_live(&s->env, e);
	if (rc)
		return rc;
	s->env.may_bpf = s->env.may_bpf && !o->is_no_bpf;
	s->env.focus = &focus;
	struct scheduler_options all = { .collectors = collector_registry,
					 .ncollectors = collector_registry_len,
					 .env = &s->env,
					 .period_ns = s->period_ns };
	s->scheduler = scheduler_new(&all, e);
	s->env.focus = NULL; /* the scheduler has its own copy */
	return s->scheduler ? 0 : -e->code;
}

struct source *sampler_start(const struct sampler_options *o, struct err *e)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (!s) {
		err_set(e, ENOMEM, "out of memory");
		return NULL;
	}
	s->source = (struct source){
		.fd = -1, .next = sampler_next, .ask = sampler_ask, .close = sampler_close
	};
	s->box.fd = s->epoll_fd = s->timer_fd = s->wake_fd = -1;
	s->env = (struct collector_env){ .proc_fd = -1, .sys_fd = -1, .tracefs_fd = -1 };
	if (prepare(s, o, e) || start_thread(s, e)) {
		sampler_close(&s->source);
		return NULL;
	}
	return &s->source;
}
