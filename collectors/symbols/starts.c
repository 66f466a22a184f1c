#include "collectors/symbols/starts.h"

#include <stdlib.h>
#include <string.h>

/* The form every linker writes: a count of four bytes, then pairs of four-byte distances from the table's start. */
#define VERSION         1
#define ENC_UDATA4      0x03
#define ENC_SDATA4_HERE 0x3b

struct eh_frame_hdr {
	uint8_t version, frame_enc, count_enc, table_enc;
	int32_t frame;
	uint32_t count;
};

struct eh_entry {
	int32_t start, entry;
};

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

bool starts_parse(struct starts *s, const void *bytes, size_t len, uint64_t vaddr)
{
	struct eh_frame_hdr h;

	if (len < sizeof(h))
		return false;
	memcpy(&h, bytes, sizeof(h));
	if (h.version != VERSION || h.count_enc != ENC_UDATA4 || h.table_enc != ENC_SDATA4_HERE ||
	    h.count > (len - sizeof(h)) / sizeof(struct eh_entry))
		return false;
	if (!vec_reserve((void **)&s->addrs.ptr, &s->addrs.cap, h.count, sizeof(s->addrs.ptr[0])))
		return false;
	for (uint32_t i = 0; i < h.count; i++) {
		struct eh_entry e;
		memcpy(&e, (const char *)bytes + sizeof(h) + i * sizeof(e), sizeof(e));
		s->addrs.ptr[i] = vaddr + (uint64_t)(int64_t)e.start;
	}
	s->addrs.len = h.count;
	/* The file promises order; nobody checked the promise. */
	if (h.count)
		qsort(s->addrs.ptr, h.count, sizeof(s->addrs.ptr[0]), by_value);
	return true;
}

bool starts_find(const struct starts *s, uint64_t addr, uint64_t *start)
{
	uint32_t low = 0, high = s->addrs.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (s->addrs.ptr[mid] <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low)
		*start = s->addrs.ptr[low - 1];
	return low > 0;
}

void starts_fini(struct starts *s)
{
	VEC_FINI(&s->addrs);
}
