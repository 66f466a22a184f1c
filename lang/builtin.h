/* Names with a value of their own (pid, comm) and functions that give one (str). */
#ifndef LANG_BUILTIN_H
#define LANG_BUILTIN_H

#include "lang/lower.h"

struct typing;

/** A name with a value. Const record in lang/builtin_<subject>.c. */
struct builtin {
	const char *name;
	struct type type;
	/** For integers. */
	struct ir_val (*lower)(struct lower *lo);
	/** For strings: write size bytes of stack at off, NUL-padded. */
	void (*lower_string)(struct lower *lo, int32_t off, uint32_t size_bytes);
};

/** Records of one subject. */
struct builtin_set {
	const struct builtin *items;
	size_t len;
};
extern const struct builtin_set *const builtin_sets[];
extern const size_t builtin_sets_len;

/** The builtin of that name, or NULL. */
const struct builtin *builtin_find(const char *name);

/** True for builtins of the language that have no lowering. */
bool builtin_is_unsupported(const char *name);

/** A function call that gives a value. */
struct function {
	const char *name;
	uint32_t nargs_min, nargs_max;
	/** Check argument types and set e->type. */
	int (*type)(struct compile *c, struct expr *e);
	void (*lower_string)(struct lower *lo, const struct expr *e, int32_t off,
			     uint32_t size_bytes);
};
extern const struct function functions[];
extern const size_t functions_len;

/** The function of that name, or NULL; and whether the language has it without our lowering. */
const struct function *function_find(const char *name);
bool function_is_unsupported(const char *name);

/** A call that is a statement. */
struct action {
	const char *name;
	/** Check and type the arguments. */
	int (*type)(struct typing *t, struct expr *call);
	void (*lower)(struct lower *lo, const struct expr *call);
};
extern const struct action actions[];
extern const size_t actions_len;

/** The action of that name, or NULL. */
const struct action *action_find(const char *name);

/** What may be assigned to a map to accumulate. */
struct aggregate {
	const char *name;
	enum lang_agg agg;
	bool takes_value;
	uint32_t value_bytes;
	/** Bring the argument into the form update takes, before the entry is looked up; NULL: as
	 * it is. */
	struct ir_val (*prepare)(struct lower *lo, struct ir_val v);
	/** Add to the value at entry; ends in the current block. */
	void (*update)(struct lower *lo, struct ir_val entry, struct ir_val v);
};
extern const struct aggregate aggregates[];
extern const size_t aggregates_len;

/** The aggregation of that name, or NULL; and whether the language has it without our lowering. */
const struct aggregate *aggregate_find(const char *name);
bool aggregate_is_unsupported(const char *name);

#endif
