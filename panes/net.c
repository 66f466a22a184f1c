/* Rung 2, network: interfaces by urgency, the error counters that move, then every protocol counter. */
#include <math.h>

#include "panes/draw_bits.h"
#include "ui/table.h"

/** One column of the interface list, which is drawn above the table of counters. */
struct nic_column {
	struct text heading;
	uint32_t field;
	int width, min_cols;
	double warn, bad;
};

static const struct nic_column nic_columns[] = {
	{ TEXT_INIT("INTERFACE"), NET_name, 12, 0, 0, 0 },
	{ TEXT_INIT("LINK"), NET_operstate, 7, 0, 0, 0 },
	{ TEXT_INIT("BUSY"), NET_util_pct, 6, 0, 70, 90 },
	{ TEXT_INIT("RX B/s"), NET_rx_bytes_per_s, 7, 0, 0, 0 },
	{ TEXT_INIT("TX B/s"), NET_tx_bytes_per_s, 7, 0, 0, 0 },
	{ TEXT_INIT("RX DROP/s"), NET_rx_drops_per_s, 9, 0, 0.1, 10 },
	{ TEXT_INIT("TX DROP/s"), NET_tx_drops_per_s, 9, 0, 0.1, 10 },
	{ TEXT_INIT("RX ERR/s"), NET_rx_errors_per_s, 8, 0, 0.1, 1 },
	{ TEXT_INIT("TX ERR/s"), NET_tx_errors_per_s, 8, 90, 0.1, 1 },
	{ TEXT_INIT("OVERRUN/s"), NET_rx_overruns_per_s, 9, 100, 0.1, 1 },
	{ TEXT_INIT("RX PKT/s"), NET_rx_packets_per_s, 8, 110, 0, 0 },
	{ TEXT_INIT("TX PKT/s"), NET_tx_packets_per_s, 8, 120, 0, 0 },
	{ TEXT_INIT("SPEED b/s"), NET_speed_bits_per_s, 14, 140, 0, 0 },
};

static uint32_t nics_shown(const struct pane_input *in, int rows)
{
	uint32_t n = in->frame->sec[SEC_NET].nrows, room = rows >= 40   ? 12
							   : rows >= 18 ? 6
							   : rows >= 8  ? 2
									: 1;

	return n < room ? n : room;
}

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)view;
	(void)cols;
	return 1 + (int)nics_shown(in, rows) + (rows >= 18 ? 4 : rows >= 6 ? 2 : 0);
}

static bool is_in_scope(const struct pane_input *in, const struct net_row *n)
{
	return in->step && in->step->scope.kind == SCOPE_INTERFACE &&
	       text_eq(text_of(&in->step->scope.name), n->name);
}

/* What hurts first: errors and drops, then traffic; the interface of the scope before all. */
static double urgency(const struct pane_input *in, const struct net_row *n)
{
	const double parts[] = { 1e12 * n->rx_errors_per_s, 1e12 * n->tx_errors_per_s,
				 1e12 * n->rx_drops_per_s,  1e12 * n->tx_drops_per_s,
				 n->rx_bytes_per_s,         n->tx_bytes_per_s };
	double sum = is_in_scope(in, n) ? 1e30 : 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (!isnan(parts[i]))
			sum += parts[i];
	return sum;
}

/* The row at a place in the order of urgency; interfaces are few, so counting is enough. */
static const struct net_row *nic_ranked(const struct pane_input *in, uint32_t place)
{
	const struct net_row *rows = FRAME_ROWS(in->frame, net, NET);
	uint32_t n = in->frame->sec[SEC_NET].nrows;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t before = 0;
		for (uint32_t j = 0; j < n; j++) {
			double a = urgency(in, &rows[j]), b = urgency(in, &rows[i]);
			before += a > b || (!(a < b) && j < i);
		}
		if (before == place)
			return &rows[i];
	}
	return NULL;
}

static void draw_nic(const struct pane_input *in, struct canvas *c, int row, const struct net_row *n)
{
	int at = 0;

	for (size_t i = 0; i < ARRAY_LEN(nic_columns); i++) {
		const struct nic_column *k = &nic_columns[i];
		const struct field_desc *d = &section_descs[SEC_NET].fields[k->field];
		if (c->cols < k->min_cols)
			continue;
		if (!n)
			canvas_field(c, row, at, k->width, d->kind != KIND_text, k->heading, STYLE_HEAD);
		else if (d->kind == KIND_text)
			canvas_field(c, row, at, k->width, false, field_text_of(d, n, 0, c->arena),
				     is_in_scope(in, n) ? STYLE_LINK : STYLE_PLAIN);
		else
			canvas_number(c, row, at, k->width, d->unit, field_number(d, n),
				      style_of(field_number(d, n), k->warn, k->bad));
		at += k->width + 1;
	}
}

/* Error counters that move now, on one row: they would drown among those that stand still. */
static void draw_errors(const struct pane_input *in, struct canvas *c, int row)
{
	const struct netcount_row *rows = FRAME_ROWS(in->frame, netcount, NETCOUNT);
	int at = canvas_put(c, row, 0, TEXT("rising now"), STYLE_DIM) + 2;
	uint32_t n = 0, hidden = 0;

	for (uint32_t i = 0; i < in->frame->sec[SEC_NETCOUNT].nrows; i++) {
		struct item it = { rows[i].name, UNIT_PER_S, rows[i].per_s, 0, 1e-9, TEXT_UNKNOWN };
		if (rows[i].is_error != 1 || !(rows[i].per_s > 0))
			continue;
		int end = draw_items(c, row, at, c->cols - at - 9, &it, 1);
		hidden += end == at;
		at = end;
		n++;
	}
	if (hidden)
		draw_textf(c, row, at, STYLE_BAD, "+%u more", hidden);
	else if (n)
		return;
	else if (in->frame->sec[SEC_NETCOUNT].state == SEC_OK)
		canvas_put(c, row, at, TEXT("none"), STYLE_GOOD);
	else
		draw_reason(in, c, row, at, SEC_NETCOUNT);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	uint32_t n = in->frame->sec[SEC_NET].nrows;
	int at = 1;

	(void)view;
	draw_nic(in, c, 0, NULL);
	int last = c->rows - 1;
	bool has_history = c->rows >= 6, has_errors = c->rows >= 4;
	for (uint32_t i = 0; i < n && at <= last - (has_history ? 4 : has_errors ? 2 : 0); i++, at++)
		draw_nic(in, c, at, nic_ranked(in, i));
	uint32_t hidden = n - (uint32_t)(at - 1);
	if (has_history && n) {
		const struct net_row *first = nic_ranked(in, 0);
		draw_history_line(in, c, at,
				  text_printf(c->arena, "%.*s rx", TEXT_ARG(text_clip(first->name, 11))),
				  SEC_NET, first, NET_rx_bytes_per_s, 0);
		draw_history_line(in, c, at + 1,
				  text_printf(c->arena, "%.*s tx", TEXT_ARG(text_clip(first->name, 11))),
				  SEC_NET, first, NET_tx_bytes_per_s, 0);
	}
	if (!has_errors)
		return;
	draw_errors(in, c, last - 1);
	canvas_put(c, last, 0, TEXT("PROTOCOL COUNTERS"), STYLE_HEAD);
	if (hidden)
		draw_textf(c, last, 20, STYLE_DIM, "%u quieter interfaces not shown", hidden);
}

static enum style counter_style(const struct pane_input *in, const void *row)
{
	const struct netcount_row *r = row;

	(void)in;
	return r->is_error == 1 && r->per_s > 0 ? STYLE_BAD : r->per_s > 0 ? STYLE_PLAIN : STYLE_DIM;
}

static struct text verdict_cell(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct netcount_row *r = row;

	(void)in;
	(void)a;
	return r->is_error != 1 ? TEXT("traffic")
	       : r->per_s > 0   ? TEXT("trouble, rising !")
				: TEXT("trouble if it rises");
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("COUNTER"), .field = NETCOUNT_name, .width = 28 },
	{ .heading = TEXT_INIT("RATE/s"), .field = NETCOUNT_per_s, .width = 10 },
	{ .heading = TEXT_INIT("SINCE BOOT"), .field = NETCOUNT_value_total, .width = 16 },
	{ .heading = TEXT_INIT("MEANS"), .field = NETCOUNT_is_error, .width = 0, .cell = verdict_cell },
};

static const struct table table = {
	.sec = SEC_NETCOUNT,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 3,
	.key = { NETCOUNT_name, NETCOUNT_name },
	.style = counter_style,
};

const struct pane pane_net = {
	.name = "net",
	.title = TEXT_INIT("NETWORK"),
	.rung = 2,
	.needs = SEC_BIT(SEC_NET),
	.wants = SEC_BIT(SEC_NETCOUNT),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
};
