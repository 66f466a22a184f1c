#include <errno.h>

#include "base/clock.h"
#include "collectors/collector.h"

void collector_mark_failed(struct frame_builder *b, uint64_t sections, const struct err *e)
{
	bool is_denied = e->code == EPERM || e->code == EACCES;

	for (int sec = 0; sec < SEC_COUNT; sec++)
		if (sec != SEC_COST && (sections & SEC_BIT(sec)))
			frame_set_state(b, (enum frame_sec)sec, is_denied ? SEC_DENIED : SEC_FAILED,
					"%s", e->text);
}

int collector_run(const struct collector *c, void *self, const struct collector_env *env,
		  struct frame_builder *b, struct cost *cost, struct err *e)
{
	uint64_t cpu_ns = clock_thread_cpu_ns(), wall_ns = clock_mono_ns();

	*e = (struct err){ 0 };
	int rc = c->sample(self, env, b, e);

	cost->last_wall_ns = clock_mono_ns() - wall_ns;
	cost->wall_ns += cost->last_wall_ns;
	cost->self_ns += clock_thread_cpu_ns() - cpu_ns;
	cost->runs++;
	cost->overruns += c->period_ns && cost->last_wall_ns > c->period_ns;
	if (rc >= 0)
		return 0;
	if (!e->code)
		err_errno(e, -rc, "sampling");
	rc = err_at(e, "%s: ", c->name);
	collector_mark_failed(b, c->provides, e);
	return rc;
}
