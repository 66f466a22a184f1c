/* Reading tracefs: files, folders and the grammar of format files. */
#include "lang/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT_BYTES_MAX 16384u

char *tracefs_read(struct arena *a, int dir_fd, const char *path)
{
	char text[FORMAT_BYTES_MAX], *copy = NULL;
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	int error = fd < 0 ? errno : 0;
	size_t len = 0;
	ssize_t n = 0;

	while (!error && len < sizeof(text) &&
	       (n = read(fd, text + len, sizeof(text) - len)) != 0) {
		if (n < 0 && errno != EINTR)
			error = errno;
		else if (n > 0)
			len += (size_t)n;
	}
	if (fd >= 0)
		close(fd);
	if (!error) {
		copy = arena_dup(a, text, len);
		error = copy ? 0 : ENOMEM;
	}
	errno = error;
	return copy;
}

bool tracefs_list(int dir_fd, const char *path, bool (*offer)(void *ctx, const char *name),
		  void *ctx)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] != '.' &&
		    (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) &&
		    !offer(ctx, entry->d_name))
			break;
	}
	closedir(dir);
	return true;
}

/** Integer types whose declared width may be less than what the record holds. */
static const struct {
	const char *name;
	uint32_t size_bytes;
	bool is_signed;
} widths[] = {
	{ "int", 4, true },      { "unsigned int", 4, false },
	{ "short", 2, true },    { "unsigned short", 2, false },
	{ "u32", 4, false },     { "s32", 4, true },
	{ "u16", 2, false },     { "pid_t", 4, true },
	{ "uid_t", 4, false },   { "gid_t", 4, false },
	{ "umode_t", 2, false }, { "mode_t", 4, false },
	{ "key_t", 4, true },    { "clockid_t", 4, true },
	{ "timer_t", 4, true },  { "mqd_t", 4, true },
	{ "qid_t", 4, false },   { "key_serial_t", 4, true },
	{ "rwf_t", 4, true },
};

/** Syscall arguments are widened to 8 bytes; read only what was declared. */
static void narrow_to_declared(struct field *f)
{
	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		if (strcmp(widths[i].name, f->declared) != 0 ||
		    widths[i].size_bytes >= f->size_bytes)
			continue;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		f->offset_bytes += f->size_bytes - widths[i].size_bytes;
#endif
		f->size_bytes = widths[i].size_bytes;
		f->is_signed = widths[i].is_signed;
		return;
	}
}

static bool is_load_size(uint32_t size_bytes)
{
	return size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8;
}

/** What kind of value the declaration "type name[n]" gives; declared holds the type alone. */
static void classify(struct field *f, bool is_array, bool is_syscall)
{
	/* Arrays of unsigned char hold addresses and the like, not text. */
	bool is_chars = strstr(f->declared, "char") && !strstr(f->declared, "unsigned char");

	f->is_pointer = strchr(f->declared, '*') != NULL;
	f->is_user = is_syscall || strstr(f->declared, "__user") != NULL;
	f->kind = FIELD_OTHER;
	if (strncmp(f->declared, "__data_loc ", 11) == 0)
		f->kind = is_chars ? FIELD_DATA_LOC : FIELD_OTHER;
	else if (strncmp(f->declared, "__rel_loc ", 10) == 0)
		f->kind = is_chars ? FIELD_REL_LOC : FIELD_OTHER;
	else if (is_array)
		f->kind = is_chars && !f->is_pointer && f->size_bytes ? FIELD_CHARS : FIELD_OTHER;
	else if (is_load_size(f->size_bytes) && f->offset_bytes % f->size_bytes == 0)
		f->kind = FIELD_INT;
	if (f->is_pointer)
		f->is_signed = false;
	if (is_syscall && f->kind == FIELD_INT && !f->is_pointer)
		narrow_to_declared(f);
}

/** The number after "key:" in a line, or false. */
static bool number_of(const char *line, const char *key, uint32_t *out)
{
	const char *at = strstr(line, key);
	char *end;
	unsigned long v;

	if (!at)
		return false;
	at += strlen(key);
	v = strtoul(at, &end, 10);
	*out = (uint32_t)v;
	return end != at && v < FORMAT_BYTES_MAX;
}

/** One "field:type name[n]; offset:8; size:16; signed:0;" line; false when it is malformed. */
static bool parse_field(char *line, bool is_syscall, struct field *f)
{
	char *declared = line + strlen("field:"), *end = strchr(declared, ';'), *name, *bracket;
	uint32_t is_signed;

	if (!end || !number_of(end, "offset:", &f->offset_bytes) ||
	    !number_of(end, "size:", &f->size_bytes) || !number_of(end, "signed:", &is_signed))
		return false;
	*end = '\0';
	name = strrchr(declared, ' ');
	if (!name)
		return false;
	*name++ = '\0';
	bracket = strchr(name, '[');
	if (bracket)
		*bracket = '\0';
	f->name = name;
	f->declared = declared;
	f->is_signed = is_signed != 0;
	classify(f, bracket != NULL, is_syscall);
	return true;
}

int tracefs_parse_format(struct arena *a, char *format, bool is_syscall, struct clause *clause)
{
	uint32_t n = 0;
	char *save = NULL;

	for (const char *at = format; (at = strstr(at, "field:")); at++)
		n++;
	clause->fields = arena_array(a, n ? n : 1, sizeof(*clause->fields));
	if (!clause->fields)
		return -ENOMEM;
	for (char *line = strtok_r(format, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct field f = { 0 };
		char *field = strstr(line, "field:");

		if (strncmp(line, "ID: ", 4) == 0)
			clause->tracepoint_id = (uint32_t)strtoul(line + 4, NULL, 10);
		if (strncmp(line, "print fmt", 9) == 0)
			break;
		if (!field)
			continue;
		if (!parse_field(field, is_syscall, &f))
			return -EINVAL;
		/* The first 8 bytes of a record are closed to programs. */
		if (f.offset_bytes >= 8)
			clause->fields[clause->nfields++] = f;
	}
	return clause->tracepoint_id ? 0 : -EINVAL;
}
