/* Memory, pressure, limits and the host's identity; what is missing is said, never 0. */
#include "proc_tree.h"

extern const struct collector collector_memory, collector_pressure, collector_limits,
    collector_host;

static void memory_without_swap_is_complete(void **state)
{
	struct tree_run r = { .c = &collector_memory, .name = "none" };
	const double page = (double)sysconf(_SC_PAGESIZE);
	(void)state;

	const struct mem_row *m = FRAME_ROWS(tree_step(&r, 1, START_NS), mem, MEM);
	assert_int_equal(m->total_bytes, 1024000);
	assert_near(m->used_pct, 75);
	assert_int_equal(m->swap_total_bytes, 0);
	assert_int_equal(m->alloc_stall_total, 7);
	assert_int_equal(m->scan_direct_total, 8);
	assert_int_equal(m->oom_kills_total, 3);
	assert_int_equal(m->oom_kills, 0);
	assert_true(isnan(m->faults_per_s));
	m = FRAME_ROWS(tree_step(&r, 2, START_NS + 2 * NS_PER_S), mem, MEM);
	assert_near(m->used_pct, 10);
	assert_near(m->faults_per_s, 100);
	assert_near(m->major_faults_per_s, 0);
	assert_near(m->alloc_stall_per_s, 5);
	assert_near(m->swap_in_bytes_per_s, 2 * page);
	assert_near(m->swap_out_bytes_per_s, 0);
	assert_int_equal(m->oom_kills, 2);
	tree_end(&r);
}

static void memory_of_an_old_kernel_is_partly_unknown(void **state)
{
	struct tree_run r = { .c = &collector_memory, .name = "old" };
	(void)state;

	const struct mem_row *m = FRAME_ROWS(tree_step(&r, 1, START_NS), mem, MEM);
	assert_int_equal(m->available_bytes, U64_UNKNOWN);
	assert_true(isnan(m->used_pct));
	assert_int_equal(m->oom_kills, U64_UNKNOWN);
	assert_int_equal(m->swap_in_pages_total, 5);
	tree_end(&r);
}

static void half_a_number_is_not_a_number(void **state)
{
	struct tree_run r = { .c = &collector_memory, .name = "cut" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_int_equal(f->sec[SEC_MEM].state, SEC_TRUNCATED);
	assert_int_equal(FRAME_ROWS(f, mem, MEM)->total_bytes, 1024000);
	assert_int_equal(FRAME_ROWS(f, mem, MEM)->free_bytes, U64_UNKNOWN);
	tree_end(&r);
}

static void pressure_is_the_stalled_share_of_the_interval(void **state)
{
	struct tree_run r = { .c = &collector_pressure, .name = "psi" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + 2 * NS_PER_S);
	const struct psi_row *p = FRAME_ROWS(f, psi, PSI);
	assert_int_equal(f->sec[SEC_PSI].nrows, 2);
	assert_true(text_is(p[0].resource, "cpu"));
	assert_near(p[0].some_pct, 25);
	assert_near(p[0].full_pct, 0);
	assert_near(p[0].some_avg10_pct, 3.5);
	assert_near(p[0].some_avg60_pct, 2.5);
	assert_int_equal(p[0].some_ns_total, 1500000000);
	assert_true(text_is(p[1].resource, "irq"));
	assert_int_equal(p[1].some_ns_total, U64_UNKNOWN);
	assert_true(isnan(p[1].some_pct));
	assert_near(p[1].full_pct, 100); /* more than the interval is clamped */
	tree_end(&r);
}

static void without_pressure_files_the_reason_names_the_fix(void **state)
{
	struct tree_run r = { .c = &collector_pressure, .name = "none" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_int_equal(f->sec[SEC_PSI].state, SEC_FAILED);
	assert_int_equal(f->sec[SEC_PSI].nrows, 0);
	assert_true(text_has(f->sec[SEC_PSI].why, "CONFIG_PSI", 10));
	assert_true(text_has(f->sec[SEC_PSI].why, "psi=1", 5));
	tree_end(&r);
}

static const struct limit_row *limit(const struct frame *f, const char *name)
{
	for (uint32_t i = 0; i < f->sec[SEC_LIMIT].nrows; i++)
		if (text_is(FRAME_ROWS(f, limit, LIMIT)[i].name, name))
			return &FRAME_ROWS(f, limit, LIMIT)[i];
	return NULL;
}

static void limits_show_how_full_they_are(void **state)
{
	struct tree_run r = { .c = &collector_limits, .name = "limits" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_near(limit(f, "fds")->used_pct, 25);
	assert_int_equal(limit(f, "pids")->used, 400);
	assert_near(limit(f, "pids")->used_pct, 10);
	assert_near(limit(f, "threads")->used_pct, 5);
	assert_near(limit(f, "tcp time-wait")->used_pct, 50);
	assert_near(limit(f, "tcp pages")->used_pct, 25);
	assert_int_equal(limit(f, "tcp orphans")->max, U64_UNKNOWN);
	assert_true(isnan(limit(f, "tcp orphans")->used_pct));
	assert_null(limit(f, "conntrack"));
	tree_end(&r);
}

static void the_host_is_named(void **state)
{
	struct tree_run r = { .c = &collector_host, .name = "limits" };
	(void)state;

	const struct host_row *h = FRAME_ROWS(tree_step(&r, 1, START_NS), host, HOST);
	assert_null(memchr(h->hostname.utf8, 0x1b, h->hostname.len));
	assert_true(text_has(h->hostname, "-07", 3));
	assert_true(text_is(h->kernel, "6.1.0"));
	assert_true(text_is(h->boot_id, "0f5ad0f3-1111"));
	assert_int_equal(h->cpus_online, 7);
	assert_int_equal(h->uptime_ns, 100250000000);
	assert_near(h->load1, 0.5);
	assert_near(h->load5, 1.25);
	assert_near(h->load15, 10);
	assert_int_equal(h->euid, geteuid());
	tree_end(&r);
}

static void a_host_that_tells_nothing_is_unknown(void **state)
{
	struct tree_run r = { .c = &collector_host, .name = "cut" };
	(void)state;

	const struct host_row *h = FRAME_ROWS(tree_step(&r, 1, START_NS), host, HOST);
	assert_null(h->hostname.utf8);
	assert_null(h->boot_id.utf8);
	assert_int_equal(h->cpus_online, U32_UNKNOWN);
	assert_int_equal(h->uptime_ns, U64_UNKNOWN);
	assert_true(isnan(h->load1));
	tree_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_without_swap_is_complete),
		cmocka_unit_test(memory_of_an_old_kernel_is_partly_unknown),
		cmocka_unit_test(half_a_number_is_not_a_number),
		cmocka_unit_test(pressure_is_the_stalled_share_of_the_interval),
		cmocka_unit_test(without_pressure_files_the_reason_names_the_fix),
		cmocka_unit_test(limits_show_how_full_they_are),
		cmocka_unit_test(the_host_is_named),
		cmocka_unit_test(a_host_that_tells_nothing_is_unknown),
	};

	return cmocka_run_group_tests_name("proc_memory", tests, NULL, NULL);
}
