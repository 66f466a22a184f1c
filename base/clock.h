/* Clocks by name, in nanoseconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull

/** CLOCK_MONOTONIC: for all arithmetic. */
uint64_t clock_mono_ns(void);

/** CLOCK_BOOTTIME: what task start times are measured in. */
uint64_t clock_boot_ns(void);

/** CLOCK_REALTIME: for labels only. */
uint64_t clock_wall_ns(void);

/** CPU time of the calling thread. */
uint64_t clock_thread_cpu_ns(void);

/** CPU time of the whole process. */
uint64_t clock_process_cpu_ns(void);

#endif
