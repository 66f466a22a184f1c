/* Loads an embedded BPF object with its filter and attaches it; undoes both. */
#ifndef COLLECTORS_PROBES_LOAD_H
#define COLLECTORS_PROBES_LOAD_H

#include <stdint.h>

#include "base/err.h"
#include "bpf/probe_abi.h"

struct bpf_object;
struct bpf_link;

#define LOADED_PROGS_MAX 16

/** One object in the kernel. Zeroed is nothing loaded. */
struct loaded_tool {
	struct bpf_object *object;
	struct bpf_link *links[LOADED_PROGS_MAX];
	int prog_fds[LOADED_PROGS_MAX]; /* owned by the object */
	uint32_t nprogs;
};

/**
 * Load the object of that stem with this filter (NULL: it has none) and attach
 * every program of it. A program named <name>__args<N> is loaded only where its
 * event hands over N arguments; one of its variants must fit. On failure nothing
 * stays; the words name program and event.
 */
int tool_load(struct loaded_tool *t, const char *stem, const struct probe_filter *filter, struct err *e);

/** Detach and unload; accepts zeroed. */
void tool_unload(struct loaded_tool *t);

/** The fd of a map of the object, borrowed, or -1. */
int tool_map_fd(const struct loaded_tool *t, const char *map);

/** The fds of all its maps, borrowed; their number, at most room. */
uint32_t tool_map_fds(const struct loaded_tool *t, int *fds, uint32_t room);

/** A new reading pass of the iterator program of that name: an fd to read until 0, or -errno with words. */
int tool_iterate(const struct loaded_tool *t, const char *program, struct err *e);

#endif
