/* The USE matrix: utilisation, saturation and errors of each resource from one frame. */
#include "panes/draw_matrix.h"

#include <math.h>
#include <string.h>

#include "panes/draw_steps.h"
#include "triage/judge.h"

#define CELL_ITEMS 5

/** What one row of the matrix says. */
struct cells {
	double util_pct;  /* NaN: not known, or no single number */
	double warn, bad; /* for the bar */
	bool has_bar;
	struct item util[CELL_ITEMS], sat[CELL_ITEMS], err[CELL_ITEMS];
	uint32_t nutil, nsat, nerr;
};

/** One resource: its section, its pane and what fills its cells. */
struct resource {
	struct text name;
	const char *resource; /* as findings call it */
	const char *pane;
	enum frame_sec sec;
	uint32_t rank; /* TASK field by which its users are ranked */
	struct text rank_title;
	void (*fill)(const struct pane_input *in, struct cells *x);
};

static void item_add(struct item *items, uint32_t *n, struct item it)
{
	if (*n < CELL_ITEMS)
		items[(*n)++] = it;
}

#define UTIL(x, ...) item_add((x)->util, &(x)->nutil, (struct item){ __VA_ARGS__ })
#define SAT(x, ...)  item_add((x)->sat, &(x)->nsat, (struct item){ __VA_ARGS__ })
#define ERR(x, ...)  item_add((x)->err, &(x)->nerr, (struct item){ __VA_ARGS__ })

static double known_u32(uint32_t v)
{
	return v == U32_UNKNOWN ? F64_UNKNOWN : (double)v;
}

static double known_u64(uint64_t v)
{
	return v == U64_UNKNOWN ? F64_UNKNOWN : (double)v;
}

static double psi_some_pct(const struct frame *f, const char *resource)
{
	const struct psi_row *p = psi_of(f, resource);

	return !p ? F64_UNKNOWN : isnan(p->some_pct) ? p->some_avg10_pct : p->some_pct;
}

static void fill_cpu(const struct pane_input *in, struct cells *x)
{
	const struct cpu_row *all = cpu_all(in->frame);
	const struct sys_row *sys = FRAME_ROWS(in->frame, sys, SYS);
	double ncpu = cpu_count(in->frame);

	x->has_bar = true;
	x->warn = 80;
	x->bad = 95;
	if (all) {
		x->util_pct = all->busy_pct;
		UTIL(x, TEXT("us"), UNIT_PCT, all->user_pct, 0, 0, TEXT_UNKNOWN);
		UTIL(x, TEXT("sy"), UNIT_PCT, all->system_pct, 30, 60, TEXT_UNKNOWN);
		UTIL(x, TEXT("io"), UNIT_PCT, all->iowait_pct, 0, 0, TEXT_UNKNOWN);
	}
	if (sys) {
		SAT(x, TEXT("runq"), UNIT_COUNT, known_u32(sys->runnable), ncpu > 0 ? ncpu + 1 : 0, 2 * ncpu,
		    TEXT_UNKNOWN);
		SAT(x, TEXT("on"), UNIT_COUNT, ncpu > 0 ? ncpu : F64_UNKNOWN, 0, 0, TEXT_UNKNOWN);
	}
	SAT(x, TEXT("psi"), UNIT_PCT, psi_some_pct(in->frame, "cpu"), 10, 40, TEXT_UNKNOWN);
	if (all)
		SAT(x, TEXT("steal"), UNIT_PCT, all->steal_pct, 5, 15, TEXT_UNKNOWN);
}

static void fill_memory(const struct pane_input *in, struct cells *x)
{
	const struct mem_row *m = FRAME_ROWS(in->frame, mem, MEM);

	x->has_bar = true;
	x->warn = 85;
	x->bad = 95;
	if (m) {
		x->util_pct = m->used_pct;
		UTIL(x, TEXT("avail"), UNIT_BYTES, known_u64(m->available_bytes), 0, 0, TEXT_UNKNOWN);
		UTIL(x, TEXT("of"), UNIT_BYTES, known_u64(m->total_bytes), 0, 0, TEXT_UNKNOWN);
		SAT(x, TEXT("swap in"), UNIT_BYTES_PER_S, m->swap_in_bytes_per_s, 1, 1 << 20, TEXT_UNKNOWN);
	}
	SAT(x, TEXT("psi"), UNIT_PCT, psi_some_pct(in->frame, "memory"), 5, 20, TEXT_UNKNOWN);
	if (m) {
		SAT(x, TEXT("stalls"), UNIT_PER_S, m->alloc_stall_per_s, 1, 100, TEXT_UNKNOWN);
		ERR(x, TEXT("oom"), UNIT_COUNT, known_u64(m->oom_kills), 0, 1, TEXT_UNKNOWN);
	}
}

static const struct disk_row *worst_disk(const struct frame *f)
{
	const struct disk_row *rows = FRAME_ROWS(f, disk, DISK), *worst = NULL;

	for (uint32_t i = 0; i < f->sec[SEC_DISK].nrows; i++)
		if (rows[i].is_partition != 1 &&
		    (!worst || isnan(worst->util_pct) || rows[i].util_pct > worst->util_pct))
			worst = &rows[i];
	return worst;
}

static void fill_disk(const struct pane_input *in, struct cells *x)
{
	const struct disk_row *d = worst_disk(in->frame);

	x->has_bar = true;
	x->warn = 70;
	x->bad = 90;
	if (d) {
		x->util_pct = d->util_pct;
		UTIL(x, TEXT_UNKNOWN, UNIT_NONE, F64_UNKNOWN, 0, 0, d->name);
		UTIL(x, TEXT("rd"), UNIT_BYTES_PER_S, d->read_bytes_per_s, 0, 0, TEXT_UNKNOWN);
		UTIL(x, TEXT("wr"), UNIT_BYTES_PER_S, d->write_bytes_per_s, 0, 0, TEXT_UNKNOWN);
		SAT(x, TEXT("queue"), UNIT_RATIO, d->queue, 4, 16, TEXT_UNKNOWN);
		SAT(x, TEXT("await"), UNIT_NS, d->await_ns, 10e6, 25e6, TEXT_UNKNOWN);
	}
	SAT(x, TEXT("psi"), UNIT_PCT, psi_some_pct(in->frame, "io"), 10, 40, TEXT_UNKNOWN);
}

static double rate_of(const struct frame *f, const char *counter)
{
	const struct netcount_row *r = netcount_of(f, counter);

	return r ? r->per_s : F64_UNKNOWN;
}

static void fill_network(const struct pane_input *in, struct cells *x)
{
	const struct frame *f = in->frame;
	const struct net_row *rows = FRAME_ROWS(f, net, NET), *most = NULL;
	double drops = F64_UNKNOWN;

	x->has_bar = true;
	x->warn = 70;
	x->bad = 90;
	for (uint32_t i = 0; i < f->sec[SEC_NET].nrows; i++) {
		double here = rows[i].rx_drops_per_s + rows[i].tx_drops_per_s;
		if (!isnan(here))
			drops = isnan(drops) ? here : drops + here;
		if (text_is(rows[i].name, "lo") || text_is(rows[i].operstate, "down"))
			continue;
		if (!most || rows[i].util_pct > most->util_pct ||
		    (!(rows[i].util_pct < most->util_pct) &&
		     rows[i].rx_bytes_per_s + rows[i].tx_bytes_per_s >
			     most->rx_bytes_per_s + most->tx_bytes_per_s))
			most = &rows[i];
	}
	if (most) {
		x->util_pct = most->util_pct;
		UTIL(x, TEXT_UNKNOWN, UNIT_NONE, F64_UNKNOWN, 0, 0, most->name);
		UTIL(x, TEXT("rx"), UNIT_BYTES_PER_S, most->rx_bytes_per_s, 0, 0, TEXT_UNKNOWN);
		UTIL(x, TEXT("tx"), UNIT_BYTES_PER_S, most->tx_bytes_per_s, 0, 0, TEXT_UNKNOWN);
	}
	SAT(x, TEXT("drops"), UNIT_PER_S, drops, 1, 100, TEXT_UNKNOWN);
	SAT(x, TEXT("listen drops"), UNIT_PER_S, rate_of(f, "TcpExt.ListenDrops"), 0.1, 10, TEXT_UNKNOWN);
	double sent = rate_of(f, "Tcp.OutSegs"), again = rate_of(f, "Tcp.RetransSegs");
	ERR(x, TEXT("retrans"), UNIT_PCT,
	    sent > 0    ? 100 * again / sent
	    : again > 0 ? 100
			: again,
	    1, 5, TEXT_UNKNOWN);
}

static void fill_tasks(const struct pane_input *in, struct cells *x)
{
	const struct sys_row *s = FRAME_ROWS(in->frame, sys, SYS);

	if (!s)
		return;
	UTIL(x, TEXT("threads"), UNIT_COUNT, known_u32(s->threads), 0, 0, TEXT_UNKNOWN);
	SAT(x, TEXT("in D"), UNIT_COUNT, known_u32(s->in_d), 1, 4, TEXT_UNKNOWN);
	SAT(x, TEXT("forks"), UNIT_PER_S, s->forks_per_s, 200, 1000, TEXT_UNKNOWN);
	SAT(x, TEXT("switches"), UNIT_PER_S, s->ctxt_per_s, 0, 0, TEXT_UNKNOWN);
	ERR(x, TEXT("zombies"), UNIT_COUNT, known_u32(s->zombies), 10, 100, TEXT_UNKNOWN);
}

static void fill_limits(const struct pane_input *in, struct cells *x)
{
	const struct frame *f = in->frame;
	const struct limit_row *rows = FRAME_ROWS(f, limit, LIMIT), *worst = NULL;

	x->has_bar = true;
	x->warn = 80;
	x->bad = 90;
	for (uint32_t i = 0; i < f->sec[SEC_LIMIT].nrows; i++)
		if (!worst || isnan(worst->used_pct) || rows[i].used_pct > worst->used_pct)
			worst = &rows[i];
	if (!worst)
		return;
	x->util_pct = worst->used_pct;
	UTIL(x, TEXT_UNKNOWN, UNIT_NONE, F64_UNKNOWN, 0, 0, worst->name);
	for (uint32_t i = 0; i < f->sec[SEC_LIMIT].nrows; i++)
		if (&rows[i] != worst)
			SAT(x, rows[i].name, UNIT_PCT, rows[i].used_pct, 80, 90, TEXT_UNKNOWN);
}

static const struct resource resources[MATRIX_ROWS] = {
	{ TEXT_INIT("CPU"), "cpu", "cpu", SEC_CPU, TASK_cpu_pct, TEXT_INIT("TOP BY CPU"), fill_cpu },
	{ TEXT_INIT("memory"), "memory", "memory", SEC_MEM, TASK_rss_bytes, TEXT_INIT("TOP BY MEMORY"),
	  fill_memory },
	{ TEXT_INIT("disk"), "disk", "disk", SEC_DISK, TASK_io_wait_pct, TEXT_INIT("TOP BY DISK WAIT"),
	  fill_disk },
	{ TEXT_INIT("network"), "network", "net", SEC_NET, TASK_cpu_pct, TEXT_INIT("TOP BY CPU"),
	  fill_network },
	{ TEXT_INIT("tasks"), "tasks", "processes", SEC_SYS, TASK_threads_in_d,
	  TEXT_INIT("TOP BY THREADS IN D"), fill_tasks },
	{ TEXT_INIT("limits"), "limits", "processes", SEC_LIMIT, TASK_threads, TEXT_INIT("TOP BY THREADS"),
	  fill_limits },
};

static const struct finding *finding_of(const struct pane_input *in, const char *resource)
{
	for (uint32_t i = 0; in->findings && i < in->findings->n; i++)
		if (in->findings->rows[i].resource && !strcmp(in->findings->rows[i].resource, resource))
			return &in->findings->rows[i];
	return NULL;
}

/* True when some process has a value above 0 there: ranking by a column of zeros or blanks says nothing. */
static bool is_ranked(const struct frame *f, uint32_t field)
{
	return task_most(f, field, 0) != NULL;
}

uint32_t matrix_trouble(const struct pane_input *in, struct text *title)
{
	const struct resource *r = &resources[0];

	if (in->findings && in->findings->n && in->findings->rows[0].resource)
		for (uint32_t i = 0; i < MATRIX_ROWS; i++)
			if (!strcmp(resources[i].resource, in->findings->rows[0].resource) &&
			    is_ranked(in->frame, resources[i].rank))
				r = &resources[i];
	*title = r->rank_title;
	return r->rank;
}

bool matrix_step(const struct pane_input *in, uint32_t i, struct step *out)
{
	if (i >= MATRIX_ROWS)
		return false;
	const struct resource *r = &resources[i];
	const struct finding *g = finding_of(in, r->resource);
	struct cells x = { .util_pct = F64_UNKNOWN };
	struct fmt_buf b;

	/* The matrix leads to the resource; a finding's own step, further down, is one Tab away. */
	step_to(out, 2, r->pane, NULL, NULL);
	if (g && g->next.rung == 2)
		*out = g->next;
	else if (g && (g->suspect.kind == SCOPE_DEVICE || g->suspect.kind == SCOPE_INTERFACE))
		out->scope = g->suspect;
	r->fill(in, &x);
	if (g)
		text_keep(&out->why, g->headline);
	else if (isnan(x.util_pct))
		text_keepf(&out->why, "a look at %s", r->resource);
	else
		text_keepf(&out->why, "%s %s used", r->resource, fmt_f64(&b, UNIT_PCT, x.util_pct, 0).utf8);
	return true;
}

/** Columns of the matrix for a window's width. */
struct widths {
	int bar, util, sat, err, next;
};

static struct widths widths_for(int cols)
{
	struct widths w = { .bar = cols >= 140 ? 20 : cols >= 90 ? 10 : cols >= 60 ? 8 : 5 };
	int rest = cols - 8 - w.bar - 8;

	w.next = cols >= 120 ? 26 : cols >= 98 ? 16 : 0;
	w.err = rest >= 44 ? 13 : 0;
	rest -= w.next + w.err;
	w.util = rest > 30 ? rest * 3 / 8 : 0;
	w.sat = rest - w.util;
	return w;
}

static void draw_resource(const struct pane_input *in, struct canvas *c, int row, const struct resource *r,
			  const struct widths *w)
{
	const struct finding *g = finding_of(in, r->resource);
	const struct section *sec = &in->frame->sec[r->sec];
	struct cells x = { .util_pct = F64_UNKNOWN };
	int at = 8;

	canvas_field(c, row, 0, 7, false, r->name, g ? STYLE_BAD : STYLE_HEAD);
	if (sec->state != SEC_OK && !sec->nrows) {
		if (!draw_reason(in, c, row, at, r->sec))
			canvas_put(c, row, at, TEXT("no data"), STYLE_DIM);
		return;
	}
	r->fill(in, &x);
	if (x.has_bar) {
		canvas_bar(c, row, at, w->bar, x.util_pct, style_of(x.util_pct, x.warn, x.bad));
		canvas_number(c, row, at + w->bar, 5, UNIT_PCT, x.util_pct,
			      style_of(x.util_pct, x.warn, x.bad));
	}
	at += w->bar + 5;
	if (g)
		canvas_put(c, row, at + 1, TEXT("!"), g->severity >= 60 ? STYLE_BAD : STYLE_WARN);
	at += 3;
	draw_items(c, row, at, w->util - 1, x.util, x.nutil);
	at += w->util;
	draw_items(c, row, at, w->sat - 1, x.sat, x.nsat);
	at += w->sat;
	if (w->err && x.nerr)
		draw_items(c, row, at, w->err, x.err, x.nerr);
	else if (w->err)
		canvas_put(c, row, at, TEXT("not counted"), STYLE_DIM);
	at += w->err;
	struct step next;
	if (w->next && matrix_step(in, (uint32_t)(r - resources), &next)) {
		struct text to = next.scope.kind == SCOPE_HOST
					 ? text_printf(c->arena, "> %s", next.pane)
					 : text_printf(c->arena, "> %s %.*s", next.pane,
						       TEXT_ARG(scope_label(c->arena, &next.scope)));
		canvas_field(c, row, at, w->next, false, to, g ? STYLE_LINK : STYLE_DIM);
	}
}

void matrix_draw(const struct pane_input *in, struct canvas *c, int cursor)
{
	struct widths w = widths_for(c->cols);
	int at = 8 + w.bar + 8;

	canvas_put(c, 0, 8, TEXT("UTILISATION"), STYLE_HEAD);
	canvas_put(c, 0, at + w.util, w.sat > 10 ? TEXT("SATURATION") : TEXT("SAT"), STYLE_HEAD);
	if (w.err)
		canvas_put(c, 0, at + w.util + w.sat, TEXT("ERRORS"), STYLE_HEAD);
	if (w.next)
		canvas_put(c, 0, at + w.util + w.sat + w.err, TEXT("NEXT"), STYLE_HEAD);
	for (int i = 0; i < MATRIX_ROWS; i++) {
		draw_resource(in, c, 1 + i, &resources[i], &w);
		if (i == cursor)
			canvas_style(c, 1 + i, 0, c->cols, STYLE_SELECT);
	}
}
