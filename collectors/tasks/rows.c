/* Turns sums and records into TASK and THREAD rows. */
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "collectors/tasks/table.h"

#define FLAG_KTHREAD 0x00200000u

static const struct task_counters none;

/* What is compared: the same task one reading earlier, nothing for a new one, or nothing known. */
struct before {
	const struct task_counters *counters; /* NULL: rates stay unknown */
	uint64_t elapsed_ns;
};

static double share(uint64_t part, uint64_t other)
{
	return part + other ? (double)part / (double)(part + other) : 1.0;
}

/* User and kernel ticks divide the exact time, as the kernel itself does for /proc. */
static uint64_t user_part(const struct task_counters *c)
{
	if (c->exec_ns == U64_UNKNOWN || c->user_ns == U64_UNKNOWN || c->system_ns == U64_UNKNOWN)
		return U64_UNKNOWN;
	return (uint64_t)((double)c->exec_ns * share(c->user_ns, c->system_ns));
}

static uint64_t system_part(const struct task_counters *c)
{
	uint64_t user_ns = user_part(c);

	return user_ns == U64_UNKNOWN ? U64_UNKNOWN : c->exec_ns - user_ns;
}

/* Which share of the time since the reading before was user code; without ticks in it, of all time.
 */
static double user_share(const struct task_counters *was, const struct task_counters *now)
{
	if (now->user_ns == U64_UNKNOWN || now->system_ns == U64_UNKNOWN)
		return F64_UNKNOWN;
	uint64_t user = now->user_ns > was->user_ns ? now->user_ns - was->user_ns : 0;
	uint64_t system = now->system_ns > was->system_ns ? now->system_ns - was->system_ns : 0;
	return user + system ? share(user, system) : share(now->user_ns, now->system_ns);
}

/* Nanoseconds per second as a percentage of one CPU. */
static double pct(double ns_per_s)
{
	return ns_per_s / 1e7;
}

static double growth_pct(uint64_t growth_ns, uint64_t elapsed_ns)
{
	return growth_ns == U64_UNKNOWN ? F64_UNKNOWN : pct(rate_per_s(0, growth_ns, elapsed_ns));
}

static void cpu_rates(const struct before *b, const struct task_counters *now, double *cpu,
		      double *user, double *system)
{
	if (!b->counters)
		return;
	*cpu = pct(rate_per_s(b->counters->exec_ns, now->exec_ns, b->elapsed_ns));
	*user = *cpu * user_share(b->counters, now);
	*system = *cpu - *user;
}

static uint64_t pages(uint64_t n)
{
	return n == U64_UNKNOWN ? U64_UNKNOWN : n * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const struct task_reading *newest(const struct task_table *t)
{
	return &t->readings[t->now];
}

static const struct task_reading *older(const struct task_table *t)
{
	return t->nreadings > 1 ? &t->readings[1 - t->now] : NULL;
}

static uint64_t elapsed_ns(const struct task_table *t)
{
	return older(t) ? newest(t)->mono_ns - older(t)->mono_ns : 0;
}

/* A task younger than the reading before spent all it has in between. */
static bool is_new(const struct task_table *t, uint64_t start_boot_ns)
{
	return older(t) && start_boot_ns != U64_UNKNOWN &&
	       start_boot_ns + task_tick_ns() > older(t)->boot_ns;
}

static void task_identity(struct task_row *row, const struct process_sum *p, struct arena *a)
{
	const struct task_record *r = p->leader;

	row->tgid = r->tgid;
	row->start_ns = r->start_boot_ns;
	row->ppid = r->ppid;
	row->uid = r->euid;
	row->state = task_state_char(r->state);
	row->comm = text_clean(a, r->comm, strnlen(r->comm, sizeof(r->comm)));
	row->is_kthread = r->flags & FLAG_KTHREAD ? 1 : 0;
	row->threads = r->threads;
	row->last_cpu = r->last_cpu;
	row->nice = r->nice;
	row->rss_bytes = pages(r->rss_pages);
	row->virtual_bytes = pages(r->virtual_pages);
	row->swap_bytes = pages(r->swap_pages);
}

static void task_totals(struct task_row *row, const struct process_sum *p)
{
	row->cpu_ns_total = p->total.exec_ns;
	row->user_ns_total = user_part(&p->total);
	row->system_ns_total = system_part(&p->total);
	row->runq_ns_total = p->runq_ns;
	row->io_wait_ns_total = p->io_wait_ns;
	row->read_bytes_total = p->total.read_bytes;
	row->write_bytes_total = p->total.write_bytes;
	row->major_faults_total = p->total.major_faults;
	row->switches_total = p->total.switches;
}

static void task_rates(const struct task_table *t, struct task_row *row,
		       const struct process_sum *p)
{
	const struct process_sum *was =
		older(t) ? process_sums_find(&t->sums[1 - t->now], p->tgid, p->start_boot_ns)
			 : NULL;
	struct before b = { .counters = was                           ? &was->total
					: is_new(t, p->start_boot_ns) ? &none
								      : NULL,
			    .elapsed_ns = elapsed_ns(t) };

	if (!b.counters)
		return;
	cpu_rates(&b, &p->total, &row->cpu_pct, &row->user_pct, &row->system_pct);
	row->runq_pct = growth_pct(p->runq_growth_ns, b.elapsed_ns);
	row->io_wait_pct = growth_pct(p->io_wait_growth_ns, b.elapsed_ns);
	row->read_bytes_per_s =
		rate_per_s(b.counters->read_bytes, p->total.read_bytes, b.elapsed_ns);
	row->write_bytes_per_s =
		rate_per_s(b.counters->write_bytes, p->total.write_bytes, b.elapsed_ns);
	row->major_faults_per_s =
		rate_per_s(b.counters->major_faults, p->total.major_faults, b.elapsed_ns);
	row->switches_per_s = rate_per_s(b.counters->switches, p->total.switches, b.elapsed_ns);
	uint64_t rss_before = was && was->leader ? pages(was->leader->rss_pages) : U64_UNKNOWN;
	if (rss_before != U64_UNKNOWN && row->rss_bytes != U64_UNKNOWN && b.elapsed_ns)
		row->rss_bytes_per_s =
			((double)row->rss_bytes - (double)rss_before) * 1e9 / (double)b.elapsed_ns;
}

void task_table_rows(const struct task_table *t, struct cgroup_names *names, int proc_fd,
		     struct frame_builder *b)
{
	const struct process_sums *s = &t->sums[t->now];

	for (uint32_t i = 0; i < s->rows.len; i++) {
		const struct process_sum *p = &s->rows.ptr[i];
		if (!p->leader)
			continue;
		struct task_row *row = FRAME_ADD(b, task, TASK);
		if (!row)
			return;
		task_identity(row, p, frame_arena(b));
		if (newest(t)->has_threads) {
			row->threads_running = p->threads_running;
			row->threads_in_d = p->threads_in_d;
		}
		if (p->leader->cgroup_id != U64_UNKNOWN)
			row->cgroup = text_clean_str(
				frame_arena(b),
				cgroup_names_get(names, proc_fd, p->leader->cgroup_id, p->tgid));
		task_totals(row, p);
		task_rates(t, row, p);
	}
}

static const struct task_record *find_record(const struct task_reading *r, uint32_t tid,
					     uint64_t start_boot_ns)
{
	uint32_t low = 0, high = r ? r->records.len : 0;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (r->records.ptr[mid].tid < tid)
			low = mid + 1;
		else
			high = mid;
	}
	if (!r || low == r->records.len || r->records.ptr[low].tid != tid ||
	    r->records.ptr[low].start_boot_ns != start_boot_ns)
		return NULL;
	return &r->records.ptr[low];
}

static void thread_rates(const struct task_table *t, struct thread_row *row,
			 const struct task_record *r)
{
	const struct task_record *was = find_record(older(t), r->tid, r->start_boot_ns);
	struct before b = { .counters = was                           ? &was->own
					: is_new(t, r->start_boot_ns) ? &none
								      : NULL,
			    .elapsed_ns = elapsed_ns(t) };

	if (!b.counters)
		return;
	cpu_rates(&b, &r->own, &row->cpu_pct, &row->user_pct, &row->system_pct);
	row->runq_pct = pct(rate_per_s(was ? was->runq_ns : 0, r->runq_ns, b.elapsed_ns));
	row->switches_per_s = rate_per_s(b.counters->switches, r->own.switches, b.elapsed_ns);
}

static void add_thread_row(const struct task_table *t, const struct task_record *r,
			   struct frame_builder *b)
{
	struct thread_row *row = FRAME_ADD(b, thread, THREAD);

	if (!row)
		return;
	row->tid = r->tid;
	row->tgid = r->tgid;
	row->start_ns = r->start_boot_ns;
	row->comm = text_clean(frame_arena(b), r->comm, strnlen(r->comm, sizeof(r->comm)));
	row->state = task_state_char(r->state);
	row->last_cpu = r->last_cpu;
	row->cpu_ns_total = r->own.exec_ns;
	row->user_ns_total = user_part(&r->own);
	row->system_ns_total = system_part(&r->own);
	row->runq_ns_total = r->runq_ns;
	row->switches_total = r->own.switches;
	thread_rates(t, row, r);
}

void task_table_threads(const struct task_table *t, uint32_t tgid, uint64_t start_boot_ns,
			struct frame_builder *b)
{
	const struct process_sums *s = &t->sums[t->now];
	uint64_t *at = map_get(&s->by_tgid, tgid);

	if (!at || (start_boot_ns && s->rows.ptr[*at].start_boot_ns != start_boot_ns))
		return;
	for (uint32_t i = 0; i < newest(t)->records.len; i++)
		if (newest(t)->records.ptr[i].tgid == tgid)
			add_thread_row(t, &newest(t)->records.ptr[i], b);
}
