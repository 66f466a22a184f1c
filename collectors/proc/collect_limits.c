/* LIMIT: kernel-wide tables that fail hard when they are full, and how full they are. */
#include <stdlib.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/scan.h"

struct limits_state {
	struct scan_buf buf;
};

/* Where a number stands: the word-th word of a file, counted from 0; with a key, of the line it
 * starts. */
struct place {
	const char *path, *key;
	uint32_t word;
};

struct limit {
	struct text name;
	struct place used, max;
};

static const struct limit limits[] = {
	{ TEXT_INIT("fds"), { "sys/fs/file-nr", NULL, 0 }, { "sys/fs/file-nr", NULL, 2 } },
	/* pid_max bounds threads too: each takes a number. loadavg has "running/all". */
	{ TEXT_INIT("pids"), { "loadavg", NULL, 3 }, { "sys/kernel/pid_max", NULL, 0 } },
	{ TEXT_INIT("threads"), { "loadavg", NULL, 3 }, { "sys/kernel/threads-max", NULL, 0 } },
	{ TEXT_INIT("conntrack"),
	  { "sys/net/netfilter/nf_conntrack_count", NULL, 0 },
	  { "sys/net/netfilter/nf_conntrack_max", NULL, 0 } },
	{ TEXT_INIT("aio requests"),
	  { "sys/fs/aio-nr", NULL, 0 },
	  { "sys/fs/aio-max-nr", NULL, 0 } },
	{ TEXT_INIT("tcp time-wait"),
	  { "net/sockstat", "TCP: ", 5 },
	  { "sys/net/ipv4/tcp_max_tw_buckets", NULL, 0 } },
	{ TEXT_INIT("tcp orphans"),
	  { "net/sockstat", "TCP: ", 3 },
	  { "sys/net/ipv4/tcp_max_orphans", NULL, 0 } },
	{ TEXT_INIT("tcp pages"),
	  { "net/sockstat", "TCP: ", 9 },
	  { "sys/net/ipv4/tcp_mem", NULL, 2 } },
	{ TEXT_INIT("udp pages"),
	  { "net/sockstat", "UDP: ", 3 },
	  { "sys/net/ipv4/udp_mem", NULL, 2 } },
};

static uint64_t number_at(struct limits_state *st, int proc_fd, const struct place *p)
{
	struct scan file, line, word = { 0 };
	struct err ignored;

	if (scan_file(&st->buf, proc_fd, p->path, &file, &ignored))
		return U64_UNKNOWN;
	do {
		if (!scan_line(&file, &line))
			return U64_UNKNOWN;
	} while (p->key && !scan_skip(&line, p->key));
	for (uint32_t i = 0; i <= p->word; i++)
		if (!scan_word(&line, &word))
			return U64_UNKNOWN;
	struct scan rest = word, before;
	return scan_until(&rest, '/', &before) ? scan_u64(&rest) : scan_u64(&word);
}

static int limits_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			 struct err *e)
{
	struct limits_state *st = self;

	(void)e;
	frame_set_state(b, SEC_LIMIT, SEC_OK, NULL);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		uint64_t used = number_at(st, env->proc_fd, &limits[i].used);
		if (used == U64_UNKNOWN)
			continue; /* not in this kernel, such as conntrack without its module */
		struct limit_row *row = FRAME_ADD(b, limit, LIMIT);
		if (!row)
			return 0;
		row->name = limits[i].name;
		row->used = used;
		row->max = number_at(st, env->proc_fd, &limits[i].max);
		if (row->max && row->max != U64_UNKNOWN)
			row->used_pct = 100.0 * (double)used / (double)row->max;
	}
	return 0;
}

static void limits_close(void *self)
{
	struct limits_state *st = self;

	scan_buf_fini(&st->buf);
}

const struct collector collector_limits = {
	.name = "limits",
	.provides = SEC_BIT(SEC_LIMIT),
	.period_ns = 2 * NS_PER_S,
	.budget_ns = 2 * NS_PER_MS,
	.self_size = sizeof(struct limits_state),
	.sample = limits_sample,
	.close = limits_close,
};
