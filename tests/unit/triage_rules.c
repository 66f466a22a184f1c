/* Every rule of the registry against its two fixtures: it speaks when it must and is silent on the near miss.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame/builder.h"
#include "frame/codec.h"
#include "triage/timeline.h"

/* All frames of a fixture in a history; fails the test with the file's name when it is missing or wrong. */
static void load(struct history *h, const char *rule, const char *kind)
{
	char path[512];
	struct err e = {0};

	snprintf(path, sizeof(path), "%s/triage/%s.%s.frame", RUNG_TESTS, rule, kind);
	struct source *s = codec_source_open(path, &e);
	if (!s)
		fail_msg("%s", e.text);
	assert_int_equal(history_init(h, 16), 0);
	for (struct frame *f; (f = s->next(s)); frame_unref(f))
		history_push(h, f);
	s->close(s);
}

static uint32_t fired(const struct findings *found, const char *rule)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < found->n; i++)
		n += !strcmp(found->rows[i].rule, rule);
	return n;
}

static void check_finding(const struct finding *g)
{
	if (!g->headline.len || !g->nevidence || !g->resource)
		fail_msg("%s: a headline, evidence and a resource are needed", g->rule);
	if (!g->severity || g->severity > 100)
		fail_msg("%s: severity %u", g->rule, g->severity);
	if (g->next.rung ? !g->next.pane : !g->names.len)
		fail_msg("%s: neither a next step nor a name", g->rule);
	if (g->next.tool && g->next.rung != 4)
		fail_msg("%s: a tool belongs to rung 4", g->rule);
	for (uint32_t i = 0; i < g->nevidence; i++) {
		const struct section_desc *d = &section_descs[g->evidence[i].sec];
		assert_true(g->evidence[i].field < d->nfields);
	}
	assert_true(text_of(&g->next.why).len > 0);
}

static void test_every_rule_fires_and_keeps_quiet(void **state)
{
	(void)state;
	assert_true(rule_registry_len >= 17);
	for (size_t i = 0; i < rule_registry_len; i++) {
		const char *rule = rule_registry[i]->name;
		struct history h;
		struct findings found = {0};

		load(&h, rule, "fires");
		assert_true(triage(history_at(&h, 0), &h, &found));
		if (!fired(&found, rule))
			fail_msg("%s does not fire on its fixture", rule);
		for (uint32_t k = 0; k < found.n; k++) {
			check_finding(&found.rows[k]);
			if (k)
				assert_true(found.rows[k].severity <= found.rows[k - 1].severity);
		}
		findings_fini(&found);
		history_fini(&h);

		load(&h, rule, "quiet");
		assert_true(triage(history_at(&h, 0), &h, &found));
		if (fired(&found, rule))
			fail_msg("%s fires on the near miss: %s", rule, found.rows[0].headline.utf8);
		findings_fini(&found);
		history_fini(&h);
	}
}

/* Each row of evidence must lead back to the value it quotes. */
static void test_evidence_can_be_looked_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < rule_registry_len; i++) {
		struct history h;
		struct findings found = {0};

		load(&h, rule_registry[i]->name, "fires");
		const struct frame *f = history_at(&h, 0);
		assert_true(triage(f, &h, &found));
		for (uint32_t k = 0; k < found.n; k++)
			for (uint32_t m = 0; m < found.rows[k].nevidence; m++) {
				const struct evidence *v = &found.rows[k].evidence[m];
				const void *row = frame_row(f, v->sec, v->row);
				assert_non_null(row);
				double is = field_number(&section_descs[v->sec].fields[v->field], row);
				assert_true(is == v->value || (is != is && v->value != v->value));
			}
		findings_fini(&found);
		history_fini(&h);
	}
}

/* A rule whose section was denied is not asked: absence is not a reading of 0. */
static void test_missing_sections_silence_rules(void **state)
{
	(void)state;
	struct err e = {0};
	uint32_t line = 0;
	char words[] = "frame 0 1 1\n@limit stale kernel did not answer\nname\tused_pct\nfds\t99\n";
	FILE *in = fmemopen(words, sizeof(words) - 1, "r");
	struct frame *f = frame_read_text(in, NULL, &line, &e);
	struct findings found = {0};

	assert_non_null(f);
	assert_true(triage(f, NULL, &found));
	assert_int_equal(found.n, 0);
	findings_fini(&found);
	frame_unref(f);
	fclose(in);
}

/* A calm host has a little of everything; a console that cries then is not believed later. */
static void test_calm_host(void **state)
{
	struct history h;
	struct findings found = {0};

	(void)state;
	load(&h, "idle_host", "quiet");
	assert_true(triage(history_at(&h, 0), &h, &found));
	for (uint32_t i = 0; i < found.n; i++)
		if (found.rows[i].severity > 30)
			fail_msg("%s: %s", found.rows[i].rule, found.rows[i].headline.utf8);
	findings_fini(&found);
	history_fini(&h);
}

/* What the suspects and next steps of the main incidents must be, since a wrong pointer costs the night. */
static void test_suspects(void **state)
{
	static const struct {
		const char *rule, *in_headline, *pane, *tool;
		uint32_t tgid;
	} want[] = {
	    {"cpu_saturated", "2 x stress", "processes", NULL, 41},
	    {"core_pinned", "python3[500]", "profile", NULL, 500},
	    {"disk_saturated", "97% busy, queue 34, await 31.0ms", "tool", "biolatency", 4312},
	    {"memory_pressure", "leaky[900] grows by 180M/s", "process", NULL, 900},
	    {"swapping", "java[77]", "process", NULL, 77},
	    {"stuck_in_d", "dd[310] for 12.0s in read(0, 0x7f, 65536), at folio_wait_bit_common", "stuck",
	     NULL, 310},
	    {"fork_storm", "by make[812], latest child cc1", "process", NULL, 812},
	    {"high_system_time", "dd[650]", "tool", "syscalls", 650},
	    {"oom_kill", "leaky[900]", "memory", NULL, 900},
	    {"failing_syscalls", "ENOENT", NULL, NULL, 71},
	    {"hot_function", "_PyEval_EvalFrameDefault", NULL, NULL, 500},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		struct history h;
		struct findings found = {0};
		const struct finding *g = NULL;

		load(&h, want[i].rule, "fires");
		assert_true(triage(history_at(&h, 0), &h, &found));
		for (uint32_t k = 0; k < found.n && !g; k++)
			if (!strcmp(found.rows[k].rule, want[i].rule))
				g = &found.rows[k];
		assert_non_null(g);
		if (!strstr(g->headline.utf8, want[i].in_headline))
			fail_msg("\"%s\" lacks \"%s\"", g->headline.utf8, want[i].in_headline);
		assert_int_equal(g->suspect.tgid, want[i].tgid);
		assert_string_equal(g->next.pane ? g->next.pane : "", want[i].pane ? want[i].pane : "");
		assert_string_equal(g->next.tool ? g->next.tool : "", want[i].tool ? want[i].tool : "");
		findings_fini(&found);
		history_fini(&h);
	}
}

/* Twenty frames of swapping, then thirty calm ones, a step of the operator in between. */
static void test_timeline(void **state)
{
	struct history h;
	struct trail t = {0};
	struct step step = {.rung = 2, .pane = "memory"};
	struct frame *prev = NULL;

	(void)state;
	assert_int_equal(history_init(&h, 64), 0);
	for (uint64_t i = 0; i < 50; i++) {
		struct frame_builder *b = frame_builder_new(prev, (i + 1) * 1000000000, (i + 1) * 1000000000);
		struct mem_row *m = FRAME_ADD(b, mem, MEM);
		/* One quiet frame in the middle must not end it. */
		m->swap_in_bytes_per_s = m->swap_out_bytes_per_s = i < 20 && i != 10 ? 50e6 : 0;
		prev = frame_seal(b);
		history_push(&h, prev);
		frame_unref(prev);
	}
	assert_true(trail_add(&t, 15500000000, "descend", &step));
	assert_true(triage_timeline(&h, &t));
	assert_int_equal(t.entries.len, 3);
	assert_string_equal(t.entries.ptr[0].kind.utf8, "finding");
	assert_int_equal(t.entries.ptr[0].wall_ns, 2000000000);
	assert_string_equal(t.entries.ptr[1].kind.utf8, "descend");
	assert_string_equal(t.entries.ptr[2].kind.utf8, "over");
	assert_int_equal(t.entries.ptr[2].wall_ns, 20000000000);
	assert_string_equal(t.entries.ptr[2].evidence.utf8, "swapping, after 18.0s");
	trail_fini(&t);
	history_fini(&h);
}

/* Where the ladder ends the timeline says at what. */
static void test_timeline_names(void **state)
{
	struct history h;
	struct trail t = {0};

	(void)state;
	load(&h, "failing_syscalls", "fires");
	assert_true(triage_timeline(&h, &t));
	assert_int_equal(t.entries.len, 2);
	assert_string_equal(t.entries.ptr[1].kind.utf8, "named");
	assert_non_null(strstr(t.entries.ptr[1].evidence.utf8, "/etc/app/missing.conf"));
	trail_fini(&t);
	history_fini(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_rule_fires_and_keeps_quiet),
	    cmocka_unit_test(test_evidence_can_be_looked_up),
	    cmocka_unit_test(test_missing_sections_silence_rules),
	    cmocka_unit_test(test_suspects),
	    cmocka_unit_test(test_calm_host),
	    cmocka_unit_test(test_timeline),
	    cmocka_unit_test(test_timeline_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
