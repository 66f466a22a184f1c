/* One word after `rung`: each is a const record in commands/<name>.c. */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include <stddef.h>

/** A command of the command line. */
struct command {
	const char *name;   /* "tool"; the console is run when no command is named */
	const char *usage;  /* "NAME [-p PID] [interval [count]]" */
	const char *help;   /* one line */
	/** Runs it: argv[0] is the command's name. Exit status: 0 done, 1 failed, 2 wrong usage. */
	int (*run)(int argc, char **argv);
};

/** All commands, made by the build from commands/<name>.c holding `const struct command command_<name>`. */
extern const struct command *const command_registry[];
extern const size_t command_registry_len;

#endif
