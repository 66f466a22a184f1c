#include "session/guard.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "session/tables.h"

static int64_t pragma_number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = NULL;
	int64_t n = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW)
		n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return n;
}

static bool is_in_wal_mode(sqlite3 *db)
{
	sqlite3_stmt *st = NULL;
	const char *mode = NULL;

	if (sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		mode = (const char *)sqlite3_column_text(st, 0);
	bool is_wal = mode && !strcmp(mode, "wal");
	sqlite3_finalize(st);
	return is_wal;
}

int guard_open(sqlite3 **opened, const char *path, struct err *e)
{
	int rc = tables_open(opened, path, SQLITE_OPEN_READONLY, e);
	sqlite3 *db = *opened;

	if (rc)
		return rc;
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 4 << 20);
	sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", NULL, NULL, NULL);
	int64_t id = pragma_number(db, "PRAGMA application_id");
	if (id < 0)
		return tables_err(db, e, "reading the header");
	if (id != SESSION_APPLICATION_ID)
		return err_set(e, EINVAL, "is not a recording of rung");
	return 0;
}

bool guard_is_plain_table(sqlite3 *db, const char *name)
{
	static const char sql[] = "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=?"
				  " AND sql NOT LIKE 'create virtual%'";
	sqlite3_stmt *st = NULL;
	bool is_there = false;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK) {
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
		is_there = sqlite3_step(st) == SQLITE_ROW;
	}
	sqlite3_finalize(st);
	return is_there;
}

void guard_check_length(sqlite3 *db, const char *path, struct text_buf *damage)
{
	int64_t bytes = pragma_number(db, "PRAGMA page_count") * pragma_number(db, "PRAGMA page_size");
	struct stat st;

	/* Pages of an open recording are partly in its log. */
	if (stat(path, &st) || is_in_wal_mode(db) || st.st_size >= bytes)
		return;
	text_keepf(damage, "the file is cut: %lld of %lld bytes are there", (long long)st.st_size,
		   (long long)bytes);
}
