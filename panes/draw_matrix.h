/* The USE matrix of the glance: one row per resource, and where each row leads. */
#ifndef PANES_DRAW_MATRIX_H
#define PANES_DRAW_MATRIX_H

#include "panes/draw_bits.h"

#define MATRIX_ROWS 6

/** Draw headings and one row per resource; cursor is the selected row, or -1. Uses MATRIX_ROWS + 1 rows. */
void matrix_draw(const struct pane_input *in, struct canvas *c, int cursor);

/** Where a row of the matrix leads: the resource's own pane, or the rung 2 pane that its finding names. */
bool matrix_step(const struct pane_input *in, uint32_t i, struct step *out);

/** The field by which processes are ranked while the worst finding stands, and its title. */
uint32_t matrix_trouble(const struct pane_input *in, struct text *title);

#endif
