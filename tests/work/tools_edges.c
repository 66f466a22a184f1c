/*
 * Waits for a byte, makes system calls at the edges, says so, waits for a byte:
 * a path that ends with its page, one that cannot be read, one with control
 * bytes, a number that is no call (twice), a sleep cut short by a signal, and
 * on x86 getpid by the 32-bit entry (three times).
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void nothing(int signal_number)
{
	(void)signal_number;
}

static void open_edges(void)
{
	static const char path[] = "/rung-at-the-end";
	long page = sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (two == MAP_FAILED || munmap(two + page, (size_t)page))
		_exit(3);
	char *end = two + page - sizeof(path);
	memcpy(end, path, sizeof(path));
	syscall(SYS_openat, AT_FDCWD, end, O_RDONLY, 0);
	syscall(SYS_openat, AT_FDCWD, two + page, O_RDONLY, 0);
	syscall(SYS_openat, AT_FDCWD, "/rung\n\033[31m\"\xff", O_RDONLY, 0);
}

int main(void)
{
	struct sigaction act = { .sa_handler = nothing };
	struct itimerval soon = { .it_value = { .tv_usec = 2000 } };
	struct timespec long_time = { .tv_sec = 100 };
	char c;

	if (read(0, &c, 1) != 1)
		return 1;
	open_edges();
	syscall(777);
	syscall(777);
	if (sigaction(SIGALRM, &act, NULL) || setitimer(ITIMER_REAL, &soon, NULL))
		return 2;
	syscall(SYS_nanosleep, &long_time, NULL);
#if defined(__x86_64__)
	/* This file is there when the kernel has the 32-bit entry. */
	for (int i = 0; i < 3 && !access("/proc/sys/abi/vsyscall32", F_OK); i++) {
		long pid = 20;
		__asm__ volatile("int $0x80" : "+a"(pid) : : "memory", "r8", "r9", "r10", "r11");
	}
#endif
	if (write(1, "d", 1) != 1)
		return 4;
	return read(0, &c, 1) == 1 ? 0 : 5;
}
