#include "triage/net_judge.h"

#include <math.h>

const struct net_row *net_by_name(const struct frame *f, struct text name)
{
	const struct net_row *rows = f ? FRAME_ROWS(f, net, NET) : NULL;

	for (uint32_t i = 0; rows && i < f->sec[SEC_NET].nrows; i++)
		if (text_eq(rows[i].name, name))
			return &rows[i];
	return NULL;
}

struct scope scope_of_net(const struct net_row *n)
{
	struct scope s = {.kind = SCOPE_INTERFACE};

	text_keep(&s.name, n->name);
	return s;
}

double sum_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

double netcount_sustained(const struct frame *f, const struct frame *prev, const char *name)
{
	const struct netcount_row *now = netcount_of(f, name), *was = netcount_of(prev, name);

	if (!now || !was || !(now->per_s > 0) || !(was->per_s > 0))
		return 0;
	return now->per_s > was->per_s ? now->per_s : was->per_s;
}
