/* Names of kernel code: functions of the kernel, of modules and of BPF programs. */
#ifndef COLLECTORS_SYMBOLS_KSYMS_H
#define COLLECTORS_SYMBOLS_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ksyms;

/** Release; accepts NULL. */
void ksyms_free(struct ksyms *k);

/** Read /proc/kallsyms, about 45 ms: never on the way to a first frame. NULL with words; EPERM: addresses are hidden. */
struct ksyms *ksyms_new(struct err *e);

/** ksyms_new() from text of that form (copied), for captured hosts and tests. */
struct ksyms *ksyms_parse(const char *text, size_t len, struct err *e);

/**
 * The function that holds ip. Name and module are untrusted bytes borrowed from
 * k; module is NULL in the kernel proper and "bpf" for BPF programs. False when
 * ip is in no known code. Offset may be NULL, module too.
 */
bool ksyms_find(const struct ksyms *k, uint64_t ip, const char **name, uint64_t *offset, const char **module);

/** Functions known. */
uint32_t ksyms_len(const struct ksyms *k);

#endif
