#include "collectors/profile/window.h"

#include <stdlib.h>
#include <string.h>

struct slice *window_begin(struct window *w, uint64_t now_ns, uint64_t keep_ns)
{
	uint32_t old = 0;

	for (; old < w->slices.len && w->slices.ptr[old].end_ns + keep_ns <= now_ns; old++)
		VEC_FINI(&w->slices.ptr[old].hits);
	if (old) {
		memmove(w->slices.ptr, w->slices.ptr + old, (w->slices.len - old) * sizeof(w->slices.ptr[0]));
		w->slices.len -= old;
	}
	struct slice *s = VEC_ADD(&w->slices);
	if (s)
		s->end_ns = now_ns;
	return s;
}

bool slice_add(struct slice *s, const struct hit *h)
{
	struct hit *last = VEC_ADD(&s->hits);

	s->samples++;
	if (last)
		*last = *h;
	return last;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int by_identity(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int rc = ORDER((uintptr_t)x->symbol, (uintptr_t)y->symbol);

	rc = rc ? rc : ORDER(x->tgid, y->tgid);
	rc = rc ? rc : ORDER(x->start_ns, y->start_ns);
	return rc ? rc : ORDER(x->tid, y->tid);
}

void slice_fold(struct slice *s)
{
	uint32_t n = 0;

	if (!s->hits.len)
		return;
	qsort(s->hits.ptr, s->hits.len, sizeof(s->hits.ptr[0]), by_identity);
	for (uint32_t i = 0; i < s->hits.len; i++) {
		if (n && !by_identity(&s->hits.ptr[n - 1], &s->hits.ptr[i]))
			s->hits.ptr[n - 1].n += s->hits.ptr[i].n;
		else
			s->hits.ptr[n++] = s->hits.ptr[i];
	}
	s->hits.len = n;
}

static bool is_inside(const struct hit *h, const struct scope *scope)
{
	bool is_same_start = !scope->start_ns || !h->start_ns || scope->start_ns == h->start_ns;

	switch (scope->kind) {
	case SCOPE_PROCESS: return h->tgid == scope->tgid && is_same_start;
	case SCOPE_THREAD: return h->tid == scope->tid && is_same_start;
	default: return true;
	}
}

/* All hits of the scope in one array; its memory is the caller's. */
static bool gather(const struct window *w, const struct scope *scope, struct slice *all)
{
	for (uint32_t i = 0; i < w->slices.len; i++) {
		const struct slice *s = &w->slices.ptr[i];
		for (uint32_t h = 0; h < s->hits.len; h++)
			if (is_inside(&s->hits.ptr[h], scope) && !slice_add(all, &s->hits.ptr[h]))
				return false;
	}
	slice_fold(all);
	return true;
}

static int by_samples(const void *a, const void *b)
{
	const struct window_row *x = a, *y = b;
	int rc = ORDER(y->samples, x->samples);

	rc = rc ? rc : text_cmp(x->symbol->symbol, y->symbol->symbol);
	return rc ? rc : ORDER((uintptr_t)x->symbol, (uintptr_t)y->symbol);
}

/* Hits are in order of symbol, then process: a run of one process at a time. */
static bool add_rows(const struct slice *all, struct window_sum *out)
{
	struct window_row *row = NULL;
	uint64_t run = 0;

	for (uint32_t i = 0; i < all->hits.len; i++) {
		const struct hit *h = &all->hits.ptr[i];
		if (!row || row->symbol != h->symbol) {
			row = VEC_ADD(&out->rows);
			if (!row)
				return false;
			row->symbol = h->symbol;
		}
		bool is_new_run = !i || h[-1].symbol != h->symbol || h[-1].tgid != h->tgid;
		run = (is_new_run ? 0 : run) + h->n;
		row->samples += h->n;
		if (run > row->top_samples) {
			row->top_samples = run;
			row->tgid = h->tgid;
			row->comm = h->comm;
		}
		out->samples += h->n;
		out->unresolved += h->symbol->is_resolved ? 0 : h->n;
	}
	return true;
}

bool window_fold(const struct window *w, const struct scope *scope, struct window_sum *out)
{
	struct slice all = { 0 };

	bool is_whole = gather(w, scope, &all) && add_rows(&all, out);
	VEC_FINI(&all.hits);
	for (uint32_t i = 0; i < w->slices.len; i++) {
		out->all_samples += w->slices.ptr[i].samples;
		out->lost += w->slices.ptr[i].lost;
		out->throttled += w->slices.ptr[i].throttled;
		out->busy_s += w->slices.ptr[i].busy_s;
	}
	if (out->rows.len)
		qsort(out->rows.ptr, out->rows.len, sizeof(out->rows.ptr[0]), by_samples);
	return is_whole;
}

void window_fini(struct window *w)
{
	for (uint32_t i = 0; i < w->slices.len; i++)
		VEC_FINI(&w->slices.ptr[i].hits);
	VEC_FINI(&w->slices);
}
