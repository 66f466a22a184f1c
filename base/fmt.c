#include "base/fmt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

/** One step of a scale: values from `from` on are shown divided by `per` with the suffix. */
struct step_of_scale {
	double from, per;
	const char *suffix;
};

static const struct step_of_scale scale_count[] = {
	{ 1e15, 1e15, "P" }, { 1e12, 1e12, "T" }, { 1e9, 1e9, "G" }, { 1e6, 1e6, "M" },
	{ 1e4, 1e3, "k" }, { 0, 1, "" },
};
static const struct step_of_scale scale_bytes[] = {
	{ 0x1p50, 0x1p50, "P" }, { 0x1p40, 0x1p40, "T" }, { 0x1p30, 0x1p30, "G" },
	{ 0x1p20, 0x1p20, "M" }, { 0x1p10, 0x1p10, "K" }, { 0, 1, "B" },
};
static const struct step_of_scale scale_ns[] = {
	{ 1e9, 1e9, "s" }, { 1e6, 1e6, "ms" }, { 1e3, 1e3, "us" }, { 0, 1, "ns" },
};

static const char *const unit_names[UNIT_COUNT_OF_UNITS] = {
	[UNIT_NONE] = "", [UNIT_COUNT] = "count", [UNIT_PER_S] = "per_s", [UNIT_NS] = "ns",
	[UNIT_BYTES] = "bytes", [UNIT_BYTES_PER_S] = "bytes_per_s", [UNIT_PCT] = "pct",
	[UNIT_HZ] = "hz", [UNIT_RATIO] = "ratio", [UNIT_WALL_NS] = "wall_ns", [UNIT_CHAR] = "char",
};

const char *unit_name(enum unit u)
{
	return (unsigned)u < UNIT_COUNT_OF_UNITS ? unit_names[u] : "";
}

static struct text done(struct fmt_buf *b, uint32_t width)
{
	uint32_t n = (uint32_t)strlen(b->utf8);

	/* A number that does not fit is not cut: half a number is a wrong number. */
	if (width && n > width) {
		n = width < sizeof(b->utf8) - 1 ? width : (uint32_t)sizeof(b->utf8) - 1;
		memset(b->utf8, '#', n);
		b->utf8[n] = 0;
	}
	return (struct text){ b->utf8, n, n };
}

/* Three significant digits at most, fewer when the width asks for it; never "1000". */
static struct text scaled(struct fmt_buf *b, const struct step_of_scale *s, double v, uint32_t width)
{
	double size = fabs(v);

	while (size < s->from)
		s++;
	double x = v / s->per;
	for (int digits = fabs(x) < 9.995 && s->per != 1 ? 2 : fabs(x) < 99.95 && s->per != 1 ? 1 : 0;
	     digits >= 0; digits--) {
		snprintf(b->utf8, sizeof(b->utf8), "%.*f%s", digits, x, s->suffix);
		if (!width || strlen(b->utf8) <= width)
			break;
	}
	return done(b, width);
}

static struct text duration(struct fmt_buf *b, double ns, uint32_t width)
{
	double s = ns / 1e9;

	if (fabs(s) < 100)
		return scaled(b, scale_ns, ns, width);
	uint64_t whole = (uint64_t)fabs(s);
	const char *sign = s < 0 ? "-" : "";
	if (whole < 3600)
		snprintf(b->utf8, sizeof(b->utf8), "%s%" PRIu64 "m%02us", sign, whole / 60, (unsigned)(whole % 60));
	else if (whole < 86400)
		snprintf(b->utf8, sizeof(b->utf8), "%s%" PRIu64 "h%02um", sign, whole / 3600,
			 (unsigned)(whole / 60 % 60));
	else
		snprintf(b->utf8, sizeof(b->utf8), "%s%" PRIu64 "d", sign, whole / 86400);
	return done(b, width);
}

static struct text decimal(struct fmt_buf *b, double v, const char *suffix, uint32_t width)
{
	for (int digits = fabs(v) < 9.95 ? 1 : 0; digits >= 0; digits--) {
		snprintf(b->utf8, sizeof(b->utf8), "%.*f%s", digits, v, suffix);
		if (!width || strlen(b->utf8) <= width)
			break;
	}
	return done(b, width);
}

/* Digits grouped by comma while they fit, else scaled. */
static struct text grouped(struct fmt_buf *b, double v, uint32_t width)
{
	char plain[32];

	if (fabs(v) >= 1e12)
		return scaled(b, scale_count, v, width);
	snprintf(plain, sizeof(plain), "%.0f", fabs(v));
	size_t n = strlen(plain), o = 0;
	if (v <= -0.5)
		b->utf8[o++] = '-';
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			b->utf8[o++] = ',';
		b->utf8[o++] = plain[i];
	}
	b->utf8[o] = 0;
	return width && o > width ? scaled(b, scale_count, v, width) : done(b, width);
}

static struct text clock_text(struct fmt_buf *b, uint64_t wall_ns, uint32_t width)
{
	time_t s = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	if (!localtime_r(&s, &tm) || !strftime(b->utf8, sizeof(b->utf8), "%H:%M:%S", &tm))
		strcpy(b->utf8, "-");
	return done(b, width);
}

static struct text unknown(struct fmt_buf *b)
{
	strcpy(b->utf8, "-");
	return (struct text){ b->utf8, 1, 1 };
}

struct text fmt_f64(struct fmt_buf *b, enum unit u, double v, uint32_t width)
{
	if (isnan(v))
		return unknown(b);
	if (isinf(v)) {
		strcpy(b->utf8, v < 0 ? "-inf" : "inf");
		return done(b, width);
	}
	switch (u) {
	case UNIT_NS: return duration(b, v, width);
	case UNIT_BYTES:
	case UNIT_BYTES_PER_S: return scaled(b, scale_bytes, v, width);
	case UNIT_PCT: return decimal(b, v, "%", width);
	case UNIT_RATIO: return decimal(b, v, "", width);
	case UNIT_PER_S:
	case UNIT_HZ: return fabs(v) < 9.95 && v != floor(v) ? decimal(b, v, "", width) : grouped(b, v, width);
	case UNIT_WALL_NS: return v < 0 ? unknown(b) : clock_text(b, (uint64_t)v, width);
	case UNIT_NONE:
		snprintf(b->utf8, sizeof(b->utf8), "%.6g", v);
		return done(b, width);
	default: return grouped(b, v, width);
	}
}

struct text fmt_u64(struct fmt_buf *b, enum unit u, uint64_t v, uint32_t width)
{
	if (v == U64_UNKNOWN)
		return unknown(b);
	if (u == UNIT_WALL_NS)
		return clock_text(b, v, width);
	if (u == UNIT_CHAR) {
		b->utf8[0] = v > 0x20 && v < 0x7f ? (char)v : '?';
		b->utf8[1] = 0;
		return done(b, width);
	}
	if (u == UNIT_NONE) {
		snprintf(b->utf8, sizeof(b->utf8), "%" PRIu64, v);
		return done(b, width);
	}
	return fmt_f64(b, u, (double)v, width);
}

struct text fmt_i64(struct fmt_buf *b, enum unit u, int64_t v, uint32_t width)
{
	if (v == I64_UNKNOWN)
		return unknown(b);
	if (u == UNIT_NONE) {
		snprintf(b->utf8, sizeof(b->utf8), "%" PRId64, v);
		return done(b, width);
	}
	return fmt_f64(b, u, (double)v, width);
}
