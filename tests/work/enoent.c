/* Opens a file that does not exist, over and over: the classic missing configuration file. Argument: seconds. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 60);

	puts("ready");
	fflush(stdout);
	while (time(NULL) < end) {
		int fd = open("/no/such/place/app.conf", O_RDONLY);
		if (fd >= 0 || errno != ENOENT)
			return 1;
		usleep(200);
	}
	return 0;
}
