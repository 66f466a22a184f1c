#include "frame/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct built_section {
	void *rows;
	uint32_t nrows, cap;
	enum sec_state state;
	struct text why;
	void *blank; /* a row of unknowns; made at the first add */
};

struct frame_builder {
	const struct frame *prev;
	struct frame *frame;
	uint64_t elapsed_ns; /* since the rows that the running collector compares with */
	struct built_section sec[SEC_COUNT];
};

struct frame_builder *frame_builder_new(const struct frame *prev, uint64_t mono_ns, uint64_t wall_ns)
{
	struct frame_builder *b = calloc(1, sizeof(*b));
	struct frame *f = calloc(1, sizeof(*f));

	if (!b || !f) {
		free(b);
		free(f);
		return NULL;
	}
	f->seq = prev ? prev->seq + 1 : 0;
	f->mono_ns = mono_ns;
	f->wall_ns = wall_ns;
	f->elapsed_ns = prev && mono_ns > prev->mono_ns ? mono_ns - prev->mono_ns : 0;
	atomic_init(&f->refs, 1);
	b->frame = f;
	b->elapsed_ns = f->elapsed_ns;
	b->prev = frame_ref(prev);
	return b;
}

void frame_builder_free(struct frame_builder *b)
{
	if (!b)
		return;
	for (int s = 0; s < SEC_COUNT; s++)
		free(b->sec[s].rows);
	frame_unref((struct frame *)(uintptr_t)b->prev);
	frame_unref(b->frame);
	free(b);
}

struct frame *frame_seal(struct frame_builder *b)
{
	struct frame *f = b->frame;

	for (int s = 0; s < SEC_COUNT; s++) {
		struct built_section *from = &b->sec[s];
		/* Give back the slack: the history keeps hundreds of these. */
		void *fit = from->nrows ? reallocarray(from->rows, from->nrows, section_descs[s].row_bytes) : NULL;
		if (!from->nrows)
			free(from->rows);
		f->sec[s] = (struct section){
			.state = from->state, .why = from->why, .nrows = from->nrows,
			.rows = fit ? fit : from->nrows ? from->rows : NULL,
		};
		from->rows = NULL;
	}
	b->frame = NULL;
	frame_builder_free(b);
	return f;
}

static void *blank_new(const struct section_desc *d, struct arena *a)
{
	char *row = arena_alloc(a, d->row_bytes);
	const uint32_t u32 = U32_UNKNOWN;
	const uint64_t u64 = U64_UNKNOWN;
	const int64_t i64 = I64_UNKNOWN;
	const double f64 = F64_UNKNOWN;

	for (uint32_t i = 0; row && i < d->nfields; i++) {
		void *at = row + d->fields[i].offset;
		switch (d->fields[i].kind) {
		case KIND_u32: memcpy(at, &u32, sizeof(u32)); break;
		case KIND_u64: memcpy(at, &u64, sizeof(u64)); break;
		case KIND_i64: memcpy(at, &i64, sizeof(i64)); break;
		case KIND_f64: memcpy(at, &f64, sizeof(f64)); break;
		case KIND_text: break;
		}
	}
	return row;
}

void *frame_add(struct frame_builder *b, enum frame_sec sec)
{
	struct built_section *s = &b->sec[sec];
	const struct section_desc *d = &section_descs[sec];

	if (!s->blank)
		s->blank = blank_new(d, &b->frame->arena);
	if (!s->blank || !vec_reserve(&s->rows, &s->cap, s->nrows + 1, d->row_bytes)) {
		s->state = SEC_TRUNCATED;
		s->why = TEXT("out of memory: rows are missing");
		return NULL;
	}
	if (s->state == SEC_OFF)
		s->state = SEC_OK;
	return memcpy((char *)s->rows + (size_t)s->nrows++ * d->row_bytes, s->blank, d->row_bytes);
}

void *frame_built(struct frame_builder *b, enum frame_sec sec, uint32_t *nrows)
{
	*nrows = b->sec[sec].nrows;
	return b->sec[sec].rows;
}

void frame_truncate(struct frame_builder *b, enum frame_sec sec, uint32_t nrows)
{
	if (nrows < b->sec[sec].nrows)
		b->sec[sec].nrows = nrows;
}

void frame_set_state(struct frame_builder *b, enum frame_sec sec, enum sec_state state, const char *fmt, ...)
{
	char words[496];
	va_list ap;

	b->sec[sec].state = state;
	b->sec[sec].why = TEXT_UNKNOWN;
	if (!fmt)
		return;
	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	b->sec[sec].why = text_clean_str(&b->frame->arena, words);
}

/* Texts of a copied row still point into the frame before: bring them over. */
static void adopt_texts(const struct section_desc *d, void *row, struct arena *a)
{
	for (uint32_t i = 0; i < d->nfields; i++) {
		struct text t;
		if (d->fields[i].kind != KIND_text)
			continue;
		char *at = (char *)row + d->fields[i].offset;
		memcpy(&t, at, sizeof(t));
		t = text_copy(a, t);
		memcpy(at, &t, sizeof(t));
	}
}

void frame_carry(struct frame_builder *b, enum frame_sec sec)
{
	if (!b->prev)
		return;
	const struct section *from = &b->prev->sec[sec];
	for (uint32_t i = 0; i < from->nrows; i++) {
		void *row = frame_add(b, sec);
		if (!row)
			return;
		memcpy(row, frame_row(b->prev, sec, i), section_descs[sec].row_bytes);
		adopt_texts(&section_descs[sec], row, &b->frame->arena);
	}
	b->sec[sec].state = from->state;
	b->sec[sec].why = text_copy(&b->frame->arena, from->why);
}

struct arena *frame_arena(struct frame_builder *b)
{
	return &b->frame->arena;
}

const struct frame *frame_prev(const struct frame_builder *b)
{
	return b->prev;
}

uint64_t frame_elapsed_ns(const struct frame_builder *b)
{
	return b->elapsed_ns;
}

void frame_set_elapsed_ns(struct frame_builder *b, uint64_t elapsed_ns)
{
	b->elapsed_ns = elapsed_ns;
}

uint64_t frame_mono_ns(const struct frame_builder *b)
{
	return b->frame->mono_ns;
}

double rate_per_s(uint64_t prev_total, uint64_t total, uint64_t elapsed_ns)
{
	if (prev_total == U64_UNKNOWN || total == U64_UNKNOWN || !elapsed_ns || total < prev_total)
		return F64_UNKNOWN;
	return (double)(total - prev_total) * 1e9 / (double)elapsed_ns;
}
