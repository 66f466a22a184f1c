/* The program as written: clauses, statements and expressions, each with its place in the text. */
#ifndef LANG_AST_H
#define LANG_AST_H

#include "lang/lang.h"

struct builtin;
struct field;
struct function;
struct aggregate;
struct action;

/** Operators of expressions; the name and the arithmetic of each are in op.c. */
enum op {
	OP_NONE,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_SHL,
	OP_SHR,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_LAND,
	OP_LOR,
	OP_NEG,
	OP_NOT,
	OP_LNOT,
	OP_COUNT_OF_OPS
};

/** What an expression yields. Integers are computed in 64 bits, narrower ones promote to signed. */
struct type {
	enum { TYPE_NONE, TYPE_INT, TYPE_STR } kind;
	uint32_t size_bytes; /* of a string's buffer, a multiple of 8 */
	bool is_signed;
};

enum expr_kind {
	EXPR_INT,
	EXPR_STR,
	EXPR_VAR,
	EXPR_BUILTIN,
	EXPR_FIELD,
	EXPR_MAP,
	EXPR_UNARY,
	EXPR_BINARY,
	EXPR_COND,
	EXPR_CALL,
};

struct expr {
	enum expr_kind kind;
	struct span span;
	const char *name; /* variable, builtin, field, map or function; the bytes of a string */
	uint32_t name_len;
	enum op op;
	uint64_t value;         /* of an integer */
	struct expr *a, *b, *c; /* operands */
	struct expr *args;      /* keys of a map, arguments of a call, linked by next */
	uint32_t nargs;
	struct expr *next;
	uint32_t depth; /* of the tree below, limited so that recursion is */

	struct type type; /* from here on: filled by the type pass */
	union {
		const struct builtin *builtin;
		const struct field *field;
		const struct function *function;
		uint32_t i_map, i_var;
	};
};

enum stmt_kind { STMT_SET_VAR, STMT_SET_MAP, STMT_AGGREGATE, STMT_IF, STMT_CALL };

struct stmt {
	enum stmt_kind kind;
	struct span span;
	struct expr *target; /* variable, map or call */
	enum op op;          /* of op=, or OP_NONE */
	struct expr *value;  /* assigned, aggregated (NULL for count()), or the condition */
	struct stmt *then, *other;
	struct stmt *next;
	const struct aggregate *aggregate;
	const struct action *action; /* of a call */
};

/** One probe with its own copy of the body, because fields differ from probe to probe. */
struct clause {
	struct span span; /* of the attach point */
	const char *provider, *target;
	struct expr *filter; /* or NULL */
	struct stmt *body;
	struct clause *next;

	const struct provider *resolved; /* filled by the resolve pass */
	uint32_t tracepoint_id;
	struct field *fields;
	uint32_t nfields;
};

/** Operator as written ("<<"); never NULL. */
const char *op_name(enum op op);

/** The value of an operator on constants, as a program would compute it at run time. */
uint64_t op_eval(enum op op, uint64_t a, uint64_t b, bool is_signed);

/** True for == to >=. */
bool op_is_comparison(enum op op);

#endif
