/* Reading and scanning /proc text: whole files into one reused buffer, no copies, no locale. */
#ifndef COLLECTORS_PROC_SCAN_H
#define COLLECTORS_PROC_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "frame/builder.h"

/** Bytes not scanned yet; every function below moves at forward and never past end. */
struct scan {
	const char *at, *end;
};

/** The memory a collector reads its files into, one after the other. Zeroed is empty. */
struct scan_buf {
	char *bytes;
	size_t cap;
	bool is_cut; /* the file read last did not end in a newline: its last line is not whole */
};

/** Read the whole file below dir_fd into b and point s at it; valid until the next read. -errno
 * with the path. */
int scan_file(struct scan_buf *b, int dir_fd, const char *path, struct scan *s,
	      struct err *e) MUST_CHECK;

/** Free the memory; empty and usable after. */
void scan_buf_fini(struct scan_buf *b);

/** Mark the section TRUNCATED when the file read last was cut. */
void scan_mark_cut(const struct scan_buf *b, struct frame_builder *f, enum frame_sec sec);

/** The next whole line without its newline; false at the end. A last line without newline is left
 * out: half a number would look like a counter that went backwards. */
bool scan_line(struct scan *s, struct scan *line);

/** The next run of bytes without blanks; false when only blanks are left. */
bool scan_word(struct scan *s, struct scan *word);

/** Everything before the next stop byte, which is passed; false (nothing moved) without one. */
bool scan_until(struct scan *s, char stop, struct scan *before);

/** Pass the prefix; false (nothing moved) when it is not next. */
bool scan_skip(struct scan *s, const char *prefix);

/** True when the remaining bytes are exactly that literal. */
bool scan_is(struct scan s, const char *literal);

/** The next word as a decimal number, U64_UNKNOWN when it is none (negative, words, nothing
 * left). */
uint64_t scan_u64(struct scan *s);

/** scan_u64() for a field of 32 bits; larger values are U32_UNKNOWN. */
uint32_t scan_u32(struct scan *s);

/** The next word as a hexadecimal number without prefix. */
uint64_t scan_hex(struct scan *s);

/** The next word as a decimal fraction such as 12.50; NaN when it is none. */
double scan_f64(struct scan *s);

/** One "key value" line and the u64 field it goes to; a key ending in * is a prefix, its lines
 * are summed. */
struct scan_key {
	const char *key;
	size_t offset;  /* of a uint64_t in the row */
	uint64_t scale; /* the value is multiplied by this */
};

/** Fill the row from lines "key value..." or "key: value..."; keys that do not occur leave
 * their field alone. */
void scan_keys(struct scan *file, const struct scan_key *keys, size_t nkeys, void *row);

#endif
