#include "collectors/symbols/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/symbols/files.h"
#include "collectors/symbols/ksyms.h"
#include "collectors/symbols/maps.h"
#include "collectors/symbols/perfmap.h"

#define PROCESSES_MAX 2048u
/* Mappings of a process are read again after a miss, but not more often than this. */
#define REREAD_NS (2 * NS_PER_S)
#define OBJECT_BYTES_MAX 256u
#define NO_FILE UINT64_MAX

struct process {
	struct image of;
	struct maps maps;
	struct perfmap perfmap;
	uint64_t read_ns, used;
};

struct symbols {
	int proc_fd;
	VEC(struct process *) processes;
	struct elf_files files;
	struct elf_index vdso;
	uint64_t vdso_bytes; /* 0: ours has not been read */
	struct names names;
	struct ksyms *kernel;
	struct err kernel_err;
	uint64_t clock, evicted;
};

struct symbols *symbols_new(int proc_fd)
{
	struct symbols *s = calloc(1, sizeof(*s));

	if (s)
		s->proc_fd = proc_fd;
	return s;
}

static void drop(struct symbols *s, uint32_t i)
{
	struct process *p = s->processes.ptr[i];

	maps_fini(&p->maps);
	symtab_fini(&p->perfmap.symtab);
	free(p);
	s->processes.ptr[i] = s->processes.ptr[--s->processes.len];
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	while (s->processes.len)
		drop(s, s->processes.len - 1);
	VEC_FINI(&s->processes);
	elf_files_fini(&s->files);
	elf_index_fini(&s->vdso);
	names_fini(&s->names);
	ksyms_free(s->kernel);
	free(s);
}

static void drop_oldest(struct symbols *s)
{
	uint32_t oldest = 0;

	for (uint32_t i = 1; i < s->processes.len; i++)
		if (s->processes.ptr[i]->used < s->processes.ptr[oldest]->used)
			oldest = i;
	drop(s, oldest);
	s->evicted++;
}

static bool is_image(const struct image *a, const struct image *b)
{
	return a->tgid == b->tgid && a->start_ns == b->start_ns && a->image == b->image;
}

static struct process *process_of(struct symbols *s, const struct image *of)
{
	for (uint32_t i = 0; i < s->processes.len; i++)
		if (is_image(&s->processes.ptr[i]->of, of))
			return s->processes.ptr[i];
	if (s->processes.len >= PROCESSES_MAX)
		drop_oldest(s);
	struct process *p = calloc(1, sizeof(*p));
	struct process **row = p ? VEC_ADD(&s->processes) : NULL;
	if (!row) {
		free(p);
		return NULL;
	}
	p->of = *of;
	*row = p;
	return p;
}

/* The mapping that holds ip; maps are read at the first look and again after a miss. */
static struct mapping *mapping_of(struct symbols *s, struct process *p, uint64_t ip)
{
	struct mapping *m = maps_find(&p->maps, ip);
	uint64_t now_ns = clock_mono_ns();
	struct err unused = { 0 };

	if (m || (p->read_ns && now_ns - p->read_ns < REREAD_NS))
		return m;
	p->read_ns = now_ns;
	struct maps fresh = { 0 };
	/* A process that is gone by now keeps the mappings it had. */
	if (maps_read(&fresh, s->proc_fd, p->of.tgid, &unused) || !fresh.rows.len) {
		maps_fini(&fresh);
		return NULL;
	}
	maps_fini(&p->maps);
	p->maps = fresh;
	return maps_find(&p->maps, ip);
}

static void base_name(char out[OBJECT_BYTES_MAX], const char *path)
{
	const char *slash = strrchr(path, '/');

	snprintf(out, OBJECT_BYTES_MAX, "%s", slash && slash[1] ? slash + 1 : path);
}

static const struct symbol *unresolved(struct symbols *s, const char *symbol, const char *object)
{
	const struct symbol flags = { .is_resolved = false };

	return names_symbol(&s->names, symbol, object, &flags);
}

static const struct symbol *resolved(struct symbols *s, const struct symtab *t, const struct sym *found,
				     const char *object)
{
	const struct symbol flags = { .is_resolved = true, .is_exact = found->size > 0 };

	return names_symbol(&s->names, symtab_name(t, found), object, &flags);
}

/* A function without a name is called by where it starts, so that its samples stay together. */
static const struct symbol *in_index(struct symbols *s, const struct elf_index *x, uint64_t addr, const char *object)
{
	const struct sym *found = symtab_find(&x->symtab, addr, NULL);
	char offset[OBJECT_BYTES_MAX + 24];

	if (found)
		return resolved(s, &x->symtab, found, object);
	starts_find(&x->starts, addr, &addr);
	snprintf(offset, sizeof(offset), "%s+0x%" PRIx64, object, addr);
	return unresolved(s, offset, object);
}

/* All processes of one word size share the kernel's vdso image: ours answers for those whose is as large. */
static const struct elf_index *vdso_index(struct symbols *s, const struct mapping *m)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	struct maps own = { 0 };
	struct err unused = { 0 };

	if (!s->vdso_bytes && image && !maps_read(&own, s->proc_fd, (uint32_t)getpid(), &unused)) {
		const struct mapping *its = maps_find(&own, (uint64_t)(uintptr_t)image);
		s->vdso_bytes = its ? its->end - its->start : UINT64_MAX;
		if (its)
			elf_index_read_memory(&s->vdso, image, s->vdso_bytes, &unused);
	}
	maps_fini(&own);
	return m->end - m->start == s->vdso_bytes ? &s->vdso : NULL;
}

static const struct elf_index *file_index(struct symbols *s, struct process *p, struct mapping *m)
{
	const struct elf_index *x = m->file && m->file != NO_FILE ? elf_files_get(&s->files, m->file) : NULL;

	if (x || m->file == NO_FILE)
		return x;
	int fd = maps_open(&p->maps, m, s->proc_fd, p->of.tgid);
	uint64_t id = fd < 0 ? 0 : elf_files_add(&s->files, fd, maps_path(&p->maps, m));
	if (fd >= 0)
		close(fd);
	m->file = id ? id : NO_FILE;
	return id ? elf_files_get(&s->files, id) : NULL;
}

static const struct symbol *in_mapping(struct symbols *s, struct process *p, struct mapping *m, uint64_t ip)
{
	const char *path = maps_path(&p->maps, m);
	char object[OBJECT_BYTES_MAX], offset[OBJECT_BYTES_MAX + 24];
	uint64_t at = ip - m->start + m->offset, vaddr;

	base_name(object, path[0] ? path : "[anonymous]");
	if (!m->ino && strcmp(path, "[vdso]") != 0) {
		perfmap_refresh(&p->perfmap, s->proc_fd, p->of.tgid, clock_mono_ns());
		const struct sym *found = symtab_find(&p->perfmap.symtab, ip, NULL);
		if (found)
			return resolved(s, &p->perfmap.symtab, found, "[jit]");
		/* Generated code has no file to count from: the mapping's start is as good as a name gets. */
		snprintf(offset, sizeof(offset), "%s@0x%" PRIx64, object, m->start);
		return unresolved(s, offset, object);
	}
	const struct elf_index *x = m->ino ? file_index(s, p, m) : vdso_index(s, m);
	if (x && elf_index_vaddr(x, at, &vaddr))
		return in_index(s, x, vaddr, object);
	snprintf(offset, sizeof(offset), "%s+0x%" PRIx64, object, at);
	return unresolved(s, offset, object);
}

static const struct symbol *gone(struct symbols *s, const struct image *of)
{
	return unresolved(s, "[exited before it was looked at]", of->name ? of->name : "[unknown]");
}

const struct symbol *symbols_user(struct symbols *s, const struct image *of, uint64_t ip)
{
	/* Nobody saw it start: whoever has the number now may be another. */
	struct process *p = of->start_ns ? process_of(s, of) : NULL;

	if (!of->start_ns)
		return gone(s, of);
	if (!p)
		return unresolved(s, "[no memory for its mappings]", "[unknown]");
	p->used = ++s->clock;
	struct mapping *m = mapping_of(s, p, ip);
	if (m)
		return in_mapping(s, p, m, ip);
	return p->maps.rows.len ? unresolved(s, "[not in a mapping]", of->name ? of->name : "[unknown]") : gone(s, of);
}

const struct symbol *symbols_kernel(struct symbols *s, uint64_t ip)
{
	const struct symbol flags = { .is_kernel = true, .is_exact = true, .is_resolved = true };
	const struct symbol unknown = { .is_kernel = true };
	const char *name, *module;
	char object[OBJECT_BYTES_MAX] = "[kernel]";

	if (!s->kernel && !s->kernel_err.code)
		s->kernel = ksyms_new(&s->kernel_err);
	if (!s->kernel || !ksyms_find(s->kernel, ip, &name, NULL, &module))
		return names_symbol(&s->names, "[kernel code without a name]", object, &unknown);
	if (module)
		snprintf(object, sizeof(object), "[%s]", module);
	return names_symbol(&s->names, name, object, &flags);
}

const struct err *symbols_kernel_err(const struct symbols *s)
{
	return &s->kernel_err;
}

struct text symbols_word(struct symbols *s, const char *raw)
{
	return names_word(&s->names, raw);
}

void symbols_stat(const struct symbols *s, struct symbols_stat *out)
{
	*out = (struct symbols_stat){
		.processes = s->processes.len,
		.files = s->files.rows.len,
		.evicted = s->evicted + s->files.evicted,
		.refused = s->names.refused,
		.held_bytes = s->files.held_bytes + s->names.arena.held_bytes,
	};
}
