/* Every pane on every fixture at every odd size: draws without harm, keys keep it whole, and Enter leads on.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame/codec.h"
#include "triage/triage.h"
#include "ui/keymap.h"
#include "ui/table.h"

static const int sizes[][2] = { { 0, 0 },  { 1, 1 },   { 1, 80 },   { 24, 1 },   { 2, 3 },    { 5, 20 },
				{ 9, 33 }, { 20, 80 }, { 26, 100 }, { 56, 200 }, { 120, 400 } };

static const struct tool_desc tools[] = {
	{ "biolatency", TEXT_INIT("How long?"), "hist", 1u << SCOPE_HOST | 1u << SCOPE_DEVICE },
	{ "syscalls", TEXT_INIT("Which calls?"), "counts", 1u << SCOPE_HOST | 1u << SCOPE_PROCESS },
};

/** A recording in memory: its frames, the findings of the newest, a keymap and a trail. */
struct world {
	struct history history;
	struct findings findings;
	struct keymap *keys;
	struct trail trail;
};

static void world_open(struct world *w, const char *path)
{
	struct err e = { 0 };
	FILE *in = path ? fopen(path, "re") : NULL;
	uint32_t line = 0;

	memset(w, 0, sizeof(*w));
	assert_int_equal(history_init(&w->history, 600), 0);
	for (struct frame *f; in && (f = frame_read_text(in, history_at(&w->history, 0), &line, &e));) {
		history_push(&w->history, f);
		frame_unref(f);
	}
	assert_int_equal(e.code, 0);
	assert_true(w->history.len > 0);
	assert_true(triage(history_at(&w->history, 0), &w->history, &w->findings));
	w->keys = keymap_new();
	assert_non_null(w->keys);
	assert_int_equal(keymap_parse(w->keys, "default", keymap_default_bytes, keymap_default_len, &e), 0);
	fclose(in);
}

static void world_close(struct world *w)
{
	keymap_free(w->keys);
	findings_fini(&w->findings);
	trail_fini(&w->trail);
	history_fini(&w->history);
}

static bool has_pane(const char *name)
{
	for (size_t i = 0; i < pane_registry_len; i++)
		if (name && !strcmp(pane_registry[i]->name, name))
			return true;
	return false;
}

/* A step that is taken must lead to a pane that exists, on a rung, with its evidence in words. */
static void check_step(const struct step *s)
{
	assert_in_range(s->rung, 1, 5);
	assert_true(has_pane(s->pane));
	assert_true(s->why.len > 0);
	if (s->scope.kind == SCOPE_PROCESS)
		assert_true(s->scope.tgid > 0);
	if (!strcmp(s->pane, "tool"))
		assert_non_null(s->tool);
}

/* Names of others may hold any glyph; what a pane draws itself may not when the terminal knows only ASCII. */
static void check_ascii(const struct canvas *c)
{
	for (int cell = 0; cell < c->rows * c->cols; cell++)
		for (int b = 0; b < c->cells[cell].len; b++)
			assert_in_range(c->cells[cell].utf8[b], 0x20, 0x7e);
}

static void draw_all_sizes(const struct pane *p, const struct pane_input *in, const void *view, bool is_ascii)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct canvas *c = canvas_new(sizes[i][0], sizes[i][1]);
		if (!c)
			continue;
		c->is_ascii = is_ascii;
		int header = p->header_rows ? p->header_rows(in, view, c->rows, c->cols) : c->rows;
		assert_true(header >= 0);
		struct canvas above = canvas_sub(c, 0, 0, header, c->cols);
		if (p->draw)
			p->draw(in, view, &above);
		if (p->table) {
			struct table_view tv = { 0 };
			struct canvas below = canvas_sub(c, header, 0, c->rows - header, c->cols);
			table_draw(p->table, in, view, &tv, &below);
		}
		if (is_ascii && text_is(FRAME_ROWS(in->frame, host, HOST)->hostname, "web-07"))
			check_ascii(c);
		canvas_free(c);
	}
}

static const void *row_of(const struct pane *p, const struct pane_input *in, uint32_t i)
{
	return p->table ? frame_row(in->frame, p->table->sec, i) : NULL;
}

static void walk_pane(const struct pane *p, const struct pane_input *in)
{
	void *view = calloc(1, p->view_size + 1);
	uint32_t nrows = p->table ? in->frame->sec[p->table->sec].nrows : 1;

	assert_non_null(view);
	draw_all_sizes(p, in, view, false);
	draw_all_sizes(p, in, view, true);
	for (int a = 0; p->act && a < ACT_COUNT; a++) {
		p->act(in, view, (enum action)a);
		p->act(in, view, ACT_DOWN);
		struct canvas *c = canvas_new(20, 80);
		assert_non_null(c);
		if (p->draw)
			p->draw(in, view, c);
		canvas_free(c);
		struct step s;
		if (p->descend && p->descend(in, view, row_of(p, in, 0), &s))
			check_step(&s);
	}
	for (uint32_t i = 0; p->descend && i < nrows; i++) {
		struct step s;
		if (p->descend(in, view, row_of(p, in, i), &s))
			check_step(&s);
	}
	free(view);
}

static void every_pane_on_every_fixture(void **state)
{
	glob_t found;

	(void)state;
	assert_int_equal(glob(RUNG_TESTS "/golden/glance/*.frame", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 6);
	for (size_t g = 0; g < found.gl_pathc; g++) {
		struct world w;
		world_open(&w, found.gl_pathv[g]);
		const struct frame *f = history_at(&w.history, 0);
		const struct task_row *t = FRAME_ROWS(f, task, TASK);
		struct step steps[] = {
			{ .rung = 1 },
			{ .rung = 4,
			  .tool = "syscalls",
			  .scope = scope_process(5120, 5120000000000, TEXT("sync-worker")) },
			{ .rung = 4, .tool = "biolatency", .scope = { .kind = SCOPE_DEVICE } },
			{ .rung = 2,
			  .scope = t ? scope_process(t->tgid, t->start_ns, t->comm) : (struct scope){ 0 } },
			{ .rung = 2, .scope = { .kind = SCOPE_INTERFACE } },
		};
		text_keep(&steps[2].scope.name, TEXT("nvme0n1"));
		text_keep(&steps[4].scope.name, TEXT("eth0"));
		struct pane_input in = { .frame = f,
					 .history = &w.history,
					 .findings = &w.findings,
					 .trail = &w.trail,
					 .keys = w.keys,
					 .tools = tools,
					 .ntools = ARRAY_LEN(tools) };
		for (size_t p = 0; p < pane_registry_len; p++) {
			for (size_t s = 0; s < ARRAY_LEN(steps); s++) {
				in.step = &steps[s];
				in.prev_pane = s ? pane_registry[0] : NULL;
				walk_pane(pane_registry[p], &in);
			}
			/* Nothing around it: the first frame of a fresh start. */
			struct pane_input bare = { .frame = history_at(&w.history, w.history.len - 1) };
			walk_pane(pane_registry[p], &bare);
		}
		world_close(&w);
	}
	globfree(&found);
}

/* The matrix, the findings and the table of the glance lead to three different places. */
static void glance_leads_where_its_focus_is(void **state)
{
	struct world w;
	struct step s;
	const struct pane *glance = NULL;

	(void)state;
	for (size_t i = 0; i < pane_registry_len; i++)
		if (!strcmp(pane_registry[i]->name, "glance"))
			glance = pane_registry[i];
	assert_non_null(glance);
	world_open(&w, RUNG_TESTS "/golden/glance/disk.frame");
	struct pane_input in = { .frame = history_at(&w.history, 0),
				 .history = &w.history,
				 .findings = &w.findings };
	void *view = calloc(1, glance->view_size);
	assert_non_null(view);
	const struct task_row *t = frame_task(in.frame, 4312, 0);
	assert_non_null(t);
	assert_true(glance->descend(&in, view, t, &s));
	assert_string_equal(s.pane, "process");
	assert_int_equal(s.scope.tgid, 4312);
	assert_int_equal(s.scope.start_ns, t->start_ns);
	assert_true(text_has(text_of(&s.why), "io wait 480%", 12));
	glance->act(&in, view, ACT_NEXT_PANEL);
	glance->act(&in, view, ACT_DOWN);
	glance->act(&in, view, ACT_DOWN);
	assert_true(glance->descend(&in, view, t, &s));
	assert_string_equal(s.pane, "disk");
	glance->act(&in, view, ACT_NEXT_PANEL);
	assert_true(glance->descend(&in, view, t, &s));
	assert_string_equal(s.tool, "biolatency");
	assert_true(text_is(text_of(&s.scope.name), "nvme0n1"));
	free(view);
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pane_on_every_fixture),
		cmocka_unit_test(glance_leads_where_its_focus_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
