/* The lines around the pane: host, ladder, finding, keys, prompt. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "ui/console_state.h"
#include "ui/cost.h"

/* Put text that ends at the right edge, if it fits beside what ends at column left. */
static void put_right(struct canvas *out, int row, int left, struct text t, enum style s)
{
	int col = out->cols - (int)t.cols;

	if (col > left)
		canvas_put(out, row, col, t, s);
}

static struct text load_text(struct arena *a, const struct host_row *h)
{
	struct fmt_buf one, five, fifteen;
	struct text x = fmt_f64(&one, UNIT_RATIO, h->load1, 0), y = fmt_f64(&five, UNIT_RATIO, h->load5, 0);
	struct text z = fmt_f64(&fifteen, UNIT_RATIO, h->load15, 0);

	return text_printf(a, "load %.*s %.*s %.*s", TEXT_ARG(x), TEXT_ARG(y), TEXT_ARG(z));
}

void console_draw_header(struct console *c, struct canvas *out)
{
	const struct frame *f = console_frame(c);
	const struct host_row *h = f && f->sec[SEC_HOST].nrows ? FRAME_ROWS(f, host, HOST) : NULL;
	struct fmt_buf up, cost, cpus;
	struct text right;
	int col = 0;

	canvas_style(out, 0, 0, out->cols, STYLE_HEAD);
	if (h) {
		struct text n = fmt_u64(&cpus, UNIT_NONE, h->cpus_online == U32_UNKNOWN ? U64_UNKNOWN : h->cpus_online, 0);
		struct text u = fmt_u64(&up, UNIT_NS, h->uptime_ns, 0), load = load_text(out->arena, h);
		struct text left = text_printf(out->arena, "%.*s  %.*s  %.*s cpu  up %.*s  %.*s", TEXT_ARG(h->hostname),
					       TEXT_ARG(h->kernel), TEXT_ARG(n), TEXT_ARG(u), TEXT_ARG(load));
		col = canvas_put(out, 0, 0, left, STYLE_HEAD);
	} else {
		col = canvas_put(out, 0, 0, TEXT("rung"), STYLE_HEAD);
	}
	struct text scope = scope_label(out->arena, &console_top(c)->step.scope);
	struct text spent = fmt_f64(&cost, UNIT_PCT, f ? cost_total_pct(f) : F64_UNKNOWN, 0);
	right = text_printf(out->arena, "scope %.*s  cost %.*s", TEXT_ARG(scope), TEXT_ARG(spent));
	put_right(out, 0, col, right, STYLE_HEAD);
}

/* One step as it stands in the ladder: "4 biolatency", "2 process report.py[4312]". */
static struct text crumb(struct arena *a, const struct layer *l, const struct layer *below)
{
	char title[64];

	snprintf(title, sizeof(title), "%.*s", TEXT_ARG(l->pane->title));
	if (!below)
		for (char *p = title; *p; p++)
			*p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
	if (l->step.tool)
		snprintf(title, sizeof(title), "%s", l->step.tool);
	bool is_new_scope = below ? !scope_eq(&l->step.scope, &below->step.scope) : l->step.scope.kind != SCOPE_HOST;
	struct text scope = is_new_scope ? scope_label(a, &l->step.scope) : TEXT("");
	const char *gap = scope.len ? " " : "";
	struct text t;
	if (l->pane->rung)
		t = text_printf(a, "%u %s%s%.*s", l->pane->rung, title, gap, TEXT_ARG(scope));
	else
		t = text_printf(a, "%s%s%.*s", title, gap, TEXT_ARG(scope));
	return t.utf8 ? t : TEXT("?");
}

static struct text clock_text(const struct console *c, struct arena *a)
{
	const struct frame *newest = history_at(&c->history, 0), *f = console_frame(c);

	if (!c->is_frozen || !f)
		return f ? TEXT("now") : TEXT("waiting for the first sample");
	uint64_t s = newest->mono_ns > f->mono_ns ? (newest->mono_ns - f->mono_ns) / NS_PER_S : 0;
	return text_printf(a, "-%02u:%02u:%02u (frozen)", (unsigned)(s / 3600), (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

void console_draw_ladder(struct console *c, struct canvas *out)
{
	struct text when = clock_text(c, out->arena), path = TEXT("");
	int room = out->cols - (int)when.cols - 2;

	for (uint32_t i = 0; i < c->nlayers; i++) {
		struct text step = crumb(out->arena, &c->layers[i], i ? &c->layers[i - 1] : NULL);
		path = i ? text_printf(out->arena, "%.*s > %.*s", TEXT_ARG(path), TEXT_ARG(step)) : step;
	}
	/* Where one is matters more than where one came from: cut the start. */
	if (room > 1 && (int)path.cols > room) {
		struct text cut = path;
		while ((int)cut.cols > room - 1) {
			uint32_t cols;
			cut = text_skip(cut, text_glyph(cut, &cols));
		}
		canvas_put(out, 1, canvas_put(out, 1, 0, TEXT("~"), STYLE_DIM), cut, STYLE_LINK);
	} else {
		canvas_put(out, 1, 0, path, STYLE_LINK);
	}
	if (room > 1)
		put_right(out, 1, 0, when, c->is_frozen ? STYLE_WARN : STYLE_DIM);
}

static struct text finding_text(const struct console *c, const struct finding *g, struct arena *a)
{
	struct text t = TEXT("> "), who = scope_label(a, &g->suspect);

	if (c->findings.n > 1)
		t = text_printf(a, "> %u/%u ", c->i_finding + 1, c->findings.n);
	t = text_printf(a, "%.*s%.*s", TEXT_ARG(t), TEXT_ARG(g->headline));
	if (g->suspect.kind != SCOPE_HOST && who.len && !text_has(g->headline, who.utf8, who.len))
		t = text_printf(a, "%.*s. Suspect: %.*s", TEXT_ARG(t), TEXT_ARG(who));
	return t;
}

/* Where Enter leads; at the end of the ladder, what it ended at. */
static struct text finding_next(const struct console *c, const struct finding *g, struct arena *a)
{
	if (g->next.rung)
		return text_printf(a, "  %sEnter: %u %s", console_follows_finding(c) ? "" : "n ", g->next.rung, g->next.tool ? g->next.tool : g->next.pane);
	return g->names.utf8 ? text_printf(a, "  it is %.*s", TEXT_ARG(g->names)) : TEXT("");
}

void console_draw_finding(struct console *c, struct canvas *out)
{
	if (!console_frame(c))
		return;
	if (!c->findings.n) {
		canvas_put(out, 0, 0, TEXT("> nothing stands out"), STYLE_DIM);
		return;
	}
	const struct finding *g = &c->findings.rows[c->i_finding < c->findings.n ? c->i_finding : 0];
	enum style s = g->severity >= 80 ? STYLE_BAD : g->severity >= 40 ? STYLE_WARN : STYLE_PLAIN;
	struct text what = finding_text(c, g, out->arena), next = finding_next(c, g, out->arena);
	int room = out->cols - (int)next.cols;

	/* The next step stays readable; the headline gives way. */
	if (room < 12) {
		canvas_field(out, 0, 0, out->cols, false, what, s);
	} else {
		int width = (int)what.cols < room ? (int)what.cols : room;
		canvas_put(out, 0, canvas_field(out, 0, 0, width, false, what, s), next, STYLE_LINK);
	}
	if (c->is_on_finding)
		canvas_style(out, 0, 0, out->cols, STYLE_SELECT);
}

/* Keys worth a reminder, most useful first; which key it is comes from the keymap. */
static const struct hint_row {
	enum action action, twin;
	const char *words;
	bool is_for_tables;
} hint_rows[] = {
	{ ACT_DEEPER, ACT_NONE, "deeper", false }, { ACT_BACK, ACT_NONE, "back", false }, { ACT_HELP, ACT_NONE, "help", false },
	{ ACT_FILTER, ACT_NONE, "filter", true }, { ACT_SEARCH, ACT_NONE, "find", true }, { ACT_PROMPT, ACT_NONE, "command", false },
	{ ACT_FREEZE, ACT_NONE, "freeze", false }, { ACT_SAMPLE_PREV, ACT_SAMPLE_NEXT, "time", false },
	{ ACT_SNAPSHOT, ACT_NONE, "snapshot", false }, { ACT_NEXT_FINDING, ACT_NONE, "finding", false }, { ACT_QUIT, ACT_NONE, "quit", false },
};

/* The first key of an action here, without its brackets; unknown when it has none. */
static struct text key_of(struct console *c, enum action wanted, struct arena *a)
{
	const struct pane *pane = console_top(c)->pane;
	const char *keys, *help;
	enum action action;
	uint32_t at = 0;

	while (keymap_next(c->o.keys, pane->name, pane->table != NULL, &at, &keys, &action, &help)) {
		if (action != wanted)
			continue;
		size_t len = strcspn(keys, " \t");
		bool is_named = len > 2 && keys[0] == '<';
		if (is_named && !strncmp(keys, "<Backspace>", len))
			return TEXT("Bksp");
		return text_printf(a, "%.*s", (int)(is_named ? len - 2 : len), keys + is_named);
	}
	return TEXT_UNKNOWN;
}

void console_draw_hints(struct console *c, struct canvas *out)
{
	int col = 0;

	if (c->is_asking_to_leave) {
		const char *why = console_has_probe(c) ? "a probe runs" : "the trail is unsaved";
		canvas_field(out, 0, 0, out->cols, false,
			     text_printf(out->arena, "%s: y or q quits, W writes a snapshot first, any other key stays", why), STYLE_WARN);
		return;
	}
	if (c->status.len) {
		canvas_field(out, 0, 0, out->cols, false, text_of(&c->status), c->status_style);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(hint_rows); i++) {
		struct text key = key_of(c, hint_rows[i].action, out->arena);
		struct text twin = hint_rows[i].twin ? key_of(c, hint_rows[i].twin, out->arena) : TEXT_UNKNOWN;
		if (!key.utf8 || (hint_rows[i].is_for_tables && !console_top(c)->pane->table))
			continue;
		if (twin.utf8)
			key = text_printf(out->arena, "%.*s %.*s", TEXT_ARG(key), TEXT_ARG(twin));
		if (col + (int)key.cols + 1 + (int)strlen(hint_rows[i].words) > out->cols)
			break;
		col = canvas_put(out, 0, col, key, STYLE_LINK) + 1;
		col = canvas_put(out, 0, col, text_printf(out->arena, "%s", hint_rows[i].words), STYLE_DIM) + 2;
	}
}

/* The program once more with a caret under the fault and the reason beside it. */
static void draw_diag(struct console *c, struct canvas *out, const char *line, int label, int skip)
{
	struct canvas above = canvas_sub(out, out->rows - 3, 0, 2, out->cols);
	/* The column counts bytes of the program, which starts after leading blanks. */
	size_t at = strspn(line, " ") + c->diag_column - 1;
	at = at < strlen(line) ? at : strlen(line);
	int caret = label - skip + (int)text_clean(out->arena, line, at).cols;
	struct text why = text_printf(out->arena, "%s", c->diag.text);
	int left = caret - 1 - (int)why.cols;

	canvas_blank(&above);
	canvas_put(&above, 0, label - skip, text_clean_str(out->arena, line), STYLE_PLAIN);
	canvas_put(&above, 1, caret, TEXT("^"), STYLE_BAD);
	/* Beside the caret, on the side where the words fit. */
	if (caret + 2 + (int)why.cols <= above.cols || left < 0)
		canvas_field(&above, 1, caret + 2, above.cols - caret - 2, false, why, STYLE_BAD);
	else
		canvas_put(&above, 1, left, why, STYLE_BAD);
}

/* What the word could become, as many as fit and how many more. */
static void draw_names(struct console *c, struct canvas *out)
{
	size_t n = 0, i = 0;
	const char *const *names = prompt_names(c->prompt, &n);
	struct canvas above = canvas_sub(out, out->rows - 2, 0, 1, out->cols);
	int col = 0;

	if (n < 2)
		return;
	canvas_blank(&above);
	for (; i < n; i++) {
		struct text name = text_clean_str(out->arena, names[i]);
		struct text more = text_printf(out->arena, "%zu more", n - i - 1);
		if (col + (int)name.cols + 2 + (int)more.cols > out->cols && (i + 1 < n || col + (int)name.cols > out->cols))
			break;
		col = canvas_put(&above, 0, col, name, STYLE_PLAIN) + 2;
	}
	if (i < n)
		canvas_put(&above, 0, col, text_printf(out->arena, "%zu more", n - i), STYLE_DIM);
}

void console_draw_prompt(struct console *c, struct canvas *out)
{
	int row = out->rows - 1, label = (int)strlen(c->prompt_use->label), cursor = 0;
	const char *line = console_prompt(c, &cursor);
	int skip = cursor - (out->cols - 1); /* a line wider than the screen scrolls with its cursor */
	struct canvas last = canvas_sub(out, row, 0, 1, out->cols);

	skip = skip > 0 ? skip : 0;
	canvas_blank(&last);
	canvas_put(&last, 0, -skip, text_printf(out->arena, "%s", c->prompt_use->label), STYLE_LINK);
	canvas_put(&last, 0, label - skip, text_clean_str(out->arena, line), STYLE_PLAIN);
	if (c->diag_column && out->rows >= 3)
		draw_diag(c, out, line, label, skip);
	else if (out->rows >= 3)
		draw_names(c, out);
}
