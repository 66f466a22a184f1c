/* The kernel's tracepoint descriptions under tracefs' events/. */
#ifndef LANG_TRACEFS_H
#define LANG_TRACEFS_H

#include "lang/provider.h"

/** The whole of a small file below dir_fd, NUL-terminated, in the arena; NULL with errno set. */
char *tracefs_read(struct arena *a, int dir_fd, const char *path);

/** Read the fields of one format file's text into the clause; 0, -ENOMEM, or -EINVAL when it is no
 * format file. */
int tracefs_parse_format(struct arena *a, char *format, bool is_syscall, struct clause *clause);

/** Call offer for each visible directory below path; false when the folder cannot be read. */
bool tracefs_list(int dir_fd, const char *path, bool (*offer)(void *ctx, const char *name),
		  void *ctx);

#endif
