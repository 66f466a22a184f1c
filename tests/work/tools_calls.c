/* Waits for a byte, makes exactly 1,000 failing openat and 500 nanosleep of 1 ms, says so, waits for a byte. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	struct timespec ms = { .tv_nsec = 1000000 };
	char c;

	if (read(0, &c, 1) != 1)
		return 1;
	for (int i = 0; i < 1000; i++)
		if (syscall(SYS_openat, AT_FDCWD, "/rung-missing-file", O_RDONLY | O_CLOEXEC, 0) >= 0)
			return 2;
	for (int i = 0; i < 500; i++)
		syscall(SYS_nanosleep, &ms, NULL);
	if (write(1, "d", 1) != 1)
		return 3;
	return read(0, &c, 1) == 1 ? 0 : 4;
}
