/* A process in a known state: says "ready" on stdout, acts, and ends when stdin closes. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void until_told(void)
{
	char c;

	while (read(0, &c, 1) > 0)
		;
}

static void *spin(void *unused)
{
	for (volatile unsigned long n = 0;; n++)
		;
	return unused;
}

static void *sleep_long(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void *blocked_read(void *fd)
{
	char c;

	prctl(PR_SET_NAME, "in_read");
	if (read(*(int *)fd, &c, 1) < 0)
		perror("read");
	return NULL;
}

static void start(void *(*run)(void *), void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, arg))
		exit(1);
}

/* Spins in a thread pinned to one CPU. */
static void act_spin(const char *cpu)
{
	cpu_set_t set;
	pthread_t t;

	CPU_ZERO(&set);
	CPU_SET(atoi(cpu), &set);
	if (sched_setaffinity(0, sizeof(set), &set) || pthread_create(&t, NULL, spin, NULL))
		exit(1);
}

static void act_threads(const char *n)
{
	for (int i = atoi(n); i > 1; i--)
		start(sleep_long, NULL);
}

/* Threads that live briefly, one after the other, each burning some CPU. */
static void *burn(void *unused)
{
	for (volatile unsigned long n = 0; n < 20000000; n++)
		;
	return unused;
}

static void act_brief(const char *n)
{
	for (int i = atoi(n); i > 0; i--) {
		pthread_t t;
		if (pthread_create(&t, NULL, burn, NULL) || pthread_join(t, NULL))
			exit(1);
	}
}

static void act_zombie(const char *unused)
{
	(void)unused;
	pid_t pid = fork();
	if (!pid)
		_exit(0);
	siginfo_t info;
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	printf("child %d\n", (int)pid);
}

static void act_name(const char *name)
{
	prctl(PR_SET_NAME, name);
}

/* Prints the inode of a pipe that a thread is blocked reading. */
static void act_pipe(const char *unused)
{
	static int fds[2];
	char link[64] = "", path[64];

	(void)unused;
	if (pipe(fds))
		exit(1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	if (readlink(path, link, sizeof(link) - 1) < 0)
		exit(1);
	printf("fd %d %s\n", fds[0], link);
	start(blocked_read, &fds[0]);
}

/* On a byte from stdin: that many children, one after the other, reaped. */
static void act_forks(const char *n)
{
	char c;

	ready();
	if (read(0, &c, 1) != 1)
		exit(0);
	for (int i = atoi(n); i > 0; i--) {
		pid_t pid = fork();
		if (!pid) {
			prctl(PR_SET_NAME, "forkling");
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			exit(1);
	}
	act_threads("4"); /* threads are no processes */
}

static const struct {
	const char *name;
	void (*act)(const char *arg);
} acts[] = {
	{ "spin", act_spin },     { "threads", act_threads }, { "brief", act_brief },
	{ "zombie", act_zombie }, { "name", act_name },       { "pipe", act_pipe },
	{ "forks", act_forks },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(acts) / sizeof(acts[0]); i++) {
		if (strcmp(acts[i].name, argv[1]))
			continue;
		acts[i].act(argv[2]);
		ready();
		until_told();
		return 0;
	}
	fprintf(stderr, "usage: work_tasks_actor ACT ARG\n");
	return 2;
}
