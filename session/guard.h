/* Reading a SQLite file that may be damaged or made to harm. */
#ifndef SESSION_GUARD_H
#define SESSION_GUARD_H

#include <sqlite3.h>

#include "base/err.h"
#include "base/text.h"

/** Open read-only so that nothing in the file runs code, takes memory without bound or is believed; close *db
 * also on failure. */
int guard_open(sqlite3 **db, const char *path, struct err *e);

/** True when the name is a plain table: a view or a virtual table of a foreign file may compute for ever. */
bool guard_is_plain_table(sqlite3 *db, const char *name);

/** Say so in damage when the file is shorter than its header claims; its first tables may read well all the
 * same. */
void guard_check_length(sqlite3 *db, const char *path, struct text_buf *damage);

#endif
