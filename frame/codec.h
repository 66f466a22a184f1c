/* Frames as readable text: fixtures for golden tests, one file holds one or more frames. */
#ifndef FRAME_CODEC_H
#define FRAME_CODEC_H

#include <stdio.h>

#include "base/err.h"
#include "frame/frame.h"
#include "frame/source.h"

/*
 * Grammar, by line:
 *   frame SEQ MONO_NS WALL_NS          starts a frame
 *   @section state [reason...]         starts a section
 *   field<TAB>field...                 names of the columns present (others unknown)
 *   value<TAB>value...                 one row; "-" alone is unknown; \t \n \\ escaped
 *   # comment and empty lines are skipped
 */

/** Write one frame; unknown fields that are unknown in every row are left out. */
int frame_write_text(FILE *out, const struct frame *f);

/** Read the next frame; NULL at the end (e->code 0) or on an error naming the line. */
struct frame *frame_read_text(FILE *in, const struct frame *prev, uint32_t *line, struct err *e);

/** A source over all frames of a text file; NULL with words when it cannot be read. */
struct source *codec_source_open(const char *path, struct err *e);

#endif
