/* What the readers of the shapes share: keys as text, and the maps of bespoke programs. */
#ifndef COLLECTORS_PROBES_FAMILY_H
#define COLLECTORS_PROBES_FAMILY_H

#include <errno.h>

#include "collectors/probes/probe.h"
#include "lang/lang.h"

/** A key for people: the tool's name of an id, or the parts of a bespoke map's key; empty when there is one value. */
struct text family_key_text(struct arena *a, const struct probe_run *run, const struct lang_map *map,
			    const void *key, uint32_t key_bytes);

/** Identity of a key within a probe, to find its count of the reading before. */
uint64_t family_key_hash(const struct lang_map *map, const void *key, uint32_t key_bytes);

/** Rows of one hist() map of a bespoke program. */
int family_read_hist_map(struct probe_run *run, const struct lang_map *map, int fd, struct frame_builder *b,
			 struct err *e);

/** Rows of one counting, summing or plain map of a bespoke program. */
int family_read_count_map(struct probe_run *run, const struct lang_map *map, int fd, struct frame_builder *b,
			  struct err *e);

/** Rows of all maps of a bespoke program, each in its own shape. */
int family_read_program(struct probe_run *run, struct frame_builder *b, struct err *e);

/** Queue of events between the kernel's ring buffer and the frame; NULL with words on failure. */
struct event_queue *event_queue_new(int ring_fd, struct err *e);
/** Free it; accepts NULL. */
void event_queue_free(struct event_queue *q);

#endif
