#include "frame/codec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frame/builder.h"

#define COLUMNS_MAX 128

static void write_escaped(FILE *out, struct text t)
{
	for (uint32_t i = 0; i < t.len; i++) {
		if (t.utf8[i] == '\\')
			fputc('\\', out);
		fputc(t.utf8[i], out);
	}
}

static void write_value(FILE *out, const struct field_desc *d, const void *row)
{
	const char *at = (const char *)row + d->offset;

	if (!field_known(d, row)) {
		fputc('-', out);
		return;
	}
	switch (d->kind) {
	case KIND_u32: fprintf(out, "%" PRIu32, *(const uint32_t *)(const void *)at); break;
	case KIND_u64: fprintf(out, "%" PRIu64, *(const uint64_t *)(const void *)at); break;
	case KIND_i64: fprintf(out, "%" PRId64, *(const int64_t *)(const void *)at); break;
	case KIND_f64: fprintf(out, "%.17g", *(const double *)(const void *)at); break;
	case KIND_text: {
		struct text t = *(const struct text *)(const void *)at;
		/* "-" alone is unknown; the others would start a frame, a section or a comment. */
		if (text_is(t, "-") || (t.len && strchr("f@#", t.utf8[0])))
			fputc('\\', out);
		write_escaped(out, t);
		break;
	}
	}
}

static void write_section(FILE *out, const struct frame *f, enum frame_sec sec)
{
	const struct section_desc *d = &section_descs[sec];
	bool has[COLUMNS_MAX] = { false };

	if (f->sec[sec].state == SEC_OFF && !f->sec[sec].nrows)
		return;
	fprintf(out, "@%s %s", d->name, sec_state_name(f->sec[sec].state));
	if (f->sec[sec].why.utf8) {
		fputc(' ', out);
		write_escaped(out, f->sec[sec].why);
	}
	fputc('\n', out);
	if (!f->sec[sec].nrows)
		return;
	for (uint32_t i = 0; i < d->nfields; i++)
		for (uint32_t r = 0; r < f->sec[sec].nrows && !has[i]; r++)
			has[i] = field_known(&d->fields[i], frame_row(f, sec, r));
	const char *tab = "";
	for (uint32_t i = 0; i < d->nfields; i++)
		if (has[i]) {
			fprintf(out, "%s%s", tab, d->fields[i].name);
			tab = "\t";
		}
	fputc('\n', out);
	for (uint32_t r = 0; r < f->sec[sec].nrows; r++) {
		tab = "";
		for (uint32_t i = 0; i < d->nfields; i++)
			if (has[i]) {
				fputs(tab, out);
				write_value(out, &d->fields[i], frame_row(f, sec, r));
				tab = "\t";
			}
		fputc('\n', out);
	}
}

int frame_write_text(FILE *out, const struct frame *f)
{
	fprintf(out, "frame %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", f->seq, f->mono_ns, f->wall_ns);
	for (int s = 0; s < SEC_COUNT; s++)
		write_section(out, f, (enum frame_sec)s);
	return ferror(out) ? -EIO : 0;
}

/* Where the reader is: the section whose rows follow and the columns they hold. */
struct reader {
	struct frame_builder *b;
	enum frame_sec sec; /* SEC_COUNT: none yet */
	int columns[COLUMNS_MAX];
	int ncolumns;       /* 0: the next line names them */
	uint32_t line;
};

/* Undo \t \n \\ and \-; what else follows a backslash stands for itself. */
static size_t unescape(char *s)
{
	char *o = s;

	for (; *s; s++) {
		if (*s == '\\' && s[1]) {
			s++;
			*o++ = *s == 't' ? '\t' : *s == 'n' ? '\n' : *s == 'e' ? '\033' : *s;
		} else {
			*o++ = *s;
		}
	}
	*o = 0;
	return (size_t)(o - s);
}

static int read_value(struct reader *r, const struct field_desc *d, char *cell, void *row, struct err *e)
{
	char *at = (char *)row + d->offset, *end = cell;

	if (!strcmp(cell, "-"))
		return 0;
	errno = 0;
	if (d->kind == KIND_text) {
		unescape(cell);
		struct text t = text_clean_str(frame_arena(r->b), cell);
		memcpy(at, &t, sizeof(t));
		return 0;
	}
	if (d->unit == UNIT_CHAR && d->kind == KIND_u32 && cell[0] >= 'A' && !cell[1]) {
		uint32_t letter = (unsigned char)cell[0];
		memcpy(at, &letter, sizeof(letter));
		return 0;
	}
	if (d->kind == KIND_f64) {
		double v = strtod(cell, &end);
		memcpy(at, &v, sizeof(v));
	} else if (d->kind == KIND_i64) {
		int64_t v = strtoll(cell, &end, 10);
		memcpy(at, &v, sizeof(v));
	} else {
		uint64_t v = strtoull(cell, &end, 10);
		if (d->kind == KIND_u64) {
			memcpy(at, &v, sizeof(v));
		} else {
			uint32_t v32 = (uint32_t)v;
			if (v > UINT32_MAX)
				errno = ERANGE;
			memcpy(at, &v32, sizeof(v32));
		}
	}
	if (end == cell || *end || errno == ERANGE)
		return err_set(e, EINVAL, "line %u: %s: not a number: %.40s", r->line, d->name, cell);
	return 0;
}

static int read_columns(struct reader *r, char *line, struct err *e)
{
	char *save = NULL;

	for (char *name = strtok_r(line, "\t", &save); name; name = strtok_r(NULL, "\t", &save)) {
		if (r->ncolumns == COLUMNS_MAX)
			return err_set(e, EINVAL, "line %u: more than %d columns", r->line, COLUMNS_MAX);
		/* A column of a newer schema is skipped, not refused. */
		r->columns[r->ncolumns++] = field_by_name(&section_descs[r->sec], name);
	}
	return 0;
}

static int read_row(struct reader *r, char *line, struct err *e)
{
	void *row = frame_add(r->b, r->sec);
	int i = 0;

	if (!row)
		return err_set(e, ENOMEM, "line %u: out of memory", r->line);
	for (char *cell; (cell = strsep(&line, "\t")); i++) {
		if (i >= r->ncolumns)
			return err_set(e, EINVAL, "line %u: more values than columns", r->line);
		if (r->columns[i] < 0)
			continue;
		int rc = read_value(r, &section_descs[r->sec].fields[r->columns[i]], cell, row, e);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_section(struct reader *r, char *line, struct err *e)
{
	char *rest = line + 1, *name = strsep(&rest, " "), *word = strsep(&rest, " ");
	int state = SEC_OFF;

	r->sec = section_by_name(name);
	r->ncolumns = 0;
	while (state <= SEC_FAILED && (!word || strcmp(word, sec_state_name((enum sec_state)state))))
		state++;
	if (state > SEC_FAILED)
		return err_set(e, EINVAL, "line %u: @%s: a state must follow", r->line, name);
	if (r->sec == SEC_COUNT)
		return 0; /* of a newer schema */
	if (rest)
		unescape(rest);
	frame_set_state(r->b, r->sec, (enum sec_state)state, rest ? "%s" : NULL, rest);
	return 0;
}

static int read_line(struct reader *r, char *line, const struct frame *prev, struct err *e)
{
	if (!strncmp(line, "frame ", 6)) {
		uint64_t seq, mono_ns, wall_ns;
		if (sscanf(line, "frame %" SCNu64 " %" SCNu64 " %" SCNu64, &seq, &mono_ns, &wall_ns) != 3)
			return err_set(e, EINVAL, "line %u: frame SEQ MONO_NS WALL_NS", r->line);
		r->b = frame_builder_new(prev, mono_ns, wall_ns);
		return r->b ? 0 : err_set(e, ENOMEM, "line %u: out of memory", r->line);
	}
	if (!r->b)
		return err_set(e, EINVAL, "line %u: a frame line must come first", r->line);
	if (line[0] == '@')
		return read_section(r, line, e);
	if (r->sec == SEC_COUNT)
		return 0;
	return r->ncolumns ? read_row(r, line, e) : read_columns(r, line, e);
}

struct frame *frame_read_text(FILE *in, const struct frame *prev, uint32_t *line, struct err *e)
{
	struct reader r = { .sec = SEC_COUNT, .line = *line };
	char *buf = NULL;
	size_t cap = 0;
	int rc = 0;

	e->code = 0;
	for (;;) {
		off_t at = ftello(in);
		ssize_t n = getline(&buf, &cap, in);
		if (n < 0)
			break;
		/* A second "frame" line ends this one: go back, so that the next call finds it. */
		if (r.b && !strncmp(buf, "frame ", 6)) {
			if (fseeko(in, at, SEEK_SET))
				rc = err_errno(e, errno, "line %u", r.line + 1);
			break;
		}
		r.line++;
		if (n && buf[n - 1] == '\n')
			buf[--n] = 0;
		if (!n || buf[0] == '#')
			continue;
		rc = read_line(&r, buf, prev, e);
		if (rc)
			break;
	}
	free(buf);
	*line = r.line;
	if (rc) {
		frame_builder_free(r.b);
		return NULL;
	}
	return r.b ? frame_seal(r.b) : NULL;
}
