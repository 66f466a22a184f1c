/* Where functions start in a file without symbols: the unwinder's own table says. */
#ifndef COLLECTORS_SYMBOLS_STARTS_H
#define COLLECTORS_SYMBOLS_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/** Ascending addresses, as the file numbers them. Zeroed is empty. */
struct starts {
	VEC(uint64_t) addrs;
};

/** Fill from the bytes of .eh_frame_hdr, which the file puts at vaddr; false when they are of no known form. */
bool starts_parse(struct starts *s, const void *bytes, size_t len, uint64_t vaddr);

/** The last start at or before addr; false when there is none. */
bool starts_find(const struct starts *s, uint64_t addr, uint64_t *start);

/** Free the memory; empty and usable after. */
void starts_fini(struct starts *s);

#endif
