/* Asks every rule whose sections are there and sorts what they found; knows no rule by name. */
#include "triage/triage.h"

#include <stdlib.h>

#include "triage/judge.h"

struct finding *finding_add(struct findings *out)
{
	/* Rows live in the arena beside their texts: grown by copying at powers of two. */
	if ((out->n & (out->n - 1)) == 0) {
		uint32_t cap = out->n ? out->n * 2 : 1;
		struct finding *rows = arena_array(&out->arena, cap, sizeof(*rows));
		if (!rows)
			return NULL;
		for (uint32_t i = 0; i < out->n; i++)
			rows[i] = out->rows[i];
		out->rows = rows;
	}
	out->rows[out->n] = (struct finding){0};
	return &out->rows[out->n++];
}

void finding_evidence(struct finding *g, enum frame_sec sec, uint32_t row, uint32_t field, double value,
		      double threshold)
{
	if (g->nevidence < FINDING_EVIDENCE_MAX)
		g->evidence[g->nevidence++] = (struct evidence){sec, row, field, value, threshold};
}

void findings_fini(struct findings *f)
{
	arena_fini(&f->arena);
	*f = (struct findings){0};
}

static bool has_sections(const struct frame *f, uint64_t needs)
{
	for (uint32_t s = 0; s < SEC_COUNT; s++) {
		enum sec_state state = f->sec[s].state;
		/* What a cut section still holds is true; a stale one may long be over. */
		if (needs & SEC_BIT(s) && state != SEC_OK && state != SEC_TRUNCATED)
			return false;
	}
	return true;
}

static void complete(struct finding *g, const struct rule *r)
{
	g->rule = r->name;
	if (!g->resource)
		g->resource = r->resource;
	if (!text_of(&g->next.why).len)
		text_keep(&g->next.why, g->headline);
}

/* Worst first; rules of equal weight keep the registry's order so that screens do not jump. */
static void sort_worst_first(struct findings *out)
{
	for (uint32_t i = 1; i < out->n; i++) {
		struct finding moving = out->rows[i];
		uint32_t at = i;
		for (; at && out->rows[at - 1].severity < moving.severity; at--)
			out->rows[at] = out->rows[at - 1];
		out->rows[at] = moving;
	}
}

bool triage(const struct frame *f, const struct history *h, struct findings *out)
{
	bool has_all = true;

	for (size_t i = 0; i < rule_registry_len; i++) {
		const struct rule *r = rule_registry[i];
		uint32_t before = out->n;
		if (!has_sections(f, r->needs))
			continue;
		r->judge(f, h, out);
		for (uint32_t k = before; k < out->n; k++) {
			complete(&out->rows[k], r);
			has_all = has_all && out->rows[k].headline.utf8;
		}
	}
	sort_worst_first(out);
	return has_all;
}
