/* Types of statements and the layout of maps, by sweeps until nothing widens. */
#include "lang/type.h"

#include <errno.h>
#include <string.h>

#define MAP_ENTRIES 4096u

static int find_map(struct typing *t, struct expr *map)
{
	struct compile *c = t->c;

	for (map->i_map = 0; map->i_map < c->nmaps; map->i_map++) {
		if (strcmp(c->maps[map->i_map].name, map->name) == 0)
			return 0;
	}
	/* Two places are kept for the internal maps. */
	if (c->nmaps == LANG_MAPS_MAX - 2)
		return compile_fail(c, map->span, EINVAL, "more than %d maps", LANG_MAPS_MAX - 2);
	c->maps[c->nmaps++] = (struct lang_map){ .name = map->name, .is_signed = true };
	t->changed = true;
	return 0;
}

/** Fit one part of a key into what is known of that part. */
static int merge_key(struct typing *t, const struct expr *map, struct expr *key, uint32_t i,
		     bool is_first)
{
	struct lang_key_part *part = &t->c->maps[map->i_map].keys[i];
	enum lang_type type;
	int rc = type_expr(t, key);

	if (rc)
		return rc;
	type = key->type.kind == TYPE_STR ? LANG_STR : LANG_INT;
	if (is_first)
		*part = (struct lang_key_part){ .type = type, .is_signed = type == LANG_INT };
	if (part->type != type)
		return compile_fail(t->c, key->span, EINVAL, "part %u of %s's key was %s before",
				    i + 1, map->name,
				    part->type == LANG_STR ? "a string" : "an integer");
	if (key->type.size_bytes > part->size) {
		part->size = key->type.size_bytes;
		t->changed = true;
	}
	if (part->is_signed && !key->type.is_signed) {
		part->is_signed = false;
		t->changed = true;
	}
	return 0;
}

int type_map(struct typing *t, struct expr *map)
{
	int rc = find_map(t, map);
	struct lang_map *m = &t->c->maps[map->i_map];
	struct map_use *use = &t->c->map_uses[map->i_map];
	bool is_first;
	uint32_t i = 0;

	if (rc)
		return rc;
	if (map->nargs > LANG_KEYS_MAX)
		return compile_fail(t->c, map->span, EINVAL, "a key has at most %d parts",
				    LANG_KEYS_MAX);
	is_first = !use->is_keyed_yet;
	if (!is_first && m->nkeys != map->nargs)
		return compile_fail(t->c, map->span, EINVAL,
				    "%s had a key of %u parts before, here of %u", map->name,
				    m->nkeys, map->nargs);
	use->is_keyed_yet = true;
	m->nkeys = map->nargs;
	for (struct expr *key = map->args; key && !rc; key = key->next)
		rc = merge_key(t, map, key, i++, is_first);
	return rc;
}

static int type_set_var(struct typing *t, struct stmt *s)
{
	struct compile *c = t->c;
	uint32_t i = 0;
	int rc = type_expr(t, s->value);

	if (rc)
		return rc;
	if (s->value->type.kind == TYPE_STR)
		return compile_fail(c, s->value->span, ENOSYS,
				    "unsupported: strings in $variables");
	if (s->op != OP_NONE)
		rc = type_expr(t, s->target);
	if (rc)
		return rc;
	while (i < c->nvars &&
	       (c->vars[i].clause != t->clause || strcmp(c->vars[i].name, s->target->name) != 0))
		i++;
	if (i == LANG_VARS_MAX)
		return compile_fail(c, s->target->span, EINVAL, "more than %d $variables",
				    LANG_VARS_MAX);
	if (i == c->nvars) {
		c->vars[c->nvars++] = (struct var){ s->target->name, t->clause, true };
		t->changed = true;
	}
	s->target->i_var = i;
	if (c->vars[i].is_signed && !s->value->type.is_signed) {
		c->vars[i].is_signed = false;
		t->changed = true;
	}
	s->target->type = (struct type){ TYPE_INT, 8, c->vars[i].is_signed };
	return 0;
}

/** A map holds one kind of value: plain, or one aggregation. */
static int claim_map(struct typing *t, struct stmt *s)
{
	struct map_use *use = &t->c->map_uses[s->target->i_map];

	if (use->is_assigned && use->aggregate != s->aggregate)
		return compile_fail(t->c, s->span, EINVAL, "%s holds %s%s elsewhere",
				    s->target->name,
				    use->aggregate ? use->aggregate->name : "plain values",
				    use->aggregate ? "()" : "");
	t->changed |= !use->is_assigned;
	use->is_assigned = true;
	use->aggregate = s->aggregate;
	return 0;
}

/** @ = count() was read as an assignment of a call; it is an aggregation. */
static int split_aggregate(struct typing *t, struct stmt *s)
{
	struct expr *call = s->value;

	if (call->kind != EXPR_CALL)
		return 0;
	s->aggregate = aggregate_find(call->name);
	if (!s->aggregate)
		return 0;
	if (s->op != OP_NONE)
		return compile_fail(t->c, s->span, EINVAL, "%s() is assigned with =", call->name);
	if (call->nargs == 2 && s->aggregate->agg == AGG_HIST)
		return compile_fail(t->c, call->args->next->span, ENOSYS,
				    "unsupported: hist() with a resolution");
	if (call->nargs != s->aggregate->takes_value)
		return compile_fail(t->c, call->span, EINVAL, "%s() takes %s", call->name,
				    s->aggregate->takes_value ? "one value" : "no arguments");
	s->kind = STMT_AGGREGATE;
	s->value = call->args;
	return 0;
}

static int type_set_map(struct typing *t, struct stmt *s)
{
	struct lang_map *m;
	int rc = s->kind == STMT_SET_MAP ? split_aggregate(t, s) : 0;

	rc = rc ? rc : type_map(t, s->target);
	rc = rc ? rc : claim_map(t, s);
	if (rc || !s->value)
		return rc;
	rc = type_expr(t, s->value);
	if (rc)
		return rc;
	if (s->value->type.kind == TYPE_STR)
		return s->aggregate ? compile_fail(t->c, s->value->span, EINVAL,
						   "%s() takes an integer", s->aggregate->name)
				    : compile_fail(t->c, s->value->span, ENOSYS,
						   "unsupported: strings as values of maps");
	m = &t->c->maps[s->target->i_map];
	if (m->is_signed && !s->value->type.is_signed) {
		m->is_signed = false;
		t->changed = true;
	}
	return 0;
}

/** A call that stands alone does something; nothing takes its value. */
static int type_action(struct typing *t, struct stmt *s)
{
	s->action = action_find(s->target->name);
	return s->action ? s->action->type(t, s->target) : type_unknown_function(t, s->target);
}

static int type_stmts(struct typing *t, struct stmt *s)
{
	int rc = 0;

	for (; s && !rc; s = s->next) {
		if (s->kind == STMT_SET_VAR) {
			rc = type_set_var(t, s);
		} else if (s->kind == STMT_IF) {
			rc = type_int(t, s->value, "a condition");
			rc = rc ? rc : type_stmts(t, s->then);
			rc = rc ? rc : type_stmts(t, s->other);
		} else if (s->kind == STMT_CALL) {
			rc = type_action(t, s);
		} else {
			rc = type_set_map(t, s);
		}
	}
	return rc;
}

static int sweep(struct typing *t)
{
	int rc = 0;

	t->changed = false;
	for (struct clause *clause = t->c->clauses; clause && !rc; clause = clause->next) {
		t->clause = clause;
		if (clause->filter)
			rc = type_int(t, clause->filter, "a filter");
		rc = rc ? rc : type_stmts(t, clause->body);
	}
	return rc;
}

/** Parts in the order written, each on 8 bytes so that no hole is left. */
static void lay_out(struct lang_map *m, const struct map_use *use)
{
	bool per_cpu = use->aggregate != NULL;

	m->agg = per_cpu ? use->aggregate->agg : AGG_NONE;
	m->value_bytes = per_cpu ? use->aggregate->value_bytes : 8;
	for (uint32_t i = 0; i < m->nkeys; i++) {
		m->keys[i].offset = m->key_bytes;
		m->key_bytes += m->keys[i].size;
	}
	if (!m->nkeys) {
		m->key_bytes = 4;
		m->max_entries = 1;
		m->map_type = per_cpu ? BPF_MAP_TYPE_PERCPU_ARRAY : BPF_MAP_TYPE_ARRAY;
		return;
	}
	m->max_entries = MAP_ENTRIES;
	m->map_type = per_cpu ? BPF_MAP_TYPE_PERCPU_HASH : BPF_MAP_TYPE_HASH;
	/* Half a kilobyte per key and CPU is only taken for keys that come up. */
	m->map_flags = m->agg == AGG_HIST ? BPF_F_NO_PREALLOC : 0;
}

static void add_internal_maps(struct compile *c)
{
	c->i_losses = c->nmaps++;
	c->maps[c->i_losses] = (struct lang_map){
		.name = "losses",
		.map_type = BPF_MAP_TYPE_PERCPU_ARRAY,
		.key_bytes = 4,
		.value_bytes = 8,
		.max_entries = LOSS_COUNT,
		.is_internal = true,
	};
	c->i_zeros = c->nmaps;
	for (uint32_t i = 0; i < c->i_losses; i++) {
		if (c->maps[i].agg != AGG_HIST || !c->maps[i].nkeys || c->nmaps > c->i_zeros)
			continue;
		c->maps[c->nmaps++] = (struct lang_map){
			.name = "zeros",
			.map_type = BPF_MAP_TYPE_ARRAY,
			.key_bytes = 4,
			.value_bytes = LANG_HIST_SLOTS * 8,
			.max_entries = 1,
			.is_internal = true,
		};
	}
}

int pass_type(struct compile *c)
{
	struct typing t = { .c = c };
	int rc;

	do {
		rc = sweep(&t);
	} while (!rc && t.changed);
	t.is_last = true;
	rc = rc ? rc : sweep(&t);
	for (uint32_t i = 0; i < c->nmaps && !rc; i++)
		lay_out(&c->maps[i], &c->map_uses[i]);
	if (!rc)
		add_internal_maps(c);
	return rc;
}
