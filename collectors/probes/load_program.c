/* Owns the way of a bespoke program into the kernel, and the verifier's answer in terms of its text. */
#include "collectors/probes/load_program.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define LOG_BYTES (256 * 1024)

static int make_maps(struct loaded_program *p, struct err *e)
{
	for (uint32_t i = 0; i < p->result.nmaps; i++) {
		const struct lang_map *m = &p->result.maps[i];
		struct bpf_map_create_opts opts = { .sz = sizeof(opts), .map_flags = m->map_flags };
		int fd = bpf_map_create(m->map_type, "rung_map", m->key_bytes, m->value_bytes, m->max_entries,
					&opts);
		if (fd < 0)
			return err_errno(e, errno, "creating map %s of %u entries", m->name, m->max_entries);
		p->map_fds[p->nmaps++] = fd;
	}
	return 0;
}

static int relocate(const struct loaded_program *p, const struct lang_prog *g, struct err *e)
{
	for (uint32_t i = 0; i < g->nrelocs; i++) {
		const struct lang_reloc *r = &g->relocs[i];
		if (r->at >= g->ninsns || r->i_map >= p->nmaps)
			return err_set(e, EINVAL, "the compiled program names a map it does not have");
		g->insns[r->at].src_reg = BPF_PSEUDO_MAP_FD;
		g->insns[r->at].imm = p->map_fds[r->i_map];
	}
	return 0;
}

/* The last instruction the verifier printed ("12: (79) r1 = ..."), or -1. */
static long refused_at(const char *log)
{
	long at = -1;

	for (const char *line = log; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char *end;
		long n = strtol(line, &end, 10);
		if (end != line && end[0] == ':' && end[1] == ' ' && end[2] == '(')
			at = n;
	}
	return at;
}

/* The last line of the log that is a reason and not bookkeeping. */
static void reason(const char *log, char *out, size_t room)
{
	out[0] = 0;
	for (const char *line = log; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		size_t len = strcspn(line, "\n");
		if (len && strncmp(line, "processed ", 10) && strncmp(line, "verification time", 17) &&
		    strncmp(line, "stack depth", 11))
			snprintf(out, room, "%.*s", (int)len, line);
	}
}

static int load_one(const struct lang_prog *g, const char *text, char *log, struct err *e)
{
	int fd = bpf_prog_load(g->prog_type, "rung_probe", "GPL", g->insns, g->ninsns, NULL);
	if (fd >= 0)
		return fd;
	int code = errno;
	if (code == EPERM)
		return err_errno(e, code, "loading (needs CAP_BPF and CAP_PERFMON)");
	log[0] = 0;
	struct bpf_prog_load_opts opts = {
		.sz = sizeof(opts), .log_buf = log, .log_size = LOG_BYTES, .log_level = 1
	};
	fd = bpf_prog_load(g->prog_type, "rung_probe", "GPL", g->insns, g->ninsns, &opts);
	if (fd >= 0)
		return fd;
	char why[256];
	long at = refused_at(log);
	reason(log, why, sizeof(why));
	if (at < 0 || !g->spans || (uint32_t)at >= g->ninsns)
		return err_set(e, code, "the kernel refused the program of %s:%s: %s", g->provider, g->target, why);
	struct span s = g->spans[at];
	size_t len = strlen(text);
	s.at = s.at < len ? s.at : (uint32_t)len;
	s.len = s.len < 60 ? s.len : 60;
	return err_set(e, code, "the kernel refused \"%.*s\" (byte %u): %s", (int)s.len, text + s.at, s.at, why);
}

/* One event is enough: programs of a tracepoint run for its hits on every CPU. */
static int attach_one(const struct lang_prog *g, int prog_fd, struct err *e)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.size = sizeof(attr),
					.config = g->tracepoint_id,
					.sample_period = 1,
					.wakeup_events = 1 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return err_errno(e, errno, "opening %s:%s", g->provider, g->target);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int code = errno;
		close(fd);
		return err_errno(e, code, "attaching to %s:%s", g->provider, g->target);
	}
	return fd;
}

static int load_all(struct loaded_program *p, const char *text, struct err *e)
{
	int err = make_maps(p, e);
	char *log = err ? NULL : malloc(LOG_BYTES);

	if (!err && !log)
		err = err_errno(e, ENOMEM, "a buffer for the verifier");
	for (uint32_t i = 0; !err && i < p->result.nprogs; i++) {
		const struct lang_prog *g = &p->result.progs[i];
		err = relocate(p, g, e);
		if (err)
			break;
		int fd = load_one(g, text, log, e);
		if (fd < 0) {
			err = fd;
			break;
		}
		p->prog_fds[p->nprogs++] = fd;
	}
	free(log);
	for (uint32_t i = 0; !err && i < p->nprogs; i++) {
		int fd = attach_one(&p->result.progs[i], p->prog_fds[i], e);
		if (fd < 0)
			return fd;
		p->event_fds[p->nevents++] = fd;
	}
	return err;
}

int program_load(struct loaded_program *p, const char *text, const struct lang_host *host, struct err *e)
{
	struct diag d = { 0 };
	*p = (struct loaded_program){ 0 };

	int err = lang_compile(text, host, &p->arena, &p->result, &d);
	if (err) {
		err_set(e, err == -ENOSYS ? ENOTSUP : -err, "%u:%u: %s%s%s", d.line, d.column, d.message,
			d.hint[0] ? " - " : "", d.hint);
	} else {
		p->map_fds = arena_array(&p->arena, p->result.nmaps + 1, sizeof(int));
		p->prog_fds = arena_array(&p->arena, p->result.nprogs + 1, sizeof(int));
		p->event_fds = arena_array(&p->arena, p->result.nprogs + 1, sizeof(int));
		if (!p->map_fds || !p->prog_fds || !p->event_fds)
			err = err_errno(e, ENOMEM, "loading");
		else
			err = load_all(p, text, e);
	}
	if (err)
		program_unload(p);
	return err ? -e->code : 0;
}

void program_unload(struct loaded_program *p)
{
	for (uint32_t i = 0; i < p->nevents; i++)
		close(p->event_fds[i]);
	for (uint32_t i = 0; i < p->nprogs; i++)
		close(p->prog_fds[i]);
	for (uint32_t i = 0; i < p->nmaps; i++)
		close(p->map_fds[i]);
	arena_fini(&p->arena);
	*p = (struct loaded_program){ 0 };
}
