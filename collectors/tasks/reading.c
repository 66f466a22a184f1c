/* Owns the memory of a reading, and what the kernel's state bits mean. */
#include "collectors/tasks/reading.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "collectors/tasks/drain.h"

void task_reading_start(struct task_reading *r)
{
	VEC_CLEAR(&r->records);
	r->mono_ns = clock_mono_ns();
	r->boot_ns = clock_boot_ns();
}

struct task_record *task_reading_add(struct task_reading *r)
{
	struct task_record *rec = VEC_ADD(&r->records);

	if (!rec)
		return NULL;
	memset(rec, 0xff, sizeof(*rec));
	memset(rec->comm, 0, sizeof(rec->comm));
	memset(&rec->exited, 0, sizeof(rec->exited));
	return rec;
}

static int by_tid(const void *x, const void *y)
{
	const struct task_record *a = x, *b = y;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

void task_reading_sort(struct task_reading *r)
{
	for (uint32_t i = 1; i < r->records.len; i++) {
		if (r->records.ptr[i - 1].tid <= r->records.ptr[i].tid)
			continue;
		qsort(r->records.ptr, r->records.len, sizeof(r->records.ptr[0]), by_tid);
		return;
	}
}

void task_reading_fini(struct task_reading *r)
{
	VEC_FINI(&r->records);
}

static bool has_tid(const struct task_reading *r, uint32_t tid)
{
	const struct task_record key = { .tid = tid };

	return bsearch(&key, r->records.ptr, r->records.len, sizeof(key), by_tid) != NULL;
}

uint32_t task_reading_missing_parents(const struct task_reading *r, uint32_t *tgids, uint32_t max)
{
	uint32_t n = 0, seen = 0, last = 0;

	for (uint32_t i = 0; n < max && i < r->records.len; i++) {
		uint32_t ppid = r->records.ptr[i].ppid;
		if (!ppid || ppid == last)
			continue; /* siblings stand together */
		last = ppid;
		if (has_tid(r, ppid))
			continue;
		for (seen = 0; seen < n && tgids[seen] != ppid; seen++)
			;
		if (seen == n)
			tgids[n++] = ppid;
	}
	return n;
}

uint64_t task_tick_ns(void)
{
	return NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
}

int task_reading_drain(struct task_reading *r, int fd, struct err *e)
{
	int err = iter_drain(fd, (void **)&r->records.ptr, &r->records.len, &r->records.cap,
			     sizeof(r->records.ptr[0]), e);

	for (uint32_t i = 0; i < r->records.len; i++)
		r->records.ptr[i].start_boot_ns -= r->records.ptr[i].start_boot_ns % task_tick_ns();
	task_reading_sort(r);
	return err;
}

/* The kernel's bits, least important first; the highest one set decides, as in /proc. */
static const struct {
	uint32_t bits;
	char letter;
} letters[] = {
	{ 0x01, 'S' }, { 0x02, 'D' }, { 0x04, 'T' }, { 0x08, 't' },
	{ 0x10, 'X' }, { 0x20, 'Z' }, { 0x40, 'P' },
};

/* An uninterruptible sleep that says it does not count as load: an idle kernel thread. */
#define STATE_IDLE 0x402u
/* Waiting for a sleeping spinlock, or frozen: the operator cannot tell either from D, and ps does
 * not. */
#define STATE_LIKE_D 0x9000u

uint32_t task_state_char(uint32_t kernel_state)
{
	if ((kernel_state & 0x7f) == 0x02 && (kernel_state & STATE_IDLE) == STATE_IDLE)
		return 'I';
	for (size_t i = ARRAY_LEN(letters); i-- > 0;)
		if (kernel_state & letters[i].bits)
			return (uint32_t)letters[i].letter;
	return kernel_state & STATE_LIKE_D ? 'D' : 'R';
}

uint32_t task_state_of_char(char letter)
{
	if (letter == 'I')
		return STATE_IDLE;
	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].letter == letter)
			return letters[i].bits;
	return 0;
}
