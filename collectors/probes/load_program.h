/* Loads what the probe language compiled: its maps, its programs, its tracepoints. */
#ifndef COLLECTORS_PROBES_LOAD_PROGRAM_H
#define COLLECTORS_PROBES_LOAD_PROGRAM_H

#include "base/arena.h"
#include "base/err.h"
#include "lang/lang.h"

/** A bespoke program in the kernel. Zeroed is nothing loaded; the result lives in its arena. */
struct loaded_program {
	struct arena arena;
	struct lang_result result;
	int *map_fds;    /* result.nmaps of them */
	int *prog_fds;   /* nprogs of them */
	int *event_fds;  /* perf events the programs hang on */
	uint32_t nmaps, nprogs, nevents;
};

/** Compile, load and attach; on failure nothing stays. Words carry the place in the text. */
int program_load(struct loaded_program *p, const char *text, const struct lang_host *host, struct err *e);

/** Detach and unload; accepts zeroed. */
void program_unload(struct loaded_program *p);

#endif
