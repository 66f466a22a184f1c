/* The console's paths by keys alone: a source of made-up frames, panes that show what they got. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "frame/builder.h"
#include "ui/console.h"
#include "ui/cost.h"
#include "ui/table.h"

/* A source that gives what a test puts into it and keeps what it is asked. */
struct fake_source {
	struct source source;
	struct frame *queue[700];
	uint32_t n, at;
	struct request asked[64];
	uint32_t nasked;
	bool is_refusing;
};

static struct frame *fake_next(struct source *s)
{
	struct fake_source *f = (struct fake_source *)s;

	return f->at < f->n ? f->queue[f->at++] : NULL;
}

static int fake_ask(struct source *s, const struct request *r, struct err *e)
{
	struct fake_source *f = (struct fake_source *)s;

	if (f->nasked < ARRAY_LEN(f->asked))
		f->asked[f->nasked++] = *r;
	if (f->is_refusing && r->kind != REQUEST_FOCUS)
		return err_set(e, ENOTSUP, "refused");
	return 0;
}

static uint32_t count_asked(const struct fake_source *f, enum request_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nasked; i++)
		n += f->asked[i].kind == kind;
	return n;
}

static const struct request *last_asked(const struct fake_source *f, enum request_kind kind)
{
	for (uint32_t i = f->nasked; i-- > 0;)
		if (f->asked[i].kind == kind)
			return &f->asked[i];
	return NULL;
}

/* glance: no table; shows the frame's number. Its Enter leads nowhere. */
static void glance_draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	(void)view;
	canvas_put(c, 0, 0, text_printf(c->arena, "glance shows %llu", (unsigned long long)in->frame->seq), STYLE_PLAIN);
}

static const struct pane pane_fake_glance = {
	.name = "glance", .title = TEXT_INIT("glance"), .rung = 1, .draw = glance_draw, .wants = SEC_BIT(SEC_DISK),
};

static const struct column columns[] = {
	{ .heading = TEXT_INIT("PID"), .field = TASK_tgid, .width = 6 },
	{ .heading = TEXT_INIT("CPU"), .field = TASK_cpu_pct, .width = 6 },
	{ .heading = TEXT_INIT("COMM"), .field = TASK_comm },
};

static const struct table table = {
	.sec = SEC_TASK, .columns = columns, .ncolumns = ARRAY_LEN(columns), .sort = 1, .key = { TASK_tgid, TASK_start_ns },
};

static bool to_tool(const struct pane_input *in, const void *view, const void *row_, struct step *out)
{
	const struct task_row *row = row_;
	(void)in, (void)view;

	if (!row)
		return false;
	*out = (struct step){ .rung = 4, .pane = "tool", .tool = "runqlat" };
	out->scope = scope_process(row->tgid, row->start_ns, row->comm);
	text_keepf(&out->why, "uses %.0f%%", row->cpu_pct);
	return true;
}

static const struct pane pane_fake_processes = {
	.name = "processes", .title = TEXT_INIT("processes"), .rung = 2, .needs = SEC_BIT(SEC_TASK),
	.table = &table, .descend = to_tool,
};

static void scope_draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	(void)view;
	canvas_put(c, 0, 0, text_printf(c->arena, "tool %s of %.*s", in->step->tool ? in->step->tool : "none",
					TEXT_ARG(scope_text(c->arena, &in->step->scope))), STYLE_PLAIN);
}

static bool to_nowhere(const struct pane_input *in, const void *view, const void *row, struct step *out)
{
	(void)in, (void)view, (void)row;
	*out = (struct step){ .rung = 5, .pane = "no-such-screen" };
	return true;
}

static const struct pane pane_fake_tool = {
	.name = "tool", .title = TEXT_INIT("tool"), .rung = 4, .draw = scope_draw, .descend = to_nowhere,
};
static const struct pane pane_fake_probe = { .name = "probe", .title = TEXT_INIT("probe"), .rung = 5, .draw = scope_draw };
static const struct pane pane_fake_denied = {
	.name = "profile", .title = TEXT_INIT("profile"), .rung = 3, .draw = scope_draw, .needs = SEC_BIT(SEC_PROFILE),
};
static const struct pane pane_fake_help = { .name = "help", .title = TEXT_INIT("help"), .draw = scope_draw };

static const struct pane *const panes[] = {
	&pane_fake_processes, &pane_fake_glance, &pane_fake_tool, &pane_fake_probe, &pane_fake_denied, &pane_fake_help,
};

/* Two findings on even frames, none on odd ones. */
static bool fake_triage(const struct frame *f, const struct history *h, struct findings *out)
{
	assert_ptr_equal(history_at(h, 0), f);
	if (f->seq % 2)
		return true;
	out->rows = arena_array(&out->arena, 2, sizeof(*out->rows));
	out->n = 2;
	for (uint32_t i = 0; i < 2; i++) {
		out->rows[i].headline = text_printf(&out->arena, "finding %u", i);
		out->rows[i].severity = 90 - i;
		out->rows[i].rule = i ? "low" : "high";
		out->rows[i].next = (struct step){ .rung = 4, .pane = "tool", .tool = i ? "second" : "first" };
	}
	return true;
}

static int fake_check(const char *program, struct err *e, uint32_t *column)
{
	const char *bad = strstr(program, "bad");

	if (!bad)
		return 0;
	*column = (uint32_t)(bad - program) + 1;
	return err_set(e, EINVAL, "unknown word");
}

static int fake_snapshot(const char *path, const struct history *h, const struct trail *t, struct err *e)
{
	assert_true(h->len > 0);
	assert_non_null(t);
	return strcmp(path, "/full") ? 0 : err_set(e, ENOSPC, "%s: no space left", path);
}

static char **fake_complete(const char *line, size_t at)
{
	char **names = calloc(3, sizeof(*names));
	static char one[] = "tracepoint:sched:one", two[] = "tracepoint:sched:two";
	(void)line, (void)at;

	names[0] = one;
	names[1] = two;
	return names;
}

static const struct tool_desc tools[] = {
	{ .name = "hostonly", .answers = TEXT_INIT("what?"), .scopes = 1u << SCOPE_HOST },
	{ .name = "devices", .answers = TEXT_INIT("which?"), .scopes = 1u << SCOPE_DEVICE },
};

struct rig {
	struct fake_source source;
	struct keymap *keys;
	struct trail trail;
	struct console *console;
	struct canvas *canvas;
	char *screen;
};

static void give_frame(struct rig *r, uint32_t nprobes)
{
	struct fake_source *s = &r->source;
	static const double cpu[] = { 10, 80, 40 };
	static const char *const comm[] = { "init", "report", "nginx" };
	uint64_t i = s->n;
	struct frame_builder *b = frame_builder_new(NULL, (i + 100) * NS_PER_S, (i + 1000000) * NS_PER_S);

	for (uint32_t p = 0; p < 3; p++) {
		struct task_row *row = FRAME_ADD(b, task, TASK);
		row->tgid = 100 + p;
		row->start_ns = 7;
		row->cpu_pct = cpu[p];
		row->comm = text_clean_str(frame_arena(b), comm[p]);
	}
	for (uint32_t p = 0; p < nprobes; p++) {
		struct probe_row *row = FRAME_ADD(b, probe, PROBE);
		row->id = 9;
		row->name = TEXT("runqlat");
		row->scope = TEXT("pid 101");
		row->state = TEXT("running");
	}
	frame_set_state(b, SEC_PROFILE, SEC_DENIED, "perf_event_paranoid is 3");
	struct frame *f = frame_seal(b);
	f->seq = i;
	s->queue[s->n++] = f;
}

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct err e = { 0 };

	r->source.source = (struct source){ .fd = -1, .next = fake_next, .ask = fake_ask };
	r->keys = keymap_new();
	assert_int_equal(keymap_parse(r->keys, "default.keys", keymap_default_bytes, keymap_default_len, &e), 0);
	const struct console_options o = {
		.panes = panes, .npanes = ARRAY_LEN(panes), .keys = r->keys, .source = &r->source.source,
		.triage = fake_triage, .check_program = fake_check, .complete = fake_complete, .snapshot = fake_snapshot,
		.trail = &r->trail, .is_ascii = true, .tools = tools, .ntools = ARRAY_LEN(tools),
	};
	r->console = console_new(&o);
	assert_non_null(r->console);
	r->canvas = canvas_new(24, 100);
	give_frame(r, 0);
	assert_true(console_poll(r->console));
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	console_free(r->console);
	while (r->source.at < r->source.n)
		frame_unref(r->source.queue[r->source.at++]);
	keymap_free(r->keys);
	trail_fini(&r->trail);
	canvas_free(r->canvas);
	free(r->screen);
	free(r);
	return 0;
}

/* Feed keys as in keymap files; whether the console still runs. */
static bool press(struct rig *r, const char *keys)
{
	uint32_t key;

	while ((key = key_parse(&keys)))
		if (!console_key(r->console, key))
			return false;
	return true;
}

static void type_text(struct rig *r, const char *text)
{
	for (; *text; text++)
		assert_true(console_key(r->console, (unsigned char)*text));
}

static const char *screen(struct rig *r)
{
	size_t len = 0;

	free(r->screen);
	canvas_clear(r->canvas);
	console_draw(r->console, r->canvas);
	FILE *out = open_memstream(&r->screen, &len);
	canvas_dump(r->canvas, out, false);
	fclose(out);
	return r->screen;
}

static void assert_sees(struct rig *r, const char *want)
{
	if (!strstr(screen(r), want))
		fail_msg("'%s' is not on the screen:\n%s", want, r->screen);
}

static void assert_sees_not(struct rig *r, const char *unwanted)
{
	if (strstr(screen(r), unwanted))
		fail_msg("'%s' is on the screen:\n%s", unwanted, r->screen);
}

static void enter_descends_and_back_returns_with_a_trail(void **state)
{
	struct rig *r = *state;

	assert_sees(r, "glance shows 0");
	assert_sees(r, "1 GLANCE");
	press(r, "2");
	assert_sees(r, "1 GLANCE > 2 processes");
	press(r, "<Enter>");
	assert_sees(r, "4 runqlat report[101]");
	assert_sees(r, "tool runqlat of pid 101");
	const struct request *start = last_asked(&r->source, REQUEST_PROBE_START);
	assert_string_equal(start->tool, "runqlat");
	assert_int_equal(start->scope.tgid, 101);
	assert_int_equal(count_asked(&r->source, REQUEST_PROBE_START), 1);
	const struct request *focus = last_asked(&r->source, REQUEST_FOCUS);
	assert_int_equal(focus->scope.tgid, 101);
	assert_int_equal(r->trail.entries.len, 2);
	assert_string_equal(r->trail.entries.ptr[1].evidence.utf8, "uses 80%");
	assert_string_equal(r->trail.entries.ptr[1].scope.utf8, "report[101]");
	press(r, "<Backspace>");
	assert_sees(r, "1 GLANCE > 2 processes  ");
	assert_true((last_asked(&r->source, REQUEST_FOCUS)->needs & SEC_BIT(SEC_TASK)) != 0);
	assert_int_equal(r->trail.entries.len, 3);
	assert_string_equal(r->trail.entries.ptr[2].kind.utf8, "ascend");
	press(r, ")");
	assert_sees(r, "tool runqlat of pid 101");
	press(r, "1");
	assert_sees(r, "glance shows 0");
	assert_sees_not(r, "processes");
	press(r, "<Backspace>");
	assert_sees(r, "this is where it starts");
}

static void a_step_to_a_missing_screen_is_an_error_on_screen(void **state)
{
	struct rig *r = *state;

	press(r, "2 <Enter> <Enter>");
	assert_sees(r, "there is no screen named no-such-screen");
	assert_sees(r, "tool runqlat of pid 101");
}

static void enter_on_the_root_follows_the_finding(void **state)
{
	struct rig *r = *state;

	assert_sees(r, "> 1/2 finding 0  Enter: 4 first");
	press(r, "<Enter>");
	assert_sees(r, "tool first of host");
	assert_string_equal(r->trail.entries.ptr[0].evidence.utf8, "finding 0");
	press(r, "<Backspace> n");
	assert_sees(r, "> 2/2 finding 1  Enter: 4 second");
	press(r, "<Enter>");
	assert_sees(r, "tool second of host");
	/* An odd frame has no finding. */
	give_frame(r, 0);
	console_poll(r->console);
	assert_sees(r, "> nothing stands out");
}

static void a_chosen_finding_stays_chosen(void **state)
{
	struct rig *r = *state;

	press(r, "n");
	assert_sees(r, "> 2/2 finding 1");
	give_frame(r, 0);
	give_frame(r, 0);
	console_poll(r->console);
	assert_sees(r, "> 2/2 finding 1");
	/* Where a finding leads, the next best is shown. */
	press(r, "<Backspace> n <Backspace>");
	press(r, "<Esc> 2 n <Enter>");
	assert_sees(r, "tool first of host");
	assert_sees(r, "> 2/2 finding 1  n Enter: 4 second");
}

static void the_same_step_twice_is_one_screen(void **state)
{
	struct rig *r = *state;

	press(r, "2 <Enter> s");
	assert_sees(r, "> 4 runqlat report[101] > 4 syscalls");
	uint32_t entries = r->trail.entries.len, started = count_asked(&r->source, REQUEST_PROBE_START);
	press(r, "s");
	assert_sees_not(r, "4 syscalls > 4 syscalls");
	assert_int_equal(r->trail.entries.len, entries);
	/* It does not run in the newest frame: asked for again. */
	assert_int_equal(count_asked(&r->source, REQUEST_PROBE_START), started + 1);
}

static void costs_are_counted_once(void **state)
{
	static const struct { const char *kind; double cpu_pct, events_per_s, ns_per_event; } rows[] = {
		{ "collector", 1, F64_UNKNOWN, F64_UNKNOWN }, { "collector", 2, 1e6, 10 },
		{ "thread", 3, F64_UNKNOWN, F64_UNKNOWN }, { "process", 4, F64_UNKNOWN, F64_UNKNOWN },
		{ "probe", 5, F64_UNKNOWN, F64_UNKNOWN }, { "probe", F64_UNKNOWN, F64_UNKNOWN, F64_UNKNOWN },
	};
	struct frame_builder *b = frame_builder_new(NULL, 1, 1);
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct cost_row *row = FRAME_ADD(b, cost, COST);
		row->kind = text_clean_str(frame_arena(b), rows[i].kind);
		row->cpu_pct = rows[i].cpu_pct;
		row->events_per_s = rows[i].events_per_s;
		row->ns_per_event = rows[i].ns_per_event;
	}
	struct frame *f = frame_seal(b);
	/* The process, the second collector's programs (1 %) and the probe that is known. */
	assert_float_equal(cost_total_pct(f), 4 + 1 + 5, 1e-9);
	frame_unref(f);
}

static void filter_narrows_while_typed_and_esc_drops_it(void **state)
{
	struct rig *r = *state;

	press(r, "2 \\");
	type_text(r, "ngi");
	assert_sees(r, "filter: ngi");
	assert_sees(r, "1 of 3 rows");
	assert_sees_not(r, "report");
	press(r, "<Enter>");
	assert_sees(r, "1 of 3 rows");
	press(r, "<Enter>");
	assert_sees(r, "nginx[102]");
	press(r, "<Backspace> <Esc>");
	assert_sees_not(r, "of 3 rows");
	assert_sees(r, "report");
	/* Typing owns every key: these are letters, not actions. */
	press(r, "\\");
	type_text(r, "q2z?");
	assert_sees(r, "filter: q2z?");
	assert_sees(r, "no row passes");
	press(r, "C-u");
	assert_sees(r, "report");
	press(r, "<Backspace>");
	assert_sees_not(r, "filter:");
}

static void search_moves_the_cursor(void **state)
{
	struct rig *r = *state;

	press(r, "2 /");
	type_text(r, "init");
	press(r, "<Enter> <Enter>");
	assert_sees(r, "tool runqlat of pid 100");
}

static void freeze_and_time(void **state)
{
	struct rig *r = *state;

	for (int i = 0; i < 200; i++)
		give_frame(r, 0);
	console_poll(r->console);
	assert_sees(r, "glance shows 200");
	assert_sees(r, "now");
	press(r, "z");
	give_frame(r, 0);
	console_poll(r->console);
	assert_sees(r, "glance shows 200");
	assert_sees(r, "-00:00:01 (frozen)");
	press(r, "z");
	assert_sees(r, "glance shows 201");
	press(r, "[ [ [");
	assert_sees(r, "glance shows 198");
	assert_sees(r, "-00:00:03 (frozen)");
	assert_sees(r, "finding 0");
	press(r, "]");
	assert_sees(r, "glance shows 199");
	assert_sees(r, "nothing stands out");
	press(r, "{");
	assert_sees(r, "glance shows 139");
	press(r, "{ { { {");
	assert_sees(r, "glance shows 0");
	press(r, "[");
	assert_sees(r, "nothing older is kept");
	press(r, "}");
	assert_sees(r, "glance shows 60");
	press(r, "b");
	type_text(r, "-1:30");
	press(r, "<Enter>");
	assert_sees(r, "-00:01:30 (frozen)");
	press(r, "b");
	type_text(r, "nonsense");
	press(r, "<Enter>");
	assert_sees(r, "a time is");
	press(r, "C-u");
	type_text(r, "now");
	press(r, "<Enter>");
	assert_sees(r, "glance shows 201");
	press(r, "[ ]");
	assert_sees(r, "now");
	assert_sees_not(r, "frozen");
}

static void the_history_keeps_ten_minutes(void **state)
{
	struct rig *r = *state;

	for (int i = 0; i < 650; i++)
		give_frame(r, 0);
	console_poll(r->console);
	press(r, "b");
	type_text(r, "-5000");
	press(r, "<Enter>");
	assert_sees(r, "glance shows 51");
	/* Frozen on the oldest: the next frame pushes it out, the screen moves on with the ring. */
	give_frame(r, 0);
	console_poll(r->console);
	assert_sees(r, "glance shows 52");
}

static void programs_are_checked_before_they_start(void **state)
{
	struct rig *r = *state;

	press(r, ":");
	type_text(r, "BEGIN { bad }");
	press(r, "<Enter>");
	assert_sees(r, "\n BEGIN { bad }\n         ^ unknown word\n:BEGIN { bad }\n");
	assert_null(last_asked(&r->source, REQUEST_PROBE_START));
	press(r, "<Left> <Left> <Backspace> <Backspace> <Backspace>");
	type_text(r, "exit()");
	assert_sees_not(r, "unknown word");
	press(r, "<Enter>");
	assert_sees(r, "> 5 probe");
	assert_string_equal(last_asked(&r->source, REQUEST_PROBE_START)->program, "BEGIN { exit() }");
	assert_string_equal(last_asked(&r->source, REQUEST_PROBE_START)->tool, "");
	r->source.is_refusing = true;
	press(r, ":");
	type_text(r, "BEGIN { }");
	press(r, "<Enter>");
	assert_sees(r, "^ refused");
	press(r, "<Esc>");
	assert_sees_not(r, "refused");
}

/* Until the file is written or refused: the console may have noticed by itself already. */
static void settle(struct rig *r)
{
	struct err e = { 0 };

	(void)console_settle(r->console, &e);
}

static void commands_at_the_prompt(void **state)
{
	struct rig *r = *state;
	int col = 0;

	assert_null(console_prompt(r->console, &col));
	press(r, "2 :");
	type_text(r, "w /tmp/incident.rung ");
	assert_string_equal(console_prompt(r->console, &col), "w /tmp/incident.rung ");
	assert_int_equal(col, 22);
	press(r, "<Enter>");
	settle(r);
	assert_sees(r, "wrote /tmp/incident.rung: 1 samples, 2 steps");
	press(r, ":");
	type_text(r, "w /full");
	press(r, "<Enter>");
	settle(r);
	assert_sees(r, "/full: no space left");
	press(r, ":");
	type_text(r, "tool nope");
	press(r, "<Enter>");
	assert_sees(r, "there is no tool named nope");
	press(r, "<Esc> :");
	type_text(r, "profile");
	press(r, "<Enter>");
	assert_sees(r, "> 3 profile");
	press(r, ":");
	type_text(r, "tr");
	press(r, "<Tab>");
	assert_string_equal(console_prompt(r->console, &col), "tracepoint:sched:");
	press(r, "C-u");
	type_text(r, "q!");
	assert_false(press(r, "<Enter>"));
}

static void a_missing_section_shows_its_reason(void **state)
{
	struct rig *r = *state;

	press(r, "3");
	assert_sees(r, "profile: denied: perf_event_paranoid is 3");
	assert_sees_not(r, "tool none");
}

static void ctrl_c_stops_the_probe_in_focus(void **state)
{
	struct rig *r = *state;

	give_frame(r, 1);
	console_poll(r->console);
	press(r, "2 <Enter>");
	/* It runs already: nothing is started. */
	assert_null(last_asked(&r->source, REQUEST_PROBE_START));
	press(r, "C-c");
	assert_int_equal(last_asked(&r->source, REQUEST_PROBE_STOP)->probe_id, 9);
	assert_sees(r, "stopping runqlat");
	give_frame(r, 0);
	console_poll(r->console);
	press(r, "C-c");
	assert_sees(r, "> 2 processes");
	assert_sees_not(r, "runqlat");
}

static void q_closes_layers_and_asks_when_something_is_lost(void **state)
{
	struct rig *r = *state;

	press(r, "?");
	assert_sees(r, "> help");
	assert_true(press(r, "q"));
	assert_int_equal(r->trail.entries.len, 0);
	press(r, "2 q");
	assert_true(press(r, "q"));
	assert_sees(r, "the trail is unsaved");
	assert_true(press(r, "x"));
	assert_sees_not(r, "unsaved");
	assert_true(press(r, "q W"));
	settle(r);
	assert_sees(r, "wrote rung-");
	assert_false(press(r, "q"));
}

static void q_leaves_at_once_when_nothing_is_lost(void **state)
{
	assert_false(press(*state, "q"));
}

static void ctrl_z_asks_for_the_shell_once(void **state)
{
	struct rig *r = *state;

	assert_false(console_take_suspend(r->console));
	press(r, "C-z");
	assert_true(console_take_suspend(r->console));
	assert_false(console_take_suspend(r->console));
}

static void probes_pause_while_the_shell_has_the_terminal(void **state)
{
	struct rig *r = *state;

	press(r, "2 <Enter>");
	give_frame(r, 1);
	console_poll(r->console);
	press(r, "C-z");
	assert_false(console_take_suspend(r->console));
	assert_int_equal(last_asked(&r->source, REQUEST_PROBE_STOP)->probe_id, 9);
	give_frame(r, 1);
	console_poll(r->console);
	assert_false(console_take_suspend(r->console));
	give_frame(r, 0);
	console_poll(r->console);
	assert_true(console_take_suspend(r->console));
	/* Back: what was stopped is asked for again, once. */
	assert_int_equal(count_asked(&r->source, REQUEST_PROBE_START), 1);
	console_poll(r->console);
	console_poll(r->console);
	assert_int_equal(count_asked(&r->source, REQUEST_PROBE_START), 2);
	assert_int_equal(last_asked(&r->source, REQUEST_PROBE_START)->scope.tgid, 101);
	/* A probe that does not stop holds nobody back for ever. */
	give_frame(r, 1);
	console_poll(r->console);
	press(r, "C-z C-z");
	assert_true(console_take_suspend(r->console));
}

static void tools_get_a_scope_they_take(void **state)
{
	struct rig *r = *state;

	press(r, "2 :");
	type_text(r, "tool hostonly");
	press(r, "<Enter>");
	assert_sees(r, "tool hostonly of host");
	press(r, "<Backspace> :");
	type_text(r, "tool devices");
	press(r, "<Enter>");
	assert_sees(r, "devices does not take this selection");
}

static void completion_shows_the_choice(void **state)
{
	struct rig *r = *state;

	press(r, ":");
	type_text(r, "tracep");
	press(r, "<Tab>");
	assert_sees(r, "\ntracepoint:sched:one  tracepoint:sched:two\n:tracepoint:sched:\n");
	type_text(r, "o");
	assert_sees_not(r, "sched:two");
}

static void the_equivalent_command_line(void **state)
{
	struct rig *r = *state;

	press(r, "2 <Enter> y");
	assert_sees(r, "rung tool runqlat -p 101");
	press(r, "<Backspace> s y");
	assert_sees(r, "rung tool syscalls -p 101");
}

static void every_size_and_every_key_is_safe(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 5, 20 }, { 2, 80 }, { 24, 80 }, { 200, 500 }, { 3, 3 }, { 80, 1 }, { 0, 0 } };
	static const char *const places[] = { "1", "2", "2 <Enter>", "3", ": b a d", "2 \\ ~ (", "2 / x", "b", "?" };
	struct rig *r = *state;

	for (size_t p = 0; p < ARRAY_LEN(places); p++) {
		for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
			canvas_free(r->canvas);
			r->canvas = canvas_new(sizes[i][0], sizes[i][1]);
			press(r, places[p]);
			assert_non_null(screen(r));
			for (uint32_t key = 1; key < 0x80; key++) {
				console_key(r->console, key);
				screen(r);
			}
			for (uint32_t key = KEY_UP_; key < KEY_F0_ + 13; key++) {
				console_key(r->console, key);
				screen(r);
			}
			press(r, "<Esc> <Esc> C-c");
		}
	}
}

static void keys_before_the_first_frame_are_safe(void **state)
{
	struct rig *r = *state;

	console_free(r->console);
	const struct console_options o = {
		.panes = panes, .npanes = ARRAY_LEN(panes), .keys = r->keys, .source = &r->source.source, .trail = &r->trail,
	};
	r->console = console_new(&o);
	assert_sees(r, "waiting for the first sample");
	press(r, "j <Enter> 2 j <Enter> P t [ { z W n \\ x <Enter> / y <Enter> S s m o y");
	assert_non_null(screen(r));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(enter_descends_and_back_returns_with_a_trail),
		TEST(a_step_to_a_missing_screen_is_an_error_on_screen),
		TEST(enter_on_the_root_follows_the_finding),
		TEST(a_chosen_finding_stays_chosen),
		TEST(the_same_step_twice_is_one_screen),
		TEST(costs_are_counted_once),
		TEST(filter_narrows_while_typed_and_esc_drops_it),
		TEST(search_moves_the_cursor),
		TEST(freeze_and_time),
		TEST(the_history_keeps_ten_minutes),
		TEST(programs_are_checked_before_they_start),
		TEST(commands_at_the_prompt),
		TEST(a_missing_section_shows_its_reason),
		TEST(ctrl_c_stops_the_probe_in_focus),
		TEST(q_closes_layers_and_asks_when_something_is_lost),
		TEST(q_leaves_at_once_when_nothing_is_lost),
		TEST(ctrl_z_asks_for_the_shell_once),
		TEST(probes_pause_while_the_shell_has_the_terminal),
		TEST(tools_get_a_scope_they_take),
		TEST(completion_shows_the_choice),
		TEST(the_equivalent_command_line),
		TEST(every_size_and_every_key_is_safe),
		TEST(keys_before_the_first_frame_are_safe),
	};
	/* No history of lines is read or written. */
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	setenv("INPUTRC", "/dev/null", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
