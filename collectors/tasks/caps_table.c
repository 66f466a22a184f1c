/* The features rung can use: what each serves, how it is tried, and what would make it work. */
#include "collectors/tasks/caps.h"

#include "base/attr.h"

const struct cap caps_table[] = {
	{ "bpf", "everything below that is a program", cap_bpf,
	  "a kernel with CONFIG_BPF_SYSCALL, not locked down" },
	{ "btf", "programs that fit themselves to the kernel", cap_btf,
	  "a kernel with CONFIG_DEBUG_INFO_BTF" },
	{ "ring buffer", "event streams", cap_ring_buffer, "Linux 5.8 or later" },
	{ "bpf statistics", "exact cost of programs", cap_bpf_stats, "Linux 5.8 or later" },
	{ "iterators", "process table, stuck threads", cap_iterator,
	  "Linux 5.8 or later with BTF" },
	{ "tracefs", "tracepoints", cap_tracefs, "mount -t tracefs tracefs /sys/kernel/tracing" },
	{ "tracepoint", "tools and one-liners on tracepoints", cap_tracepoint,
	  "a kernel with CONFIG_BPF_EVENTS, and tracefs" },
	{ "raw tracepoint", "tools at half the cost", cap_raw_tracepoint,
	  "Linux 4.17 or later with CONFIG_BPF_EVENTS" },
	{ "typed tracepoint", "tools that follow kernel pointers", cap_typed_tracepoint,
	  "Linux 5.5 or later with BTF" },
	{ "kprobe", "one-liners on any kernel function", cap_kprobe,
	  "a kernel with CONFIG_KPROBES and CONFIG_KPROBE_EVENTS" },
	{ "fentry", "kernel functions at the least cost", cap_fentry,
	  "a kernel with CONFIG_FUNCTION_TRACER and BPF trampolines" },
	{ "uprobe", "one-liners on functions of programs", cap_uprobe,
	  "a kernel with CONFIG_UPROBE_EVENTS" },
	{ "cpu clock", "the profile", cap_cpu_clock,
	  "a kernel with CONFIG_PERF_EVENTS and CONFIG_BPF_EVENTS" },
	{ "cpu cycles", "a profile without blind spots, counters", cap_cycles,
	  "a host or guest with a virtual performance monitoring unit" },
	{ "perf events", "profiles by users without privilege", cap_perf_paranoid,
	  "sysctl kernel.perf_event_paranoid=1" },
	{ "kernel addresses", "names in kernel stacks", cap_kernel_addresses,
	  "sysctl kernel.kptr_restrict=0, or root" },
	{ "all processes", "processes of other users", cap_all_processes,
	  "mount -o remount,hidepid=0 /proc, or root" },
	{ "syscalls of others", "stuck threads without BPF", cap_syscall_files, "CAP_SYS_PTRACE" },
	{ "pressure", "stall times on the glance", cap_pressure,
	  "a kernel with CONFIG_PSI, booted with psi=1" },
	{ "delay accounting", "I/O wait per process", cap_delay_accounting,
	  "sysctl kernel.task_delayacct=1" },
};
const size_t caps_table_len = ARRAY_LEN(caps_table);
