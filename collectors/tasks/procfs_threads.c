/* Threads of one process from /proc/PID/task: stat, schedstat and status of each. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "collectors/tasks/procps.h"

/* A small file of one thread as a string; false when it cannot be read. */
static bool slurp(int task_fd, const char *tid, const char *file, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", tid, file);
	int fd = openat(task_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

static uint64_t ticks_to_ns(uint64_t ticks)
{
	return ticks * task_tick_ns();
}

/* "tid (comm) S ..."; the name may hold anything, so the last parenthesis ends it. */
static bool parse_stat(const char *text, struct task_record *r)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	uint64_t user, system, start;
	uint32_t cpu;
	int32_t nice;
	char state;

	if (!open || !close || close < open)
		return false;
	int n = sscanf(close + 1,
		       " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
		       " %*s %*s %*s %" SCNd32 " %*s %*s %" SCNu64
		       " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu32,
		       &state, &user, &system, &nice, &start, &cpu);
	if (n != 6)
		return false;
	size_t len = (size_t)(close - open - 1);
	memcpy(r->comm, open + 1, len < sizeof(r->comm) ? len : sizeof(r->comm) - 1);
	r->state = task_state_of_char(state);
	r->own.user_ns = ticks_to_ns(user);
	r->own.system_ns = ticks_to_ns(system);
	r->own.exec_ns = r->own.user_ns + r->own.system_ns;
	r->start_boot_ns = ticks_to_ns(start);
	r->nice = nice;
	r->last_cpu = cpu;
	return true;
}

static uint64_t number_after(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : U64_UNKNOWN;
}

static int read_thread(int task_fd, const char *tid, uint32_t tgid, struct task_reading *r)
{
	char text[4096];
	uint64_t exec_ns, runq_ns;

	if (!slurp(task_fd, tid, "stat", text, sizeof(text)))
		return 0; /* it exited */
	struct task_record *rec = task_reading_add(r);
	if (!rec)
		return -ENOMEM;
	rec->tid = (uint32_t)strtoul(tid, NULL, 10);
	rec->tgid = tgid;
	if (!parse_stat(text, rec)) {
		r->records.len--;
		return 0;
	}
	if (slurp(task_fd, tid, "schedstat", text, sizeof(text)) &&
	    sscanf(text, "%" SCNu64 " %" SCNu64, &exec_ns, &runq_ns) == 2) {
		rec->own.exec_ns = exec_ns;
		rec->runq_ns = runq_ns;
	}
	if (slurp(task_fd, tid, "status", text, sizeof(text))) {
		uint64_t voluntary = number_after(text, "\nvoluntary_ctxt_switches:");
		uint64_t forced = number_after(text, "\nnonvoluntary_ctxt_switches:");
		if (voluntary != U64_UNKNOWN && forced != U64_UNKNOWN)
			rec->own.switches = voluntary + forced;
	}
	return 0;
}

int procfs_read_threads(int proc_fd, uint32_t tgid, struct task_reading *r, struct err *e)
{
	char path[32];
	int err = 0;

	snprintf(path, sizeof(path), "%u/task", tgid);
	int fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		err = err_errno(e, errno, "threads of process %u", tgid);
		if (fd >= 0)
			close(fd);
		return err;
	}
	for (struct dirent *d; !err && (d = readdir(dir));)
		if (isdigit((unsigned char)d->d_name[0]))
			err = read_thread(dirfd(dir), d->d_name, tgid, r);
	closedir(dir);
	if (err)
		return err_errno(e, -err, "threads of process %u", tgid);
	task_reading_sort(r);
	return 0;
}
