/* CAP: what this kernel and these privileges allow, tried once a minute. */
#include <errno.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "collectors/collector.h"
#include "collectors/tasks/caps.h"

static int caps_sample(void *self, const struct collector_env *env, struct frame_builder *b,
		       struct err *e)
{
	struct arena *a = frame_arena(b);

	(void)self;
	for (size_t i = 0; i < caps_table_len; i++) {
		struct cap_result r = cap_try(&caps_table[i], env);
		struct cap_row *row = FRAME_ADD(b, cap, CAP);
		if (!row)
			return err_errno(e, ENOMEM, "capabilities");
		row->name = text_clean_str(a, r.cap->name);
		row->has = r.has;
		row->errno_value = r.why.code;
		row->why = text_clean_str(a, r.why.text);
		row->fix = text_clean_str(a, r.fix);
	}
	return 0;
}

static void caps_close(void *self)
{
	(void)self;
}

const struct collector collector_caps = {
	.name = "caps",
	.provides = SEC_BIT(SEC_CAP),
	.period_ns = 60 * NS_PER_S,
	.is_slow_start = true,
	.sample = caps_sample,
	.close = caps_close,
};
