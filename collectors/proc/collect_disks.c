/* DISK: what iostat -x knows of every block device, from /proc/diskstats. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/collector.h"
#include "collectors/proc/counter.h"
#include "collectors/proc/scan.h"

struct disks_state {
	struct scan_buf buf;
};

#define TOTAL(field) offsetof(struct disk_row, field)
#define SKIPPED      SIZE_MAX

/* Columns behind the name, in the file's order; discards came with 4.18, flushes with 5.5. */
static const size_t columns[] = {
	TOTAL(reads_total), TOTAL(read_merges_total), TOTAL(read_sectors_total),
	TOTAL(read_ms_total),
	TOTAL(writes_total), TOTAL(write_merges_total), TOTAL(write_sectors_total),
	TOTAL(write_ms_total), TOTAL(in_flight), TOTAL(busy_ms_total), TOTAL(queue_ms_total),
	TOTAL(discards_total), SKIPPED, SKIPPED, TOTAL(discard_ms_total),
	TOTAL(flushes_total), TOTAL(flush_ms_total),
};

#define RATE(total, rate, scale) { TOTAL(total), TOTAL(rate), scale }

static const struct counter_field rates[] = {
	RATE(reads_total, read_per_s, 1),
	RATE(writes_total, write_per_s, 1),
	RATE(discards_total, discard_per_s, 1),
	RATE(flushes_total, flush_per_s, 1),
	RATE(read_merges_total, read_merge_per_s, 1),
	RATE(write_merges_total, write_merge_per_s, 1),
	RATE(read_sectors_total, read_bytes_per_s, 512),
	RATE(write_sectors_total, write_bytes_per_s, 512),
	/* Milliseconds per second are tenths of a percent, and thousandths of a request. */
	RATE(busy_ms_total, util_pct, 0.1),
	RATE(queue_ms_total, queue, 0.001),
};

/* Devices that exist by the dozen without being used; shown once they have done any I/O. */
static const char *const spare_prefixes[] = { "loop", "ram", "zram", "nbd", "fd", "sr" };

static bool is_unused_spare(struct scan name, const struct disk_row *row)
{
	if (row->reads_total || row->writes_total)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(spare_prefixes); i++) {
		struct scan rest = name;
		if (scan_skip(&rest, spare_prefixes[i]) && rest.at < rest.end && *rest.at >= '0' &&
		    *rest.at <= '9')
			return true;
	}
	return false;
}

/* sysfs writes the slash of names such as cciss/c0d0 as an exclamation mark. */
static uint32_t ask_is_partition(int sys_fd, struct scan name)
{
	char path[128];
	int n = snprintf(path, sizeof(path), "class/block/%.*s/partition",
			 (int)(name.end - name.at), name.at);

	if (n < 0 || (size_t)n >= sizeof(path))
		return U32_UNKNOWN;
	for (char *c = path + strlen("class/block/"); *c && strcmp(c, "/partition") != 0; c++)
		if (*c == '/')
			*c = '!';
	return faccessat(sys_fd, path, F_OK, 0) == 0;
}

static const struct disk_row *row_before(const struct frame *prev, const struct disk_row *row,
					 uint32_t guess)
{
	uint32_t n = prev ? prev->sec[SEC_DISK].nrows : 0;
	const struct disk_row *rows = n ? FRAME_ROWS(prev, disk, DISK) : NULL;

	for (uint32_t i = 0; i < n; i++) {
		const struct disk_row *r = &rows[(guess + i) % n];
		if (r->major == row->major && r->minor == row->minor && text_eq(r->name, row->name))
			return r;
	}
	return NULL;
}

static double per_request(uint64_t amount, uint64_t requests, double scale)
{
	if (amount == U64_UNKNOWN || requests == U64_UNKNOWN || !requests)
		return F64_UNKNOWN;
	return (double)amount * scale / (double)requests;
}

static uint64_t known(uint64_t value)
{
	return value == U64_UNKNOWN ? 0 : value;
}

static void compare(const struct disk_row *was, struct disk_row *row, uint64_t elapsed_ns)
{
	const double ms = (double)NS_PER_MS;

	if (counter_was_reset(rates, ARRAY_LEN(rates), was, row))
		return;
	counter_rates(rates, ARRAY_LEN(rates), was, row, elapsed_ns);
	if (row->util_pct > 100)
		row->util_pct = 100;

	uint64_t reads = counter_delta(was->reads_total, row->reads_total);
	uint64_t writes = counter_delta(was->writes_total, row->writes_total);
	uint64_t flushes = counter_delta(was->flushes_total, row->flushes_total);
	uint64_t discards = counter_delta(was->discards_total, row->discards_total);
	uint64_t read_ms = counter_delta(was->read_ms_total, row->read_ms_total);
	uint64_t write_ms = counter_delta(was->write_ms_total, row->write_ms_total);
	uint64_t flush_ms = counter_delta(was->flush_ms_total, row->flush_ms_total);
	uint64_t discard_ms = counter_delta(was->discard_ms_total, row->discard_ms_total);

	row->read_await_ns = per_request(read_ms, reads, ms);
	row->write_await_ns = per_request(write_ms, writes, ms);
	row->flush_await_ns = per_request(flush_ms, flushes, ms);
	row->await_ns = per_request(
	    known(read_ms) + known(write_ms) + known(flush_ms) + known(discard_ms),
	    known(reads) + known(writes) + known(flushes) + known(discards), ms);
	row->read_size_bytes = per_request(
	    counter_delta(was->read_sectors_total, row->read_sectors_total), reads, 512);
	row->write_size_bytes = per_request(
	    counter_delta(was->write_sectors_total, row->write_sectors_total), writes, 512);
}

/* False when the line does not hold a device's eleven counters. */
static bool read_columns(struct scan line, struct disk_row *row)
{
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		uint64_t value = scan_u64(&line);
		if (columns[i] != SKIPPED)
			memcpy((char *)row + columns[i], &value, sizeof(value));
	}
	return row->queue_ms_total != U64_UNKNOWN;
}

static int disks_sample(void *self, const struct collector_env *env, struct frame_builder *b,
			struct err *e)
{
	struct disks_state *d = self;
	struct scan file, line, name;
	uint32_t n = 0;
	int rc = scan_file(&d->buf, env->proc_fd, "diskstats", &file, e);

	if (rc)
		return rc;
	frame_set_state(b, SEC_DISK, SEC_OK, NULL); /* a host without disks is fine */
	scan_mark_cut(&d->buf, b, SEC_DISK);
	while (scan_line(&file, &line)) {
		struct disk_row *row = FRAME_ADD(b, disk, DISK);
		if (!row)
			return 0;
		row->major = scan_u32(&line);
		row->minor = scan_u32(&line);
		if (!scan_word(&line, &name) || !read_columns(line, row) ||
		    is_unused_spare(name, row)) {
			frame_truncate(b, SEC_DISK, n);
			continue;
		}
		row->name = text_clean(frame_arena(b), name.at, (size_t)(name.end - name.at));
		const struct disk_row *was = row_before(frame_prev(b), row, n);
		row->is_partition = was ? was->is_partition : ask_is_partition(env->sys_fd, name);
		if (was)
			compare(was, row, frame_elapsed_ns(b));
		n++;
	}
	return 0;
}

static void disks_close(void *self)
{
	struct disks_state *d = self;

	scan_buf_fini(&d->buf);
}

const struct collector collector_disks = {
	.name = "disks",
	.provides = SEC_BIT(SEC_DISK),
	.period_ns = NS_PER_S / 10,
	.budget_ns = 5 * NS_PER_MS,
	.self_size = sizeof(struct disks_state),
	.sample = disks_sample,
	.close = disks_close,
};
