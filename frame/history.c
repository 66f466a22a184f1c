#include "frame/history.h"

#include <errno.h>
#include <stdlib.h>

int history_init(struct history *h, uint32_t cap)
{
	*h = (struct history){ .cap = cap, .bytes_max = HISTORY_BYTES_MAX };
	h->ring = calloc(cap, sizeof(struct frame *));
	return h->ring ? 0 : -ENOMEM;
}

static void forget(struct history *h, struct frame *f)
{
	h->bytes -= frame_bytes(f);
	frame_unref(f);
}

/* Give up every second frame of the older half: what is long ago is kept, more coarsely. */
static void thin(struct history *h)
{
	uint32_t old = h->len / 2, kept = 0;

	for (uint32_t i = 0; i < h->len; i++) {
		struct frame *f = h->ring[(h->first + i) % h->cap];
		if (i < old && i % 2) {
			forget(h, f);
			h->thinned++;
		} else {
			h->ring[(h->first + kept++) % h->cap] = f;
		}
	}
	h->len = kept;
}

void history_push(struct history *h, const struct frame *f)
{
	if (!h->cap)
		return;
	if (h->len == h->cap) {
		forget(h, h->ring[h->first]);
		h->first = (h->first + 1) % h->cap;
		h->len--;
	}
	h->ring[(h->first + h->len++) % h->cap] = frame_ref(f);
	h->bytes += frame_bytes(f);
	/* With four frames or fewer there is nothing left to give up. */
	while (h->bytes > h->bytes_max && h->len > 4)
		thin(h);
}

const struct frame *history_at(const struct history *h, uint32_t age)
{
	return age < h->len ? h->ring[(h->first + h->len - 1 - age) % h->cap] : NULL;
}

uint32_t history_find(const struct history *h, uint64_t mono_ns)
{
	uint32_t lo = 0, hi = h->len;

	/* Frames grow older with age: the first age whose frame is not younger. */
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (history_at(h, mid)->mono_ns > mono_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < h->len ? lo : h->len ? h->len - 1 : 0;
}

void history_fini(struct history *h)
{
	for (uint32_t i = 0; i < h->len; i++)
		frame_unref(h->ring[(h->first + i) % h->cap]);
	free(h->ring);
	*h = (struct history){ 0 };
}
