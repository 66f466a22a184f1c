/* The session file: one SQLite database, tables generated from the frame schema. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdio.h>

#include "base/err.h"
#include "frame/finding.h"
#include "frame/history.h"
#include "frame/source.h"
#include "frame/trail.h"

struct session;

/** Create (0600) or open for appending; NULL with words. */
struct session *session_create(const char *path, struct err *e);
/** Append one frame in one transaction. */
int session_add_frame(struct session *s, const struct frame *f, struct err *e);
/** Replace the stored trail. */
int session_set_trail(struct session *s, const struct trail *t, struct err *e);
/** Flush and free; accepts NULL. */
int session_close(struct session *s, struct err *e);

/** All frames of a history and the trail in one new file (temporary name, then renamed). */
int session_snapshot(const char *path, const struct history *h, const struct trail *t, struct err *e);

/** Open a file as a source; its trail is added to trail. NULL with words naming the file. */
struct source *session_source_open(const char *path, struct trail *trail, struct err *e);

/** One export format: json, md. Const record `export_<name>` in session/export_<name>.c. */
struct exporter {
	const char *name;
	const char *help;
	int (*write)(FILE *out, const struct history *h, const struct trail *t, const struct findings *f, struct err *e);
};
extern const struct exporter *const exporter_registry[];
extern const size_t exporter_registry_len;

/** Print the rows of one probe as the tool's text output (hist, counts, events, stacks by its family). */
int session_print_probe(FILE *out, const struct frame *f, uint32_t probe_id);

#endif
