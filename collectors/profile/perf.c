#include "collectors/profile/perf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A CPU's ring holds half a minute, so that a late reader loses nothing; a thread's is small: memory is rationed. */
#define CPU_RING_PAGES    32u
#define THREAD_RING_PAGES 2u
#define THREADS_MAX       128u

/* What is sampled, best first. */
static const struct perf_kind {
	const char *name;
	uint32_t type;
	uint64_t config;
} kinds[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
};

static int event_open(const struct perf_kind *k, const struct perf *p, pid_t tid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = k->type,
		.config = k->config,
		.freq = 1,
		.sample_freq = p->hz,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.exclude_idle = 1,
		.comm = 1,
		.comm_exec = 1,
		.exclude_kernel = p->is_user_only,
		.exclude_hv = p->is_user_only,
	};

	return (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int ring_add(struct perf *p, int fd, uint32_t tid, uint32_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *base = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int err = base == MAP_FAILED ? errno : 0;
	struct perf_ring *r = err ? NULL : VEC_ADD(&p->rings);

	if (!r) {
		if (!err)
			munmap(base, (pages + 1) * page);
		close(fd);
		return err ? -err : -ENOMEM;
	}
	*r = (struct perf_ring){ fd, tid, base };
	return 0;
}

static void ring_close(struct perf_ring *r)
{
	const struct perf_event_mmap_page *meta = r->base;

	munmap(r->base, (size_t)(meta->data_offset + meta->data_size));
	close(r->fd);
}

void perf_close(struct perf *p)
{
	for (uint32_t i = 0; i < p->rings.len; i++)
		ring_close(&p->rings.ptr[i]);
	VEC_FINI(&p->rings);
	*p = (struct perf){ 0 };
}

/* Without counters (most virtual machines) the hardware event does not exist; these say so. */
static bool is_missing(int err)
{
	return err == -ENOENT || err == -EOPNOTSUPP || err == -ENODEV || err == -EINVAL;
}

static int refused(int err, struct err *e)
{
	char level[16] = "?";
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	if (f) {
		if (!fgets(level, sizeof(level), f))
			level[0] = 0;
		level[strcspn(level, "\n")] = 0;
		fclose(f);
	}
	if (err == -EACCES || err == -EPERM)
		return err_set(e, -err, "kernel.perf_event_paranoid is %s: run as root (or with CAP_PERFMON), or sysctl "
			       "kernel.perf_event_paranoid=-1; a process of your own may be profiled up to 2", level);
	return err_errno(e, -err, "perf_event_open");
}

static int open_kind_cpus(struct perf *p, const struct perf_kind *k)
{
	long ncpus = sysconf(_SC_NPROCESSORS_CONF);

	p->event = k->name;
	for (int cpu = 0; cpu < ncpus; cpu++) {
		int fd = event_open(k, p, -1, cpu);
		if (fd < 0 && errno == ENODEV) /* the CPU is offline */
			continue;
		int err = fd < 0 ? -errno : ring_add(p, fd, 0, CPU_RING_PAGES);
		if (err)
			return err;
	}
	return p->rings.len ? 0 : -ENODEV;
}

int perf_open_cpus(struct perf *p, uint32_t hz, struct err *e)
{
	int err = -ENODEV;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		perf_close(p);
		p->hz = hz;
		err = open_kind_cpus(p, &kinds[i]);
		if (!is_missing(err))
			break;
	}
	if (!err)
		return 0;
	perf_close(p);
	return refused(err, e);
}

static bool has_thread(const struct perf *p, uint32_t tid)
{
	for (uint32_t i = 0; i < p->rings.len; i++)
		if (p->rings.ptr[i].tid == tid)
			return true;
	return false;
}

static int thread_add(struct perf *p, uint32_t tid)
{
	int fd = -1;

	for (size_t i = 0; i < ARRAY_LEN(kinds) && fd < 0; i++) {
		p->event = kinds[i].name;
		fd = event_open(&kinds[i], p, (pid_t)tid, -1);
		if (fd < 0 && !p->is_user_only && (errno == EACCES || errno == EPERM)) {
			p->is_user_only = true;
			fd = event_open(&kinds[i], p, (pid_t)tid, -1);
		}
		if (fd < 0 && !is_missing(-errno))
			return -errno;
	}
	return fd < 0 ? -ENODEV : ring_add(p, fd, tid, THREAD_RING_PAGES);
}

/* Threads that are gone give their memory back; what they left was drained before. */
static void forget_gone(struct perf *p, int task_fd)
{
	char name[16];

	for (uint32_t i = p->rings.len; i-- > 0;) {
		snprintf(name, sizeof(name), "%u", p->rings.ptr[i].tid);
		if (!faccessat(task_fd, name, F_OK, 0))
			continue;
		ring_close(&p->rings.ptr[i]);
		p->rings.ptr[i] = p->rings.ptr[--p->rings.len];
	}
}

int perf_open_threads(struct perf *p, int proc_fd, uint32_t tgid, uint32_t hz, struct err *e)
{
	char name[32];
	int err = 0;

	snprintf(name, sizeof(name), "%u/task", tgid);
	int fd = openat(proc_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		err = errno;
		if (fd >= 0)
			close(fd);
		return err_errno(e, err, "threads of process %u", tgid);
	}
	p->hz = hz;
	p->left_out = 0;
	forget_gone(p, fd);
	for (struct dirent *d; (d = readdir(dir));) {
		uint32_t tid = (uint32_t)strtoul(d->d_name, NULL, 10);
		if (!tid || has_thread(p, tid))
			continue;
		int rc = p->rings.len < THREADS_MAX ? thread_add(p, tid) : 0;
		p->left_out += p->rings.len >= THREADS_MAX && !has_thread(p, tid);
		/* A thread that ended meanwhile is no failure. */
		if (rc && rc != -ESRCH)
			err = rc;
	}
	closedir(dir);
	if (!err || p->rings.len)
		return 0;
	return refused(err, e);
}

/* Copies from the ring, whose end may lie inside the record. */
static void take(void *to, const char *data, uint64_t size, uint64_t at, size_t n)
{
	size_t first = (size_t)(size - at % size);

	if (first > n)
		first = n;
	memcpy(to, data + at % size, first);
	memcpy((char *)to + first, data, n - first);
}

struct sample_record {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

static enum perf_mode mode_of(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_USER: return PERF_USER;
	case PERF_RECORD_MISC_GUEST_USER:
	case PERF_RECORD_MISC_GUEST_KERNEL: return PERF_GUEST;
	default: return PERF_KERNEL;
	}
}

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[16];
};

union record {
	struct perf_event_header header;
	struct sample_record sample;
	struct lost_record lost;
	struct comm_record comm;
};

/* The record at tail, cut to what rec holds; its length, 0 at the end or when the ring makes no sense. */
static uint32_t record_at(const struct perf_ring *r, uint64_t tail, uint64_t head, union record *rec)
{
	const struct perf_event_mmap_page *meta = r->base;
	const char *data = (const char *)r->base + meta->data_offset;

	*rec = (union record){ 0 };
	if (tail + sizeof(rec->header) > head)
		return 0;
	take(&rec->header, data, meta->data_size, tail, sizeof(rec->header));
	uint32_t size = rec->header.size;
	if (size < sizeof(rec->header) || size > head - tail)
		return 0;
	take(rec, data, meta->data_size, tail, size < sizeof(*rec) ? size : sizeof(*rec));
	return size;
}

static uint64_t head_of(const struct perf_ring *r)
{
	const struct perf_event_mmap_page *meta = r->base;

	return __atomic_load_n(&meta->data_head, __ATOMIC_ACQUIRE);
}

static void tell_programs(const struct perf_ring *r, const struct perf_sink *to)
{
	const struct perf_event_mmap_page *meta = r->base;
	uint64_t head = head_of(r), tail = meta->data_tail;
	union record rec;

	for (uint32_t n; (n = record_at(r, tail, head, &rec)); tail += n) {
		rec.comm.comm[sizeof(rec.comm.comm) - 1] = 0;
		if (rec.header.type == PERF_RECORD_COMM && (rec.header.misc & PERF_RECORD_MISC_COMM_EXEC))
			to->program(to->ctx, rec.comm.pid, rec.comm.comm);
	}
}

static void drain_ring(struct perf *p, struct perf_ring *r, const struct perf_sink *to)
{
	struct perf_event_mmap_page *meta = r->base;
	uint64_t head = head_of(r), tail = meta->data_tail;
	union record rec;

	for (uint32_t n; (n = record_at(r, tail, head, &rec)); tail += n) {
		if (rec.header.type == PERF_RECORD_SAMPLE)
			to->sample(to->ctx, &(struct perf_sample){ rec.sample.ip, rec.sample.pid, rec.sample.tid,
								   mode_of(rec.header.misc) });
		else if (rec.header.type == PERF_RECORD_LOST)
			p->lost += rec.lost.lost;
		else if (rec.header.type == PERF_RECORD_THROTTLE)
			p->throttled++;
	}
	__atomic_store_n(&meta->data_tail, head, __ATOMIC_RELEASE);
}

void perf_drain(struct perf *p, const struct perf_sink *to)
{
	/* A program may start on one CPU and be sampled on another. */
	for (uint32_t i = 0; i < p->rings.len; i++)
		tell_programs(&p->rings.ptr[i], to);
	for (uint32_t i = 0; i < p->rings.len; i++)
		drain_ring(p, &p->rings.ptr[i], to);
}
