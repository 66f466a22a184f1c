/* What files of the host tell about itself. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/tasks/caps.h"

/* The start of a small file as a string; -errno. */
static int slurp(int dir_fd, const char *path, char *text, size_t size)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, size - 1);
	int rc = n < 0 ? -errno : 0;
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return rc;
}

int cap_btf(const struct collector_env *env, struct err *e)
{
	if (!faccessat(env->sys_fd, "kernel/btf/vmlinux", R_OK, 0))
		return 0;
	return err_errno(e, errno, "/sys/kernel/btf/vmlinux");
}

int cap_tracefs(const struct collector_env *env, struct err *e)
{
	if (env->tracefs_fd >= 0)
		return 0;
	if (access("/sys/kernel/tracing/events", R_OK) && errno == EACCES)
		return err_errno(e, EACCES, "/sys/kernel/tracing");
	return err_set(e, ENOENT, "tracefs is not mounted");
}

int cap_pressure(const struct collector_env *env, struct err *e)
{
	char text[256];
	int rc = slurp(env->proc_fd, "pressure/cpu", text, sizeof(text));

	return rc ? err_errno(e, -rc, "/proc/pressure/cpu") : 0;
}

int cap_delay_accounting(const struct collector_env *env, struct err *e)
{
	char text[32];
	int rc = slurp(env->proc_fd, "sys/kernel/task_delayacct", text, sizeof(text));

	if (rc)
		return err_errno(e, -rc, "kernel.task_delayacct");
	return atoi(text) ? 0
			  : err_set(e, ENODATA,
				    "kernel.task_delayacct is 0: the kernel does not measure it");
}

/* The numbers of other users' processes are hidden from those who may not trace them. */
int cap_all_processes(const struct collector_env *env, struct err *e)
{
	char text[16384];
	int rc = slurp(env->proc_fd, "self/mounts", text, sizeof(text));
	const char *proc = rc ? NULL : strstr(text, " /proc proc ");

	if (!proc)
		return rc ? err_errno(e, -rc, "/proc/self/mounts") : 0;
	char options[256];
	snprintf(options, sizeof(options), "%.*s", (int)strcspn(proc, "\n"), proc);
	if (!strstr(options, "hidepid=") || strstr(options, "hidepid=0") ||
	    strstr(options, "hidepid=off") || !geteuid())
		return 0;
	return err_set(e, EACCES, "/proc is mounted with hidepid");
}

int cap_perf_paranoid(const struct collector_env *env, struct err *e)
{
	char text[32];
	int rc = slurp(env->proc_fd, "sys/kernel/perf_event_paranoid", text, sizeof(text));

	if (rc)
		return err_errno(e, -rc, "kernel.perf_event_paranoid");
	if (atoi(text) <= 1 || !geteuid())
		return 0;
	return err_set(e, EACCES, "kernel.perf_event_paranoid is %d", atoi(text));
}

int cap_kernel_addresses(const struct collector_env *env, struct err *e)
{
	char text[64];
	int rc = slurp(env->proc_fd, "kallsyms", text, sizeof(text));

	if (rc)
		return err_errno(e, -rc, "/proc/kallsyms");
	/* The first symbol may be an offset into per-CPU memory: any digit but 0 will do, so look
	 * at the second too. */
	for (const char *line = text; line && *line;) {
		size_t zeros = strspn(line, "0");
		const char *next = strchr(line, '\n');
		if (line[zeros] != ' ')
			return 0;
		line = next ? next + 1 : NULL;
	}
	return err_set(e, EPERM, "all addresses read as 0");
}

int cap_syscall_files(const struct collector_env *env, struct err *e)
{
	char text[256], path[32];

	snprintf(path, sizeof(path), "%d/syscall", (int)getppid());
	int rc = slurp(env->proc_fd, path, text, sizeof(text));
	return rc ? err_errno(e, -rc, "/proc/%s", path) : 0;
}
