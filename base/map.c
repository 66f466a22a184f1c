#include "base/map.h"

#include <stdlib.h>
#include <string.h>

struct map_slot {
	uint64_t key, value;
	bool is_used;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return x ^ x >> 33;
}

/* The slot that holds key, or the free one where it would go; cap is a power of two and never full. */
static uint32_t find(const struct map *m, uint64_t key)
{
	uint32_t i = (uint32_t)mix(key) & (m->cap - 1);

	while (m->slots[i].is_used && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

uint64_t *map_get(const struct map *m, uint64_t key)
{
	if (!m->cap)
		return NULL;
	struct map_slot *s = &m->slots[find(m, key)];
	return s->is_used ? &s->value : NULL;
}

static bool grow(struct map *m)
{
	struct map bigger = { .cap = m->cap ? m->cap * 2 : 16, .len = m->len };

	if (m->cap > UINT32_MAX / 2)
		return false;
	bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (uint32_t i = 0; i < m->cap; i++)
		if (m->slots[i].is_used)
			bigger.slots[find(&bigger, m->slots[i].key)] = m->slots[i];
	free(m->slots);
	*m = bigger;
	return true;
}

uint64_t *map_put(struct map *m, uint64_t key, uint64_t value)
{
	if (m->len + 1 > m->cap / 4 * 3 && !map_get(m, key) && !grow(m))
		return NULL;
	struct map_slot *s = &m->slots[find(m, key)];
	m->len += !s->is_used;
	*s = (struct map_slot){ .key = key, .value = value, .is_used = true };
	return &s->value;
}

bool map_del(struct map *m, uint64_t key)
{
	if (!map_get(m, key))
		return false;
	uint32_t hole = find(m, key), mask = m->cap - 1;

	/* Close the gap by moving back what had probed over it, so that no tombstones build up. */
	for (uint32_t i = (hole + 1) & mask; m->slots[i].is_used; i = (i + 1) & mask) {
		uint32_t home = (uint32_t)mix(m->slots[i].key) & mask;
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->slots[hole].is_used = false;
	m->len--;
	return true;
}

bool map_next(const struct map *m, uint32_t *at, uint64_t *key, uint64_t *value)
{
	for (; *at < m->cap; ++*at) {
		const struct map_slot *s = &m->slots[*at];
		if (!s->is_used)
			continue;
		*key = s->key;
		*value = s->value;
		++*at;
		return true;
	}
	return false;
}

void map_clear(struct map *m)
{
	if (m->cap)
		memset(m->slots, 0, m->cap * sizeof(*m->slots));
	m->len = 0;
}

void map_fini(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

uint64_t map_hash(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t h = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return mix(h);
}
