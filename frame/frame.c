/* Descriptors of every section, and reading rows through them. */
#include "frame/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_DESC(S, k, n, u, h)                                      \
	{ .name = #n, .kind = KIND_##k, .unit = u,                     \
	  .offset = (uint32_t)offsetof(S##_row_of, n), .help = h },
#define FIELD_DESCS(lower, UPPER) \
	static const struct field_desc lower##_fields[] = { FRAME_##UPPER(FIELD_DESC, UPPER) };
FRAME_SECTIONS(FIELD_DESCS)

const struct section_desc section_descs[SEC_COUNT] = {
#define SECTION_DESC(lower, UPPER) \
	[SEC_##UPPER] = { #lower, lower##_fields, UPPER##_FIELDS, sizeof(struct lower##_row) },
	FRAME_SECTIONS(SECTION_DESC)
};

static const char *const state_names[] = {
	[SEC_OFF] = "off", [SEC_OK] = "ok", [SEC_STALE] = "stale",
	[SEC_DENIED] = "denied", [SEC_TRUNCATED] = "truncated", [SEC_FAILED] = "failed",
};

const char *sec_state_name(enum sec_state s)
{
	return (unsigned)s < ARRAY_LEN(state_names) ? state_names[s] : "failed";
}

struct frame *frame_ref(const struct frame *f)
{
	/* The count is the one part of a sealed frame that changes. */
	struct frame *mine = (struct frame *)(uintptr_t)f;

	if (mine)
		atomic_fetch_add_explicit(&mine->refs, 1, memory_order_relaxed);
	return mine;
}

void frame_unref(struct frame *f)
{
	if (!f || atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) != 1)
		return;
	for (int s = 0; s < SEC_COUNT; s++)
		free((void *)(uintptr_t)f->sec[s].rows);
	arena_fini(&f->arena);
	free(f);
}

size_t frame_bytes(const struct frame *f)
{
	size_t bytes = sizeof(*f) + f->arena.held_bytes;

	for (int s = 0; s < SEC_COUNT; s++)
		bytes += (size_t)f->sec[s].nrows * section_descs[s].row_bytes;
	return bytes;
}

const void *frame_row(const struct frame *f, enum frame_sec sec, uint32_t i)
{
	if (i >= f->sec[sec].nrows)
		return NULL;
	return (const char *)f->sec[sec].rows + (size_t)i * section_descs[sec].row_bytes;
}

/* One field's bytes, whatever its kind. */
union value {
	uint32_t u32;
	uint64_t u64;
	int64_t i64;
	double f64;
	struct text text;
};

static union value value_of(const struct field_desc *d, const void *row)
{
	static const size_t bytes[] = {
		[KIND_u32] = sizeof(uint32_t), [KIND_u64] = sizeof(uint64_t),
		[KIND_i64] = sizeof(int64_t), [KIND_f64] = sizeof(double),
		[KIND_text] = sizeof(struct text),
	};
	union value v;

	memset(&v, 0, sizeof(v));
	memcpy(&v, (const char *)row + d->offset, bytes[d->kind]);
	return v;
}

bool field_known(const struct field_desc *d, const void *row)
{
	union value v = value_of(d, row);

	switch (d->kind) {
	case KIND_u32: return v.u32 != U32_UNKNOWN;
	case KIND_u64: return v.u64 != U64_UNKNOWN;
	case KIND_i64: return v.i64 != I64_UNKNOWN;
	case KIND_f64: return !isnan(v.f64);
	case KIND_text: return v.text.utf8 != NULL;
	}
	return false;
}

double field_number(const struct field_desc *d, const void *row)
{
	union value v = value_of(d, row);

	if (!field_known(d, row))
		return F64_UNKNOWN;
	switch (d->kind) {
	case KIND_u32: return v.u32;
	case KIND_u64: return (double)v.u64;
	case KIND_i64: return (double)v.i64;
	case KIND_f64: return v.f64;
	case KIND_text: break;
	}
	return F64_UNKNOWN;
}

struct text field_text_of(const struct field_desc *d, const void *row, uint32_t width, struct arena *a)
{
	union value v = value_of(d, row);
	struct fmt_buf b;

	if (!field_known(d, row))
		return TEXT("-");
	switch (d->kind) {
	case KIND_u32: return text_copy(a, fmt_u64(&b, d->unit, v.u32, width));
	case KIND_u64: return text_copy(a, fmt_u64(&b, d->unit, v.u64, width));
	case KIND_i64: return text_copy(a, fmt_i64(&b, d->unit, v.i64, width));
	case KIND_f64: return text_copy(a, fmt_f64(&b, d->unit, v.f64, width));
	case KIND_text: return v.text;
	}
	return TEXT("-");
}

enum frame_sec section_by_name(const char *name)
{
	int s = 0;

	while (s < SEC_COUNT && strcmp(section_descs[s].name, name))
		s++;
	return (enum frame_sec)s;
}

int field_by_name(const struct section_desc *d, const char *name)
{
	for (uint32_t i = 0; i < d->nfields; i++)
		if (!strcmp(d->fields[i].name, name))
			return (int)i;
	return -1;
}

const struct task_row *frame_task(const struct frame *f, uint32_t tgid, uint64_t start_ns)
{
	const struct task_row *rows = FRAME_ROWS(f, task, TASK);

	for (uint32_t i = 0; i < f->sec[SEC_TASK].nrows; i++)
		if (rows[i].tgid == tgid && (!start_ns || rows[i].start_ns == start_ns))
			return &rows[i];
	return NULL;
}
