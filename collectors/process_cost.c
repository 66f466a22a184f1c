#include "collectors/process_cost.h"

#include "base/clock.h"

static void add_row(struct frame_builder *b, struct text who, struct text kind, uint64_t before_ns,
		    uint64_t now_ns, uint64_t elapsed_ns)
{
	struct cost_row *row = FRAME_ADD(b, cost, COST);

	if (!row)
		return;
	row->who = who;
	row->kind = kind;
	row->state = TEXT("running");
	row->why = TEXT("");
	row->self_ns_total = now_ns;
	if (elapsed_ns)
		row->cpu_pct = 100.0 * (double)(now_ns - before_ns) / (double)elapsed_ns;
}

void process_cost_rows(struct process_cost *p, struct frame_builder *b)
{
	/* The clocks run on while collectors work, so the interval is taken here and not from
	 * the frame. */
	struct process_cost now = { clock_mono_ns(), clock_thread_cpu_ns(),
				    clock_process_cpu_ns() };
	uint64_t elapsed_ns = p->mono_ns ? now.mono_ns - p->mono_ns : 0;

	add_row(b, TEXT("sampler"), TEXT("thread"), p->thread_ns, now.thread_ns, elapsed_ns);
	add_row(b, TEXT("rung"), TEXT("process"), p->process_ns, now.process_ns, elapsed_ns);
	*p = now;
}
