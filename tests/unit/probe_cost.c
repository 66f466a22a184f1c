/* From the kernel's figures of programs to the price on screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/clock.h"
#include "collectors/probes/cost.h"

static const struct calibration host = { .is_done = true, .floor_ns = 50, .tax_ns = 70 };

static void is_near(double a, double b)
{
	if (fabs(a - b) > 1e-6 * fabs(b) + 1e-9)
		fail_msg("%g is not %g", a, b);
}

static void corrected_by_floor_and_tax(void **state)
{
	struct run_cost c = { .at_start = { 1000, 100000, 0, 0 }, .at_end = { 3000, 500000, 0, 20 * NS_PER_MS } };
	(void)state;

	cost_update(&c, &host, 0);
	is_near(c.events_per_s, 100000);
	is_near(c.ns_per_event, 200 - 50 + 70);
	is_near(c.cpu_pct, 100000 * 220.0 / 1e9 * 100);
}

static void never_below_the_tax(void **state)
{
	struct run_cost c = { .at_end = { 1000, 40000, 0, NS_PER_S } };
	(void)state;

	cost_update(&c, &host, 0);
	is_near(c.ns_per_event, 70);
}

/* Twenty milliseconds see nothing of ten events a second; their values were counted all the same. */
static void rare_events_are_not_free(void **state)
{
	struct run_cost c = { .at_end = { 2, 2000, 0, 20 * NS_PER_MS } };
	(void)state;

	cost_update(&c, &host, 10);
	is_near(c.events_per_s, 10);
	is_near(c.ns_per_event, 1000 - 50 + 70);
	/* An empty window keeps what was learned. */
	c.at_start = c.at_end;
	c.at_end.mono_ns += NS_PER_S;
	cost_update(&c, &host, 10);
	is_near(c.events_per_s, 10);
	is_near(c.ns_per_event, 1020);
}

static void nothing_seen_is_unknown_not_zero(void **state)
{
	struct run_cost c = { .at_end = { 0, 0, 0, NS_PER_S } };
	(void)state;

	cost_update(&c, &host, 0);
	assert_true(isnan(c.ns_per_event));
	is_near(c.cpu_pct, 0);
	cost_update(&c, &host, 5);
	assert_true(isnan(c.cpu_pct));
}

static void budget_is_the_lesser(void **state)
{
	(void)state;
	is_near(budget_default_cpu_pct(1), 2);
	is_near(budget_default_cpu_pct(2), 4);
	is_near(budget_default_cpu_pct(5), 10);
	is_near(budget_default_cpu_pct(256), 10);
	is_near(budget_default_cpu_pct(0), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corrected_by_floor_and_tax),	    cmocka_unit_test(never_below_the_tax),
		cmocka_unit_test(rare_events_are_not_free),	    cmocka_unit_test(nothing_seen_is_unknown_not_zero),
		cmocka_unit_test(budget_is_the_lesser),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
