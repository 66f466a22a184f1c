/* Blocked threads from /proc: state, system call, wait channel and stack, as far as permitted. */
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
#include "collectors/tasks/reading.h"
#include "collectors/tasks/stuck.h"

/* Bytes read, or -errno; always terminated. */
static int slurp(int proc_fd, uint32_t tgid, uint32_t tid, const char *file, char *text,
		 size_t size)
{
	char path[64];
	int rc;

	text[0] = 0;
	snprintf(path, sizeof(path), "%u/task/%u/%s", tgid, tid, file);
	int fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, size - 1);
	rc = n < 0 ? -errno : (int)n;
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return rc;
}

/* "nr a b c d e f sp pc", "-1 sp pc" outside a system call, or "running". */
static void parse_syscall(const char *text, struct stuck_record *r)
{
	int64_t nr;
	uint64_t a[6] = { 0 };

	r->syscall_nr = -1;
	int n = sscanf(text,
		       "%" SCNd64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		       " %" SCNx64,
		       &nr, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5]);
	if (n != 7)
		return;
	r->syscall_nr = nr;
	for (int i = 0; i < 6; i++)
		r->args[i] = a[i];
}

/* Lines "[<0>] name+0x1/0x2 [module]" become "name;name". */
static void parse_stack(const char *text, char *out, size_t size)
{
	size_t len = 0;

	out[0] = 0;
	for (const char *line = text; line && *line;) {
		const char *name = strstr(line, "] "), *next = strchr(line, '\n');
		size_t n = name ? strcspn(name + 2, "+\n ") : 0;
		if (!n || len + n + 2 > size)
			return;
		len += (size_t)snprintf(out + len, size - len, "%s%.*s", len ? ";" : "", (int)n,
					name + 2);
		line = next ? next + 1 : NULL;
	}
}

static void look_closer(int proc_fd, const struct task_record *t, struct stuck_seen *s)
{
	char text[4096];
	struct stuck_record *r = &s->record;

	*s = (struct stuck_seen){ 0 };
	r->start_boot_ns = t->tid == t->tgid ? t->start_boot_ns : U64_UNKNOWN;
	r->switches = t->own.switches;
	r->waited_ns = U64_UNKNOWN;
	r->tid = t->tid;
	r->tgid = t->tgid;
	r->state = t->state;
	memcpy(r->comm, t->comm, sizeof(r->comm));
	int n = slurp(proc_fd, t->tgid, t->tid, "syscall", text, sizeof(text));
	s->is_syscall_denied = n == -EACCES || n == -EPERM;
	parse_syscall(text, r);
	if (slurp(proc_fd, t->tgid, t->tid, "stack", text, sizeof(text)) > 0)
		parse_stack(text, s->stack, sizeof(s->stack));
	else if (slurp(proc_fd, t->tgid, t->tid, "wchan", text, sizeof(text)) > 0 &&
		 strcmp(text, "0") != 0)
		snprintf(s->stack, sizeof(s->stack), "%.64s", text);
}

static bool is_wanted(const struct task_record *t, uint32_t tgid)
{
	uint32_t state = task_state_char(t->state);

	return state == 'D' || (t->tgid == tgid && state != 'R' && state != 'Z' && state != 'X');
}

int stuck_scan_proc(int proc_fd, uint32_t tgid,
		    void (*fn)(void *arg, const struct stuck_seen *seen), void *arg, struct err *e)
{
	struct task_reading r = { 0 };
	struct stuck_seen seen;
	struct err gone;
	int fd = openat(proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		int err = err_errno(e, errno, "/proc");
		if (fd >= 0)
			close(fd);
		return err;
	}
	for (struct dirent *d; (d = readdir(dir));) {
		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		VEC_CLEAR(&r.records);
		if (procfs_read_threads(proc_fd, (uint32_t)strtoul(d->d_name, NULL, 10), &r, &gone))
			continue; /* it exited */
		for (uint32_t i = 0; i < r.records.len; i++) {
			if (!is_wanted(&r.records.ptr[i], tgid))
				continue;
			look_closer(proc_fd, &r.records.ptr[i], &seen);
			fn(arg, &seen);
		}
	}
	closedir(dir);
	task_reading_fini(&r);
	return 0;
}
