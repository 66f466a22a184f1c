/* What one ELF file knows about its code: functions by address, and where the file's bytes are loaded. */
#ifndef COLLECTORS_SYMBOLS_ELF_H
#define COLLECTORS_SYMBOLS_ELF_H

#include "base/err.h"
#include "collectors/symbols/starts.h"
#include "collectors/symbols/symtab.h"

/** One PT_LOAD: file bytes [offset, offset + size) are at vaddr. */
struct elf_load {
	uint64_t offset, size, vaddr;
};

/** Functions from .symtab, else from the debug file of the same build id, and from .dynsym. Zeroed is empty. */
struct elf_index {
	struct symtab symtab;
	struct starts starts; /* of functions, also of those without a name */
	VEC(struct elf_load) loads;
	uint8_t build_id[32];
	uint32_t build_id_len;
	bool is_full; /* a .symtab was found, here or in the debug file */
};

/** Index the file behind fd (borrowed); path, or NULL, is where a .gnu_debuglink is relative to. -errno with words. */
int elf_index_read(struct elf_index *x, int fd, const char *path, struct err *e);

/** elf_index_read() of an image in memory (the vdso). */
int elf_index_read_memory(struct elf_index *x, char *image, size_t len, struct err *e);

/** The address the file gives to the byte at that offset; false when no segment holds it. */
bool elf_index_vaddr(const struct elf_index *x, uint64_t file_offset, uint64_t *vaddr);

/** Memory held. */
size_t elf_index_bytes(const struct elf_index *x);

/** Free the memory; empty and usable after. */
void elf_index_fini(struct elf_index *x);

#endif
