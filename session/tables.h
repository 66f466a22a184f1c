/* The session file's tables as SQL, made from the frame schema; and the errors of SQLite in our words. */
#ifndef SESSION_TABLES_H
#define SESSION_TABLES_H

#include <sqlite3.h>

#include "base/err.h"
#include "frame/frame.h"

/** In the file's header, so that file(1) and we know it: "rung". */
#define SESSION_APPLICATION_ID 0x72756e67
/** PRAGMA user_version; readers match tables and columns by name whatever it is. */
#define SESSION_SCHEMA_VERSION 1

/** Statements that create every table and stamp the file; free() it. NULL: no memory. */
char *tables_create_sql(void) MUST_CHECK;

/** INSERT of one row of a section: parameter 1 is frame_seq, the fields follow. free() it. NULL: no memory.
 */
char *tables_insert_sql(const struct section_desc *d) MUST_CHECK;

/** SELECT of frame_seq and these fields, in the order of insertion; free() it. NULL: no memory. */
char *tables_select_sql(const struct section_desc *d, const uint32_t *fields, uint32_t n) MUST_CHECK;

/** Record what SQLite says about its latest failure as an errno and words; returns -code. */
int tables_err(sqlite3 *db, struct err *e, const char *doing);

/** Open a database file by path, never by one of SQLite's special names; close *db also on failure. */
int tables_open(sqlite3 **db, const char *path, int flags, struct err *e);

#endif
