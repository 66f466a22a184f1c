/* The filter language of tables: `word word | !word ~regex field:text field>number`. */
#ifndef UI_FILTER_H
#define UI_FILTER_H

#include <regex.h>

#include "frame/frame.h"

#define FILTER_TERMS_MAX 24

/** One condition; text is borrowed from the filter's own copy. */
struct filter_term {
	enum { TERM_WORD, TERM_REGEX, TERM_FIELD_HAS, TERM_FIELD_NUMBER } kind;
	bool is_not;
	bool starts_or;    /* begins an alternative */
	const char *text;
	int i_field;
	char op;           /* '<', '>' or '=' */
	bool is_or_equal;
	double number;
	regex_t regex;
};

/** A compiled filter; zeroed lets every row pass. */
struct filter {
	char text[128];
	struct filter_term terms[FILTER_TERMS_MAX];
	uint32_t nterms;
	bool is_cut;       /* there were more terms than fit */
};

/** Compile whatever was typed so far: what is not complete yet is matched as plain text. Never fails. */
void filter_init(struct filter *f, const char *typed, const struct section_desc *d);
/** Free the compiled expressions; accepts a zeroed filter. */
void filter_fini(struct filter *f);

/** Whether a row passes. */
bool filter_passes(const struct filter *f, const struct section_desc *d, const void *row);

#endif
