/* Writes session files: one transaction per frame while recording, one file in one go for a snapshot. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/session.h"
#include "session/tables.h"

struct session {
	sqlite3 *db;
	char *path;
	sqlite3_stmt *frame, *section, *trail, *meta;
	sqlite3_stmt *insert[SEC_COUNT];
	int64_t next_seq; /* place of the next frame in the file */
	bool has_meta;
};

static int exec(struct session *s, const char *sql, const char *doing, struct err *e)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : tables_err(s->db, e, doing);
}

static int prepare(struct session *s, const char *sql, sqlite3_stmt **st, struct err *e)
{
	if (!sql)
		return err_set(e, ENOMEM, "out of memory");
	return sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, st, NULL) == SQLITE_OK
		   ? 0
		   : tables_err(s->db, e, "preparing");
}

/* Run a statement that gives no rows and make it ready for the next use. */
static int run(struct session *s, sqlite3_stmt *st, const char *doing, struct err *e)
{
	int rc = sqlite3_step(st) == SQLITE_DONE ? 0 : tables_err(s->db, e, doing);

	sqlite3_reset(st);
	return rc;
}

static int bind_text(sqlite3_stmt *st, int at, struct text t)
{
	if (!t.utf8)
		return sqlite3_bind_null(st, at);
	return sqlite3_bind_text(st, at, t.utf8, (int)t.len, SQLITE_STATIC);
}

static int bind_field(sqlite3_stmt *st, int at, const struct field_desc *d, const void *row)
{
	const char *value = (const char *)row + d->offset;
	uint32_t u32;
	int64_t i64;
	double f64;
	struct text t;

	if (!field_known(d, row))
		return sqlite3_bind_null(st, at);
	switch (d->kind) {
	case KIND_u32:
		memcpy(&u32, value, sizeof(u32));
		return sqlite3_bind_int64(st, at, u32);
	case KIND_u64: /* above 2^63 it is stored negative and read back the same */
	case KIND_i64:
		memcpy(&i64, value, sizeof(i64));
		return sqlite3_bind_int64(st, at, i64);
	case KIND_f64:
		memcpy(&f64, value, sizeof(f64));
		return sqlite3_bind_double(st, at, f64);
	case KIND_text:
		memcpy(&t, value, sizeof(t));
		return bind_text(st, at, t);
	}
	return SQLITE_MISUSE;
}

static int add_section(struct session *s, const struct frame *f, enum frame_sec sec, struct err *e)
{
	const struct section_desc *d = &section_descs[sec];
	const struct section *section = &f->sec[sec];

	if (section->state == SEC_OFF && !section->nrows && !section->why.utf8)
		return 0;
	sqlite3_bind_int64(s->section, 1, s->next_seq);
	sqlite3_bind_text(s->section, 2, d->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(s->section, 3, sec_state_name(section->state), -1, SQLITE_STATIC);
	bind_text(s->section, 4, section->why);
	int rc = run(s, s->section, "adding a section", e);
	for (uint32_t i = 0; !rc && i < section->nrows; i++) {
		const void *row = frame_row(f, sec, i);
		int bound = sqlite3_bind_int64(s->insert[sec], 1, s->next_seq);
		for (uint32_t k = 0; bound == SQLITE_OK && k < d->nfields; k++)
			bound = bind_field(s->insert[sec], (int)k + 2, &d->fields[k], row);
		rc = bound == SQLITE_OK ? run(s, s->insert[sec], d->name, e) : tables_err(s->db, e, d->name);
	}
	return rc;
}

static int set_meta(struct session *s, const char *key, struct text value, struct err *e)
{
	sqlite3_bind_text(s->meta, 1, key, -1, SQLITE_STATIC);
	bind_text(s->meta, 2, value);
	return run(s, s->meta, "describing the host", e);
}

static bool is_same_boot(struct session *s, struct text boot_id)
{
	sqlite3_stmt *st = NULL;
	bool is_same = true;

	if (sqlite3_prepare_v2(s->db, "SELECT value FROM meta WHERE key='boot_id'", -1, &st, NULL) ==
		SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW && boot_id.utf8) {
		const char *stored = (const char *)sqlite3_column_text(st, 0);
		is_same = !stored || text_is(boot_id, stored);
	}
	sqlite3_finalize(st);
	return is_same;
}

/* Who was recorded by what; the host's part waits for the first frame that knows it. */
static int add_meta(struct session *s, const struct frame *f, struct err *e)
{
	const struct host_row *host = f->sec[SEC_HOST].nrows ? FRAME_ROWS(f, host, HOST) : NULL;
	struct text_buf number = {0};

	if (s->has_meta || !host)
		return 0;
	if (s->next_seq && !is_same_boot(s, host->boot_id))
		return err_set(e, EEXIST, "was recorded in another boot; its clock cannot be continued");
	text_keepf(&number, "%d", SESSION_SCHEMA_VERSION);
	int rc = set_meta(s, "schema_version", text_of(&number), e);
	rc = rc ? rc : set_meta(s, "rung_version", TEXT(RUNG_VERSION), e);
	rc = rc ? rc : set_meta(s, "hostname", host->hostname, e);
	rc = rc ? rc : set_meta(s, "kernel", host->kernel, e);
	rc = rc ? rc : set_meta(s, "boot_id", host->boot_id, e);
	text_keepf(&number, "%llu", (unsigned long long)f->wall_ns);
	rc = rc ? rc : set_meta(s, "first_wall_ns", text_of(&number), e);
	s->has_meta = !rc;
	return rc;
}

static int add_frame(struct session *s, const struct frame *f, struct err *e)
{
	int rc = add_meta(s, f, e);

	if (rc)
		return rc;
	sqlite3_bind_int64(s->frame, 1, s->next_seq);
	sqlite3_bind_int64(s->frame, 2, (int64_t)f->seq);
	sqlite3_bind_int64(s->frame, 3, (int64_t)f->mono_ns);
	sqlite3_bind_int64(s->frame, 4, (int64_t)f->wall_ns);
	sqlite3_bind_int64(s->frame, 5, (int64_t)f->elapsed_ns);
	rc = run(s, s->frame, "adding a frame", e);
	for (int sec = 0; !rc && sec < SEC_COUNT; sec++)
		rc = add_section(s, f, (enum frame_sec)sec, e);
	if (!rc)
		s->next_seq++;
	return rc;
}

int session_add_frame(struct session *s, const struct frame *f, struct err *e)
{
	int64_t seq = s->next_seq;
	bool had_meta = s->has_meta;
	int rc = exec(s, "BEGIN", "beginning", e);

	if (rc)
		return err_at(e, "%s: ", s->path);
	rc = add_frame(s, f, e);
	rc = rc ? rc : exec(s, "COMMIT", "committing", e);
	if (!rc)
		return 0;
	/* A full disk costs this frame only: what was there before is untouched. */
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	s->next_seq = seq;
	s->has_meta = had_meta;
	return err_at(e, "%s: ", s->path);
}

static int write_trail(struct session *s, const struct trail *t, struct err *e)
{
	int rc = exec(s, "DELETE FROM trail", "writing the trail", e);

	for (uint32_t i = 0; !rc && t && i < t->entries.len; i++) {
		const struct trail_entry *entry = &t->entries.ptr[i];
		sqlite3_bind_int64(s->trail, 1, i);
		sqlite3_bind_int64(s->trail, 2, (int64_t)entry->wall_ns);
		bind_text(s->trail, 3, text_of(&entry->kind));
		sqlite3_bind_int64(s->trail, 4, entry->rung);
		bind_text(s->trail, 5, text_of(&entry->pane));
		bind_text(s->trail, 6, text_of(&entry->scope));
		bind_text(s->trail, 7, text_of(&entry->evidence));
		rc = run(s, s->trail, "writing the trail", e);
	}
	return rc;
}

int session_set_trail(struct session *s, const struct trail *t, struct err *e)
{
	int rc = exec(s, "BEGIN", "beginning", e);

	if (rc)
		return err_at(e, "%s: ", s->path);
	rc = write_trail(s, t, e);
	rc = rc ? rc : exec(s, "COMMIT", "committing", e);
	if (!rc)
		return 0;
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err_at(e, "%s: ", s->path);
}

/* Frees everything and closes; what SQLite says about the close is lost on purpose, it wrote before. */
static void session_free(struct session *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->frame);
	sqlite3_finalize(s->section);
	sqlite3_finalize(s->trail);
	sqlite3_finalize(s->meta);
	for (int sec = 0; sec < SEC_COUNT; sec++)
		sqlite3_finalize(s->insert[sec]);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}

static int prepare_all(struct session *s, struct err *e)
{
	int rc = prepare(s, "INSERT INTO frame VALUES(?,?,?,?,?)", &s->frame, e);

	rc = rc ? rc : prepare(s, "INSERT INTO section VALUES(?,?,?,?)", &s->section, e);
	rc = rc ? rc : prepare(s, "INSERT INTO trail VALUES(?,?,?,?,?,?,?)", &s->trail, e);
	rc = rc ? rc : prepare(s, "INSERT OR REPLACE INTO meta VALUES(?,?)", &s->meta, e);
	for (int sec = 0; !rc && sec < SEC_COUNT; sec++) {
		char *sql = tables_insert_sql(&section_descs[sec]);
		rc = prepare(s, sql, &s->insert[sec], e);
		free(sql);
	}
	return rc;
}

static int open_tables(struct session *s, const char *pragmas, struct err *e)
{
	int rc = tables_open(&s->db, s->path, SQLITE_OPEN_READWRITE, e);

	rc = rc ? rc : exec(s, pragmas, "opening", e);
	char *sql = tables_create_sql();
	if (!rc)
		rc = sql ? exec(s, sql, "creating the tables", e) : err_set(e, ENOMEM, "out of memory");
	free(sql);
	return rc ? rc : prepare_all(s, e);
}

static struct session *session_new(const char *path)
{
	struct session *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->path = strdup(path);
	if (!s->path) {
		free(s);
		return NULL;
	}
	return s;
}

/* A number from the database; fallback when there is none. */
static int64_t ask_number(struct session *s, const char *sql, int64_t fallback)
{
	sqlite3_stmt *st = NULL;
	int64_t n = fallback;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW &&
	    sqlite3_column_type(st, 0) == SQLITE_INTEGER)
		n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return n;
}

/* Refuse to write tables into something that is not ours. */
static int check_is_ours(struct session *s, struct err *e)
{
	sqlite3 *db = NULL;
	struct stat st;

	if (stat(s->path, &st))
		return err_errno(e, errno, "reading");
	if (!S_ISREG(st.st_mode))
		return err_set(e, EINVAL, "not a regular file");
	if (!st.st_size)
		return 0;
	int rc = tables_open(&db, s->path, SQLITE_OPEN_READONLY, e);
	s->db = db;
	if (!rc && ask_number(s, "PRAGMA application_id", 0) != SESSION_APPLICATION_ID)
		rc = err_set(e, EEXIST, "exists and is not a recording of rung");
	sqlite3_close(db);
	s->db = NULL;
	return rc;
}

static int open_recording(struct session *s, struct err *e)
{
	/* SQLite would create it by umask; made here it is private from the first byte. */
	int fd = open(s->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_errno(e, errno, "creating");
	close(fd);
	int rc = check_is_ours(s, e);
	rc = rc ? rc : open_tables(s, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL", e);
	if (!rc)
		s->next_seq = ask_number(s, "SELECT max(frame_seq) + 1 FROM frame", 0);
	return rc;
}

struct session *session_create(const char *path, struct err *e)
{
	struct session *s = session_new(path);
	int rc = s ? open_recording(s, e) : err_set(e, ENOMEM, "out of memory");

	if (!rc)
		return s;
	err_at(e, "%s: ", path);
	session_free(s);
	return NULL;
}

int session_close(struct session *s, struct err *e)
{
	if (!s)
		return 0;
	for (int sec = 0; sec < SEC_COUNT; sec++) {
		sqlite3_finalize(s->insert[sec]);
		s->insert[sec] = NULL;
	}
	/* Leaving write-ahead mode folds the log into the one file that people copy. */
	int rc = exec(s, "PRAGMA journal_mode=DELETE", "closing", e);
	if (rc)
		err_at(e, "%s: ", s->path);
	session_free(s);
	return rc;
}

static int fill(struct session *s, const struct history *h, const struct trail *t, struct err *e)
{
	int rc = open_tables(
	    s, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE", e);

	rc = rc ? rc : exec(s, "BEGIN", "beginning", e);
	for (uint32_t age = h->len; !rc && age-- > 0;)
		rc = add_frame(s, history_at(h, age), e);
	rc = rc ? rc : write_trail(s, t, e);
	return rc ? rc : exec(s, "COMMIT", "writing", e);
}

int session_snapshot(const char *path, const struct history *h, const struct trail *t, struct err *e)
{
	char *temporary = NULL;
	struct session *s = NULL;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return err_set(e, ENOMEM, "%s: out of memory", path);
	int fd = mkostemp(temporary, O_CLOEXEC), rc = fd < 0 ? err_errno(e, errno, "creating") : 0;
	if (!rc) {
		s = session_new(temporary);
		rc = s ? fill(s, h, t, e) : err_set(e, ENOMEM, "out of memory");
		session_free(s);
	}
	/* The name appears only with its content on the disk: no half snapshot to be mistaken for a whole
	 * one. */
	if (!rc && fdatasync(fd))
		rc = err_errno(e, errno, "writing");
	if (!rc && rename(temporary, path))
		rc = err_errno(e, errno, "renaming");
	if (fd >= 0) {
		close(fd);
		if (rc)
			unlink(temporary);
	}
	free(temporary);
	return rc ? err_at(e, "%s: ", path) : 0;
}
