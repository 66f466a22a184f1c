/* Per-CPU strips, so that one busy core among many is seen. */
#include "panes/draw_strips.h"

#include "triage/judge.h"

#define STRIP_COLS 20
#define BARS_MAX   64

static int heat_cols(int cols)
{
	int room = cols - 8;

	return room >= 64 ? room / 64 * 64 : room >= 16 ? 16 : room > 0 ? room : 1;
}

int strips_rows(const struct frame *f, int cols)
{
	int n = (int)cpu_count(f), per = cols / STRIP_COLS > 0 ? cols / STRIP_COLS : 1;

	if (n > BARS_MAX)
		per = heat_cols(cols);
	return (n + per - 1) / per;
}

void strips_draw(const struct pane_input *in, struct canvas *c)
{
	const struct cpu_row *cpus = FRAME_ROWS(in->frame, cpu, CPU);
	int n = (int)cpu_count(in->frame), drawn = 0;
	int per = n > BARS_MAX ? heat_cols(c->cols) : c->cols / STRIP_COLS > 0 ? c->cols / STRIP_COLS : 1;

	for (; drawn < n && drawn / per < c->rows; drawn++) {
		const struct cpu_row *cpu = &cpus[1 + drawn];
		enum style s = style_of(cpu->busy_pct, 80, 95);
		int row = drawn / per, col = drawn % per;
		if (n > BARS_MAX) {
			if (!col)
				draw_textf(c, row, 0, STYLE_DIM, "cpu%u", cpu->id);
			canvas_put(c, row, 8 + col, draw_heat(c, cpu->busy_pct), s);
			continue;
		}
		int at = draw_textf(c, row, col * STRIP_COLS, STYLE_DIM, "%-4u", cpu->id);
		at = canvas_bar(c, row, at, STRIP_COLS - 10, cpu->busy_pct, s);
		canvas_number(c, row, at, 5, UNIT_PCT, cpu->busy_pct, s);
	}
	draw_more(c, (uint32_t)(n - drawn));
}
