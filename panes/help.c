/* The keys that work in the pane beneath, from the live keymap: nothing here can go out of date. */
#include "panes/draw_bits.h"
#include "ui/keymap.h"

struct help_view {
	uint32_t top; /* first line drawn */
};

/** One binding as the keymap tells it. */
struct binding {
	const char *keys, *help;
};

static uint32_t bindings_of(const struct pane_input *in, struct binding *out, uint32_t max)
{
	const struct pane *p = in->prev_pane;
	enum action action;
	uint32_t at = 0, n = 0;
	const char *keys, *help;

	while (in->keys &&
	       keymap_next(in->keys, p ? p->name : "global", p && p->table, &at, &keys, &action, &help)) {
		if (out && n < max)
			out[n] = (struct binding){ keys, help && *help ? help : action_descs[action].help };
		n++;
	}
	return n;
}

static int columns_of(int cols)
{
	return cols >= 150 ? 3 : cols >= 100 ? 2 : 1;
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct help_view *v = view;
	uint32_t n = bindings_of(in, NULL, 0), ncols = (uint32_t)columns_of(c->cols);
	struct binding *rows = arena_array(c->arena, n ? n : 1, sizeof(*rows));

	if (!rows)
		return;
	n = bindings_of(in, rows, n);
	draw_textf(c, 0, 0, STYLE_HEAD, "Keys in %.*s",
		   TEXT_ARG(in->prev_pane ? in->prev_pane->title : TEXT("rung")));
	uint32_t lines = (n + ncols - 1) / ncols, room = c->rows > 1 ? (uint32_t)c->rows - 1 : 0;
	uint32_t top = lines > room && v->top > lines - room ? lines - room : lines > room ? v->top : 0;
	int width = c->cols / (int)ncols;
	for (uint32_t l = top; l < lines && l - top < room; l++)
		for (uint32_t k = 0; k < ncols && k * lines + l < n; k++) {
			const struct binding *b = &rows[k * lines + l];
			int row = 1 + (int)(l - top), col = (int)k * width;
			canvas_field(c, row, col, 13, false, text_printf(c->arena, "%s", b->keys),
				     STYLE_LINK);
			canvas_field(c, row, col + 14, width - 15, false,
				     text_printf(c->arena, "%s", b->help), STYLE_PLAIN);
		}
	draw_more(c, lines > top + room ? lines - top - room : 0);
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct help_view *v = view;
	struct list_view list = { v->top };
	enum reply r = list_act(&list, a, bindings_of(in, NULL, 0));

	v->top = list.cursor;
	return r;
}

const struct pane pane_help = {
	.name = "help",
	.title = TEXT_INIT("HELP"),
	.view_size = sizeof(struct help_view),
	.draw = draw,
	.act = act,
};
