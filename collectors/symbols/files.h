/* ELF files that were indexed, the least recently used ones given up when there are too many. */
#ifndef COLLECTORS_SYMBOLS_FILES_H
#define COLLECTORS_SYMBOLS_FILES_H

#include "collectors/symbols/elf.h"

struct elf_file;

/** Zeroed is empty. */
struct elf_files {
	VEC(struct elf_file *) rows;
	uint64_t last_id, clock;
	size_t held_bytes;
	uint64_t evicted; /* indexes given up for room */
};

/** The file behind fd (borrowed), indexed when it was not; its id, 0 when memory is used up. Unreadable ones are kept as empty. */
uint64_t elf_files_add(struct elf_files *f, int fd, const char *path);

/** The index of that id, or NULL when it was given up. */
const struct elf_index *elf_files_get(struct elf_files *f, uint64_t id);

/** Free the memory; empty and usable after. */
void elf_files_fini(struct elf_files *f);

#endif
