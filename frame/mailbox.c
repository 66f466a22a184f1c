#include "frame/mailbox.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

int mailbox_init(struct mailbox *m, struct err *e)
{
	atomic_init(&m->slot, NULL);
	m->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return m->fd < 0 ? err_errno(e, errno, "eventfd") : 0;
}

void mailbox_put(struct mailbox *m, struct frame *f)
{
	frame_unref(atomic_exchange_explicit(&m->slot, f, memory_order_acq_rel));
	/* Only EAGAIN can come back, and then the fd is readable already. */
	(void)eventfd_write(m->fd, 1);
}

struct frame *mailbox_take(struct mailbox *m)
{
	eventfd_t n;

	/* Drain before taking: a frame put in between leaves the fd readable, never lost. */
	(void)eventfd_read(m->fd, &n);
	return atomic_exchange_explicit(&m->slot, NULL, memory_order_acq_rel);
}

void mailbox_fini(struct mailbox *m)
{
	frame_unref(atomic_exchange_explicit(&m->slot, NULL, memory_order_acq_rel));
	if (m->fd > 0)
		close(m->fd);
	m->fd = -1;
}
