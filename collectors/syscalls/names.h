/* System calls and error numbers by name, for this machine's own ABI. */
#ifndef COLLECTORS_SYSCALLS_NAMES_H
#define COLLECTORS_SYSCALLS_NAMES_H

#include <stdint.h>

/** Name of a system call of the native 64-bit ABI; a literal, or NULL when the number is not known.
 */
const char *syscall_name(uint32_t nr);

/** Number of the system call of that name, or -1. */
int syscall_nr(const char *name);

/**
 * Name of a positive error number such as "ENOENT"; NULL when there is none.
 * Also those only tracers see: ERESTARTSYS and its kin mean that the call was
 * interrupted and will be restarted.
 */
const char *errno_name(int64_t errno_value);

#endif
