/* The events shape: the ring buffer emptied once per frame into EVENTS rows. */
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/clock.h"
#include "collectors/probes/family.h"
#include "collectors/probes/run.h"
#include "collectors/syscalls/names.h"

#define EVENTS_PER_FRAME 2000u

/* The newest events of one frame's time, a ring that overwrites its oldest. */
struct event_queue {
	struct ring_buffer *ring;
	uint64_t seq;      /* events ever read */
	uint32_t len;
	struct probe_event kept[EVENTS_PER_FRAME];
};

static int keep(void *ctx, void *data, size_t size)
{
	struct event_queue *q = ctx;

	if (size < sizeof(struct probe_event))
		return 0;
	memcpy(&q->kept[q->seq % EVENTS_PER_FRAME], data, sizeof(struct probe_event));
	q->seq++;
	q->len++;
	return 0;
}

struct event_queue *event_queue_new(int ring_fd, struct err *e)
{
	struct event_queue *q = calloc(1, sizeof(*q));

	if (!q) {
		err_errno(e, ENOMEM, "a queue of events");
		return NULL;
	}
	q->ring = ring_buffer__new(ring_fd, keep, q, NULL);
	if (!q->ring) {
		err_errno(e, errno, "mapping the ring buffer");
		free(q);
		return NULL;
	}
	return q;
}

void event_queue_free(struct event_queue *q)
{
	if (!q)
		return;
	ring_buffer__free(q->ring);
	free(q);
}

static struct text error_text(struct arena *a, int64_t ret)
{
	if (ret >= 0 || ret < -4095)
		return TEXT("");
	const char *name = errno_name(-ret);
	return name ? text_clean_str(a, name) : text_printf(a, "errno %lld", (long long)-ret);
}

static bool add_event(struct probe_run *run, struct frame_builder *b, const struct probe_event *ev, uint64_t seq,
		      uint64_t wall_minus_mono_ns)
{
	struct arena *a = frame_arena(b);
	const struct probe *p = run->entry->probe;
	struct events_row *row = FRAME_ADD(b, events, EVENTS);

	if (!row)
		return false;
	row->probe_id = run->id;
	row->seq = seq;
	row->wall_ns = ev->end_ns + wall_minus_mono_ns;
	row->tgid = ev->tgid;
	row->tid = ev->tid;
	row->comm = text_clean(a, ev->comm, strnlen(ev->comm, sizeof(ev->comm)));
	row->name = p->key_text ? p->key_text(a, ev->id) : text_printf(a, "%llu", (unsigned long long)ev->id);
	row->args = p->event_args ? p->event_args(a, ev) : text_clean(a, ev->str, strnlen(ev->str, EVENT_STR));
	row->ret = ev->ret;
	row->error = error_text(a, ev->ret);
	row->latency_ns = ev->latency_ns;
	return true;
}

static int read_events(struct probe_run *run, struct frame_builder *b, struct err *e)
{
	struct event_queue *q = run->events;
	uint64_t wall_minus_mono_ns = clock_wall_ns() - clock_mono_ns();

	q->len = 0;
	int n = ring_buffer__consume(q->ring);
	if (n < 0)
		return err_errno(e, -n, "reading events");
	run->values_total = q->seq;
	uint32_t shown = q->len < EVENTS_PER_FRAME ? q->len : EVENTS_PER_FRAME;
	run->dropped += q->len - shown;
	for (uint64_t seq = q->seq - shown; seq < q->seq; seq++)
		if (!add_event(run, b, &q->kept[seq % EVENTS_PER_FRAME], seq, wall_minus_mono_ns))
			return err_set(e, ENOMEM, "no memory for the frame");
	return 0;
}

const struct probe_family probe_family_events = { .name = "events", .read = read_events };
