/* Groups the threads of a reading into processes, losing nothing when a thread exits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "collectors/tasks/table.h"

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a == U64_UNKNOWN || b == U64_UNKNOWN ? U64_UNKNOWN : a + b;
}

static void add_counters(struct task_counters *to, const struct task_counters *from)
{
	to->exec_ns = plus(to->exec_ns, from->exec_ns);
	to->user_ns = plus(to->user_ns, from->user_ns);
	to->system_ns = plus(to->system_ns, from->system_ns);
	to->switches = plus(to->switches, from->switches);
	to->major_faults = plus(to->major_faults, from->major_faults);
	to->read_bytes = plus(to->read_bytes, from->read_bytes);
	to->write_bytes = plus(to->write_bytes, from->write_bytes);
}

/* The process of a record, made at its first thread; NULL when memory is used up. */
static struct process_sum *process_of(struct process_sums *s, const struct task_record *r)
{
	uint64_t *at = map_get(&s->by_tgid, r->tgid);

	if (at)
		return &s->rows.ptr[*at];
	if (!map_put(&s->by_tgid, r->tgid, s->rows.len))
		return NULL;
	struct process_sum *p = VEC_ADD(&s->rows);
	if (p)
		p->tgid = r->tgid;
	return p;
}

static uint64_t growth(uint64_t before, uint64_t now)
{
	if (before == U64_UNKNOWN || now == U64_UNKNOWN)
		return U64_UNKNOWN;
	return now > before ? now - before : 0;
}

static void add_thread(struct process_sum *p, const struct task_record *r,
		       const struct task_record *before)
{
	uint32_t state = task_state_char(r->state);

	p->threads_seen++;
	p->threads_running += state == 'R';
	p->threads_in_d += state == 'D';
	add_counters(&p->total, &r->own);
	p->runq_ns = plus(p->runq_ns, r->runq_ns);
	p->io_wait_ns = plus(p->io_wait_ns, r->io_wait_ns);
	p->runq_growth_ns =
		plus(p->runq_growth_ns, growth(before ? before->runq_ns : 0, r->runq_ns));
	p->io_wait_growth_ns =
		plus(p->io_wait_growth_ns, growth(before ? before->io_wait_ns : 0, r->io_wait_ns));
	if (r->tid != r->tgid)
		return;
	p->leader = r;
	p->start_boot_ns = r->start_boot_ns;
	add_counters(&p->total, &r->exited);
}

/* Both readings are in order of tid, so one walk joins them. */
static int add_threads(struct process_sums *s, const struct task_reading *now,
		       const struct task_reading *before)
{
	uint32_t j = 0, nbefore = before ? before->records.len : 0;

	for (uint32_t i = 0; i < now->records.len; i++) {
		const struct task_record *r = &now->records.ptr[i], *was = NULL;
		while (j < nbefore && before->records.ptr[j].tid < r->tid)
			j++;
		if (j < nbefore && before->records.ptr[j].tid == r->tid &&
		    before->records.ptr[j].start_boot_ns == r->start_boot_ns)
			was = &before->records.ptr[j];
		struct process_sum *p = process_of(s, r);
		if (!p)
			return -ENOMEM;
		add_thread(p, r, was);
	}
	return 0;
}

const struct process_sum *process_sums_find(const struct process_sums *s, uint32_t tgid,
					    uint64_t start_boot_ns)
{
	uint64_t *at = map_get(&s->by_tgid, tgid);

	if (!at || s->rows.ptr[*at].start_boot_ns != start_boot_ns)
		return NULL;
	return &s->rows.ptr[*at];
}

static uint64_t at_least(uint64_t before, uint64_t now)
{
	return now != U64_UNKNOWN && before != U64_UNKNOWN && now < before ? before : now;
}

/*
 * A thread that exits while the reading is under way is in neither part of its
 * process; the next reading has it again. Waits of exited threads die with
 * them: go on from what was known.
 */
static void carry(struct process_sum *p, const struct process_sums *before)
{
	const struct process_sum *was = process_sums_find(before, p->tgid, p->start_boot_ns);

	if (!was)
		return;
	p->runq_ns = plus(was->runq_ns, p->runq_growth_ns);
	p->io_wait_ns = plus(was->io_wait_ns, p->io_wait_growth_ns);
	p->total.exec_ns = at_least(was->total.exec_ns, p->total.exec_ns);
	p->total.user_ns = at_least(was->total.user_ns, p->total.user_ns);
	p->total.system_ns = at_least(was->total.system_ns, p->total.system_ns);
	p->total.switches = at_least(was->total.switches, p->total.switches);
	p->total.major_faults = at_least(was->total.major_faults, p->total.major_faults);
	p->total.read_bytes = at_least(was->total.read_bytes, p->total.read_bytes);
	p->total.write_bytes = at_least(was->total.write_bytes, p->total.write_bytes);
}

struct task_reading *task_table_next(struct task_table *t)
{
	struct task_reading *r = &t->readings[1 - t->now];

	task_reading_start(r);
	return r;
}

int task_table_sum(struct task_table *t, struct err *e)
{
	struct process_sums *s = &t->sums[1 - t->now];
	const struct task_reading *before = t->nreadings ? &t->readings[t->now] : NULL;

	VEC_CLEAR(&s->rows);
	map_clear(&s->by_tgid);
	if (add_threads(s, &t->readings[1 - t->now], before))
		return err_errno(e, ENOMEM, "grouping threads");
	for (uint32_t i = 0; before && i < s->rows.len; i++)
		carry(&s->rows.ptr[i], &t->sums[t->now]);
	t->now = 1 - t->now;
	if (t->nreadings < 2)
		t->nreadings++;
	return 0;
}

void task_table_reset(struct task_table *t)
{
	t->nreadings = 0;
}

void task_table_fini(struct task_table *t)
{
	for (int i = 0; i < 2; i++) {
		task_reading_fini(&t->readings[i]);
		VEC_FINI(&t->sums[i].rows);
		map_fini(&t->sums[i].by_tgid);
	}
	*t = (struct task_table){ 0 };
}
