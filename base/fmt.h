/* Numbers with units: the only place that turns a value into digits for people. */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include <stdint.h>

#include "base/text.h"

/** What a number means; drives formatting, export names and column alignment. */
enum unit {
	UNIT_NONE,    /* an identifier: printed in full, never scaled */
	UNIT_COUNT,   /* 4,112 or 1.2M when narrow */
	UNIT_PER_S,   /* events per second */
	UNIT_NS,      /* 310ns 4.2us 31ms 4.8s 2m05s 41d */
	UNIT_BYTES,   /* 20.1G, powers of 1024 */
	UNIT_BYTES_PER_S,
	UNIT_PCT,     /* 0-100 */
	UNIT_HZ,
	UNIT_RATIO,   /* plain decimal such as a queue length or a load */
	UNIT_WALL_NS, /* nanoseconds since 1970, shown as local HH:MM:SS */
	UNIT_CHAR,    /* one ASCII character held in a number, such as a task state */
	UNIT_COUNT_OF_UNITS
};

/** Values that mean "not known"; every formatter shows them as "-". */
#define U32_UNKNOWN UINT32_MAX
#define U64_UNKNOWN UINT64_MAX
#define I64_UNKNOWN INT64_MIN
#define F64_UNKNOWN (__builtin_nan(""))

/** Room for one formatted number. */
struct fmt_buf {
	char utf8[40];
};

/** A number in at most width columns (0: natural width), borrowed from b; "-" when unknown. */
struct text fmt_u64(struct fmt_buf *b, enum unit u, uint64_t value, uint32_t width_cols);
/** As fmt_u64() for signed numbers. */
struct text fmt_i64(struct fmt_buf *b, enum unit u, int64_t value, uint32_t width_cols);
/** As fmt_u64() for fractions; NaN is unknown. */
struct text fmt_f64(struct fmt_buf *b, enum unit u, double value, uint32_t width_cols);

/** The unit's short name as used in exports ("ns", "bytes", "pct", ""); never NULL. */
const char *unit_name(enum unit u);

#endif
