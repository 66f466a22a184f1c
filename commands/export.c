/* A recording in another format, for people and for other programs. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "commands/with_console.h"
#include "session/session.h"
#include "triage/timeline.h"

/* More than any recording holds; only slots that are used take memory. */
#define FRAMES_MAX 1000000u

/** What the command line asked for. */
struct wish {
	const struct exporter *exporter;
	const char *file, *out;
	uint32_t last; /* frames from the end */
};

static int usage(const char *words)
{
	fprintf(stderr, "rung export: %s; the formats are", words);
	for (size_t i = 0; i < exporter_registry_len; i++)
		fprintf(stderr, "%s %s (%s)", i ? "," : "", exporter_registry[i]->name,
			exporter_registry[i]->help);
	fputc('\n', stderr);
	return 2;
}

static const struct exporter *find(const char *name)
{
	for (size_t i = 0; i < exporter_registry_len; i++)
		if (!strcmp(exporter_registry[i]->name, name))
			return exporter_registry[i];
	return NULL;
}

static int parse(int argc, char **argv, struct wish *w)
{
	static const struct option options[] = {
	    {"format", required_argument, NULL, 'f'},
	    {"last", required_argument, NULL, 'l'},
	    {"output", required_argument, NULL, 'o'},
	    {0},
	};
	unsigned long last;
	char *end;
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "f:o:", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			w->exporter = find(optarg);
			if (!w->exporter)
				return usage("there is no format of that name");
			break;
		case 'l':
			last = strtoul(optarg, &end, 10);
			if (*end || end == optarg || !last || last > FRAMES_MAX)
				return usage("--last takes a number of frames");
			w->last = (uint32_t)last;
			break;
		case 'o':
			w->out = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		return usage("one FILE is needed");
	w->file = argv[optind];
	return w->exporter ? 0 : usage("--format is needed");
}

static int read_frames(const struct wish *w, struct history *h, struct trail *t, struct err *e)
{
	struct source *s = with_console_open(w->file, t, e);
	uint64_t n = 0;

	if (!s)
		return -e->code;
	for (struct frame *f; (f = s->next(s)); frame_unref(f)) {
		history_push(h, f);
		n++;
	}
	s->close(s);
	if (n > h->len)
		fprintf(stderr, "rung export: the last %u of %llu frames\n", h->len, (unsigned long long)n);
	return 0;
}

/* Private from its first byte: command lines are in it. */
static FILE *open_out(const char *path, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!out) {
		err_errno(e, errno, "%s", path);
		if (fd >= 0)
			close(fd);
	}
	return out;
}

static int write_out(const struct wish *w, const struct history *h, struct trail *t, struct err *e)
{
	struct findings found = {0};
	FILE *out = w->out ? open_out(w->out, e) : stdout;
	const struct frame *newest = history_at(h, 0);

	if (!out)
		return -e->code;
	bool has_memory = triage_timeline(h, t) && (!newest || triage(newest, h, &found));
	int rc = has_memory ? 0 : err_set(e, ENOMEM, "out of memory");
	if (!rc)
		rc = w->exporter->write(out, h, t, &found, e);
	if (w->out && fclose(out) && !rc)
		rc = err_errno(e, errno, "writing");
	findings_fini(&found);
	return rc ? err_at(e, "%s: ", w->out ? w->out : "standard output") : 0;
}

static int run(int argc, char **argv)
{
	struct wish w = {.last = FRAMES_MAX};
	struct trail trail = {0};
	struct history h = {0};
	struct arena a = {0};
	struct err e = {0};
	int rc = parse(argc, argv, &w);

	if (rc)
		return rc;
	rc = history_init(&h, w.last) ? err_set(&e, ENOMEM, "out of memory") : 0;
	h.bytes_max = SIZE_MAX; /* an export leaves nothing out; --last bounds it */
	rc = rc ? rc : read_frames(&w, &h, &trail, &e);
	rc = rc ? rc : write_out(&w, &h, &trail, &e);
	if (rc)
		fprintf(stderr, "rung: %.*s\n", TEXT_ARG(text_clean_str(&a, e.text)));
	history_fini(&h);
	trail_fini(&trail);
	arena_fini(&a);
	return rc ? 1 : 0;
}

const struct command command_export = {
    .name = "export",
    .usage = "FILE --format json|md [-o OUT] [--last FRAMES]",
    .help = "A recording as JSON for programs or as a report to read",
    .run = run,
};
