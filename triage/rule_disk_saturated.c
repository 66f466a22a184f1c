/* A disk that is always busy and has requests waiting. Busy alone says nothing on devices that work in
 * parallel. */
#include "triage/judge.h"

#include <string.h>

#define UTIL_PCT 90
#define QUEUE    2
#define AWAIT_NS 2e6

static bool is_saturated(const struct disk_row *d)
{
	return d->util_pct >= UTIL_PCT && d->queue >= QUEUE && d->await_ns >= AWAIT_NS;
}

static const struct disk_row *disk_by_name(const struct frame *f, struct text name)
{
	const struct disk_row *rows = FRAME_ROWS(f, disk, DISK);

	for (uint32_t i = 0; i < f->sec[SEC_DISK].nrows; i++)
		if (text_eq(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static bool is_whole_disk(const struct disk_row *d)
{
	return d->is_partition != 1 && d->name.utf8 && strncmp(d->name.utf8, "ram", 3);
}

/* Who moves the most bytes; where the kernel does not count those, who waits the most. */
static struct text accuse(struct finding *g, struct arena *a, const struct frame *f)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK), *most = NULL;
	double most_bytes = 4096;

	for (uint32_t i = 0; i < f->sec[SEC_TASK].nrows; i++) {
		double read = rows[i].read_bytes_per_s, write = rows[i].write_bytes_per_s;
		double bytes = (read > 0 ? read : 0) + (write > 0 ? write : 0);
		if (bytes > most_bytes) {
			most_bytes = bytes;
			most = &rows[i];
		}
	}
	if (most) {
		bool is_reader = most->read_bytes_per_s > most_bytes / 2;
		struct text rate = say(a, UNIT_BYTES_PER_S, most_bytes);
		g->suspect = scope_of_task(most);
		evidence_of(g, f, SEC_TASK, most, is_reader ? TASK_read_bytes_per_s : TASK_write_bytes_per_s,
			    4096);
		return text_printf(a, ". Most by %.*s[%u]: %s %.*s/s", TEXT_ARG(most->comm), most->tgid,
				   is_reader ? "reads" : "writes", TEXT_ARG(rate));
	}
	most = task_most(f, TASK_io_wait_pct, 5);
	if (!most)
		return TEXT("");
	struct text wait = say(a, UNIT_PCT, most->io_wait_pct);
	g->suspect = scope_of_task(most);
	evidence_of(g, f, SEC_TASK, most, TASK_io_wait_pct, 5);
	return text_printf(a, ". %.*s[%u] waits for it %.*s of the time", TEXT_ARG(most->comm), most->tgid,
			   TEXT_ARG(wait));
}

static void find(const struct frame *f, const struct disk_row *d, struct findings *out)
{
	struct finding *g = finding_add(out);
	const struct psi_row *psi = psi_of(f, "io");
	struct arena *a = &out->arena;

	if (!g)
		return;
	g->severity = severity_max(severity_of(d->await_ns, AWAIT_NS, 100e6, 60, 95),
				   severity_of(psi ? psi->some_pct : F64_UNKNOWN, 10, 90, 60, 97));
	g->kind = FINDING_SATURATION;
	evidence_of(g, f, SEC_DISK, d, DISK_util_pct, UTIL_PCT);
	evidence_of(g, f, SEC_DISK, d, DISK_queue, QUEUE);
	evidence_of(g, f, SEC_DISK, d, DISK_await_ns, AWAIT_NS);
	struct text who = accuse(g, a, f);
	struct text util = say(a, UNIT_PCT, d->util_pct), queue = say(a, UNIT_RATIO, d->queue);
	struct text await = say(a, UNIT_NS, d->await_ns);
	g->headline =
	    text_printf(a, "%.*s saturated: %.*s busy, queue %.*s, await %.*s%.*s", TEXT_ARG(d->name),
			TEXT_ARG(util), TEXT_ARG(queue), TEXT_ARG(await), TEXT_ARG(who));
	struct scope device = {.kind = SCOPE_DEVICE, .major = d->major, .minor = d->minor};
	text_keep(&device.name, d->name);
	if (g->suspect.kind == SCOPE_HOST)
		g->suspect = device;
	finding_next(g, 4, "tool", "biolatency", &device);
}

static void judge(const struct frame *f, const struct history *h, struct findings *out)
{
	const struct frame *prev = frame_before(f, h);
	const struct disk_row *rows = FRAME_ROWS(f, disk, DISK);

	for (uint32_t i = 0; prev && i < f->sec[SEC_DISK].nrows; i++) {
		if (!is_whole_disk(&rows[i]) || !is_saturated(&rows[i]))
			continue;
		const struct disk_row *was = disk_by_name(prev, rows[i].name);
		if (was && is_saturated(was))
			find(f, &rows[i], out);
	}
}

const struct rule rule_disk_saturated = {
    .name = "disk_saturated",
    .resource = "disk",
    .needs = SEC_BIT(SEC_DISK),
    .judge = judge,
};
