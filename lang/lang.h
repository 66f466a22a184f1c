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

/** A stretch of the program text, 0-based bytes, for carets. */
struct span { uint32_t at, len; };

/** One complaint; the first one stops compilation. */
struct diag {
	struct span span;
	uint32_t line, column; /* 1-based */
	char message[256];     /* what is wrong */
	char hint[160];        /* suggestion, or empty */
};

/** What a map holds and how its keys and values are laid out and printed. */
enum lang_agg { AGG_NONE, AGG_COUNT, AGG_SUM, AGG_HIST };
enum lang_type { LANG_INT, LANG_STR };
struct lang_key_part { enum lang_type type; uint32_t offset, size; bool is_signed; };
#define LANG_KEYS_MAX 8
struct lang_map {
	const char *name;         /* with its @ */
	enum lang_agg agg;
	uint32_t map_type;        /* BPF_MAP_TYPE_... */
	uint32_t key_bytes, value_bytes, max_entries;
	uint32_t nkeys;
	struct lang_key_part keys[LANG_KEYS_MAX];
	bool is_signed;           /* sums of signed values */
};

/** Where an instruction needs a map's fd: insns[at].imm is set by the loader (ld_imm64 with BPF_PSEUDO_MAP_FD). */
struct lang_reloc { uint32_t at; uint32_t i_map; };

/** One program to attach. */
struct lang_prog {
	const char *provider;     /* "tracepoint" */
	const char *target;       /* "syscalls:sys_enter_openat" */
	uint32_t tracepoint_id;   /* of tracefs */
	uint32_t prog_type;       /* BPF_PROG_TYPE_... */
	struct bpf_insn *insns;
	uint32_t ninsns;
	struct lang_reloc *relocs;
	uint32_t nrelocs;
	struct span *spans;       /* per instruction: where in the text it came from */
};

/** What compile gives back; everything lives in the arena passed in. */
struct lang_result {
	struct lang_map *maps;
	uint32_t nmaps;
	struct lang_prog *progs;
	uint32_t nprogs;
};

/** What the compiler may look at on this host. */
struct lang_host {
	int tracefs_fd;       /* directory fd, or -1: then tracepoints are unknown */
	uint32_t filter_tgid; /* compile a test for this process into every program; 0: none */
	uint32_t self_tgid;   /* left out always; 0: none */
};

/** Compile; 0, or -EINVAL with d filled (-ENOMEM, -ENOSYS for unsupported constructs likewise). */
int lang_compile(const char *text, const struct lang_host *host, struct arena *a, struct lang_result *out, struct diag *d);

/** Stages as text for tests and -d: "ast", "ir", "asm"; NULL when memory is used up. Same diagnostics. */
char *lang_dump(const char *text, const struct lang_host *host, const char *stage, struct arena *a, struct diag *d);

/** Text, caret line, message and hint for a terminal. */
struct text lang_diag_text(struct arena *a, const char *text, const struct diag *d);

/** Completions for the word before byte at of line: probes, args fields, builtins; NULL-terminated, freed by one free(). */
char **lang_complete(const char *line, size_t at, const struct lang_host *host);

#endif
