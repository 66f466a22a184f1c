/* Prints one probe's rows as text, by shape: what `rung tool` and `rung probe` show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

#define BAR_COLS 40

static const struct probe_row *find_probe(const struct frame *f, uint32_t id)
{
	const struct probe_row *rows = FRAME_ROWS(f, probe, PROBE);

	for (uint32_t i = 0; i < f->sec[SEC_PROBE].nrows; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static void print_bound(FILE *out, int64_t v, enum unit u)
{
	struct fmt_buf b;

	if (u == UNIT_NS)
		fprintf(out, "%.*s", TEXT_ARG(fmt_i64(&b, u, v, 0)));
	else if (v >= 1024 && (v & (v - 1)) == 0)
		fprintf(out, v >= 1 << 30 ? "%lldG" : v >= 1 << 20 ? "%lldM" : "%lldK",
			(long long)(v >= 1 << 30 ? v >> 30 : v >= 1 << 20 ? v >> 20 : v >> 10));
	else
		fprintf(out, "%lld", (long long)v);
}

static void print_range(FILE *out, const struct hist_row *h, enum unit u)
{
	char range[64] = "";
	FILE *mem = fmemopen(range, sizeof(range), "w");

	if (mem) {
		if (h->high == 0 && h->low < 0) {
			fprintf(mem, "(..., 0)");
		} else {
			fprintf(mem, "[");
			print_bound(mem, h->low, u);
			fprintf(mem, ", ");
			if (h->high == INT64_MAX)
				fprintf(mem, "...");
			else
				print_bound(mem, h->high, u);
			fprintf(mem, ")");
		}
		fclose(mem);
	}
	fprintf(out, "%-20s", range);
}

static void print_slot(FILE *out, const struct hist_row *h, uint64_t most, enum unit u)
{
	uint32_t cols = most ? (uint32_t)((double)h->count / (double)most * BAR_COLS + 0.5) : 0;

	print_range(out, h, u);
	fprintf(out, "%10llu |", (unsigned long long)h->count);
	for (uint32_t i = 0; i < BAR_COLS; i++)
		putc(i < cols ? '@' : ' ', out);
	fputs("|\n", out);
}

static bool is_same_hist(const struct hist_row *a, const struct hist_row *b)
{
	return a->probe_id == b->probe_id && text_eq(a->name, b->name) && text_eq(a->key, b->key);
}

/* Slots between two filled ones are printed too: a gap is part of the shape. */
static void print_gap(FILE *out, const struct hist_row *from, const struct hist_row *to, uint64_t most, enum unit u)
{
	struct hist_row empty = *from;

	for (uint32_t slot = from->slot + 1; slot < to->slot; slot++) {
		empty.low = empty.high;
		empty.high = empty.low ? empty.low * 2 : 1;
		empty.count = 0;
		print_slot(out, &empty, most, u);
	}
}

static void print_hists(FILE *out, const struct frame *f, const struct probe_row *p, enum unit u)
{
	const struct hist_row *h = FRAME_ROWS(f, hist, HIST);
	uint32_t n = f->sec[SEC_HIST].nrows, end;

	for (uint32_t i = 0; i < n; i = end) {
		uint64_t most = 0;
		for (end = i; end < n && is_same_hist(&h[i], &h[end]); end++)
			most = h[end].count > most ? h[end].count : most;
		if (h[i].probe_id != p->id)
			continue;
		if (h[i].name.len || h[i].key.len)
			fprintf(out, "%.*s%s%.*s%s:\n", TEXT_ARG(h[i].name), h[i].name.len && h[i].key.len ? "[" : "",
				TEXT_ARG(h[i].key), h[i].name.len && h[i].key.len ? "]" : "");
		for (uint32_t k = i; k < end; k++) {
			if (k > i)
				print_gap(out, &h[k - 1], &h[k], most, u);
			print_slot(out, &h[k], most, u);
		}
	}
}

/* What ranks a row: its wall time, else how often, else the sum. */
static double weight(const struct counts_row *c)
{
	if (c->total_ns != U64_UNKNOWN)
		return (double)c->total_ns;
	return c->count != U64_UNKNOWN ? (double)c->count : (double)c->sum;
}

/* Map by map, the heaviest first; a call without time comes after those with. */
static int compare_counts(const void *x, const void *y)
{
	const struct counts_row *a = *(const struct counts_row *const *)x, *b = *(const struct counts_row *const *)y;
	int by_name = text_cmp(a->name, b->name);
	int by_time = (a->total_ns == U64_UNKNOWN) - (b->total_ns == U64_UNKNOWN);

	if (by_name || by_time)
		return by_name ? by_name : by_time;
	return (weight(a) < weight(b)) - (weight(a) > weight(b));
}

static void print_field(FILE *out, enum counts_field field, const struct counts_row *row, uint32_t width)
{
	struct arena a = { 0 };
	struct text t = field_text_of(&section_descs[SEC_COUNTS].fields[field], row, 0, &a);

	fprintf(out, "%*s%.*s", (int)(t.cols < width ? width - t.cols : 0), "", TEXT_ARG(t));
	arena_fini(&a);
}

static void print_timed(FILE *out, const struct counts_row *c)
{
	print_field(out, COUNTS_count, c, 10);
	print_field(out, COUNTS_per_s, c, 10);
	print_field(out, COUNTS_errors, c, 9);
	print_field(out, COUNTS_total_ns, c, 10);
	print_field(out, COUNTS_avg_ns, c, 10);
	print_field(out, COUNTS_max_ns, c, 10);
	fprintf(out, "  %.*s\n", TEXT_ARG(c->key));
}

/* A tool's rows are a table by key; a bespoke program's maps print as its language writes them. */
static void print_plain(FILE *out, const struct counts_row *c)
{
	if (!c->name.len) {
		fprintf(out, "%10llu  %.*s\n", (unsigned long long)c->count, TEXT_ARG(c->key));
		return;
	}
	fprintf(out, "%.*s%s%.*s%s: ", TEXT_ARG(c->name), c->key.len ? "[" : "", TEXT_ARG(c->key), c->key.len ? "]" : "");
	if (c->sum != I64_UNKNOWN)
		fprintf(out, "%lld\n", (long long)c->sum);
	else
		fprintf(out, "%llu\n", (unsigned long long)c->count);
}

static int print_counts(FILE *out, const struct frame *f, const struct probe_row *p)
{
	const struct counts_row *rows = FRAME_ROWS(f, counts, COUNTS), **sorted;
	uint32_t nrows = f->sec[SEC_COUNTS].nrows, n = 0;
	bool is_timed = false;

	sorted = calloc(nrows + 1u, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (uint32_t i = 0; i < nrows; i++) {
		if (rows[i].probe_id != p->id)
			continue;
		sorted[n++] = &rows[i];
		is_timed |= rows[i].total_ns != U64_UNKNOWN;
	}
	qsort(sorted, n, sizeof(*sorted), compare_counts);
	if (is_timed)
		fprintf(out, "%10s%10s%9s%10s%10s%10s  %s\n", "calls", "/s", "errors", "wall", "avg", "max", "call");
	for (uint32_t i = 0; i < n; i++)
		is_timed ? print_timed(out, sorted[i]) : print_plain(out, sorted[i]);
	free(sorted);
	return 0;
}

static void print_events(FILE *out, const struct frame *f, const struct probe_row *p)
{
	const struct events_row *e = FRAME_ROWS(f, events, EVENTS);
	struct fmt_buf at, took;

	for (uint32_t i = 0; i < f->sec[SEC_EVENTS].nrows; i++) {
		if (e[i].probe_id != p->id)
			continue;
		fprintf(out, "%.*s %.*s[%u] %.*s(%.*s) = %lld%s%.*s <%.*s>\n",
			TEXT_ARG(fmt_u64(&at, UNIT_WALL_NS, e[i].wall_ns, 0)), TEXT_ARG(e[i].comm), e[i].tid,
			TEXT_ARG(e[i].name), TEXT_ARG(e[i].args), (long long)e[i].ret, e[i].error.len ? " " : "",
			TEXT_ARG(e[i].error), TEXT_ARG(fmt_u64(&took, UNIT_NS, e[i].latency_ns, 0)));
	}
}

/* A tool that counts or measures and has nothing yet; a stream without events is silent by nature. */
static bool has_nothing(const struct frame *f, const struct probe_row *p)
{
	const struct hist_row *h = FRAME_ROWS(f, hist, HIST);
	const struct counts_row *c = FRAME_ROWS(f, counts, COUNTS);

	if (p->program.len || !(text_is(p->family, "hist") || text_is(p->family, "counts")))
		return false;
	for (uint32_t i = 0; i < f->sec[SEC_HIST].nrows; i++)
		if (h[i].probe_id == p->id)
			return false;
	for (uint32_t i = 0; i < f->sec[SEC_COUNTS].nrows; i++)
		if (c[i].probe_id == p->id)
			return false;
	return true;
}

int session_print_probe(FILE *out, const struct frame *f, uint32_t probe_id)
{
	const struct probe_row *p = find_probe(f, probe_id);

	if (!p)
		return -ENOENT;
	print_hists(out, f, p, text_is(p->unit, "ns") ? UNIT_NS : UNIT_COUNT);
	int err = print_counts(out, f, p);
	print_events(out, f, p);
	/* Silence could as well be a tool that does not work. */
	if (has_nothing(f, p))
		fprintf(out, "nothing counted\n");
	return err ? err : ferror(out) ? -EIO : 0;
}
