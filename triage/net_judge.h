/* What the rules about interfaces share. */
#ifndef TRIAGE_NET_JUDGE_H
#define TRIAGE_NET_JUDGE_H

#include "triage/judge.h"

/** The interface of that name; NULL when f is NULL or has none. */
const struct net_row *net_by_name(const struct frame *f, struct text name);

/** The scope of an interface row. */
struct scope scope_of_net(const struct net_row *n);

/** a + b, an unknown one counting nothing; unknown when both are. */
double sum_known(double a, double b);

/** Larger of the rates in both frames of a protocol counter, unless one is unknown or 0; 0 then. */
double netcount_sustained(const struct frame *f, const struct frame *prev, const char *name);

#endif
