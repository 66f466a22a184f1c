#include "collectors/symbols/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_ROOT "/usr/lib/debug"

static enum sym_rank rank_of(const GElf_Sym *s, bool is_export)
{
	if (!s->st_size)
		return is_export ? SYM_EXPORT_SIZELESS : SYM_SIZELESS;
	switch (GELF_ST_BIND(s->st_info)) {
	case STB_LOCAL: return SYM_LOCAL;
	case STB_WEAK: return SYM_WEAK;
	default: return SYM_GLOBAL;
	}
}

static bool is_function(const GElf_Sym *s)
{
	uint32_t type = GELF_ST_TYPE(s->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_shndx != SHN_UNDEF && s->st_value;
}

static int add_section(struct symtab *t, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct err *e)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && sh->sh_entsize ? data->d_size / sh->sh_entsize : 0;
	bool is_export = sh->sh_type == SHT_DYNSYM;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Sym s;
		if (!gelf_getsym(data, (int)i, &s) || !is_function(&s))
			continue;
		const char *name = elf_strptr(elf, sh->sh_link, s.st_name);
		if (!name || !name[0] || name[0] == '$' || s.st_value + s.st_size < s.st_value)
			continue;
		if (!symtab_add(t, s.st_value, s.st_size, name, strlen(name), rank_of(&s, is_export)))
			return err_set(e, ENOMEM, "no memory for its symbols");
	}
	return 0;
}

/* Add the tables of one type; *has tells whether there was one. */
static int add_type(struct symtab *t, Elf *elf, uint32_t type, bool *has, struct err *e)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr sh;
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type)
			continue;
		int err = add_section(t, elf, scn, &sh, e);
		if (err)
			return err;
		*has = true;
	}
	return 0;
}

/* A file without the table, or with one of another form, is only less well known. */
static void read_starts(struct elf_index *x, Elf *elf, const GElf_Phdr *ph)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)ph->p_offset, ph->p_filesz, ELF_T_BYTE);

	if (data && data->d_buf && !starts_parse(&x->starts, data->d_buf, data->d_size, ph->p_vaddr))
		starts_fini(&x->starts);
}

static int read_loads(struct elf_index *x, Elf *elf, struct err *e)
{
	size_t n = 0;

	if (elf_getphdrnum(elf, &n))
		return err_set(e, ENOEXEC, "not a readable ELF file: %s", elf_errmsg(-1));
	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Phdr ph;
		if (!gelf_getphdr(elf, (int)i, &ph))
			continue;
		if (ph.p_type == PT_GNU_EH_FRAME)
			read_starts(x, elf, &ph);
		if (ph.p_type != PT_LOAD)
			continue;
		struct elf_load *l = VEC_ADD(&x->loads);
		if (!l)
			return err_set(e, ENOMEM, "no memory for its segments");
		*l = (struct elf_load){ ph.p_offset, ph.p_filesz, ph.p_vaddr };
	}
	return 0;
}

static bool take_build_id(struct elf_index *x, Elf_Data *data)
{
	GElf_Nhdr note;
	size_t name_at, desc_at;

	for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0;) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp((char *)data->d_buf + name_at, "GNU", sizeof("GNU")) != 0 ||
		    note.n_descsz < 2 || note.n_descsz > sizeof(x->build_id))
			continue;
		memcpy(x->build_id, (char *)data->d_buf + desc_at, note.n_descsz);
		x->build_id_len = note.n_descsz;
		return true;
	}
	return false;
}

static void read_build_id(struct elf_index *x, Elf *elf)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr sh;
		Elf_Data *data;
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_NOTE && (data = elf_getdata(scn, NULL)) &&
		    take_build_id(x, data))
			return;
	}
}

/* A name without a folder in it, or NULL: the link may come from anybody. */
static const char *debuglink(Elf *elf)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr sh;
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS)
			continue;
		const char *name = elf_strptr(elf, names, sh.sh_name);
		if (!name || strcmp(name, ".gnu_debuglink") != 0)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		if (!data || !data->d_buf || !memchr(data->d_buf, 0, data->d_size) || strchr(data->d_buf, '/'))
			return NULL;
		return data->d_buf;
	}
	return NULL;
}

/* Functions of the debug file at path, when it is of the same build. */
static bool add_debug_file(struct elf_index *x, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_index its = { 0 };
	struct err unused = { 0 };
	bool has = false;

	if (fd < 0)
		return false;
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf) {
		read_build_id(&its, elf);
		if (its.build_id_len == x->build_id_len &&
		    !memcmp(its.build_id, x->build_id, x->build_id_len) &&
		    add_type(&x->symtab, elf, SHT_SYMTAB, &has, &unused))
			has = false;
	}
	elf_end(elf);
	close(fd);
	return has;
}

static bool by_build_id(struct elf_index *x)
{
	char path[sizeof(DEBUG_ROOT "/.build-id/xx/.debug") + 2 * sizeof(x->build_id)];
	int n = snprintf(path, sizeof(path), DEBUG_ROOT "/.build-id/%02x/", x->build_id[0]);

	for (uint32_t i = 1; i < x->build_id_len; i++)
		n += snprintf(path + n, sizeof(path) - (size_t)n, "%02x", x->build_id[i]);
	snprintf(path + n, sizeof(path) - (size_t)n, ".debug");
	return add_debug_file(x, path);
}

static bool by_link(struct elf_index *x, Elf *elf, const char *binary)
{
	const char *link = debuglink(elf), *slash = binary ? strrchr(binary, '/') : NULL;
	char path[PATH_MAX];

	if (!link || !slash)
		return false;
	int dir = (int)(slash - binary);
	int n = snprintf(path, sizeof(path), DEBUG_ROOT "%.*s/%s", dir, binary, link);
	if (n > 0 && (size_t)n < sizeof(path) && add_debug_file(x, path))
		return true;
	n = snprintf(path, sizeof(path), "%.*s/.debug/%s", dir, binary, link);
	return n > 0 && (size_t)n < sizeof(path) && add_debug_file(x, path);
}

static int read_elf(struct elf_index *x, Elf *elf, const char *path, struct err *e)
{
	bool has_exports = false;
	int err = read_loads(x, elf, e);

	if (!err)
		err = add_type(&x->symtab, elf, SHT_SYMTAB, &x->is_full, e);
	if (err)
		return err;
	read_build_id(x, elf);
	/* Without a build id nothing says that a debug file belongs to this binary. */
	if (!x->is_full && x->build_id_len)
		x->is_full = by_build_id(x) || by_link(x, elf, path);
	err = add_type(&x->symtab, elf, SHT_DYNSYM, &has_exports, e);
	symtab_sort(&x->symtab, false);
	return err;
}

/* Takes over elf, which may be NULL. */
static int read_and_end(struct elf_index *x, Elf *elf, const char *path, struct err *e)
{
	int err = elf && elf_kind(elf) == ELF_K_ELF ? read_elf(x, elf, path, e) : err_set(e, ENOEXEC, "not an ELF file");

	elf_end(elf);
	if (err)
		elf_index_fini(x);
	return err;
}

int elf_index_read(struct elf_index *x, int fd, const char *path, struct err *e)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return err_set(e, ENOTSUP, "libelf is too old");
	/* Not mapped: a file that shrinks meanwhile would be a bus error. */
	return read_and_end(x, elf_begin(fd, ELF_C_READ, NULL), path, e);
}

int elf_index_read_memory(struct elf_index *x, char *image, size_t len, struct err *e)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return err_set(e, ENOTSUP, "libelf is too old");
	return read_and_end(x, elf_memory(image, len), NULL, e);
}

bool elf_index_vaddr(const struct elf_index *x, uint64_t file_offset, uint64_t *vaddr)
{
	for (uint32_t i = 0; i < x->loads.len; i++) {
		const struct elf_load *l = &x->loads.ptr[i];
		if (file_offset >= l->offset && file_offset - l->offset < l->size) {
			*vaddr = file_offset - l->offset + l->vaddr;
			return true;
		}
	}
	return false;
}

size_t elf_index_bytes(const struct elf_index *x)
{
	return symtab_bytes(&x->symtab) + x->starts.addrs.cap * sizeof(x->starts.addrs.ptr[0]);
}

void elf_index_fini(struct elf_index *x)
{
	symtab_fini(&x->symtab);
	starts_fini(&x->starts);
	VEC_FINI(&x->loads);
	*x = (struct elf_index){ 0 };
}
