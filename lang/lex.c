/* The lexer: comments, names, numbers, strings, operators. */
#include "lang/lex.h"

#include <errno.h>
#include <string.h>

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static bool is_name(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' || is_digit(ch);
}

char lex_peek_byte(struct lexer *lx)
{
	const char *s = lx->c->text;

	for (;;) {
		if (s[lx->at] == ' ' || (s[lx->at] >= '\t' && s[lx->at] <= '\r')) {
			lx->at++;
		} else if (s[lx->at] == '/' && s[lx->at + 1] == '/') {
			while (s[lx->at] && s[lx->at] != '\n')
				lx->at++;
		} else if (s[lx->at] == '/' && s[lx->at + 1] == '*') {
			const char *end = strstr(s + lx->at + 2, "*/");

			/* An open comment is left standing for the lexer to complain about. */
			if (!end)
				return s[lx->at];
			lx->at = (uint32_t)(end + 2 - s);
		} else {
			return s[lx->at];
		}
	}
}

static int set_name(struct lexer *lx, struct token *t, uint32_t from, uint32_t len)
{
	t->name = arena_dup(lx->c->arena, lx->c->text + from, len);
	t->name_len = len;
	return t->name ? 0 : compile_nomem(lx->c);
}

static int digit_value(char ch)
{
	if (is_digit(ch))
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'F')
		return ch - 'A' + 10;
	return 99;
}

/** Factors that may follow a decimal number; durations come out in nanoseconds. */
static const struct {
	const char *name;
	uint64_t factor;
} suffixes[] = {
	{ "", 1 },
	{ "u", 1 },
	{ "l", 1 },
	{ "ul", 1 },
	{ "ll", 1 },
	{ "ull", 1 },
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60000000000 },
	{ "h", 3600000000000 },
	{ "d", 86400000000000 },
};

static int apply_suffix(struct lexer *lx, struct token *t, const char *suffix)
{
	uint64_t power = 1;

	if (suffix[0] == 'e' && is_digit(suffix[1]) &&
	    (!suffix[2] || (is_digit(suffix[2]) && !suffix[3]))) {
		uint32_t exponent = (uint32_t)(suffix[1] - '0');

		if (suffix[2])
			exponent = exponent * 10 + (uint32_t)(suffix[2] - '0');
		for (uint32_t i = 0; i < exponent; i++) {
			if (__builtin_mul_overflow(power, 10u, &power))
				return compile_fail(lx->c, t->span, EINVAL,
						    "number does not fit in 64 bits");
		}
	} else {
		size_t i = 0;

		while (i < ARRAY_LEN(suffixes) && strcmp(suffixes[i].name, suffix) != 0)
			i++;
		if (i == ARRAY_LEN(suffixes))
			return compile_fail(lx->c, t->span, EINVAL,
					    "invalid number: unknown suffix '%s'", suffix);
		power = suffixes[i].factor;
	}
	if (__builtin_mul_overflow(t->value, power, &t->value))
		return compile_fail(lx->c, t->span, EINVAL, "number does not fit in 64 bits");
	return 0;
}

static int lex_number(struct lexer *lx, struct token *t)
{
	const char *s = lx->c->text + lx->at;
	uint32_t i = 0, base = 10, n_digits = 0;
	char suffix[16] = "";
	size_t n_suffix;
	bool overflows = false;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		i = 2;
	} else if (s[0] == '0' && is_digit(s[1])) {
		base = 8;
		i = 1;
	}
	for (; digit_value(s[i]) < (int)base || (s[i] == '_' && n_digits); i++) {
		if (s[i] == '_')
			continue;
		overflows |= __builtin_mul_overflow(t->value, base, &t->value);
		overflows |=
		    __builtin_add_overflow(t->value, (uint64_t)digit_value(s[i]), &t->value);
		n_digits++;
	}
	for (n_suffix = 0; is_name(s[i]); i++) {
		if (n_suffix + 1 < sizeof(suffix))
			suffix[n_suffix++] = (char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + 32 : s[i]);
	}
	t->kind = TOK_INT;
	t->span.len = i;
	lx->at += i;
	if (overflows)
		return compile_fail(lx->c, t->span, EINVAL, "number does not fit in 64 bits");
	if (!n_digits)
		return compile_fail(lx->c, t->span, EINVAL, "invalid number: no digits");
	return apply_suffix(lx, t, suffix);
}

/** One escape after a backslash; bytes read, or 0 when it is unknown. */
static uint32_t unescape(const char *s, char *out)
{
	static const char from[] = "ntr\"\\", to[] = "\n\t\r\"\\";
	const char *plain = s[0] ? strchr(from, s[0]) : NULL;

	if (plain) {
		*out = to[plain - from];
		return 1;
	}
	if (s[0] == 'x' && digit_value(s[1]) < 16 && digit_value(s[2]) < 16) {
		*out = (char)(digit_value(s[1]) * 16 + digit_value(s[2]));
		return 3;
	}
	return 0;
}

static int lex_string(struct lexer *lx, struct token *t)
{
	const char *s = lx->c->text + lx->at;
	uint32_t i, n = 0;
	char *out = arena_alloc(lx->c->arena, strcspn(s + 1, "\n") + 2);

	if (!out)
		return compile_nomem(lx->c);
	for (i = 1; s[i] != '"'; i++) {
		if (!s[i] || s[i] == '\n')
			return compile_fail(lx->c, t->span, EINVAL, "string is not closed");
		out[n] = s[i];
		if (s[i] == '\\') {
			uint32_t used = unescape(s + i + 1, &out[n]);

			if (!used || !out[n])
				return compile_fail(lx->c, (struct span){ lx->at + i, 2 }, EINVAL,
						    "unknown escape in string");
			i += used;
		}
		n++;
	}
	t->kind = TOK_STRING;
	t->name = out;
	t->name_len = n;
	t->span.len = i + 1;
	lx->at += i + 1;
	return 0;
}

/** Operators, longest first. */
static const char *const puncts[] = {
	"<<=", ">>=", "...", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
	"^=",  "->",  "<<",  ">>", "<=", ">=", "==", "!=", "&&", "||", "..", "+",
	"-",   "*",   "/",   "%",  "&",  "|",  "^",  "<",  ">",  "=",  "!",  "~",
	"?",   ":",   ";",   ",",  ".",  "(",  ")",  "[",  "]",  "{",  "}",
};

static int lex_punct(struct lexer *lx, struct token *t)
{
	const char *s = lx->c->text + lx->at;
	struct lexer ahead;

	for (size_t i = 0; i < ARRAY_LEN(puncts); i++) {
		size_t len = strlen(puncts[i]);

		if (strncmp(s, puncts[i], len) != 0)
			continue;
		t->kind = TOK_PUNCT;
		t->name = puncts[i];
		t->name_len = t->span.len = (uint32_t)len;
		lx->at += (uint32_t)len;
		ahead = *lx;
		t->ends_filter = s[0] == '/' && len == 1 && lex_peek_byte(&ahead) == '{';
		return 0;
	}
	if ((unsigned char)s[0] >= 0x20 && (unsigned char)s[0] < 0x7f)
		return compile_fail(lx->c, t->span, EINVAL, "unexpected character '%c'", s[0]);
	return compile_fail(lx->c, t->span, EINVAL, "unexpected byte 0x%02x", (unsigned char)s[0]);
}

int lex_next(struct lexer *lx, struct token *t)
{
	char ch = lex_peek_byte(lx), next;
	const char *s = lx->c->text;
	uint32_t from = lx->at;

	*t = (struct token){ .kind = TOK_END, .name = "", .span = { from, 1 } };
	if (!ch)
		return 0;
	next = s[from + 1];
	if (ch == '/' && next == '*')
		return compile_fail(lx->c, (struct span){ from, 2 }, EINVAL,
				    "comment is not closed");
	if (is_digit(ch))
		return lex_number(lx, t);
	if (ch == '"')
		return lex_string(lx, t);
	if (ch != '@' && !(ch == '$' && is_name(next)) && !is_name(ch))
		return lex_punct(lx, t);
	t->kind = ch == '@' ? TOK_MAP : ch == '$' ? TOK_VAR : TOK_NAME;
	lx->at++;
	while (is_name(s[lx->at]))
		lx->at++;
	t->span.len = lx->at - from;
	return set_name(lx, t, from, t->span.len);
}

int lex_attach_word(struct lexer *lx, struct token *t)
{
	const char *s = lx->c->text;
	uint32_t from;

	lex_peek_byte(lx);
	from = lx->at;
	while (s[lx->at] && !strchr(":,/{ \t\r\n", s[lx->at]))
		lx->at++;
	*t = (struct token){ .kind = TOK_NAME, .span = { from, lx->at - from } };
	if (!t->span.len)
		t->span.len = 1;
	return set_name(lx, t, from, lx->at - from);
}
