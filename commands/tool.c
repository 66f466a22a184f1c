/* `rung tool`: one targeted tool without the console, its output as text. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "collectors/probes/probe.h"
#include "collectors/scheduler.h"
#include "commands/command.h"
#include "session/session.h"

struct tool_options {
	struct request request;
	double interval_s;  /* 0: until interrupted, printed once */
	unsigned long count; /* 0: until interrupted */
};

static const char usage_text[] =
	"usage: rung tool NAME [-p PID | -t TID | -d DEVICE] [-a ARG] [-b PCT] [interval [count]]\n"
	"  -p PID     only this process          -t TID   only this thread\n"
	"  -d DEVICE  only this disk             -a ARG   the tool's argument: for syscalls, one call to stream\n"
	"  -b PCT     budget in per cent of one CPU; past it the tool is stopped\n"
	"Without an interval it runs until interrupted (SIGINT) and prints once. Results go to standard output,\n"
	"cost and losses to standard error. Exit status: 0 done, 1 failed or stopped over budget, 2 wrong usage.\n";

static int usage(const char *why)
{
	if (why)
		fprintf(stderr, "rung tool: %s\n", why);
	fputs(usage_text, stderr);
	return 2;
}

static bool parse_number(const char *s, double *out)
{
	char *end;
	*out = strtod(s, &end);
	return end != s && !*end && *out > 0 && *out < 1e9;
}

static int set_device(struct scope *s, const char *name)
{
	char path[128];
	unsigned int major, minor;

	snprintf(path, sizeof(path), "/sys/class/block/%s/dev", name);
	FILE *f = strchr(name, '/') ? NULL : fopen(path, "re");
	bool is_known = f && fscanf(f, "%u:%u", &major, &minor) == 2;
	if (f)
		fclose(f);
	if (!is_known) {
		fprintf(stderr, "rung tool: there is no block device of that name\n");
		return 1;
	}
	s->kind = SCOPE_DEVICE;
	s->major = major;
	s->minor = minor;
	text_keepf(&s->name, "%s", name);
	return 0;
}

static int set_task(struct scope *s, enum scope_kind kind, const char *arg)
{
	double n;

	if (!parse_number(arg, &n) || n > 4194304 || n != (uint32_t)n)
		return usage("not a process or thread id");
	s->kind = kind;
	if (kind == SCOPE_PROCESS)
		s->tgid = (uint32_t)n;
	else
		s->tid = (uint32_t)n;
	return 0;
}

static int parse_option(struct tool_options *o, int opt)
{
	struct request *q = &o->request;

	switch (opt) {
	case 'p':
		return set_task(&q->scope, SCOPE_PROCESS, optarg);
	case 't':
		return set_task(&q->scope, SCOPE_THREAD, optarg);
	case 'd':
		return set_device(&q->scope, optarg);
	case 'a':
		if ((size_t)snprintf(q->arg, sizeof(q->arg), "%s", optarg) >= sizeof(q->arg))
			return usage("the argument is too long");
		return 0;
	case 'b':
		return parse_number(optarg, &q->budget_cpu_pct) ? 0 : usage("not a percentage");
	default:
		return usage(NULL);
	}
}

static int parse(struct tool_options *o, int argc, char **argv)
{
	double count = 0;
	int opt, status;

	*o = (struct tool_options){ .request = { .kind = REQUEST_PROBE_START } };
	optind = 0;
	while ((opt = getopt(argc, argv, "p:t:d:a:b:")) != -1)
		if ((status = parse_option(o, opt)))
			return status;
	if (optind >= argc)
		return usage("which tool? rung list names them");
	if ((size_t)snprintf(o->request.tool, sizeof(o->request.tool), "%s", argv[optind]) >= sizeof(o->request.tool))
		return usage("there is no tool of such a long name");
	if (optind + 1 < argc && !parse_number(argv[optind + 1], &o->interval_s))
		return usage("the interval is a number of seconds");
	if (optind + 2 < argc && !parse_number(argv[optind + 2], &count))
		return usage("the count is a number");
	if (optind + 3 < argc)
		return usage("too many words");
	o->count = (unsigned long)count;
	return 0;
}

/* Sleep, unless a signal to end comes; true when it came. */
static bool interrupted(double seconds)
{
	sigset_t ends;
	uint64_t end_ns = clock_mono_ns() + (uint64_t)(seconds * 1e9);

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	for (;;) {
		uint64_t now_ns = clock_mono_ns();
		if (now_ns >= end_ns)
			return false;
		struct timespec t = { .tv_sec = (time_t)((end_ns - now_ns) / NS_PER_S),
				      .tv_nsec = (long)((end_ns - now_ns) % NS_PER_S) };
		if (sigtimedwait(&ends, NULL, &t) > 0)
			return true;
	}
}

static void print_cost(const struct probe_row *p)
{
	static const struct { enum probe_field field; const char *after; } shown[] = {
		{ PROBE_events_per_s, " events/s  " }, { PROBE_ns_per_event, "/event  " }, { PROBE_cpu_pct, " of a CPU  " },
		{ PROBE_predicted_cpu_pct, " predicted  " }, { PROBE_lost, " lost  " }, { PROBE_unmatched, " unmatched  " },
		{ PROBE_memory_bytes, " of maps" },
	};
	struct arena a = { 0 };

	fprintf(stderr, "%.*s %.*s: ", TEXT_ARG(p->name), TEXT_ARG(p->scope));
	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		const struct field_desc *d = &section_descs[SEC_PROBE].fields[shown[i].field];
		fprintf(stderr, "%.*s%s", TEXT_ARG(field_text_of(d, p, 0, &a)), shown[i].after);
	}
	fputc('\n', stderr);
	arena_fini(&a);
}

/* Print the probe of a frame; true when it runs on. */
static bool print_frame(const struct frame *f, bool is_result_due)
{
	const struct probe_row *p = f ? FRAME_ROWS(f, probe, PROBE) : NULL;

	if (!p || !f->sec[SEC_PROBE].nrows)
		return false;
	bool is_running = text_is(p->state, "running");
	if (is_result_due || !is_running) {
		session_print_probe(stdout, f, p->id);
		fflush(stdout);
		print_cost(p);
	}
	if (!is_running)
		fprintf(stderr, "%.*s %.*s: %.*s\n", TEXT_ARG(p->name), TEXT_ARG(p->state), TEXT_ARG(p->why));
	return is_running;
}

/* Frames come once a second at least, so that budget and streams do not wait for a long interval. */
static int watch(struct scheduler *s, const struct tool_options *o)
{
	double left_s = o->interval_s;
	unsigned long printed = 0;

	for (;;) {
		double wait_s = o->interval_s > 0 && left_s < 1 ? left_s : 1;
		bool is_end = interrupted(wait_s);
		left_s -= wait_s;
		bool is_due = is_end || (o->interval_s > 0 && left_s <= 0.0005) || (o->request.arg[0] && o->interval_s <= 0);
		struct frame *f = scheduler_frame(s, clock_mono_ns(), clock_wall_ns());
		bool is_running = print_frame(f, is_due);
		frame_unref(f);
		if (!is_running)
			return 1;
		if (is_due) {
			left_s = o->interval_s;
			printed++;
		}
		if (is_end || ferror(stdout) || (o->count && printed >= o->count))
			return ferror(stdout) ? 1 : 0;
	}
}

/* Only what the tools and their estimates need is sampled. */
static size_t choose_collectors(const struct collector **chosen, size_t room)
{
	static const char *const names[] = { "probes", "system", "disks" };
	size_t n = 0;

	for (size_t i = 0; i < collector_registry_len; i++)
		for (size_t k = 0; k < ARRAY_LEN(names); k++)
			if (n < room && !strcmp(collector_registry[i]->name, names[k]))
				chosen[n++] = collector_registry[i];
	return n;
}

static int run_with(struct collector_env *env, const struct tool_options *o, struct err *e)
{
	const struct collector *collectors[3];
	struct request focus = { .kind = REQUEST_FOCUS,
				 .needs = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_SYS) | SEC_BIT(SEC_DISK) };
	env->focus = &focus;
	struct scheduler_options so = { .collectors = collectors,
					.ncollectors = choose_collectors(collectors, ARRAY_LEN(collectors)),
					.env = env,
					.period_ns = 50 * NS_PER_MS };
	struct scheduler *s = scheduler_new(&so, e);
	if (!s)
		return -e->code;
	/* Two frames give the rates that the estimate is made of. */
	frame_unref(scheduler_frame(s, clock_mono_ns(), clock_wall_ns()));
	interrupted(0.1);
	frame_unref(scheduler_frame(s, clock_mono_ns(), clock_wall_ns()));
	interrupted(0.06);
	frame_unref(scheduler_frame(s, clock_mono_ns(), clock_wall_ns()));
	int err = scheduler_ask(s, &o->request, clock_mono_ns(), e);
	int status = err ? err : watch(s, o);
	scheduler_free(s);
	return status;
}

static int run(int argc, char **argv)
{
	struct tool_options o;
	struct collector_env env;
	struct err e = { 0 };
	sigset_t ends, before;

	if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
		fputs(usage_text, stdout);
		return 0;
	}
	int status = parse(&o, argc, argv);
	if (status)
		return status;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, &before);
	status = collector_env_live(&env, &e);
	if (!status) {
		status = run_with(&env, &o, &e);
		collector_env_fini(&env);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (status < 0)
		fprintf(stderr, "rung tool: %s\n", e.text);
	return status ? 1 : 0;
}

const struct command command_tool = {
	.name = "tool",
	.usage = "NAME [-p PID | -t TID | -d DEVICE] [-a ARG] [-b PCT] [interval [count]]",
	.help = "run one targeted tool and print its results as text; rung list names them",
	.run = run,
};
