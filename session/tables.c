#include "session/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames are numbered by their place in the file: their own numbers start anew with every start of rung. */
static const char fixed_tables[] =
    "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE IF NOT EXISTS frame(frame_seq INTEGER PRIMARY KEY, seq INTEGER, mono_ns INTEGER,"
    " wall_ns INTEGER, elapsed_ns INTEGER);"
    "CREATE TABLE IF NOT EXISTS section(frame_seq INTEGER, name TEXT, state TEXT, why TEXT);"
    "CREATE TABLE IF NOT EXISTS trail(position INTEGER PRIMARY KEY, wall_ns INTEGER, kind TEXT,"
    " rung INTEGER, pane TEXT, scope TEXT, evidence TEXT);";

static const char *const column_types[] = {
    [KIND_u32] = "INTEGER", [KIND_u64] = "INTEGER", [KIND_i64] = "INTEGER",
    [KIND_f64] = "REAL",    [KIND_text] = "TEXT",
};

/* The text written to the stream so far; NULL and nothing left behind when memory ran out on the way. */
static char *finish(FILE *out, char **text)
{
	if (!out)
		return NULL;
	int has_failed = ferror(out);
	if (fclose(out) || has_failed) {
		free(*text);
		return NULL;
	}
	return *text;
}

char *tables_create_sql(void)
{
	char *sql = NULL;
	size_t len;
	FILE *out = open_memstream(&sql, &len);

	if (!out)
		return NULL;
	fprintf(out, "PRAGMA application_id=%d; PRAGMA user_version=%d; %s", SESSION_APPLICATION_ID,
		SESSION_SCHEMA_VERSION, fixed_tables);
	for (int s = 0; s < SEC_COUNT; s++) {
		const struct section_desc *d = &section_descs[s];
		fprintf(out, "CREATE TABLE IF NOT EXISTS \"%s\"(frame_seq INTEGER", d->name);
		for (uint32_t i = 0; i < d->nfields; i++)
			fprintf(out, ", \"%s\" %s", d->fields[i].name, column_types[d->fields[i].kind]);
		fputs(");", out);
	}
	return finish(out, &sql);
}

char *tables_insert_sql(const struct section_desc *d)
{
	char *sql = NULL;
	size_t len;
	FILE *out = open_memstream(&sql, &len);

	if (!out)
		return NULL;
	fprintf(out, "INSERT INTO \"%s\"(frame_seq", d->name);
	for (uint32_t i = 0; i < d->nfields; i++)
		fprintf(out, ", \"%s\"", d->fields[i].name);
	fputs(") VALUES(?", out);
	for (uint32_t i = 0; i < d->nfields; i++)
		fputs(",?", out);
	fputc(')', out);
	return finish(out, &sql);
}

char *tables_select_sql(const struct section_desc *d, const uint32_t *fields, uint32_t n)
{
	char *sql = NULL;
	size_t len;
	FILE *out = open_memstream(&sql, &len);

	if (!out)
		return NULL;
	fputs("SELECT frame_seq", out);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, ", \"%s\"", d->fields[fields[i]].name);
	fprintf(out, " FROM \"%s\" ORDER BY rowid", d->name);
	return finish(out, &sql);
}

int tables_err(sqlite3 *db, struct err *e, const char *doing)
{
	static const struct {
		int sqlite, code;
	} codes[] = {
	    {SQLITE_FULL, ENOSPC},     {SQLITE_NOMEM, ENOMEM},    {SQLITE_BUSY, EBUSY},
	    {SQLITE_LOCKED, EBUSY},    {SQLITE_CORRUPT, EBADMSG}, {SQLITE_NOTADB, EBADMSG},
	    {SQLITE_READONLY, EROFS},  {SQLITE_CANTOPEN, ENOENT}, {SQLITE_PERM, EACCES},
	    {SQLITE_TOOBIG, EMSGSIZE},
	};
	int rc = db ? sqlite3_errcode(db) : SQLITE_NOMEM, code = EIO;

	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i].sqlite == rc)
			code = codes[i].code;
	return err_set(e, code, "%s: %s", doing, db ? sqlite3_errmsg(db) : "out of memory");
}

int tables_open(sqlite3 **db, const char *path, int flags, struct err *e)
{
	char *plain = NULL;

	/* ":memory:" and "file:..." are files of that name to us. */
	if (asprintf(&plain, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
		return err_set(e, ENOMEM, "out of memory");
	int rc = sqlite3_open_v2(plain, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	free(plain);
	return rc == SQLITE_OK ? 0 : tables_err(*db, e, "opening");
}
