/* Owns how each kind of argument reads. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "base/attr.h"
#include "collectors/syscalls/decode.h"

/* A line being written; what does not fit is cut, and marked by the caller's "...". */
struct line {
	char bytes[512];
	size_t len;
};

PRINTF_LIKE(2, 3)
static void put(struct line *l, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int n = vsnprintf(l->bytes + l->len, sizeof(l->bytes) - l->len, fmt, args);
	va_end(args);
	if (n > 0)
		l->len += (size_t)n < sizeof(l->bytes) - l->len ? (size_t)n : sizeof(l->bytes) - 1 - l->len;
}

static void put_flags(struct line *l, const struct flag_set *set, uint64_t v)
{
	uint64_t rest = v;
	bool is_first = true;

	for (uint32_t i = 0; set && i < set->n; i++) {
		uint64_t bits = set->names[i].bits;
		bool is_choice = !bits || (bits & set->choice) == bits;
		uint64_t chosen = set->choice ? v & set->choice : v;
		if (is_choice ? chosen != bits : (v & bits) != bits || !(rest & bits))
			continue;
		put(l, "%s%s", is_first ? "" : "|", set->names[i].name);
		is_first = false;
		rest &= is_choice ? ~set->choice : ~bits;
	}
	if (rest || is_first)
		put(l, "%s0x%llx", is_first ? "" : "|", (unsigned long long)rest);
}

/* The kernel could not reach the memory without waiting; an address that is wrong looks the same. */
static bool is_readable(struct line *l, const struct probe_event *ev, uint64_t address)
{
	if (ev->str_len >= 0 && ev->str_len)
		return true;
	put(l, address ? "0x%llx (unreadable)" : "NULL", (unsigned long long)address);
	return false;
}

static void put_str(struct line *l, const struct probe_event *ev, uint64_t address)
{
	if (!is_readable(l, ev, address))
		return;
	put(l, "\"");
	for (size_t i = 0; i < EVENT_STR && ev->str[i]; i++) {
		unsigned char c = (unsigned char)ev->str[i];
		if (c == '"' || c == '\\')
			put(l, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			put(l, "\\x%02x", c);
		else
			put(l, "%c", c);
	}
	put(l, ev->str_len >= EVENT_STR ? "\"..." : "\"");
}

static void put_timespec(struct line *l, const struct probe_event *ev, uint64_t address)
{
	struct timespec t;

	if (!is_readable(l, ev, address))
		return;
	memcpy(&t, ev->str, sizeof(t));
	put(l, "%lld.%09lds", (long long)t.tv_sec, t.tv_nsec);
}

static void put_unix(struct line *l, const char *path, size_t len)
{
	if (!len)
		put(l, "unix unnamed");
	else if (!path[0])
		put(l, "unix @%.*s", (int)(len - 1), path + 1);
	else
		put(l, "unix %.*s", (int)strnlen(path, len), path);
}

static void put_sockaddr(struct line *l, const struct probe_event *ev, uint64_t address, uint64_t len)
{
	char host[INET6_ADDRSTRLEN];
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} s = { 0 };

	if (!is_readable(l, ev, address))
		return;
	size_t have = (size_t)ev->str_len < sizeof(s) ? (size_t)ev->str_len : sizeof(s);
	if (len < have)
		have = len;
	memcpy(&s, ev->str, have);
	if (have < sizeof(s.any.sa_family))
		put(l, "0x%llx (too short)", (unsigned long long)address);
	else if (s.any.sa_family == AF_INET && inet_ntop(AF_INET, &s.in.sin_addr, host, sizeof(host)))
		put(l, "%s:%u", host, ntohs(s.in.sin_port));
	else if (s.any.sa_family == AF_INET6 && inet_ntop(AF_INET6, &s.in6.sin6_addr, host, sizeof(host)))
		put(l, "[%s]:%u", host, ntohs(s.in6.sin6_port));
	else if (s.any.sa_family == AF_UNIX)
		put_unix(l, s.un.sun_path,
			 have > offsetof(struct sockaddr_un, sun_path) ? have - offsetof(struct sockaddr_un, sun_path) : 0);
	else
		put(l, "family %u", s.any.sa_family);
}

static void put_signal(struct line *l, int64_t signal)
{
	const char *name = signal > 0 && signal < NSIG ? sigabbrev_np((int)signal) : NULL;

	if (name)
		put(l, "SIG%s", name);
	else
		put(l, "%lld", (long long)signal);
}

static void put_arg(struct line *l, const struct arg_decoder *d, const struct probe_event *ev, uint32_t i)
{
	uint64_t v = ev->args[i];

	switch (d->kind) {
	case ARG_NONE:
		break;
	case ARG_DEC:
	case ARG_FD:
		put(l, "%d", (int)v);
		break;
	case ARG_DIRFD:
		put(l, (int)v == AT_FDCWD ? "AT_FDCWD" : "%d", (int)v);
		break;
	case ARG_SIZE:
		put(l, "%llu", (unsigned long long)v);
		break;
	case ARG_HEX:
		put(l, "0x%llx", (unsigned long long)v);
		break;
	case ARG_OCTAL:
	case ARG_MODE:
		put(l, "0%llo", (unsigned long long)v);
		break;
	case ARG_PTR:
		put(l, v ? "0x%llx" : "NULL", (unsigned long long)v);
		break;
	case ARG_FLAGS:
		put_flags(l, d->flags, v);
		break;
	case ARG_STR:
		put_str(l, ev, v);
		break;
	case ARG_TIMESPEC:
		put_timespec(l, ev, v);
		break;
	case ARG_SOCKADDR:
		put_sockaddr(l, ev, v, i < 5 ? ev->args[i + 1] : 0);
		break;
	case ARG_MSEC:
		put(l, (int)v < 0 ? "for ever" : "%dms", (int)v);
		break;
	case ARG_SIGNAL:
		put_signal(l, (int)v);
		break;
	}
}

static bool creates(uint64_t open_flags)
{
	return open_flags & O_CREAT || (open_flags & O_TMPFILE) == O_TMPFILE;
}

const struct syscall_decoder *decoder_find(const char *name)
{
	for (size_t i = 0; i < syscall_decoders_len; i++)
		if (!strcmp(syscall_decoders[i].name, name))
			return &syscall_decoders[i];
	return NULL;
}

struct text decode_args(struct arena *a, const struct syscall_decoder *d, const struct probe_event *ev)
{
	static const struct arg_decoder hex = { .kind = ARG_HEX };
	struct line l = { .len = 0 };

	for (uint32_t i = 0; i < 6; i++) {
		if (d && (d->args[i].kind == ARG_NONE || (d->args[i].kind == ARG_MODE && !creates(ev->args[i - 1]))))
			break;
		if (i)
			put(&l, ", ");
		put_arg(&l, d ? &d->args[i] : &hex, ev, i);
	}
	return text_clean(a, l.bytes, l.len);
}
