/*
 * Burns CPU in functions whose shares are known. First argument: split (70 % of
 * the work in profile_hot, 30 % in profile_warm), syscalls, or brief (split in
 * one child after another, none of which lives long). Second: seconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OWN_SYMBOL __attribute__((noipa))

static volatile unsigned long sink;

/* Both have the same loop, so work is time; noipa keeps the compiler from joining them. */
OWN_SYMBOL static void profile_hot(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}

OWN_SYMBOL static void profile_warm(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}

static void split(time_t end)
{
	while (time(NULL) < end) {
		profile_hot(700000);
		profile_warm(300000);
	}
}

static void syscalls(time_t end)
{
	char buf[4096];
	int p[2];

	if (pipe(p))
		return;
	while (time(NULL) < end)
		for (int i = 0; i < 1000; i++)
			if (write(p[1], buf, sizeof(buf)) < 0 || read(p[0], buf, sizeof(buf)) < 0)
				return;
}

static void brief(const char *self, time_t end)
{
	while (time(NULL) < end) {
		pid_t pid = fork();
		if (!pid) {
			execl(self, self, "once", (char *)NULL);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return;
	}
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 2 ? atoi(argv[2]) : 60);

	puts("ready");
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "syscalls"))
		syscalls(end);
	else if (argc > 1 && !strcmp(argv[1], "brief"))
		brief(argv[0], end);
	else if (argc > 1 && !strcmp(argv[1], "once"))
		profile_hot(20000000);
	else
		split(end);
	return 0;
}
