/* One slot between the sampler and the screen: latest wins, nobody waits. */
#ifndef FRAME_MAILBOX_H
#define FRAME_MAILBOX_H

#include <stdatomic.h>

#include "base/err.h"
#include "frame/frame.h"

struct mailbox {
	_Atomic(struct frame *) slot;
	int fd; /* eventfd: readable when a frame was put */
};

/** Open the eventfd. */
int mailbox_init(struct mailbox *m, struct err *e);

/** Hand over a reference; a frame not taken yet is dropped. */
void mailbox_put(struct mailbox *m, struct frame *f);

/** The frame put last, its reference now the caller's; NULL when there is nothing new. */
struct frame *mailbox_take(struct mailbox *m);

/** Close the eventfd and drop what is left. */
void mailbox_fini(struct mailbox *m);

#endif
