/*
 * Register allocation: linear scan over live intervals. r0 and r1 stay free as
 * temporaries of the emitter, r2-r5 hold what no helper call interrupts, r6-r9
 * the rest; what finds no register lives in 8 bytes of stack, constants nowhere.
 */
#include "lang/lower.h"

#include <errno.h>
#include <stdlib.h>

#define REG_FIRST 2u
#define REG_SAVED 6u
#define REG_LAST  9u

/** Position 2p is where instruction p reads, 2p + 1 where it writes. */
struct interval {
	uint32_t reg, from, to, ndefs;
	bool is_used, crosses_call, is_constant;
	uint64_t imm;
};

struct allocation {
	struct ir *ir;
	uint32_t nwords;
	uint64_t *reads, *writes, *in, *out; /* nwords per block */
	struct interval *intervals, **order;
	uint32_t norder;
	struct interval *holder[REG_LAST + 1];
};

static bool has(const uint64_t *set, uint32_t i)
{
	return set[i / 64] >> (i % 64) & 1;
}

static void put(uint64_t *set, uint32_t i)
{
	set[i / 64] |= 1ull << (i % 64);
}

static bool allocation_init(struct allocation *al, struct ir *ir)
{
	size_t n;

	*al = (struct allocation){ .ir = ir, .nwords = (ir->nregs + 63) / 64 };
	n = (size_t)ir->nblocks * al->nwords;
	al->reads = arena_array(ir->arena, n, sizeof(*al->reads));
	al->writes = arena_array(ir->arena, n, sizeof(*al->writes));
	al->in = arena_array(ir->arena, n, sizeof(*al->in));
	al->out = arena_array(ir->arena, n, sizeof(*al->out));
	al->intervals = arena_array(ir->arena, ir->nregs, sizeof(*al->intervals));
	al->order = arena_array(ir->arena, ir->nregs, sizeof(struct interval *));
	ir->homes = arena_array(ir->arena, ir->nregs, sizeof(*ir->homes));
	return al->reads && al->writes && al->in && al->out && al->intervals && al->order &&
	       ir->homes;
}

/** What each block reads before it writes, and what it writes. */
static void collect_block(const struct allocation *al, uint32_t block)
{
	uint64_t *reads = al->reads + (size_t)block * al->nwords,
		 *writes = al->writes + (size_t)block * al->nwords;
	uint32_t uses[2 + IR_ARGS_MAX];

	for (const struct ir_ins *ins = al->ir->blocks[block].first; ins; ins = ins->next) {
		uint32_t n = ir_uses(ins, uses);

		for (uint32_t i = 0; i < n; i++) {
			if (!has(writes, uses[i]))
				put(reads, uses[i]);
		}
		if (ins->dst.kind == IR_REG)
			put(writes, ins->dst.reg);
	}
}

/** Fold the successors' needs into block; true when something was new. */
static bool flow_block(const struct allocation *al, uint32_t block)
{
	const struct ir_ins *last = al->ir->blocks[block].last;
	uint32_t n = last->op == IR_JUMP ? 1 : last->op == IR_BRANCH ? 2 : 0;
	size_t at = (size_t)block * al->nwords;
	bool changed = false;

	for (uint32_t w = 0; w < al->nwords; w++) {
		uint64_t in;

		for (uint32_t t = 0; t < n; t++)
			al->out[at + w] |= al->in[(size_t)last->target[t] * al->nwords + w];
		in = al->reads[at + w] | (al->out[at + w] & ~al->writes[at + w]);
		changed |= in != al->in[at + w];
		al->in[at + w] = in;
	}
	return changed;
}

static void find_liveness(const struct allocation *al)
{
	bool changed = true;

	for (uint32_t i = 0; i < al->ir->norder; i++)
		collect_block(al, al->ir->order[i]);
	/* Backwards, one sweep settles everything but loops. */
	while (changed) {
		changed = false;
		for (uint32_t i = al->ir->norder; i-- > 0;)
			changed |= flow_block(al, al->ir->order[i]);
	}
}

static void extend(struct interval *iv, uint32_t at)
{
	if (!iv->is_used || at < iv->from)
		iv->from = at;
	if (!iv->is_used || at > iv->to)
		iv->to = at;
	iv->is_used = true;
}

static void build_block(const struct allocation *al, uint32_t block)
{
	const struct ir_block *b = &al->ir->blocks[block];
	size_t at = (size_t)block * al->nwords;
	uint32_t p = b->first_at, uses[2 + IR_ARGS_MAX];

	for (uint32_t r = 0; r < al->ir->nregs; r++) {
		if (has(al->in + at, r))
			extend(&al->intervals[r], 2 * b->first_at);
		if (has(al->out + at, r))
			extend(&al->intervals[r], 2 * b->last_at + 2);
	}
	for (const struct ir_ins *ins = b->first; ins; ins = ins->next, p++) {
		uint32_t n = ir_uses(ins, uses);
		struct interval *iv = &al->intervals[ins->dst.reg];

		for (uint32_t i = 0; i < n; i++)
			extend(&al->intervals[uses[i]], 2 * p);
		if (ins->dst.kind != IR_REG)
			continue;
		extend(iv, 2 * p + 1);
		iv->is_constant = ins->op == IR_MOV && ins->a.kind == IR_IMM && !iv->ndefs;
		iv->imm = ins->a.imm;
		iv->ndefs++;
	}
}

/** Mark what a helper call would destroy: calls_at[] is ascending. */
static void mark_crossings(const struct allocation *al, const uint32_t *calls_at, uint32_t ncalls)
{
	for (uint32_t i = 0; i < al->norder; i++) {
		struct interval *iv = al->order[i];
		uint32_t low = 0, high = ncalls;

		while (low < high) {
			uint32_t mid = (low + high) / 2;

			if (2 * calls_at[mid] < iv->from)
				low = mid + 1;
			else
				high = mid;
		}
		iv->crosses_call = low < ncalls && 2 * calls_at[low] < iv->to;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = *(struct interval *const *)a, *y = *(struct interval *const *)b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static bool build_intervals(struct allocation *al)
{
	uint32_t ncalls = 0, n = 0, p = 0, *calls_at;

	for (uint32_t i = 0; i < al->ir->norder; i++) {
		build_block(al, al->ir->order[i]);
		n = al->ir->blocks[al->ir->order[i]].last_at + 1;
	}
	calls_at = arena_array(al->ir->arena, n ? n : 1, sizeof(*calls_at));
	if (!calls_at)
		return false;
	for (uint32_t i = 0; i < al->ir->norder; i++) {
		for (const struct ir_ins *ins = al->ir->blocks[al->ir->order[i]].first; ins;
		     ins = ins->next, p++) {
			if (ins->op == IR_CALL)
				calls_at[ncalls++] = p;
		}
	}
	for (uint32_t r = 0; r < al->ir->nregs; r++) {
		struct interval *iv = &al->intervals[r];

		iv->reg = r;
		/* What is written once and never read needs no home, and its instruction is left
		 * out. */
		if (iv->is_used && iv->to > iv->from)
			al->order[al->norder++] = iv;
	}
	qsort(al->order, al->norder, sizeof(struct interval *), by_start);
	mark_crossings(al, calls_at, ncalls);
	return true;
}

/** Whether a is better kept out of registers than b: constants first, then what is needed longest.
 */
static bool is_better_victim(const struct interval *a, const struct interval *b)
{
	if (a->is_constant != b->is_constant)
		return a->is_constant;
	return a->to > b->to;
}

static void give_register(struct allocation *al, struct interval *iv)
{
	uint32_t first = iv->crosses_call ? REG_SAVED : REG_FIRST, chosen = 0;
	struct ir_home *homes = al->ir->homes;

	for (uint32_t r = REG_FIRST; r <= REG_LAST; r++) {
		if (al->holder[r] && al->holder[r]->to < iv->from)
			al->holder[r] = NULL;
	}
	for (uint32_t r = first; r <= REG_LAST && !chosen; r++) {
		if (!al->holder[r])
			chosen = r;
	}
	if (!chosen) {
		const struct interval *victim = iv;

		for (uint32_t r = first; r <= REG_LAST; r++) {
			if (is_better_victim(al->holder[r], victim)) {
				victim = al->holder[r];
				chosen = r;
			}
		}
		homes[victim->reg].kind = victim->is_constant ? HOME_CONST : HOME_STACK;
		homes[victim->reg].imm = victim->imm;
		if (victim == iv)
			return;
	}
	al->holder[chosen] = iv;
	homes[iv->reg].kind = HOME_REG;
	homes[iv->reg].reg = (uint8_t)chosen;
}

/** Stack for what got no register; a slot is used again when its holder is gone. */
static void give_slots(const struct allocation *al)
{
	uint32_t busy_until[LANG_STACK_BYTES / 8] = { 0 }, nslots = 0,
					       spills_at = (al->ir->stack_bytes + 7) & ~7u;

	for (uint32_t i = 0; i < al->norder; i++) {
		struct ir_home *home = &al->ir->homes[al->order[i]->reg];
		uint32_t slot = 0;

		if (home->kind != HOME_STACK)
			continue;
		while (slot < nslots && busy_until[slot] >= al->order[i]->from)
			slot++;
		if (slot == nslots)
			nslots++;
		if (slot < ARRAY_LEN(busy_until))
			busy_until[slot] = al->order[i]->to;
		home->off = -(int32_t)(spills_at + 8 * slot + 8);
		if (nslots >= ARRAY_LEN(busy_until))
			break;
	}
	al->ir->stack_bytes = spills_at + 8 * nslots;
}

static int allocate(struct compile *c, const struct unit_of_code *unit)
{
	struct allocation al;
	struct ir *ir = unit->ir;

	if (!allocation_init(&al, ir))
		return compile_nomem(c);
	find_liveness(&al);
	if (!build_intervals(&al))
		return compile_nomem(c);
	for (uint32_t i = 0; i < al.norder; i++)
		give_register(&al, al.order[i]);
	give_slots(&al);
	if (ir->stack_bytes > LANG_STACK_BYTES)
		return compile_fail(c, unit->clause->span, EINVAL,
				    "this probe needs %u bytes of stack, there are %d: use fewer "
				    "or shorter strings",
				    ir->stack_bytes, LANG_STACK_BYTES);
	return 0;
}

int pass_allocate(struct compile *c)
{
	int rc = 0;

	for (uint32_t i = 0; i < c->nclauses && !rc; i++)
		rc = allocate(c, &c->units[i]);
	return rc;
}
