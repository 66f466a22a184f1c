#include "collectors/proc/cmdlines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Reading one costs its process's mmap lock: thousands at once would be felt. */
#define QUESTIONS_PER_FRAME 50u
#define RETRY_HUNG_NS       (60 * NS_PER_S)

static uint64_t identity(uint32_t tgid, uint64_t start_ns)
{
	uint64_t both[2] = { tgid, start_ns };

	return map_hash(both, sizeof(both));
}

static struct cmdline *find(const struct cmdline_cache *c, uint32_t tgid, uint64_t start_ns)
{
	uint64_t *at = map_get(&c->by_identity, identity(tgid, start_ns));
	struct cmdline *row = at ? &c->rows.ptr[*at] : NULL;

	return row && row->tgid == tgid && row->start_ns == start_ns ? row : NULL;
}

static struct cmdline *add(struct cmdline_cache *c, uint32_t tgid, uint64_t start_ns)
{
	struct cmdline *row = VEC_ADD(&c->rows);

	if (!row)
		return NULL;
	if (!map_put(&c->by_identity, identity(tgid, start_ns), c->rows.len - 1)) {
		c->rows.len--;
		return NULL;
	}
	row->tgid = tgid;
	row->start_ns = start_ns;
	return row;
}

/* Arguments end in NUL, but a process may have written anything over them. */
static void keep_text(struct cmdline_cache *c, struct cmdline *row, struct helper_answer *a)
{
	struct text t;
	char *own;

	while (a->len && !a->bytes[a->len - 1])
		a->len--;
	for (uint32_t i = 0; i < a->len; i++)
		if (!a->bytes[i])
			a->bytes[i] = ' ';
	arena_reset(&c->scratch);
	t = text_printf(&c->scratch, "%.*s%s", (int)a->len, a->bytes, a->is_cut ? "..." : "");
	own = t.utf8 ? malloc(t.len + 1) : NULL;
	if (!own)
		return;
	memcpy(own, t.utf8, t.len);
	own[t.len] = 0;
	free((char *)(uintptr_t)row->text.utf8);
	row->text = (struct text){ own, t.len, t.cols };
}

static void take_answer(struct cmdline_cache *c, struct helper_answer *a, uint64_t now_ns)
{
	uint64_t *at = map_get(&c->by_identity, a->key);
	struct cmdline *row = at ? &c->rows.ptr[*at] : NULL;

	if (!row)
		return;
	row->is_asked = false;
	row->retry_ns = a->code == ETIMEDOUT ? now_ns + RETRY_HUNG_NS : UINT64_MAX;
	if (!a->code)
		keep_text(c, row, a);
}

void cmdline_cache_begin(struct cmdline_cache *c, struct helper *h, uint64_t now_ns)
{
	struct helper_answer a;

	while (helper_take(h, now_ns, &a))
		take_answer(c, &a, now_ns);
	c->questions_left = QUESTIONS_PER_FRAME;
	c->round++;
}

static void ask(struct cmdline_cache *c, struct helper *h, struct cmdline *row, uint64_t comm_hash,
		uint64_t now_ns)
{
	char path[32];

	if (row->is_asked || (row->comm_hash == comm_hash && now_ns < row->retry_ns) ||
	    !c->questions_left)
		return;
	snprintf(path, sizeof(path), "%u/cmdline", row->tgid);
	if (helper_ask(h, identity(row->tgid, row->start_ns), path, now_ns) != 0) {
		c->questions_left = 0; /* full: it is no use asking for the others in this frame */
		return;
	}
	c->questions_left--;
	row->is_asked = true;
	row->comm_hash = comm_hash;
}

struct text cmdline_cache_get(struct cmdline_cache *c, struct helper *h, uint32_t tgid,
			      uint64_t start_ns, struct text comm, uint64_t now_ns)
{
	struct cmdline *row = find(c, tgid, start_ns);

	if (!row)
		row = add(c, tgid, start_ns);
	if (!row)
		return TEXT_UNKNOWN;
	row->round = c->round;
	ask(c, h, row, map_hash(comm.utf8, comm.len), now_ns);
	return row->text;
}

static void forget(struct cmdline_cache *c, uint32_t i)
{
	struct cmdline *row = &c->rows.ptr[i], *last = &c->rows.ptr[c->rows.len - 1];
	uint64_t *moved = map_get(&c->by_identity, identity(last->tgid, last->start_ns));

	if (moved)
		*moved = i;
	map_del(&c->by_identity, identity(row->tgid, row->start_ns));
	free((char *)(uintptr_t)row->text.utf8);
	*row = *last;
	c->rows.len--;
}

void cmdline_cache_end(struct cmdline_cache *c)
{
	for (uint32_t i = 0; i < c->rows.len;) {
		if (c->rows.ptr[i].round == c->round)
			i++;
		else
			forget(c, i);
	}
}

void cmdline_cache_fini(struct cmdline_cache *c)
{
	for (uint32_t i = 0; i < c->rows.len; i++)
		free((char *)(uintptr_t)c->rows.ptr[i].text.utf8);
	VEC_FINI(&c->rows);
	map_fini(&c->by_identity);
	arena_fini(&c->scratch);
	*c = (struct cmdline_cache){ 0 };
}
