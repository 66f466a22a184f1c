/* A histogram now, its percentiles, and a heat map of the same slots over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "panes/draw_family.h"

#define KEYS_MAX      256
#define SLOTS_MAX     512
#define HEAT_COLS_MAX 120

/** One line: a slot, or the gap between two slots without values. */
struct line {
	uint32_t slot; /* U32_UNKNOWN: a gap */
	int64_t low, high;
	uint64_t count;
};

static uint32_t keys_of(const struct pane_input *in, uint32_t probe_id,
			const struct hist_row *keys[static KEYS_MAX])
{
	const struct hist_row *rows = FRAME_ROWS(in->frame, hist, HIST);
	uint32_t n = 0;

	for (uint32_t i = 0; i < in->frame->sec[SEC_HIST].nrows; i++) {
		uint32_t at = 0;
		if (rows[i].probe_id != probe_id)
			continue;
		while (at < n &&
		       !(text_eq(keys[at]->key, rows[i].key) && text_eq(keys[at]->name, rows[i].name)))
			at++;
		if (at == n && n < KEYS_MAX)
			keys[n++] = &rows[i];
	}
	return n;
}

static bool is_of(const struct hist_row *row, const struct hist_row *key)
{
	return row->probe_id == key->probe_id && text_eq(row->key, key->key) && text_eq(row->name, key->name);
}

static int by_slot(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Slots in order with a line for each gap, so that two humps do not read as one. */
static uint32_t lines_of(const struct pane_input *in, const struct hist_row *key,
			 struct line lines[static SLOTS_MAX])
{
	const struct hist_row *rows = FRAME_ROWS(in->frame, hist, HIST);
	uint32_t n = 0, out = 0;
	struct line raw[SLOTS_MAX / 2];

	for (uint32_t i = 0; i < in->frame->sec[SEC_HIST].nrows && n < ARRAY_LEN(raw); i++)
		if (is_of(&rows[i], key) && rows[i].count != U64_UNKNOWN)
			raw[n++] = (struct line){ rows[i].slot, rows[i].low, rows[i].high, rows[i].count };
	qsort(raw, n, sizeof(*raw), by_slot);
	for (uint32_t i = 0; i < n; i++) {
		if (i && raw[i].slot > raw[i - 1].slot + 1)
			lines[out++] = (struct line){ U32_UNKNOWN, raw[i - 1].high, raw[i].low, 0 };
		lines[out++] = raw[i];
	}
	return out;
}

static struct text bound(struct arena *a, enum unit u, int64_t v)
{
	struct fmt_buf b;

	return text_copy(a, fmt_i64(&b, u, v, 0));
}

/* The first bound that at least that share of all values is below. */
static struct text below(struct arena *a, enum unit u, const struct line *lines, uint32_t n, double share)
{
	uint64_t total = 0, seen = 0;

	for (uint32_t i = 0; i < n; i++)
		total += lines[i].count;
	for (uint32_t i = 0; i < n; i++) {
		seen += lines[i].count;
		if (total && (double)seen >= share * (double)total)
			return text_printf(a, "<%.*s", TEXT_ARG(bound(a, u, lines[i].high)));
	}
	return TEXT("-");
}

static void draw_summary(const struct probe_row *p, struct canvas *c, const struct line *lines, uint32_t n,
			 const struct hist_row *key, uint32_t at, uint32_t nkeys)
{
	enum unit u = probe_unit(p);
	double total = 0;

	for (uint32_t i = 0; i < n; i++)
		total += (double)lines[i].count;
	struct item items[] = {
		{ TEXT("values"), UNIT_COUNT, total, 0, 0, TEXT_UNKNOWN },
		{ TEXT("half"), UNIT_NONE, F64_UNKNOWN, 0, 0, below(c->arena, u, lines, n, 0.5) },
		{ TEXT("p95"), UNIT_NONE, F64_UNKNOWN, 0, 0, below(c->arena, u, lines, n, 0.95) },
		{ TEXT("p99"), UNIT_NONE, F64_UNKNOWN, 0, 0, below(c->arena, u, lines, n, 0.99) },
		{ TEXT("all"), UNIT_NONE, F64_UNKNOWN, 0, 0, below(c->arena, u, lines, n, 1) },
	};
	int col = 0;
	if (key->name.len || key->key.len) {
		struct text who =
			text_printf(c->arena, "%.*s[%.*s]", TEXT_ARG(key->name), TEXT_ARG(key->key));
		col = canvas_put(c, 0, 0, key->key.len ? who : key->name, STYLE_HEAD) + 2;
	}
	if (nkeys > 1)
		col = draw_textf(c, 0, col, STYLE_DIM, "%u of %u (up, down)", at + 1, nkeys) + 2;
	draw_items(c, 0, col, c->cols - col, items, ARRAY_LEN(items));
}

/* Largest value of one frame's new counts, over the frames shown: what a full cell stands for. */
static double heat_max(const struct pane_input *in, const struct hist_row *key, int cols)
{
	double max = 0;

	for (int i = 0; i < cols; i++) {
		const struct frame *f = i ? history_at(in->history, in->age + (uint32_t)i) : in->frame;
		const struct hist_row *rows = f ? FRAME_ROWS(f, hist, HIST) : NULL;
		for (uint32_t r = 0; f && r < f->sec[SEC_HIST].nrows; r++)
			if (is_of(&rows[r], key) && rows[r].delta != U64_UNKNOWN &&
			    (double)rows[r].delta > max)
				max = (double)rows[r].delta;
	}
	return max;
}

static void draw_heat_map(const struct pane_input *in, struct canvas *c, const struct hist_row *key,
			  const struct line *lines, uint32_t n)
{
	int cols = c->cols < HEAT_COLS_MAX ? c->cols : HEAT_COLS_MAX;
	uint32_t past = in->history && in->history->len > in->age ? in->history->len - in->age : 1;

	if ((uint32_t)cols > past)
		cols = (int)past;
	double max = heat_max(in, key, cols);
	for (int i = 0; i < cols && max > 0; i++) {
		const struct frame *f = i ? history_at(in->history, in->age + (uint32_t)i) : in->frame;
		const struct hist_row *rows = f ? FRAME_ROWS(f, hist, HIST) : NULL;
		for (uint32_t r = 0; f && r < f->sec[SEC_HIST].nrows; r++) {
			if (!is_of(&rows[r], key) || rows[r].delta == U64_UNKNOWN || !rows[r].delta)
				continue;
			for (uint32_t l = 0; l < n; l++)
				if (lines[l].slot == rows[r].slot)
					canvas_put(c, (int)l, c->cols - 1 - i,
						   draw_heat(c, 100 * (double)rows[r].delta / max),
						   STYLE_GOOD);
		}
	}
}

static void draw_lines(const struct pane_input *in, const struct probe_row *p, struct canvas *c,
		       const struct hist_row *key, const struct line *lines, uint32_t n)
{
	int heat = c->cols >= 140 ? 60 : c->cols >= 100 ? 40 : c->cols >= 70 ? 26 : 0;
	int bar = c->cols - 31 - (heat ? heat + 2 : 0);
	uint64_t most = 1, total = 0;

	for (uint32_t i = 0; i < n; i++) {
		total += lines[i].count;
		if (lines[i].count > most)
			most = lines[i].count;
	}
	for (uint32_t i = 0; i < n; i++) {
		enum unit u = probe_unit(p);
		struct text range =
			text_printf(c->arena, "%.*s..%.*s", TEXT_ARG(bound(c->arena, u, lines[i].low)),
				    TEXT_ARG(bound(c->arena, u, lines[i].high)));
		canvas_field(c, (int)i, 0, 16, true, range, lines[i].count ? STYLE_PLAIN : STYLE_DIM);
		canvas_number(c, (int)i, 17, 7, UNIT_COUNT, (double)lines[i].count, STYLE_PLAIN);
		canvas_number(c, (int)i, 25, 5, UNIT_PCT,
			      total ? 100 * (double)lines[i].count / (double)total : 0, STYLE_DIM);
		if (bar > 0 && lines[i].count)
			canvas_bar(c, (int)i, 31, bar, 100 * (double)lines[i].count / (double)most,
				   STYLE_PLAIN);
	}
	if (heat) {
		struct canvas map = canvas_sub(c, 0, c->cols - heat, (int)n, heat);
		draw_heat_map(in, &map, key, lines, n);
	}
}

static void draw(const struct pane_input *in, const struct probe_row *p, const struct family_view *v,
		 struct text arg, struct canvas *c)
{
	const struct hist_row *keys[KEYS_MAX];
	struct line lines[SLOTS_MAX];
	uint32_t nkeys = keys_of(in, p->id, keys), hidden = 0;

	(void)arg;
	if (!nkeys) {
		draw_nothing(in, p, SEC_HIST, c,
			     TEXT("no value yet: nothing of the kind has happened since it started"));
		return;
	}
	uint32_t at = v->place < nkeys ? v->place : nkeys - 1;
	uint32_t n = lines_of(in, keys[at], lines);
	draw_summary(p, c, lines, n, keys[at], at, nkeys);
	struct text span = text_printf(c->arena, "new values per sample, last %.*s",
				       TEXT_ARG(number_text(c->arena, UNIT_NS, (double)series_span_ns(in))));
	canvas_field(c, 1, 0, 16, true, TEXT("FROM..BELOW"), STYLE_HEAD);
	canvas_field(c, 1, 17, 7, true, TEXT("COUNT"), STYLE_HEAD);
	canvas_field(c, 1, 25, 5, true, TEXT("SHARE"), STYLE_HEAD);
	if (c->cols >= 70 && series_span_ns(in))
		canvas_field(c, 1, 31, c->cols - 31, true, span, STYLE_DIM);
	/* The long tail is what hurts: when there is no room, the short end goes. */
	struct canvas body = canvas_sub(c, 2, 0, c->rows - 2, c->cols);
	if (body.rows > 0 && n > (uint32_t)body.rows)
		hidden = n - (uint32_t)body.rows;
	draw_lines(in, p, &body, keys[at], lines + hidden, n - hidden);
	if (hidden)
		draw_textf(c, 1, 0, STYLE_WARN, "%u shorter hidden", hidden);
}

static enum reply act(const struct pane_input *in, const struct probe_row *p, struct family_view *v,
		      struct text arg, enum action a)
{
	const struct hist_row *keys[KEYS_MAX];
	struct list_view list = { v->place };

	(void)arg;
	enum reply r = list_act(&list, a, keys_of(in, p->id, keys));
	v->place = list.cursor;
	return r;
}

const struct family family_hist = { .name = "hist", .sec = SEC_HIST, .draw = draw, .act = act };
