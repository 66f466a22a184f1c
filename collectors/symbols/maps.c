#include "collectors/symbols/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define READ_STEP_BYTES 65536u
#define MAPS_BYTES_MAX (64u << 20)

static bool add_line(struct maps *m, const char *line, size_t len)
{
	struct mapping row = { 0 };
	char perms[5] = "", copy[160];
	int path_at = 0;

	/* Numbers fit in the copy whatever the path holds; sscanf would measure the whole rest of the text. */
	size_t head = len < sizeof(copy) - 1 ? len : sizeof(copy) - 1;
	memcpy(copy, line, head);
	copy[head] = 0;
	if (sscanf(copy, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &row.start, &row.end, perms,
		   &row.offset, &row.major, &row.minor, &row.ino, &path_at) < 7)
		return true;
	if (perms[2] != 'x' || row.end <= row.start)
		return true;
	size_t at = path_at > 0 && (size_t)path_at < len ? (size_t)path_at : len;
	uint32_t path_len = (uint32_t)(len - at);
	if (!vec_reserve((void **)&m->paths.ptr, &m->paths.cap, m->paths.len + path_len + 1, 1))
		return false;
	row.path = m->paths.len;
	memcpy(m->paths.ptr + row.path, line + at, path_len);
	m->paths.ptr[row.path + path_len] = 0;
	m->paths.len += path_len + 1;
	struct mapping *last = VEC_ADD(&m->rows);
	if (last)
		*last = row;
	return last;
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

int maps_parse(struct maps *m, const char *text, size_t len, struct err *e)
{
	VEC_CLEAR(&m->rows);
	VEC_CLEAR(&m->paths);
	for (const char *at = text, *end = text + len; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		if (!add_line(m, at, (size_t)(stop - at)))
			return err_set(e, ENOMEM, "no memory for mappings");
		at = stop + 1;
	}
	if (m->rows.len)
		qsort(m->rows.ptr, m->rows.len, sizeof(m->rows.ptr[0]), by_start);
	return 0;
}

int maps_read(struct maps *m, int proc_fd, uint32_t tgid, struct err *e)
{
	char name[32];
	VEC(char) text = { 0 };
	ssize_t n = 0;

	snprintf(name, sizeof(name), "%u/maps", tgid);
	int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(e, errno, "opening its maps");
	while (text.len < MAPS_BYTES_MAX &&
	       vec_reserve((void **)&text.ptr, &text.cap, text.len + READ_STEP_BYTES, 1)) {
		n = read(fd, text.ptr + text.len, text.cap - text.len);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			break;
		text.len += n > 0 ? (uint32_t)n : 0;
	}
	int err = n < 0	  ? err_errno(e, errno, "reading its maps")
		  : n > 0 ? err_set(e, ENOMEM, "no memory for its maps")
			  : maps_parse(m, text.ptr, text.len, e);
	close(fd);
	VEC_FINI(&text);
	return err;
}

struct mapping *maps_find(const struct maps *m, uint64_t ip)
{
	uint32_t low = 0, high = m->rows.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (m->rows.ptr[mid].start <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low && ip < m->rows.ptr[low - 1].end ? &m->rows.ptr[low - 1] : NULL;
}

const char *maps_path(const struct maps *m, const struct mapping *row)
{
	return m->paths.ptr + row->path;
}

/* On overlayfs and btrfs stat shows another device than the mapping: the inode must do there. */
static bool is_same_file(int fd, const struct mapping *row)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino != row->ino)
		return false;
	return (major(st.st_dev) == row->major && minor(st.st_dev) == row->minor) || !row->major;
}

int maps_open(const struct maps *m, const struct mapping *row, int proc_fd, uint32_t tgid)
{
	char name[PATH_MAX];
	/* Not blocking: the path may name a pipe by now. */
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

	snprintf(name, sizeof(name), "%u/map_files/%" PRIx64 "-%" PRIx64, tgid, row->start, row->end);
	int fd = openat(proc_fd, name, flags);
	if (fd >= 0)
		return fd;
	const char *path = maps_path(m, row);
	int n = snprintf(name, sizeof(name), "%u/root%s", tgid, path);
	if (path[0] != '/' || n < 0 || (size_t)n >= sizeof(name))
		return -ENOENT;
	fd = openat(proc_fd, name, flags);
	if (fd < 0)
		return -errno;
	if (is_same_file(fd, row))
		return fd;
	close(fd);
	return -ESTALE;
}

void maps_fini(struct maps *m)
{
	VEC_FINI(&m->rows);
	VEC_FINI(&m->paths);
}
