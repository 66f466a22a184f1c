#include "triage/judge.h"

#include <math.h>

const struct frame *frame_before(const struct frame *f, const struct history *h)
{
	if (!h || !h->len || !f->mono_ns)
		return NULL;
	const struct frame *at = history_at(h, history_find(h, f->mono_ns - 1));
	return at->mono_ns < f->mono_ns ? at : NULL;
}

uint32_t severity_of(double value, double from, double to, uint32_t low, uint32_t high)
{
	if (isnan(value) || value < from)
		return 0;
	if (value >= to)
		return high;
	return low + (uint32_t)((value - from) / (to - from) * (high - low));
}

uint32_t severity_max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

struct text say(struct arena *a, enum unit unit, double value)
{
	struct fmt_buf b;

	return text_copy(a, fmt_f64(&b, unit, value, 0));
}

uint32_t row_index(const struct frame *f, enum frame_sec sec, const void *row)
{
	return (uint32_t)((size_t)((const char *)row - (const char *)f->sec[sec].rows) /
			  section_descs[sec].row_bytes);
}

void evidence_of(struct finding *g, const struct frame *f, enum frame_sec sec, const void *row,
		 uint32_t field, double threshold)
{
	finding_evidence(g, sec, row_index(f, sec, row), field,
			 field_number(&section_descs[sec].fields[field], row), threshold);
}

const struct psi_row *psi_of(const struct frame *f, const char *resource)
{
	const struct psi_row *rows = f ? FRAME_ROWS(f, psi, PSI) : NULL;

	for (uint32_t i = 0; rows && i < f->sec[SEC_PSI].nrows; i++)
		if (text_is(rows[i].resource, resource))
			return &rows[i];
	return NULL;
}

const struct netcount_row *netcount_of(const struct frame *f, const char *name)
{
	const struct netcount_row *rows = f ? FRAME_ROWS(f, netcount, NETCOUNT) : NULL;

	for (uint32_t i = 0; rows && i < f->sec[SEC_NETCOUNT].nrows; i++)
		if (text_is(rows[i].name, name))
			return &rows[i];
	return NULL;
}

const struct cpu_row *cpu_all(const struct frame *f)
{
	return f && f->sec[SEC_CPU].nrows ? FRAME_ROWS(f, cpu, CPU) : NULL;
}

uint32_t cpu_count(const struct frame *f)
{
	return f->sec[SEC_CPU].nrows ? f->sec[SEC_CPU].nrows - 1 : 0;
}

const struct task_row *task_most(const struct frame *f, uint32_t field, double above)
{
	const struct field_desc *d = &section_descs[SEC_TASK].fields[field];
	const struct task_row *rows = FRAME_ROWS(f, task, TASK), *most = NULL;

	for (uint32_t i = 0; i < f->sec[SEC_TASK].nrows; i++) {
		double v = field_number(d, &rows[i]);
		if (v > above) {
			above = v;
			most = &rows[i];
		}
	}
	return most;
}

struct scope scope_of_task(const struct task_row *t)
{
	return scope_process(t->tgid, t->start_ns == U64_UNKNOWN ? 0 : t->start_ns, t->comm);
}

void finding_next(struct finding *g, uint32_t rung, const char *pane, const char *tool, const struct scope *s)
{
	g->next.rung = rung;
	g->next.pane = pane;
	g->next.tool = tool;
	g->next.scope = *s;
}
