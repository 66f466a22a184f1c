/*
 * The probe language: text in; instructions, map specs and event schemas out.
 * Never sees libbpf; loading is collectors/probes/load_program.c's business.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include <linux/bpf.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "bpf/probe_abi.h"

/** A stretch of the program text, 0-based bytes, for carets. */
struct span {
	uint32_t at, len;
};

/** One complaint; the first one stops compilation. */
struct diag {
	struct span span;
	uint32_t line, column; /* 1-based */
	char message[256];     /* what is wrong */
	char hint[160];        /* suggestion, or empty */
};

/**
 * hist() values are u64[LANG_HIST_SLOTS]: slot 0 counts negative values (the
 * argument is taken as signed 64 bit), slot 1 + i is probe_abi.h's slot i
 * (slot 1: zero; slot 1 + i: 2^(i-1) <= v < 2^i), the buckets of bpftrace.
 */
#define LANG_HIST_SLOTS (HIST_SLOTS + 1)

/**
 * What a map holds and how its keys and values are laid out and printed.
 * AGG_NONE: one 8-byte integer that is not per CPU. Aggregations are per CPU: the
 * reader adds the CPUs up. Without keys (nkeys 0) the map is an array of one
 * entry with a 4-byte key. Internal maps serve the programs and are not output.
 */
enum lang_agg { AGG_NONE, AGG_COUNT, AGG_SUM, AGG_HIST };
enum lang_type { LANG_INT, LANG_STR };
struct lang_key_part {
	enum lang_type type;
	uint32_t offset, size;
	bool is_signed;
};
#define LANG_KEYS_MAX 8
struct lang_map {
	const char *name; /* with its @ */
	enum lang_agg agg;
	uint32_t map_type;  /* BPF_MAP_TYPE_... */
	uint32_t map_flags; /* BPF_F_... for creation */
	uint32_t key_bytes, value_bytes, max_entries;
	uint32_t nkeys; /* parts of the key, in the order written */
	struct lang_key_part keys[LANG_KEYS_MAX];
	bool is_signed;   /* sums and plain values of signed type */
	bool is_internal; /* "losses", "zeros": no output */
};

/** Where an instruction needs a map's fd: insns[at].imm is set by the loader (ld_imm64 with
 * BPF_PSEUDO_MAP_FD). */
struct lang_reloc {
	uint32_t at;
	uint32_t i_map;
};

/** One program to attach. */
struct lang_prog {
	const char *provider;   /* "tracepoint" */
	const char *target;     /* "syscalls:sys_enter_openat" */
	uint32_t tracepoint_id; /* of tracefs */
	uint32_t prog_type;     /* BPF_PROG_TYPE_... */
	struct bpf_insn *insns;
	uint32_t ninsns;
	struct lang_reloc *relocs;
	uint32_t nrelocs;
	struct span *spans; /* per instruction: where in the text it came from */
};

/** What compile gives back; everything lives in the arena passed in. */
struct lang_result {
	struct lang_map *maps;
	uint32_t nmaps;
	uint32_t i_losses; /* maps[i_losses]: per-CPU array of LOSS_COUNT u64, indexed by enum
			      probe_loss */
	struct lang_prog *progs;
	uint32_t nprogs;
};

/** What the compiler may look at on this host. */
struct lang_host {
	int tracefs_fd;       /* directory fd, or -1: then tracepoints are unknown */
	uint32_t filter_tgid; /* compile a test for this process into every program; 0: none */
	uint32_t self_tgid;   /* left out always; 0: none */
	uint64_t start_ns;    /* CLOCK_BOOTTIME that `elapsed` counts from; 0: since boot */
};

/** Compile; 0, or -EINVAL with d filled (-ENOMEM, -ENOSYS for unsupported constructs likewise). */
int lang_compile(const char *text, const struct lang_host *host, struct arena *a,
		 struct lang_result *out, struct diag *d);

/** Stages as text for tests and -d: "ast", "ir", "asm"; NULL when memory is used up. Same
 * diagnostics. */
char *lang_dump(const char *text, const struct lang_host *host, const char *stage, struct arena *a,
		struct diag *d);

#define LANG_DIAG_LINES 4

/** A complaint as lines for a terminal: message, text, carets and, if there is one, the hint; how
 * many. */
uint32_t lang_diag_text(struct arena *a, const char *text, const struct diag *d,
			struct text lines[LANG_DIAG_LINES]);

/** Completions for the word before byte at of line: probes, args fields, builtins; NULL-terminated,
 * freed by one free(). */
char **lang_complete(const char *line, size_t at, const struct lang_host *host);

#endif
