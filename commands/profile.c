/* The profile without the console: which functions the CPUs execute, as a table. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "collectors/scheduler.h"
#include "commands/command.h"
#include "commands/with_console.h"

#define SECONDS_MAX 3600u
#define SHOWN_ROWS  30u

/** What the command line asked for. */
struct wish {
	struct scope scope;
	uint32_t seconds;
};

static int usage(const char *words)
{
	fprintf(stderr, "rung profile: %s; rung --help shows the usage\n", words);
	return 2;
}

/* A whole positive decimal number up to max; 0 when it is not one. */
static uint32_t number(const char *word, uint32_t max)
{
	char *end;
	unsigned long n = strtoul(word, &end, 10);

	return end != word && !*end && word[0] != '-' && n <= max ? (uint32_t)n : 0;
}

static int parse(int argc, char **argv, struct wish *w)
{
	static const struct option options[] = { { "pid", required_argument, NULL, 'p' }, { 0 } };
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "p:", options, NULL)) != -1) {
		if (c != 'p')
			return 2;
		w->scope = scope_process(number(optarg, INT32_MAX), 0, TEXT(""));
		if (!w->scope.tgid)
			return usage("-p takes a process id");
	}
	if (optind < argc)
		w->seconds = number(argv[optind++], SECONDS_MAX);
	if (!w->seconds || optind < argc)
		return usage("takes a number of seconds from 1 to 3600");
	return 0;
}

static void print_why(const struct frame *f, enum frame_sec sec)
{
	const struct section *s = &f->sec[sec];

	if (s->why.utf8)
		printf("%s %s: %.*s\n", section_descs[sec].name, sec_state_name(s->state), TEXT_ARG(s->why));
}

static void print_field(const char *label, enum frame_sec sec, uint32_t field, const void *row, struct arena *a)
{
	printf("%s%.*s", label, TEXT_ARG(field_text_of(&section_descs[sec].fields[field], row, 0, a)));
}

static void print_header(const struct frame *f, struct arena *a)
{
	static const struct {
		const char *label;
		uint32_t field;
	} shown[] = {
		{ "event ", PROFSTAT_event },	      { "  scope ", PROFSTAT_scope },
		{ "  method ", PROFSTAT_method },     { "\nwanted ", PROFSTAT_wanted_hz },
		{ "  had ", PROFSTAT_effective_hz },  { "  samples ", PROFSTAT_samples },
		{ "  lost ", PROFSTAT_lost },	      { "  throttled ", PROFSTAT_throttled },
		{ "  unresolved ", PROFSTAT_unresolved_pct },
	};
	const void *row = frame_row(f, SEC_PROFSTAT, 0);

	for (size_t i = 0; row && i < ARRAY_LEN(shown); i++)
		print_field(shown[i].label, SEC_PROFSTAT, shown[i].field, row, a);
	if (row)
		putchar('\n');
}

static void print_rows(const struct frame *f, struct arena *a)
{
	const struct profile_row *rows = FRAME_ROWS(f, profile, PROFILE);
	uint32_t n = f->sec[SEC_PROFILE].nrows;

	if (n)
		printf("%7s %8s  %-24s %-24s %s\n", "SELF", "SAMPLES", "PROCESS", "OBJECT", "FUNCTION");
	for (uint32_t i = 0; i < n && i < SHOWN_ROWS; i++) {
		const struct profile_row *r = &rows[i];
		struct fmt_buf pct, samples;
		struct text who = r->tgid == U32_UNKNOWN
					  ? TEXT("-")
					  : text_printf(a, "%.*s[%u]", TEXT_ARG(r->comm), r->tgid);
		printf("%7.*s %8.*s  %-24.*s %-24.*s %.*s\n", TEXT_ARG(fmt_f64(&pct, UNIT_PCT, r->self_pct, 0)),
		       TEXT_ARG(fmt_u64(&samples, UNIT_COUNT, r->samples, 0)), TEXT_ARG(who), TEXT_ARG(r->object),
		       TEXT_ARG(r->symbol));
	}
	if (n > SHOWN_ROWS)
		printf("and %u more functions\n", n - SHOWN_ROWS);
}

/* The last frame after that many seconds; NULL with words. */
static struct frame *measure(struct scheduler *s, uint32_t seconds, struct err *e)
{
	struct frame *f = scheduler_frame(s, clock_mono_ns(), clock_wall_ns());

	for (uint32_t i = 0; f && i < seconds && f->sec[SEC_PROFSTAT].state == SEC_OK; i++) {
		struct timespec second = { .tv_sec = 1 };
		while (nanosleep(&second, &second))
			;
		frame_unref(f);
		f = scheduler_frame(s, clock_mono_ns(), clock_wall_ns());
	}
	if (!f)
		err_set(e, ENOMEM, "out of memory");
	return f;
}

static int profile(const struct wish *w, const struct collector *c, struct err *e)
{
	const struct request focus = { .kind = REQUEST_FOCUS, .needs = c->provides, .scope = w->scope };
	struct collector_env env;
	struct arena a = { 0 };
	int err = collector_env_live(&env, e);

	if (err)
		return err;
	env.focus = &focus;
	const struct scheduler_options o = { .env = &env, .collectors = &c, .ncollectors = 1, .period_ns = NS_PER_S };
	struct scheduler *s = scheduler_new(&o, e);
	struct frame *f = s ? measure(s, w->seconds, e) : NULL;
	if (f) {
		print_header(f, &a);
		print_rows(f, &a);
		print_why(f, SEC_PROFILE);
		err = f->sec[SEC_PROFSTAT].state == SEC_OK ? 0 : -1;
	}
	frame_unref(f);
	scheduler_free(s);
	collector_env_fini(&env);
	arena_fini(&a);
	return f ? err : -1;
}

static int run(int argc, char **argv)
{
	struct wish w = { .seconds = 5 };
	struct err e = { 0 };
	int rc = parse(argc, argv, &w);

	for (size_t i = 0; !rc && i < collector_registry_len; i++)
		if (!strcmp(collector_registry[i]->name, "profile"))
			rc = profile(&w, collector_registry[i], &e) ? 1 : 0;
	if (e.code)
		with_console_complain(&e);
	return rc;
}

const struct command command_profile = {
	.name = "profile",
	.usage = "[-p PID] [seconds]",
	.help = "Which functions the CPUs execute: 5 seconds unless told, the last 10 at most",
	.run = run,
};
