/* What this kernel and these privileges allow, what is missing, and what would fix it. */
#include "panes/draw_bits.h"
#include "ui/table.h"

static int header_rows(const struct pane_input *in, const void *view, int rows, int cols)
{
	(void)in;
	(void)view;
	(void)cols;
	return rows >= 3 ? 1 : 0;
}

static void draw(const struct pane_input *in, const void *view, struct canvas *c)
{
	const struct cap_row *rows = FRAME_ROWS(in->frame, cap, CAP);
	const struct host_row *host = FRAME_ROWS(in->frame, host, HOST);
	uint32_t n = in->frame->sec[SEC_CAP].nrows, missing = 0;

	(void)view;
	for (uint32_t i = 0; i < n; i++)
		missing += rows[i].has == 0;
	int at =
		draw_textf(c, 0, 0, missing ? STYLE_WARN : STYLE_GOOD, "%u of %u work here", n - missing, n) +
		2;
	if (host && host->euid != U32_UNKNOWN)
		draw_textf(c, 0, at, STYLE_DIM, "%s  kernel %.*s", host->euid ? "not root" : "root",
			   TEXT_ARG(host->kernel));
}

static struct text has_cell(const struct pane_input *in, const void *row, struct arena *a)
{
	const struct cap_row *r = row;

	(void)in;
	(void)a;
	return r->has == 1 ? TEXT("yes") : r->has == 0 ? TEXT("NO") : TEXT("-");
}

static enum style cap_style(const struct pane_input *in, const void *row)
{
	(void)in;
	return ((const struct cap_row *)row)->has == 0 ? STYLE_WARN : STYLE_PLAIN;
}

static const struct column columns[] = {
	{ .heading = TEXT_INIT("FEATURE"), .field = CAP_name, .width = 18 },
	{ .heading = TEXT_INIT("HAS"), .field = CAP_has, .width = 3, .cell = has_cell },
	{ .heading = TEXT_INIT("ERRNO"), .field = CAP_errno_value, .width = 5, .min_screen = 10 },
	{ .heading = TEXT_INIT("WHAT IS MISSING"), .field = CAP_why, .width = 38, .min_screen = 13 },
	{ .heading = TEXT_INIT("WHAT WOULD FIX IT"), .field = CAP_fix, .width = 0 },
};

static const struct table table = {
	.sec = SEC_CAP,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 1,
	.is_sort_ascending = true,
	.key = { CAP_name, CAP_name },
	.style = cap_style,
};

const struct pane pane_caps = {
	.name = "caps",
	.title = TEXT_INIT("CAPABILITIES"),
	.needs = SEC_BIT(SEC_CAP),
	.wants = SEC_BIT(SEC_HOST),
	.table = &table,
	.header_rows = header_rows,
	.draw = draw,
};
