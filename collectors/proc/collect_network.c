/* NET: traffic, errors and drops of every interface, from /proc/net/dev and sysfs. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

/* A host with a thousand virtual links must not cost a thousand sysfs reads a second: each sample asks
 * about this many links anew and keeps what it knew about the others. */
#define ASKED_PER_SAMPLE 32u

struct network_state {
	struct scan_buf buf, link_buf;
	uint32_t samples;
};

#define AT(field) offsetof(struct net_row, field)
#define SKIPPED SIZE_MAX

/* Columns behind the colon: receive bytes packets errs drop fifo frame compressed multicast, transmit ... */
static const size_t columns[] = {
	AT(rx_bytes_total), AT(rx_packets_total), AT(rx_errors_total), AT(rx_drops_total),
	AT(rx_overruns_total), SKIPPED, SKIPPED, SKIPPED,
	AT(tx_bytes_total), AT(tx_packets_total), AT(tx_errors_total), AT(tx_drops_total),
};

#define RATE(what) { AT(what##_total), AT(what##_per_s), 1 }

static const struct counter_field rates[] = {
	RATE(rx_bytes), RATE(tx_bytes), RATE(rx_packets), RATE(tx_packets), RATE(rx_errors),
	RATE(tx_errors), RATE(rx_drops), RATE(tx_drops), RATE(rx_overruns),
};

static const struct net_row *row_before(const struct frame *prev, struct text name, uint32_t guess)
{
	uint32_t n = prev ? prev->sec[SEC_NET].nrows : 0;
	const struct net_row *rows = n ? FRAME_ROWS(prev, net, NET) : NULL;

	for (uint32_t i = 0; i < n; i++)
		if (text_eq(rows[(guess + i) % n].name, name))
			return &rows[(guess + i) % n];
	return NULL;
}

/* One line of a link's sysfs directory; false when there is none. Names are the kernel's, but a name
 * that would leave the directory is not followed. */
static bool link_line(struct network_state *st, int sys_fd, struct scan name, const char *what, struct scan *line)
{
	char path[96];
	struct scan file;
	struct err ignored;
	int n = snprintf(path, sizeof(path), "class/net/%.*s/%s", (int)(name.end - name.at), name.at, what);

	if (n < 0 || (size_t)n >= sizeof(path) || scan_is(name, "..") || scan_is(name, ".") ||
	    memchr(name.at, '/', (size_t)(name.end - name.at)))
		return false;
	return !scan_file(&st->link_buf, sys_fd, path, &file, &ignored) && scan_line(&file, line);
}

static void ask_link(struct network_state *st, int sys_fd, struct scan name, struct net_row *row, struct arena *a)
{
	struct scan line;

	if (link_line(st, sys_fd, name, "operstate", &line))
		row->operstate = text_clean(a, line.at, (size_t)(line.end - line.at));
	if (link_line(st, sys_fd, name, "speed", &line)) {
		uint64_t mbits = scan_u64(&line);
		/* -1 and 0 are how drivers say that they do not know. */
		if (mbits && mbits < UINT32_MAX)
			row->speed_bits_per_s = mbits * 1000000;
	}
}

static void compare(const struct net_row *was, struct net_row *row, uint64_t elapsed_ns)
{
	double busier;

	if (counter_was_reset(rates, ARRAY_LEN(rates), was, row))
		return;
	counter_rates(rates, ARRAY_LEN(rates), was, row, elapsed_ns);
	if (row->speed_bits_per_s == U64_UNKNOWN)
		return;
	busier = row->rx_bytes_per_s > row->tx_bytes_per_s ? row->rx_bytes_per_s : row->tx_bytes_per_s;
	row->util_pct = 100.0 * 8.0 * busier / (double)row->speed_bits_per_s;
	if (row->util_pct > 100)
		row->util_pct = 100;
}

static bool read_columns(struct scan line, struct net_row *row)
{
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		uint64_t value = scan_u64(&line);
		if (columns[i] != SKIPPED)
			memcpy((char *)row + columns[i], &value, sizeof(value));
	}
	return row->tx_drops_total != U64_UNKNOWN;
}

static void add_row(struct network_state *st, const struct collector_env *env, struct frame_builder *b,
		    struct scan line, uint32_t n)
{
	const struct frame *prev = frame_prev(b);
	uint32_t stride = 1 + (prev ? prev->sec[SEC_NET].nrows / ASKED_PER_SAMPLE : 0);
	struct scan name, word;
	struct net_row *row;

	if (!scan_until(&line, ':', &name) || !scan_word(&name, &word))
		return; /* the two heading lines */
	row = FRAME_ADD(b, net, NET);
	if (!row)
		return;
	if (!read_columns(line, row)) {
		frame_truncate(b, SEC_NET, n);
		return;
	}
	row->name = text_clean(frame_arena(b), word.at, (size_t)(word.end - word.at));
	const struct net_row *was = row_before(prev, row->name, n);
	if (!was || n % stride == st->samples % stride) {
		ask_link(st, env->sys_fd, word, row, frame_arena(b));
	} else {
		row->operstate = text_copy(frame_arena(b), was->operstate);
		row->speed_bits_per_s = was->speed_bits_per_s;
	}
	if (was)
		compare(was, row, frame_elapsed_ns(b));
}

static int network_sample(void *self, const struct collector_env *env, struct frame_builder *b, struct err *e)
{
	struct network_state *st = self;
	struct scan file, line;
	uint32_t n = 0;
	int rc = scan_file(&st->buf, env->proc_fd, "net/dev", &file, e);

	if (rc)
		return rc;
	frame_set_state(b, SEC_NET, SEC_OK, NULL);
	scan_mark_cut(&st->buf, b, SEC_NET);
	while (scan_line(&file, &line)) {
		add_row(st, env, b, line, n);
		frame_built(b, SEC_NET, &n);
	}
	st->samples++;
	return 0;
}

static void network_close(void *self)
{
	struct network_state *st = self;

	scan_buf_fini(&st->buf);
	scan_buf_fini(&st->link_buf);
}

const struct collector collector_network = {
	.name = "network",
	.provides = SEC_BIT(SEC_NET),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 5 * NS_PER_MS,
	.self_size = sizeof(struct network_state),
	.sample = network_sample,
	.close = network_close,
};
