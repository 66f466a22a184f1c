/* Owns the cache of control group paths. */
#include "collectors/tasks/cgroup_names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Groups come and go; past this many the cache starts over rather than grow without end. */
#define PATHS_MAX 8192

static void forget(struct cgroup_names *c)
{
	for (uint32_t i = 0; i < c->paths.len; i++)
		free(c->paths.ptr[i]);
	VEC_CLEAR(&c->paths);
	map_clear(&c->by_id);
}

/* A line is "number:controllers:path". */
static const char *line_path(const char *line, const char *end, const char **controllers,
			     size_t *ncontrollers)
{
	const char *first = memchr(line, ':', (size_t)(end - line));
	const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;

	if (!second)
		return NULL;
	*controllers = first + 1;
	*ncontrollers = (size_t)(second - first - 1);
	return second + 1;
}

size_t cgroup_choose(const char *text, size_t len, const char **path)
{
	size_t v2_len = 0, memory_len = 0;
	const char *v2 = NULL, *memory = NULL;

	for (const char *line = text, *end = text + len; line < end;) {
		const char *eol = memchr(line, '\n', (size_t)(end - line));
		const char *stop = eol ? eol : end, *controllers;
		size_t n;
		const char *p = line_path(line, stop, &controllers, &n);
		if (p && n == 0) {
			v2 = p;
			v2_len = (size_t)(stop - p);
		} else if (p && n == 6 && !memcmp(controllers, "memory", 6)) {
			memory = p;
			memory_len = (size_t)(stop - p);
		}
		line = stop + 1;
	}
	bool is_v2 = v2 && (v2_len > 1 || !memory);
	*path = is_v2 ? v2 : memory;
	return is_v2 ? v2_len : memory_len;
}

static char *read_path(int proc_fd, uint32_t tgid)
{
	char name[32], text[8192];
	const char *path;

	snprintf(name, sizeof(name), "%u/cgroup", tgid);
	int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	ssize_t n = read(fd, text, sizeof(text));
	close(fd);
	size_t len = n > 0 ? cgroup_choose(text, (size_t)n, &path) : 0;
	return len ? strndup(path, len) : NULL;
}

const char *cgroup_names_get(struct cgroup_names *c, int proc_fd, uint64_t id, uint32_t tgid)
{
	uint64_t *at = map_get(&c->by_id, id);

	if (at)
		return c->paths.ptr[*at];
	if (c->paths.len >= PATHS_MAX)
		forget(c);
	char *path = read_path(proc_fd, tgid);
	if (!path)
		return NULL;
	char **slot = VEC_ADD(&c->paths);
	if (!slot || !map_put(&c->by_id, id, c->paths.len - 1)) {
		if (slot)
			c->paths.len--;
		free(path);
		return NULL;
	}
	*slot = path;
	return path;
}

void cgroup_names_fini(struct cgroup_names *c)
{
	forget(c);
	VEC_FINI(&c->paths);
	map_fini(&c->by_id);
}
