/* Stacks by weight: the innermost function first, then who called it. */
#include <stdlib.h>
#include <string.h>

#include "panes/draw_family.h"

#define STACKS_MAX 2048

static int by_count(const void *a, const void *b)
{
	const struct stacks_row *x = *(const struct stacks_row *const *)a,
				*y = *(const struct stacks_row *const *)b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return text_cmp(x->stack, y->stack);
}

static uint32_t gather(const struct pane_input *in, const struct probe_row *p, const struct stacks_row **out,
		       uint32_t *left_out)
{
	const struct stacks_row *rows = FRAME_ROWS(in->frame, stacks, STACKS);
	uint32_t n = 0;

	*left_out = 0;
	for (uint32_t i = 0; i < in->frame->sec[SEC_STACKS].nrows; i++) {
		if (rows[i].probe_id != p->id)
			continue;
		if (n < STACKS_MAX)
			out[n++] = &rows[i];
		else
			++*left_out;
	}
	qsort(out, n, sizeof(*out), by_count);
	return n;
}

/* Frames come outermost first; the screen starts at the other end, where the time is spent. */
static int draw_stack(struct canvas *c, int row, int col, struct text stack)
{
	uint32_t end = stack.len;

	while (end > 0 && col < c->cols) {
		uint32_t from = end;
		while (from > 0 && stack.utf8[from - 1] != ';')
			from--;
		struct text frame = text_clean(c->arena, stack.utf8 + from, end - from);
		col = canvas_put(c, row, col, frame, end == stack.len ? STYLE_PLAIN : STYLE_DIM);
		end = from ? from - 1 : 0;
		if (end)
			col = canvas_put(c, row, col, TEXT(" < "), STYLE_DIM);
	}
	return col;
}

static void draw(const struct pane_input *in, const struct probe_row *p, const struct family_view *v,
		 struct text arg, struct canvas *c)
{
	const struct stacks_row **rows = arena_array(c->arena, STACKS_MAX, sizeof(const struct stacks_row *));
	double total = 0;
	uint32_t left_out;

	(void)arg;
	if (!rows)
		return;
	uint32_t n = gather(in, p, rows, &left_out);
	if (!n) {
		draw_nothing(in, p, SEC_STACKS, c, TEXT("no stack yet"));
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		total += rows[i]->count == U64_UNKNOWN ? 0 : (double)rows[i]->count;
	canvas_put(c, 0, 0, TEXT("   COUNT SHARE COMM            INNERMOST < CALLERS"), STYLE_HEAD);
	struct list_view list = { v->place };
	struct canvas body = canvas_sub(c, 1, 0, c->rows - 1, c->cols);
	uint32_t top = list_top(&list, n, body.rows), room = body.rows > 0 ? (uint32_t)body.rows : 0;
	for (uint32_t i = top; i < n && i - top < room; i++) {
		int row = (int)(i - top);
		double count = rows[i]->count == U64_UNKNOWN ? F64_UNKNOWN : (double)rows[i]->count;
		canvas_number(&body, row, 0, 8, UNIT_COUNT, count, STYLE_PLAIN);
		canvas_number(&body, row, 9, 5, UNIT_PCT, total > 0 ? 100 * count / total : F64_UNKNOWN,
			      STYLE_DIM);
		canvas_field(&body, row, 15, 15, false, rows[i]->comm, STYLE_PLAIN);
		draw_stack(&body, row, 31, rows[i]->stack);
		if (i == list_at(&list, n))
			canvas_style(&body, row, 0, body.cols, STYLE_SELECT);
	}
	draw_more(&body, (n - top > room ? n - top - room : 0) + left_out);
}

static enum reply act(const struct pane_input *in, const struct probe_row *p, struct family_view *v,
		      struct text arg, enum action a)
{
	const struct stacks_row *rows = FRAME_ROWS(in->frame, stacks, STACKS);
	struct list_view list = { v->place };
	uint32_t n = 0;

	(void)arg;
	for (uint32_t i = 0; i < in->frame->sec[SEC_STACKS].nrows && n < STACKS_MAX; i++)
		n += rows[i].probe_id == p->id;
	enum reply r = list_act(&list, a, n);
	v->place = list.cursor;
	return r;
}

const struct family family_stacks = { .name = "stacks", .sec = SEC_STACKS, .draw = draw, .act = act };
