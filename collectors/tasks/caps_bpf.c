/* Loads and attaches a program of two instructions for each way a program can be run; nothing
 * stays. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/attr.h"
#include "collectors/tasks/caps.h"

/* A function every kernel has, for probes on functions. */
#define KERNEL_FUNCTION "vfs_read"

/* r0 = 0; exit */
static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
	{ .code = BPF_JMP | BPF_EXIT },
};

static int is_allowed(const struct collector_env *env, struct err *e)
{
	return env->may_bpf ? 0 : err_set(e, EPERM, "BPF is switched off");
}

/* A program fd; target names what a typed program is for. */
static int load(const struct collector_env *env, enum bpf_prog_type type,
		enum bpf_attach_type attach, const char *target, struct err *e)
{
	struct bpf_prog_load_opts opts = { .sz = sizeof(opts), .expected_attach_type = attach };
	int rc = is_allowed(env, e);

	if (rc)
		return rc;
	if (target) {
		int id = libbpf_find_vmlinux_btf_id(target, attach);
		if (id < 0)
			return err_errno(e, -id, "the kernel does not describe %s", target);
		opts.attach_btf_id = (uint32_t)id;
	}
	int fd = bpf_prog_load(type, "rung_try", "GPL", nothing, ARRAY_LEN(nothing), &opts);
	return fd < 0 ? err_errno(e, errno, "loading") : fd;
}

int cap_bpf(const struct collector_env *env, struct err *e)
{
	int fd = load(env, BPF_PROG_TYPE_SOCKET_FILTER, 0, NULL, e);
	return fd < 0 ? fd : close(fd);
}

int cap_ring_buffer(const struct collector_env *env, struct err *e)
{
	int rc = is_allowed(env, e);

	if (rc)
		return rc;
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "rung_try", 0, 0,
				(uint32_t)sysconf(_SC_PAGESIZE), NULL);
	return fd < 0 ? err_errno(e, errno, "creating a ring buffer") : close(fd);
}

int cap_bpf_stats(const struct collector_env *env, struct err *e)
{
	int rc = is_allowed(env, e);

	if (rc)
		return rc;
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return fd < 0 ? err_errno(e, errno, "enabling them") : close(fd);
}

/* Attach by name (raw) or by what the program was loaded for (typed, fentry). */
static int attach_raw(int prog, const char *name, struct err *e)
{
	if (prog < 0)
		return prog;
	int link = bpf_raw_tracepoint_open(name, prog);
	int rc = link < 0 ? err_errno(e, errno, "attaching") : close(link);
	close(prog);
	return rc;
}

int cap_raw_tracepoint(const struct collector_env *env, struct err *e)
{
	return attach_raw(load(env, BPF_PROG_TYPE_RAW_TRACEPOINT, 0, NULL, e), "sched_process_exec",
			  e);
}

int cap_typed_tracepoint(const struct collector_env *env, struct err *e)
{
	return attach_raw(
		load(env, BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sched_process_exec", e), NULL,
		e);
}

int cap_fentry(const struct collector_env *env, struct err *e)
{
	return attach_raw(load(env, BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, KERNEL_FUNCTION, e),
			  NULL, e);
}

int cap_iterator(const struct collector_env *env, struct err *e)
{
	int prog = load(env, BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "task", e);
	if (prog < 0)
		return prog;
	int link = bpf_link_create(prog, 0, BPF_TRACE_ITER, NULL);
	int iter = link < 0 ? -1 : bpf_iter_create(link);
	int rc = iter < 0 ? err_errno(e, errno, "attaching") : close(iter);
	if (link >= 0)
		close(link);
	close(prog);
	return rc;
}

static int perf_open(struct perf_event_attr *attr, struct err *e)
{
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	int fd = (int)syscall(SYS_perf_event_open, attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? err_errno(e, errno, "opening the event") : fd;
}

static int attach_perf(const struct collector_env *env, enum bpf_prog_type type,
		       struct perf_event_attr *attr, struct err *e)
{
	int event = perf_open(attr, e);
	if (event < 0)
		return event;
	int prog = load(env, type, 0, NULL, e), rc = prog;
	if (prog >= 0) {
		rc = ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ? err_errno(e, errno, "attaching")
								: 0;
		close(prog);
	}
	close(event);
	return rc;
}

static int read_number(int dir_fd, const char *path, unsigned *out)
{
	char text[32] = "";
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, sizeof(text) - 1);
	int rc = n < 0 ? -errno : sscanf(text, "%u", out) == 1 ? 0 : -EINVAL;
	close(fd);
	return rc;
}

int cap_tracepoint(const struct collector_env *env, struct err *e)
{
	unsigned id = 0;
	int rc = env->tracefs_fd < 0
			 ? -ENOENT
			 : read_number(env->tracefs_fd, "events/sched/sched_process_exec/id", &id);

	if (rc)
		return err_errno(e, -rc, "reading the event's number from tracefs");
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id };
	return attach_perf(env, BPF_PROG_TYPE_TRACEPOINT, &attr, e);
}

/* kprobe and uprobe are event sources of their own, if the kernel has them. */
static int probe_type(const struct collector_env *env, const char *source, unsigned *type,
		      struct err *e)
{
	char path[64];

	snprintf(path, sizeof(path), "bus/event_source/devices/%s/type", source);
	int rc = read_number(env->sys_fd, path, type);
	return rc ? err_errno(e, -rc, "the kernel has no %s events", source) : 0;
}

int cap_kprobe(const struct collector_env *env, struct err *e)
{
	unsigned type = 0;
	int rc = probe_type(env, "kprobe", &type, e);

	if (rc)
		return rc;
	struct perf_event_attr attr = { .type = type,
					.config1 = (uint64_t)(uintptr_t)KERNEL_FUNCTION };
	return attach_perf(env, BPF_PROG_TYPE_KPROBE, &attr, e);
}

/* Never called: only somewhere to put a breakpoint. */
static __attribute__((noinline)) void landmark(void)
{
	__asm__ volatile("");
}

/* Where in its file the landmark is. */
static int find_landmark(struct dl_phdr_info *info, size_t size, void *arg)
{
	uintptr_t at = (uintptr_t)landmark - info->dlpi_addr;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD || at < p->p_vaddr || at >= p->p_vaddr + p->p_memsz)
			continue;
		*(uint64_t *)arg = at - p->p_vaddr + p->p_offset;
		return 1;
	}
	return 0;
}

int cap_uprobe(const struct collector_env *env, struct err *e)
{
	unsigned type = 0;
	uint64_t offset = 0;
	int rc = probe_type(env, "uprobe", &type, e);

	if (rc)
		return rc;
	if (!dl_iterate_phdr(find_landmark, &offset))
		return err_set(e, ENOENT, "no code of our own to try it on");
	struct perf_event_attr attr = { .type = type,
					.config1 = (uint64_t)(uintptr_t) "/proc/self/exe",
					.config2 = offset };
	return attach_perf(env, BPF_PROG_TYPE_KPROBE, &attr, e);
}

int cap_cpu_clock(const struct collector_env *env, struct err *e)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.sample_freq = 1,
					.freq = 1 };
	return attach_perf(env, BPF_PROG_TYPE_PERF_EVENT, &attr, e);
}

int cap_cycles(const struct collector_env *env, struct err *e)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES };
	(void)env;
	int fd = perf_open(&attr, e);
	return fd < 0 ? fd : close(fd);
}
