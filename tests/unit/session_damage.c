/* A damaged file never crashes the reader: it is refused with its name, or what is readable is shown. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "frame/builder.h"
#include "frame/codec.h"
#include "session/session.h"

#define VARIANTS 400

static void fill(struct history *h, uint32_t frames, uint32_t tasks)
{
	assert_int_equal(history_init(h, frames), 0);
	for (uint32_t i = 0; i < frames; i++) {
		struct frame_builder *b = frame_builder_new(history_at(h, 0), 1 + i * UINT64_C(1000000000),
							    1 + i * UINT64_C(1000000000));
		struct host_row *host = FRAME_ADD(b, host, HOST);
		host->hostname = TEXT("damaged");
		for (uint32_t k = 0; k < tasks; k++) {
			struct task_row *t = FRAME_ADD(b, task, TASK);
			t->tgid = k;
			t->start_ns = k * 1000;
			t->comm = text_printf(frame_arena(b), "task %u of frame %u", k, i);
			t->cpu_pct = k / 3.0;
		}
		struct frame *f = frame_seal(b);
		assert_non_null(f);
		history_push(h, f);
		frame_unref(f);
	}
}

static unsigned char *slurp(const char *path, size_t *len)
{
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	*len = (size_t)ftell(in);
	rewind(in);
	unsigned char *bytes = malloc(*len);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *len, in), *len);
	fclose(in);
	return bytes;
}

static void spill(const char *path, const unsigned char *bytes, size_t len)
{
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	fclose(out);
}

/* Walk every value so that the sanitizer sees each pointer; returns rows read, -1 when refused. */
static long read_through(const char *path, bool *says_so)
{
	struct trail t = {0};
	struct err e = {0};
	struct source *s = session_source_open(path, &t, &e);
	FILE *nowhere = fopen("/dev/null", "w");
	long rows = 0;

	assert_non_null(nowhere);
	*says_so = false;
	if (!s) {
		assert_non_null(strstr(e.text, path));
		*says_so = true;
		rows = -1;
	}
	for (struct frame *f; s && (f = s->next(s)); frame_unref(f)) {
		assert_int_equal(frame_write_text(nowhere, f), 0);
		for (int sec = 0; sec < SEC_COUNT; sec++) {
			rows += f->sec[sec].nrows;
			*says_so |= f->sec[sec].state == SEC_TRUNCATED;
		}
	}
	if (s)
		s->close(s);
	trail_fini(&t);
	fclose(nowhere);
	return rows;
}

static void test_damage(void **state)
{
	char path[256];
	struct history h;
	struct err e = {0};
	uint32_t seed = 12345, refused = 0, partial = 0;
	bool says_so;
	size_t len;

	(void)state;
	snprintf(path, sizeof(path), "%s/damage-%d.rung", RUNG_WORK_DIR, getpid());
	fill(&h, 6, 80);
	assert_int_equal(session_snapshot(path, &h, NULL, &e), 0);
	long whole = read_through(path, &says_so);
	assert_int_equal(whole, 6 * 81);
	assert_false(says_so);
	unsigned char *good = slurp(path, &len);
	unsigned char *bad = malloc(len);
	assert_non_null(bad);
	for (uint32_t i = 0; i < VARIANTS; i++) {
		size_t cut = len;
		memcpy(bad, good, len);
		if (i % 4 == 0) {
			cut = len * (i / 4) / (VARIANTS / 4);
		} else {
			/* One flipped bit, then more, spread over the file; the header is hit as well. */
			for (uint32_t k = 0; k < 1u << (i % 4 * 2); k++) {
				seed = seed * 1664525 + 1013904223;
				bad[i < VARIANTS / 8 ? seed % 512 : seed % len] ^=
				    (unsigned char)(1u << (seed >> 29));
			}
		}
		spill(path, bad, cut);
		long rows = read_through(path, &says_so);
		refused += rows < 0;
		partial += rows >= 0 && rows < whole;
		/* A cut file is never taken for a whole one. */
		if (cut < len)
			assert_true(says_so);
	}
	/* All three outcomes occur, so the variants reach the header, the tables and the values. */
	assert_true(refused > 10);
	assert_true(partial > 10);
	assert_true(refused + partial < VARIANTS);
	free(good);
	free(bad);
	history_fini(&h);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
