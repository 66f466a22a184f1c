/*
 * PROFSTAT and PROFILE: which functions the CPUs execute, over the last ten seconds.
 *
 * Where it may, rung samples every CPU and picks the process in focus when it
 * reads: threads that start later are seen from their first tick, the number of
 * events does not grow with the process, and narrowing the scope shows the ten
 * seconds that have already passed. The price is one interrupt per tick on every
 * busy CPU. Without that right the threads of the process in focus are sampled
 * one by one.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/collector.h"
#include "collectors/proc/scan.h"
#include "collectors/profile/identity.h"
#include "collectors/profile/perf.h"
#include "collectors/profile/window.h"

#define WANTED_HZ  99 /* not 100: what runs on every timer tick would be seen always or never */
#define WINDOW_NS  (10 * NS_PER_S)
#define ROWS_MAX   500u

struct profile_state {
	struct perf perf;
	struct symbols *symbols;
	struct identities ids;
	struct window window;
	struct scan_buf buf;
	struct scope threads_of;  /* whose threads are sampled; the host when whole CPUs are */
	struct err no_cpus;       /* why whole CPUs are not sampled; code 0 when they are */
	uint64_t busy_ticks;      /* of the host at the last look; unknown when it could not be read */
	uint64_t lost, throttled; /* of perf at the last look */
	uint64_t last_ns;
	uint64_t dropped; /* samples without memory to keep them */
	double samples_per_s;
};

static const struct symbol own_code = { TEXT_INIT("[rung itself]"), TEXT_INIT("rung"), false, true, true };
static const struct symbol guest_code = { TEXT_INIT("[virtual machine]"), TEXT_INIT("[guest]"), false, true, true };

/* CPU time the host spent on anything but idling, in ticks of all CPUs. */
static uint64_t read_busy_ticks(struct profile_state *st, int proc_fd)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, FIELDS };
	uint64_t ticks[FIELDS];
	struct scan file;
	struct err unused = { 0 };

	if (scan_file(&st->buf, proc_fd, "stat", &file, &unused) || !scan_skip(&file, "cpu "))
		return U64_UNKNOWN;
	for (int i = 0; i < FIELDS; i++) {
		ticks[i] = scan_u64(&file);
		if (ticks[i] == U64_UNKNOWN)
			return U64_UNKNOWN;
	}
	return ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ];
}

static bool is_of_process(const struct scope *s)
{
	return (s->kind == SCOPE_PROCESS || s->kind == SCOPE_THREAD) && s->tgid;
}

static int profile_open(void *self, const struct collector_env *env, struct err *e)
{
	struct profile_state *st = self;

	st->symbols = symbols_new(env->proc_fd);
	if (!st->symbols)
		return err_set(e, ENOMEM, "no memory for symbols");
	st->busy_ticks = read_busy_ticks(st, env->proc_fd);
	st->last_ns = clock_mono_ns();
	int err = perf_open_cpus(&st->perf, WANTED_HZ, &st->no_cpus);
	if (err && err != -EACCES && err != -EPERM) {
		*e = st->no_cpus;
		return err;
	}
	return 0;
}

/* Without the right to whole CPUs: follow the threads of the process in focus. */
static int follow_threads(struct profile_state *st, const struct collector_env *env, struct err *e)
{
	const struct scope *focus = &env->focus->scope;

	if (!is_of_process(focus)) {
		*e = st->no_cpus;
		return err_at(e, "sampling all CPUs is not permitted: ");
	}
	if (!scope_eq(&st->threads_of, focus)) {
		perf_close(&st->perf);
		window_fini(&st->window);
		st->threads_of = *focus;
		st->lost = st->throttled = 0;
	}
	return perf_open_threads(&st->perf, env->proc_fd, focus->tgid, WANTED_HZ, e);
}

struct drain {
	struct profile_state *st;
	struct slice *slice;
	int proc_fd;
	uint32_t own_tgid;
};

static const struct symbol *symbol_of(struct drain *d, const struct perf_sample *s, const struct identity *id)
{
	if (s->tgid == d->own_tgid)
		return &own_code;
	if (s->mode == PERF_GUEST)
		return &guest_code;
	return s->mode == PERF_KERNEL ? symbols_kernel(d->st->symbols, s->ip)
				      : symbols_user(d->st->symbols, &id->image, s->ip);
}

static void take_sample(void *ctx, const struct perf_sample *s)
{
	struct drain *d = ctx;
	const struct identity *id = identities_find(&d->st->ids, d->st->symbols, d->proc_fd, s->tgid);

	if (!id) {
		d->st->dropped++;
		return;
	}
	struct hit h = { .symbol = symbol_of(d, s, id), .comm = id->comm, .start_ns = id->image.start_ns,
			 .tgid = s->tgid, .tid = s->tid, .n = 1 };
	if (!slice_add(d->slice, &h))
		d->st->dropped++;
}

static void take_program(void *ctx, uint32_t tgid, const char *comm)
{
	struct drain *d = ctx;

	identities_hear(&d->st->ids, d->st->symbols, tgid, comm);
}

/* Empty the rings into a slice of the window. */
static int look(struct profile_state *st, const struct collector_env *env, struct err *e)
{
	uint64_t now_ns = clock_mono_ns(), elapsed_ns = now_ns - st->last_ns;
	uint64_t busy_ticks = read_busy_ticks(st, env->proc_fd);
	struct slice *slice = window_begin(&st->window, now_ns, WINDOW_NS);
	struct drain d = { st, slice, env->proc_fd, (uint32_t)getpid() };

	if (!slice)
		return err_set(e, ENOMEM, "no memory for samples");
	identities_start(&st->ids);
	perf_drain(&st->perf, &(struct perf_sink){ take_sample, take_program, &d });
	slice_fold(slice);
	slice->lost = st->perf.lost - st->lost;
	slice->throttled = st->perf.throttled - st->throttled;
	slice->busy_s = rate_per_s(st->busy_ticks, busy_ticks, NS_PER_S) / (double)sysconf(_SC_CLK_TCK);
	st->samples_per_s = elapsed_ns ? (double)slice->samples * 1e9 / (double)elapsed_ns : F64_UNKNOWN;
	st->lost = st->perf.lost;
	st->throttled = st->perf.throttled;
	st->busy_ticks = busy_ticks;
	st->last_ns = now_ns;
	return 0;
}

static struct text method_text(const struct profile_state *st, struct frame_builder *b)
{
	if (!st->no_cpus.code)
		return TEXT("leaf ip only");
	return text_printf(frame_arena(b), "leaf ip only, thread by thread%s",
			   st->perf.is_user_only ? ", kernel code left out" : "");
}

/* Device, cgroup and the like have no samples of their own: then the host is shown, and said. */
static struct text scope_shown(const struct collector_env *env, struct frame_builder *b)
{
	const struct scope *focus = &env->focus->scope;

	return is_of_process(focus) ? scope_label(frame_arena(b), focus) : TEXT("host");
}

static void stat_row(const struct profile_state *st, const struct collector_env *env, const struct window_sum *sum,
		     struct frame_builder *b)
{
	struct profstat_row *row = FRAME_ADD(b, profstat, PROFSTAT);

	if (!row)
		return;
	row->event = text_clean_str(frame_arena(b), st->perf.event);
	row->method = method_text(st, b);
	row->scope = scope_shown(env, b);
	row->wanted_hz = WANTED_HZ;
	/* Of single threads the CPU time is not known, so neither is the rate. */
	if (!st->no_cpus.code && sum->busy_s > 0)
		row->effective_hz = (double)sum->all_samples / sum->busy_s;
	row->samples = sum->samples;
	row->lost = sum->lost;
	row->throttled = sum->throttled;
	row->unresolved_pct = sum->samples ? 100.0 * (double)sum->unresolved / (double)sum->samples : F64_UNKNOWN;
}

static double share_pct(uint64_t n, const struct window_sum *sum)
{
	return 100.0 * (double)n / (double)sum->samples;
}

/* What is past the table's end is one row, so that the shares still add up. */
static void others_row(const struct window_sum *sum, uint32_t shown, struct frame_builder *b)
{
	struct profile_row *row = FRAME_ADD(b, profile, PROFILE);
	uint64_t n = 0;

	if (!row)
		return;
	for (uint32_t i = shown; i < sum->rows.len; i++)
		n += sum->rows.ptr[i].samples;
	row->symbol = TEXT("(others)");
	row->object = text_printf(frame_arena(b), "%u functions", sum->rows.len - shown);
	row->samples = n;
	row->self_pct = share_pct(n, sum);
}

static void profile_rows(const struct window_sum *sum, struct frame_builder *b)
{
	uint32_t shown = sum->rows.len > ROWS_MAX ? ROWS_MAX - 1 : sum->rows.len;

	for (uint32_t i = 0; i < shown; i++) {
		const struct window_row *from = &sum->rows.ptr[i];
		struct profile_row *row = FRAME_ADD(b, profile, PROFILE);
		if (!row)
			return;
		/* Names belong to the cache, which ends before the last frame may. */
		row->symbol = text_copy(frame_arena(b), from->symbol->symbol);
		row->object = text_copy(frame_arena(b), from->symbol->object);
		row->is_kernel = from->symbol->is_kernel;
		row->tgid = from->tgid;
		row->comm = text_copy(frame_arena(b), from->comm);
		row->samples = from->samples;
		row->self_pct = share_pct(from->samples, sum);
	}
	if (shown < sum->rows.len)
		others_row(sum, shown, b);
}

/* What the numbers leave out; every cut is counted. */
static void set_states(const struct profile_state *st, bool is_whole, struct frame_builder *b)
{
	struct symbols_stat cache;
	const struct err *no_kernel = symbols_kernel_err(st->symbols);

	symbols_stat(st->symbols, &cache);
	frame_set_state(b, SEC_PROFSTAT, SEC_OK, NULL);
	if (!is_whole || st->dropped || cache.refused)
		frame_set_state(b, SEC_PROFILE, SEC_TRUNCATED, "out of memory: %llu samples and %llu names dropped",
				(unsigned long long)st->dropped, (unsigned long long)cache.refused);
	else if (st->perf.left_out)
		frame_set_state(b, SEC_PROFILE, SEC_TRUNCATED, "%u threads of the process are not sampled",
				st->perf.left_out);
	else if (cache.evicted)
		frame_set_state(b, SEC_PROFILE, SEC_OK, "%llu symbol tables given up for room, read again when needed",
				(unsigned long long)cache.evicted);
	else if (no_kernel->code)
		frame_set_state(b, SEC_PROFILE, SEC_OK, "no names of kernel code: %s", no_kernel->text);
	else
		frame_set_state(b, SEC_PROFILE, SEC_OK, NULL);
}

static int profile_sample(void *self, const struct collector_env *env, struct frame_builder *b, struct err *e)
{
	struct profile_state *st = self;
	struct window_sum sum = { 0 };
	int err = 0;

	/* Threads that ended are drained before their rings go. */
	if (!st->no_cpus.code || scope_eq(&st->threads_of, &env->focus->scope))
		err = look(st, env, e);
	if (!err && st->no_cpus.code)
		err = follow_threads(st, env, e);
	if (err)
		return err;
	bool is_whole = window_fold(&st->window, &env->focus->scope, &sum);
	stat_row(st, env, &sum, b);
	profile_rows(&sum, b);
	set_states(st, is_whole, b);
	VEC_FINI(&sum.rows);
	return 0;
}

static void profile_cost(void *self, struct cost *c)
{
	struct profile_state *st = self;

	c->events_per_s = st->samples_per_s;
	c->lost += st->perf.lost;
}

static void profile_close(void *self)
{
	struct profile_state *st = self;

	perf_close(&st->perf);
	window_fini(&st->window);
	identities_fini(&st->ids);
	symbols_free(st->symbols);
	scan_buf_fini(&st->buf);
}

const struct collector collector_profile = {
	.name = "profile",
	.provides = SEC_BIT(SEC_PROFSTAT) | SEC_BIT(SEC_PROFILE),
	.is_on_demand = true,
	.period_ns = NS_PER_S,
	.budget_ns = 20 * NS_PER_MS,
	.self_size = sizeof(struct profile_state),
	.open = profile_open,
	.sample = profile_sample,
	.cost = profile_cost,
	.close = profile_close,
};
