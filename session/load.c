/*
 * A session file as a source. Frames are read as they are asked for, so a long recording
 * needs no more memory than its longest frame. The file may be damaged or hostile: every
 * text is cleaned again, every number checked, and what can be read is shown.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "frame/builder.h"
#include "session/guard.h"
#include "session/session.h"
#include "session/tables.h"

#define FIELDS_MAX 128
#define FRAMES_MAX 1000000u
#define ROWS_MAX   1000000u /* of one section in one frame */
#define TRAIL_MAX  100000u

/* One row of the frame table. */
struct stored_frame {
	int64_t place;
	uint64_t seq, mono_ns, wall_ns, elapsed_ns;
};

/* One section's table being read from its first row to its last, in step with the frames. */
struct column_reader {
	sqlite3_stmt *st;
	uint32_t fields[FIELDS_MAX]; /* of column i + 1 */
	uint32_t n;
	bool has_row;           /* the statement stands on a row not used yet */
	struct text_buf damage; /* why reading ended before the table did */
};

struct session_source {
	struct source source;
	sqlite3 *db;
	VEC(struct stored_frame) frames;
	uint32_t i_next;
	struct text_buf damage;      /* of the frame table: shown with the last frame */
	struct column_reader states; /* the table that says how each section was */
	struct column_reader readers[SEC_COUNT];
};

static void note_damage(struct session_source *s, struct text_buf *damage)
{
	text_keepf(damage, "the file is damaged here: %s", sqlite3_errmsg(s->db));
}

static void advance(struct session_source *s, struct column_reader *r)
{
	int rc = sqlite3_step(r->st);

	r->has_row = rc == SQLITE_ROW;
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		note_damage(s, &r->damage);
}

/* Match the file's columns with ours by name: unknown ones are ignored, missing ones stay unknown. */
static bool match_columns(struct session_source *s, const struct section_desc *d, struct column_reader *r)
{
	sqlite3_stmt *st = NULL;
	bool has_seq = false;

	if (sqlite3_prepare_v2(s->db, "SELECT name FROM pragma_table_info(?)", -1, &st, NULL) == SQLITE_OK)
		sqlite3_bind_text(st, 1, d->name, -1, SQLITE_STATIC);
	while (st && sqlite3_step(st) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);
		int field = name ? field_by_name(d, name) : -1;
		has_seq |= name && !strcmp(name, "frame_seq");
		if (field >= 0 && r->n < FIELDS_MAX)
			r->fields[r->n++] = (uint32_t)field;
	}
	sqlite3_finalize(st);
	return has_seq;
}

static int open_section(struct session_source *s, enum frame_sec sec, struct err *e)
{
	const struct section_desc *d = &section_descs[sec];
	struct column_reader *r = &s->readers[sec];

	if (!guard_is_plain_table(s->db, d->name) || !match_columns(s, d, r))
		return 0;
	char *sql = tables_select_sql(d, r->fields, r->n);
	if (!sql)
		return err_set(e, ENOMEM, "out of memory");
	if (sqlite3_prepare_v2(s->db, sql, -1, &r->st, NULL) == SQLITE_OK)
		advance(s, r);
	else
		note_damage(s, &r->damage);
	free(sql);
	return 0;
}

static uint64_t column_u64(sqlite3_stmt *st, int i, uint64_t unknown)
{
	return sqlite3_column_type(st, i) == SQLITE_INTEGER ? (uint64_t)sqlite3_column_int64(st, i) : unknown;
}

static struct text column_text(sqlite3_stmt *st, int i, struct arena *a)
{
	/* A number in a text column is what SQLite makes of a text that looks like one. */
	const char *raw = (const char *)sqlite3_column_text(st, i);

	return raw ? text_clean(a, raw, (size_t)sqlite3_column_bytes(st, i)) : TEXT_UNKNOWN;
}

/* Store one column in the row; what does not fit the field's kind stays unknown. */
static void read_field(sqlite3_stmt *st, int i, const struct field_desc *d, void *row, struct arena *a)
{
	char *at = (char *)row + d->offset;
	int type = sqlite3_column_type(st, i);
	int64_t i64 = type == SQLITE_INTEGER ? sqlite3_column_int64(st, i) : 0;
	uint32_t u32 = (uint32_t)i64;
	double f64;
	struct text t;

	if (type == SQLITE_NULL)
		return;
	switch (d->kind) {
	case KIND_u32:
		if (type == SQLITE_INTEGER && i64 >= 0 && i64 < UINT32_MAX)
			memcpy(at, &u32, sizeof(u32));
		break;
	case KIND_u64:
	case KIND_i64:
		if (type == SQLITE_INTEGER)
			memcpy(at, &i64, sizeof(i64));
		break;
	case KIND_f64:
		f64 = sqlite3_column_double(st, i);
		if (type == SQLITE_FLOAT || type == SQLITE_INTEGER)
			memcpy(at, &f64, sizeof(f64));
		break;
	case KIND_text:
		t = column_text(st, i, a);
		memcpy(at, &t, sizeof(t));
		break;
	}
}

/* Rows of this frame; those of frames that are not in the file are passed over. False: rows are missing. */
static bool read_rows(struct session_source *s, enum frame_sec sec, int64_t place, struct frame_builder *b)
{
	struct column_reader *r = &s->readers[sec];
	uint32_t nrows = 0;

	while (r->has_row && sqlite3_column_int64(r->st, 0) <= place) {
		bool is_ours = sqlite3_column_int64(r->st, 0) == place;
		if (is_ours && nrows++ < ROWS_MAX) {
			void *row = frame_add(b, sec);
			if (!row)
				return true; /* the builder says that memory ran out */
			for (uint32_t i = 0; i < r->n; i++)
				read_field(r->st, (int)i + 1, &section_descs[sec].fields[r->fields[i]], row,
					   frame_arena(b));
		}
		advance(s, r);
	}
	return nrows <= ROWS_MAX;
}

static void read_state(sqlite3_stmt *st, struct frame_builder *b)
{
	const char *name = (const char *)sqlite3_column_text(st, 1);
	const char *word = (const char *)sqlite3_column_text(st, 2);
	const char *why = (const char *)sqlite3_column_text(st, 3);
	enum frame_sec sec = name ? section_by_name(name) : SEC_COUNT;
	int state = SEC_OFF;

	while (word && state <= SEC_FAILED && strcmp(word, sec_state_name((enum sec_state)state)))
		state++;
	if (sec != SEC_COUNT && word && state <= SEC_FAILED)
		frame_set_state(b, sec, (enum sec_state)state, why ? "%s" : NULL, why);
}

static void build(struct session_source *s, int64_t place, struct frame_builder *b)
{
	bool is_last = s->i_next + 1 == s->frames.len;

	/* States as recorded: absence is data and replays as it was. */
	while (s->states.has_row && sqlite3_column_int64(s->states.st, 0) <= place) {
		if (sqlite3_column_int64(s->states.st, 0) == place)
			read_state(s->states.st, b);
		advance(s, &s->states);
	}
	for (int i = 0; i < SEC_COUNT; i++) {
		enum frame_sec sec = (enum frame_sec)i;
		if (!read_rows(s, sec, place, b))
			frame_set_state(b, sec, SEC_TRUNCATED, "more than %u rows: the rest is left out",
					ROWS_MAX);
		/* A reader that stopped early has nothing more for this frame, or only a part. */
		if (s->readers[i].damage.len)
			frame_set_state(b, sec, SEC_TRUNCATED, "%s", s->readers[i].damage.utf8);
	}
	const struct text_buf *damage = s->states.damage.len ? &s->states.damage
					: is_last            ? &s->damage
							     : NULL;
	if (damage && damage->len)
		frame_set_state(b, SEC_HOST, SEC_TRUNCATED, "%s", damage->utf8);
}

static struct frame *next(struct source *source)
{
	struct session_source *s = (struct session_source *)source;

	if (s->i_next == s->frames.len)
		return NULL;
	const struct stored_frame *at = &s->frames.ptr[s->i_next];
	struct frame_builder *b = frame_builder_new(NULL, at->mono_ns, at->wall_ns);
	if (!b)
		return NULL;
	build(s, at->place, b);
	struct frame *f = frame_seal(b);
	if (!f)
		return NULL;
	/* Its number and length are those of the live run, which may have had frames that were not kept. */
	f->seq = at->seq;
	f->elapsed_ns = at->elapsed_ns;
	s->i_next++;
	return f;
}

static int ask(struct source *s, const struct request *r, struct err *e)
{
	(void)s;
	if (r->kind == REQUEST_FOCUS || r->kind == REQUEST_SAMPLE_NOW)
		return 0;
	return err_set(e, ENOTSUP, "this is a recording: nothing can be started in it");
}

static void close_source(struct source *source)
{
	struct session_source *s = (struct session_source *)source;

	sqlite3_finalize(s->states.st);
	for (int sec = 0; sec < SEC_COUNT; sec++)
		sqlite3_finalize(s->readers[sec].st);
	sqlite3_close(s->db);
	VEC_FINI(&s->frames);
	free(s);
}

static int read_frames(struct session_source *s, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int rc = 0;

	if (!guard_is_plain_table(s->db, "frame") ||
	    sqlite3_prepare_v2(
		s->db, "SELECT frame_seq, seq, mono_ns, wall_ns, elapsed_ns FROM frame ORDER BY frame_seq",
		-1, &st, NULL) != SQLITE_OK)
		return tables_err(s->db, e, "table frame");
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct stored_frame *f = s->frames.len < FRAMES_MAX ? VEC_ADD(&s->frames) : NULL;
		if (!f)
			break;
		f->place = sqlite3_column_int64(st, 0);
		f->seq = column_u64(st, 1, s->frames.len);
		f->mono_ns = column_u64(st, 2, 0);
		f->wall_ns = column_u64(st, 3, 0);
		f->elapsed_ns = column_u64(st, 4, 0);
		/* Time that goes backwards would break every search by time. */
		if (s->frames.len > 1 && f->mono_ns < f[-1].mono_ns)
			f->mono_ns = f[-1].mono_ns;
	}
	if (rc == SQLITE_ROW)
		text_keepf(&s->damage, "the file has more than %u frames: the rest is left out",
			   s->frames.len);
	else if (rc != SQLITE_DONE)
		note_damage(s, &s->damage);
	sqlite3_finalize(st);
	if (s->frames.len)
		return 0;
	return err_set(e, EBADMSG, "holds no frame%s%s", s->damage.len ? ": " : "", s->damage.utf8);
}

static void keep_column(struct text_buf *b, sqlite3_stmt *st, int i)
{
	struct arena a = {0};

	text_keep(b, column_text(st, i, &a));
	arena_fini(&a);
}

static int read_trail(struct session_source *s, struct trail *t, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int rc = 0, step = SQLITE_DONE;

	if (!guard_is_plain_table(s->db, "trail") ||
	    sqlite3_prepare_v2(
		s->db, "SELECT wall_ns, kind, rung, pane, scope, evidence FROM trail ORDER BY position", -1,
		&st, NULL) != SQLITE_OK)
		return 0; /* a file without a trail is still a recording */
	for (uint32_t n = 0; !rc && n < TRAIL_MAX && (step = sqlite3_step(st)) == SQLITE_ROW; n++) {
		struct trail_entry *entry = VEC_ADD(&t->entries);
		if (!entry) {
			rc = err_set(e, ENOMEM, "out of memory");
			break;
		}
		entry->wall_ns = column_u64(st, 0, U64_UNKNOWN);
		keep_column(&entry->kind, st, 1);
		entry->rung = (uint32_t)column_u64(st, 2, 0);
		keep_column(&entry->pane, st, 3);
		keep_column(&entry->scope, st, 4);
		keep_column(&entry->evidence, st, 5);
	}
	if (step != SQLITE_DONE && step != SQLITE_ROW && !s->damage.len)
		note_damage(s, &s->damage);
	sqlite3_finalize(st);
	return rc;
}

static int open_all(struct session_source *s, const char *path, struct trail *trail, struct err *e)
{
	int rc = guard_open(&s->db, path, e);

	if (!rc) {
		guard_check_length(s->db, path, &s->damage);
		rc = read_frames(s, e);
	}
	for (int sec = 0; !rc && sec < SEC_COUNT; sec++)
		rc = open_section(s, (enum frame_sec)sec, e);
	/* Without this table every section that has rows counts as OK. */
	if (!rc && guard_is_plain_table(s->db, "section") &&
	    sqlite3_prepare_v2(s->db, "SELECT frame_seq, name, state, why FROM section ORDER BY rowid", -1,
			       &s->states.st, NULL) == SQLITE_OK)
		advance(s, &s->states);
	return rc || !trail ? rc : read_trail(s, trail, e);
}

struct source *session_source_open(const char *path, struct trail *trail, struct err *e)
{
	struct session_source *s = calloc(1, sizeof(*s));
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	/* SQLite says only "unable to open"; the system says why. */
	int rc = fd < 0 ? err_errno(e, errno, "opening") : s ? 0 : err_set(e, ENOMEM, "out of memory");
	if (fd >= 0)
		close(fd);
	if (!rc) {
		s->source = (struct source){.fd = -1, .next = next, .ask = ask, .close = close_source};
		rc = open_all(s, path, trail, e);
	}
	if (!rc)
		return &s->source;
	err_at(e, "%s: ", path);
	if (s)
		close_source(&s->source);
	return NULL;
}
