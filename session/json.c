#include "session/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void json_text(FILE *out, struct text t)
{
	if (!t.utf8) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	for (uint32_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.utf8[i];
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

void json_word(FILE *out, const char *ours)
{
	uint32_t len = ours ? (uint32_t)strlen(ours) : 0;

	json_text(out, (struct text){ours, len, len});
}

void json_f64(FILE *out, double v)
{
	if (isfinite(v))
		fprintf(out, "%.17g", v);
	else
		fputs("null", out);
}

static void field(FILE *out, const struct field_desc *d, const void *row)
{
	const char *at = (const char *)row + d->offset;
	uint32_t u32;
	uint64_t u64;
	int64_t i64;
	double f64;
	struct text t;

	switch (d->kind) {
	case KIND_u32:
		memcpy(&u32, at, sizeof(u32));
		if (d->unit == UNIT_CHAR && u32 > 0x20 && u32 < 0x7f && u32 != '"' && u32 != '\\')
			fprintf(out, "\"%c\"", (char)u32);
		else
			fprintf(out, "%" PRIu32, u32);
		break;
	case KIND_u64:
		memcpy(&u64, at, sizeof(u64));
		fprintf(out, "%" PRIu64, u64);
		break;
	case KIND_i64:
		memcpy(&i64, at, sizeof(i64));
		fprintf(out, "%" PRId64, i64);
		break;
	case KIND_f64:
		memcpy(&f64, at, sizeof(f64));
		json_f64(out, f64);
		break;
	case KIND_text:
		memcpy(&t, at, sizeof(t));
		json_text(out, t);
		break;
	}
}

void json_row(FILE *out, const struct section_desc *d, const void *row)
{
	const char *comma = "";

	fputc('{', out);
	for (uint32_t i = 0; i < d->nfields; i++) {
		if (!field_known(&d->fields[i], row))
			continue;
		fprintf(out, "%s\"%s\":", comma, d->fields[i].name);
		field(out, &d->fields[i], row);
		comma = ",";
	}
	fputc('}', out);
}
