/* The console's event loop: terminal, signals and source in one epoll. */
#ifndef UI_LOOP_H
#define UI_LOOP_H

#include "base/err.h"
#include "ui/console.h"

/** Block the signals that the loop reads; call before any thread is started, so that threads inherit it. */
int loop_block_signals(struct err *e);

/** Run the console on this terminal until it ends or a signal ends it; 0, or -errno with words. */
int loop_run(struct console *c, struct source *s, struct err *e);

#endif
