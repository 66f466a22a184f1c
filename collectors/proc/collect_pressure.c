/* PSI: how long tasks stalled for want of CPU, memory, I/O or behind interrupts. */
#include <errno.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

struct pressure_state {
	struct scan_buf buf;
};

/* irq came with Linux 6.1 and depends on CONFIG_IRQ_TIME_ACCOUNTING. */
static const struct resource {
	const char *path;
	struct text name;
} resources[] = {
	{ "pressure/cpu", TEXT_INIT("cpu") },
	{ "pressure/memory", TEXT_INIT("memory") },
	{ "pressure/io", TEXT_INIT("io") },
	{ "pressure/irq", TEXT_INIT("irq") },
};

static void read_stall(struct scan line, double *avg10_pct, double *avg60_pct, uint64_t *total_ns)
{
	struct scan word;

	while (scan_word(&line, &word)) {
		if (scan_skip(&word, "avg10=")) {
			*avg10_pct = scan_f64(&word);
		} else if (scan_skip(&word, "avg60=")) {
			*avg60_pct = scan_f64(&word);
		} else if (scan_skip(&word, "total=")) {
			uint64_t total_us = scan_u64(&word);
			*total_ns = total_us == U64_UNKNOWN ? total_us : total_us * NS_PER_US;
		}
	}
}

static double stalled_pct(uint64_t before_ns, uint64_t now_ns, uint64_t elapsed_ns)
{
	double pct = counter_per_s(counter_delta(before_ns, now_ns), elapsed_ns) * 100 /
		     (double)NS_PER_S;

	/* The kernel settles its totals in periods of its own, so an interval can get a bit
	 * more than itself. */
	return pct > 100 ? 100 : pct;
}

static const struct psi_row *row_before(const struct frame *prev, struct text resource)
{
	for (uint32_t i = 0; prev && i < prev->sec[SEC_PSI].nrows; i++)
		if (text_eq(FRAME_ROWS(prev, psi, PSI)[i].resource, resource))
			return &FRAME_ROWS(prev, psi, PSI)[i];
	return NULL;
}

static void add_row(struct frame_builder *b, const struct resource *r, struct scan file)
{
	const struct psi_row *before = row_before(frame_prev(b), r->name);
	struct psi_row *row = FRAME_ADD(b, psi, PSI);
	struct scan line;

	if (!row)
		return;
	row->resource = r->name;
	while (scan_line(&file, &line)) {
		if (scan_skip(&line, "some "))
			read_stall(line, &row->some_avg10_pct, &row->some_avg60_pct,
				   &row->some_ns_total);
		else if (scan_skip(&line, "full "))
			read_stall(line, &row->full_avg10_pct, &row->full_avg60_pct,
				   &row->full_ns_total);
	}
	if (!before)
		return;
	row->some_pct = stalled_pct(before->some_ns_total, row->some_ns_total, frame_elapsed_ns(b));
	row->full_pct = stalled_pct(before->full_ns_total, row->full_ns_total, frame_elapsed_ns(b));
}

static int pressure_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			   struct err *e)
{
	struct pressure_state *st = self;
	struct err first = { 0 };
	struct scan file;
	uint32_t nrows;

	for (size_t i = 0; i < ARRAY_LEN(resources); i++) {
		struct err one;
		if (!scan_file(&st->buf, env->proc_fd, resources[i].path, &file, &one))
			add_row(b, &resources[i], file);
		else if (!first.code)
			first = one;
	}
	frame_built(b, SEC_PSI, &nrows);
	if (nrows)
		return 0;
	if (first.code == EOPNOTSUPP)
		return err_set(e, EOPNOTSUPP, "PSI is switched off: boot with psi=1");
	if (first.code == ENOENT)
		return err_set(
		    e, ENOENT,
		    "no /proc/pressure: needs CONFIG_PSI, or psi=1 on the kernel command line");
	*e = first;
	return -e->code;
}

static void pressure_close(void *self)
{
	struct pressure_state *st = self;

	scan_buf_fini(&st->buf);
}

const struct collector collector_pressure = {
	.name = "pressure",
	.provides = SEC_BIT(SEC_PSI),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 2 * NS_PER_MS,
	.self_size = sizeof(struct pressure_state),
	.sample = pressure_sample,
	.close = pressure_close,
};
