/* The text output of tools and programs, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/codec.h"
#include "session/session.h"

static void expect(const char *frame, uint32_t id, const char *text)
{
	struct err e = { 0 };
	uint32_t line = 0;
	char *out = NULL;
	size_t len = 0;
	FILE *in = fmemopen((void *)(uintptr_t)frame, strlen(frame), "r"), *mem = open_memstream(&out, &len);

	assert_non_null(in);
	assert_non_null(mem);
	struct frame *f = frame_read_text(in, NULL, &line, &e);
	if (!f)
		fail_msg("%s", e.text);
	assert_int_equal(session_print_probe(mem, f, id), 0);
	fclose(mem);
	if (strcmp(out, text))
		fail_msg("printed:\n%sexpected:\n%s", out, text);
	free(out);
	fclose(in);
	frame_unref(f);
}

#define PROBES "@probe ok\nid\tname\tunit\n1\trunqlat\tns\n2\tprobe\t\n"

static void histogram_with_a_gap(void **state)
{
	(void)state;
	expect("frame 1 1 1\n" PROBES "@hist ok\nprobe_id\tname\tkey\tslot\tlow\thigh\tcount\n"
	       "1\t\t\t0\t0\t1\t5\n1\t\t\t10\t512\t1024\t40\n1\t\t\t12\t2048\t4096\t20\n"
	       "2\t@\t\t1\t0\t1\t9\n",
	       1,
	       "[0ns, 1ns)                   5 |@@@@@                                   |\n"
	       "[1ns, 2ns)                   0 |                                        |\n"
	       "[2ns, 4ns)                   0 |                                        |\n"
	       "[4ns, 8ns)                   0 |                                        |\n"
	       "[8ns, 16ns)                  0 |                                        |\n"
	       "[16ns, 32ns)                 0 |                                        |\n"
	       "[32ns, 64ns)                 0 |                                        |\n"
	       "[64ns, 128ns)                0 |                                        |\n"
	       "[128ns, 256ns)               0 |                                        |\n"
	       "[256ns, 512ns)               0 |                                        |\n"
	       "[512ns, 1.02us)             40 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "[1.02us, 2.05us)             0 |                                        |\n"
	       "[2.05us, 4.10us)            20 |@@@@@@@@@@@@@@@@@@@@                    |\n");
}

static void program_maps_as_their_language_writes_them(void **state)
{
	(void)state;
	expect("frame 1 1 1\n" PROBES "@counts ok\nprobe_id\tname\tkey\tcount\tsum\n"
	       "2\t@a\tbash\t7\t-\n2\t@total\t\t-\t-12\n1\t\tother\t1\t-\n",
	       2, "@a[bash]: 7\n@total: -12\n");
}

static void calls_with_most_time_first(void **state)
{
	(void)state;
	expect("frame 1 1 1\n" PROBES
	       "@counts ok\nprobe_id\tname\tkey\tcount\terrors\ttotal_ns\tavg_ns\tmax_ns\tper_s\n"
	       "1\t\tread\t10\t0\t1000\t100\t500\t5\n1\t\topenat\t2\t2\t9000000\t4500000\t5000000\t1\n",
	       1,
	       "     calls        /s   errors      wall       avg       max  call\n"
	       "         2         1        2    9.00ms    4.50ms    5.00ms  openat\n"
	       "        10         5        0    1.00us     100ns     500ns  read\n");
}

static void an_unknown_probe_is_an_error(void **state)
{
	struct err e = { 0 };
	uint32_t line = 0;
	char text[] = "frame 1 1 1\n";
	FILE *in = fmemopen(text, strlen(text), "r");
	(void)state;

	struct frame *f = frame_read_text(in, NULL, &line, &e);
	assert_non_null(f);
	assert_int_equal(session_print_probe(stdout, f, 3), -ENOENT);
	fclose(in);
	frame_unref(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histogram_with_a_gap),
		cmocka_unit_test(program_maps_as_their_language_writes_them),
		cmocka_unit_test(calls_with_most_time_first),
		cmocka_unit_test(an_unknown_probe_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
