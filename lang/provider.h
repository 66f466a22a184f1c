/* Probe types: how an attach point is found on this host and what args it has. */
#ifndef LANG_PROVIDER_H
#define LANG_PROVIDER_H

#include "lang/compile.h"

/** One field of a tracepoint's record. */
struct field {
	const char *name;
	enum { FIELD_INT, FIELD_CHARS, FIELD_DATA_LOC, FIELD_REL_LOC, FIELD_OTHER } kind;
	uint32_t offset_bytes, size_bytes; /* as loaded; of the buffer for FIELD_CHARS */
	bool is_signed;
	bool is_pointer, is_user; /* a pointer, and whose memory it points into */
	const char *declared;     /* as the kernel declares it, for messages */
};

/** One probe type. Const record in lang/provider_<name>.c. */
struct provider {
	const char *name, *alias;
	uint32_t prog_type; /* BPF_PROG_TYPE_... */
	uint64_t returns;   /* what its programs return */
	/** Find the target; fills fields and tracepoint_id of the clause. */
	int (*resolve)(struct compile *c, struct clause *clause);
	/** Offer every target with this prefix; false from offer stops. host may have no tracefs.
	 */
	void (*list)(const struct lang_host *host, const char *prefix,
		     bool (*offer)(void *ctx, const char *target), void *ctx);
};

extern const struct provider *const providers[];
extern const size_t providers_len;

/** The probe type of that name or alias, or NULL. */
const struct provider *provider_find(const char *name);

/**
 * Append a copy of written for each target its wildcards match, or one when it
 * has none; *last is the place of the next clause. -EINVAL when nothing matches.
 */
int expand_clause(struct compile *c, const struct clause *written, struct clause ***last);

/** The field of that name, or NULL. */
const struct field *field_find(const struct clause *clause, const char *name);

#endif
