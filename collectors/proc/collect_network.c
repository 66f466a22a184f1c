/* NET: traffic, errors and drops of every interface, from /proc/net/dev and sysfs. */
#include <string.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/links.h"
#include "collectors/proc/scan.h"

/* A host with a thousand virtual links must not cost a thousand sysfs reads a second: each sample
 * looks at the state of this many links anew and keeps what it knew about the others. */
#define LOOKED_AT_PER_SAMPLE 32u

struct network_state {
	struct scan_buf buf, link_buf;
	struct helper *helper;
	struct link_speeds speeds;
	uint32_t samples;
};

#define AT(field) offsetof(struct net_row, field)
#define SKIPPED   SIZE_MAX

/* Columns behind the colon: receive bytes packets errs drop fifo frame compressed multicast,
 * transmit ... */
static const size_t columns[] = {
	AT(rx_bytes_total), AT(rx_packets_total), AT(rx_errors_total), AT(rx_drops_total),
	AT(rx_overruns_total), SKIPPED, SKIPPED, SKIPPED,
	AT(tx_bytes_total), AT(tx_packets_total), AT(tx_errors_total), AT(tx_drops_total),
};

#define RATE(what) { AT(what##_total), AT(what##_per_s), 1 }

static const struct counter_field rates[] = {
	RATE(rx_bytes),  RATE(tx_bytes), RATE(rx_packets), RATE(tx_packets),  RATE(rx_errors),
	RATE(tx_errors), RATE(rx_drops), RATE(tx_drops),   RATE(rx_overruns),
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

static void read_operstate(struct network_state *st, int sys_fd, struct scan name,
			   struct net_row *row, struct arena *a)
{
	char path[96];
	struct scan file, line;
	struct err ignored;

	if (link_path(path, sizeof(path), name, "operstate") &&
	    !scan_file(&st->link_buf, sys_fd, path, &file, &ignored) && scan_line(&file, &line))
		row->operstate = text_clean(a, line.at, (size_t)(line.end - line.at));
}

static void compare(const struct net_row *was, struct net_row *row, uint64_t elapsed_ns)
{
	double busier;

	if (counter_was_reset(rates, ARRAY_LEN(rates), was, row))
		return;
	counter_rates(rates, ARRAY_LEN(rates), was, row, elapsed_ns);
	if (row->speed_bits_per_s == U64_UNKNOWN)
		return;
	busier = row->rx_bytes_per_s > row->tx_bytes_per_s ? row->rx_bytes_per_s
							   : row->tx_bytes_per_s;
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

static void add_row(struct network_state *st, const struct collector_env *env,
		    struct frame_builder *b, struct scan line, uint32_t n)
{
	const struct frame *prev = frame_prev(b);
	uint32_t stride = 1 + (prev ? prev->sec[SEC_NET].nrows / LOOKED_AT_PER_SAMPLE : 0);
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
	if (!was || n % stride == st->samples % stride)
		read_operstate(st, env->sys_fd, word, row, frame_arena(b));
	else
		row->operstate = text_copy(frame_arena(b), was->operstate);
	if (st->helper)
		row->speed_bits_per_s = link_speeds_get(&st->speeds, st->helper, word,
							frame_mono_ns(b));
	if (was)
		compare(was, row, frame_elapsed_ns(b));
}

/* Without a helper (no free process ids) only the speeds stay unknown. */
static int network_open(void *self, const struct collector_env *env, struct err *e)
{
	struct network_state *st = self;

	st->helper = helper_start(env->sys_fd, e);
	return 0;
}

static int network_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			  struct err *e)
{
	struct network_state *st = self;
	struct scan file, line;
	uint32_t n = 0;
	int rc = scan_file(&st->buf, env->proc_fd, "net/dev", &file, e);

	if (rc)
		return rc;
	frame_set_state(b, SEC_NET, SEC_OK, NULL);
	scan_mark_cut(&st->buf, b, SEC_NET);
	if (st->helper)
		link_speeds_begin(&st->speeds, st->helper, frame_mono_ns(b));
	while (scan_line(&file, &line)) {
		add_row(st, env, b, line, n);
		frame_built(b, SEC_NET, &n);
	}
	st->samples++;
	return 0;
}

static void network_cost(void *self, struct cost *c)
{
	const struct network_state *st = self;

	if (!st->helper)
		return;
	c->self_ns += helper_cpu_ns(st->helper);
	c->lost += helper_hung(st->helper);
}

static void network_close(void *self)
{
	struct network_state *st = self;

	helper_free(st->helper);
	link_speeds_fini(&st->speeds);
	scan_buf_fini(&st->buf);
	scan_buf_fini(&st->link_buf);
}

const struct collector collector_network = {
	.name = "network",
	.provides = SEC_BIT(SEC_NET),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 5 * NS_PER_MS,
	.self_size = sizeof(struct network_state),
	.open = network_open,
	.sample = network_sample,
	.cost = network_cost,
	.close = network_close,
};
