/* Names that a runtime writes for the code it generates: /tmp/perf-PID.map. */
#ifndef COLLECTORS_SYMBOLS_PERFMAP_H
#define COLLECTORS_SYMBOLS_PERFMAP_H

#include <sys/types.h>

#include "base/err.h"
#include "collectors/symbols/symtab.h"

/** Zeroed is one not read yet. */
struct perfmap {
	struct symtab symtab;
	uint64_t read_ns;
	off_t size; /* of the file when it was read */
};

/** Read the map of a process again when it grew, at most every 2 s; without one it stays empty. */
void perfmap_refresh(struct perfmap *m, int proc_fd, uint32_t tgid, uint64_t now_ns);

/** Fill the table from the text of such a file; an unfinished last line is left out. False: no memory. */
bool perfmap_parse(struct symtab *t, const char *text, size_t len);

#endif
