#include "ui/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The field a user means: its full name, else the first that starts so ("cpu" for cpu_pct). */
static int field_meant(const struct section_desc *d, const char *name, size_t len)
{
	int prefix = -1;

	for (uint32_t i = 0; len && i < d->nfields; i++) {
		if (strncasecmp(d->fields[i].name, name, len))
			continue;
		if (!d->fields[i].name[len])
			return (int)i;
		prefix = prefix < 0 ? (int)i : prefix;
	}
	return prefix;
}

/* 10, 1.5M, 20ms: what the suffix means depends on the field's unit. False when it is no number. */
static bool number_meant(const char *s, enum unit u, double *out)
{
	static const struct { const char *suffix; double ns; } spans[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 },
	};
	char *end;

	*out = strtod(s, &end);
	if (end == s || isnan(*out))
		return false;
	if (!*end || !strcmp(end, "%"))
		return true;
	if (u == UNIT_NS) {
		for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
			if (!strcmp(end, spans[i].suffix)) {
				*out *= spans[i].ns;
				return true;
			}
		}
		return false;
	}
	static const char scales[] = "kmgt";
	const char *p = strchr(scales, (*end | 0x20));
	if (!p || (end[1] && strcasecmp(end + 1, "b")))
		return false;
	*out *= pow(u == UNIT_BYTES || u == UNIT_BYTES_PER_S ? 1024 : 1000, (double)(p - scales + 1));
	return true;
}

static void term_field(struct filter_term *t, char *s, const struct section_desc *d)
{
	char *op = strpbrk(s, ":<>=");
	int field = op ? field_meant(d, s, (size_t)(op - s)) : -1;

	if (field < 0)
		return;
	char *value = op + 1;
	bool is_or_equal = *op != ':' && *op != '=' && *value == '=';
	value += is_or_equal;
	if (*op == ':') {
		t->kind = TERM_FIELD_HAS;
		t->text = value;
		t->i_field = field;
	} else if (number_meant(value, d->fields[field].unit, &t->number)) {
		t->kind = TERM_FIELD_NUMBER;
		t->op = *op;
		t->is_or_equal = is_or_equal;
		t->i_field = field;
	}
}

/* Repeat counts and back references can take for ever on hostile rows: such patterns are plain text. */
static bool regex_init(regex_t *r, const char *pattern)
{
	for (const char *p = pattern; *p; p++)
		if (*p == '{' || (*p == '\\' && p[1] >= '0' && p[1] <= '9'))
			return false;
	return *pattern && regcomp(r, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0;
}

static void term_add(struct filter *f, char *s, bool starts_or, const struct section_desc *d)
{
	struct filter_term t = { .kind = TERM_WORD, .starts_or = starts_or };

	if (*s == '!') {
		t.is_not = true;
		s++;
	}
	t.text = s;
	if (!*s)
		return;
	if (f->nterms == FILTER_TERMS_MAX) {
		f->is_cut = true;
		return;
	}
	if (*s == '~') {
		t.text = s + 1;
		if (!*t.text)
			return;
		if (regex_init(&t.regex, s + 1))
			t.kind = TERM_REGEX;
	} else {
		term_field(&t, s, d);
	}
	f->terms[f->nterms++] = t;
}

void filter_init(struct filter *f, const char *typed, const struct section_desc *d)
{
	bool starts_or = true;
	char *save = NULL;

	*f = (struct filter){ 0 };
	snprintf(f->text, sizeof(f->text), "%s", typed);
	for (char *s = strtok_r(f->text, " \t", &save); s; s = strtok_r(NULL, " \t", &save)) {
		/* "a|b" is two words; inside a regular expression the bar is the expression's. */
		for (char *bar; s && *s != '~' && (bar = strchr(s, '|')); s = bar + 1) {
			*bar = 0;
			term_add(f, s, starts_or, d);
			starts_or = true;
		}
		uint32_t before = f->nterms;
		term_add(f, s, starts_or, d);
		if (f->nterms > before)
			starts_or = false;
	}
}

void filter_fini(struct filter *f)
{
	for (uint32_t i = 0; i < f->nterms; i++)
		if (f->terms[i].kind == TERM_REGEX)
			regfree(&f->terms[i].regex);
	*f = (struct filter){ 0 };
}

static bool text_matches(struct text t, const struct filter_term *term)
{
	if (!t.utf8)
		return false;
	if (term->kind != TERM_REGEX)
		return text_has(t, term->text, strlen(term->text));
	regmatch_t at = { .rm_so = 0, .rm_eo = (regoff_t)t.len };
	return regexec(&term->regex, t.utf8, 1, &at, REG_STARTEND) == 0;
}

/* Texts match anywhere; identifiers (pid, uid) match as digits from their start. */
static bool field_matches(const struct field_desc *d, const void *row, const struct filter_term *term)
{
	const char *at = (const char *)row + d->offset;
	char digits[24];

	if (d->kind == KIND_text)
		return text_matches(*(const struct text *)at, term);
	if (!field_known(d, row))
		return false;
	if (d->unit == UNIT_CHAR)
		return term->text[0] && !term->text[1] && field_number(d, row) == (unsigned char)term->text[0];
	if (d->unit != UNIT_NONE && term->kind != TERM_FIELD_HAS)
		return false;
	snprintf(digits, sizeof(digits), "%.0f", field_number(d, row));
	return term->kind != TERM_REGEX && !strncmp(digits, term->text, strlen(term->text));
}

static bool any_field_matches(const struct section_desc *d, const void *row, const struct filter_term *term)
{
	bool is_number = term->kind == TERM_WORD && term->text[strspn(term->text, "0123456789")] == 0;

	for (uint32_t i = 0; i < d->nfields; i++) {
		const struct field_desc *field = &d->fields[i];
		if (field->kind != KIND_text && (!is_number || field->unit == UNIT_CHAR))
			continue;
		if (field_matches(field, row, term))
			return true;
	}
	return false;
}

static bool number_matches(double v, const struct filter_term *t)
{
	if (t->op == '=' || (t->is_or_equal && v == t->number))
		return v == t->number;
	return t->op == '<' ? v < t->number : v > t->number;
}

static bool term_passes(const struct filter_term *t, const struct section_desc *d, const void *row)
{
	bool is_match;

	if (t->kind == TERM_FIELD_NUMBER)
		is_match = number_matches(field_number(&d->fields[t->i_field], row), t);
	else if (t->kind == TERM_FIELD_HAS)
		is_match = field_matches(&d->fields[t->i_field], row, t);
	else
		is_match = any_field_matches(d, row, t);
	return is_match != t->is_not;
}

bool filter_passes(const struct filter *f, const struct section_desc *d, const void *row)
{
	bool is_passing = !f->nterms;

	for (uint32_t i = 0; i < f->nterms; i++) {
		if (f->terms[i].starts_or) {
			if (is_passing)
				return true;
			is_passing = true;
		}
		is_passing = is_passing && term_passes(&f->terms[i], d, row);
	}
	return is_passing;
}
