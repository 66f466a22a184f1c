/* Owns how map entries are walked and per-CPU copies are laid out. */
#include "collectors/probes/kmap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/fmt.h"

#define BATCH 64u

static bool is_per_cpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

int kmap_init(struct kmap *m, int fd, struct err *e)
{
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);

	if (fd < 0)
		return err_set(e, ENOENT, "the map does not exist");
	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return err_errno(e, errno, "asking about a map");
	*m = (struct kmap){ .fd = fd,
			    .type = info.type,
			    .key_bytes = info.key_size,
			    .value_bytes = info.value_size,
			    .max_entries = info.max_entries,
			    .copies = 1,
			    .copy_bytes = (info.value_size + 7) & ~7u };
	if (is_per_cpu(info.type)) {
		int cpus = libbpf_num_possible_cpus();
		if (cpus < 0)
			return err_errno(e, -cpus, "counting CPUs");
		m->copies = (uint32_t)cpus;
	}
	return 0;
}

/* Every entry of an array exists, so they come in batches; -EINVAL: this kernel has none for the type. */
static int array_each(const struct kmap *m, kmap_fn *fn, void *ctx, struct err *e)
{
	size_t entry_bytes = (size_t)m->copies * m->copy_bytes;
	uint32_t at = 0, keys[BATCH];
	unsigned char *values = calloc(BATCH, entry_bytes);
	int err = values ? 0 : err_errno(e, ENOMEM, "reading a map");

	for (bool is_first = true, is_end = false; !err && !is_end; is_first = false) {
		uint32_t n = BATCH;
		is_end = bpf_map_lookup_batch(m->fd, is_first ? NULL : &at, &at, keys, values, &n, NULL) != 0;
		if (is_end && errno != ENOENT)
			err = is_first ? -EINVAL : err_errno(e, errno, "reading a map");
		for (uint32_t i = 0; i < n && !err; i++)
			err = fn(ctx, m, &keys[i], values + i * entry_bytes);
	}
	free(values);
	return err;
}

static int entry_each(const struct kmap *m, kmap_fn *fn, void *ctx, struct err *e)
{
	size_t key_room = (m->key_bytes + 7u) & ~7u;
	unsigned char *room = calloc(1, 2 * key_room + (size_t)m->copies * m->copy_bytes);
	if (!room)
		return err_errno(e, ENOMEM, "reading a map");
	unsigned char *key = room, *next = room + key_room, *values = room + 2 * key_room;
	const void *at = NULL;
	int err = 0;

	/* Bounded: a walk starts over when its entry is deleted under it. */
	for (uint64_t i = 0; i <= m->max_entries && !err; i++) {
		if (bpf_map_get_next_key(m->fd, at, next)) {
			if (errno != ENOENT)
				err = err_errno(e, errno, "walking a map");
			break;
		}
		memcpy(key, next, m->key_bytes);
		at = key;
		if (!bpf_map_lookup_elem(m->fd, key, values))
			err = fn(ctx, m, key, values);
	}
	free(room);
	return err;
}

int kmap_each(const struct kmap *m, kmap_fn *fn, void *ctx, struct err *e)
{
	bool is_array = m->type == BPF_MAP_TYPE_ARRAY || m->type == BPF_MAP_TYPE_PERCPU_ARRAY;
	int err = is_array && m->max_entries > BATCH ? array_each(m, fn, ctx, e) : -EINVAL;

	return err == -EINVAL ? entry_each(m, fn, ctx, e) : err;
}

static uint64_t number_at(const struct kmap *m, const void *values, uint32_t copy, uint32_t at)
{
	uint64_t v;
	memcpy(&v, (const unsigned char *)values + (size_t)copy * m->copy_bytes + at, sizeof(v));
	return v;
}

uint64_t kmap_sum(const struct kmap *m, const void *values, uint32_t at)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < m->copies; i++)
		sum += number_at(m, values, i, at);
	return sum;
}

uint64_t kmap_max(const struct kmap *m, const void *values, uint32_t at)
{
	uint64_t max = 0;
	for (uint32_t i = 0; i < m->copies; i++) {
		uint64_t v = number_at(m, values, i, at);
		max = v > max ? v : max;
	}
	return max;
}

uint64_t kmap_memory_bytes(int fd)
{
	char path[64], line[128];
	uint64_t bytes = U64_UNKNOWN;
	unsigned long long v;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	FILE *f = fopen(path, "re");
	if (!f)
		return U64_UNKNOWN;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "memlock: %llu", &v) == 1)
			bytes = v;
	fclose(f);
	return bytes;
}
