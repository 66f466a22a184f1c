/* Owns the way from an embedded object to attached programs, and the words for what stops it. */
#include "collectors/probes/load.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "collectors/probes/probe.h"

#define LOG_BYTES (64 * 1024)
#define LOG_TAIL 240

static int stay_quiet(enum libbpf_print_level level, const char *fmt, va_list args)
{
	(void)level;
	(void)fmt;
	(void)args;
	return 0;
}

/* "tp_btf/sched_switch" -> "sched_switch"; NULL when the section names no event. */
static const char *event_of(const struct bpf_program *p)
{
	const char *section = bpf_program__section_name(p);
	const char *slash = section ? strchr(section, '/') : NULL;

	return slash ? slash + 1 : NULL;
}

static bool is_typed(const struct bpf_program *p)
{
	return !strncmp(bpf_program__section_name(p), "tp_btf/", 7);
}

static bool has_typed(const struct bpf_object *o)
{
	struct bpf_program *p;

	bpf_object__for_each_program(p, o)
		if (is_typed(p))
			return true;
	return false;
}

/* Arguments the kernel hands to a typed tracepoint program; -1 when it does not describe the event. */
static int event_nargs(const struct btf *btf, const char *event)
{
	char name[128];
	snprintf(name, sizeof(name), "btf_trace_%s", event);
	int id = btf ? btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF) : -1;
	if (id < 0)
		return -1;
	const struct btf_type *t = btf__type_by_id(btf, btf__type_by_id(btf, (uint32_t)id)->type);
	if (!t || !btf_is_ptr(t))
		return -1;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) ? btf_vlen(t) - 1 : -1;
}

/* Whether this kernel is the one a program was written for, by the end of its name. */
static bool fits(const struct btf *btf, const struct bpf_program *p)
{
	const char *suffix = strstr(bpf_program__name(p), "__");
	const char *event = event_of(p);

	if (!suffix || !event)
		return true;
	if (!strncmp(suffix, "__args", 6))
		return event_nargs(btf, event) == atoi(suffix + 6);
	return true;
}

static bool is_variant_of(const struct bpf_program *a, const struct bpf_program *b)
{
	const char *x = bpf_program__name(a), *y = bpf_program__name(b);
	size_t nx, ny;
	const char *cut = strstr(x, "__");

	nx = cut ? (size_t)(cut - x) : strlen(x);
	cut = strstr(y, "__");
	ny = cut ? (size_t)(cut - y) : strlen(y);
	return nx == ny && !memcmp(x, y, nx);
}

static int choose(struct bpf_object *o, const struct btf *btf, struct err *e)
{
	struct bpf_program *p, *q;

	bpf_object__for_each_program(p, o) {
		bool has_fit = false;
		bpf_object__for_each_program(q, o)
			has_fit |= is_variant_of(p, q) && fits(btf, q);
		const char *event = event_of(p);
		if (!has_fit || (fits(btf, p) && is_typed(p) && event_nargs(btf, event) < 0)) {
			int n = event ? event_nargs(btf, event) : -1;
			if (n < 0)
				return err_set(e, ENOENT, "this kernel does not describe the event %s",
					       event ? event : "it needs");
			return err_set(e, ENOTSUP, "this kernel's event %s has %d arguments: no program here reads that",
				       event, n);
		}
		bpf_program__set_autoload(p, fits(btf, p));
	}
	return 0;
}

/* Where the verifier put its reason: one buffer per program, filled only by the one that fails. */
struct logs {
	char *bytes;
	size_t n;
};

static int logs_init(struct logs *l, struct bpf_object *o, struct err *e)
{
	struct bpf_program *p;
	size_t i = 0;

	bpf_object__for_each_program(p, o)
		l->n++;
	l->bytes = calloc(l->n ? l->n : 1, LOG_BYTES);
	if (!l->bytes)
		return err_errno(e, ENOMEM, "a buffer for the verifier");
	bpf_object__for_each_program(p, o)
		bpf_program__set_log_buf(p, l->bytes + LOG_BYTES * i++, LOG_BYTES);
	return 0;
}

/* The verifier's last lines, or empty. */
static const char *log_tail(const char *log)
{
	size_t len = strnlen(log, LOG_BYTES);
	const char *from = len > LOG_TAIL ? log + len - LOG_TAIL : log;
	const char *line = from > log ? strchr(from, '\n') : NULL;

	return line && line[1] ? line + 1 : from;
}

static int load_failed(const struct logs *l, struct bpf_object *o, int code, struct err *e)
{
	struct bpf_program *p;
	size_t i = 0;

	bpf_object__for_each_program(p, o) {
		const char *log = l->bytes + LOG_BYTES * i++;
		if (!log[0])
			continue;
		err_set(e, code, "program %s was refused: %s", bpf_program__name(p), log_tail(log));
		for (char *c = e->text; *c; c++)
			if (*c == '\n')
				*c = ' ';
		return -code;
	}
	return err_errno(e, code, code == EPERM || code == EACCES ? "loading (needs CAP_BPF and CAP_PERFMON)"
								  : "loading");
}

static int attach_all(struct loaded_tool *t, struct err *e)
{
	struct bpf_program *p;

	bpf_object__for_each_program(p, t->object) {
		if (!bpf_program__autoload(p))
			continue;
		if (t->nprogs == LOADED_PROGS_MAX)
			return err_set(e, E2BIG, "more than %d programs", LOADED_PROGS_MAX);
		struct bpf_link *link = bpf_program__attach(p);
		if (!link)
			return err_errno(e, errno, "attaching program %s to %s", bpf_program__name(p),
					 bpf_program__section_name(p));
		t->prog_fds[t->nprogs] = bpf_program__fd(p);
		t->links[t->nprogs++] = link;
	}
	return 0;
}

static int set_filter(struct bpf_object *o, const struct probe_filter *filter, struct err *e)
{
	struct bpf_map *m = bpf_object__find_map_by_name(o, ".rodata.filter");

	if (!filter)
		return 0;
	if (!m)
		return err_set(e, EINVAL, "the object has no filter");
	int err = bpf_map__set_initial_value(m, filter, sizeof(*filter));
	return err ? err_errno(e, -err, "setting the filter") : 0;
}

static int load_object(struct loaded_tool *t, struct btf *btf, const struct probe_filter *filter, struct err *e)
{
	struct logs logs = { 0 };
	int err = choose(t->object, btf, e);

	if (!err)
		err = set_filter(t->object, filter, e);
	if (!err)
		err = logs_init(&logs, t->object, e);
	if (!err) {
		err = bpf_object__load(t->object);
		if (err)
			err = load_failed(&logs, t->object, -err, e);
	}
	if (!err)
		err = attach_all(t, e);
	free(logs.bytes);
	return err;
}

int tool_load(struct loaded_tool *t, const char *stem, const struct probe_filter *filter, struct err *e)
{
	const struct bpf_blob *blob = bpf_blob_find(stem);
	*t = (struct loaded_tool){ 0 };
	if (!blob)
		return err_set(e, ENOENT, "there is no tool %s", stem);

	libbpf_set_print(stay_quiet);
	struct bpf_object_open_opts opts = { .sz = sizeof(opts), .object_name = stem };
	t->object = bpf_object__open_mem(blob->elf, (size_t)(blob->elf_end - blob->elf), &opts);
	if (!t->object) {
		int code = errno;
		return err_errno(e, code, "opening the program of %s", stem);
	}
	/* Reading the kernel's description takes a while; raw tracepoints do without. */
	struct btf *btf = has_typed(t->object) ? btf__load_vmlinux_btf() : NULL;
	int err = load_object(t, btf, filter, e);
	btf__free(btf);
	if (err) {
		tool_unload(t);
		return err_at(e, "%s: ", stem);
	}
	return 0;
}

void tool_unload(struct loaded_tool *t)
{
	for (uint32_t i = 0; i < t->nprogs; i++)
		bpf_link__destroy(t->links[i]);
	bpf_object__close(t->object);
	*t = (struct loaded_tool){ 0 };
}

int tool_map_fd(const struct loaded_tool *t, const char *map)
{
	int fd = t->object ? bpf_object__find_map_fd_by_name(t->object, map) : -1;
	return fd < 0 ? -1 : fd;
}

uint32_t tool_map_fds(const struct loaded_tool *t, int *fds, uint32_t room)
{
	struct bpf_map *m;
	uint32_t n = 0;

	if (!t->object)
		return 0;
	bpf_object__for_each_map(m, t->object)
		if (n < room && bpf_map__fd(m) >= 0)
			fds[n++] = bpf_map__fd(m);
	return n;
}

int tool_iterate(const struct loaded_tool *t, const char *program, struct err *e)
{
	struct bpf_program *p = t->object ? bpf_object__find_program_by_name(t->object, program) : NULL;

	for (uint32_t i = 0; p && i < t->nprogs; i++) {
		if (bpf_program__fd(p) != t->prog_fds[i])
			continue;
		int fd = bpf_iter_create(bpf_link__fd(t->links[i]));
		return fd < 0 ? err_errno(e, errno, "iterator %s", program) : fd;
	}
	return err_set(e, ENOENT, "there is no iterator %s", program);
}
