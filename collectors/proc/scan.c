#include "collectors/proc/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* /proc/stat of 8,192 CPUs is about 2 MiB; anything much larger is not a file of ours. */
#define FILE_MAX_BYTES   (32u << 20)
#define FILE_FIRST_BYTES 4096u

static bool grow(struct scan_buf *b)
{
	size_t cap = b->cap ? b->cap * 2 : FILE_FIRST_BYTES;
	char *bytes = cap <= FILE_MAX_BYTES ? realloc(b->bytes, cap) : NULL;

	if (!bytes)
		return false;
	b->bytes = bytes;
	b->cap = cap;
	return true;
}

int scan_file(struct scan_buf *b, int dir_fd, const char *path, struct scan *s, struct err *e)
{
	size_t len = 0;
	ssize_t got;
	int rc = 0;
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);

	*s = (struct scan){ 0 };
	b->is_cut = false;
	if (fd < 0)
		return err_errno(e, errno, "%s", path);
	for (;;) {
		if (len == b->cap && !grow(b)) {
			rc = err_set(e, ENOMEM, "%s: no memory after %zu bytes", path, len);
			break;
		}
		got = read(fd, b->bytes + len, b->cap - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			rc = err_errno(e, errno, "%s", path);
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	close(fd);
	if (rc)
		return rc;
	*s = (struct scan){ b->bytes, b->bytes + len };
	b->is_cut = len && b->bytes[len - 1] != '\n';
	return 0;
}

void scan_buf_fini(struct scan_buf *b)
{
	free(b->bytes);
	*b = (struct scan_buf){ 0 };
}

void scan_mark_cut(const struct scan_buf *b, struct frame_builder *f, enum frame_sec sec)
{
	if (b->is_cut)
		frame_set_state(f, sec, SEC_TRUNCATED,
				"the kernel's file ends in the middle of a line");
}

bool scan_line(struct scan *s, struct scan *line)
{
	return scan_until(s, '\n', line);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

bool scan_word(struct scan *s, struct scan *word)
{
	const char *at = s->at;

	while (at < s->end && is_blank(*at))
		at++;
	word->at = at;
	while (at < s->end && !is_blank(*at))
		at++;
	word->end = at;
	s->at = at;
	return word->at < word->end;
}

bool scan_until(struct scan *s, char stop, struct scan *before)
{
	size_t left = (size_t)(s->end - s->at);
	const char *at = left ? memchr(s->at, stop, left) : NULL;

	if (!at)
		return false;
	*before = (struct scan){ s->at, at };
	s->at = at + 1;
	return true;
}

bool scan_skip(struct scan *s, const char *prefix)
{
	size_t len = strlen(prefix);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, prefix, len) != 0)
		return false;
	s->at += len;
	return true;
}

bool scan_is(struct scan s, const char *literal)
{
	return scan_skip(&s, literal) && s.at == s.end;
}

uint64_t scan_u64(struct scan *s)
{
	struct scan word;
	uint64_t value = 0;

	if (!scan_word(s, &word))
		return U64_UNKNOWN;
	for (; word.at < word.end; word.at++) {
		unsigned digit = (unsigned)(*word.at - '0');
		if (digit > 9)
			return U64_UNKNOWN;
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return U64_UNKNOWN;
	}
	return value;
}

uint32_t scan_u32(struct scan *s)
{
	uint64_t value = scan_u64(s);

	return value < U32_UNKNOWN ? (uint32_t)value : U32_UNKNOWN;
}

static unsigned hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

uint64_t scan_hex(struct scan *s)
{
	struct scan word;
	uint64_t value = 0;

	if (!scan_word(s, &word) || word.end - word.at > 16)
		return U64_UNKNOWN;
	for (; word.at < word.end; word.at++) {
		unsigned digit = hex_digit(*word.at);
		if (digit > 15)
			return U64_UNKNOWN;
		value = value << 4 | digit;
	}
	return value;
}

double scan_f64(struct scan *s)
{
	struct scan word, whole, rest;
	double value, unit = 0.1;
	uint64_t units;

	if (!scan_word(s, &word))
		return F64_UNKNOWN;
	rest = word;
	if (!scan_until(&rest, '.', &whole)) {
		whole = word;
		rest = (struct scan){ word.end, word.end };
	}
	units = scan_u64(&whole);
	if (units == U64_UNKNOWN)
		return F64_UNKNOWN;
	value = (double)units;
	for (; rest.at < rest.end; rest.at++, unit /= 10) {
		unsigned digit = (unsigned)(*rest.at - '0');
		if (digit > 9)
			return F64_UNKNOWN;
		value += digit * unit;
	}
	return value;
}

static bool key_matches(struct scan word, const struct scan_key *k)
{
	size_t len = strlen(k->key), have = (size_t)(word.end - word.at);

	if (k->key[len - 1] == '*')
		return have >= len - 1 && memcmp(word.at, k->key, len - 1) == 0;
	return have == len && memcmp(word.at, k->key, len) == 0;
}

static void take_value(struct scan *line, const struct scan_key *k, void *row)
{
	uint64_t value = scan_u64(line), have;
	char *field = (char *)row + k->offset;

	if (value == U64_UNKNOWN || __builtin_mul_overflow(value, k->scale, &value))
		return;
	memcpy(&have, field, sizeof(have));
	if (have != U64_UNKNOWN && k->key[strlen(k->key) - 1] == '*')
		value += have;
	memcpy(field, &value, sizeof(value));
}

void scan_keys(struct scan *file, const struct scan_key *keys, size_t nkeys, void *row)
{
	struct scan line, word;
	size_t next = 0;

	while (scan_line(file, &line)) {
		if (!scan_word(&line, &word))
			continue;
		if (word.end[-1] == ':')
			word.end--;
		/* Tables follow the file's order, so the search nearly always ends at once. */
		for (size_t i = 0; i < nkeys; i++) {
			size_t k = (next + i) % nkeys;
			if (!key_matches(word, &keys[k]))
				continue;
			take_value(&line, &keys[k], row);
			next = k;
			break;
		}
	}
}
