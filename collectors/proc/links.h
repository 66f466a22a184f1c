/* Link speeds as last known. The kernel answers only under the lock that every network change
 * takes, which a sick driver can hold for ever, so the helper asks. */
#ifndef COLLECTORS_PROC_LINKS_H
#define COLLECTORS_PROC_LINKS_H

#include "base/map.h"
#include "collectors/proc/helper.h"
#include "collectors/proc/scan.h"

/** Zeroed is empty. */
struct link_speeds {
	struct map bits_per_s; /* by name; U64_UNKNOWN: asked, or the driver does not know */
	struct map asked_ns;   /* by name: when last */
};

/** Take in what the helper has answered. */
void link_speeds_begin(struct link_speeds *l, struct helper *h, uint64_t now_ns);

/** Bits per second, U64_UNKNOWN until known; asks now and then. The name is the kernel's, as in
 * /proc/net/dev. */
uint64_t link_speeds_get(struct link_speeds *l, struct helper *h, struct scan name,
			 uint64_t now_ns);

/** Free the memory; empty and usable after. */
void link_speeds_fini(struct link_speeds *l);

/** The path of an attribute of a link below /sys; false when the name would lead elsewhere or
 * is too long. */
bool link_path(char *path, size_t path_bytes, struct scan name, const char *attribute);

#endif
