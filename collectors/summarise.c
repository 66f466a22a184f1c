#include "collectors/summarise.h"

static void add_known(uint32_t *sum, uint32_t value)
{
	if (value != U32_UNKNOWN)
		*sum += value;
}

void summarise_tasks(struct frame_builder *b)
{
	uint32_t nsys, ntasks;
	struct sys_row *sys = frame_built(b, SEC_SYS, &nsys);
	const struct task_row *tasks = frame_built(b, SEC_TASK, &ntasks);

	if (!nsys || !ntasks)
		return;
	sys->processes = ntasks;
	sys->threads = sys->in_d = sys->zombies = 0;
	for (uint32_t i = 0; i < ntasks; i++) {
		add_known(&sys->threads, tasks[i].threads);
		add_known(&sys->in_d, tasks[i].threads_in_d);
		sys->zombies += tasks[i].state == 'Z';
	}
}
