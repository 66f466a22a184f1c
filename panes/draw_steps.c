/* Steps to processes, with what they use as the evidence; and how a process row reads. */
#include "panes/draw_steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/** What is worth saying of a process as evidence, and from which value on. */
struct worth {
	const char *label;
	uint32_t field;
	double from;
};

static const struct worth worths[] = {
	{ "cpu", TASK_cpu_pct, 0.1 },         { "waits for cpu", TASK_runq_pct, 1 },
	{ "in D", TASK_threads_in_d, 1 },     { "io wait", TASK_io_wait_pct, 1 },
	{ "read", TASK_read_bytes_per_s, 1 }, { "write", TASK_write_bytes_per_s, 1 },
	{ "rss", TASK_rss_bytes, 1 },
};

void step_to(struct step *out, uint32_t rung, const char *pane, const char *tool, const struct scope *s)
{
	memset(out, 0, sizeof(*out));
	out->rung = rung;
	out->pane = pane;
	out->tool = tool;
	if (s)
		out->scope = *s;
}

struct scope task_scope(const struct task_row *t)
{
	return scope_process(t->tgid, t->start_ns == U64_UNKNOWN ? 0 : t->start_ns, t->comm);
}

void why_of_task(struct text_buf *why, const struct task_row *t)
{
	char words[sizeof(why->utf8)] = "";
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(worths); i++) {
		const struct field_desc *d = &section_descs[SEC_TASK].fields[worths[i].field];
		double v = field_number(d, t);
		struct fmt_buf b;
		if (isnan(v) || v < worths[i].from)
			continue;
		int took = snprintf(words + n, sizeof(words) - n, "%s%s %s%s", n ? ", " : "", worths[i].label,
				    fmt_f64(&b, d->unit, v, 0).utf8, d->unit == UNIT_BYTES_PER_S ? "/s" : "");
		if (took < 0 || (size_t)took >= sizeof(words) - n) {
			words[n] = 0;
			break;
		}
		n += (size_t)took;
	}
	text_keepf(why, "%.*s[%u]%s%s", TEXT_ARG(t->comm), t->tgid, n ? ": " : "", words);
}

void step_to_task(struct step *out, const struct task_row *t)
{
	struct scope s = task_scope(t);

	step_to(out, 2, "process", NULL, &s);
	why_of_task(&out->why, t);
}

const struct task_row *task_in_scope(const struct pane_input *in)
{
	const struct scope *s = in->step ? &in->step->scope : NULL;

	if (!s || (s->kind != SCOPE_PROCESS && s->kind != SCOPE_THREAD))
		return NULL;
	return frame_task(in->frame, s->tgid, s->kind == SCOPE_PROCESS ? s->start_ns : 0);
}

struct text task_command(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct task_row *t = row;

	(void)in;
	if (t->cmdline.len)
		return t->cmdline;
	return t->is_kthread == 1 ? text_printf(a, "[%.*s]", TEXT_ARG(t->comm)) : t->comm;
}

struct text task_named_command(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct task_row *t = row;

	if (!t->cmdline.len || !t->comm.len ||
	    (t->cmdline.len >= t->comm.len && !memcmp(t->cmdline.utf8, t->comm.utf8, t->comm.len)))
		return task_command(in, row, a);
	return text_printf(a, "%.*s  %.*s", TEXT_ARG(t->comm), TEXT_ARG(t->cmdline));
}

enum style task_style(const struct pane_input *in, const void *row)
{
	const struct task_row *t = row;

	(void)in;
	if (t->state == 'D' || (t->threads_in_d != U32_UNKNOWN && t->threads_in_d > 0))
		return STYLE_BAD;
	return t->state == 'Z' ? STYLE_WARN : t->is_kthread == 1 ? STYLE_DIM : STYLE_PLAIN;
}
