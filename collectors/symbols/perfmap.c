#include "collectors/symbols/perfmap.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

#define REFRESH_NS (2 * NS_PER_S)
#define FILE_BYTES_MAX ((off_t)64 << 20)

/* "START SIZE name with blanks", both in hex. Len is up to the line's end. */
static bool add_line(struct symtab *t, const char *line, size_t len)
{
	char *end, copy[64];
	size_t head = len < sizeof(copy) - 1 ? len : sizeof(copy) - 1;

	memcpy(copy, line, head);
	copy[head] = 0;
	if (!isxdigit((unsigned char)copy[0]))
		return true;
	uint64_t start = strtoull(copy, &end, 16);
	if (*end != ' ' || !isxdigit((unsigned char)end[1]))
		return true;
	uint64_t size = strtoull(end + 1, &end, 16);
	size_t at = (size_t)(end - copy) + 1;
	if (*end != ' ' || at >= len || !size || start + size < start)
		return true;
	return symtab_add(t, start, size, line + at, len - at, SYM_LOCAL);
}

bool perfmap_parse(struct symtab *t, const char *text, size_t len)
{
	const char *stop;

	for (const char *at = text, *end = text + len; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			break;
		if (!add_line(t, at, (size_t)(stop - at)))
			return false;
	}
	symtab_sort(t, true);
	return true;
}

/* The pid as the process itself sees it is the last one of NSpid. */
static uint32_t pid_inside(int proc_fd, uint32_t tgid)
{
	char name[32], status[4096], *line;

	snprintf(name, sizeof(name), "%u/status", tgid);
	int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, status, sizeof(status) - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return tgid;
	status[n] = 0;
	line = strstr(status, "\nNSpid:");
	if (!line)
		return tgid;
	line++;
	line[strcspn(line, "\n")] = 0;
	char *last = strrchr(line, '\t');
	return last && atoi(last) > 0 ? (uint32_t)atoi(last) : tgid;
}

/* Anybody may write to /tmp: the file must belong to the process's user or to root. */
static bool is_trusted(int fd, int proc_fd, uint32_t tgid, struct stat *st)
{
	char name[16];
	struct stat process;

	snprintf(name, sizeof(name), "%u", tgid);
	return !fstat(fd, st) && S_ISREG(st->st_mode) && st->st_size <= FILE_BYTES_MAX &&
	       !fstatat(proc_fd, name, &process, 0) && (st->st_uid == process.st_uid || !st->st_uid);
}

static void read_file(struct perfmap *m, int fd, const struct stat *st)
{
	char *text = malloc((size_t)st->st_size + 1);
	ssize_t n = text ? pread(fd, text, (size_t)st->st_size, 0) : -1;

	if (n > 0) {
		symtab_fini(&m->symtab);
		if (!perfmap_parse(&m->symtab, text, (size_t)n))
			symtab_fini(&m->symtab);
		m->size = st->st_size;
	}
	free(text);
}

void perfmap_refresh(struct perfmap *m, int proc_fd, uint32_t tgid, uint64_t now_ns)
{
	char name[64];
	struct stat st;

	if (m->read_ns && now_ns - m->read_ns < REFRESH_NS)
		return;
	m->read_ns = now_ns;
	snprintf(name, sizeof(name), "%u/root/tmp/perf-%u.map", tgid, pid_inside(proc_fd, tgid));
	int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (is_trusted(fd, proc_fd, tgid, &st) && st.st_size != m->size)
		read_file(m, fd, &st);
	close(fd);
}
