/* HOST: who this machine is, how long it is up, its load averages. */
#include <unistd.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/scan.h"

struct host_state {
	struct scan_buf buf;
	struct text_buf kernel, boot_id; /* fixed for this boot */
};

/* The file's first line, unknown when it cannot be read: a name is not worth losing the loads
 * for. */
static struct text first_line(struct scan_buf *buf, int dir_fd, const char *path, struct arena *a)
{
	struct scan file, line;
	struct err e;

	if (scan_file(buf, dir_fd, path, &file, &e) || !scan_line(&file, &line))
		return TEXT_UNKNOWN;
	return text_clean(a, line.at, (size_t)(line.end - line.at));
}

static int host_open(void *self, const struct collector_env *env, struct err *e)
{
	struct host_state *h = self;
	struct arena a = { 0 };

	(void)e;
	text_keep(&h->kernel, first_line(&h->buf, env->proc_fd, "sys/kernel/osrelease", &a));
	text_keep(&h->boot_id, first_line(&h->buf, env->proc_fd, "sys/kernel/random/boot_id", &a));
	arena_fini(&a);
	return 0;
}

/* CPUs in a list such as "0-3,8,10-11". */
static uint32_t count_cpu_list(struct scan list)
{
	uint32_t n = 0;
	struct scan part, first;

	while (list.at < list.end) {
		if (!scan_until(&list, ',', &part)) {
			part = list;
			list.at = list.end;
		}
		if (!scan_until(&part, '-', &first)) {
			n += scan_u32(&part) != U32_UNKNOWN;
			continue;
		}
		uint32_t low = scan_u32(&first), high = scan_u32(&part);
		if (low != U32_UNKNOWN && high != U32_UNKNOWN && high >= low)
			n += high - low + 1;
	}
	return n ? n : U32_UNKNOWN;
}

static int host_sample(void *self, const struct collector_env *env, struct frame_builder *b,
		       struct err *e)
{
	struct host_state *h = self;
	struct arena *a = frame_arena(b);
	struct scan file, line;
	struct err ignored;
	struct host_row *row = FRAME_ADD(b, host, HOST);
	int rc;

	if (!row)
		return 0;
	row->hostname = first_line(&h->buf, env->proc_fd, "sys/kernel/hostname", a);
	row->kernel = h->kernel.len ? text_copy(a, text_of(&h->kernel)) : TEXT_UNKNOWN;
	row->boot_id = h->boot_id.len ? text_copy(a, text_of(&h->boot_id)) : TEXT_UNKNOWN;
	row->euid = geteuid();
	if (!scan_file(&h->buf, env->sys_fd, "devices/system/cpu/online", &file, &ignored) &&
	    scan_line(&file, &line))
		row->cpus_online = count_cpu_list(line);
	if (!scan_file(&h->buf, env->proc_fd, "uptime", &file, &ignored) &&
	    scan_line(&file, &line)) {
		double uptime_s = scan_f64(&line);
		if (uptime_s >= 0 && uptime_s < 1e10)
			row->uptime_ns = (uint64_t)(uptime_s * (double)NS_PER_S);
	}
	rc = scan_file(&h->buf, env->proc_fd, "loadavg", &file, e);
	if (rc || !scan_line(&file, &line))
		return rc;
	row->load1 = scan_f64(&line);
	row->load5 = scan_f64(&line);
	row->load15 = scan_f64(&line);
	return 0;
}

static void host_close(void *self)
{
	struct host_state *h = self;

	scan_buf_fini(&h->buf);
}

const struct collector collector_host = {
	.name = "host",
	.provides = SEC_BIT(SEC_HOST),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 2 * NS_PER_MS,
	.self_size = sizeof(struct host_state),
	.open = host_open,
	.sample = host_sample,
	.close = host_close,
};
