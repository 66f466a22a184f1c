/* Everything a key can mean: one name and one line of help each. */
#ifndef UI_ACTION_H
#define UI_ACTION_H

#include <stddef.h>

enum action {
	ACT_NONE,
	ACT_UP, ACT_DOWN, ACT_PAGE_UP, ACT_PAGE_DOWN, ACT_HALF_UP, ACT_HALF_DOWN, ACT_TOP, ACT_BOTTOM,
	ACT_LEFT, ACT_RIGHT,
	ACT_DEEPER, ACT_BACK, ACT_CANCEL, ACT_VIEW_PREV, ACT_VIEW_NEXT,
	ACT_RUNG_1, ACT_RUNG_2, ACT_RUNG_3, ACT_RUNG_4, ACT_RUNG_5,
	ACT_NEXT_PANEL, ACT_PREV_PANEL,
	ACT_HELP, ACT_PROMPT, ACT_SEARCH, ACT_SEARCH_NEXT, ACT_SEARCH_PREV, ACT_FILTER,
	ACT_SORT_CPU, ACT_SORT_MEMORY, ACT_SORT_TIME, ACT_SORT_NEXT, ACT_SORT_PREV, ACT_SORT_INVERT,
	ACT_TREE, ACT_EXPAND, ACT_COLLAPSE, ACT_EXPAND_ALL,
	ACT_THREADS, ACT_KTHREADS, ACT_USER, ACT_FOLLOW, ACT_MARK, ACT_UNMARK_ALL,
	ACT_FREEZE, ACT_SAMPLE_PREV, ACT_SAMPLE_NEXT, ACT_MINUTE_PREV, ACT_MINUTE_NEXT, ACT_GO_TIME,
	ACT_NEXT_FINDING,
	ACT_SYSCALLS, ACT_STACKS, ACT_MENU,
	ACT_SNAPSHOT, ACT_COMMAND_LINE, ACT_OVERHEAD, ACT_TRAIL, ACT_CAPS,
	ACT_STOP_PROBE, ACT_REDRAW, ACT_RESAMPLE, ACT_SUSPEND, ACT_QUIT,
	ACT_COUNT
};

/** Name in keymap files and one-line help of each action, indexed by enum action. */
struct action_desc {
	const char *name; /* "sort-cpu" */
	const char *help;
};
extern const struct action_desc action_descs[ACT_COUNT];

/** The action of that name, or ACT_NONE. */
enum action action_by_name(const char *name, size_t len);

#endif
