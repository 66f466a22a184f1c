/* What compile promises its loader: maps, places, complaints, and good behaviour when memory runs
 * out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "lang/lang.h"

static int fixture_fd(void)
{
	int fd = open(RUNG_TESTS "/lang/tracefs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static int compile(const char *text, struct arena *a, struct lang_result *out, struct diag *d)
{
	struct lang_host host = { .tracefs_fd = fixture_fd() };
	int rc = lang_compile(text, &host, a, out, d);

	close(host.tracefs_fd);
	return rc;
}

/** Each complaint: the exact place, the code, words of the message and of the hint. */
static void complaints_point_at_what_is_wrong(void **state)
{
	static const struct {
		const char *text;
		int rc;
		uint32_t line, column, len;
		const char *message, *hint;
	} cases[] = {
		{ "", -EINVAL, 1, 1, 1, "empty", "" },
		{ "// nothing", -EINVAL, 1, 1, 1, "empty", "" },
		{ "tracepoint:test:ints", -EINVAL, 1, 21, 1, "expected '{'", "" },
		{ "tracepoint:test:ints {", -EINVAL, 1, 23, 1, "found the end", "" },
		{ "tracepoint:test:ints { @ = }", -EINVAL, 1, 28, 1, "expected an expression", "" },
		{ "tracepoint:test:ints { @ = 1 @ = 2 }", -EINVAL, 1, 30, 1, "expected ';'", "" },
		{ "tracepoint:test:ints { @[] = 1 }", -EINVAL, 1, 25, 1, "key is empty", "" },
		{ "tracepoint:test:ints { @ = 1 ` 2 }", -EINVAL, 1, 30, 1, "unexpected character",
		  "" },
		{ "tracepoint:test:ints { @ = 0x }", -EINVAL, 1, 28, 2, "no digits", "" },
		{ "tracepoint:test:ints { @ = 12q }", -EINVAL, 1, 28, 3, "suffix 'q'", "" },
		{ "tracepoint:test:ints { @ = 18446744073709551616 }", -EINVAL, 1, 28, 20,
		  "64 bits", "" },
		{ "tracepoint:test:ints { @[\"a] = 1 }", -EINVAL, 1, 26, 1, "not closed", "" },
		{ "tracepoint:test:ints { /* }", -EINVAL, 1, 24, 2, "comment is not closed", "" },
		{ "tracepoint:test:ints { @ = 1 / 0 }", -EINVAL, 1, 32, 1, "division by zero", "" },
		{ "tracepoint:test:ints {\n\t@ = $x;\n}", -EINVAL, 2, 6, 2, "before it is assigned",
		  "" },
		{ "tracepoint:test:ints { $abc = 1; @ = $abd; }", -EINVAL, 1, 38, 4, "before",
		  "$abc" },
		{ "tracepoint:test:ints { @ = args.zz }", -EINVAL, 1, 33, 2, "no field 'zz'", "" },
		{ "tracepoint:test:ints { @ = pdi }", -EINVAL, 1, 28, 3, "unknown name",
		  "did you mean pid?" },
		{ "tracepoint:test:ints { @ = cuont() }", -EINVAL, 1, 28, 5, "unknown function",
		  "did you mean count?" },
		{ "tracepoint:test:ints { @ = 1 + count() }", -EINVAL, 1, 32, 7, "map of its own",
		  "" },
		{ "tracepoint:test:ints { @ = count(1) }", -EINVAL, 1, 28, 8, "no arguments", "" },
		{ "tracepoint:test:ints { @ = sum(comm) }", -EINVAL, 1, 32, 4, "takes an integer",
		  "" },
		{ "tracepoint:test:ints { @ = 1; @ = count(); }", -EINVAL, 1, 31, 11,
		  "plain values", "" },
		{ "tracepoint:test:ints { @ = @b; }", -EINVAL, 1, 28, 2, "never assigned", "" },
		{ "tracepoint:test:ints { @[1] = 1; @[1, 2] = 1; }", -EINVAL, 1, 34, 7, "1 parts",
		  "" },
		{ "tracepoint:test:ints /comm/ { }", -EINVAL, 1, 23, 4, "must be an integer", "" },
		{ "tracepoint:test:ints /comm == 1/ { }", -EINVAL, 1, 23, 9, "cannot be compared",
		  "" },
		{ "tracepoint:test:ints /comm < \"a\"/ { }", -EINVAL, 1, 23, 10, "== and !=", "" },
		{ "tracepoint:test:int { }", -EINVAL, 1, 1, 19, "no tracepoint",
		  "did you mean test:ints?" },
		{ "tracepoint:test { }", -EINVAL, 1, 1, 15, "tracepoint:category:name", "" },
		{ "tracepint:test:ints { }", -EINVAL, 1, 1, 9, "unknown probe type",
		  "did you mean tracepoint?" },
		{ "pid { }", -EINVAL, 1, 1, 3, "unknown probe type", "" },
		{ "kprobe:f { }", -ENOSYS, 1, 1, 6, "unsupported: kprobe", "" },
		{ "BEGIN { }", -ENOSYS, 1, 1, 5, "unsupported: BEGIN", "" },
		{ "tracepoint:test:x* { }", -EINVAL, 1, 1, 18, "no tracepoint matches", "" },
		{ "tracepoint:no*:x { }", -EINVAL, 1, 1, 16, "no tracepoint matches", "" },
		{ "tracepoint:test:ints { printf(\"x\") }", -ENOSYS, 1, 24, 6,
		  "unsupported: printf()", "" },
		{ "tracepoint:test:ints { delet(@[1]) }", -EINVAL, 1, 24, 5, "unknown function",
		  "did you mean delete?" },
		{ "tracepoint:test:ints { delete(1) }", -EINVAL, 1, 24, 9, "one key of a map", "" },
		{ "tracepoint:test:ints { @ = delete(@[1]) }", -EINVAL, 1, 28, 12, "no value", "" },
		{ "tracepoint:test:ints { str(1) }", -EINVAL, 1, 24, 6, "does nothing", "" },
		{ "tracepoint:test:ints { @ = avg(1) }", -ENOSYS, 1, 28, 3, "unsupported: avg()",
		  "" },
		{ "tracepoint:test:ints { @[kstack] = count() }", -ENOSYS, 1, 26, 6,
		  "unsupported: kstack", "" },
		{ "tracepoint:test:ints { @ = args.list }", -ENOSYS, 1, 28, 9,
		  "unsupported: fields of type", "" },
		{ "tracepoint:test:odd { @[args.mac] = count() }", -ENOSYS, 1, 25, 8,
		  "fields of type unsigned char", "" },
		{ "tracepoint:test:odd { @[args.tail] = count() }", -ENOSYS, 1, 25, 9,
		  "fields of type char", "" },
		{ "tracepoint:test:odd { @[args.numbers] = count() }", -ENOSYS, 1, 25, 12,
		  "fields of type __data_loc", "" },
		{ "tracepoint:test:ints { while (1) { } }", -ENOSYS, 1, 24, 5, "unsupported: while",
		  "" },
		{ "tracepoint:test:ints { $x = comm }", -ENOSYS, 1, 29, 4,
		  "unsupported: strings in", "" },
		{ "tracepoint:test:ints { @ = hist(1, 2) }", -ENOSYS, 1, 36, 1,
		  "unsupported: hist() with", "" },
		{ "tracepoint:test:ints { @ = (1, 2) }", -ENOSYS, 1, 30, 1, "unsupported: tuples",
		  "" },
		{ "tracepoint:test:ints { @ = *args.a }", -ENOSYS, 1, 28, 1,
		  "unsupported: dereferencing", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct arena arena = { 0 };
		struct lang_result out;
		struct diag d;

		if (compile(cases[i].text, &arena, &out, &d) != cases[i].rc ||
		    d.line != cases[i].line || d.column != cases[i].column ||
		    d.span.len != cases[i].len || !strstr(d.message, cases[i].message) ||
		    !strstr(d.hint, cases[i].hint))
			fail_msg("%s\ngave %u:%u+%u %s (%s)", cases[i].text, d.line, d.column,
				 d.span.len, d.message, d.hint);
		arena_fini(&arena);
	}
}

static void deep_nesting_is_refused(void **state)
{
	static const char *const pieces[] = { "(", "- ", "1 ? ", "1 + (", "@[", "1+" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct arena arena = { 0 };
		struct lang_result out;
		struct diag d;
		char *text = calloc(1, 200000);

		assert_non_null(text);
		strcpy(text, "tracepoint:test:ints { @ = ");
		for (size_t n = 0, len = strlen(text); n < 20000; n++, len += strlen(pieces[i]))
			strcpy(text + len, pieces[i]);
		strcat(text, "1; }");
		assert_int_equal(compile(text, &arena, &out, &d), -EINVAL);
		assert_non_null(strstr(d.message, "nested too deeply"));
		free(text);
		arena_fini(&arena);
	}
}

static void maps_say_how_they_are_read(void **state)
{
	const char *text =
	    "tracepoint:sched:sched_switch { @ = count(); @h[pid, comm, args.prev_comm] = "
	    "hist(1);\n"
	    "@s[\"ab\"] = sum(nsecs); @p[-1] = 3; @s[comm] = sum(1); @d[pid] -= 1; }";
	struct arena arena = { 0 };
	struct lang_result out;
	struct diag d;

	(void)state;
	assert_int_equal(compile(text, &arena, &out, &d), 0);
	assert_int_equal(out.nmaps, 7);
	assert_string_equal(out.maps[0].name, "@");
	assert_int_equal(out.maps[0].map_type, BPF_MAP_TYPE_PERCPU_ARRAY);
	assert_int_equal(out.maps[0].agg, AGG_COUNT);
	assert_int_equal(out.maps[0].key_bytes, 4);
	assert_int_equal(out.maps[0].nkeys, 0);

	assert_string_equal(out.maps[1].name, "@h");
	assert_int_equal(out.maps[1].map_type, BPF_MAP_TYPE_PERCPU_HASH);
	assert_int_equal(out.maps[1].value_bytes, LANG_HIST_SLOTS * 8);
	assert_int_equal(out.maps[1].nkeys, 3);
	assert_int_equal(out.maps[1].key_bytes, 8 + 16 + 16);
	assert_int_equal(out.maps[1].keys[1].type, LANG_STR);
	assert_int_equal(out.maps[1].keys[1].offset, 8);
	assert_int_equal(out.maps[1].keys[2].offset, 24);
	assert_true(out.maps[1].keys[0].is_signed);

	/* The literal of 8 bytes and comm of 16 share one key of 16; one unsigned addend makes the
	 * sum unsigned. */
	assert_int_equal(out.maps[2].key_bytes, 16);
	assert_false(out.maps[2].is_signed);
	assert_int_equal(out.maps[3].map_type, BPF_MAP_TYPE_HASH);
	assert_int_equal(out.maps[3].agg, AGG_NONE);
	assert_true(out.maps[3].is_signed);
	assert_string_equal(out.maps[out.i_losses].name, "losses");
	assert_true(out.maps[out.i_losses].is_internal);
	assert_int_equal(out.maps[out.i_losses].max_entries, LOSS_COUNT);
	assert_string_equal(out.maps[6].name, "zeros");
	assert_true(out.maps[6].is_internal);
	arena_fini(&arena);
}

static void each_probe_is_a_program(void **state)
{
	const char *text = "t:sched:sched_switch, tracepoint:test:ints /pid/ { @[probe] = count(); "
			   "} tracepoint:test:ints { @n++ }";
	struct arena arena = { 0 };
	struct lang_result out;
	struct diag d;

	(void)state;
	assert_int_equal(compile(text, &arena, &out, &d), 0);
	assert_int_equal(out.nprogs, 3);
	assert_string_equal(out.progs[0].provider, "tracepoint");
	assert_string_equal(out.progs[0].target, "sched:sched_switch");
	assert_int_equal(out.progs[1].tracepoint_id, 9001);
	assert_int_equal(out.progs[2].prog_type, BPF_PROG_TYPE_TRACEPOINT);
	/* A place in the text belongs to every instruction. */
	for (uint32_t i = 0; i < out.progs[2].ninsns; i++)
		assert_true(out.progs[2].spans[i].at >= 72 &&
			    out.progs[2].spans[i].at < strlen(text));
	arena_fini(&arena);
}

/** Wildcards stand for every probe they match, each with its own body. */
static void wildcards_match_probes(void **state)
{
	static const struct {
		const char *text;
		uint32_t nprogs;
	} cases[] = {
		{ "tracepoint:sched:* { @[probe] = count() }", 2 },
		{ "tracepoint:sched:sched_sw* { @[args.prev_comm] = count() }", 1 },
		{ "tracepoint:*:* { @[probe] = count() }", 5 },
		{ "tracepoint:s*:s*_?penat, tracepoint:test:in[st]s { @++ }", 2 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct arena arena = { 0 };
		struct lang_result out;
		struct diag d;

		assert_int_equal(compile(cases[i].text, &arena, &out, &d), 0);
		assert_int_equal(out.nprogs, cases[i].nprogs);
		arena_fini(&arena);
	}
}

/** Whatever allocation fails first, the answer is -ENOMEM and a complaint. */
static void running_out_of_memory_is_an_error(void **state)
{
	const char *text = "tracepoint:sched:sched_switch /comm == \"a\"/ { @h[pid, comm] = "
			   "hist(args.prev_prio / 3); }";
	int rc = -ENOMEM;
	uint32_t failures = 0;

	(void)state;
	for (size_t limit = 1024; rc == -ENOMEM && limit < (8u << 20); limit += 1024) {
		struct arena arena = { .limit_bytes = limit };
		struct lang_result out;
		struct diag d;

		rc = compile(text, &arena, &out, &d);
		assert_true(rc == 0 || (rc == -ENOMEM && d.message[0]));
		failures += rc != 0;
		arena_fini(&arena);
	}
	assert_int_equal(rc, 0);
	assert_true(failures > 0);
}

static void without_tracefs_the_reason_is_said(void **state)
{
	struct lang_host host = { .tracefs_fd = -1 };
	struct arena arena = { 0 };
	struct lang_result out;
	struct diag d;

	(void)state;
	assert_int_equal(lang_compile("tracepoint:a:b { @ = 1 }", &host, &arena, &out, &d),
			 -EINVAL);
	assert_non_null(strstr(d.message, "tracefs"));
	arena_fini(&arena);
}

static bool offers(char **words, const char *wanted)
{
	for (; *words; words++) {
		if (strcmp(*words, wanted) == 0)
			return true;
	}
	return false;
}

static void completions_follow_the_context(void **state)
{
	static const struct {
		const char *line, *offered, *not_offered;
	} cases[] = {
		{ "tra", "tracepoint:", "pid" },
		{ "tracepoint:sch", "tracepoint:sched:sched_switch", "tracepoint:test:ints" },
		{ "tracepoint:test:i", "tracepoint:test:ints", "tracepoint:sched:sched_switch" },
		{ "tracepoint:test:ints { @[co", "comm", "pid" },
		{ "tracepoint:test:ints { @ = co", "count(", "hist(" },
		{ "tracepoint:test:ints /p", "pid", "tracepoint:" },
		{ "tracepoint:sched:sched_switch { @[args.prev_", "prev_comm", "next_comm" },
		{ "tracepoint:test:ints { } tracepoint:sched:sched_switch { @[args->next_",
		  "next_pid", "prev_pid" },
		{ "tracepoint:test:ints { @[args.", "h", "common_pid" },
	};
	struct lang_host host = { .tracefs_fd = fixture_fd() };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char **words = lang_complete(cases[i].line, strlen(cases[i].line), &host);

		assert_non_null(words);
		if (!offers(words, cases[i].offered) || offers(words, cases[i].not_offered))
			fail_msg("after: %s", cases[i].line);
		free(words);
	}
	close(host.tracefs_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complaints_point_at_what_is_wrong),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(maps_say_how_they_are_read),
		cmocka_unit_test(each_probe_is_a_program),
		cmocka_unit_test(wildcards_match_probes),
		cmocka_unit_test(running_out_of_memory_is_an_error),
		cmocka_unit_test(without_tracefs_the_reason_is_said),
		cmocka_unit_test(completions_follow_the_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
