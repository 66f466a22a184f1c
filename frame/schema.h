/*
 * The one schema: every table of a frame, its columns, their units and meaning.
 * From it come the row structs, the session file's tables, the fixture text,
 * the export names and the column help. This is the tree's only X-macro.
 *
 * F(S, kind, name, unit, help): S is the section's upper-case name, kind one of
 * u32 u64 i64 f64 text. A value that is not known holds U32_UNKNOWN,
 * U64_UNKNOWN, I64_UNKNOWN, NaN or TEXT_UNKNOWN, never 0. Fields ending in
 * _total are counters since boot; rates beside them are made by the collector
 * from the previous frame over real elapsed monotonic time.
 */
#ifndef FRAME_SCHEMA_H
#define FRAME_SCHEMA_H

#define FRAME_HOST(F, S) \
	F(S, text, hostname, UNIT_NONE, "Name of the host") \
	F(S, text, kernel, UNIT_NONE, "Kernel release") \
	F(S, text, boot_id, UNIT_NONE, "Identity of this boot") \
	F(S, u32, cpus_online, UNIT_COUNT, "CPUs online") \
	F(S, u64, uptime_ns, UNIT_NS, "Time since boot") \
	F(S, f64, load1, UNIT_RATIO, "Load average, 1 minute") \
	F(S, f64, load5, UNIT_RATIO, "Load average, 5 minutes") \
	F(S, f64, load15, UNIT_RATIO, "Load average, 15 minutes") \
	F(S, u32, euid, UNIT_NONE, "Effective user id of rung")

#define FRAME_SYS(F, S) \
	F(S, u32, runnable, UNIT_COUNT, "Tasks running or waiting for a CPU") \
	F(S, u32, blocked, UNIT_COUNT, "Tasks blocked on I/O") \
	F(S, u32, processes, UNIT_COUNT, "Processes") \
	F(S, u32, threads, UNIT_COUNT, "Threads, kernel threads included") \
	F(S, u32, in_d, UNIT_COUNT, "Threads in uninterruptible sleep, idle kernel threads left out") \
	F(S, u32, zombies, UNIT_COUNT, "Processes exited and not reaped") \
	F(S, u64, ctxt_total, UNIT_COUNT, "Context switches since boot") \
	F(S, f64, ctxt_per_s, UNIT_PER_S, "Context switches") \
	F(S, u64, forks_total, UNIT_COUNT, "Forks since boot") \
	F(S, f64, forks_per_s, UNIT_PER_S, "Forks and thread creations") \
	F(S, u64, intr_total, UNIT_COUNT, "Interrupts since boot") \
	F(S, f64, intr_per_s, UNIT_PER_S, "Interrupts") \
	F(S, u64, softirq_total, UNIT_COUNT, "Softirqs since boot") \
	F(S, f64, softirq_per_s, UNIT_PER_S, "Softirqs")

/* Row 0 is all CPUs together (id unknown). The percentages sum to 100; guest is inside none of the others. */
#define FRAME_CPU(F, S) \
	F(S, u32, id, UNIT_NONE, "CPU number; unknown on the row of all CPUs") \
	F(S, f64, busy_pct, UNIT_PCT, "Not idle and not waiting for I/O; steal left out") \
	F(S, f64, user_pct, UNIT_PCT, "User code, guests left out") \
	F(S, f64, nice_pct, UNIT_PCT, "Niced user code, guests left out") \
	F(S, f64, system_pct, UNIT_PCT, "Kernel code") \
	F(S, f64, irq_pct, UNIT_PCT, "Interrupt handlers") \
	F(S, f64, softirq_pct, UNIT_PCT, "Softirq handlers") \
	F(S, f64, steal_pct, UNIT_PCT, "Wanted but given to another guest by the hypervisor") \
	F(S, f64, guest_pct, UNIT_PCT, "Running a virtual CPU, niced ones included") \
	F(S, f64, iowait_pct, UNIT_PCT, "Idle while a task of this CPU waits for a block device") \
	F(S, f64, idle_pct, UNIT_PCT, "Idle") \
	F(S, u64, user_ticks_total, UNIT_COUNT, "As in /proc/stat, guest included") \
	F(S, u64, nice_ticks_total, UNIT_COUNT, "As in /proc/stat, guest_nice included") \
	F(S, u64, system_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, idle_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, iowait_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, irq_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, softirq_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, steal_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, guest_ticks_total, UNIT_COUNT, "As in /proc/stat") \
	F(S, u64, guest_nice_ticks_total, UNIT_COUNT, "As in /proc/stat")

#define FRAME_PSI(F, S) \
	F(S, text, resource, UNIT_NONE, "cpu, memory, io or irq") \
	F(S, f64, some_pct, UNIT_PCT, "Time some task stalled, since the previous frame") \
	F(S, f64, full_pct, UNIT_PCT, "Time all tasks stalled, since the previous frame") \
	F(S, f64, some_avg10_pct, UNIT_PCT, "The kernel's 10 second average, some") \
	F(S, f64, full_avg10_pct, UNIT_PCT, "The kernel's 10 second average, full") \
	F(S, f64, some_avg60_pct, UNIT_PCT, "The kernel's 60 second average, some") \
	F(S, f64, full_avg60_pct, UNIT_PCT, "The kernel's 60 second average, full") \
	F(S, u64, some_ns_total, UNIT_NS, "Stalled time since boot, some") \
	F(S, u64, full_ns_total, UNIT_NS, "Stalled time since boot, full")

#define FRAME_MEM(F, S) \
	F(S, u64, total_bytes, UNIT_BYTES, "Usable memory") \
	F(S, u64, available_bytes, UNIT_BYTES, "Can be had without swapping (MemAvailable)") \
	F(S, f64, used_pct, UNIT_PCT, "Not available, of total") \
	F(S, u64, free_bytes, UNIT_BYTES, "Unused") \
	F(S, u64, buffers_bytes, UNIT_BYTES, "Block device cache") \
	F(S, u64, cached_bytes, UNIT_BYTES, "Page cache, shmem included") \
	F(S, u64, anon_bytes, UNIT_BYTES, "Anonymous pages") \
	F(S, u64, shmem_bytes, UNIT_BYTES, "Shared memory and tmpfs") \
	F(S, u64, mapped_bytes, UNIT_BYTES, "Mapped file pages") \
	F(S, u64, slab_bytes, UNIT_BYTES, "Kernel object caches") \
	F(S, u64, slab_unreclaimable_bytes, UNIT_BYTES, "Kernel objects that cannot be dropped") \
	F(S, u64, page_tables_bytes, UNIT_BYTES, "Page tables") \
	F(S, u64, dirty_bytes, UNIT_BYTES, "Waiting to be written") \
	F(S, u64, writeback_bytes, UNIT_BYTES, "Being written") \
	F(S, u64, committed_bytes, UNIT_BYTES, "Promised (Committed_AS)") \
	F(S, u64, swap_total_bytes, UNIT_BYTES, "Swap space") \
	F(S, u64, swap_free_bytes, UNIT_BYTES, "Swap space unused") \
	F(S, u64, hugepages_bytes, UNIT_BYTES, "Reserved as huge pages") \
	F(S, u64, swap_in_pages_total, UNIT_COUNT, "Pages read from swap since boot") \
	F(S, f64, swap_in_bytes_per_s, UNIT_BYTES_PER_S, "Read from swap") \
	F(S, u64, swap_out_pages_total, UNIT_COUNT, "Pages written to swap since boot") \
	F(S, f64, swap_out_bytes_per_s, UNIT_BYTES_PER_S, "Written to swap") \
	F(S, u64, major_faults_total, UNIT_COUNT, "Faults that read a device, since boot") \
	F(S, f64, major_faults_per_s, UNIT_PER_S, "Faults that read a device") \
	F(S, u64, faults_total, UNIT_COUNT, "All page faults since boot") \
	F(S, f64, faults_per_s, UNIT_PER_S, "All page faults") \
	F(S, u64, scan_kswapd_total, UNIT_COUNT, "Pages scanned by kswapd since boot") \
	F(S, f64, scan_kswapd_per_s, UNIT_PER_S, "Pages scanned by kswapd") \
	F(S, u64, scan_direct_total, UNIT_COUNT, "Pages scanned by allocating tasks since boot") \
	F(S, f64, scan_direct_per_s, UNIT_PER_S, "Pages scanned by allocating tasks (direct reclaim)") \
	F(S, u64, alloc_stall_total, UNIT_COUNT, "Allocations that had to reclaim, since boot") \
	F(S, f64, alloc_stall_per_s, UNIT_PER_S, "Allocations that had to reclaim") \
	F(S, u64, oom_kills_total, UNIT_COUNT, "OOM kills since boot") \
	F(S, u64, oom_kills, UNIT_COUNT, "OOM kills since rung started")

#define FRAME_DISK(F, S) \
	F(S, text, name, UNIT_NONE, "Block device") \
	F(S, u32, major, UNIT_NONE, "Device major number") \
	F(S, u32, minor, UNIT_NONE, "Device minor number") \
	F(S, u32, is_partition, UNIT_NONE, "1 for a partition") \
	F(S, f64, util_pct, UNIT_PCT, "Time with a request in flight") \
	F(S, f64, queue, UNIT_RATIO, "Requests in flight, averaged over the interval") \
	F(S, u64, in_flight, UNIT_COUNT, "Requests in flight now") \
	F(S, f64, await_ns, UNIT_NS, "Time per request, all kinds") \
	F(S, f64, read_await_ns, UNIT_NS, "Time per read") \
	F(S, f64, write_await_ns, UNIT_NS, "Time per write") \
	F(S, f64, flush_await_ns, UNIT_NS, "Time per flush") \
	F(S, f64, read_per_s, UNIT_PER_S, "Reads") \
	F(S, f64, write_per_s, UNIT_PER_S, "Writes") \
	F(S, f64, discard_per_s, UNIT_PER_S, "Discards") \
	F(S, f64, flush_per_s, UNIT_PER_S, "Flushes") \
	F(S, f64, read_bytes_per_s, UNIT_BYTES_PER_S, "Read") \
	F(S, f64, write_bytes_per_s, UNIT_BYTES_PER_S, "Written") \
	F(S, f64, read_merge_per_s, UNIT_PER_S, "Reads merged") \
	F(S, f64, write_merge_per_s, UNIT_PER_S, "Writes merged") \
	F(S, f64, read_size_bytes, UNIT_BYTES, "Average read") \
	F(S, f64, write_size_bytes, UNIT_BYTES, "Average write") \
	F(S, u64, reads_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, read_merges_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, read_sectors_total, UNIT_COUNT, "As in /proc/diskstats, 512 bytes each") \
	F(S, u64, read_ms_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, writes_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, write_merges_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, write_sectors_total, UNIT_COUNT, "As in /proc/diskstats, 512 bytes each") \
	F(S, u64, write_ms_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, busy_ms_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, queue_ms_total, UNIT_COUNT, "As in /proc/diskstats") \
	F(S, u64, discards_total, UNIT_COUNT, "As in /proc/diskstats; unknown before 4.18") \
	F(S, u64, discard_ms_total, UNIT_COUNT, "As in /proc/diskstats; unknown before 4.18") \
	F(S, u64, flushes_total, UNIT_COUNT, "As in /proc/diskstats; unknown before 5.5") \
	F(S, u64, flush_ms_total, UNIT_COUNT, "As in /proc/diskstats; unknown before 5.5")

#define FRAME_NET(F, S) \
	F(S, text, name, UNIT_NONE, "Network interface") \
	F(S, text, operstate, UNIT_NONE, "up, down, unknown") \
	F(S, u64, speed_bits_per_s, UNIT_COUNT, "Link speed; unknown for most virtual links") \
	F(S, f64, util_pct, UNIT_PCT, "Busier direction against the link speed") \
	F(S, f64, rx_bytes_per_s, UNIT_BYTES_PER_S, "Received") \
	F(S, f64, tx_bytes_per_s, UNIT_BYTES_PER_S, "Sent") \
	F(S, f64, rx_packets_per_s, UNIT_PER_S, "Packets received") \
	F(S, f64, tx_packets_per_s, UNIT_PER_S, "Packets sent") \
	F(S, f64, rx_errors_per_s, UNIT_PER_S, "Receive errors") \
	F(S, f64, tx_errors_per_s, UNIT_PER_S, "Send errors") \
	F(S, f64, rx_drops_per_s, UNIT_PER_S, "Packets dropped on receive") \
	F(S, f64, tx_drops_per_s, UNIT_PER_S, "Packets dropped on send") \
	F(S, f64, rx_overruns_per_s, UNIT_PER_S, "Receive ring overruns") \
	F(S, u64, rx_bytes_total, UNIT_BYTES, "As in /proc/net/dev") \
	F(S, u64, tx_bytes_total, UNIT_BYTES, "As in /proc/net/dev") \
	F(S, u64, rx_packets_total, UNIT_COUNT, "As in /proc/net/dev") \
	F(S, u64, tx_packets_total, UNIT_COUNT, "As in /proc/net/dev") \
	F(S, u64, rx_errors_total, UNIT_COUNT, "As in /proc/net/dev") \
	F(S, u64, tx_errors_total, UNIT_COUNT, "As in /proc/net/dev") \
	F(S, u64, rx_drops_total, UNIT_COUNT, "As in /proc/net/dev") \
	F(S, u64, tx_drops_total, UNIT_COUNT, "As in /proc/net/dev") \
	F(S, u64, rx_overruns_total, UNIT_COUNT, "As in /proc/net/dev")

/* One row per protocol counter of /proc/net/snmp, netstat and softnet_stat that rung watches. */
#define FRAME_NETCOUNT(F, S) \
	F(S, text, name, UNIT_NONE, "Counter as the kernel names it, such as Tcp.RetransSegs") \
	F(S, u64, value_total, UNIT_COUNT, "Since boot, or the present level for CurrEstab") \
	F(S, f64, per_s, UNIT_PER_S, "Rate since the previous frame") \
	F(S, u32, is_error, UNIT_NONE, "1 when any rate above 0 is worth a look")

#define FRAME_LIMIT(F, S) \
	F(S, text, name, UNIT_NONE, "fds, pids, threads, conntrack, ...") \
	F(S, u64, used, UNIT_COUNT, "In use") \
	F(S, u64, max, UNIT_COUNT, "Limit") \
	F(S, f64, used_pct, UNIT_PCT, "In use, of the limit")

/* One row per process; identity is (tgid, start_ns). */
#define FRAME_TASK(F, S) \
	F(S, u32, tgid, UNIT_NONE, "Process id") \
	F(S, u64, start_ns, UNIT_NS, "Start, since boot: with tgid the identity") \
	F(S, u32, ppid, UNIT_NONE, "Parent process id") \
	F(S, u32, uid, UNIT_NONE, "Effective user id") \
	F(S, u32, state, UNIT_CHAR, "R S D Z T I as ps shows it, of the main thread") \
	F(S, text, comm, UNIT_NONE, "Command name") \
	F(S, text, cmdline, UNIT_NONE, "Command line; unknown until the helper has read it") \
	F(S, text, cgroup, UNIT_NONE, "Control group path") \
	F(S, u32, is_kthread, UNIT_NONE, "1 for a kernel thread") \
	F(S, u32, threads, UNIT_COUNT, "Threads") \
	F(S, u32, threads_running, UNIT_COUNT, "Threads running or runnable") \
	F(S, u32, threads_in_d, UNIT_COUNT, "Threads in uninterruptible sleep") \
	F(S, f64, cpu_pct, UNIT_PCT, "CPU time; 100 is one CPU") \
	F(S, f64, user_pct, UNIT_PCT, "CPU time in user code") \
	F(S, f64, system_pct, UNIT_PCT, "CPU time in the kernel") \
	F(S, f64, runq_pct, UNIT_PCT, "Time threads waited for a CPU; 100 is one thread always waiting") \
	F(S, f64, io_wait_pct, UNIT_PCT, "Time threads waited for block I/O") \
	F(S, u64, rss_bytes, UNIT_BYTES, "Resident memory") \
	F(S, f64, rss_bytes_per_s, UNIT_BYTES_PER_S, "Growth of resident memory; negative when it shrinks") \
	F(S, u64, virtual_bytes, UNIT_BYTES, "Address space") \
	F(S, u64, swap_bytes, UNIT_BYTES, "Swapped out") \
	F(S, f64, read_bytes_per_s, UNIT_BYTES_PER_S, "Read from storage") \
	F(S, f64, write_bytes_per_s, UNIT_BYTES_PER_S, "Sent to storage") \
	F(S, f64, major_faults_per_s, UNIT_PER_S, "Faults that read a device") \
	F(S, f64, switches_per_s, UNIT_PER_S, "Context switches") \
	F(S, u32, last_cpu, UNIT_NONE, "CPU it ran on last") \
	F(S, i64, nice, UNIT_NONE, "Nice value") \
	F(S, u64, cpu_ns_total, UNIT_NS, "CPU time since start") \
	F(S, u64, user_ns_total, UNIT_NS, "CPU time in user code since start") \
	F(S, u64, system_ns_total, UNIT_NS, "CPU time in the kernel since start") \
	F(S, u64, runq_ns_total, UNIT_NS, "Waited for a CPU since start") \
	F(S, u64, io_wait_ns_total, UNIT_NS, "Waited for block I/O since start; needs delay accounting") \
	F(S, u64, read_bytes_total, UNIT_BYTES, "Read from storage since start") \
	F(S, u64, write_bytes_total, UNIT_BYTES, "Sent to storage since start") \
	F(S, u64, major_faults_total, UNIT_COUNT, "Faults that read a device since start") \
	F(S, u64, switches_total, UNIT_COUNT, "Context switches since start")

/* Threads of the process in focus. */
#define FRAME_THREAD(F, S) \
	F(S, u32, tid, UNIT_NONE, "Thread id") \
	F(S, u32, tgid, UNIT_NONE, "Process id") \
	F(S, u64, start_ns, UNIT_NS, "Start, since boot") \
	F(S, text, comm, UNIT_NONE, "Thread name") \
	F(S, u32, state, UNIT_CHAR, "R S D Z T I as ps shows it") \
	F(S, f64, cpu_pct, UNIT_PCT, "CPU time; 100 is one CPU") \
	F(S, f64, user_pct, UNIT_PCT, "CPU time in user code") \
	F(S, f64, system_pct, UNIT_PCT, "CPU time in the kernel") \
	F(S, f64, runq_pct, UNIT_PCT, "Time waiting for a CPU") \
	F(S, f64, switches_per_s, UNIT_PER_S, "Context switches") \
	F(S, u32, last_cpu, UNIT_NONE, "CPU it ran on last") \
	F(S, u64, cpu_ns_total, UNIT_NS, "CPU time since start") \
	F(S, u64, user_ns_total, UNIT_NS, "CPU time in user code since start") \
	F(S, u64, system_ns_total, UNIT_NS, "CPU time in the kernel since start") \
	F(S, u64, runq_ns_total, UNIT_NS, "Waited for a CPU since start") \
	F(S, u64, switches_total, UNIT_COUNT, "Context switches since start")

/* Every blocked thread of the host in D, or of the process in focus in any sleep. */
#define FRAME_STUCK(F, S) \
	F(S, u32, tid, UNIT_NONE, "Thread id") \
	F(S, u32, tgid, UNIT_NONE, "Process id") \
	F(S, u64, start_ns, UNIT_NS, "Start of the process, since boot") \
	F(S, text, comm, UNIT_NONE, "Thread name") \
	F(S, u32, state, UNIT_CHAR, "R S D as ps shows it") \
	F(S, i64, syscall_nr, UNIT_NONE, "System call number; unknown outside one") \
	F(S, text, syscall, UNIT_NONE, "System call with decoded arguments") \
	F(S, u64, waited_ns, UNIT_NS, "Waiting for at least this long") \
	F(S, text, object, UNIT_NONE, "What it waits for: file, pipe, socket, futex") \
	F(S, text, stack, UNIT_NONE, "Kernel frames, innermost first, separated by ;")

/* Who creates processes: parents with the most forks in the interval. */
#define FRAME_FORK(F, S) \
	F(S, u32, tgid, UNIT_NONE, "Parent process id") \
	F(S, text, comm, UNIT_NONE, "Parent command name") \
	F(S, text, child_comm, UNIT_NONE, "Command name of its latest child") \
	F(S, f64, forks_per_s, UNIT_PER_S, "Processes created") \
	F(S, u64, forks_total, UNIT_COUNT, "Processes created since rung started")

#define FRAME_PROFSTAT(F, S) \
	F(S, text, event, UNIT_NONE, "cycles or cpu-clock") \
	F(S, text, method, UNIT_NONE, "How user stacks are walked") \
	F(S, text, scope, UNIT_NONE, "What is sampled") \
	F(S, f64, wanted_hz, UNIT_HZ, "Samples per second and CPU asked for") \
	F(S, f64, effective_hz, UNIT_HZ, "Samples per second and busy CPU had") \
	F(S, u64, samples, UNIT_COUNT, "Samples in the window") \
	F(S, u64, lost, UNIT_COUNT, "Samples lost in the window") \
	F(S, u64, throttled, UNIT_COUNT, "Times the kernel throttled the event") \
	F(S, f64, unresolved_pct, UNIT_PCT, "Samples without a symbol") \
	F(S, f64, truncated_pct, UNIT_PCT, "User stacks that did not reach their start")

#define FRAME_PROFILE(F, S) \
	F(S, text, symbol, UNIT_NONE, "Function") \
	F(S, text, object, UNIT_NONE, "Binary, library or [kernel]") \
	F(S, u32, is_kernel, UNIT_NONE, "1 for kernel code") \
	F(S, u32, tgid, UNIT_NONE, "Process with the most samples here") \
	F(S, text, comm, UNIT_NONE, "Its command name") \
	F(S, u64, samples, UNIT_COUNT, "Samples in the window") \
	F(S, f64, self_pct, UNIT_PCT, "Share of all samples in the window")

/* One row per running probe: ready-made tool or bespoke program. */
#define FRAME_PROBE(F, S) \
	F(S, u32, id, UNIT_NONE, "Number of the probe in this session") \
	F(S, text, name, UNIT_NONE, "Tool name; probe for a bespoke program") \
	F(S, text, scope, UNIT_NONE, "Scope as text, such as pid 4312") \
	F(S, text, family, UNIT_NONE, "hist, counts, events or stacks") \
	F(S, text, program, UNIT_NONE, "Text of a bespoke program") \
	F(S, text, state, UNIT_NONE, "running, stopped or failed") \
	F(S, text, why, UNIT_NONE, "Reason when it is not running") \
	F(S, text, unit, UNIT_NONE, "Unit of its values, such as ns") \
	F(S, u64, since_wall_ns, UNIT_WALL_NS, "Started at") \
	F(S, f64, events_per_s, UNIT_PER_S, "Times its programs ran") \
	F(S, f64, ns_per_event, UNIT_NS, "Kernel time per run, calibrated") \
	F(S, f64, cpu_pct, UNIT_PCT, "Cost; 100 is one CPU") \
	F(S, f64, predicted_cpu_pct, UNIT_PCT, "Cost estimated before it started") \
	F(S, u64, lost, UNIT_COUNT, "Events or map inserts lost since start") \
	F(S, u64, unmatched, UNIT_COUNT, "Ends without a start, or negative times, since start") \
	F(S, u64, memory_bytes, UNIT_BYTES, "Kernel memory of its maps")

/* Histogram slots, low inclusive, high exclusive; slots without samples are left out. */
#define FRAME_HIST(F, S) \
	F(S, u32, probe_id, UNIT_NONE, "Probe it belongs to") \
	F(S, text, name, UNIT_NONE, "Map name of a bespoke program") \
	F(S, text, key, UNIT_NONE, "Key; empty when there is one histogram") \
	F(S, u32, slot, UNIT_NONE, "Slot number") \
	F(S, i64, low, UNIT_NONE, "Lowest value of the slot") \
	F(S, i64, high, UNIT_NONE, "First value above the slot") \
	F(S, u64, count, UNIT_COUNT, "Values since the probe started") \
	F(S, u64, delta, UNIT_COUNT, "Values since the previous frame")

#define FRAME_COUNTS(F, S) \
	F(S, u32, probe_id, UNIT_NONE, "Probe it belongs to") \
	F(S, text, name, UNIT_NONE, "Map name of a bespoke program") \
	F(S, text, key, UNIT_NONE, "Key, such as the system call's name") \
	F(S, u64, count, UNIT_COUNT, "Occurrences since the probe started") \
	F(S, f64, per_s, UNIT_PER_S, "Occurrences since the previous frame") \
	F(S, u64, errors, UNIT_COUNT, "Failures among them") \
	F(S, i64, sum, UNIT_COUNT, "Sum of a bespoke program's values") \
	F(S, u64, total_ns, UNIT_NS, "Wall time together") \
	F(S, f64, avg_ns, UNIT_NS, "Wall time on average") \
	F(S, u64, max_ns, UNIT_NS, "Longest")

#define FRAME_EVENTS(F, S) \
	F(S, u32, probe_id, UNIT_NONE, "Probe it belongs to") \
	F(S, u64, seq, UNIT_NONE, "Order of arrival in this probe") \
	F(S, u64, wall_ns, UNIT_WALL_NS, "When it ended") \
	F(S, u32, tgid, UNIT_NONE, "Process id") \
	F(S, u32, tid, UNIT_NONE, "Thread id") \
	F(S, text, comm, UNIT_NONE, "Command name") \
	F(S, text, name, UNIT_NONE, "What happened, such as openat") \
	F(S, text, args, UNIT_NONE, "Decoded arguments") \
	F(S, i64, ret, UNIT_NONE, "Return value") \
	F(S, text, error, UNIT_NONE, "Name of the error, empty on success") \
	F(S, u64, latency_ns, UNIT_NS, "How long it took")

#define FRAME_STACKS(F, S) \
	F(S, u32, probe_id, UNIT_NONE, "Probe it belongs to") \
	F(S, text, stack, UNIT_NONE, "Frames, outermost first, separated by ;") \
	F(S, text, comm, UNIT_NONE, "Command name") \
	F(S, u64, count, UNIT_COUNT, "Times seen") \
	F(S, u64, value, UNIT_NONE, "Sum in the probe's unit")

/* What each collector, probe and thread of rung spends. */
#define FRAME_COST(F, S) \
	F(S, text, who, UNIT_NONE, "Collector or probe") \
	F(S, text, kind, UNIT_NONE, "collector, probe or thread") \
	F(S, text, state, UNIT_NONE, "running, off, over budget or failed") \
	F(S, text, why, UNIT_NONE, "Reason when it is not running") \
	F(S, u64, period_ns, UNIT_NS, "Sampled this often") \
	F(S, u64, self_ns_total, UNIT_NS, "CPU time since start") \
	F(S, u64, wall_ns_total, UNIT_NS, "Wall time since start") \
	F(S, u64, last_wall_ns, UNIT_NS, "Wall time of the latest run") \
	F(S, u64, runs, UNIT_COUNT, "Times run") \
	F(S, u64, overruns, UNIT_COUNT, "Runs longer than the period") \
	F(S, f64, events_per_s, UNIT_PER_S, "Kernel program runs") \
	F(S, f64, ns_per_event, UNIT_NS, "Kernel time per run, calibrated") \
	F(S, f64, cpu_pct, UNIT_PCT, "User and kernel time; 100 is one CPU") \
	F(S, u64, lost, UNIT_COUNT, "Events lost since start")

/* What this kernel and these privileges allow. */
#define FRAME_CAP(F, S) \
	F(S, text, name, UNIT_NONE, "Kernel feature or privilege") \
	F(S, u32, has, UNIT_NONE, "1 when it works here") \
	F(S, i64, errno_value, UNIT_NONE, "Error number the attempt gave") \
	F(S, text, why, UNIT_NONE, "What is missing") \
	F(S, text, fix, UNIT_NONE, "What would make it work")

#define FRAME_SECTIONS(S) \
	S(host, HOST) S(sys, SYS) S(cpu, CPU) S(psi, PSI) S(mem, MEM) S(disk, DISK) \
	S(net, NET) S(netcount, NETCOUNT) S(limit, LIMIT) S(task, TASK) \
	S(thread, THREAD) S(stuck, STUCK) S(fork, FORK) S(profstat, PROFSTAT) \
	S(profile, PROFILE) S(probe, PROBE) S(hist, HIST) S(counts, COUNTS) \
	S(events, EVENTS) S(stacks, STACKS) S(cost, COST) S(cap, CAP)

#endif
