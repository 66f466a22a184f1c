/* NETCOUNT: the protocol counters that tell trouble, from /proc/net/{snmp,netstat,softnet_stat}. */
#include <string.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

/* One watched counter; a level is a number now, not a count since boot. */
struct watched {
	struct text name; /* protocol, dot, the kernel's name */
	uint32_t is_error;
	bool is_level;
};

static const struct watched counters[] = {
	{ TEXT_INIT("Tcp.ActiveOpens"), 0, false },
	{ TEXT_INIT("Tcp.PassiveOpens"), 0, false },
	{ TEXT_INIT("Tcp.AttemptFails"), 0, false },
	{ TEXT_INIT("Tcp.EstabResets"), 0, false },
	{ TEXT_INIT("Tcp.CurrEstab"), 0, true },
	{ TEXT_INIT("Tcp.InSegs"), 0, false },
	{ TEXT_INIT("Tcp.OutSegs"), 0, false },
	{ TEXT_INIT("Tcp.RetransSegs"), 1, false },
	{ TEXT_INIT("Tcp.InErrs"), 1, false },
	{ TEXT_INIT("Tcp.OutRsts"), 0, false },
	{ TEXT_INIT("Udp.InDatagrams"), 0, false },
	{ TEXT_INIT("Udp.NoPorts"), 0, false },
	{ TEXT_INIT("Udp.InErrors"), 1, false },
	{ TEXT_INIT("Udp.OutDatagrams"), 0, false },
	{ TEXT_INIT("Udp.RcvbufErrors"), 1, false },
	{ TEXT_INIT("Udp.SndbufErrors"), 1, false },
	{ TEXT_INIT("TcpExt.PruneCalled"), 1, false },
	{ TEXT_INIT("TcpExt.ListenOverflows"), 1, false },
	{ TEXT_INIT("TcpExt.ListenDrops"), 1, false },
	{ TEXT_INIT("TcpExt.TCPLostRetransmit"), 1, false },
	{ TEXT_INIT("TcpExt.TCPTimeouts"), 1, false },
	{ TEXT_INIT("TcpExt.TCPAbortOnMemory"), 1, false },
	{ TEXT_INIT("TcpExt.TCPMemoryPressures"), 1, false },
	{ TEXT_INIT("TcpExt.TCPBacklogDrop"), 1, false },
	{ TEXT_INIT("TcpExt.TCPReqQFullDrop"), 1, false },
	{ TEXT_INIT("TcpExt.TCPRcvQDrop"), 1, false },
	{ TEXT_INIT("TcpExt.TCPSynRetrans"), 1, false },
};

struct protocols_state {
	struct scan_buf buf;
};

static const struct netcount_row *row_before(const struct frame *prev, struct text name,
					     uint32_t guess)
{
	uint32_t n = prev ? prev->sec[SEC_NETCOUNT].nrows : 0;
	const struct netcount_row *rows = n ? FRAME_ROWS(prev, netcount, NETCOUNT) : NULL;

	for (uint32_t i = 0; i < n; i++)
		if (text_eq(rows[(guess + i) % n].name, name))
			return &rows[(guess + i) % n];
	return NULL;
}

static void add_row(struct frame_builder *b, const struct watched *w, uint64_t value)
{
	uint32_t n;
	const struct netcount_row *was;
	struct netcount_row *row;

	frame_built(b, SEC_NETCOUNT, &n);
	row = FRAME_ADD(b, netcount, NETCOUNT);
	if (!row)
		return;
	row->name = w->name;
	row->value_total = value;
	row->is_error = w->is_error;
	was = row_before(frame_prev(b), w->name, n);
	if (was && !w->is_level)
		row->per_s = counter_per_s(counter_delta(was->value_total, value),
					   frame_elapsed_ns(b));
}

/* True when the watched name is protocol, dot, column. */
static bool is_named(const struct watched *w, struct scan protocol, struct scan column)
{
	struct scan name = { w->name.utf8, w->name.utf8 + w->name.len };
	size_t head = (size_t)(protocol.end - protocol.at), tail = (size_t)(column.end - column.at);

	return w->name.len == head + 1 + tail && memcmp(name.at, protocol.at, head) == 0 &&
	       name.at[head] == '.' && memcmp(name.at + head + 1, column.at, tail) == 0;
}

static void add_if_watched(struct frame_builder *b, struct scan protocol, struct scan column,
			   uint64_t value, size_t *next)
{
	/* The table follows the files' order, so a match is nearly always the next entry. */
	for (size_t i = 0; i < ARRAY_LEN(counters); i++) {
		size_t at = (*next + i) % ARRAY_LEN(counters);
		if (!is_named(&counters[at], protocol, column))
			continue;
		add_row(b, &counters[at], value);
		*next = at + 1;
		return;
	}
}

/* snmp and netstat come as pairs of lines: "Tcp: names..." and "Tcp: values...". */
static void read_pairs(struct frame_builder *b, struct scan file)
{
	struct scan names, values, protocol, ignored, column;
	size_t next = 0;

	while (scan_line(&file, &names) && scan_line(&file, &values)) {
		if (!scan_until(&names, ':', &protocol) || !scan_until(&values, ':', &ignored))
			continue;
		if (!scan_is(protocol, "Tcp") && !scan_is(protocol, "Udp") &&
		    !scan_is(protocol, "TcpExt"))
			continue;
		while (scan_word(&names, &column))
			add_if_watched(b, protocol, column, scan_u64(&values), &next);
	}
}

static void read_softnet(struct frame_builder *b, struct scan file)
{
	static const struct watched dropped = { TEXT_INIT("Softnet.dropped"), 1, false };
	static const struct watched squeezed = { TEXT_INIT("Softnet.squeezed"), 1, false };
	uint64_t drops = 0, squeezes = 0;
	struct scan line;

	while (scan_line(&file, &line)) {
		scan_hex(&line); /* packets */
		uint64_t drop = scan_hex(&line), squeeze = scan_hex(&line);
		if (drop == U64_UNKNOWN || squeeze == U64_UNKNOWN)
			continue;
		drops += drop;
		squeezes += squeeze;
	}
	add_row(b, &dropped, drops);
	add_row(b, &squeezed, squeezes);
}

static int protocols_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			    struct err *e)
{
	static const struct {
		const char *path;
		void (*read)(struct frame_builder *b, struct scan file);
	} files[] = {
		{ "net/snmp", read_pairs },
		{ "net/netstat", read_pairs },
		{ "net/softnet_stat", read_softnet },
	};
	struct protocols_state *st = self;
	struct scan file;
	uint32_t n;
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		if (scan_file(&st->buf, env->proc_fd, files[i].path, &file, e)) {
			rc = -e->code;
			continue;
		}
		files[i].read(b, file);
		scan_mark_cut(&st->buf, b, SEC_NETCOUNT);
	}
	frame_built(b, SEC_NETCOUNT, &n);
	if (rc && n)
		frame_set_state(b, SEC_NETCOUNT, SEC_TRUNCATED, "%s", e->text);
	return n ? 0 : rc;
}

static void protocols_close(void *self)
{
	struct protocols_state *st = self;

	scan_buf_fini(&st->buf);
}

const struct collector collector_protocols = {
	.name = "protocols",
	.provides = SEC_BIT(SEC_NETCOUNT),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 5 * NS_PER_MS,
	.self_size = sizeof(struct protocols_state),
	.sample = protocols_sample,
	.close = protocols_close,
};
