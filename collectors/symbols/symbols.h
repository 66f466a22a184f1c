/* From an address of a process to the name of its function. */
#ifndef COLLECTORS_SYMBOLS_SYMBOLS_H
#define COLLECTORS_SYMBOLS_SYMBOLS_H

#include "base/err.h"
#include "collectors/symbols/names.h"

struct symbols;

/** Which program a process runs: by start time, so that a recycled pid is another one, and by image, which exec changes. */
struct image {
	uint32_t tgid;
	uint64_t start_ns; /* 0: not known, as of one that is gone */
	uint64_t image;   /* any number that differs after an exec */
	const char *name; /* the object of code about which nothing else is known; NULL: unknown, too */
};

/** What the cache holds, for the screen. */
struct symbols_stat {
	uint32_t processes, files;
	uint64_t evicted;  /* processes and files given up for room */
	uint64_t refused;  /* names not kept for want of memory */
	size_t held_bytes;
};

/** An empty cache over that /proc (borrowed); NULL: no memory. */
struct symbols *symbols_new(int proc_fd);

/** Release; accepts NULL. */
void symbols_free(struct symbols *s);

/** The function of a process that holds ip: never NULL, lives as long as the cache. Its first call reads the process's maps. */
const struct symbol *symbols_user(struct symbols *s, const struct image *of, uint64_t ip);

/** The kernel function that holds ip; the first call reads the kernel's symbols. */
const struct symbol *symbols_kernel(struct symbols *s, uint64_t ip);

/** Why kernel code has no names; code 0 when it has, or nobody asked yet. */
const struct err *symbols_kernel_err(const struct symbols *s);

/** An untrusted word, such as a command name, cleaned and kept once; unknown when there is no memory. */
struct text symbols_word(struct symbols *s, const char *raw);

/** Fill what the cache holds. */
void symbols_stat(const struct symbols *s, struct symbols_stat *out);

#endif
