/* What is written to a session file comes back the same, from our own, older and newer files. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "frame/builder.h"
#include "frame/codec.h"
#include "session/session.h"

static const char hostile[] = "a\x1b[31m\x07'; DROP TABLE task; --\n\t\xff\xfe<script>\"\\ \xe2\x80\xae end";

static void set_field(struct frame_builder *b, const struct field_desc *d, void *row, uint64_t n)
{
	char *at = (char *)row + d->offset;
	uint32_t u32 = (uint32_t)n;
	int64_t i64 = -(int64_t)n;
	double f64 = (double)n / 7;
	struct text t = n % 2 ? text_clean(frame_arena(b), hostile, sizeof(hostile) - 1) : TEXT("");

	switch (d->kind) {
	case KIND_u32:
		memcpy(at, &u32, sizeof(u32));
		break;
	case KIND_u64:
		memcpy(at, &n, sizeof(n));
		break;
	case KIND_i64:
		memcpy(at, &i64, sizeof(i64));
		break;
	case KIND_f64:
		memcpy(at, &f64, sizeof(f64));
		break;
	case KIND_text:
		memcpy(at, &t, sizeof(t));
		break;
	}
}

/* Every section has a row of unknowns, one of values and one mixed; states and reasons vary. */
static struct frame *frame_of_everything(const struct frame *prev, uint64_t n)
{
	struct frame_builder *b = frame_builder_new(prev, 1000 + n * 1000000000, 5000 + n * 1000000000);

	for (int s = 0; s < SEC_COUNT; s++) {
		const struct section_desc *d = &section_descs[s];
		for (uint64_t r = 0; r < 3; r++) {
			void *row = frame_add(b, (enum frame_sec)s);
			assert_non_null(row);
			for (uint32_t i = 0; i < d->nfields; i++)
				if (r == 1 || (r == 2 && i % 2))
					set_field(b, &d->fields[i], row, n + i + 1);
		}
		if (s % 4 == 1)
			frame_set_state(b, (enum frame_sec)s, SEC_STALE, "late: %s", hostile);
		if (s % 4 == 2)
			frame_set_state(b, (enum frame_sec)s, SEC_TRUNCATED, "rows are missing");
	}
	frame_truncate(b, SEC_NET, 0);
	frame_set_state(b, SEC_NET, SEC_OK, NULL);
	frame_truncate(b, SEC_CAP, 0);
	frame_set_state(b, SEC_CAP, SEC_DENIED, "needs CAP_BPF");
	return frame_seal(b);
}

static void fill(struct history *h, uint32_t n)
{
	assert_int_equal(history_init(h, n), 0);
	for (uint32_t i = 0; i < n; i++) {
		struct frame *f = frame_of_everything(history_at(h, 0), i);
		history_push(h, f);
		frame_unref(f);
	}
}

static char *text_of_frame(const struct frame *f)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(frame_write_text(out, f), 0);
	fclose(out);
	return text;
}

static void path_of(char path[256], const char *name)
{
	snprintf(path, 256, "%s/session-%d-%s.rung", RUNG_WORK_DIR, getpid(), name);
	unlink(path);
}

static void assert_same_frames(const struct history *h, struct source *s)
{
	for (uint32_t age = h->len; age-- > 0;) {
		struct frame *f = s->next(s);
		assert_non_null(f);
		char *is = text_of_frame(f), *was = text_of_frame(history_at(h, age));
		assert_string_equal(is, was);
		assert_int_equal(f->elapsed_ns, history_at(h, age)->elapsed_ns);
		free(is);
		free(was);
		frame_unref(f);
	}
	assert_null(s->next(s));
}

static void add_trail(struct trail *t)
{
	struct step step = {.rung = 4, .pane = "tool", .tool = "biolatency"};

	text_keepf(&step.why, "queue 34 %s", hostile);
	text_keepf(&step.scope.name, "nvme0n1");
	step.scope.kind = SCOPE_DEVICE;
	assert_true(trail_add(t, 77, "descend", &step));
	assert_true(trail_add(t, 78, "note", &step));
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 0777;
}

static void test_snapshot_comes_back(void **state)
{
	char path[256];
	struct history h;
	struct trail t = {0}, back = {0};
	struct err e = {0};

	(void)state;
	path_of(path, "snapshot");
	fill(&h, 5);
	add_trail(&t);
	mode_t before = umask(0);
	assert_int_equal(session_snapshot(path, &h, &t, &e), 0);
	umask(before);
	assert_int_equal(mode_of(path), 0600);
	struct source *s = session_source_open(path, &back, &e);
	if (!s)
		fail_msg("%s", e.text);
	assert_same_frames(&h, s);
	s->close(s);
	assert_int_equal(back.entries.len, 2);
	assert_memory_equal(&back.entries.ptr[0], &t.entries.ptr[0], sizeof(struct trail_entry));
	assert_memory_equal(&back.entries.ptr[1], &t.entries.ptr[1], sizeof(struct trail_entry));
	trail_fini(&t);
	trail_fini(&back);
	history_fini(&h);
	unlink(path);
}

static void record(const char *path, const struct history *h, uint32_t from_age, uint32_t to_age)
{
	struct err e = {0};
	struct session *s = session_create(path, &e);

	if (!s)
		fail_msg("%s", e.text);
	for (uint32_t age = from_age; age-- > to_age;)
		if (session_add_frame(s, history_at(h, age), &e))
			fail_msg("%s", e.text);
	assert_int_equal(session_close(s, &e), 0);
}

static void test_recording_is_continued(void **state)
{
	char path[256], beside[300];
	struct history h;
	struct err e = {0};

	(void)state;
	path_of(path, "record");
	fill(&h, 4);
	mode_t before = umask(0);
	record(path, &h, 4, 2);
	umask(before);
	assert_int_equal(mode_of(path), 0600);
	record(path, &h, 2, 0);
	snprintf(beside, sizeof(beside), "%s-wal", path);
	assert_int_equal(access(beside, F_OK), -1);
	struct source *s = session_source_open(path, NULL, &e);
	assert_non_null(s);
	assert_same_frames(&h, s);
	s->close(s);
	history_fini(&h);
	unlink(path);
}

/* As after a kill: the file with its log is copied while the writer still has it open. */
static void test_unclosed_recording_is_readable(void **state)
{
	char path[256], copy[256], command[1200];
	struct history h;
	struct err e = {0};

	(void)state;
	path_of(path, "killed");
	path_of(copy, "copy");
	fill(&h, 3);
	struct session *w = session_create(path, &e);
	assert_non_null(w);
	for (uint32_t age = h.len; age-- > 0;)
		assert_int_equal(session_add_frame(w, history_at(&h, age), &e), 0);
	snprintf(command, sizeof(command), "cp '%s' '%s' && cp '%s-wal' '%s-wal'", path, copy, path, copy);
	assert_int_equal(system(command), 0);
	struct source *s = session_source_open(copy, NULL, &e);
	if (!s)
		fail_msg("%s", e.text);
	assert_same_frames(&h, s);
	s->close(s);
	assert_int_equal(session_close(w, &e), 0);
	history_fini(&h);
	snprintf(command, sizeof(command), "rm -f '%s'* '%s'*", path, copy);
	assert_int_equal(system(command), 0);
}

static void alter(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, &why);
	if (why)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

static void test_columns_match_by_name(void **state)
{
	char path[256];
	struct history h;
	struct err e = {0};

	(void)state;
	path_of(path, "columns");
	fill(&h, 1);
	assert_int_equal(session_snapshot(path, &h, NULL, &e), 0);
	alter(path, "ALTER TABLE task ADD COLUMN moon_phase TEXT; UPDATE task SET moon_phase='full';"
		    "ALTER TABLE task DROP COLUMN comm; DROP TABLE cap; CREATE TABLE later(x);"
		    "UPDATE disk SET util_pct='not a number', major=-4; PRAGMA user_version=99");
	struct source *s = session_source_open(path, NULL, &e);
	if (!s)
		fail_msg("%s", e.text);
	struct frame *f = s->next(s);
	assert_non_null(f);
	assert_int_equal(f->sec[SEC_TASK].nrows, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct task_row *is = &FRAME_ROWS(f, task, TASK)[i];
		const struct task_row *was = &FRAME_ROWS(history_at(&h, 0), task, TASK)[i];
		assert_null(is->comm.utf8);
		assert_int_equal(is->tgid, was->tgid);
		assert_true(text_eq(is->cgroup, was->cgroup));
		assert_false(
		    field_known(&section_descs[SEC_DISK].fields[DISK_major], frame_row(f, SEC_DISK, i)));
		assert_false(
		    field_known(&section_descs[SEC_DISK].fields[DISK_util_pct], frame_row(f, SEC_DISK, i)));
	}
	assert_int_equal(f->sec[SEC_CAP].state, SEC_DENIED);
	frame_unref(f);
	s->close(s);
	history_fini(&h);
	unlink(path);
}

/* A foreign file's texts reach the screen only clean, and its views are not run. */
static void test_hostile_content(void **state)
{
	char path[256];
	struct history h;
	struct err e = {0};

	(void)state;
	path_of(path, "hostile");
	fill(&h, 1);
	assert_int_equal(session_snapshot(path, &h, NULL, &e), 0);
	alter(path, "UPDATE task SET comm=CAST(x'1b5d303b70776e07ff00e280ae' AS TEXT);"
		    "UPDATE section SET why=char(27)||'[2J'; DROP TABLE disk;"
		    "CREATE VIEW disk AS WITH RECURSIVE r(frame_seq) AS (SELECT 0 UNION ALL SELECT 0 FROM r)"
		    " SELECT frame_seq, 'x' AS name FROM r; INSERT INTO task(frame_seq) VALUES('zero')");
	struct source *s = session_source_open(path, NULL, &e);
	if (!s)
		fail_msg("%s", e.text);
	struct frame *f = s->next(s);
	assert_non_null(f);
	assert_int_equal(f->sec[SEC_DISK].nrows, 0);
	for (uint32_t i = 0; i < 3; i++) {
		struct text comm = FRAME_ROWS(f, task, TASK)[i].comm;
		assert_non_null(comm.utf8);
		assert_null(memchr(comm.utf8, 0x1b, comm.len));
		assert_null(memchr(comm.utf8, 0x07, comm.len));
	}
	assert_null(strchr(f->sec[SEC_CPU].why.utf8, 0x1b));
	frame_unref(f);
	s->close(s);
	history_fini(&h);
	unlink(path);
}

static void test_refusals_name_the_file(void **state)
{
	char path[256];
	struct err e = {0};

	(void)state;
	path_of(path, "refused");
	assert_null(session_source_open(path, NULL, &e));
	assert_non_null(strstr(e.text, path));
	assert_int_equal(e.code, ENOENT);
	FILE *out = fopen(path, "w");
	fputs("this is a shopping list and must survive\n", out);
	fclose(out);
	assert_null(session_source_open(path, NULL, &e));
	assert_non_null(strstr(e.text, path));
	assert_null(session_create(path, &e));
	assert_non_null(strstr(e.text, path));
	unlink(path);
	alter(path, "CREATE TABLE frame(x)");
	assert_null(session_create(path, &e));
	assert_int_equal(e.code, EEXIST);
	unlink(path);
	assert_null(session_create("/proc/no/such/folder/x.rung", &e));
	struct history h;
	fill(&h, 1);
	assert_true(session_snapshot("/proc/no/such/folder/x.rung", &h, NULL, &e) < 0);
	history_fini(&h);
}

/* A limit on the file's size stands for the full disk: frames before it are kept, writing goes on after it.
 */
static void test_full_disk_costs_one_frame(void **state)
{
	char path[256];
	struct history h;
	struct err e = {0};
	struct rlimit old, tight;

	(void)state;
	path_of(path, "full");
	fill(&h, 3);
	struct session *w = session_create(path, &e);
	assert_non_null(w);
	assert_int_equal(session_add_frame(w, history_at(&h, 2), &e), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	tight = old;
	tight.rlim_cur = 4096;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	int rc = session_add_frame(w, history_at(&h, 1), &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_true(rc < 0);
	assert_non_null(strstr(e.text, path));
	assert_int_equal(session_add_frame(w, history_at(&h, 0), &e), 0);
	assert_int_equal(session_close(w, &e), 0);
	struct source *s = session_source_open(path, NULL, &e);
	assert_non_null(s);
	uint64_t seqs[2] = {history_at(&h, 2)->seq, history_at(&h, 0)->seq};
	for (int i = 0; i < 2; i++) {
		struct frame *f = s->next(s);
		assert_non_null(f);
		assert_int_equal(f->seq, seqs[i]);
		assert_int_equal(f->sec[SEC_TASK].nrows, 3);
		frame_unref(f);
	}
	assert_null(s->next(s));
	s->close(s);
	history_fini(&h);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_snapshot_comes_back),
	    cmocka_unit_test(test_recording_is_continued),
	    cmocka_unit_test(test_unclosed_recording_is_readable),
	    cmocka_unit_test(test_columns_match_by_name),
	    cmocka_unit_test(test_hostile_content),
	    cmocka_unit_test(test_refusals_name_the_file),
	    cmocka_unit_test(test_full_disk_costs_one_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
