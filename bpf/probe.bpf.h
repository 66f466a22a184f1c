/*
 * What every tool's kernel half is made of: the filter, the loss counters, the
 * scratch maps and the output of the shapes. A tool declares only the shape it
 * asks for: PROBE_HIST, PROBE_COUNTS, PROBE_COUNTS_BELOW(n) or PROBE_EVENTS.
 */
#ifndef BPF_PROBE_BPF_H
#define BPF_PROBE_BPF_H

#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/probe_abi.h"

char LICENSE[] SEC("license") = "GPL";

/** Set by the loader before the program is verified, so what is off costs nothing. */
const volatile struct probe_filter filter SEC(".rodata.filter") = { .nr = -1 };

/** Loss counters by enum probe_loss. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOSS_COUNT);
	__type(key, __u32);
	__type(value, __u64);
} losses SEC(".maps");

static __always_inline void lose(__u32 kind)
{
	__u64 *n = bpf_map_lookup_elem(&losses, &kind);

	if (n)
		*n += 1;
}

/** True when the filter lets this thread through; rung itself never passes. */
static __always_inline bool wants(__u32 tgid, __u32 tid)
{
	if (filter.tid)
		return tid == filter.tid;
	if (filter.tgid)
		return tgid == filter.tgid;
	return tgid != filter.self_tgid;
}

/** A value kept from one event to the next by key; entries are sized by the loader. */
#define PROBE_SCRATCH(name, key_t, value_t)      \
	struct {                                 \
		__uint(type, BPF_MAP_TYPE_HASH); \
		__uint(max_entries, 16384);      \
		__type(key, key_t);              \
		__type(value, value_t);          \
	} name SEC(".maps")

/** A value kept with each thread, freed with it. */
#define PROBE_THREAD_SCRATCH(name, value_t)              \
	struct {                                         \
		__uint(type, BPF_MAP_TYPE_TASK_STORAGE); \
		__uint(map_flags, BPF_F_NO_PREALLOC);    \
		__type(key, int);                        \
		__type(value, value_t);                  \
	} name SEC(".maps")

static __always_inline __u32 log2_slot(__u64 v)
{
	__u32 slot = 0;

	if (!v)
		return 0;
	if (v >> 32) { v >>= 32; slot += 32; }
	if (v >> 16) { v >>= 16; slot += 16; }
	if (v >> 8) { v >>= 8; slot += 8; }
	if (v >> 4) { v >>= 4; slot += 4; }
	if (v >> 2) { v >>= 2; slot += 2; }
	if (v >> 1) { slot += 1; }
	return slot + 1 < HIST_SLOTS ? slot + 1 : HIST_SLOTS - 1;
}

/** The histograms, one per id, and `hist_add(id, value)`. */
#define PROBE_HIST                                                                      \
	struct {                                                                        \
		__uint(type, BPF_MAP_TYPE_PERCPU_HASH);                                 \
		__uint(max_entries, 256);                                               \
		__type(key, struct hist_key);                                           \
		__type(value, struct hist);                                             \
	} hists SEC(".maps");                                                           \
	static const struct hist hist_zero;                                             \
	static __always_inline void hist_add(__u64 id, __u64 value)                     \
	{                                                                               \
		struct hist_key key = { .id = id };                                     \
		struct hist *h = bpf_map_lookup_elem(&hists, &key);                     \
		if (!h) {                                                               \
			bpf_map_update_elem(&hists, &key, &hist_zero, BPF_NOEXIST);     \
			h = bpf_map_lookup_elem(&hists, &key);                          \
		}                                                                       \
		if (h)                                                                  \
			h->slot[log2_slot(value) & (HIST_SLOTS - 1)] += 1;              \
		else                                                                    \
			lose(LOSS_MAP_FULL);                                            \
	}                                                                               \
	struct probe_ends_here

static __always_inline void counts_sum(struct counts *c, bool is_error, __u64 ns)
{
	c->count += 1;
	c->errors += is_error;
	c->total_ns += ns;
	if (ns > c->max_ns)
		c->max_ns = ns;
}

/** The counts, one row per id, and `counts_add(id, is_error, ns)`. */
#define PROBE_COUNTS                                                                    \
	struct {                                                                        \
		__uint(type, BPF_MAP_TYPE_PERCPU_HASH);                                 \
		__uint(max_entries, 10240);                                             \
		__type(key, struct counts_key);                                         \
		__type(value, struct counts);                                           \
	} counts SEC(".maps");                                                          \
	static const struct counts counts_zero;                                         \
	static __always_inline void counts_add(__u64 id, bool is_error, __u64 ns)       \
	{                                                                               \
		struct counts_key key = { .id = id };                                   \
		struct counts *c = bpf_map_lookup_elem(&counts, &key);                  \
		if (!c) {                                                               \
			bpf_map_update_elem(&counts, &key, &counts_zero, BPF_NOEXIST);  \
			c = bpf_map_lookup_elem(&counts, &key);                         \
		}                                                                       \
		if (c)                                                                  \
			counts_sum(c, is_error, ns);                                    \
		else                                                                    \
			lose(LOSS_MAP_FULL);                                            \
	}                                                                               \
	struct probe_ends_here

/** As PROBE_COUNTS with a short cut for ids below n: `counts_add_small()`. */
#define PROBE_COUNTS_BELOW(n)                                                           \
	PROBE_COUNTS;                                                                   \
	struct {                                                                        \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);                                \
		__uint(max_entries, n);                                                 \
		__type(key, __u32);                                                     \
		__type(value, struct counts);                                           \
	} counts_small SEC(".maps");                                                    \
	static __always_inline void counts_add_small(__u64 id, bool is_error, __u64 ns) \
	{                                                                               \
		__u32 at = (__u32)id;                                                   \
		struct counts *c = id < (n) ? bpf_map_lookup_elem(&counts_small, &at) : 0; \
		if (c)                                                                  \
			counts_sum(c, is_error, ns);                                    \
		else                                                                    \
			counts_add(id, is_error, ns);                                   \
	}                                                                               \
	struct probe_ends_here

/** The stream of events; nobody is woken per event. */
#define PROBE_EVENTS                                \
	struct {                                    \
		__uint(type, BPF_MAP_TYPE_RINGBUF); \
		__uint(max_entries, 4 << 20);       \
	} events SEC(".maps")

#endif
