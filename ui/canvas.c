#include "ui/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What canvas_new() allocates: the window that covers the grid, and the grid's arena. */
struct canvas_whole {
	struct canvas c;
	struct arena arena;
};

static const struct cell blank = { .utf8 = " ", .len = 1, .style = STYLE_PLAIN };

struct canvas *canvas_new(int rows, int cols)
{
	struct canvas_whole *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->c.rows = rows > 0 ? rows : 0;
	w->c.cols = cols > 0 ? cols : 0;
	w->c.stride = w->c.cols;
	w->c.arena = &w->arena;
	w->c.cells = calloc((size_t)w->c.rows * (size_t)w->c.cols + 1, sizeof(struct cell));
	if (!w->c.cells) {
		free(w);
		return NULL;
	}
	canvas_clear(&w->c);
	return &w->c;
}

void canvas_free(struct canvas *c)
{
	struct canvas_whole *w = (struct canvas_whole *)c;

	if (!w)
		return;
	arena_fini(&w->arena);
	free(w->c.cells);
	free(w);
}

static struct cell *cell_at(const struct canvas *c, int row, int col)
{
	return c->cells + (ptrdiff_t)row * c->stride + col;
}

void canvas_blank(struct canvas *c)
{
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++)
			*cell_at(c, row, col) = blank;
}

void canvas_clear(struct canvas *c)
{
	canvas_blank(c);
	arena_reset(c->arena);
}

struct canvas canvas_sub(const struct canvas *c, int row, int col, int rows, int cols)
{
	struct canvas sub = *c;

	row = row < 0 ? 0 : row > c->rows ? c->rows : row;
	col = col < 0 ? 0 : col > c->cols ? c->cols : col;
	sub.rows = rows < 0 ? 0 : rows > c->rows - row ? c->rows - row : rows;
	sub.cols = cols < 0 ? 0 : cols > c->cols - col ? c->cols - col : cols;
	sub.cells = cell_at(c, row, col);
	return sub;
}

/* Writing over half of a wide glyph blanks its other half. */
static void cell_set(struct canvas *c, int row, int col, const char *utf8, uint32_t len, enum style s)
{
	struct cell *cell = cell_at(c, row, col);

	if (!cell->len && col > 0)
		memcpy(cell[-1].utf8, " ", 2), cell[-1].len = 1;
	if (cell->len > 1 && col + 1 < c->cols && !cell[1].len)
		cell[1] = blank;
	if (len > sizeof(cell->utf8))
		len = 0;
	memcpy(cell->utf8, utf8, len);
	cell->len = (uint8_t)len;
	cell->style = (uint8_t)s;
}

static int put_glyph(struct canvas *c, int row, int col, struct text t, uint32_t len, uint32_t cols, enum style s)
{
	struct cell probe;

	if (c->is_ascii && len > 1) {
		for (uint32_t i = 0; i < cols; i++)
			cell_set(c, row, col + (int)i, "?", 1, s);
		return col + (int)cols;
	}
	/* More combining marks than a cell holds: keep the letter, drop marks at a code point's start. */
	while (len > sizeof(probe.utf8)) {
		len--;
		while (len > 1 && ((unsigned char)t.utf8[len] & 0xc0) == 0x80)
			len--;
	}
	cell_set(c, row, col, t.utf8, len, s);
	if (cols == 2)
		cell_set(c, row, col + 1, "", 0, s);
	return col + (int)cols;
}

int canvas_put(struct canvas *c, int row, int col, struct text t, enum style s)
{
	if (row < 0 || row >= c->rows || !t.utf8)
		return col;
	if (col < 0) { /* nothing starts left of the window; what would is cut there */
		struct text hidden = text_clip(t, (uint32_t)-col);
		t = text_skip(t, hidden.len);
		col = 0;
	}
	while (t.len && col < c->cols) {
		uint32_t cols, len = text_glyph(t, &cols);
		if (col + (int)cols > c->cols)
			break;
		if (cols)
			col = put_glyph(c, row, col, t, len, cols, s);
		t.utf8 += len;
		t.len -= len;
	}
	return col;
}

int canvas_field(struct canvas *c, int row, int col, int width, bool is_right, struct text t, enum style s)
{
	if (width <= 0)
		return col;
	if (t.cols > (uint32_t)width) {
		int end = canvas_put(c, row, col, text_clip(t, (uint32_t)width - 1), s);
		canvas_put(c, row, end, TEXT("~"), s);
	} else {
		canvas_put(c, row, is_right ? col + width - (int)t.cols : col, t, s);
	}
	return col + width;
}

int canvas_number(struct canvas *c, int row, int col, int width, enum unit u, double value, enum style s)
{
	struct fmt_buf b;

	if (width <= 0)
		return col;
	return canvas_field(c, row, col, width, true, fmt_f64(&b, u, value, (uint32_t)width),
			    isnan(value) ? STYLE_DIM : s);
}

/* Eighths of a cell, from the left for bars and from below for sparks. */
static const char *const bar_eighths[] = { "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589", "\u2588" };
static const char *const spark_eighths[] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
static const char *const spark_ascii[] = { ".", ":", "|" };

/* Our own glyph, already known to be one column wide. */
static void put_own(struct canvas *c, int row, int col, const char *utf8, enum style s)
{
	if (row >= 0 && row < c->rows && col >= 0 && col < c->cols)
		cell_set(c, row, col, utf8, (uint32_t)strlen(utf8), s);
}

int canvas_bar(struct canvas *c, int row, int col, int width, double pct, enum style s)
{
	if (width <= 0)
		return col;
	double full = isnan(pct) ? 0 : pct < 0 ? 0 : pct > 100 ? 100 : pct;
	int eighths = (int)lround(full / 100 * width * 8);

	if (c->is_ascii)
		eighths = (int)lround(full / 100 * width) * 8;
	/* Something is never shown as nothing. */
	if (full > 0 && !eighths)
		eighths = c->is_ascii ? 8 : 1;
	for (int i = 0; i < width; i++) {
		int part = eighths - i * 8;
		if (isnan(pct))
			put_own(c, row, col + i, "?", STYLE_DIM);
		else if (part <= 0)
			put_own(c, row, col + i, c->is_ascii ? "." : "\u00b7", STYLE_DIM);
		else
			put_own(c, row, col + i, c->is_ascii ? "#" : bar_eighths[part > 8 ? 8 : part], s);
	}
	return col + width;
}

int canvas_spark(struct canvas *c, int row, int col, const double *values, int n, double max, enum style s)
{
	int nlevels = c->is_ascii ? (int)ARRAY_LEN(spark_ascii) : (int)ARRAY_LEN(spark_eighths);

	for (int i = 0; i < n; i++) {
		double v = values[i];
		if (isnan(v)) {
			put_own(c, row, col + i, " ", STYLE_DIM);
			continue;
		}
		double share = max > 0 ? v / max : 0;
		share = share < 0 ? 0 : share > 1 ? 1 : share;
		int level = (int)(share * nlevels);
		level = level >= nlevels ? nlevels - 1 : level;
		put_own(c, row, col + i, c->is_ascii ? spark_ascii[level] : spark_eighths[level], s);
	}
	return col + n;
}

void canvas_style(struct canvas *c, int row, int col, int width, enum style s)
{
	if (row < 0 || row >= c->rows)
		return;
	for (int i = col < 0 ? 0 : col; i < c->cols && i < col + width; i++)
		cell_at(c, row, i)->style = (uint8_t)s;
}

static void dump_row(const struct canvas *c, int row, FILE *out)
{
	int end = c->cols;

	while (end && cell_at(c, row, end - 1)->len == 1 && cell_at(c, row, end - 1)->utf8[0] == ' ')
		end--;
	for (int col = 0; col < end; col++) {
		const struct cell *cell = cell_at(c, row, col);
		fwrite(cell->utf8, 1, cell->len, out);
	}
	fputc('\n', out);
}

void canvas_dump(const struct canvas *c, FILE *out, bool with_styles)
{
	static const char letters[STYLE_COUNT + 1] = ".hdgwbsl";

	for (int row = 0; row < c->rows; row++)
		dump_row(c, row, out);
	for (int row = 0; with_styles && row < c->rows; row++) {
		int end = c->cols;
		while (end && cell_at(c, row, end - 1)->style == STYLE_PLAIN)
			end--;
		for (int col = 0; col < end; col++)
			fputc(letters[cell_at(c, row, col)->style], out);
		fputc('\n', out);
	}
}
