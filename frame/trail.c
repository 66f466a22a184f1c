#include "frame/trail.h"

#include <stdlib.h>

bool trail_add(struct trail *t, uint64_t wall_ns, const char *kind, const struct step *s)
{
	struct trail_entry *e = VEC_ADD(&t->entries);

	if (!e)
		return false;
	e->wall_ns = wall_ns;
	e->rung = s->rung;
	text_keepf(&e->kind, "%s", kind);
	text_keepf(&e->pane, "%s%s%s", s->pane ? s->pane : "", s->tool ? " " : "", s->tool ? s->tool : "");
	struct arena a = { 0 };
	text_keep(&e->scope, scope_label(&a, &s->scope));
	arena_fini(&a);
	text_keep(&e->evidence, text_of(&s->why));
	return true;
}

void trail_fini(struct trail *t)
{
	VEC_FINI(&t->entries);
}
