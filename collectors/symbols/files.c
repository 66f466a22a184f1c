#include "collectors/symbols/files.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"

#define FILES_MAX 1024u
#define HELD_BYTES_MAX ((size_t)128 << 20)

struct elf_file {
	uint64_t id, used;
	dev_t dev;
	ino_t ino;
	off_t size;
	uint64_t mtime_ns;
	size_t bytes;
	struct elf_index index;
};

static uint64_t mtime_ns(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * NS_PER_S + (uint64_t)st->st_mtim.tv_nsec;
}

static struct elf_file *by_stat(const struct elf_files *f, const struct stat *st)
{
	for (uint32_t i = 0; i < f->rows.len; i++) {
		struct elf_file *x = f->rows.ptr[i];
		if (x->ino == st->st_ino && x->dev == st->st_dev && x->size == st->st_size &&
		    x->mtime_ns == mtime_ns(st))
			return x;
	}
	return NULL;
}

static void drop(struct elf_files *f, uint32_t i)
{
	struct elf_file *x = f->rows.ptr[i];

	f->held_bytes -= x->bytes;
	elf_index_fini(&x->index);
	free(x);
	f->rows.ptr[i] = f->rows.ptr[--f->rows.len];
}

/* Give up old ones until the limits hold; the newest, which is last, always stays. */
static void make_room(struct elf_files *f)
{
	while (f->rows.len > 1 && (f->rows.len > FILES_MAX || f->held_bytes > HELD_BYTES_MAX)) {
		uint32_t oldest = 0;
		for (uint32_t i = 1; i < f->rows.len; i++)
			if (f->rows.ptr[i]->used < f->rows.ptr[oldest]->used)
				oldest = i;
		drop(f, oldest);
		f->evicted++;
	}
}

uint64_t elf_files_add(struct elf_files *f, int fd, const char *path)
{
	struct stat st;
	struct err unused = { 0 };

	if (fstat(fd, &st))
		return 0;
	struct elf_file *x = by_stat(f, &st);
	if (x)
		return x->id;
	x = calloc(1, sizeof(*x));
	struct elf_file **row = x ? VEC_ADD(&f->rows) : NULL;
	if (!row) {
		free(x);
		return 0;
	}
	*row = x;
	*x = (struct elf_file){ .id = ++f->last_id, .used = ++f->clock, .dev = st.st_dev, .ino = st.st_ino,
				.size = st.st_size, .mtime_ns = mtime_ns(&st) };
	/* What cannot be read stays as a file without names, so that it is not tried at every sample. */
	elf_index_read(&x->index, fd, path, &unused);
	x->bytes = sizeof(*x) + elf_index_bytes(&x->index);
	f->held_bytes += x->bytes;
	make_room(f);
	return f->last_id;
}

const struct elf_index *elf_files_get(struct elf_files *f, uint64_t id)
{
	for (uint32_t i = 0; i < f->rows.len; i++) {
		if (f->rows.ptr[i]->id != id)
			continue;
		f->rows.ptr[i]->used = ++f->clock;
		return &f->rows.ptr[i]->index;
	}
	return NULL;
}

void elf_files_fini(struct elf_files *f)
{
	while (f->rows.len)
		drop(f, f->rows.len - 1);
	VEC_FINI(&f->rows);
}
