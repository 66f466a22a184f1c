/* CAP rows against what the host shows by other means, and that trying leaves nothing behind. */
#include <bpf/bpf.h>

#include "actor.h"

extern const struct collector collector_caps;

static const struct cap_row *cap_named(const struct frame *f, const char *name)
{
	for (uint32_t i = 0; i < f->sec[SEC_CAP].nrows; i++)
		if (text_is(FRAME_ROWS(f, cap, CAP)[i].name, name))
			return &FRAME_ROWS(f, cap, CAP)[i];
	fail_msg("no row %s", name);
	return NULL;
}

static bool works(const struct frame *f, const char *name)
{
	return cap_named(f, name)->has == 1;
}

static bool is_there(const char *path)
{
	return !access(path, F_OK);
}

/* Programs by the name that the attempts use. */
static int programs_left(void)
{
	uint32_t id = 0, len;
	int n = 0;

	while (!bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = { 0 };
		int fd = bpf_prog_get_fd_by_id(id);
		len = sizeof(info);
		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len))
			n += !strcmp(info.name, "rung_try");
		if (fd >= 0)
			close(fd);
	}
	return n;
}

static int open_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++) {
		char path[32];
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		n += is_there(path);
	}
	return n;
}

/* They are tried beside the sampling: until all have been. */
static void until_tried(struct live *l)
{
	do {
		live_sample(l);
		usleep(1000);
	} while (!l->last->sec[SEC_CAP].nrows);
}

static void rows_say_what_the_host_has(void **state)
{
	struct live l;
	(void)state;

	int fds = open_fds();
	live_open(&l, &collector_caps, true);
	live_sample(&l);
	assert_int_equal(l.last->sec[SEC_CAP].state, SEC_OFF);
	until_tried(&l);
	const struct frame *f = l.last;
	assert_int_equal(f->sec[SEC_CAP].state, SEC_OK);
	for (uint32_t i = 0; i < f->sec[SEC_CAP].nrows; i++) {
		const struct cap_row *r = &FRAME_ROWS(f, cap, CAP)[i];
		print_message("%-4s%-20.*s %.*s\n", r->has ? "yes" : "no", TEXT_ARG(r->name),
			      TEXT_ARG(r->why));
		assert_true(r->has == (r->errno_value == 0));
		assert_true(r->has == (r->fix.len == 0));
		assert_true(r->has == (r->why.len == 0));
	}
	assert_int_equal(works(f, "btf"), is_there("/sys/kernel/btf/vmlinux"));
	assert_int_equal(works(f, "pressure"), is_there("/proc/pressure/cpu"));
	assert_int_equal(works(f, "kprobe"), is_there("/sys/bus/event_source/devices/kprobe/type"));
	assert_int_equal(works(f, "uprobe"), is_there("/sys/bus/event_source/devices/uprobe/type"));
	assert_true(works(f, "bpf"));
	assert_true(works(f, "iterators"));
	assert_true(works(f, "all processes"));
	live_close(&l);
	assert_int_equal(open_fds(), fds);
}

/* A program lives until the kernel has let go of it: a moment after its fd is closed. */
static void nothing_stays_in_the_kernel(void **state)
{
	int left = 1;
	(void)state;

	for (int i = 0; i < 5000 && left; i++) {
		left = programs_left();
		usleep(1000);
	}
	assert_int_equal(left, 0);
}

static void switched_off_bpf_is_not_tried(void **state)
{
	struct live l;
	(void)state;

	live_open(&l, &collector_caps, false);
	until_tried(&l);
	assert_false(works(l.last, "bpf"));
	assert_false(works(l.last, "iterators"));
	assert_false(works(l.last, "raw tracepoint"));
	assert_false(works(l.last, "ring buffer"));
	assert_true(text_is(cap_named(l.last, "bpf")->why, "BPF is switched off"));
	live_close(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_say_what_the_host_has),
		cmocka_unit_test(nothing_stays_in_the_kernel),
		cmocka_unit_test(switched_off_bpf_is_not_tried),
	};

	if (geteuid()) {
		puts("skipped: loading BPF programs needs root");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
