/* Waits for a byte, passes a byte to a second process and back 2,000 times, says so, waits for a byte. */
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 2000

static int bounce(int in, int out)
{
	char c;

	while (read(in, &c, 1) == 1)
		if (write(out, &c, 1) != 1)
			return 5;
	return 0;
}

int main(void)
{
	int there[2], back[2];
	char c;

	if (pipe(there) || pipe(back))
		return 1;
	pid_t child = fork();
	if (child == 0) {
		close(there[1]);
		close(back[0]);
		_exit(bounce(there[0], back[1]));
	}
	if (child < 0 || read(0, &c, 1) != 1)
		return 2;
	for (int i = 0; i < ROUNDS; i++)
		if (write(there[1], "x", 1) != 1 || read(back[0], &c, 1) != 1)
			return 3;
	if (write(1, "d", 1) != 1 || read(0, &c, 1) != 1)
		return 4;
	close(there[1]);
	return waitpid(child, NULL, 0) == child ? 0 : 6;
}
