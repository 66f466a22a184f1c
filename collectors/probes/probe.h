/* A targeted tool: the question it answers and how; its kernel half is bpf/<name>.bpf.c. */
#ifndef COLLECTORS_PROBES_PROBE_H
#define COLLECTORS_PROBES_PROBE_H

#include "bpf/probe_abi.h"
#include "collectors/collector.h"

struct bpf_object;
struct probe_run;

/** How one of the four shapes is read from the kernel into a frame. */
struct probe_family {
	const char *name; /* hist, counts, events, stacks */
	/** Read the maps into the family's section; called once per frame. */
	int (*read)(struct probe_run *run, struct frame_builder *b, struct err *e);
};

extern const struct probe_family probe_family_hist, probe_family_counts, probe_family_events;

/** One tool. Const record in collectors/probes/<name>.c, found by the build through bpf/<name>.bpf.c. */
struct probe {
	const char *answers;               /* the question, in words */
	const struct probe_family *family;
	const struct probe_family *stream; /* second shape shown when a row is entered (syscalls: events); NULL: none */
	enum unit unit;
	uint32_t scopes;                   /* bit per enum scope_kind it accepts */
	/** Events per second expected on this host and scope, from counters that exist; NaN when unknown. */
	double (*rate)(const struct frame *f, const struct scope *s);
	double ns_per_event;               /* expected kernel time, for the estimate */
	/** Name of a key or an event id (a syscall's name); NULL: printed as a number. */
	struct text (*key_text)(struct arena *a, uint64_t id);
	/** Turn request.arg into the filter (a call to stream); NULL: takes no argument. */
	int (*set_filter)(const char *arg, struct probe_filter *f, struct err *e);
	/** Decoded arguments of an event; NULL: its string. */
	struct text (*event_args)(struct arena *a, const struct probe_event *ev);
};

/** One row of the registry that the build writes from the file names. */
struct probe_entry {
	const char *name;
	const struct probe *probe;
};
extern const struct probe_entry probe_registry[];
extern const size_t probe_registry_len;

/** The tool of that name, or NULL. */
const struct probe_entry *probe_find(const char *name);

/** An embedded BPF object by the stem of bpf/<stem>.bpf.c; NULL when there is none. */
struct bpf_blob { const char *name; const unsigned char *elf, *elf_end; };
extern const struct bpf_blob bpf_blobs[];
extern const size_t bpf_blobs_len;
const struct bpf_blob *bpf_blob_find(const char *name);

#endif
