/* Owns how keys of output maps read, and which shape a bespoke program's map has. */
#include <stdio.h>
#include <string.h>

#include "collectors/probes/family.h"
#include "collectors/probes/run.h"

static int part_text(char *out, size_t room, const struct lang_key_part *part, const unsigned char *key)
{
	int64_t v = 0;

	if (part->type == LANG_STR)
		return snprintf(out, room, "%.*s", (int)strnlen((const char *)key + part->offset, part->size),
				(const char *)key + part->offset);
	memcpy(&v, key + part->offset, part->size < 8 ? part->size : 8);
	return part->is_signed ? snprintf(out, room, "%lld", (long long)v)
			       : snprintf(out, room, "%llu", (unsigned long long)v);
}

static struct text parts_text(struct arena *a, const struct lang_map *map, const void *key)
{
	char line[512];
	size_t len = 0;

	for (uint32_t i = 0; i < map->nkeys && len < sizeof(line) - 4; i++) {
		if (i)
			len += (size_t)snprintf(line + len, sizeof(line) - len, ", ");
		int n = part_text(line + len, sizeof(line) - len, &map->keys[i], key);
		len += n > 0 ? (size_t)n : 0;
	}
	return text_clean(a, line, len < sizeof(line) ? len : sizeof(line) - 1);
}

struct text family_key_text(struct arena *a, const struct probe_run *run, const struct lang_map *map,
			    const void *key, uint32_t key_bytes)
{
	uint64_t id = 0;

	if (map)
		return map->nkeys ? parts_text(a, map, key) : TEXT("");
	memcpy(&id, key, key_bytes < 8 ? key_bytes : 8);
	if (run->entry && run->entry->probe->key_text)
		return run->entry->probe->key_text(a, id);
	return id ? text_printf(a, "%llu", (unsigned long long)id) : TEXT("");
}

uint64_t family_key_hash(const struct lang_map *map, const void *key, uint32_t key_bytes)
{
	uint64_t hash = map_hash(key, key_bytes);

	return map && map->name ? hash ^ map_hash(map->name, strlen(map->name)) : hash;
}

int family_read_program(struct probe_run *run, struct frame_builder *b, struct err *e)
{
	const struct loaded_program *p = &run->bespoke;

	run->values_total = 0;
	for (uint32_t i = 0; i < p->nmaps; i++) {
		const struct lang_map *m = &p->result.maps[i];
		if (m->is_internal)
			continue;
		int err = m->agg == AGG_HIST ? family_read_hist_map(run, m, p->map_fds[i], b, e)
					     : family_read_count_map(run, m, p->map_fds[i], b, e);
		if (err)
			return err_at(e, "map %s: ", m->name);
	}
	return 0;
}
