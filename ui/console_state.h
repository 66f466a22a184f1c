/* What the console is made of; shared by ui/console*.c and nobody else. */
#ifndef UI_CONSOLE_STATE_H
#define UI_CONSOLE_STATE_H

#include "ui/console.h"
#include "ui/prompt.h"
#include "ui/table.h"

#define CONSOLE_FRAMES 600 /* ten minutes at one per second */
#define CONSOLE_LAYERS 64

/** One screen on the stack, with all of its state. */
struct layer {
	const struct pane *pane;
	struct step step;      /* how it was reached */
	void *view;            /* the pane's own state; owned */
	struct table_view table;
	bool has_moved;        /* the user has chosen something here: Enter no longer follows the finding */
};

/** What the line being typed is for. */
struct prompt_use {
	const char *label;
	bool has_history;
	/** The line changed; NULL: nothing happens while typing. */
	void (*changed)(struct console *c, const char *line);
	/** Enter; false keeps the prompt open. */
	bool (*done)(struct console *c, const char *line);
	/** Esc; NULL: nothing to undo. */
	void (*cancelled)(struct console *c);
};

/** A probe that this console asked for. */
struct started {
	struct request request;
	bool is_paused;
};

struct console {
	struct console_options o;
	struct layer layers[CONSOLE_LAYERS];
	uint32_t nlayers;              /* at least 1 */
	struct step last_left;         /* step of the view left last, for ACT_VIEW_NEXT */
	struct history history;
	uint32_t age;                  /* of the frame on screen; 0 unless frozen */
	bool is_frozen;
	struct findings findings;      /* of the frame on screen */
	uint32_t i_finding;            /* shown in the finding line */
	bool is_on_finding;            /* chosen by key: Enter goes where it leads */
	const char *chosen_rule;       /* with chosen_suspect: which finding that is, in the next frame too */
	struct scope chosen_suspect;
	struct text_buf status;        /* one line about the last key; gone with the next */
	enum style status_style;
	struct prompt *prompt;         /* open while a line is typed */
	const struct prompt_use *prompt_use;
	struct err diag;               /* of the program in the prompt */
	uint32_t diag_column;          /* 1-based; 0: no complaint */
	bool is_asking_to_leave;
	uint32_t trail_saved;          /* entries that are in a file, or on their way into it */
	struct snapshot_job *snapshot; /* being written; NULL: none */
	VEC(struct started) started;   /* what was asked to run, to be asked again after a pause */
	bool is_pausing;               /* the shell waits for the probes to stop */
	bool is_resuming;              /* back from the shell */
	int page;                      /* table rows that the last draw had room for */
	bool is_suspend_wanted;
	bool is_over;
};

/* console.c */
/** The frame on screen, or NULL before the first. */
const struct frame *console_frame(const struct console *c);
/** What the top pane may look at; only with a frame. */
struct pane_input console_input(const struct console *c);
/** The layer on screen. */
struct layer *console_top(struct console *c);
/** Words for the status line. */
PRINTF_LIKE(3, 4)
void console_say(struct console *c, enum style s, const char *fmt, ...);
/** Judge the frame on screen anew. */
void console_judge(struct console *c);
/** Choose the finding to show after findings or the screen changed. */
void console_choose_finding(struct console *c);

/* console_nav.c: the stack of panes */
/** Show the step's pane on top, start its tool, write the trail; false with words when it cannot be. */
bool console_descend(struct console *c, const struct step *s);
/** One step back; false at the root. */
bool console_ascend(struct console *c);
/** Enter: the finding's step or the selection's. */
void console_deeper(struct console *c);
/** Whether Enter goes where the finding line leads, rather than where the selection does. */
bool console_follows_finding(const struct console *c);
/** The scope of the selection, else of the screen. */
struct scope console_selection(struct console *c);
/** Show a pane by name with the scope on screen. */
bool console_open(struct console *c, const char *pane, struct scope scope, const char *why);
/** Tell the source what is on screen. */
void console_focus(struct console *c);

/* console_probe.c: what is asked of the source about probes */
/** Start a tool unless it runs already; false with words when the source refuses. */
bool console_start_tool(struct console *c, const struct step *s);
/** Check and start a program; false with the diagnostic kept for the prompt. */
bool console_start_program(struct console *c, const char *program);
/** Stop the probe of the layer on screen; false when none runs there. */
bool console_stop_probe(struct console *c);
/** Whether a probe that this console asked for may still run. */
bool console_has_probe(const struct console *c);
/** Stop all probes before the shell takes over; is_suspend_wanted follows when they have stopped. */
void console_pause(struct console *c);
/** Start again what console_pause() stopped. */
void console_resume(struct console *c);
/** The tool's scope for this wish: as wished if the tool takes it, else the host; false with words when neither. */
bool console_tool_scope(struct console *c, const char *tool, struct scope *scope);

/* console_time.c: moving through the history */
void console_freeze(struct console *c, bool is_frozen);
/** Move by frames (is_minute false) or minutes; positive is into the past. */
void console_travel(struct console *c, int by, bool is_minute);
/** HH:MM[:SS], -SECONDS, -MM:SS or now; false with words. */
bool console_go_time(struct console *c, const char *when);

/* console_snapshot.c: the file written beside the console */
/** Start writing a snapshot; an empty path makes a name from the time. */
void console_snapshot(struct console *c, const char *path);
/** Say how it went once it is written; true when it just was. */
bool console_poll_snapshot(struct console *c);

/* console_act.c: what actions do */
/** Do one action on the console, its top pane or its table. */
void console_act(struct console *c, enum action a);
/** Leave, or ask first when something would be lost. */
void console_leave(struct console *c);

/* console_prompt.c: lines typed */
extern const struct prompt_use prompt_command, prompt_filter, prompt_search, prompt_time;
/** Open a prompt with text in it. */
void console_ask(struct console *c, const struct prompt_use *use, const char *text);
/** Feed the open prompt. */
void console_prompt_key(struct console *c, uint32_t key);

/* console_lines.c: the lines around the pane */
void console_draw_header(struct console *c, struct canvas *out);
void console_draw_ladder(struct console *c, struct canvas *out);
void console_draw_finding(struct console *c, struct canvas *out);
void console_draw_hints(struct console *c, struct canvas *out);
void console_draw_prompt(struct console *c, struct canvas *out);

#endif
