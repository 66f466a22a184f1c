#include "session/markdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

void md_text(FILE *out, struct text t)
{
	if (!t.utf8)
		fputc('-', out);
	for (uint32_t i = 0; i < t.len; i++) {
		char c = t.utf8[i];
		/* The colon and the full stop only where they would make a link of an address. */
		bool is_link = (c == ':' && i + 1 < t.len && t.utf8[i + 1] == '/') ||
			       (c == '.' && i >= 3 && !strncasecmp(t.utf8 + i - 3, "www", 3));
		if (strchr("\\`*_{}[]<>#|~!&@$", c) || is_link)
			fputc('\\', out);
		fputc(c, out);
	}
}

void md_time(FILE *out, uint64_t wall_ns)
{
	time_t s = (time_t)(wall_ns / NS_PER_S);
	char words[40];
	struct tm tm;

	if (wall_ns == U64_UNKNOWN || !gmtime_r(&s, &tm) || !strftime(words, sizeof(words), "%F %T UTC", &tm))
		strcpy(words, "-");
	fputs(words, out);
}

/* One row and what it is sorted by. */
struct ranked {
	double value;
	uint32_t row;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	double vx = isnan(x->value) ? -INFINITY : x->value, vy = isnan(y->value) ? -INFINITY : y->value;

	if (vx != vy)
		return vx < vy ? 1 : -1;
	return x->row < y->row ? -1 : 1;
}

static void write_head(FILE *out, const struct md_table *t)
{
	const struct section_desc *d = &section_descs[t->sec];

	for (uint32_t i = 0; i < t->nfields; i++)
		fprintf(out, "| %s ", d->fields[t->fields[i]].name);
	fputs("|\n", out);
	for (uint32_t i = 0; i < t->nfields; i++)
		fputs(d->fields[t->fields[i]].kind == KIND_text ? "|---" : "|--:", out);
	fputs("|\n", out);
}

bool md_table(FILE *out, const struct md_table *t, const struct frame *f)
{
	const struct section_desc *d = &section_descs[t->sec];
	const struct section *sec = &f->sec[t->sec];
	struct arena a = {0};

	fprintf(out, "\n### %s\n\n", t->title);
	if (sec->state != SEC_OK) {
		fprintf(out, "State: %s", sec_state_name(sec->state));
		if (sec->why.len) {
			fputs(", ", out);
			md_text(out, sec->why);
		}
		fputs("\n\n", out);
	}
	if (!sec->nrows) {
		fputs("No rows.\n", out);
		return true;
	}
	struct ranked *ranked = calloc(sec->nrows, sizeof(*ranked));
	if (!ranked)
		return false;
	for (uint32_t r = 0; r < sec->nrows; r++)
		ranked[r] = (struct ranked){
		    t->sort < 0 ? 0 : field_number(&d->fields[t->sort], frame_row(f, t->sec, r)), r};
	qsort(ranked, sec->nrows, sizeof(*ranked), by_value);
	write_head(out, t);
	for (uint32_t r = 0; r < sec->nrows && r < t->max_rows; r++) {
		for (uint32_t i = 0; i < t->nfields; i++) {
			fputs("| ", out);
			md_text(out, field_text_of(&d->fields[t->fields[i]],
						   frame_row(f, t->sec, ranked[r].row), 0, &a));
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	if (sec->nrows > t->max_rows)
		fprintf(out, "\n%u of %u rows.\n", t->max_rows, sec->nrows);
	free(ranked);
	arena_fini(&a);
	return true;
}
