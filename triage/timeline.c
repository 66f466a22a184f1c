#include "triage/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/map.h"

/* Fewer would list every flutter anew, more would glue separate incidents together. */
#define SILENT_FRAMES 10

/* One trouble that goes on: a rule about one thing, whoever is suspected at the moment. */
struct lasting {
	const char *rule, *resource;
	struct scope suspect; /* the latest */
	uint64_t thing;
	uint64_t seen_wall_ns, since_mono_ns, seen_mono_ns;
	uint32_t silent;
	bool is_named; /* the ladder's end was reached and is in the timeline */
};

struct timeline {
	VEC(struct lasting) lasting;
	struct trail *trail;
};

/* Entries are few and nearly in order: insert from the end. */
static bool insert(struct trail *t, const struct trail_entry *entry)
{
	if (!VEC_ADD(&t->entries))
		return false;
	uint32_t at = t->entries.len - 1;
	for (; at && t->entries.ptr[at - 1].wall_ns > entry->wall_ns; at--)
		t->entries.ptr[at] = t->entries.ptr[at - 1];
	t->entries.ptr[at] = *entry;
	return true;
}

static bool add_entry(struct timeline *l, const struct frame *f, const struct finding *g, const char *kind,
		      struct text evidence)
{
	struct trail_entry entry = {.wall_ns = f->wall_ns};
	struct arena a = {0};

	text_keepf(&entry.kind, "%s", kind);
	text_keepf(&entry.pane, "%s", g->resource);
	text_keep(&entry.scope, scope_label(&a, &g->suspect));
	text_keep(&entry.evidence, evidence);
	arena_fini(&a);
	return insert(l->trail, &entry);
}

static bool add_end(struct timeline *l, const struct lasting *was)
{
	struct trail_entry entry = {.wall_ns = was->seen_wall_ns};
	struct arena a = {0};
	struct fmt_buf b;
	struct text lasted = fmt_u64(&b, UNIT_NS, was->seen_mono_ns - was->since_mono_ns, 0);

	text_keepf(&entry.kind, "over");
	text_keepf(&entry.pane, "%s", was->resource);
	text_keep(&entry.scope, scope_label(&a, &was->suspect));
	text_keepf(&entry.evidence, "%s, after %.*s", was->rule, TEXT_ARG(lasted));
	arena_fini(&a);
	return insert(l->trail, &entry);
}

/*
 * What a finding is about is the row of its first evidence: a device, an interface, a process, or
 * the host where rows have no name. The suspect may change from frame to frame.
 */
static uint64_t thing_of(const struct frame *f, const struct finding *g)
{
	const struct evidence *v = &g->evidence[0];
	const struct section_desc *d = &section_descs[v->sec];
	const void *row = g->nevidence ? frame_row(f, v->sec, v->row) : NULL;
	uint64_t thing = 0;

	if (!row)
		return 0;
	if (v->sec == SEC_TASK)
		return ((const struct task_row *)row)->tgid;
	if (v->sec == SEC_PROBE)
		return ((const struct probe_row *)row)->id;
	for (uint32_t i = 0; i < d->nfields; i++) {
		struct text t;
		if (d->fields[i].kind != KIND_text)
			continue;
		memcpy(&t, (const char *)row + d->fields[i].offset, sizeof(t));
		if (t.len)
			thing = thing * 31 + map_hash(t.utf8, t.len);
	}
	return thing;
}

static struct lasting *find(struct timeline *l, const char *rule, uint64_t thing)
{
	for (uint32_t i = 0; i < l->lasting.len; i++)
		if (l->lasting.ptr[i].thing == thing && !strcmp(l->lasting.ptr[i].rule, rule))
			return &l->lasting.ptr[i];
	return NULL;
}

static bool take_findings(struct timeline *l, const struct frame *f, const struct findings *found)
{
	for (uint32_t i = 0; i < found->n; i++) {
		const struct finding *g = &found->rows[i];
		uint64_t thing = thing_of(f, g);
		struct lasting *old = find(l, g->rule, thing);
		if (!old) {
			old = add_entry(l, f, g, "finding", g->headline) ? VEC_ADD(&l->lasting) : NULL;
			if (!old)
				return false;
			old->rule = g->rule;
			old->resource = g->resource;
			old->thing = thing;
			old->since_mono_ns = f->mono_ns;
		}
		if (!old->is_named && !g->next.rung) {
			if (!add_entry(l, f, g, "named", g->names))
				return false;
			old->is_named = true;
		}
		old->suspect = g->suspect;
		old->silent = 0;
		old->seen_wall_ns = f->wall_ns;
		old->seen_mono_ns = f->mono_ns;
	}
	return true;
}

static bool drop_silent(struct timeline *l)
{
	bool has_memory = true;

	for (uint32_t i = 0; i < l->lasting.len;) {
		if (l->lasting.ptr[i].silent++ < SILENT_FRAMES) {
			i++;
			continue;
		}
		has_memory = add_end(l, &l->lasting.ptr[i]) && has_memory;
		l->lasting.ptr[i] = l->lasting.ptr[--l->lasting.len];
	}
	return has_memory;
}

bool triage_timeline(const struct history *h, struct trail *t)
{
	struct timeline l = {.trail = t};
	bool has_memory = true;

	for (uint32_t age = h->len; has_memory && age-- > 0;) {
		const struct frame *f = history_at(h, age);
		struct findings found = {0};
		has_memory = triage(f, h, &found) && take_findings(&l, f, &found) && drop_silent(&l);
		findings_fini(&found);
	}
	VEC_FINI(&l.lasting);
	return has_memory;
}
