/* `rung list`: the tools by the question they answer, and the tracepoints a program can attach to. */
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/probes/probe.h"
#include "commands/command.h"

static unsigned int list_tools(const char *glob)
{
	unsigned int n = 0;

	for (size_t i = 0; i < probe_registry_len; i++) {
		const struct probe_entry *t = &probe_registry[i];
		if (glob && fnmatch(glob, t->name, 0))
			continue;
		printf("  %-16s %-8s %s\n", t->name, t->probe->family->name, t->probe->answers);
		n++;
	}
	return n;
}

static int skip_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Names come from the kernel and its modules: shown only as clean text. */
static bool print_event(struct arena *a, const char *group, const char *event, const char *glob)
{
	struct text line = text_printf(a, "tracepoint:%s:%s", group, event);

	if (!line.utf8 || (fnmatch(glob, line.utf8, 0) && fnmatch(glob, event, 0)))
		return false;
	printf("%.*s\n", TEXT_ARG(line));
	return true;
}

static unsigned int list_group(struct arena *a, int events_fd, const char *group, const char *glob)
{
	struct dirent **names;
	unsigned int printed = 0;
	int dir = openat(events_fd, group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int n = dir < 0 ? -1 : scandirat(dir, ".", &names, skip_dots, alphasort);

	for (int i = 0; i < n; i++) {
		char id[NAME_MAX + 4];
		snprintf(id, sizeof(id), "%s/id", names[i]->d_name);
		if (!faccessat(dir, id, F_OK, 0))
			printed += print_event(a, group, names[i]->d_name, glob);
		free(names[i]);
		arena_reset(a);
	}
	if (n >= 0)
		free(names);
	if (dir >= 0)
		close(dir);
	return printed;
}

static unsigned int list_tracepoints(int tracefs_fd, const char *glob)
{
	struct arena a = { 0 };
	struct dirent **groups;
	unsigned int printed = 0;
	int events = openat(tracefs_fd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int n = events < 0 ? -1 : scandirat(events, ".", &groups, skip_dots, alphasort);

	for (int i = 0; i < n; i++) {
		printed += list_group(&a, events, groups[i]->d_name, glob);
		free(groups[i]);
	}
	if (n >= 0)
		free(groups);
	if (events >= 0)
		close(events);
	arena_fini(&a);
	return printed;
}

static int run(int argc, char **argv)
{
	const char *glob = argc > 1 ? argv[1] : NULL;
	struct collector_env env;
	struct err e = { 0 };

	if (argc > 2 || (glob && glob[0] == '-')) {
		fputs("usage: rung list [glob]\n"
		      "Without a glob: the tools. With one, such as 'sched_*': tools and tracepoints that match.\n"
		      "Exit status: 0 something is listed, 1 nothing is, 2 wrong usage.\n",
		      stderr);
		return 2;
	}
	unsigned int n = list_tools(glob);
	if (!glob)
		return n ? 0 : 1;
	if (collector_env_live(&env, &e)) {
		fprintf(stderr, "rung list: %s\n", e.text);
		return 1;
	}
	if (env.tracefs_fd < 0)
		fputs("rung list: tracefs is not there, so tracepoints are not known\n", stderr);
	else
		n += list_tracepoints(env.tracefs_fd, glob);
	collector_env_fini(&env);
	return n ? 0 : 1;
}

const struct command command_list = {
	.name = "list",
	.usage = "[glob]",
	.help = "name the tools and, with a glob, the tracepoints that match",
	.run = run,
};
