/* `rung tool` and `rung list` as somebody types them: output, exit status, interruption. */
#include <fcntl.h>

#include "tools.h"

struct outcome {
	int status;
	char out[16384], err[16384];
};

static void slurp(const char *path, char *to, size_t room)
{
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	to[fread(to, 1, room - 1, f)] = 0;
	fclose(f);
	unlink(path);
}

/* Run rung with these words; a signal is sent as soon as its BPF programs are loaded (0: none). */
static void run_rung(struct outcome *o, int signal_number, const char *const *words)
{
	const char *argv[16] = { "rung" };
	int status;

	for (size_t i = 0; words[i]; i++)
		argv[i + 1] = words[i];
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		int out = open("cli.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int err = open("cli.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(out, 1);
		dup2(err, 2);
		execv(RUNG_BIN, (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	while (signal_number) {
		char path[64], target[64];
		bool has_link = false;
		for (int fd = 3; fd < 256 && !has_link; fd++) {
			snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
			ssize_t n = readlink(path, target, sizeof(target) - 1);
			target[n > 0 ? n : 0] = 0;
			has_link = strstr(target, "bpf_link") || strstr(target, "bpf-link");
		}
		if (has_link) {
			kill(pid, signal_number);
			break;
		}
		assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
		usleep(1000);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	o->status = WEXITSTATUS(status);
	slurp("cli.out", o->out, sizeof(o->out));
	slurp("cli.err", o->err, sizeof(o->err));
}

#define RUN(o, signal_number, ...) run_rung(o, signal_number, (const char *const[]){ __VA_ARGS__, NULL })

static void prints_results_and_cost(void **state)
{
	struct outcome o;
	(void)state;

	RUN(&o, 0, "tool", "runqlat", "0.2", "2");
	assert_int_equal(o.status, 0);
	assert_non_null(strstr(o.out, " |"));
	assert_null(strstr(o.out, "events/s"));
	assert_non_null(strstr(o.err, "events/s"));
	assert_non_null(strstr(o.err, "lost"));
}

static void an_interrupt_prints_and_succeeds(void **state)
{
	struct outcome o;
	(void)state;

	RUN(&o, SIGINT, "tool", "syscalls");
	assert_int_equal(o.status, 0);
	/* The signal may come before any call of this idle host has returned: then it says so. */
	assert_true(strlen(o.out) > 10 && o.out[strlen(o.out) - 1] == '\n');
	assert_non_null(strstr(o.err, "events/s"));
	RUN(&o, SIGTERM, "tool", "syscalls", "-a", "openat");
	assert_int_equal(o.status, 0);
}

static void failures_and_usage(void **state)
{
	struct outcome o;
	(void)state;

	RUN(&o, 0, "tool", "no-such-tool", "1", "1");
	assert_int_equal(o.status, 1);
	assert_non_null(strstr(o.err, "no tool no-such-tool"));
	RUN(&o, 0, "tool", "biolatency", "-d", "no-such-disk", "1", "1");
	assert_int_equal(o.status, 1);
	assert_int_equal(strlen(o.out), 0);
	RUN(&o, 0, "tool", "syscalls", "-p", "4194303", "1", "1");
	assert_int_equal(o.status, 1);
	assert_non_null(strstr(o.err, "no process 4194303"));
	RUN(&o, 0, "tool", "--help");
	assert_int_equal(o.status, 0);
	assert_non_null(strstr(o.out, "Exit status: 0"));
	RUN(&o, 0, "tool");
	assert_int_equal(o.status, 2);
	RUN(&o, 0, "tool", "runqlat", "soon");
	assert_int_equal(o.status, 2);
	RUN(&o, 0, "tool", "-x", "runqlat");
	assert_int_equal(o.status, 2);
	RUN(&o, 0, "tool", "-p", "none", "runqlat");
	assert_int_equal(o.status, 2);
}

static void list_names_tools_and_tracepoints(void **state)
{
	struct outcome o;
	(void)state;

	RUN(&o, 0, "list");
	assert_int_equal(o.status, 0);
	for (size_t i = 0; i < probe_registry_len; i++)
		assert_non_null(strstr(o.out, probe_registry[i].name));
	RUN(&o, 0, "list", "runq*");
	assert_int_equal(o.status, 0);
	assert_non_null(strstr(o.out, "runqlat"));
	assert_null(strstr(o.out, "biolatency"));
	RUN(&o, 0, "list", "tracepoint:sched:sched_sw*");
	assert_int_equal(o.status, 0);
	assert_non_null(strstr(o.out, "tracepoint:sched:sched_switch\n"));
	RUN(&o, 0, "list", "nothing-matches-this");
	assert_int_equal(o.status, 1);
	RUN(&o, 0, "list", "a", "b");
	assert_int_equal(o.status, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_results_and_cost),
		cmocka_unit_test(an_interrupt_prints_and_succeeds),
		cmocka_unit_test(failures_and_usage),
		cmocka_unit_test(list_names_tools_and_tracepoints),
	};
	TOOLS_SKIP();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
