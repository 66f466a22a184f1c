/* Probes as the console sees them: rows of the frame, requests to the source. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ui/console_state.h"

/* The running probe of that name and scope in the newest frame, or NULL. */
static const struct probe_row *running(const struct console *c, const char *name, const struct scope *scope)
{
	const struct frame *f = history_at(&c->history, 0);
	const struct probe_row *found = NULL;
	struct arena a = { 0 };

	if (!f)
		return NULL;
	struct text where = scope_text(&a, scope);
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);
	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (text_is(rows[i].name, name) && text_eq(rows[i].scope, where) && text_is(rows[i].state, "running"))
			found = &rows[i];
	arena_fini(&a);
	return found;
}

bool console_has_probe(const struct console *c)
{
	const struct frame *f = history_at(&c->history, 0);

	/* A recording says "running" for ever; it is not ours to stop. */
	if (!f || !c->started.len)
		return false;
	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (text_is(FRAME_ROWS(f, probe, PROBE)[i].state, "running"))
			return true;
	return false;
}

/* Remember a request that was taken, each only once. */
static void remember(struct console *c, const struct request *r)
{
	for (uint32_t i = 0; i < c->started.len; i++) {
		struct started *s = &c->started.ptr[i];
		if (strcmp(s->request.tool, r->tool) || strcmp(s->request.program, r->program) ||
		    !scope_eq(&s->request.scope, &r->scope))
			continue;
		s->request = *r;
		return;
	}
	struct started *s = VEC_ADD(&c->started);
	if (s)
		s->request = *r;
	else
		console_say(c, STYLE_WARN, "after Ctrl-Z this probe stays stopped: out of memory");
}

static bool is_row_of(const struct probe_row *row, const struct request *r, struct arena *a)
{
	if (!text_is(row->state, "running") || !text_eq(row->scope, scope_text(a, &r->scope)))
		return false;
	return r->tool[0] ? text_is(row->name, r->tool) : text_is(row->program, r->program);
}

void console_pause(struct console *c)
{
	const struct frame *f = history_at(&c->history, 0);
	struct arena a = { 0 };
	struct err e = { 0 };

	/* Asked twice: the shell now, whatever still runs. */
	if (c->is_pausing) {
		c->is_pausing = false;
		c->is_suspend_wanted = true;
		return;
	}
	for (uint32_t i = 0; f && i < c->started.len * f->sec[SEC_PROBE].nrows; i++) {
		struct started *s = &c->started.ptr[i / f->sec[SEC_PROBE].nrows];
		const struct probe_row *row = &FRAME_ROWS(f, probe, PROBE)[i % f->sec[SEC_PROBE].nrows];
		if (!is_row_of(row, &s->request, &a))
			continue;
		struct request stop = { .kind = REQUEST_PROBE_STOP, .probe_id = row->id, .scope = s->request.scope };
		s->is_paused = c->o.source->ask(c->o.source, &stop, &e) == 0;
		c->is_pausing |= s->is_paused;
	}
	arena_fini(&a);
	c->is_suspend_wanted = !c->is_pausing;
	if (c->is_pausing)
		console_say(c, STYLE_PLAIN, "stopping the probes before the shell takes over");
}

void console_resume(struct console *c)
{
	struct err e = { 0 };

	c->is_resuming = false;
	for (uint32_t i = 0; i < c->started.len; i++) {
		struct started *s = &c->started.ptr[i];
		if (s->is_paused && c->o.source->ask(c->o.source, &s->request, &e))
			console_say(c, STYLE_WARN, "%s", e.text);
		s->is_paused = false;
	}
}

bool console_tool_scope(struct console *c, const char *tool, struct scope *scope)
{
	for (uint32_t i = 0; i < c->o.ntools; i++) {
		const struct tool_desc *t = &c->o.tools[i];
		if (strcmp(t->name, tool) || (t->scopes & 1u << scope->kind))
			continue;
		if (!(t->scopes & 1u << SCOPE_HOST)) {
			console_say(c, STYLE_WARN, "%s does not take this selection; 4 lists what does", tool);
			return false;
		}
		*scope = (struct scope){ .kind = SCOPE_HOST };
	}
	return true;
}

bool console_start_tool(struct console *c, const struct step *s)
{
	struct request r = { .kind = REQUEST_PROBE_START, .scope = s->scope };
	struct err e = { 0 };
	const struct probe_row *has = running(c, s->tool, &s->scope);

	/* Another argument (which system call to stream) is a new request to the same probe. */
	if (has && !s->arg.len)
		return true;
	snprintf(r.tool, sizeof(r.tool), "%s", s->tool);
	snprintf(r.arg, sizeof(r.arg), "%.*s", (int)s->arg.len, s->arg.utf8);
	int rc = c->o.source->ask(c->o.source, &r, &e);
	if (!rc)
		remember(c, &r);
	/* A recording cannot start it, but may hold what it showed. */
	if (!rc || has)
		return true;
	console_say(c, STYLE_WARN, "%s: %s", s->tool, e.text);
	return false;
}

bool console_start_program(struct console *c, const char *program)
{
	struct request r = { .kind = REQUEST_PROBE_START, .scope = console_top(c)->step.scope };
	struct step s = { .rung = 5, .pane = "probe", .scope = r.scope };

	c->diag = (struct err){ 0 };
	c->diag_column = 0;
	if (strlen(program) >= sizeof(r.program)) {
		err_set(&c->diag, E2BIG, "the program is longer than %zu bytes", sizeof(r.program) - 1);
		c->diag_column = 1;
		return false;
	}
	if (c->o.check_program && c->o.check_program(program, &c->diag, &c->diag_column)) {
		c->diag_column = c->diag_column ? c->diag_column : 1;
		return false;
	}
	snprintf(r.program, sizeof(r.program), "%s", program);
	if (c->o.source->ask(c->o.source, &r, &c->diag)) {
		c->diag_column = 1;
		return false;
	}
	remember(c, &r);
	text_keepf(&s.arg, "%s", program);
	text_keepf(&s.why, "%s", program);
	if (strcmp(console_top(c)->pane->name, "probe"))
		return console_descend(c, &s);
	/* Already there: the new program takes the screen over. */
	console_top(c)->step = s;
	const struct frame *f = console_frame(c);
	return trail_add(c->o.trail, f ? f->wall_ns : 0, "probe", &s);
}

bool console_stop_probe(struct console *c)
{
	const struct layer *top = console_top(c);
	bool is_own_program = !strcmp(top->pane->name, "probe");
	const char *name = is_own_program ? "probe" : top->step.tool;
	const struct probe_row *row = name ? running(c, name, &top->step.scope) : NULL;
	struct err e = { 0 };

	if (!row)
		return false;
	struct request r = { .kind = REQUEST_PROBE_STOP, .probe_id = row->id, .scope = top->step.scope };
	if (c->o.source->ask(c->o.source, &r, &e))
		console_say(c, STYLE_WARN, "%s", e.text);
	else
		console_say(c, STYLE_PLAIN, "stopping %s", name);
	return true;
}
