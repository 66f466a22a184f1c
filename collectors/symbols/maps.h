/* Executable mappings of a process, and the files behind them. */
#ifndef COLLECTORS_SYMBOLS_MAPS_H
#define COLLECTORS_SYMBOLS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

/** One executable mapping. */
struct mapping {
	uint64_t start, end, offset;
	uint32_t major, minor;
	uint64_t ino;    /* 0: not of a file */
	uint32_t path;   /* offset in paths; untrusted */
	uint64_t file;   /* for the owner of the maps: which file it is, 0 when not looked at yet */
};

/** Sorted by address. Zeroed is empty. */
struct maps {
	VEC(struct mapping) rows;
	VEC(char) paths;
};

/**
 * Read /proc/TGID/maps. The kernel takes the process's memory lock for it, so a
 * process stuck in a fault or in mmap can hold the reader: call it only for a
 * process that was just seen running. -errno with words.
 */
int maps_read(struct maps *m, int proc_fd, uint32_t tgid, struct err *e);

/** maps_read() from text. */
int maps_parse(struct maps *m, const char *text, size_t len, struct err *e);

/** The mapping that holds ip, or NULL. */
struct mapping *maps_find(const struct maps *m, uint64_t ip);

/** Its path as the kernel wrote it, " (deleted)" included; borrowed. */
const char *maps_path(const struct maps *m, const struct mapping *row);

/** Open the file behind a mapping, also when it is deleted or in another mount namespace; -errno. */
int maps_open(const struct maps *m, const struct mapping *row, int proc_fd, uint32_t tgid);

/** Free the memory; empty and usable after. */
void maps_fini(struct maps *m);

#endif
