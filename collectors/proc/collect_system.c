/* SYS and CPU from /proc/stat: where CPU time went, how much was switched, forked and
 * interrupted. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

struct system_state {
	struct scan_buf buf;
};

/* Columns of a cpu line, in its order. */
enum tick { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, GUEST, GUEST_NICE, TICKS };

static const size_t tick_total[TICKS] = {
	[USER] = offsetof(struct cpu_row, user_ticks_total),
	[NICE] = offsetof(struct cpu_row, nice_ticks_total),
	[SYSTEM] = offsetof(struct cpu_row, system_ticks_total),
	[IDLE] = offsetof(struct cpu_row, idle_ticks_total),
	[IOWAIT] = offsetof(struct cpu_row, iowait_ticks_total),
	[IRQ] = offsetof(struct cpu_row, irq_ticks_total),
	[SOFTIRQ] = offsetof(struct cpu_row, softirq_ticks_total),
	[STEAL] = offsetof(struct cpu_row, steal_ticks_total),
	[GUEST] = offsetof(struct cpu_row, guest_ticks_total),
	[GUEST_NICE] = offsetof(struct cpu_row, guest_nice_ticks_total),
};

/* After guest time was taken out of user and nice, GUEST holds both kinds of it and GUEST_NICE
 * is spent. */
static const size_t tick_pct[GUEST_NICE] = {
	[USER] = offsetof(struct cpu_row, user_pct),
	[NICE] = offsetof(struct cpu_row, nice_pct),
	[SYSTEM] = offsetof(struct cpu_row, system_pct),
	[IDLE] = offsetof(struct cpu_row, idle_pct),
	[IOWAIT] = offsetof(struct cpu_row, iowait_pct),
	[IRQ] = offsetof(struct cpu_row, irq_pct),
	[SOFTIRQ] = offsetof(struct cpu_row, softirq_pct),
	[STEAL] = offsetof(struct cpu_row, steal_pct),
	[GUEST] = offsetof(struct cpu_row, guest_pct),
};

/* Ticks of one interval; NaN for a column this kernel does not have. Fractions, so that no sum
 * overflows. */
struct ticks {
	double spent[TICKS];
};

static const struct scan_key sys_keys[] = {
	{ "intr", offsetof(struct sys_row, intr_total), 1 },
	{ "ctxt", offsetof(struct sys_row, ctxt_total), 1 },
	{ "processes", offsetof(struct sys_row, forks_total), 1 },
	{ "softirq", offsetof(struct sys_row, softirq_total), 1 },
};

static const struct counter_field sys_rates[] = {
	{ offsetof(struct sys_row, intr_total), offsetof(struct sys_row, intr_per_s), 1 },
	{ offsetof(struct sys_row, ctxt_total), offsetof(struct sys_row, ctxt_per_s), 1 },
	{ offsetof(struct sys_row, forks_total), offsetof(struct sys_row, forks_per_s), 1 },
	{ offsetof(struct sys_row, softirq_total), offsetof(struct sys_row, softirq_per_s), 1 },
};

static uint64_t tick_at(const struct cpu_row *row, uint32_t t)
{
	uint64_t value;

	memcpy(&value, (const char *)row + tick_total[t], sizeof(value));
	return value;
}

static void read_cpu(struct frame_builder *b, struct scan line)
{
	struct cpu_row *row = FRAME_ADD(b, cpu, CPU);

	if (!row)
		return;
	if (*line.at != ' ')
		row->id = scan_u32(&line);
	for (uint32_t t = 0; t < TICKS; t++) {
		uint64_t value = scan_u64(&line);
		memcpy((char *)row + tick_total[t], &value, sizeof(value));
	}
}

static void add_known(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

/* The kernel counts guest time in user and in guest: leave it in one place. */
static void move_guest(struct ticks *s, enum tick from, enum tick guest)
{
	double ticks = s->spent[guest];

	if (!isnan(ticks))
		s->spent[from] = ticks < s->spent[from] ? s->spent[from] - ticks : 0;
}

static struct ticks ticks_between(const struct cpu_row *before, const struct cpu_row *now)
{
	struct ticks s;

	/* idle, iowait and steal are known to step back: each column is clamped by itself. */
	for (uint32_t t = 0; t < TICKS; t++) {
		uint64_t delta = counter_delta_clamped(tick_at(before, t), tick_at(now, t));
		s.spent[t] = delta == U64_UNKNOWN ? F64_UNKNOWN : (double)delta;
	}
	move_guest(&s, USER, GUEST);
	move_guest(&s, NICE, GUEST_NICE);
	add_known(&s.spent[GUEST], s.spent[GUEST_NICE]);
	s.spent[GUEST_NICE] = F64_UNKNOWN;
	return s;
}

static void set_percentages(struct cpu_row *row, const struct ticks *s)
{
	double all = 0;

	for (uint32_t t = 0; t < GUEST_NICE; t++)
		add_known(&all, s->spent[t]);
	if (!(all > 0)) /* closer together than a tick: nothing can be said */
		return;
	row->busy_pct = 0;
	for (uint32_t t = 0; t < GUEST_NICE; t++) {
		double pct = 100.0 * s->spent[t] / all;
		if (isnan(pct))
			continue;
		memcpy((char *)row + tick_pct[t], &pct, sizeof(pct));
		if (t != IDLE && t != IOWAIT && t != STEAL)
			row->busy_pct += pct;
	}
}

/* The row of the same CPU; ids have holes and CPUs come and go, so the place is only a first
 * guess. */
static const struct cpu_row *row_before(const struct frame *prev, uint32_t id, uint32_t guess)
{
	const struct cpu_row *rows = FRAME_ROWS(prev, cpu, CPU);
	uint32_t n = prev->sec[SEC_CPU].nrows;

	if (guess < n && rows[guess].id == id)
		return &rows[guess];
	for (uint32_t i = 0; i < n; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static void compare_cpus(struct frame_builder *b)
{
	const struct frame *prev = frame_prev(b);
	struct ticks all;
	bool has_any = false;
	uint32_t n;
	struct cpu_row *rows = frame_built(b, SEC_CPU, &n);

	if (!prev || !n)
		return;
	for (uint32_t t = 0; t < TICKS; t++)
		all.spent[t] = F64_UNKNOWN;
	for (uint32_t i = 1; i < n; i++) {
		const struct cpu_row *before = row_before(prev, rows[i].id, i);
		if (!before)
			continue;
		struct ticks s = ticks_between(before, &rows[i]);
		set_percentages(&rows[i], &s);
		for (uint32_t t = 0; t < TICKS; t++)
			add_known(&all.spent[t], s.spent[t]);
		has_any = true;
	}
	/* The sum of the CPUs, not the file's own total: that one jumps when a CPU goes offline. */
	const struct cpu_row *before = row_before(prev, U32_UNKNOWN, 0);
	if (!has_any && before)
		all = ticks_between(before, &rows[0]);
	if (has_any || before)
		set_percentages(&rows[0], &all);
}

static void read_levels(struct sys_row *row, struct scan file)
{
	struct scan line;

	while (scan_line(&file, &line)) {
		if (scan_skip(&line, "procs_running "))
			row->runnable = scan_u32(&line);
		else if (scan_skip(&line, "procs_blocked "))
			row->blocked = scan_u32(&line);
	}
}

static int system_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			 struct err *e)
{
	struct system_state *st = self;
	const struct frame *prev = frame_prev(b);
	struct scan file, rest, line;
	struct sys_row *row;
	uint32_t n;
	int rc = scan_file(&st->buf, env->proc_fd, "stat", &file, e);

	if (rc)
		return rc;
	for (rest = file; scan_line(&rest, &line) && scan_skip(&line, "cpu"); file = rest)
		read_cpu(b, line);
	compare_cpus(b);
	frame_built(b, SEC_CPU, &n);
	if (!n)
		return err_set(e, EBADMSG, "/proc/stat has no cpu line");
	row = FRAME_ADD(b, sys, SYS);
	if (row) {
		read_levels(row, file);
		scan_keys(&file, sys_keys, ARRAY_LEN(sys_keys), row);
		counter_rates(sys_rates, ARRAY_LEN(sys_rates),
			      prev ? frame_row(prev, SEC_SYS, 0) : NULL, row, frame_elapsed_ns(b));
	}
	scan_mark_cut(&st->buf, b, SEC_CPU);
	scan_mark_cut(&st->buf, b, SEC_SYS);
	return 0;
}

static void system_close(void *self)
{
	struct system_state *st = self;

	scan_buf_fini(&st->buf);
}

const struct collector collector_system = {
	.name = "system",
	.provides = SEC_BIT(SEC_SYS) | SEC_BIT(SEC_CPU),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 10 * NS_PER_MS,
	.self_size = sizeof(struct system_state),
	.sample = system_sample,
	.close = system_close,
};
