/* A hash map from 64-bit keys to 64-bit values, for joins and caches. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot;

/** Open addressing, linear probing; zeroed is empty. */
struct map {
	struct map_slot *slots;
	uint32_t len, cap;
};

/** The value of key, or NULL; valid until the next map_put(). */
uint64_t *map_get(const struct map *m, uint64_t key);

/** Set key to value and return its place, or NULL when memory is used up (map untouched). */
uint64_t *map_put(struct map *m, uint64_t key, uint64_t value);

/** Remove key; false when it was not there. */
bool map_del(struct map *m, uint64_t key);

/** Iterate: start with *at = 0; false at the end. The map must not change meanwhile. */
bool map_next(const struct map *m, uint32_t *at, uint64_t *key, uint64_t *value);

/** Remove all keys, keep the memory. */
void map_clear(struct map *m);

/** Free the memory; empty and usable after. */
void map_fini(struct map *m);

/** 64-bit FNV-1a of bytes, finalised so that low bits are usable; to key a map by string. */
uint64_t map_hash(const void *bytes, size_t len);

#endif
