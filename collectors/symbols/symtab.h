/* Functions of one file as a sorted array: what ELF files and perf maps become. */
#ifndef COLLECTORS_SYMBOLS_SYMTAB_H
#define COLLECTORS_SYMBOLS_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/** How far a symbol may be trusted; of several at one address the highest wins. */
enum sym_rank {
	SYM_EXPORT_SIZELESS, /* matches its first byte only */
	SYM_SIZELESS,        /* reaches to the next symbol: a guess */
	SYM_LOCAL,
	SYM_WEAK,
	SYM_GLOBAL
};

struct sym {
	uint64_t addr, size;
	uint32_t name; /* offset in names */
	uint32_t rank;
};

/** Zeroed is empty. Adding, then one symtab_sort(), then finding. */
struct symtab {
	VEC(struct sym) syms;
	VEC(char) names;
};

/** Append a function; false when memory is used up. */
bool symtab_add(struct symtab *t, uint64_t addr, uint64_t size, const char *name, size_t len, enum sym_rank rank);

/** Put in order, one symbol per address; at equal rank the one added last wins when is_last_wins, else the plainest name. */
void symtab_sort(struct symtab *t, bool is_last_wins);

/** The function that holds addr or NULL; steps, when given, counts the comparisons. */
const struct sym *symtab_find(const struct symtab *t, uint64_t addr, uint32_t *steps);

/** Its untrusted name, borrowed from t. */
const char *symtab_name(const struct symtab *t, const struct sym *s);

/** Memory held. */
size_t symtab_bytes(const struct symtab *t);

/** Free the memory; empty and usable after. */
void symtab_fini(struct symtab *t);

#endif
