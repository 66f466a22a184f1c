/* Control group paths by kernfs id: one small file is read per group, not per process and second.
 */
#ifndef COLLECTORS_TASKS_CGROUP_NAMES_H
#define COLLECTORS_TASKS_CGROUP_NAMES_H

#include "base/map.h"
#include "base/vec.h"

/** Paths known so far. Zeroed is empty. */
struct cgroup_names {
	struct map by_id;
	VEC(char *) paths;
};

/** Path of the group that the process is in, borrowed until the next call; NULL when it cannot be
 * read. */
const char *cgroup_names_get(struct cgroup_names *c, int proc_fd, uint64_t id, uint32_t tgid);

/** Choose from the text of /proc/PID/cgroup: the v2 path, or the memory controller's where v2 holds
 * nothing. Returns the length and sets *path inside text; 0 when there is none. */
size_t cgroup_choose(const char *text, size_t len, const char **path);

/** Free the memory; empty and usable after. */
void cgroup_names_fini(struct cgroup_names *c);

#endif
