/* Kernel symbols as one array sorted by address, its names in one block. */
#include "collectors/symbols/ksyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

/* Past this distance from a symbol without a successor an address is nobody's. */
#define REACH_BYTES ((uint64_t)256 * 1024)
#define READ_STEP_BYTES (1u << 20)
#define NO_MODULE UINT32_MAX

struct ksym {
	uint64_t addr;
	uint32_t name;   /* offset in text */
	uint32_t module; /* offset in text, or NO_MODULE */
};

/* Data symbols are kept where they end code, with this name: what follows them is not code. */
#define NOT_CODE UINT32_MAX

struct ksyms {
	char *text; /* the file, fields ended by NULs */
	VEC(struct ksym) syms;
	uint32_t nfunctions;
};

void ksyms_free(struct ksyms *k)
{
	if (!k)
		return;
	free(k->text);
	VEC_FINI(&k->syms);
	free(k);
}

static bool is_mapping_symbol(const char *name)
{
	return name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

/* The address digits at *at, which is moved past the blank behind them; false when there are none. */
static bool take_address(char **at, uint64_t *addr)
{
	char *end;

	*addr = strtoull(*at, &end, 16);
	if (end == *at || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

/* One line "ADDR TYPE NAME[\t[MODULE]]", NUL-terminated; fields are ended in place. */
static bool parse_line(struct ksyms *k, char *line, uint32_t *last_module)
{
	uint64_t addr;

	if (!take_address(&line, &addr) || !addr || !line[0] || line[1] != ' ')
		return true;
	bool is_code = line[0] && strchr("tTwW", line[0]);
	char *name = line + 2, *tab = strchr(name, '\t');
	uint32_t module = NO_MODULE;

	if (tab) {
		*tab = 0;
		char *mod = tab + (tab[1] == '[' ? 2 : 1);
		mod[strcspn(mod, "]")] = 0;
		/* One spelling per module: neighbours share it. */
		module = *last_module != NO_MODULE && !strcmp(k->text + *last_module, mod)
				 ? *last_module
				 : (uint32_t)(mod - k->text);
		*last_module = module;
	}
	if (is_mapping_symbol(name))
		return true;
	struct ksym *s = VEC_ADD(&k->syms);
	if (!s)
		return false;
	*s = (struct ksym){ addr, is_code ? (uint32_t)(name - k->text) : NOT_CODE, module };
	return true;
}

static bool is_global(const struct ksyms *k, const struct ksym *s)
{
	/* The type letter stands two bytes before the name. */
	return s->name != NOT_CODE && k->text[s->name - 2] != 't';
}

static int by_address(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Of several names of one address code wins over data, global over local, and the later one. */
static bool is_better(const struct ksyms *k, const struct ksym *a, const struct ksym *than)
{
	if ((a->name == NOT_CODE) != (than->name == NOT_CODE))
		return than->name == NOT_CODE;
	return is_global(k, a) >= is_global(k, than);
}

/* One entry per address, and of a run of data only its start, which ends the code before. */
static void squeeze(struct ksyms *k)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->syms.len; i++) {
		struct ksym s = k->syms.ptr[i];
		if (n && k->syms.ptr[n - 1].addr == s.addr) {
			if (is_better(k, &s, &k->syms.ptr[n - 1]))
				k->syms.ptr[n - 1] = s;
			continue;
		}
		if (s.name == NOT_CODE && (!n || k->syms.ptr[n - 1].name == NOT_CODE))
			continue;
		k->syms.ptr[n++] = s;
	}
	k->syms.len = n;
	for (uint32_t i = 0; i < n; i++)
		k->nfunctions += k->syms.ptr[i].name != NOT_CODE;
}

static bool is_sorted(const struct ksyms *k)
{
	for (uint32_t i = 1; i < k->syms.len; i++)
		if (by_address(&k->syms.ptr[i - 1], &k->syms.ptr[i]) > 0)
			return false;
	return true;
}

/* Takes over text, which has a NUL behind its last byte. */
static struct ksyms *from_text(char *text, size_t len, struct err *e)
{
	struct ksyms *k = calloc(1, sizeof(*k));
	uint32_t last_module = NO_MODULE;

	if (!k || len >= NOT_CODE) {
		free(text);
		free(k);
		err_set(e, ENOMEM, "no memory for kernel symbols");
		return NULL;
	}
	k->text = text;
	for (char *line = text, *end = text + len; line < end;) {
		char *stop = memchr(line, '\n', (size_t)(end - line));
		if (stop)
			*stop = 0;
		if (!parse_line(k, line, &last_module)) {
			ksyms_free(k);
			err_set(e, ENOMEM, "no memory for kernel symbols");
			return NULL;
		}
		line = stop ? stop + 1 : end;
	}
	if (!is_sorted(k))
		qsort(k->syms.ptr, k->syms.len, sizeof(k->syms.ptr[0]), by_address);
	squeeze(k);
	if (!k->nfunctions) {
		ksyms_free(k);
		err_set(e, EPERM, "kernel addresses are hidden: run as root with sysctl kernel.kptr_restrict=1");
		return NULL;
	}
	return k;
}

struct ksyms *ksyms_parse(const char *text, size_t len, struct err *e)
{
	char *copy = malloc(len + 1);

	if (!copy) {
		err_set(e, ENOMEM, "no memory for kernel symbols");
		return NULL;
	}
	memcpy(copy, text, len);
	copy[len] = 0;
	return from_text(copy, len, e);
}

/* The file has no size: read until it ends. NULL with words. */
static char *read_all(int fd, size_t *len, struct err *e)
{
	size_t cap = 0;
	char *text = NULL;

	*len = 0;
	for (;;) {
		if (cap - *len < READ_STEP_BYTES / 2) {
			char *more = realloc(text, cap + READ_STEP_BYTES);
			if (!more) {
				err_set(e, ENOMEM, "no memory for kernel symbols");
				break;
			}
			text = more;
			cap += READ_STEP_BYTES;
		}
		ssize_t n = read(fd, text + *len, cap - *len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_errno(e, errno, "reading /proc/kallsyms");
			break;
		}
		if (!n) {
			text[*len] = 0;
			return text;
		}
		*len += (size_t)n;
	}
	free(text);
	return NULL;
}

struct ksyms *ksyms_new(struct err *e)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	size_t len;

	if (fd < 0) {
		err_errno(e, errno, "opening /proc/kallsyms");
		return NULL;
	}
	char *text = read_all(fd, &len, e);
	close(fd);
	return text ? from_text(text, len, e) : NULL;
}

bool ksyms_find(const struct ksyms *k, uint64_t ip, const char **name, uint64_t *offset, const char **module)
{
	uint32_t low = 0, high = k->syms.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (k->syms.ptr[mid].addr <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	const struct ksym *s = &k->syms.ptr[low - 1];
	if (s->name == NOT_CODE || ip - s->addr > REACH_BYTES)
		return false;
	*name = k->text + s->name;
	if (offset)
		*offset = ip - s->addr;
	if (module)
		*module = s->module == NO_MODULE ? NULL : k->text + s->module;
	return true;
}

uint32_t ksyms_len(const struct ksyms *k)
{
	return k->nfunctions;
}
