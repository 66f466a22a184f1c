/* A recording in the console: the same panes and keys as on the live host. */
#include <getopt.h>
#include <stdio.h>

#include "commands/command.h"
#include "commands/with_console.h"

static int usage(const char *words)
{
	fprintf(stderr, "rung open: %s; rung --help shows the usage\n", words);
	return 2;
}

static int parse(int argc, char **argv, struct console_show *show)
{
	static const struct option options[] = {
	    {"ascii", no_argument, NULL, 'a'},      {"keys", required_argument, NULL, 'k'},
	    {"size", required_argument, NULL, 's'}, {"dump", no_argument, NULL, 'd'},
	    {"styles", no_argument, NULL, 'y'},     {0},
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'a':
			show->is_ascii = true;
			break;
		case 'k':
			show->keys = optarg;
			break;
		case 'd':
			show->is_dump = true;
			break;
		case 'y':
			show->has_styles = true;
			break;
		case 's':
			if (!with_console_size(optarg, &show->cols, &show->rows))
				return usage("--size takes COLSxROWS");
			break;
		default:
			return 2;
		}
	}
	return optind + 1 == argc ? 0 : usage("one FILE is needed");
}

static int run(int argc, char **argv)
{
	struct trail trail = {0};
	struct console_show show = {.rows = 24, .cols = 80, .trail = &trail};
	struct err e = {0};
	int rc = parse(argc, argv, &show);

	if (rc)
		return rc;
	show.source = with_console_open(argv[optind], &trail, &e);
	if (show.source) {
		rc = with_console(&show);
	} else {
		struct arena a = {0};
		fprintf(stderr, "rung: %.*s\n", TEXT_ARG(text_clean_str(&a, e.text)));
		arena_fini(&a);
		rc = 1;
	}
	trail_fini(&trail);
	return rc;
}

const struct command command_open = {
    .name = "open",
    .usage = "FILE [--ascii] [--keys KEYS] [--size COLSxROWS] [--dump [--styles]]",
    .help = "A recording in the console, with the same panes and keys",
    .run = run,
};
