/* Grouping of blocked threads, so that forty waiters for one lock read as one line. */
#include "panes/draw_stuck.h"

#include <stdlib.h>
#include <string.h>

/* Frames that every sleeper has on top: they say that it sleeps, not why. */
static const char *const plain_sleep[] = { "__schedule",          "schedule",
					   "io_schedule",         "schedule_timeout",
					   "io_schedule_timeout", "schedule_preempt_disabled",
					   "__switch_to" };

static struct text up_to(struct text t, char stop)
{
	const char *at = t.utf8 ? memchr(t.utf8, stop, t.len) : NULL;

	if (!at)
		return t;
	/* The bytes before an ASCII separator are whole glyphs. */
	t.len = (uint32_t)(at - t.utf8);
	t.cols = 0;
	for (uint32_t i = 0, cols; i < t.len;
	     i += text_glyph(text_skip((struct text){ t.utf8, t.len, 0 }, i), &cols))
		t.cols += text_glyph(text_skip((struct text){ t.utf8, t.len, 0 }, i), &cols) ? cols : 0;
	return t;
}

static bool is_plain_sleep(struct text frame)
{
	for (size_t i = 0; i < ARRAY_LEN(plain_sleep); i++)
		if (text_is(frame, plain_sleep[i]))
			return true;
	return false;
}

static struct text top_frame(struct text stack)
{
	struct text rest = stack, first = up_to(stack, ';');

	while (rest.len) {
		struct text frame = up_to(rest, ';');
		if (!is_plain_sleep(frame))
			return frame;
		uint32_t next = frame.len + 1;
		rest = next < rest.len ? text_skip(rest, next) : (struct text){ 0 };
	}
	return first.len ? first : TEXT("-");
}

static struct text call_of(const struct stuck_row *row)
{
	return row->syscall.len ? up_to(row->syscall, '(') : TEXT("-");
}

bool stuck_is_in(const struct stuck_group *g, const struct stuck_row *row)
{
	return g->state == row->state && text_eq(g->call, call_of(row)) &&
	       text_eq(g->top, top_frame(row->stack));
}

/* D before S, then more threads, then longer waits. */
static int by_weight(const void *a, const void *b)
{
	const struct stuck_group *x = a, *y = b;

	if ((x->state == 'D') != (y->state == 'D'))
		return x->state == 'D' ? -1 : 1;
	if (x->threads != y->threads)
		return x->threads > y->threads ? -1 : 1;
	uint64_t wx = x->waited_ns == U64_UNKNOWN ? 0 : x->waited_ns,
		 wy = y->waited_ns == U64_UNKNOWN ? 0 : y->waited_ns;
	return wx > wy ? -1 : wx < wy;
}

static void join(struct stuck_group *g, const struct stuck_row *row, uint32_t *last_tgid)
{
	g->threads++;
	if (*last_tgid != row->tgid)
		g->processes++;
	*last_tgid = row->tgid;
	if (row->waited_ns != U64_UNKNOWN && (g->waited_ns == U64_UNKNOWN || row->waited_ns > g->waited_ns)) {
		g->waited_ns = row->waited_ns;
		g->longest = row;
	}
}

uint32_t stuck_groups(const struct pane_input *in, uint32_t tgid,
		      struct stuck_group groups[static STUCK_GROUPS_MAX], uint32_t *left_out)
{
	const struct stuck_row *rows = FRAME_ROWS(in->frame, stuck, STUCK);
	uint32_t last_tgid[STUCK_GROUPS_MAX], n = 0;

	*left_out = 0;
	for (uint32_t i = 0; i < in->frame->sec[SEC_STUCK].nrows; i++) {
		uint32_t at = 0;
		if (tgid && rows[i].tgid != tgid)
			continue;
		while (at < n && !stuck_is_in(&groups[at], &rows[i]))
			at++;
		if (at == STUCK_GROUPS_MAX) {
			++*left_out;
			continue;
		}
		if (at == n) {
			groups[n] = (struct stuck_group){ .longest = &rows[i],
							  .call = call_of(&rows[i]),
							  .top = top_frame(rows[i].stack),
							  .state = rows[i].state,
							  .waited_ns = U64_UNKNOWN };
			last_tgid[n++] = U32_UNKNOWN;
		}
		join(&groups[at], &rows[i], &last_tgid[at]);
	}
	qsort(groups, n, sizeof(*groups), by_weight);
	return n;
}
