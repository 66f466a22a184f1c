/* Writing a snapshot beside the console: the file may be large and the disk may be the sick part. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "ui/console_state.h"

/** One file being written; everything it needs is its own. */
struct snapshot_job {
	pthread_t thread;
	atomic_bool is_done;
	int (*write)(const char *path, const struct history *h, const struct trail *t, struct err *e);
	struct history history;
	struct trail trail;
	char path[4096];
	int rc;
	struct err e;
};

static void *work(void *arg)
{
	struct snapshot_job *j = arg;

	j->rc = j->write(j->path, &j->history, &j->trail, &j->e);
	atomic_store_explicit(&j->is_done, true, memory_order_release);
	return NULL;
}

static void job_free(struct snapshot_job *j)
{
	if (!j)
		return;
	history_fini(&j->history);
	trail_fini(&j->trail);
	free(j);
}

static bool copy_history(struct history *to, const struct history *from)
{
	if (history_init(to, from->len))
		return false;
	to->bytes_max = SIZE_MAX; /* the frames are shared: leaving one out would save nothing */
	for (uint32_t age = from->len; age-- > 0;)
		history_push(to, history_at(from, age));
	return true;
}

static bool copy_trail(struct trail *to, const struct trail *from)
{
	for (uint32_t i = 0; i < from->entries.len; i++) {
		struct trail_entry *e = VEC_ADD(&to->entries);
		if (!e)
			return false;
		*e = from->entries.ptr[i];
	}
	return true;
}

static struct snapshot_job *job_new(const struct console *c, const char *path)
{
	struct snapshot_job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	atomic_init(&j->is_done, false);
	j->write = c->o.snapshot;
	if (strlen(path) < sizeof(j->path) && copy_history(&j->history, &c->history) &&
	    copy_trail(&j->trail, c->o.trail)) {
		strcpy(j->path, path);
		return j;
	}
	job_free(j);
	return NULL;
}

/* What the thread came to, said on the status line. */
static int conclude(struct console *c, struct err *e)
{
	struct snapshot_job *j = c->snapshot;

	pthread_join(j->thread, NULL);
	int rc = j->rc;
	if (rc) {
		c->trail_saved = 0;
		*e = j->e;
		console_say(c, STYLE_BAD, "%s", j->e.text);
	} else {
		console_say(c, STYLE_GOOD, "wrote %s: %u samples, %u steps", j->path, j->history.len,
			    j->trail.entries.len);
	}
	job_free(j);
	c->snapshot = NULL;
	return rc;
}

bool console_poll_snapshot(struct console *c)
{
	struct err e = { 0 };

	if (!c->snapshot || !atomic_load_explicit(&c->snapshot->is_done, memory_order_acquire))
		return false;
	conclude(c, &e);
	return true;
}

int console_settle(struct console *c, struct err *e)
{
	return c->snapshot ? conclude(c, e) : 0;
}

void console_snapshot(struct console *c, const char *path)
{
	const struct frame *newest = history_at(&c->history, 0);
	char name[64];
	struct tm tm;

	if (!newest || !c->o.snapshot || c->snapshot) {
		console_say(c, STYLE_WARN, "%s", c->snapshot ? "the snapshot before is still being written"
							    : "there is nothing to write yet");
		return;
	}
	time_t wall = (time_t)(newest->wall_ns / NS_PER_S);
	if (!*path && localtime_r(&wall, &tm)) {
		strftime(name, sizeof(name), "rung-%Y%m%d-%H%M%S.rung", &tm);
		path = name;
	}
	/* The snapshot's own entry is in it, so that a reader sees where it was taken. */
	struct step s = console_top(c)->step;
	text_keepf(&s.why, "%s", path);
	trail_add(c->o.trail, newest->wall_ns, "snapshot", &s);
	c->snapshot = job_new(c, path);
	if (!c->snapshot || pthread_create(&c->snapshot->thread, NULL, work, c->snapshot)) {
		job_free(c->snapshot);
		c->snapshot = NULL;
		console_say(c, STYLE_BAD, "the snapshot was not written: out of memory or threads");
		return;
	}
	c->trail_saved = c->o.trail->entries.len;
	console_say(c, STYLE_PLAIN, "writing %s", path);
}
