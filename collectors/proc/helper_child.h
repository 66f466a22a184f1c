/* The child's side of the helper: questions in, answers out, until the socket closes. */
#ifndef COLLECTORS_PROC_HELPER_CHILD_H
#define COLLECTORS_PROC_HELPER_CHILD_H

#include <stdint.h>

struct helper_question {
	uint64_t key;
	char path[88];
};

/** Serve until the other end closes, then exit. Only async-signal-safe calls: it may run after
 * fork() in a thread. */
_Noreturn void helper_child_main(int socket_fd, int dir_fd);

#endif
