/* Labelled numbers, history sparks, reasons and lists, as every pane draws them. */
#include "panes/draw_bits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SPARK_COLS_MAX 256

enum style style_of(double value, double warn, double bad)
{
	if (isnan(value))
		return STYLE_DIM;
	if (bad > 0 && value >= bad)
		return STYLE_BAD;
	if (warn > 0 && value >= warn)
		return STYLE_WARN;
	return STYLE_PLAIN;
}

struct text number_text(struct arena *a, enum unit u, double value)
{
	struct fmt_buf b;
	struct text t = fmt_f64(&b, u, value, 0);

	if (isnan(value) || (u != UNIT_PER_S && u != UNIT_BYTES_PER_S && u != UNIT_HZ))
		return text_copy(a, t);
	return text_printf(a, "%.*s%s", TEXT_ARG(t), u == UNIT_HZ ? " Hz" : "/s");
}

int draw_items(struct canvas *c, int row, int col, int width, const struct item *items, uint32_t n)
{
	int end = col + width, at = col;

	for (uint32_t i = 0; i < n; i++) {
		const struct item *it = &items[i];
		struct text value = it->word.utf8 ? it->word : number_text(c->arena, it->unit, it->value);
		enum style s = style_of(it->value, it->warn, it->bad);
		if (it->word.utf8 && isnan(it->value))
			s = STYLE_PLAIN;
		int need = (int)(it->label.cols + (it->label.cols ? 1 : 0) + value.cols) + (s == STYLE_BAD);
		if (at + need > end)
			break;
		if (it->label.cols)
			at = canvas_put(c, row, at, it->label, STYLE_DIM) + 1;
		at = canvas_put(c, row, at, value, s);
		if (s == STYLE_BAD)
			at = canvas_put(c, row, at, TEXT("!"), s);
		at += 2;
	}
	return at;
}

int draw_textf(struct canvas *c, int row, int col, enum style s, const char *fmt, ...)
{
	char raw[512];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	if (n < 0)
		return col;
	return canvas_put(c, row, col, text_clean_str(c->arena, raw), s);
}

int draw_reason(const struct pane_input *in, struct canvas *c, int row, int col, enum frame_sec sec)
{
	const struct section *s = &in->frame->sec[sec];

	if (s->state == SEC_OK)
		return 0;
	int at = draw_textf(c, row, col, STYLE_WARN, "%s %s", section_descs[sec].name,
			    sec_state_name(s->state));
	if (s->why.len) {
		at = canvas_put(c, row, at, TEXT(": "), STYLE_DIM);
		canvas_field(c, row, at, c->cols - at, false, s->why, STYLE_PLAIN);
	}
	return 1;
}

int draw_wrapped(struct canvas *c, int row, int col, int rows, struct text t, enum style s)
{
	int used = 0, width = c->cols - col;

	while (t.len && used < rows && width > 0) {
		struct text line = text_clip(t, (uint32_t)width);
		uint32_t cut = line.len;
		if (cut == t.len || used + 1 == rows) {
			canvas_field(c, row + used++, col, width, false, t, s);
			break;
		}
		while (cut > 0 && t.utf8[cut] != ' ')
			cut--;
		if (!cut)
			cut = line.len;
		if (!cut)
			break;
		canvas_put(c, row + used++, col, text_clean(c->arena, t.utf8, cut), s);
		while (cut < t.len && t.utf8[cut] == ' ')
			cut++;
		t = text_skip(t, cut);
	}
	return used;
}

int draw_reason_wrapped(const struct pane_input *in, struct canvas *c, int row, int rows, enum frame_sec sec)
{
	const struct section *s = &in->frame->sec[sec];

	if (s->state == SEC_OK)
		return 0;
	struct text t = text_printf(c->arena, "%s %s%s%.*s", section_descs[sec].name,
				    sec_state_name(s->state), s->why.len ? ": " : "", TEXT_ARG(s->why));
	return draw_wrapped(c, row, 0, rows, t, STYLE_WARN);
}

/* Identity of rows: the first field of each section names the row; processes also by their start. */
static bool is_same_row(enum frame_sec sec, const void *a, const void *b)
{
	const struct field_desc *d = &section_descs[sec].fields[0];

	if (d->kind == KIND_text) {
		const struct text *x = (const void *)((const char *)a + d->offset);
		const struct text *y = (const void *)((const char *)b + d->offset);
		return text_eq(*x, *y);
	}
	double x = field_number(d, a), y = field_number(d, b);
	if (x < y || x > y || isnan(x) != isnan(y))
		return false;
	if (sec != SEC_TASK)
		return true;
	return ((const struct task_row *)a)->start_ns == ((const struct task_row *)b)->start_ns;
}

/* The row in another frame; hint is where it was found last, as most rows keep their place. */
static const void *same_row_in(const struct frame *f, enum frame_sec sec, const void *row, uint32_t *hint)
{
	const struct section *s = &f->sec[sec];

	if (sec == SEC_SYS || sec == SEC_MEM || sec == SEC_HOST || sec == SEC_PROFSTAT)
		return frame_row(f, sec, 0);
	if (*hint < s->nrows && is_same_row(sec, row, frame_row(f, sec, *hint)))
		return frame_row(f, sec, *hint);
	for (uint32_t i = 0; i < s->nrows; i++)
		if (is_same_row(sec, row, frame_row(f, sec, i))) {
			*hint = i;
			return frame_row(f, sec, i);
		}
	return NULL;
}

void series_of(const struct pane_input *in, enum frame_sec sec, const void *row, uint32_t field,
	       double *values, int n)
{
	uint32_t hint = 0;

	if (n <= 0)
		return;
	int group = (SERIES_SAMPLES + n - 1) / n;
	for (int i = 0; i < n; i++)
		values[i] = F64_UNKNOWN;
	for (int i = 0; row && i < n * group && i < SERIES_SAMPLES; i++) {
		const struct frame *f = i ? NULL : in->frame;
		if (i && in->history)
			f = history_at(in->history, in->age + (uint32_t)i);
		if (!f)
			break;
		const void *at = i ? same_row_in(f, sec, row, &hint) : row;
		double v = at ? field_number(&section_descs[sec].fields[field], at) : F64_UNKNOWN;
		double *cell = &values[n - 1 - i / group];
		if (isnan(*cell) || v > *cell)
			*cell = v;
	}
}

uint64_t series_span_ns(const struct pane_input *in)
{
	uint32_t len = in->history ? in->history->len : 0;
	uint32_t past = len > in->age ? len - in->age - 1 : 0;
	const struct frame *oldest =
		past ? history_at(in->history, in->age + (past < SERIES_SAMPLES ? past : SERIES_SAMPLES - 1))
		     : NULL;

	return oldest && oldest->mono_ns < in->frame->mono_ns ? in->frame->mono_ns - oldest->mono_ns : 0;
}

static double largest(const double *values, int n)
{
	double max = 0;

	for (int i = 0; i < n; i++)
		if (values[i] > max)
			max = values[i];
	return max;
}

void draw_history(const struct pane_input *in, struct canvas *c, int row, int col, int width,
		  enum frame_sec sec, const void *row_of, uint32_t field, double max, enum style s)
{
	double values[SPARK_COLS_MAX];
	int n = width < SERIES_SAMPLES ? width : SERIES_SAMPLES;

	if (n <= 0)
		return;
	series_of(in, sec, row_of, field, values, n);
	double top = largest(values, n);
	canvas_spark(c, row, col + width - n, values, n, max > top ? max : top > 0 ? top : 1, s);
}

void draw_history_line(const struct pane_input *in, struct canvas *c, int row, struct text label,
		       enum frame_sec sec, const void *row_of, uint32_t field, double max)
{
	const struct field_desc *d = &section_descs[sec].fields[field];
	double values[SPARK_COLS_MAX];
	int n = c->cols - 34 < SERIES_SAMPLES ? c->cols - 34 : SERIES_SAMPLES;

	canvas_field(c, row, 0, 15, false, label, STYLE_DIM);
	canvas_field(c, row, 15, 8, true,
		     number_text(c->arena, d->unit, row_of ? field_number(d, row_of) : F64_UNKNOWN),
		     STYLE_PLAIN);
	if (n < 4 || !row_of)
		return;
	uint64_t span_ns = series_span_ns(in);
	series_of(in, sec, row_of, field, values, n);
	double top = largest(values, n);
	canvas_spark(c, row, 24, values, n, max > top ? max : top > 0 ? top : 1, STYLE_GOOD);
	if (span_ns)
		draw_textf(c, row, 25 + n, STYLE_DIM, "%.*s",
			   TEXT_ARG(number_text(c->arena, UNIT_NS, (double)span_ns)));
}

struct text draw_heat(const struct canvas *c, double pct)
{
	static const struct text ascii[] = { TEXT_INIT("."), TEXT_INIT(":"), TEXT_INIT("-"), TEXT_INIT("="),
					     TEXT_INIT("+"), TEXT_INIT("*"), TEXT_INIT("%"), TEXT_INIT("#") };
	static const struct text blocks[] = { { "\xe2\x96\x81", 3, 1 }, { "\xe2\x96\x82", 3, 1 },
					      { "\xe2\x96\x83", 3, 1 }, { "\xe2\x96\x84", 3, 1 },
					      { "\xe2\x96\x85", 3, 1 }, { "\xe2\x96\x86", 3, 1 },
					      { "\xe2\x96\x87", 3, 1 }, { "\xe2\x96\x88", 3, 1 } };
	int level = pct >= 100 ? 7 : pct > 0 ? (int)(pct / 12.5) : 0;

	if (isnan(pct))
		return TEXT("?");
	return c->is_ascii ? ascii[level] : blocks[level];
}

enum reply list_act(struct list_view *v, enum action a, uint32_t n)
{
	int64_t at = list_at(v, n);

	switch (a) {
	case ACT_UP:
		at -= 1;
		break;
	case ACT_DOWN:
		at += 1;
		break;
	case ACT_PAGE_UP:
		at -= 15;
		break;
	case ACT_PAGE_DOWN:
		at += 15;
		break;
	case ACT_HALF_UP:
		at -= 8;
		break;
	case ACT_HALF_DOWN:
		at += 8;
		break;
	case ACT_TOP:
		at = 0;
		break;
	case ACT_BOTTOM:
		at = (int64_t)n - 1;
		break;
	default:
		return REPLY_IGNORED;
	}
	if (at >= (int64_t)n)
		at = (int64_t)n - 1;
	v->cursor = at < 0 ? 0 : (uint32_t)at;
	return REPLY_REDRAW;
}

uint32_t list_at(const struct list_view *v, uint32_t n)
{
	return v->cursor < n ? v->cursor : n ? n - 1 : 0;
}

uint32_t list_top(const struct list_view *v, uint32_t n, int rows)
{
	uint32_t at = list_at(v, n), room = rows > 0 ? (uint32_t)rows : 1;

	if (n <= room || at < room / 2)
		return 0;
	return at - room / 2 > n - room ? n - room : at - room / 2;
}

void draw_more(struct canvas *c, uint32_t hidden)
{
	struct text t = text_printf(c->arena, " %u more below ", hidden);

	if (hidden && c->cols > (int)t.cols)
		canvas_put(c, c->rows - 1, c->cols - (int)t.cols, t, STYLE_DIM);
}
