/* Runs the probes that were asked for: starts and stops them, reads their output, charges and limits them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "collectors/probes/run.h"

#define WINDOW_NS (20 * NS_PER_MS)
#define OVER_NS NS_PER_S
#define ENDED_KEPT 32u

struct probes {
	VEC(struct probe_run *) runs; /* in the order started, ended ones included */
	uint32_t last_id;
	uint32_t ncpus;
	struct calibration calibration;
	struct frame *latest; /* for estimates */
	bool is_timing;       /* a window is open from the sample before to this one */
	int stats_fd;         /* while is_timing */
};

static int probes_open(void *self, const struct collector_env *env, struct err *e)
{
	struct probes *s = self;
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	(void)env;
	(void)e;
	s->ncpus = n > 0 ? (uint32_t)n : 1;
	return 0;
}

static void probes_close(void *self)
{
	struct probes *s = self;

	for (uint32_t i = 0; i < s->runs.len; i++) {
		run_fini(s->runs.ptr[i]);
		free(s->runs.ptr[i]);
	}
	VEC_FINI(&s->runs);
	if (s->is_timing)
		close(s->stats_fd);
	frame_unref(s->latest);
	s->latest = NULL;
}

static bool is_same(const struct probe_run *r, const struct request *q)
{
	const char *name = r->entry ? r->entry->name : "";

	return r->state == RUN_RUNNING && !strcmp(name, q->tool) && !strcmp(r->arg, q->arg) &&
	       scope_eq(&r->scope, &q->scope) && (r->entry || !strcmp(r->program, q->program));
}

/* Ended probes keep their row and reason, but not without end. */
static void forget_oldest(struct probes *s)
{
	uint32_t ended = 0;

	for (uint32_t i = 0; i < s->runs.len; i++)
		ended += s->runs.ptr[i]->state != RUN_RUNNING;
	for (uint32_t i = 0; i < s->runs.len && ended > ENDED_KEPT; i++) {
		struct probe_run *r = s->runs.ptr[i];
		if (r->state == RUN_RUNNING)
			continue;
		run_fini(r);
		free(r);
		memmove(s->runs.ptr + i, s->runs.ptr + i + 1, (--s->runs.len - i) * sizeof(*s->runs.ptr));
		ended--;
		i--;
	}
}

static struct probe_run *add_run(struct probes *s, const struct request *q, struct err *e)
{
	struct probe_run *r = calloc(1, sizeof(*r));
	char *program = strndup(q->program, sizeof(q->program));
	struct probe_run **place = r && program ? VEC_ADD(&s->runs) : NULL;

	if (!place) {
		free(r);
		free(program);
		err_errno(e, ENOMEM, "starting a probe");
		return NULL;
	}
	*place = r;
	r->id = ++s->last_id;
	r->program = program;
	r->scope = q->scope;
	memcpy(r->arg, q->arg, sizeof(r->arg) - 1);
	r->budget_cpu_pct = q->budget_cpu_pct > 0 ? q->budget_cpu_pct : budget_default_cpu_pct(s->ncpus);
	r->predicted_cpu_pct = F64_UNKNOWN;
	return r;
}

static int fail(struct probe_run *r, struct err *e)
{
	run_stop(r, RUN_FAILED, TEXT_UNKNOWN);
	text_keepf(&r->why, "%s", e->text);
	return -e->code;
}

static void read_stats(const struct probe_run *r, struct run_stats *out)
{
	const int *fds;
	uint32_t n = run_prog_fds(r, &fds);

	stats_read(fds, n, out);
}

static int start(struct probes *s, const struct collector_env *env, const struct request *q, struct err *e)
{
	for (uint32_t i = 0; i < s->runs.len; i++)
		if (is_same(s->runs.ptr[i], q))
			return 0;
	forget_oldest(s);
	struct probe_run *r = add_run(s, q, e);
	if (!r)
		return -ENOMEM;
	r->since_wall_ns = clock_wall_ns();
	if (q->tool[0]) {
		r->entry = probe_find(q->tool);
		if (!r->entry) {
			text_keepf(&r->name, "%.31s", q->tool);
			err_set(e, ENOENT, "there is no tool %.31s", q->tool);
			return fail(r, e);
		}
		const struct probe *p = r->entry->probe;
		if (p->rate && s->latest)
			r->predicted_cpu_pct =
				p->rate(s->latest, &q->scope) * p->ns_per_event * 100 / (double)NS_PER_S;
	}
	if (env->may_bpf && !s->calibration.is_done && calibrate(&s->calibration, e))
		return fail(r, e);
	int err = run_start(r, env, e);
	if (!err)
		read_stats(r, &r->cost.at_start);
	return err;
}

static int stop(struct probes *s, uint32_t id, struct err *e)
{
	for (uint32_t i = 0; i < s->runs.len; i++) {
		struct probe_run *r = s->runs.ptr[i];
		if (r->id != id)
			continue;
		if (r->state == RUN_RUNNING)
			run_stop(r, RUN_STOPPED, TEXT("as asked"));
		return 0;
	}
	return err_set(e, ENOENT, "there is no probe %u", id);
}

static int probes_ask(void *self, const struct collector_env *env, const struct request *q, struct err *e)
{
	switch (q->kind) {
	case REQUEST_PROBE_START:
		return start(self, env, q, e);
	case REQUEST_PROBE_STOP:
		return stop(self, q->probe_id, e);
	default:
		return -ENOSYS;
	}
}

static bool any_running(const struct probes *s)
{
	for (uint32_t i = 0; i < s->runs.len; i++)
		if (s->runs.ptr[i]->state == RUN_RUNNING)
			return true;
	return false;
}

static bool open_window(struct probes *s)
{
	s->stats_fd = stats_enable();
	s->is_timing = s->stats_fd >= 0;
	for (uint32_t i = 0; s->is_timing && i < s->runs.len; i++)
		if (s->runs.ptr[i]->state == RUN_RUNNING)
			read_stats(s->runs.ptr[i], &s->runs.ptr[i]->cost.at_start);
	return s->is_timing;
}

static void close_window(struct probes *s)
{
	for (uint32_t i = 0; i < s->runs.len; i++)
		if (s->runs.ptr[i]->state == RUN_RUNNING)
			read_stats(s->runs.ptr[i], &s->runs.ptr[i]->cost.at_end);
	close(s->stats_fd);
	s->is_timing = false;
}

/* The kernel times programs only inside this window: timing taxes every BPF program of the host. */
static bool measure(struct probes *s)
{
	struct timespec t = { .tv_nsec = WINDOW_NS };

	if (!s->is_timing) {
		if (!open_window(s))
			return false;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	}
	close_window(s);
	return true;
}

/* A probe of rare events is timed until the next frame, lest its price stay unknown; it is a small tax then. */
static void wait_for_rare(struct probes *s)
{
	for (uint32_t i = 0; i < s->runs.len; i++) {
		const struct probe_run *r = s->runs.ptr[i];
		if (r->state == RUN_RUNNING && !r->cost.runs) {
			open_window(s);
			return;
		}
	}
}

static void charge(struct probes *s, struct probe_run *r, uint64_t before, uint64_t elapsed_ns)
{
	uint64_t values = r->values_total > before ? r->values_total - before : 0;
	double values_per_s = elapsed_ns ? (double)values * (double)NS_PER_S / (double)elapsed_ns : 0;

	cost_update(&r->cost, &s->calibration, values_per_s);
}

/* Over for two readings and a second: a burst is not an outage. */
static void keep_budget(struct probe_run *r, uint64_t now_ns)
{
	struct text_buf why = { 0 };

	if (!(r->cost.cpu_pct > r->budget_cpu_pct)) {
		r->periods_over = 0;
		return;
	}
	if (!r->periods_over++)
		r->over_since_ns = now_ns;
	if (r->periods_over < 2 || now_ns - r->over_since_ns < OVER_NS)
		return;
	text_keepf(&why, "over budget: %.1f%% of a CPU, %.1f%% allowed (%.0f events/s of %.0f ns)", r->cost.cpu_pct,
		   r->budget_cpu_pct, r->cost.events_per_s, r->cost.ns_per_event);
	run_stop(r, RUN_STOPPED, text_of(&why));
}

static void add_cost_row(const struct probe_run *r, struct frame_builder *b, struct text name, struct text state)
{
	struct cost_row *row = FRAME_ADD(b, cost, COST);

	if (!row)
		return;
	row->who = name;
	row->kind = TEXT("probe");
	row->state = state;
	row->why = text_copy(frame_arena(b), text_of(&r->why));
	row->events_per_s = r->cost.events_per_s;
	row->ns_per_event = r->cost.ns_per_event;
	row->cpu_pct = r->cost.cpu_pct;
	row->lost = r->lost;
}

static void add_probe_row(const struct probe_run *r, struct frame_builder *b)
{
	static const struct text states[] = { TEXT_INIT("running"), TEXT_INIT("stopped"), TEXT_INIT("failed") };
	struct arena *a = frame_arena(b);
	struct probe_row *row = FRAME_ADD(b, probe, PROBE);

	if (!row)
		return;
	row->id = r->id;
	row->name = r->entry ? text_clean_str(a, r->entry->name)
			     : r->name.len ? text_copy(a, text_of(&r->name)) : TEXT("probe");
	row->scope = scope_text(a, &r->scope);
	row->family = r->family ? text_clean_str(a, r->family->name) : TEXT_UNKNOWN;
	row->program = text_clean_str(a, r->program[0] ? r->program : r->arg);
	row->state = states[r->state];
	row->why = r->state == RUN_RUNNING ? TEXT("") : text_copy(a, text_of(&r->why));
	row->unit = r->entry ? text_clean_str(a, unit_name(r->entry->probe->unit)) : TEXT("");
	row->since_wall_ns = r->since_wall_ns;
	row->predicted_cpu_pct = r->predicted_cpu_pct;
	row->lost = r->lost;
	row->unmatched = r->unmatched;
	if (r->state == RUN_RUNNING) {
		row->events_per_s = r->cost.events_per_s;
		row->ns_per_event = r->cost.ns_per_event;
		row->cpu_pct = r->cost.cpu_pct;
		row->memory_bytes = r->memory_bytes;
		add_cost_row(r, b, row->name, row->state);
	}
}

static void sample_run(struct probes *s, struct probe_run *r, struct frame_builder *b, bool is_measured)
{
	struct err why = { 0 };
	uint64_t before = r->values_total, now_ns = clock_mono_ns();
	uint64_t elapsed_ns = run_elapsed_ns(r, now_ns);

	if (run_read(r, b, &why)) {
		fail(r, &why);
		return;
	}
	if (is_measured)
		charge(s, r, before, elapsed_ns);
	keep_budget(r, now_ns);
}

static int probes_sample(void *self, const struct collector_env *env, struct frame_builder *b, struct err *e)
{
	struct probes *s = self;
	const struct frame *prev = frame_prev(b);

	(void)env;
	(void)e;
	frame_unref(s->latest);
	s->latest = frame_ref(prev);
	frame_set_state(b, SEC_PROBE, SEC_OK, NULL);
	for (uint32_t i = 0; i < s->runs.len; i++)
		if (s->runs.ptr[i]->state != RUN_RUNNING)
			run_carry(s->runs.ptr[i], b);
	if (!any_running(s) && s->is_timing)
		close_window(s);
	if (any_running(s)) {
		bool is_measured = measure(s);
		frame_set_state(b, SEC_HIST, SEC_OK, NULL);
		frame_set_state(b, SEC_COUNTS, SEC_OK, NULL);
		frame_set_state(b, SEC_EVENTS, SEC_OK, NULL);
		for (uint32_t i = 0; i < s->runs.len; i++)
			if (s->runs.ptr[i]->state == RUN_RUNNING)
				sample_run(s, s->runs.ptr[i], b, is_measured);
		wait_for_rare(s);
	}
	for (uint32_t i = 0; i < s->runs.len; i++)
		add_probe_row(s->runs.ptr[i], b);
	return 0;
}

const struct collector collector_probes = {
	.name = "probes",
	.provides = SEC_BIT(SEC_PROBE) | SEC_BIT(SEC_HIST) | SEC_BIT(SEC_COUNTS) | SEC_BIT(SEC_EVENTS) |
		    SEC_BIT(SEC_STACKS),
	.budget_ns = 20 * NS_PER_MS,
	.self_size = sizeof(struct probes),
	.open = probes_open,
	.sample = probes_sample,
	.ask = probes_ask,
	.close = probes_close,
};
