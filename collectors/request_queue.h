/* Requests on their way from the console to the sampler; putting one never waits for sampling. */
#ifndef COLLECTORS_REQUEST_QUEUE_H
#define COLLECTORS_REQUEST_QUEUE_H

#include <pthread.h>

#include "base/err.h"
#include "frame/source.h"

#define REQUEST_QUEUE_CAP 16u

struct request_queue {
	pthread_mutex_t lock; /* held for one copy only */
	uint32_t first, len;
	struct request ring[REQUEST_QUEUE_CAP];
};

/** Make an empty queue in zeroed memory. */
int request_queue_init(struct request_queue *q, struct err *e);

/** Append a copy; a focus that was not taken yet is replaced. -EAGAIN with words when the queue
 * is full. */
int request_queue_put(struct request_queue *q, const struct request *r, struct err *e);

/** Take the oldest; false when there is none. */
bool request_queue_take(struct request_queue *q, struct request *r);

/** Release the lock. */
void request_queue_fini(struct request_queue *q);

#endif
