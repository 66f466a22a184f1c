/* The biolatency tool against /proc/diskstats, the kernel's own count of the same requests. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "tools.h"

#define WRITES 200
#define SYNCS (WRITES / 2)
#define BLOCK 4096

/* A file on a whole disk: its device, or false. */
static bool find_disk(const char *path, unsigned int *major_out, unsigned int *minor_out)
{
	struct stat st;
	char sys[128];

	if (stat(path, &st))
		return false;
	snprintf(sys, sizeof(sys), "/sys/dev/block/%u:%u/queue", major(st.st_dev), minor(st.st_dev));
	*major_out = major(st.st_dev);
	*minor_out = minor(st.st_dev);
	return !access(sys, F_OK);
}

/* Requests completed since boot: reads, writes, discards, flushes; in flight now. */
static uint64_t requests(unsigned int want_major, unsigned int want_minor, char name_out[64], uint64_t *flushes,
			 uint64_t *in_flight)
{
	char line[512], name[64];
	unsigned int maj, min;
	unsigned long long v[17];
	uint64_t n = 0;
	FILE *f = fopen("/proc/diskstats", "re");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		int got = sscanf(line, "%u %u %63s %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu",
				 &maj, &min, name, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8],
				 &v[9], &v[10], &v[11], &v[12], &v[13], &v[14], &v[15], &v[16]);
		if (got == 20 && maj == want_major && min == want_minor) {
			n = v[0] + v[4] + v[11] + v[15];
			strcpy(name_out, name);
			*flushes = v[15];
			*in_flight = v[8];
		}
	}
	fclose(f);
	return n;
}

static void write_blocks(const char *path)
{
	void *block = NULL;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(posix_memalign(&block, BLOCK, BLOCK), 0);
	memset(block, 7, BLOCK);
	for (int i = 0; i < WRITES; i++) {
		assert_int_equal(pwrite(fd, block, BLOCK, (off_t)i * 2 * BLOCK), BLOCK);
		/* Half of them flushed: a flush is a request of its own, also to the kernel's count. */
		assert_int_equal(i % 2 ? fdatasync(fd) : 0, 0);
	}
	free(block);
	close(fd);
}

static void equals_diskstats(void **state)
{
	const char *path = *state;
	struct tools t;
	struct scope s = { .kind = SCOPE_DEVICE };
	char name[64] = "";
	uint64_t flying = 0, flying_then = 0, flushes = 0, flushes_then = 0;

	assert_true(find_disk(".", &s.major, &s.minor));
	text_keepf(&s.name, "disk");
	tools_open(&t);
	tools_start(&t, "biolatency", &s, NULL);
	struct frame *f = tools_frame(&t);
	uint64_t hist_before = tools_hist_total(f), stat_before = requests(s.major, s.minor, name, &flushes_then, &flying_then);
	frame_unref(f);
	write_blocks(path);
	f = tools_frame(&t);
	uint64_t seen = tools_hist_total(f) - hist_before;
	uint64_t counted = requests(s.major, s.minor, name, &flushes, &flying) - stat_before;

	/* With a write cache the kernel counts each sync twice: as an empty write and as the flush sent for it. */
	if (flushes - flushes_then >= SYNCS)
		counted -= SYNCS;

	assert_true(seen >= WRITES);
	/* Between the two readings others may write: never more than a few requests apart. */
	int64_t apart = (int64_t)seen - (int64_t)counted;
	int64_t slack = 4 + (int64_t)flying + (int64_t)flying_then + (int64_t)counted / 100;
	if (apart > slack || apart < -slack)
		fail_msg("%llu requests seen, %llu counted by the kernel", (unsigned long long)seen,
			 (unsigned long long)counted);
	const struct hist_row *h = FRAME_ROWS(f, hist, HIST);
	for (uint32_t i = 0; i < f->sec[SEC_HIST].nrows; i++)
		assert_true(text_is(h[i].key, name));
	assert_int_equal(tools_row(f, 0)->lost, 0);
	assert_true(tools_row(f, 0)->unmatched <= 4); /* in flight when it started */
	if (getenv("RUNG_TEST_VERBOSE"))
		print_message("%llu seen, %llu counted\n", (unsigned long long)seen, (unsigned long long)counted);
	frame_unref(f);
	tools_close(&t);
	unlink(path);
}

static void refuses_what_is_no_disk(void **state)
{
	struct tools t;
	struct err e = { 0 };
	struct scope s = { .kind = SCOPE_DEVICE, .major = 4000, .minor = 7 };
	(void)state;

	tools_open(&t);
	text_keepf(&s.name, "nothing");
	assert_int_equal(tools_ask(&t, "biolatency", &s, NULL, &e), -ENODEV);
	assert_non_null(strstr(e.text, "no block device 4000:7"));
	struct frame *f = tools_frame(&t);
	assert_true(text_is(tools_row(f, 0)->state, "failed"));
	assert_true(text_has(tools_row(f, 0)->why, "4000:7", 6));
	frame_unref(f);
	tools_close(&t);
}

int main(void)
{
	unsigned int major_number, minor_number;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(equals_diskstats, (void *)"biolatency.tmp"),
		cmocka_unit_test(refuses_what_is_no_disk),
	};
	TOOLS_SKIP();
	if (!find_disk(".", &major_number, &minor_number)) {
		printf("skipped: the current directory is not on a whole disk\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
