/* Arguments of system calls as people read them; the tables are in decode_table.c. */
#ifndef COLLECTORS_SYSCALLS_DECODE_H
#define COLLECTORS_SYSCALLS_DECODE_H

#include <stdbool.h>

#include "base/text.h"
#include "bpf/probe_abi.h"

/** One flag or enumerated value. */
struct flag_name {
	uint64_t bits;
	const char *name;
};

/** Names of the values of one argument; bits of `choice` form an enumeration, the others are flags. */
struct flag_set {
	uint64_t choice;
	const struct flag_name *names;
	uint32_t n;
};

enum arg_kind {
	ARG_NONE,     /* not shown */
	ARG_DEC,
	ARG_SIZE,     /* unsigned decimal */
	ARG_HEX,
	ARG_OCTAL,
	ARG_MODE,     /* permissions; read by the kernel only when the flags before it create a file */
	ARG_PTR,      /* NULL or hexadecimal */
	ARG_FD,
	ARG_DIRFD,    /* AT_FDCWD by name */
	ARG_FLAGS,
	ARG_STR,      /* the copied string */
	ARG_TIMESPEC, /* the copied struct timespec */
	ARG_SOCKADDR, /* the copied struct sockaddr; its length is the next argument */
	ARG_MSEC,     /* a timeout, -1 for ever */
	ARG_SIGNAL
};

/** One argument: its kind, and names for ARG_FLAGS. */
struct arg_decoder {
	enum arg_kind kind;
	const struct flag_set *flags;
};

/** How the calls of one name read. */
struct syscall_decoder {
	const char *name;
	struct arg_decoder args[6];
	uint8_t copy_arg;      /* argument 1-6 whose memory is copied; 0: none */
	uint8_t copy_bytes;    /* 0: a NUL-terminated string */
	bool is_copied_before; /* the call replaces its memory */
};

/** The decoder of a system call, or NULL: its arguments read as six numbers. */
const struct syscall_decoder *decoder_find(const char *name);

/** All arguments, separated by commas; what could not be read says so. */
struct text decode_args(struct arena *a, const struct syscall_decoder *d, const struct probe_event *ev);

/** Tables of decode_table.c. */
extern const struct syscall_decoder syscall_decoders[];
extern const size_t syscall_decoders_len;

#endif
