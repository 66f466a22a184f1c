#include "collectors/request_queue.h"

#include <errno.h>

int request_queue_init(struct request_queue *q, struct err *e)
{
	int code = pthread_mutex_init(&q->lock, NULL);

	return code ? err_errno(e, code, "request queue") : 0;
}

static struct request *latest(struct request_queue *q)
{
	return q->len ? &q->ring[(q->first + q->len - 1) % REQUEST_QUEUE_CAP] : NULL;
}

int request_queue_put(struct request_queue *q, const struct request *r, struct err *e)
{
	struct request *last;
	int rc = 0;

	pthread_mutex_lock(&q->lock);
	last = latest(q);
	if (last && last->kind == REQUEST_FOCUS && r->kind == REQUEST_FOCUS)
		*last = *r;
	else if (q->len < REQUEST_QUEUE_CAP)
		q->ring[(q->first + q->len++) % REQUEST_QUEUE_CAP] = *r;
	else
		rc = err_set(e, EAGAIN, "the sampler has not taken the last %u requests yet",
			     REQUEST_QUEUE_CAP);
	pthread_mutex_unlock(&q->lock);
	return rc;
}

bool request_queue_take(struct request_queue *q, struct request *r)
{
	bool has_one;

	pthread_mutex_lock(&q->lock);
	has_one = q->len;
	if (has_one) {
		*r = q->ring[q->first];
		q->first = (q->first + 1) % REQUEST_QUEUE_CAP;
		q->len--;
	}
	pthread_mutex_unlock(&q->lock);
	return has_one;
}

void request_queue_fini(struct request_queue *q)
{
	pthread_mutex_destroy(&q->lock);
}
