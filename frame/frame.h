/* One instant, complete; and the descriptors that let others walk it without knowing its rows. */
#ifndef FRAME_FRAME_H
#define FRAME_FRAME_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fmt.h"
#include "base/text.h"
#include "frame/schema.h"

/** How a field is stored. */
enum field_kind { KIND_u32, KIND_u64, KIND_i64, KIND_f64, KIND_text };

typedef uint32_t field_u32;
typedef uint64_t field_u64;
typedef int64_t field_i64;
typedef double field_f64;
typedef struct text field_text;

/* struct host_row, struct cpu_row, ...: one per section of the schema. */
#define FRAME_ROW_FIELD(S, kind, name, unit, help) field_##kind name;
#define FRAME_ROW_STRUCT(lower, UPPER)                             \
	struct lower##_row { FRAME_##UPPER(FRAME_ROW_FIELD, UPPER) }; \
	typedef struct lower##_row UPPER##_row_of; /* found by section name in expansions */
FRAME_SECTIONS(FRAME_ROW_STRUCT)
#undef FRAME_ROW_STRUCT
#undef FRAME_ROW_FIELD

/** Sections: SEC_HOST, SEC_SYS, ... */
enum frame_sec {
#define FRAME_SEC_ENUM(lower, UPPER) SEC_##UPPER,
	FRAME_SECTIONS(FRAME_SEC_ENUM)
#undef FRAME_SEC_ENUM
	SEC_COUNT
};

/* Field indexes: TASK_comm, DISK_util_pct, ...; an index into section_desc.fields. */
#define FRAME_FIELD_ENUM(S, kind, name, unit, help) S##_##name,
#define FRAME_FIELDS_ENUM(lower, UPPER) \
	enum lower##_field { FRAME_##UPPER(FRAME_FIELD_ENUM, UPPER) UPPER##_FIELDS };
FRAME_SECTIONS(FRAME_FIELDS_ENUM)
#undef FRAME_FIELDS_ENUM
#undef FRAME_FIELD_ENUM

/** One bit per section, for what a pane needs and a collector provides. */
#define SEC_BIT(sec) (UINT64_C(1) << (sec))

/** One column of one section. */
struct field_desc {
	const char *name;
	enum field_kind kind;
	enum unit unit;
	uint32_t offset; /* in the row struct */
	const char *help;
};

/** One section: its name, its columns and the size of a row. */
struct section_desc {
	const char *name;
	const struct field_desc *fields;
	uint32_t nfields;
	uint32_t row_bytes;
};

/** All sections in schema order, indexed by enum frame_sec. */
extern const struct section_desc section_descs[SEC_COUNT];

/** Why a section holds what it holds; everything but OK and OFF has a reason. */
enum sec_state { SEC_OFF, SEC_OK, SEC_STALE, SEC_DENIED, SEC_TRUNCATED, SEC_FAILED };

/** Lower-case word for a state: off ok stale denied truncated failed. */
const char *sec_state_name(enum sec_state s);

/** One table of a frame. */
struct section {
	enum sec_state state;
	struct text why; /* for people when state is not SEC_OK */
	uint32_t nrows;
	const void *rows;
};

/** One instant. Never written after frame_seal(); hold it with frame_ref(). */
struct frame {
	uint64_t seq;
	uint64_t mono_ns;    /* all arithmetic */
	uint64_t wall_ns;    /* labels only */
	uint64_t elapsed_ns; /* monotonic time since the frame before; 0 in the first */
	struct section sec[SEC_COUNT];
	struct arena arena;
	atomic_uint refs;
};

/** Take another reference; accepts NULL. */
struct frame *frame_ref(const struct frame *f);

/** Drop a reference; the last one frees. Accepts NULL. */
void frame_unref(struct frame *f);

/** Bytes a frame holds. */
size_t frame_bytes(const struct frame *f);

/** Rows of a section as their own type: FRAME_ROWS(f, disk, DISK)[i].util_pct. NULL when it has none. */
#define FRAME_ROWS(f, lower, UPPER) ((const struct lower##_row *)(f)->sec[SEC_##UPPER].rows)

/** Row i of a section as bytes, or NULL past the end. */
const void *frame_row(const struct frame *f, enum frame_sec sec, uint32_t i);

/** True when the field of this row holds a value. */
bool field_known(const struct field_desc *d, const void *row);

/** The field as a number for sorting and thresholds; NaN when unknown or text. */
double field_number(const struct field_desc *d, const void *row);

/** The field as text in at most width columns (0: natural): numbers formatted by unit; "-" when unknown. */
struct text field_text_of(const struct field_desc *d, const void *row, uint32_t width_cols, struct arena *a);

/** The section of that name, or SEC_COUNT. */
enum frame_sec section_by_name(const char *name);

/** Index of the field of that name in the section, or -1. */
int field_by_name(const struct section_desc *d, const char *name);

/** The process of that identity in the frame, or NULL; start_ns 0 accepts any start. */
const struct task_row *frame_task(const struct frame *f, uint32_t tgid, uint64_t start_ns);

#endif
