/*
 * What a probe's kernel half and its reader share: the four output shapes, the
 * filter and the loss counters. Plain kernel types, no padding left to chance.
 */
#ifndef BPF_PROBE_ABI_H
#define BPF_PROBE_ABI_H

#include <linux/types.h>

/** Filter set before the program is verified (.rodata.filter), so what is off costs nothing. */
struct probe_filter {
	__u32 tgid;      /* 0: every process */
	__u32 tid;       /* 0: every thread */
	__u32 self_tgid; /* rung itself: always left out */
	__u32 dev;       /* kernel dev_t (major << 20 | minor) of a block device; 0: every device */
	__u64 min_ns;    /* shorter ones are not emitted */
	__s32 nr;        /* one system call; -1: all */
	__u32 flags;     /* FILTER_* */
};

/* Filter flags: stream events; which argument (1-6, 0: none) points to what is copied, how long, when. */
#define FILTER_STREAM 0x80000000u
#define FILTER_AT_ENTER 0x40000000u           /* copied before the call: it replaces the memory */
#define FILTER_STR_ARG(flags) ((flags) & 7)
#define FILTER_STR_BYTES(flags) (((flags) >> 3) & 0xff) /* 0: a NUL-terminated string */

/** Loss counters, one per-CPU array "losses" in every probe. */
enum probe_loss { LOSS_RING, LOSS_MAP_FULL, LOSS_UNMATCHED, LOSS_NEGATIVE, LOSS_COUNT };

/** hist family: map "hists", log2 slots; slot i holds values v with 2^(i-1) <= v < 2^i, slot 0 holds 0. */
#define HIST_SLOTS 64
struct hist_key { __u64 id; };
struct hist { __u64 slot[HIST_SLOTS]; };

/** counts family: map "counts". */
struct counts_key { __u64 id; };
struct counts { __u64 count, errors, total_ns, max_ns; };

/** events family: ring buffer "events"; args hold the raw arguments, str what a pointer pointed to. */
#define EVENT_STR 160
struct probe_event {
	__u64 end_ns;    /* CLOCK_MONOTONIC */
	__u64 latency_ns;
	__u32 tgid, tid;
	__s64 ret;
	__u64 id;        /* tool-specific: system call number, device */
	__u64 args[6];
	char comm[16];
	__s32 str_len;   /* bytes read with the NUL, or -errno */
	__u32 str_arg;   /* which argument str belongs to */
	char str[EVENT_STR];
};

/** stacks family: map "stacks" by 64-bit hash. */
#define STACK_DEPTH 64
struct stack_entry { __u64 count, value; __u32 tgid, n_kernel, n_user, pad; char comm[16]; __u64 ip[STACK_DEPTH * 2]; };

#endif
