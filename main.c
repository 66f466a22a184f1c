/*
 * rung: from "the box is slow" to a name.
 *
 * The map, in the order data flows:
 *   collectors/  sample the host into a frame, one thread, each one's cost measured
 *   frame/       what one instant holds; sealed once, shared by reference
 *   triage/      reads frames and says what is wrong and where to look next
 *   panes/       draw frames on a canvas; ui/ holds the console around them
 *   session/     writes frames and the trail to a file, and reads them back
 *   lang/        compiles probe programs; bpf/ holds the ready-made kernel halves
 *   commands/    one file per word of the command line; they wire the rest
 *   base/        the words of the dialect
 * This file only finds the command.
 */
#include <stdio.h>
#include <string.h>

#include "commands/command.h"

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < command_registry_len; i++)
		if (!strcmp(command_registry[i]->name, name))
			return command_registry[i];
	return NULL;
}

static int print_help(void)
{
	puts("rung: finds out, on a live Linux host, why it is slow or broken\n");
	for (size_t i = 0; i < command_registry_len; i++) {
		const struct command *c = command_registry[i];
		printf("  rung %s %s\n      %s\n", strcmp(c->name, "console") ? c->name : "", c->usage, c->help);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return print_help();
	const struct command *c = argc > 1 && argv[1][0] != '-' ? find(argv[1]) : NULL;
	if (c)
		return c->run(argc - 1, argv + 1);
	if (argc > 1 && argv[1][0] != '-') {
		fprintf(stderr, "rung: there is no command of that name; rung --help lists them\n");
		return 2;
	}
	c = find("console");
	return c ? c->run(argc, argv) : 1;
}
