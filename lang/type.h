/* Typing: names become records, every expression gets a type, maps get their layout. */
#ifndef LANG_TYPE_H
#define LANG_TYPE_H

#include "lang/builtin.h"

/** One sweep over the program; sweeps repeat until nothing widens. */
struct typing {
	struct compile *c;
	const struct clause *clause;
	bool changed; /* something got wider in this sweep */
	bool is_last; /* everything is known: complain about what is missing */
};

/** Set e->type and those below it. */
int type_expr(struct typing *t, struct expr *e);

/** type_expr() that demands an integer, named by what in the complaint. */
int type_int(struct typing *t, struct expr *e, const char *what);

/** Type a map's keys and find its record, made on first sight. */
int type_map(struct typing *t, struct expr *map);

/** Complain about a call of a function that is not there, or not there in that place. */
int type_unknown_function(struct typing *t, const struct expr *call);

#endif
