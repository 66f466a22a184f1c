/* Keeps N idle processes alive until its standard input closes. Argument: N. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3000, made = 0;
	char c;

	for (; made < n; made++) {
		pid_t pid = fork();
		if (pid < 0)
			break;
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(0);
			close(1);
			for (;;)
				pause();
		}
	}
	printf("ready %d\n", made);
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0)
		;
	return made == n ? 0 : 1;
}
