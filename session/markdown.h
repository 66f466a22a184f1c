/* Markdown from struct text: nothing that was recorded can become markup. */
#ifndef SESSION_MARKDOWN_H
#define SESSION_MARKDOWN_H

#include <stdio.h>

#include "frame/frame.h"

#define MD_FIELDS_MAX 10

/** A table of a report: some fields of one section, the rows with the largest values first. */
struct md_table {
	const char *title;
	enum frame_sec sec;
	int sort; /* field; -1: in the order of the section */
	uint32_t max_rows;
	uint32_t nfields;
	uint32_t fields[MD_FIELDS_MAX];
};

/** The text with everything that Markdown would read as markup escaped; "-" when unknown. */
void md_text(FILE *out, struct text t);

/** An instant in UTC; "-" when unknown. */
void md_time(FILE *out, uint64_t wall_ns);

/** The table with its title, or why there is none. Rows left out are counted. False: no memory to sort. */
bool md_table(FILE *out, const struct md_table *t, const struct frame *f);

#endif
