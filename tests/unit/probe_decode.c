/* Arguments of system calls as people read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "collectors/syscalls/decode.h"
#include "collectors/syscalls/names.h"

static void expect(const char *call, const struct probe_event *ev, const char *text)
{
	struct arena a = { 0 };
	struct text t = decode_args(&a, call ? decoder_find(call) : NULL, ev);

	if (!text_is(t, text))
		fail_msg("%s: \"%.*s\" is not \"%s\"", call ? call : "unknown", TEXT_ARG(t), text);
	arena_fini(&a);
}

static struct probe_event with_str(const char *s)
{
	struct probe_event ev = { .str_len = (int)strlen(s) + 1 };

	memcpy(ev.str, s, strlen(s) + 1);
	return ev;
}

static void paths_and_flags(void **state)
{
	struct probe_event ev = with_str("/etc/passwd");
	(void)state;

	ev.args[0] = (uint64_t)AT_FDCWD;
	ev.args[1] = 0x7000;
	ev.args[2] = O_WRONLY | O_CREAT | O_TRUNC;
	ev.args[3] = 0644;
	expect("openat", &ev, "AT_FDCWD, \"/etc/passwd\", O_WRONLY|O_CREAT|O_TRUNC, 0644");
	/* The mode is garbage when nothing is created. */
	ev.args[2] = O_RDONLY;
	ev.args[3] = 0xffffffffffff;
	expect("openat", &ev, "AT_FDCWD, \"/etc/passwd\", O_RDONLY");
	ev.args[0] = 7;
	ev.args[2] = O_RDWR | (UINT64_C(1) << 40);
	expect("openat", &ev, "7, \"/etc/passwd\", O_RDWR|0x10000000000");
}

static void unreadable_is_said(void **state)
{
	struct probe_event ev = { .str_len = -EFAULT };
	(void)state;

	ev.args[0] = (uint64_t)AT_FDCWD;
	ev.args[1] = 0xdead;
	expect("openat", &ev, "AT_FDCWD, 0xdead (unreadable), O_RDONLY");
	ev.args[1] = 0;
	expect("openat", &ev, "AT_FDCWD, NULL, O_RDONLY");
}

static void strings_cannot_break_out(void **state)
{
	struct probe_event ev = with_str("a\"b\\c\n\033[2J\x7f");
	(void)state;

	expect("unlink", &ev, "\"a\\\"b\\\\c\\x0a\\x1b[2J\\x7f\"");
	memset(ev.str, 'x', EVENT_STR);
	ev.str[EVENT_STR - 1] = 0;
	ev.str_len = EVENT_STR;
	struct arena a = { 0 };
	struct text t = decode_args(&a, decoder_find("unlink"), &ev);
	assert_int_equal(t.len, EVENT_STR - 1 + 2 + 3); /* quotes and dots: it was cut */
	assert_memory_equal(t.utf8 + t.len - 4, "\"...", 4);
	arena_fini(&a);
}

static void addresses(void **state)
{
	struct probe_event ev = { .str_len = 110 };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(443) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(1), .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	(void)state;

	assert_int_equal(inet_pton(AF_INET, "10.1.2.3", &in.sin_addr), 1);
	ev.args[0] = 3;
	ev.args[1] = 0x1000;
	ev.args[2] = sizeof(in);
	memcpy(ev.str, &in, sizeof(in));
	expect("connect", &ev, "3, 10.1.2.3:443, 16");
	ev.args[2] = sizeof(in6);
	memcpy(ev.str, &in6, sizeof(in6));
	expect("connect", &ev, "3, [::1]:1, 28");
	ev.args[2] = sizeof(un);
	memcpy(ev.str, &un, sizeof(un));
	expect("connect", &ev, "3, unix /run/x, 110");
	memcpy(ev.str + 2, "\0abstract", 9);
	ev.args[2] = 2 + 9;
	expect("connect", &ev, "3, unix @abstract, 11");
	ev.args[2] = 1; /* shorter than a family */
	expect("connect", &ev, "3, 0x1000 (too short), 1");
}

static void the_rest(void **state)
{
	struct probe_event ev = { .args = { 0x1000, 128 | 0, 2 } };
	(void)state;

	expect("futex", &ev, "0x1000, FUTEX_WAIT|PRIVATE, 2, NULL, NULL, 0");
	ev = (struct probe_event){ .args = { 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1 } };
	expect("mmap", &ev, "NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0x0");
	ev.args[2] = PROT_NONE;
	expect("mprotect", &ev, "NULL, 4096, PROT_NONE");
	ev = (struct probe_event){ .args = { 12, SIGTERM } };
	expect("kill", &ev, "12, SIGTERM");
	ev = (struct probe_event){ .args = { 4, 0, 64, (uint64_t)-1 } };
	expect("epoll_wait", &ev, "4, NULL, 64, for ever");
	ev = (struct probe_event){ .args = { 1, 2, 3, 4, 5, 0xff } };
	expect(NULL, &ev, "0x1, 0x2, 0x3, 0x4, 0x5, 0xff");
}

static void every_decoder_is_of_a_call(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscall_decoders_len; i++) {
		const struct syscall_decoder *d = &syscall_decoders[i];
#if defined(__x86_64__)
		if (syscall_nr(d->name) < 0)
			fail_msg("%s is no system call", d->name);
#endif
		assert_ptr_equal(decoder_find(d->name), d); /* named once */
		assert_true(d->copy_arg <= 6);
		assert_true(d->copy_bytes <= EVENT_STR);
		if (d->copy_arg) {
			enum arg_kind k = d->args[d->copy_arg - 1].kind;
			assert_true(d->copy_bytes ? k == ARG_TIMESPEC || k == ARG_SOCKADDR : k == ARG_STR);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_and_flags),    cmocka_unit_test(unreadable_is_said),
		cmocka_unit_test(strings_cannot_break_out), cmocka_unit_test(addresses),
		cmocka_unit_test(the_rest),           cmocka_unit_test(every_decoder_is_of_a_call),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
