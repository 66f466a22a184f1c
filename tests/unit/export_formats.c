/* Exports: whatever was recorded, the JSON parses, the Markdown keeps its tables, and no control byte gets
 * out. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "frame/builder.h"
#include "session/session.h"

static const char hostile[] =
    "x\x1b[2J\x07\r\n\"\\|`*_<b>&#x200b;[a](http://b)\x7f\xc2\x9b\xff \xe2\x80\xae\xe6\xbc\xa2";

static void fill_texts(struct frame_builder *b, enum frame_sec sec, void *row)
{
	const struct section_desc *d = &section_descs[sec];
	struct text t = text_clean(frame_arena(b), hostile, sizeof(hostile) - 1);

	for (uint32_t i = 0; i < d->nfields; i++)
		if (d->fields[i].kind == KIND_text)
			memcpy((char *)row + d->fields[i].offset, &t, sizeof(t));
}

static struct frame *make_frame(const struct frame *prev)
{
	struct frame_builder *b =
	    frame_builder_new(prev, prev ? 2000000000 : 1, UINT64_C(1700000000000000000));

	for (int s = 0; s < SEC_COUNT; s++)
		for (int r = 0; r < 2; r++) {
			void *row = frame_add(b, (enum frame_sec)s);
			assert_non_null(row);
			if (r)
				fill_texts(b, (enum frame_sec)s, row);
		}
	uint32_t n;
	struct task_row *t = frame_built(b, SEC_TASK, &n);
	t[0].state = 'D';
	t[0].tgid = 4312;
	t[0].cpu_pct = 99.5;
	t[1].state = '"';
	t[1].rss_bytes = UINT64_MAX - 1;
	t[1].cpu_pct = __builtin_inf();
	struct disk_row *d = frame_built(b, SEC_DISK, &n);
	d[0].name = TEXT("nvme0n1");
	d[0].util_pct = 97;
	frame_set_state(b, SEC_STUCK, SEC_DENIED, "why: %s", hostile);
	return frame_seal(b);
}

struct made {
	struct history h;
	struct trail t;
	struct findings f;
	struct finding row;
};

static void make(struct made *m)
{
	struct frame *first = make_frame(NULL), *second = make_frame(first);

	memset(m, 0, sizeof(*m));
	assert_int_equal(history_init(&m->h, 4), 0);
	history_push(&m->h, first);
	history_push(&m->h, second);
	frame_unref(first);
	frame_unref(second);
	struct step step = {.rung = 2, .pane = "stuck"};
	text_keepf(&step.why, "%s", hostile);
	assert_true(trail_add(&m->t, UINT64_C(1700000000000000000), "descend", &step));
	m->row = (struct finding){.severity = 97, .rule = "r", .resource = "disk", .kind = FINDING_LATENCY};
	m->row.headline = text_clean(&m->f.arena, hostile, sizeof(hostile) - 1);
	m->row.evidence[0] = (struct evidence){SEC_DISK, 0, DISK_util_pct, 97, F64_UNKNOWN};
	m->row.nevidence = 1;
	m->row.next = step;
	m->f.rows = &m->row;
	m->f.n = 1;
}

static void unmake(struct made *m)
{
	history_fini(&m->h);
	trail_fini(&m->t);
	arena_fini(&m->f.arena);
}

static const struct exporter *exporter(const char *name)
{
	for (size_t i = 0; i < exporter_registry_len; i++)
		if (!strcmp(exporter_registry[i]->name, name))
			return exporter_registry[i];
	fail_msg("no exporter %s", name);
	return NULL;
}

static char *export(const char *format, const struct made *m)
{
	char *text = NULL;
	size_t len;
	struct err e = {0};
	FILE *out = open_memstream(&text, &len);

	if (exporter(format)->write(out, &m->h, &m->t, &m->f, &e))
		fail_msg("%s", e.text);
	fclose(out);
	assert_int_equal(strlen(text), len);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if ((*c < 0x20 && *c != '\n') || *c == 0x7f ||
		    (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) ||
		    !memcmp(c, "\xe2\x80\xae", strlen((const char *)c) < 3 ? 1 : 3))
			fail_msg("control byte 0x%02x in %s", *c, format);
	return text;
}

/* A checker of JSON's grammar: moves past one value, NULL where it is wrong. */
static const char *space(const char *s)
{
	return s + strspn(s, " \n");
}

static const char *json_string(const char *s)
{
	if (!s || *s++ != '"')
		return NULL;
	for (; *s != '"'; s++) {
		if ((unsigned char)*s < 0x20)
			return NULL;
		if (*s == '\\' && !strchr("\"\\/bfnrtu", *++s))
			return NULL;
	}
	return s + 1;
}

static const char *json_value(const char *s);

static const char *json_members(const char *s, char end, bool has_keys)
{
	s = space(s + 1);
	if (*s == end)
		return s + 1;
	for (;; s = space(s + 1)) {
		if (has_keys) {
			s = json_string(s);
			if (!s || *s != ':')
				return NULL;
			s++;
		}
		s = json_value(s);
		if (!s)
			return NULL;
		s = space(s);
		if (*s == end)
			return s + 1;
		if (*s != ',')
			return NULL;
	}
}

static const char *json_value(const char *s)
{
	char *end;

	if (*s == '{')
		return json_members(s, '}', true);
	if (*s == '[')
		return json_members(s, ']', false);
	if (*s == '"')
		return json_string(s);
	if (!strncmp(s, "null", 4))
		return s + 4;
	if (*s != '-' && (*s < '0' || *s > '9'))
		return NULL;
	strtod(s, &end);
	return end;
}

static void test_json_parses(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	char *text = export("json", &m);
	const char *end = json_value(text);
	if (!end || *space(end))
		fail_msg("not JSON: %.80s", end ? end : "");
	assert_non_null(strstr(text, "\"name\":\"nvme0n1\",\"util_pct\":97}"));
	assert_non_null(strstr(text, "\"tgid\":4312,\"state\":\"D\",\"cpu_pct\":99.5}"));
	assert_non_null(strstr(text, "\"rss_bytes\":18446744073709551614"));
	assert_non_null(strstr(text, "\"threshold\":null"));
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, ":inf"));
	free(text);
	unmake(&m);
}

/* An independent parser agrees and finds the rows, where the machine has one. */
static void test_json_for_others(void **state)
{
	static const char script[] =
	    "python3 -c 'import json,sys\n"
	    "d=json.load(open(sys.argv[1],encoding=\"utf-8\"))\n"
	    "assert d[\"format\"]==\"rung-recording\" and len(d[\"frames\"])==2\n"
	    "f=d[\"frames\"][1][\"sections\"]\n"
	    "assert f[\"task\"][\"rows\"][0][\"tgid\"]==4312 and f[\"stuck\"][\"state\"]==\"denied\"\n"
	    "assert set(f)==set(d[\"schema\"])\n"
	    "assert all(set(r)<=set(c[\"name\"] for c in d[\"schema\"][s]) for s in f for r in "
	    "f[s][\"rows\"])'";
	char path[200], command[1200];
	struct made m;

	(void)state;
	if (system("python3 -c 1 2>/dev/null"))
		skip();
	make(&m);
	char *text = export("json", &m);
	snprintf(path, sizeof(path), "%s/export-%d.json", RUNG_WORK_DIR, getpid());
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	snprintf(command, sizeof(command), "%s '%s'", script, path);
	assert_int_equal(system(command), 0);
	unlink(path);
	free(text);
	unmake(&m);
}

/* Cells of a table row: pipes that are not escaped, less one. */
static int cells(const char *line)
{
	int n = -1;

	for (; *line; line++) {
		if (*line == '\\' && line[1])
			line++;
		else if (*line == '|')
			n++;
	}
	return n;
}

static void test_markdown_keeps_its_shape(void **state)
{
	struct made m;
	int want = 0, rows = 0;
	char *save = NULL;

	(void)state;
	make(&m);
	char *text = export("md", &m);
	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "[a]("));
	assert_null(strstr(text, "http://"));
	assert_non_null(strstr(text, "**97 disk**"));
	assert_non_null(strstr(text, "disk.util_pct 97%"));
	assert_non_null(strstr(text, "State: denied"));
	assert_non_null(strstr(text, "1. 2023-11-14 22:13:20 UTC descend to rung 2 stuck"));
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (line[0] != '|') {
			want = 0;
			continue;
		}
		rows++;
		if (!want)
			want = cells(line);
		assert_int_equal(cells(line), want);
	}
	assert_true(rows > 40);
	free(text);
	unmake(&m);
}

static void test_report_needs_a_frame(void **state)
{
	struct made m = {0};
	struct err e = {0};
	FILE *out = fopen("/dev/null", "w");

	(void)state;
	assert_int_equal(history_init(&m.h, 1), 0);
	assert_true(exporter("md")->write(out, &m.h, NULL, NULL, &e) < 0);
	assert_int_equal(exporter("json")->write(out, &m.h, NULL, NULL, &e), 0);
	fclose(out);
	history_fini(&m.h);
	out = fopen("/dev/full", "w");
	make(&m);
	assert_true(exporter("json")->write(out, &m.h, &m.t, &m.f, &e) < 0);
	assert_int_equal(e.code, ENOSPC);
	fclose(out);
	unmake(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_json_parses),
	    cmocka_unit_test(test_json_for_others),
	    cmocka_unit_test(test_markdown_keeps_its_shape),
	    cmocka_unit_test(test_report_needs_a_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
