/* Turns blocked threads into rows: names for system calls, files and kernel frames. */
#include "collectors/tasks/stuck.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/syscalls/decode.h"
#include "collectors/syscalls/names.h"
#include "collectors/tasks/reading.h"

void stuck_memory_turn(struct stuck_memory *m)
{
	struct map was = m->since_before;

	m->since_before = m->since;
	m->since = was;
	map_clear(&m->since);
}

void stuck_memory_fini(struct stuck_memory *m)
{
	ksyms_free(m->ksyms);
	map_fini(&m->since);
	map_fini(&m->since_before);
	*m = (struct stuck_memory){ 0 };
}

/* A thread seen twice with the same number of switches has not run in between. */
static uint64_t seen_for_ns(struct stuck_memory *m, const struct stuck_record *r, uint64_t now_ns)
{
	struct {
		uint64_t start_ns, switches, tid;
	} id = { r->start_boot_ns, r->switches, r->tid };
	uint64_t key = map_hash(&id, sizeof(id));
	uint64_t *first = map_get(&m->since_before, key);
	uint64_t since_ns = first ? *first : now_ns;

	if (r->switches == U64_UNKNOWN || !map_put(&m->since, key, since_ns) || !first)
		return U64_UNKNOWN;
	return now_ns - since_ns;
}

static uint64_t waited_ns(struct stuck_memory *m, const struct stuck_record *r, uint64_t now_ns)
{
	uint64_t seen_ns = seen_for_ns(m, r, now_ns);

	if (r->waited_ns == U64_UNKNOWN)
		return seen_ns;
	return seen_ns != U64_UNKNOWN && seen_ns > r->waited_ns ? seen_ns : r->waited_ns;
}

static struct text syscall_text(struct arena *a, const struct stuck_record *r,
				const struct syscall_decoder **decoder)
{
	struct probe_event ev = { .str_len = 0 };
	const char *name;

	*decoder = NULL;
	if (r->syscall_nr < 0 || r->syscall_nr == I64_UNKNOWN)
		return TEXT_UNKNOWN;
	name = syscall_name((uint32_t)r->syscall_nr);
	*decoder = name ? decoder_find(name) : NULL;
	memcpy(ev.args, r->args, sizeof(ev.args));
	struct text args = decode_args(a, *decoder, &ev);
	if (name)
		return text_printf(a, "%s(%.*s)", name, TEXT_ARG(args));
	return text_printf(a, "syscall_%" PRId64 "(%.*s)", (int64_t)r->syscall_nr, TEXT_ARG(args));
}

/* "ino:" of /proc/PID/fdinfo/N; U64_UNKNOWN when the kernel does not tell (before 5.14). */
static uint64_t fdinfo_ino(int proc_fd, uint32_t tgid, uint32_t fd)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "%u/fdinfo/%u", tgid, fd);
	int info = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return U64_UNKNOWN;
	ssize_t n = read(info, text, sizeof(text) - 1);
	close(info);
	text[n > 0 ? n : 0] = 0;
	const char *at = strstr(text, "\nino:");
	return at ? strtoull(at + 5, NULL, 10) : U64_UNKNOWN;
}

/* "pipe:[123]" and "socket:[123]" carry their inode. */
static uint64_t link_ino(const char *link)
{
	const char *open = strstr(link, ":[");

	return open ? strtoull(open + 2, NULL, 10) : U64_UNKNOWN;
}

static const char *type_name(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return "file";
	case S_IFDIR:
		return "directory";
	case S_IFIFO:
		return "pipe";
	case S_IFSOCK:
		return "socket";
	case S_IFCHR:
		return "character device";
	case S_IFBLK:
		return "block device";
	}
	return "object";
}

struct text stuck_object(struct arena *a, int proc_fd, uint32_t tgid, uint32_t fd,
			 const struct stuck_record *r)
{
	char path[64], link[512];

	snprintf(path, sizeof(path), "%u/fd/%u", tgid, fd);
	ssize_t n = readlinkat(proc_fd, path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = 0;
	bool has_record = r->object_mode != 0;
	if (n > 0) {
		uint64_t ino = fdinfo_ino(proc_fd, tgid, fd);
		if (ino == U64_UNKNOWN)
			ino = link_ino(link);
		if (!has_record || ino == r->object_ino)
			return text_clean(a, link, (size_t)n);
	}
	if (!has_record)
		return TEXT_UNKNOWN;
	return text_printf(a, "%s inode %" PRIu64 " on %u:%u", type_name(r->object_mode),
			   (uint64_t)r->object_ino, r->object_dev >> 20, r->object_dev & 0xfffff);
}

/* What the call waits for, as far as its arguments tell. */
static struct text object_of(struct arena *a, int proc_fd, const struct stuck_record *r,
			     const struct syscall_decoder *decoder)
{
	if (decoder && decoder->args[0].kind == ARG_FD)
		return stuck_object(a, proc_fd, r->tgid, (uint32_t)r->args[0], r);
	if (decoder && !strcmp(decoder->name, "futex"))
		return text_printf(a, "futex 0x%" PRIx64, (uint64_t)r->args[0]);
	return TEXT_UNKNOWN;
}

static const struct ksyms *symbols(struct stuck_memory *m)
{
	struct err e;

	if (!m->has_tried_ksyms)
		m->ksyms = ksyms_new(&e);
	m->has_tried_ksyms = true;
	return m->ksyms;
}

static struct text stack_of(struct stuck_memory *m, const struct stuck_record *r, struct arena *a)
{
	char line[1024];
	size_t len = 0;

	if (r->depth <= 0)
		return TEXT_UNKNOWN;
	for (int i = 0; i < r->depth && i < STUCK_DEPTH; i++) {
		const char *name = NULL;
		int n = symbols(m) && ksyms_find(m->ksyms, r->ip[i], &name, NULL, NULL)
				? snprintf(line + len, sizeof(line) - len, "%s%s", len ? ";" : "",
					   name)
				: snprintf(line + len, sizeof(line) - len, "%s0x%" PRIx64,
					   len ? ";" : "", (uint64_t)r->ip[i]);
		if (n < 0 || (size_t)n >= sizeof(line) - len)
			break;
		len += (size_t)n;
	}
	return text_clean(a, line, len);
}

void stuck_add_row(struct stuck_memory *m, const struct stuck_record *r, const char *stack_text,
		   int proc_fd, struct frame_builder *b)
{
	struct stuck_row *row = FRAME_ADD(b, stuck, STUCK);
	const struct syscall_decoder *decoder;
	struct arena *a = frame_arena(b);

	if (!row)
		return;
	row->tid = r->tid;
	row->tgid = r->tgid;
	row->start_ns = r->start_boot_ns == U64_UNKNOWN
				? U64_UNKNOWN
				: r->start_boot_ns - r->start_boot_ns % task_tick_ns();
	row->comm = text_clean(a, r->comm, strnlen(r->comm, sizeof(r->comm)));
	row->state = task_state_char(r->state);
	if (r->syscall_nr >= 0)
		row->syscall_nr = r->syscall_nr;
	row->syscall = syscall_text(a, r, &decoder);
	row->waited_ns = waited_ns(m, r, frame_mono_ns(b));
	row->object = object_of(a, proc_fd, r, decoder);
	row->stack = stack_text ? text_clean_str(a, stack_text[0] ? stack_text : NULL)
				: stack_of(m, r, a);
}
