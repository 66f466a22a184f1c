/* Disks and network links: wraps, resets, devices that come and go, hostile names. */
#include "proc_tree.h"

extern const struct collector collector_disks, collector_network, collector_protocols;

static const struct disk_row *disk(const struct frame *f, const char *name)
{
	for (uint32_t i = 0; i < f->sec[SEC_DISK].nrows; i++)
		if (text_is(FRAME_ROWS(f, disk, DISK)[i].name, name))
			return &FRAME_ROWS(f, disk, DISK)[i];
	return NULL;
}

static const struct net_row *link_named(const struct frame *f, const char *name)
{
	for (uint32_t i = 0; i < f->sec[SEC_NET].nrows; i++)
		if (text_is(FRAME_ROWS(f, net, NET)[i].name, name))
			return &FRAME_ROWS(f, net, NET)[i];
	return NULL;
}

static const struct netcount_row *counter(const struct frame *f, const char *name)
{
	for (uint32_t i = 0; i < f->sec[SEC_NETCOUNT].nrows; i++)
		if (text_is(FRAME_ROWS(f, netcount, NETCOUNT)[i].name, name))
			return &FRAME_ROWS(f, netcount, NETCOUNT)[i];
	return NULL;
}

static void a_disk_survives_counters_that_wrap(void **state)
{
	struct tree_run r = { .c = &collector_disks, .name = "disks" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct disk_row *d = disk(tree_step(&r, 2, START_NS + 2 * NS_PER_S), "vda");
	assert_non_null(d);
	assert_near(d->read_per_s, 50);
	assert_near(d->write_per_s, 25);
	assert_near(d->flush_per_s, 5);
	assert_near(d->discard_per_s, 5);
	assert_near(d->read_merge_per_s, 5);
	assert_near(d->read_bytes_per_s, 8000 * 512);
	assert_near(d->write_bytes_per_s, 4000 * 512);
	assert_near(d->read_size_bytes, 160 * 512);
	assert_near(d->write_size_bytes, 160 * 512);
	/* 4294967000 + 1000 ms passed 2^32 */
	assert_near(d->read_await_ns, 10e6);
	assert_near(d->write_await_ns, 20e6);
	assert_near(d->flush_await_ns, 20e6);
	assert_near(d->await_ns, 2300e6 / 170);
	assert_near(d->util_pct, 65);
	assert_near(d->queue, 17.168);
	assert_int_equal(d->in_flight, 34);
	tree_end(&r);
}

static void a_replaced_disk_has_no_rates_and_a_vanished_one_no_row(void **state)
{
	struct tree_run r = { .c = &collector_disks, .name = "disks" };
	(void)state;

	assert_non_null(disk(tree_step(&r, 1, START_NS), "vdc"));
	const struct frame *f = tree_step(&r, 2, START_NS + NS_PER_S);
	assert_null(disk(f, "vdc"));
	assert_true(isnan(disk(f, "vdb")->read_per_s));
	assert_true(isnan(disk(f, "vdb")->util_pct));
	assert_true(
	    isnan(disk(f, "vdb")->flush_per_s)); /* more than before, but not of the same disk */
	assert_true(isnan(disk(f, "vdd")->util_pct));
	assert_int_equal(disk(f, "vdd")->queue_ms_total, 5);
	assert_near(disk(f, "loop1")->util_pct, 0);
	assert_true(isnan(disk(f, "loop1")->await_ns));
	tree_end(&r);
}

static void spare_devices_are_left_out_and_partitions_known(void **state)
{
	struct tree_run r = { .c = &collector_disks, .name = "disks" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_null(disk(f, "loop0"));
	assert_null(disk(f, "ram0"));
	assert_null(disk(f, "zram0"));
	assert_non_null(disk(f, "loop1"));
	assert_non_null(disk(f, "sda"));
	assert_int_equal(disk(f, "vda")->is_partition, 0);
	assert_int_equal(disk(f, "vda1")->is_partition, 1);
	assert_int_equal(disk(f, "cciss/c0d0")->is_partition, 0);
	assert_int_equal(disk(f, "cciss/c0d0p1")->is_partition, 1);
	f = tree_step(&r, 2,
		      START_NS + NS_PER_S); /* this tree has no sysfs: what was known stays */
	assert_int_equal(disk(f, "vda1")->is_partition, 1);
	assert_int_equal(disk(f, "vda1")->minor, 1);
	tree_end(&r);
}

static void an_old_kernel_has_fewer_columns(void **state)
{
	struct tree_run r = { .c = &collector_disks, .name = "old" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + NS_PER_S);
	assert_int_equal(f->sec[SEC_DISK].nrows, 1);
	const struct disk_row *d = disk(f, "sda");
	assert_near(d->await_ns, 10e6);
	assert_near(d->util_pct, 50);
	assert_true(isnan(d->flush_per_s));
	assert_int_equal(d->flushes_total, U64_UNKNOWN);
	tree_end(&r);
}

static void no_disks_is_not_a_failure(void **state)
{
	struct tree_run r = { .c = &collector_disks, .name = "none" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_int_equal(f->sec[SEC_DISK].state, SEC_OK);
	assert_int_equal(f->sec[SEC_DISK].nrows, 0);
	r.name = "cut";
	f = tree_step(&r, 1, START_NS + NS_PER_S);
	assert_int_equal(f->sec[SEC_DISK].state, SEC_TRUNCATED);
	assert_int_equal(f->sec[SEC_DISK].nrows, 1);
	tree_end(&r);
}

static void a_link_has_rates_against_its_speed(void **state)
{
	struct tree_run r = { .c = &collector_network, .name = "net" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_int_equal(f->sec[SEC_NET].nrows, 5);
	/* Another process reads the speed: look again until it is there. */
	while (link_named(f, "eth0")->speed_bits_per_s == U64_UNKNOWN)
		f = tree_step(&r, 1, START_NS);
	f = tree_step(&r, 2, START_NS + NS_PER_S);
	const struct net_row *eth = link_named(f, "eth0");
	assert_true(text_is(eth->operstate, "up"));
	assert_int_equal(eth->speed_bits_per_s, 1000000000);
	assert_near(eth->rx_bytes_per_s, 12500000); /* across 2^32 */
	assert_near(eth->tx_bytes_per_s, 1000);
	assert_near(eth->util_pct, 10);
	assert_near(eth->rx_errors_per_s, 1);
	assert_near(eth->rx_drops_per_s, 2);
	assert_near(eth->rx_overruns_per_s, 3);
	assert_near(eth->tx_errors_per_s, 0);
	assert_near(link_named(f, "lo")->rx_packets_per_s, 10);
	assert_true(isnan(link_named(f, "lo")->util_pct));
	assert_int_equal(link_named(f, "tun0")->speed_bits_per_s, U64_UNKNOWN);
	assert_true(isnan(link_named(f, "tun0")->rx_bytes_per_s)); /* it was made anew */
	tree_end(&r);
}

static void a_hostile_link_name_is_shown_clean_and_followed_nowhere(void **state)
{
	struct tree_run r = { .c = &collector_network, .name = "net" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + NS_PER_S);
	const struct net_row *evil = &FRAME_ROWS(f, net, NET)[3];
	assert_null(memchr(evil->name.utf8, 0x1b, evil->name.len));
	assert_null(memchr(evil->name.utf8, 0x07, evil->name.len));
	assert_near(evil->rx_bytes_per_s, 10);
	assert_near(evil->tx_bytes_per_s, 20);
	assert_true(text_is(link_named(f, "..")->operstate, "outside") == false);
	r.name = "cut";
	f = tree_step(&r, 1, START_NS + 2 * NS_PER_S);
	assert_int_equal(f->sec[SEC_NET].state, SEC_TRUNCATED);
	assert_int_equal(f->sec[SEC_NET].nrows, 1);
	tree_end(&r);
}

static void protocol_counters_are_found_by_name(void **state)
{
	struct tree_run r = { .c = &collector_protocols, .name = "net" };
	(void)state;

	tree_step(&r, 1, START_NS);
	const struct frame *f = tree_step(&r, 2, START_NS + 2 * NS_PER_S);
	assert_int_equal(f->sec[SEC_NETCOUNT].state, SEC_OK);
	assert_near(counter(f, "Tcp.RetransSegs")->per_s, 10);
	assert_int_equal(counter(f, "Tcp.RetransSegs")->is_error, 1);
	assert_near(counter(f, "Tcp.OutSegs")->per_s, 250);
	assert_int_equal(counter(f, "Tcp.CurrEstab")->value_total, 9);
	assert_true(isnan(counter(f, "Tcp.CurrEstab")->per_s));
	assert_int_equal(counter(f, "Udp.RcvbufErrors")->value_total, 6);
	assert_near(counter(f, "TcpExt.TCPTimeouts")->per_s, 1);
	assert_int_equal(counter(f, "TcpExt.ListenOverflows")->value_total, 3);
	assert_int_equal(counter(f, "TcpExt.ListenDrops")->value_total, 2);
	assert_int_equal(counter(f, "Softnet.dropped")->value_total, 13);
	assert_near(counter(f, "Softnet.dropped")->per_s, 1);
	assert_int_equal(counter(f, "Softnet.squeezed")->value_total, 256);
	assert_null(counter(f, "Tcp.MaxConn"));
	tree_end(&r);
}

static void a_protocol_file_that_is_missing_is_said(void **state)
{
	struct tree_run r = { .c = &collector_protocols, .name = "cut" };
	(void)state;

	const struct frame *f = tree_step(&r, 1, START_NS);
	assert_true(r.rc < 0);
	assert_int_equal(f->sec[SEC_NETCOUNT].state, SEC_FAILED);
	tree_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_survives_counters_that_wrap),
		cmocka_unit_test(a_replaced_disk_has_no_rates_and_a_vanished_one_no_row),
		cmocka_unit_test(spare_devices_are_left_out_and_partitions_known),
		cmocka_unit_test(an_old_kernel_has_fewer_columns),
		cmocka_unit_test(no_disks_is_not_a_failure),
		cmocka_unit_test(a_link_has_rates_against_its_speed),
		cmocka_unit_test(a_hostile_link_name_is_shown_clean_and_followed_nowhere),
		cmocka_unit_test(protocol_counters_are_found_by_name),
		cmocka_unit_test(a_protocol_file_that_is_missing_is_said),
	};

	return cmocka_run_group_tests_name("proc_devices", tests, NULL, NULL);
}
