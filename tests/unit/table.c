/* Order, filter, cursor and tree of tables over a made-up set of processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "frame/builder.h"
#include "ui/table.h"

static const struct column columns[] = {
	{ .heading = TEXT_INIT("PID"), .field = TASK_tgid, .width = 6 },
	{ .heading = TEXT_INIT("CPU"), .field = TASK_cpu_pct, .width = 6, .bad = 90 },
	{ .heading = TEXT_INIT("RSS"), .field = TASK_rss_bytes, .width = 7, .min_screen = 4 },
	{ .heading = TEXT_INIT("COMM"), .field = TASK_comm },
};

static const struct table tasks = {
	.sec = SEC_TASK, .columns = columns, .ncolumns = ARRAY_LEN(columns), .sort = 1,
	.key = { TASK_tgid, TASK_start_ns }, .is_tree = true, .tree_id = TASK_tgid, .tree_parent = TASK_ppid,
};

struct proc { uint32_t pid, ppid; double cpu_pct; const char *comm; };

static struct frame *frame_of(const struct proc *p, size_t n)
{
	struct frame_builder *b = frame_builder_new(NULL, 1, 1);

	for (size_t i = 0; i < n; i++) {
		struct task_row *row = FRAME_ADD(b, task, TASK);
		row->tgid = p[i].pid;
		row->ppid = p[i].ppid;
		row->start_ns = 100 + p[i].pid;
		row->cpu_pct = p[i].cpu_pct;
		row->rss_bytes = p[i].pid << 20;
		row->state = 'S';
		row->comm = text_clean_str(frame_arena(b), p[i].comm);
	}
	return frame_seal(b);
}

static const struct proc few[] = {
	{ 1, 0, 0, "init" }, { 20, 1, 50, "nginx" }, { 21, 20, 95, "nginx" },
	{ 30, 1, F64_UNKNOWN, "report.py" }, { 31, 30, 50, "python3" }, { 40, 1, 5, "cron" },
};

/* The pids in the order shown, such as "21 20 31". */
static const char *order(const struct frame *f, const struct table_view *v, char *out, size_t size)
{
	struct pane_input in = { .frame = f };
	struct table_view at = *v;
	size_t len = 0;

	out[0] = 0;
	at.has_moved = false;
	for (at.cursor = 0; at.cursor < table_count(&tasks, &in, NULL, &at); at.cursor++) {
		const struct task_row *row = table_row(&tasks, &in, NULL, &at);
		len += (size_t)snprintf(out + len, size - len, "%s%u", len ? " " : "", row->tgid);
	}
	return out;
}

static void assert_order(const struct frame *f, const struct table_view *v, const char *want)
{
	char got[256];

	assert_string_equal(order(f, v, got, sizeof(got)), want);
}

static void sorting_is_stable_and_unknown_is_last(void **state)
{
	struct frame *f = frame_of(few, ARRAY_LEN(few));
	struct table_view v = { 0 };
	struct pane_input in = { .frame = f };
	(void)state;

	assert_order(f, &v, "21 20 31 40 1 30");
	table_act(&tasks, &in, NULL, &v, ACT_SORT_INVERT, 10);
	assert_order(f, &v, "1 40 20 31 21 30");
	v = (struct table_view){ .sort = 4 };
	assert_order(f, &v, "40 1 20 21 31 30");
	table_act(&tasks, &in, NULL, &v, ACT_SORT_MEMORY, 10);
	assert_order(f, &v, "40 31 30 21 20 1");
	table_act(&tasks, &in, NULL, &v, ACT_SORT_PREV, 10);
	assert_order(f, &v, "21 20 31 40 1 30");
	frame_unref(f);
}

static void filters_by_the_grammar(void **state)
{
	static const struct { const char *filter, *want; } cases[] = {
		{ "", "21 20 31 40 1 30" }, { "nginx", "21 20" }, { "NGINX", "21 20" },
		{ "nginx | cron", "21 20 40" }, { "nginx|cron", "21 20 40" }, { "!nginx !cron", "31 1 30" },
		{ "~^(cron|init)$", "40 1" }, { "py", "31 30" }, { "py !report", "31" },
		{ "cpu>40", "21 20 31" }, { "cpu_pct>=95", "21" }, { "cpu<1", "1" }, { "rss>=30M", "31 40 30" },
		{ "comm:py", "31 30" }, { "tgid=21", "21" }, { "4", "40" }, { "state:S cron", "40" },
		{ "cpu>90 | comm:init", "21 1" }, { "zebra", "" }, { "a:b:c", "" },
		/* not complete yet: never an error, never an empty screen for an empty term */
		{ "!", "21 20 31 40 1 30" }, { "|", "21 20 31 40 1 30" }, { "nginx |", "21 20" }, { "| nginx", "21 20" },
		{ "~", "21 20 31 40 1 30" }, { "!~", "21 20 31 40 1 30" }, { "~(", "" }, { "~[", "" }, { "~*", "" },
		{ "cpu>", "" }, { "cpu>x", "" }, { "~a{1,9}", "" }, { "~(a)\\1", "" },
	};
	struct frame *f = frame_of(few, ARRAY_LEN(few));
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct table_view v = { 0 };
		char got[256];
		snprintf(v.filter, sizeof(v.filter), "%s", cases[i].filter);
		order(f, &v, got, sizeof(got));
		if (strcmp(got, cases[i].want))
			fail_msg("filter '%s': got %s, want %s", cases[i].filter, got, cases[i].want);
	}
	frame_unref(f);
}

static const struct task_row *current(const struct frame *f, const struct table_view *v)
{
	struct pane_input in = { .frame = f };

	return table_row(&tasks, &in, NULL, v);
}

static void the_cursor_stays_on_its_row(void **state)
{
	struct frame *f = frame_of(few, ARRAY_LEN(few));
	struct proc later[] = { { 40, 1, 99, "cron" }, { 31, 30, 1, "python3" }, { 20, 1, 3, "nginx" }, { 1, 0, 0, "init" } };
	struct frame *g = frame_of(later, ARRAY_LEN(later));
	struct table_view v = { 0 };
	struct pane_input in = { .frame = f };
	(void)state;

	/* Not moved yet: the place is kept, not the row. */
	assert_int_equal(current(f, &v)->tgid, 21);
	assert_int_equal(current(g, &v)->tgid, 40);
	assert_int_equal(table_act(&tasks, &in, NULL, &v, ACT_DOWN, 10), REPLY_REDRAW);
	assert_int_equal(current(f, &v)->tgid, 20);
	assert_int_equal(current(g, &v)->tgid, 20);
	table_act(&tasks, &in, NULL, &v, ACT_UP, 10);
	assert_int_equal(current(f, &v)->tgid, 21);
	/* Gone: the row at its place takes over. */
	assert_int_equal(current(g, &v)->tgid, 40);
	table_act(&tasks, &in, NULL, &v, ACT_BOTTOM, 10);
	assert_int_equal(current(f, &v)->tgid, 30);
	assert_int_equal(current(g, &v)->tgid, 1);
	table_act(&tasks, &in, NULL, &v, ACT_PAGE_UP, 3);
	assert_int_equal(current(f, &v)->tgid, 31);
	frame_unref(f);
	frame_unref(g);
}

static void an_empty_table_survives_every_key(void **state)
{
	struct frame *f = frame_of(few, ARRAY_LEN(few)), *none = frame_of(few, 0);
	const struct frame *frames[] = { f, none };
	(void)state;

	for (int tree = 0; tree < 2; tree++) {
		for (size_t i = 0; i < 2; i++) {
			struct table_view v = { .is_tree = tree, .filter = "nothing has this", .search = "cron" };
			struct pane_input in = { .frame = frames[i] };
			for (int a = 0; a < ACT_COUNT; a++)
				table_act(&tasks, &in, NULL, &v, (enum action)a, a % 3);
			assert_int_equal(table_count(&tasks, &in, NULL, &v), 0);
			assert_null(table_row(&tasks, &in, NULL, &v));
		}
	}
	frame_unref(f);
	frame_unref(none);
}

static void children_stand_under_their_parents(void **state)
{
	struct frame *f = frame_of(few, ARRAY_LEN(few));
	struct table_view v = { .is_tree = true };
	struct pane_input in = { .frame = f };
	(void)state;

	assert_order(f, &v, "1 20 21 40 30 31");
	table_act(&tasks, &in, NULL, &v, ACT_DOWN, 10);
	assert_int_equal(table_act(&tasks, &in, NULL, &v, ACT_COLLAPSE, 10), REPLY_REDRAW);
	assert_order(f, &v, "1 20 40 30 31");
	assert_int_equal(table_act(&tasks, &in, NULL, &v, ACT_COLLAPSE, 10), REPLY_IGNORED);
	assert_int_equal(table_act(&tasks, &in, NULL, &v, ACT_EXPAND, 10), REPLY_REDRAW);
	assert_order(f, &v, "1 20 21 40 30 31");
	/* A row whose parent is filtered out becomes a root. */
	snprintf(v.filter, sizeof(v.filter), "!init");
	assert_order(f, &v, "20 21 40 30 31");
	frame_unref(f);
}

static void parents_in_a_circle_are_shown_once(void **state)
{
	static const struct proc circle[] = { { 1, 2, 1, "a" }, { 2, 1, 2, "b" }, { 3, 3, 3, "c" }, { 4, 2, 0, "d" } };
	struct frame *f = frame_of(circle, ARRAY_LEN(circle));
	struct table_view v = { .is_tree = true };
	(void)state;

	assert_order(f, &v, "3 2 1 4");
	frame_unref(f);
}

static void search_moves_and_wraps(void **state)
{
	struct frame *f = frame_of(few, ARRAY_LEN(few));
	struct table_view v = { .search = "nginx" };
	struct pane_input in = { .frame = f };
	(void)state;

	table_act(&tasks, &in, NULL, &v, ACT_SEARCH_NEXT, 10);
	assert_int_equal(current(f, &v)->tgid, 20);
	table_act(&tasks, &in, NULL, &v, ACT_SEARCH_NEXT, 10);
	assert_int_equal(current(f, &v)->tgid, 21);
	table_act(&tasks, &in, NULL, &v, ACT_SEARCH_PREV, 10);
	assert_int_equal(current(f, &v)->tgid, 20);
	frame_unref(f);
}

static void one_user_and_back(void **state)
{
	struct frame_builder *b = frame_builder_new(NULL, 1, 1);
	struct table_view v = { 0 };
	(void)state;

	for (uint32_t i = 1; i <= 4; i++) {
		struct task_row *row = FRAME_ADD(b, task, TASK);
		row->tgid = i;
		row->start_ns = 1;
		row->cpu_pct = i;
		row->uid = i % 2 ? 10 : 1;
	}
	struct frame *f = frame_seal(b);
	struct pane_input in = { .frame = f };
	assert_int_equal(table_act(&tasks, &in, NULL, &v, ACT_USER, 10), REPLY_REDRAW);
	assert_order(f, &v, "4 2");
	table_act(&tasks, &in, NULL, &v, ACT_USER, 10);
	assert_order(f, &v, "4 3 2 1");
	frame_unref(f);
}

static void what_is_drawn(void **state)
{
	struct frame *f = frame_of(few, ARRAY_LEN(few));
	struct table_view v = { .is_tree = true };
	struct pane_input in = { .frame = f };
	struct canvas *c = canvas_new(4, 30);
	char *got = NULL;
	size_t len = 0;
	(void)state;

	c->is_ascii = true;
	table_draw(&tasks, &in, NULL, &v, c);
	FILE *out = open_memstream(&got, &len);
	canvas_dump(c, out, true);
	fclose(out);
	assert_string_equal(got, "   PID   CPUv COMM\n"
				 "     1   0.0% - init\n"
				 "    20    50%   - nginx\n"
				 "    21    95%       nginx\n"
				 "hhhhhhhhhllllhhhhhhhhhhhhhhhhh\n"
				 "ssssssssssssssssssssssssssssss\n"
				 "................d\n"
				 "..........bbb\n");
	free(got);
	canvas_free(c);
	frame_unref(f);
}

static void many_rows_keep_one_order(void **state)
{
	enum { N = 50000 };
	struct proc *p = calloc(N, sizeof(*p));
	struct canvas *c = canvas_new(40, 100);
	(void)state;

	for (uint32_t i = 0; i < N; i++)
		p[i] = (struct proc){ i + 1, i / 3, (i * 7919u) % 101, "worker" };
	struct frame *f = frame_of(p, N);
	for (int tree = 0; tree < 2; tree++) {
		struct table_view v = { .is_tree = tree };
		struct pane_input in = { .frame = f };
		assert_int_equal(table_count(&tasks, &in, NULL, &v), N);
		table_act(&tasks, &in, NULL, &v, ACT_BOTTOM, 39);
		table_draw(&tasks, &in, NULL, &v, c);
		/* Only what is on screen is formatted. */
		assert_true(c->arena->used_bytes < N * 120u);
		canvas_clear(c);
	}
	frame_unref(f);
	canvas_free(c);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_is_stable_and_unknown_is_last),
		cmocka_unit_test(filters_by_the_grammar),
		cmocka_unit_test(the_cursor_stays_on_its_row),
		cmocka_unit_test(an_empty_table_survives_every_key),
		cmocka_unit_test(children_stand_under_their_parents),
		cmocka_unit_test(parents_in_a_circle_are_shown_once),
		cmocka_unit_test(search_moves_and_wraps),
		cmocka_unit_test(one_user_and_back),
		cmocka_unit_test(what_is_drawn),
		cmocka_unit_test(many_rows_keep_one_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
