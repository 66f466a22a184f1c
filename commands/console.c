/* The console on the live host, or on a recording with --replay. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collectors/sampler.h"
#include "commands/command.h"
#include "commands/with_console.h"
#include "ui/loop.h"

/** What the command line asked for. */
struct wish {
	struct console_show show;
	const char *replay;
	bool is_no_bpf;
};

static int parse(int argc, char **argv, struct wish *w)
{
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },   { "no-bpf", no_argument, NULL, 'b' },
		{ "ascii", no_argument, NULL, 'a' },       { "replay", required_argument, NULL, 'r' },
		{ "keys", required_argument, NULL, 'k' },  { "size", required_argument, NULL, 's' },
		{ "dump", no_argument, NULL, 'd' },        { "styles", no_argument, NULL, 'y' },
		{ 0 },
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "p:", options, NULL)) != -1) {
		char *end = NULL;
		switch (c) {
		case 'p':
			w->show.scope = scope_process((uint32_t)strtoul(optarg, &end, 10), 0, TEXT(""));
			if (*end || end == optarg || !w->show.scope.tgid)
				return fprintf(stderr, "rung: -p takes a process id\n"), 2;
			break;
		case 'b': w->is_no_bpf = true; break;
		case 'a': w->show.is_ascii = true; break;
		case 'r': w->replay = optarg; break;
		case 'k': w->show.keys = optarg; break;
		case 'd': w->show.is_dump = true; break;
		case 'y': w->show.has_styles = true; break;
		case 's':
			if (!with_console_size(optarg, &w->show.cols, &w->show.rows))
				return fprintf(stderr, "rung: --size takes COLSxROWS\n"), 2;
			break;
		default: return 2;
		}
	}
	if (optind < argc)
		return fprintf(stderr, "rung: words after the options are not understood; see rung --help\n"), 2;
	return 0;
}

static int run(int argc, char **argv)
{
	struct wish w = { .show = { .rows = 24, .cols = 80 } };
	struct trail trail = { 0 };
	struct err e = { 0 };
	int rc = parse(argc, argv, &w);

	if (rc)
		return rc;
	w.show.trail = &trail;
	if (w.replay) {
		w.show.source = with_console_open(w.replay, &trail, &e);
	} else if (w.show.is_dump) {
		fprintf(stderr, "rung: --dump needs --replay FILE\n");
		return 2;
	} else {
		const struct sampler_options o = { .scope = w.show.scope, .is_no_bpf = w.is_no_bpf };
		if (!loop_block_signals(&e))
			w.show.source = sampler_start(&o, &e);
	}
	if (!w.show.source) {
		with_console_complain(&e);
		trail_fini(&trail);
		return 1;
	}
	rc = with_console(&w.show);
	trail_fini(&trail);
	return rc;
}

const struct command command_console = {
	.name = "console",
	.usage = "[-p PID] [--no-bpf] [--ascii] [--replay FILE [--keys KEYS] [--size COLSxROWS] [--dump [--styles]]]",
	.help = "The console on this host; with --replay on a recording, with --dump one screen as text",
	.run = run,
};
