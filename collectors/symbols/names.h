/* Names of code as they reach the screen: demangled, cleaned, kept once. */
#ifndef COLLECTORS_SYMBOLS_NAMES_H
#define COLLECTORS_SYMBOLS_NAMES_H

#include "base/map.h"
#include "base/text.h"

/** One name of code; two samples of one function have the same one, so pointers can be compared. */
struct symbol {
	struct text symbol, object;
	bool is_kernel;
	bool is_exact;    /* the symbol's size covers the address */
	bool is_resolved; /* a function's name, not an address */
};

/** Keeps names until names_fini(). Zeroed is empty. */
struct names {
	struct arena arena; /* names_symbol() gives up at its limit */
	struct map known, words;
	uint64_t refused; /* names not kept for want of memory */
};

/** C++, Rust and D names as people write them (without arguments), untrusted; free() it. NULL: not mangled, or too long to try. */
char *names_demangle(const char *raw);

/** The symbol of these untrusted names; never NULL, "[names full]" when the table is. */
const struct symbol *names_symbol(struct names *n, const char *raw, const char *object, const struct symbol *flags);

/** An untrusted word, cleaned and kept once; unknown when the table is full. */
struct text names_word(struct names *n, const char *raw);

/** Free all symbols. */
void names_fini(struct names *n);

#endif
