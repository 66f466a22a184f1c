/* Rung 2, stuck now: who waits in the kernel, in groups, how long, and in which function. */
#include <string.h>

#include "panes/draw_bits.h"
#include "panes/draw_steps.h"
#include "panes/draw_stuck.h"

struct stuck_view {
	struct list_view list;
};

static struct text state_text(const struct canvas *c, uint32_t state)
{
	struct fmt_buf b;

	return state == U32_UNKNOWN ? TEXT("-") : text_copy(c->arena, fmt_u64(&b, UNIT_CHAR, state, 0));
}

static double known(uint64_t v)
{
	return v == U64_UNKNOWN ? F64_UNKNOWN : (double)v;
}

static void draw_group(struct canvas *c, int row, const struct stuck_group *g, bool has_names)
{
	enum style s = g->state == 'D' ? STYLE_BAD : STYLE_PLAIN;
	int name = has_names ? 22 : 0, call = c->cols >= 100 ? 20 : 14;

	canvas_number(c, row, 0, 5, UNIT_COUNT, g->threads, s);
	canvas_put(c, row, 6, state_text(c, g->state), s);
	canvas_number(c, row, 8, 6, UNIT_NS, known(g->waited_ns), s);
	canvas_field(c, row, 15, call, false, g->call, STYLE_PLAIN);
	int at = 16 + call;
	if (name) {
		struct text who = text_printf(c->arena, "%.*s[%u]%s", TEXT_ARG(g->longest->comm),
					      g->longest->tgid, g->processes > 1 ? " +" : "");
		canvas_field(c, row, at, name, false, who, STYLE_PLAIN);
		at += name + 1;
	}
	canvas_field(c, row, at, c->cols - at, false, g->top, s);
}

static void draw_headings(struct canvas *c, bool has_names)
{
	int call = c->cols >= 100 ? 20 : 14, at = 16 + call;

	canvas_field(c, 1, 0, 5, true, TEXT("THR"), STYLE_HEAD);
	canvas_put(c, 1, 6, TEXT("S"), STYLE_HEAD);
	canvas_field(c, 1, 8, 6, true, TEXT("WAITED"), STYLE_HEAD);
	canvas_put(c, 1, 15, TEXT("SYSCALL"), STYLE_HEAD);
	if (has_names) {
		canvas_put(c, 1, at, TEXT("LONGEST WAITER"), STYLE_HEAD);
		at += 23;
	}
	canvas_put(c, 1, at, TEXT("KERNEL FUNCTION"), STYLE_HEAD);
}

/* "innermost < caller < its caller", with blanks where a line may break. */
static struct text frames_text(struct arena *a, struct text stack)
{
	char *out = arena_alloc(a, 3 * (size_t)stack.len + 1);
	size_t n = 0;

	if (!out)
		return TEXT_UNKNOWN;
	for (uint32_t i = 0; i < stack.len; i++) {
		if (stack.utf8[i] == ';') {
			memcpy(out + n, " < ", 3);
			n += 3;
		} else {
			out[n++] = stack.utf8[i];
		}
	}
	return text_clean(a, out, n);
}

/* Everything known of the selected group: arguments, object, frames, and who else is in it. */
static void draw_detail(const struct pane_input *in, struct canvas *c, const struct stuck_group *g)
{
	const struct stuck_row *rows = FRAME_ROWS(in->frame, stuck, STUCK), *l = g->longest;
	int row = 0;

	draw_textf(c, row++, 0, STYLE_HEAD, "%.*s[%u] thread %u", TEXT_ARG(l->comm), l->tgid, l->tid);
	int at = canvas_put(c, row, 0, TEXT("call    "), STYLE_DIM);
	canvas_field(c, row++, at, c->cols - at, false,
		     l->syscall.len ? l->syscall : TEXT("not in a system call"), STYLE_PLAIN);
	at = canvas_put(c, row, 0, TEXT("object  "), STYLE_DIM);
	canvas_field(c, row++, at, c->cols - at, false, l->object.len ? l->object : TEXT("-"), STYLE_PLAIN);
	at = canvas_put(c, row, 0, TEXT("frames  "), STYLE_DIM);
	row += draw_wrapped(c, row, 8, 3, l->stack.len ? frames_text(c->arena, l->stack) : TEXT("-"),
			    STYLE_PLAIN);
	at = canvas_put(c, row, 0, TEXT("with    "), STYLE_DIM);
	uint32_t others = 0;
	for (uint32_t i = 0; i < in->frame->sec[SEC_STUCK].nrows; i++) {
		if (&rows[i] == l || !stuck_is_in(g, &rows[i]))
			continue;
		struct text who = text_printf(c->arena, "%.*s[%u] ", TEXT_ARG(rows[i].comm), rows[i].tid);
		if (at + (int)who.cols + 10 < c->cols)
			at = canvas_put(c, row, at, who, STYLE_PLAIN);
		else
			others++;
	}
	if (others)
		draw_textf(c, row, at, STYLE_DIM, "+%u more", others);
	else if (g->threads == 1)
		canvas_put(c, row, at, TEXT("nobody else"), STYLE_DIM);
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct stuck_view *v = view;
	struct stuck_group *groups = arena_array(c->arena, STUCK_GROUPS_MAX, sizeof(*groups));
	uint32_t left_out, total = in->frame->sec[SEC_STUCK].nrows;

	if (!groups)
		return;
	uint32_t n = stuck_groups(in, 0, groups, &left_out);
	if (draw_reason(in, c, 0, 0, SEC_STUCK) && !n)
		return;
	if (!n) {
		canvas_put(c, 0, 0,
			   TEXT("Nobody is stuck: no thread in D, none of the process in focus asleep."),
			   STYLE_GOOD);
		return;
	}
	if (in->frame->sec[SEC_STUCK].state == SEC_OK)
		draw_textf(c, 0, 0, STYLE_PLAIN, "%u blocked thread%s in %u group%s", total,
			   total == 1 ? "" : "s", n, n == 1 ? "" : "s");
	if (left_out)
		draw_textf(c, 0, 40, STYLE_WARN, "%u not grouped", left_out);
	bool has_names = c->cols >= 76;
	draw_headings(c, has_names);
	int detail = c->rows >= 16 ? 9 : 0;
	struct canvas list = canvas_sub(c, 2, 0, c->rows - 2 - detail, c->cols);
	uint32_t top = list_top(&v->list, n, list.rows), at = list_at(&v->list, n);
	for (uint32_t i = top; i < n && (int)(i - top) < list.rows; i++) {
		draw_group(&list, (int)(i - top), &groups[i], has_names);
		if (i == at)
			canvas_style(&list, (int)(i - top), 0, list.cols, STYLE_SELECT);
	}
	if (n - top > (uint32_t)(list.rows > 0 ? list.rows : 0))
		draw_more(&list, n - top - (uint32_t)(list.rows > 0 ? list.rows : 0));
	if (detail) {
		struct canvas below = canvas_sub(c, c->rows - detail + 1, 0, detail - 1, c->cols);
		draw_detail(in, &below, &groups[at]);
	}
}

static uint32_t count(const struct pane_input *in, struct stuck_group **groups, struct arena *a)
{
	uint32_t left_out;

	*groups = arena_array(a, STUCK_GROUPS_MAX, sizeof(**groups));
	return *groups ? stuck_groups(in, 0, *groups, &left_out) : 0;
}

static enum reply act(const struct pane_input *in, void *view, enum action a)
{
	struct arena arena = { 0 };
	struct stuck_group *groups;
	struct stuck_view *v = view;

	enum reply r = list_act(&v->list, a, count(in, &groups, &arena));
	arena_fini(&arena);
	return r;
}

static bool descend(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	const struct stuck_view *v = view;
	struct arena arena = { 0 };
	struct stuck_group *groups;
	uint32_t n = count(in, &groups, &arena);

	(void)row;
	if (n) {
		const struct stuck_group *g = &groups[list_at(&v->list, n)];
		struct fmt_buf b, state;
		struct scope s = scope_process(g->longest->tgid,
					       g->longest->start_ns == U64_UNKNOWN ? 0 : g->longest->start_ns,
					       g->longest->comm);
		step_to(out, 2, "process", NULL, &s);
		text_keepf(&out->why, "%u in %s at %.*s, longest %s", g->threads,
			   g->state == U32_UNKNOWN ? "-" : fmt_u64(&state, UNIT_CHAR, g->state, 0).utf8,
			   TEXT_ARG(g->top), fmt_u64(&b, UNIT_NS, g->waited_ns, 0).utf8);
	}
	arena_fini(&arena);
	return n > 0;
}

const struct pane pane_stuck = {
	.name = "stuck",
	.title = TEXT_INIT("STUCK NOW"),
	.rung = 2,
	.needs = SEC_BIT(SEC_STUCK),
	.view_size = sizeof(struct stuck_view),
	.draw = draw,
	.act = act,
	.descend = descend,
};
