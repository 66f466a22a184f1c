/* Fills a frame; the only way to make one. */
#ifndef FRAME_BUILDER_H
#define FRAME_BUILDER_H

#include "base/err.h"
#include "frame/frame.h"

struct frame_builder;

/** Start a frame that follows prev (a reference is taken; NULL for the first). Free or seal it. NULL: no memory. */
struct frame_builder *frame_builder_new(const struct frame *prev, uint64_t mono_ns, uint64_t wall_ns);

/** Abandon a frame that was not sealed; accepts NULL. */
void frame_builder_free(struct frame_builder *b);

/** Steal what was built and return the frame with one reference; the builder is freed. NULL: no memory. */
struct frame *frame_seal(struct frame_builder *b);

/** A new row with every field unknown; marks the section OK when it was OFF. NULL: no memory, section TRUNCATED. */
void *frame_add(struct frame_builder *b, enum frame_sec sec);

/** frame_add() with the row's own type: struct disk_row *d = FRAME_ADD(b, disk, DISK). */
#define FRAME_ADD(b, lower, UPPER) ((struct lower##_row *)frame_add((b), SEC_##UPPER))

/** Rows added so far, for sorting or completing them before the seal. */
void *frame_built(struct frame_builder *b, enum frame_sec sec, uint32_t *nrows);

/** Keep only the first n rows built. */
void frame_truncate(struct frame_builder *b, enum frame_sec sec, uint32_t nrows);

/** Set a section's state and the reason in words (cleaned; NULL fmt: no reason). */
PRINTF_LIKE(4, 5)
void frame_set_state(struct frame_builder *b, enum frame_sec sec, enum sec_state s, const char *fmt, ...);

/** Copy the previous frame's section as it was; no-op without a previous frame. */
void frame_carry(struct frame_builder *b, enum frame_sec sec);

/** The frame's arena: text in rows must live there (or be a literal). */
struct arena *frame_arena(struct frame_builder *b);

/** The frame before, or NULL; for counters to subtract. */
const struct frame *frame_prev(const struct frame_builder *b);

/** Monotonic nanoseconds since the rows of the frame before were sampled; 0 without them. */
uint64_t frame_elapsed_ns(const struct frame_builder *b);

/** What frame_elapsed_ns() answers from now on: rows that were carried are older than the frame before. */
void frame_set_elapsed_ns(struct frame_builder *b, uint64_t elapsed_ns);

/** This frame's monotonic instant. */
uint64_t frame_mono_ns(const struct frame_builder *b);

/** Per-second rate of a counter; unknown when either is, when time stood still or it went backwards. */
double rate_per_s(uint64_t prev_total, uint64_t total, uint64_t elapsed_ns);

#endif
