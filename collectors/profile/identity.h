/* Who a sampled process is: its start, its program and its name, read once per look. */
#ifndef COLLECTORS_PROFILE_IDENTITY_H
#define COLLECTORS_PROFILE_IDENTITY_H

#include "base/map.h"
#include "base/vec.h"
#include "collectors/symbols/symbols.h"

struct identity {
	struct image image;
	struct text comm; /* unknown when it was gone before it was looked at */
};

/** Identities of this look and of the one before, so that a process seen once keeps its name. Zeroed is empty. */
struct identities {
	VEC(struct identity) now, before;
	struct map index; /* tgid: place in now */
};

/** Begin a look: what was learnt last time is checked again when it is asked for. */
void identities_start(struct identities *ids);

/** Someone told the name of a process, which may be gone when it is looked at: kept for this look. */
void identities_hear(struct identities *ids, struct symbols *s, uint32_t tgid, const char *comm);

/** The process of that id; its texts are kept by s. NULL: no memory. Valid until the next call. */
const struct identity *identities_find(struct identities *ids, struct symbols *s, int proc_fd, uint32_t tgid);

/** Free the memory; empty and usable after. */
void identities_fini(struct identities *ids);

/** From the text of /proc/PID/stat (changed): comm points into it. False when it is not of that form. */
bool identity_parse(char *stat, uint32_t tgid, uint64_t tick_ns, struct image *image, const char **comm);

#endif
