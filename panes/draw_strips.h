/* One strip per CPU: bars for up to 64 of them, one heat cell each above. */
#ifndef PANES_DRAW_STRIPS_H
#define PANES_DRAW_STRIPS_H

#include "panes/draw_bits.h"

/** Rows that the strips of this frame take in a window of that width. */
int strips_rows(const struct frame *f, int cols);

/** Draw them from row 0; CPUs without room are counted at the end. */
void strips_draw(const struct pane_input *in, struct canvas *c);

#endif
