/* The calls that matter in incidents, argument by argument; data only. */
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/attr.h"
#include "collectors/syscalls/decode.h"

#define NAME(x) { (uint64_t)(x), #x }
#define SET(set, mask)                             \
	static const struct flag_set set = {       \
		.choice = (mask),                  \
		.names = set##_names,              \
		.n = ARRAY_LEN(set##_names),       \
	}

static const struct flag_name open_flags_names[] = {
	NAME(O_RDONLY), NAME(O_WRONLY), NAME(O_RDWR), NAME(O_CREAT), NAME(O_EXCL), NAME(O_NOCTTY), NAME(O_TRUNC),
	NAME(O_APPEND), NAME(O_NONBLOCK), { __O_TMPFILE | O_DIRECTORY, "O_TMPFILE" }, { 04010000, "O_SYNC" },
	{ 010000, "O_DSYNC" }, NAME(O_DIRECT), { 0100000, "O_LARGEFILE" }, NAME(O_DIRECTORY), NAME(O_NOFOLLOW),
	NAME(O_NOATIME), NAME(O_CLOEXEC), NAME(O_PATH),
};
SET(open_flags, O_ACCMODE);

static const struct flag_name at_flags_names[] = {
	{ AT_SYMLINK_NOFOLLOW, "AT_SYMLINK_NOFOLLOW" }, { AT_EMPTY_PATH, "AT_EMPTY_PATH" },
	{ AT_NO_AUTOMOUNT, "AT_NO_AUTOMOUNT" },
};
SET(at_flags, 0);

static const struct flag_name unlink_flags_names[] = { NAME(AT_REMOVEDIR) };
SET(unlink_flags, 0);

static const struct flag_name access_modes_names[] = { NAME(F_OK), NAME(R_OK), NAME(W_OK), NAME(X_OK) };
SET(access_modes, 0);

static const struct flag_name futex_ops_names[] = {
	NAME(FUTEX_WAIT), NAME(FUTEX_WAKE), NAME(FUTEX_FD), NAME(FUTEX_REQUEUE), NAME(FUTEX_CMP_REQUEUE),
	NAME(FUTEX_WAKE_OP), NAME(FUTEX_LOCK_PI), NAME(FUTEX_UNLOCK_PI), NAME(FUTEX_TRYLOCK_PI),
	NAME(FUTEX_WAIT_BITSET), NAME(FUTEX_WAKE_BITSET), NAME(FUTEX_WAIT_REQUEUE_PI), NAME(FUTEX_CMP_REQUEUE_PI),
	{ FUTEX_PRIVATE_FLAG, "PRIVATE" }, { FUTEX_CLOCK_REALTIME, "CLOCK_REALTIME" },
};
SET(futex_ops, 127);

static const struct flag_name domains_names[] = { NAME(AF_UNSPEC), NAME(AF_UNIX), NAME(AF_INET), NAME(AF_INET6),
						  NAME(AF_NETLINK), NAME(AF_PACKET), NAME(AF_VSOCK) };
SET(domains, ~UINT64_C(0));

static const struct flag_name socket_types_names[] = { NAME(SOCK_STREAM), NAME(SOCK_DGRAM), NAME(SOCK_RAW),
						       NAME(SOCK_SEQPACKET), NAME(SOCK_NONBLOCK),
						       NAME(SOCK_CLOEXEC) };
SET(socket_types, 15);

static const struct flag_name msg_flags_names[] = { NAME(MSG_DONTWAIT), NAME(MSG_NOSIGNAL), NAME(MSG_PEEK),
						    NAME(MSG_WAITALL), NAME(MSG_TRUNC), NAME(MSG_MORE),
						    NAME(MSG_OOB), NAME(MSG_ERRQUEUE) };
SET(msg_flags, 0);

static const struct flag_name prot_names[] = { NAME(PROT_NONE), NAME(PROT_READ), NAME(PROT_WRITE), NAME(PROT_EXEC) };
SET(prot, 0);

static const struct flag_name map_flags_names[] = {
	NAME(MAP_SHARED), NAME(MAP_PRIVATE), NAME(MAP_SHARED_VALIDATE), NAME(MAP_FIXED), NAME(MAP_ANONYMOUS),
	NAME(MAP_GROWSDOWN), NAME(MAP_LOCKED), NAME(MAP_NORESERVE), NAME(MAP_POPULATE), NAME(MAP_NONBLOCK),
	NAME(MAP_STACK), NAME(MAP_HUGETLB),
};
SET(map_flags, 3);

static const struct flag_name advice_names[] = { NAME(MADV_NORMAL), NAME(MADV_RANDOM), NAME(MADV_SEQUENTIAL),
						 NAME(MADV_WILLNEED), NAME(MADV_DONTNEED), NAME(MADV_FREE),
						 NAME(MADV_HUGEPAGE), NAME(MADV_NOHUGEPAGE) };
SET(advice, ~UINT64_C(0));

static const struct flag_name flock_ops_names[] = { NAME(LOCK_SH), NAME(LOCK_EX), NAME(LOCK_UN), NAME(LOCK_NB) };
SET(flock_ops, 0);

static const struct flag_name fcntl_cmds_names[] = {
	NAME(F_DUPFD), NAME(F_GETFD), NAME(F_SETFD), NAME(F_GETFL), NAME(F_SETFL), NAME(F_GETLK), NAME(F_SETLK),
	NAME(F_SETLKW), NAME(F_DUPFD_CLOEXEC),
};
SET(fcntl_cmds, ~UINT64_C(0));

static const struct flag_name wait_options_names[] = { NAME(WNOHANG), NAME(WUNTRACED), NAME(WCONTINUED) };
SET(wait_options, 0);

static const struct flag_name epoll_ops_names[] = { NAME(EPOLL_CTL_ADD), NAME(EPOLL_CTL_DEL), NAME(EPOLL_CTL_MOD) };
SET(epoll_ops, ~UINT64_C(0));

static const struct flag_name clocks_names[] = { { 0, "CLOCK_REALTIME" }, { 1, "CLOCK_MONOTONIC" },
						 { 7, "CLOCK_BOOTTIME" } };
SET(clocks, ~UINT64_C(0));

static const struct flag_name timer_flags_names[] = { { 1, "TIMER_ABSTIME" } };
SET(timer_flags, 0);

static const struct flag_name shut_how_names[] = { NAME(SHUT_RD), NAME(SHUT_WR), NAME(SHUT_RDWR) };
SET(shut_how, ~UINT64_C(0));

#define FLAGS(set) { ARG_FLAGS, &(set) }
#define FD { ARG_FD, 0 }
#define DIRFD { ARG_DIRFD, 0 }
#define DEC { ARG_DEC, 0 }
#define SIZE { ARG_SIZE, 0 }
#define PTR { ARG_PTR, 0 }
#define MODE { ARG_MODE, 0 }
#define OCTAL { ARG_OCTAL, 0 }
#define STR { ARG_STR, 0 }
#define TIMESPEC { ARG_TIMESPEC, 0 }
#define SOCKADDR { ARG_SOCKADDR, 0 }
#define MSEC { ARG_MSEC, 0 }
#define SIGNAL { ARG_SIGNAL, 0 }

const struct syscall_decoder syscall_decoders[] = {
	{ "read", { FD, PTR, SIZE }, 0, 0, false },
	{ "write", { FD, PTR, SIZE }, 0, 0, false },
	{ "readv", { FD, PTR, DEC }, 0, 0, false },
	{ "writev", { FD, PTR, DEC }, 0, 0, false },
	{ "pread64", { FD, PTR, SIZE, SIZE }, 0, 0, false },
	{ "pwrite64", { FD, PTR, SIZE, SIZE }, 0, 0, false },
	{ "open", { STR, FLAGS(open_flags), MODE }, 1, 0, false },
	{ "openat", { DIRFD, STR, FLAGS(open_flags), MODE }, 2, 0, false },
	{ "openat2", { DIRFD, STR, PTR, SIZE }, 2, 0, false },
	{ "creat", { STR, OCTAL }, 1, 0, false },
	{ "close", { FD }, 0, 0, false },
	{ "stat", { STR, PTR }, 1, 0, false },
	{ "lstat", { STR, PTR }, 1, 0, false },
	{ "newfstatat", { DIRFD, STR, PTR, FLAGS(at_flags) }, 2, 0, false },
	{ "statx", { DIRFD, STR, FLAGS(at_flags), { ARG_HEX, 0 }, PTR }, 2, 0, false },
	{ "access", { STR, FLAGS(access_modes) }, 1, 0, false },
	{ "faccessat", { DIRFD, STR, FLAGS(access_modes) }, 2, 0, false },
	{ "faccessat2", { DIRFD, STR, FLAGS(access_modes), FLAGS(at_flags) }, 2, 0, false },
	{ "readlink", { STR, PTR, SIZE }, 1, 0, false },
	{ "readlinkat", { DIRFD, STR, PTR, SIZE }, 2, 0, false },
	{ "unlink", { STR }, 1, 0, false },
	{ "unlinkat", { DIRFD, STR, FLAGS(unlink_flags) }, 2, 0, false },
	{ "rename", { STR, PTR }, 1, 0, false },
	{ "renameat2", { DIRFD, STR, DIRFD, PTR, { ARG_HEX, 0 } }, 2, 0, false },
	{ "mkdir", { STR, OCTAL }, 1, 0, false },
	{ "mkdirat", { DIRFD, STR, OCTAL }, 2, 0, false },
	{ "chdir", { STR }, 1, 0, false },
	{ "execve", { STR, PTR, PTR }, 1, 0, true },
	{ "execveat", { DIRFD, STR, PTR, PTR, FLAGS(at_flags) }, 2, 0, true },
	{ "fsync", { FD }, 0, 0, false },
	{ "fdatasync", { FD }, 0, 0, false },
	{ "ftruncate", { FD, SIZE }, 0, 0, false },
	{ "flock", { FD, FLAGS(flock_ops) }, 0, 0, false },
	{ "fcntl", { FD, FLAGS(fcntl_cmds), { ARG_HEX, 0 } }, 0, 0, false },
	{ "ioctl", { FD, { ARG_HEX, 0 }, { ARG_HEX, 0 } }, 0, 0, false },
	{ "getdents64", { FD, PTR, SIZE }, 0, 0, false },
	{ "socket", { FLAGS(domains), FLAGS(socket_types), DEC }, 0, 0, false },
	{ "connect", { FD, SOCKADDR, DEC }, 2, 110, false },
	{ "bind", { FD, SOCKADDR, DEC }, 2, 110, false },
	{ "listen", { FD, DEC }, 0, 0, false },
	{ "accept", { FD, PTR, PTR }, 0, 0, false },
	{ "accept4", { FD, PTR, PTR, FLAGS(socket_types) }, 0, 0, false },
	{ "sendto", { FD, PTR, SIZE, FLAGS(msg_flags), PTR, DEC }, 0, 0, false },
	{ "recvfrom", { FD, PTR, SIZE, FLAGS(msg_flags), PTR, PTR }, 0, 0, false },
	{ "sendmsg", { FD, PTR, FLAGS(msg_flags) }, 0, 0, false },
	{ "recvmsg", { FD, PTR, FLAGS(msg_flags) }, 0, 0, false },
	{ "shutdown", { FD, FLAGS(shut_how) }, 0, 0, false },
	{ "poll", { PTR, SIZE, MSEC }, 0, 0, false },
	{ "epoll_wait", { FD, PTR, DEC, MSEC }, 0, 0, false },
	{ "epoll_pwait", { FD, PTR, DEC, MSEC, PTR }, 0, 0, false },
	{ "epoll_ctl", { FD, FLAGS(epoll_ops), FD, PTR }, 0, 0, false },
	{ "futex", { PTR, FLAGS(futex_ops), DEC, PTR, PTR, DEC }, 0, 0, false },
	{ "nanosleep", { TIMESPEC, PTR }, 1, 16, false },
	{ "clock_nanosleep", { FLAGS(clocks), FLAGS(timer_flags), TIMESPEC, PTR }, 3, 16, false },
	{ "mmap", { PTR, SIZE, FLAGS(prot), FLAGS(map_flags), FD, { ARG_HEX, 0 } }, 0, 0, false },
	{ "munmap", { PTR, SIZE }, 0, 0, false },
	{ "mprotect", { PTR, SIZE, FLAGS(prot) }, 0, 0, false },
	{ "madvise", { PTR, SIZE, FLAGS(advice) }, 0, 0, false },
	{ "brk", { PTR }, 0, 0, false },
	{ "wait4", { DEC, PTR, FLAGS(wait_options), PTR }, 0, 0, false },
	{ "kill", { DEC, SIGNAL }, 0, 0, false },
	{ "tgkill", { DEC, DEC, SIGNAL }, 0, 0, false },
};
const size_t syscall_decoders_len = ARRAY_LEN(syscall_decoders);
