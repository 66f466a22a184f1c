/* What the passes share while one program text is compiled. */
#ifndef LANG_COMPILE_H
#define LANG_COMPILE_H

#include "lang/ast.h"
#include "lang/diag.h"

struct ir;

#define LANG_VARS_MAX  64
#define LANG_MAPS_MAX  32
#define LANG_PROGS_MAX 1024
/** Bytes of a string copied from a pointer or a field of varying length. */
#define LANG_STR_BYTES 64

/** A $variable of one clause: scope is the clause, as the type is. */
struct var {
	const char *name;
	const struct clause *clause;
	bool is_signed;
};

/** What the type pass knows of a map beyond its layout. */
struct map_use {
	const struct aggregate *aggregate; /* NULL: plain values */
	bool is_assigned;                  /* somewhere in the program */
	bool is_keyed_yet;                 /* its key's shape is known */
};

/** One clause on its way to instructions. */
struct unit_of_code {
	struct clause *clause;
	struct ir *ir;
};

/** One compilation; all memory is the arena's. */
struct compile {
	const char *text;
	const struct lang_host *host;
	struct arena *arena;
	struct diag *diag;

	struct clause *clauses;
	uint32_t nclauses;
	struct var vars[LANG_VARS_MAX];
	uint32_t nvars;
	struct lang_map maps[LANG_MAPS_MAX];
	struct map_use map_uses[LANG_MAPS_MAX];
	uint32_t nmaps, i_losses, i_zeros;
	struct unit_of_code *units;
	struct lang_result *out;
};

/** diag_set() on this compilation. */
PRINTF_LIKE(4, 5)
int compile_fail(struct compile *c, struct span at, int code, const char *fmt, ...);

/** The same when memory is used up. */
int compile_nomem(struct compile *c);

/** The passes, in order; 0 or a negative errno with the complaint filled. */
int pass_parse(struct compile *c);
int pass_resolve(struct compile *c);
int pass_type(struct compile *c);
int pass_lower(struct compile *c);
int pass_allocate(struct compile *c);
int pass_emit(struct compile *c);

#endif
