#include "collectors/proc/links.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define ASK_AGAIN_NS (60 * NS_PER_S)
/* Containers come and go with a new name each: past this many all is forgotten and asked anew. */
#define NAMES_MAX 4096u

bool link_path(char *path, size_t path_bytes, struct scan name, const char *attribute)
{
	int n = snprintf(path, path_bytes, "class/net/%.*s/%s", (int)(name.end - name.at), name.at,
			 attribute);

	return n > 0 && (size_t)n < path_bytes && !scan_is(name, "..") && !scan_is(name, ".") &&
	       !memchr(name.at, '/', (size_t)(name.end - name.at));
}

void link_speeds_begin(struct link_speeds *l, struct helper *h, uint64_t now_ns)
{
	struct helper_answer a;

	while (helper_take(h, now_ns, &a)) {
		uint64_t *speed = map_get(&l->bits_per_s, a.key);
		struct scan answer = { a.bytes, a.bytes + a.len };
		uint64_t mbits = a.code ? U64_UNKNOWN : scan_u64(&answer);
		/* -1 (also as an unsigned number) and 0 are how drivers say that they do not
		 * know. */
		if (speed)
			*speed = mbits && mbits < UINT32_MAX ? mbits * 1000000 : U64_UNKNOWN;
	}
	if (l->asked_ns.len > NAMES_MAX) {
		map_clear(&l->asked_ns);
		map_clear(&l->bits_per_s);
	}
}

static void ask(struct link_speeds *l, struct helper *h, uint64_t key, struct scan name,
		uint64_t now_ns)
{
	const uint64_t *speed = map_get(&l->bits_per_s, key);
	char path[88];

	if (!speed && !map_put(&l->bits_per_s, key, U64_UNKNOWN))
		return;
	if (!link_path(path, sizeof(path), name, "speed") || helper_ask(h, key, path, now_ns) == 0)
		/* Without memory it is only asked again. */
		(void)!map_put(&l->asked_ns, key, now_ns);
}

uint64_t link_speeds_get(struct link_speeds *l, struct helper *h, struct scan name, uint64_t now_ns)
{
	uint64_t key = map_hash(name.at, (size_t)(name.end - name.at));
	const uint64_t *asked_ns = map_get(&l->asked_ns, key), *speed;

	if (!asked_ns || now_ns >= *asked_ns + ASK_AGAIN_NS)
		ask(l, h, key, name, now_ns);
	speed = map_get(&l->bits_per_s, key);
	return speed ? *speed : U64_UNKNOWN;
}

void link_speeds_fini(struct link_speeds *l)
{
	map_fini(&l->bits_per_s);
	map_fini(&l->asked_ns);
}
