/* Moving through the history; the live edge is age 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "ui/console_state.h"

#define MINUTE_NS (60 * NS_PER_S)

static void go_to(struct console *c, uint32_t age)
{
	c->age = age;
	console_judge(c);
}

void console_freeze(struct console *c, bool is_frozen)
{
	c->is_frozen = is_frozen;
	if (!is_frozen)
		go_to(c, 0);
}

void console_travel(struct console *c, int by, bool is_minute)
{
	const struct frame *f = console_frame(c);

	if (!f)
		return;
	if (by < 0 && c->age == 0) {
		console_freeze(c, false);
		return;
	}
	uint32_t age = by > 0 ? c->age + 1 : c->age - 1;
	if (is_minute) {
		uint64_t span = MINUTE_NS;
		uint64_t to = by < 0 ? f->mono_ns + span : f->mono_ns > span ? f->mono_ns - span : 0;
		age = history_find(&c->history, to);
	}
	if (age >= c->history.len) {
		console_say(c, STYLE_DIM, "nothing older is kept");
		return;
	}
	/* Back at the newest sample the console follows it again. */
	c->is_frozen = age > 0;
	go_to(c, age);
}

/* Seconds back from the newest frame; negative when the words make no sense. */
static int64_t seconds_back(const struct frame *newest, const char *when)
{
	int h = 0, m = 0, s = 0, end = 0;
	struct tm tm;

	if (*when == '-') {
		if (sscanf(when, "-%d:%d%n", &m, &s, &end) == 2 && !when[end])
			return (int64_t)m * 60 + s;
		if (sscanf(when, "-%d%n", &s, &end) == 1 && !when[end])
			return s;
		return -1;
	}
	if (!(sscanf(when, "%d:%d:%d%n", &h, &m, &s, &end) == 3 && !when[end])) {
		s = 0;
		if (!(sscanf(when, "%d:%d%n", &h, &m, &end) == 2 && !when[end]))
			return -1;
	}
	time_t wall = (time_t)(newest->wall_ns / NS_PER_S);
	if (h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60 || !localtime_r(&wall, &tm))
		return -1;
	int64_t back = (tm.tm_hour - h) * 3600 + (tm.tm_min - m) * 60 + (tm.tm_sec - s);
	return back < 0 ? back + 24 * 3600 : back; /* before midnight */
}

bool console_go_time(struct console *c, const char *when)
{
	const struct frame *newest = history_at(&c->history, 0);

	if (!newest)
		return true;
	if (!*when || !strcmp(when, "now")) {
		console_freeze(c, false);
		return true;
	}
	int64_t back = seconds_back(newest, when);
	if (back < 0) {
		console_say(c, STYLE_WARN, "a time is HH:MM, HH:MM:SS, -SECONDS, -MINUTES:SECONDS or now");
		return false;
	}
	uint64_t span = (uint64_t)back * NS_PER_S;
	uint64_t to = newest->mono_ns > span ? newest->mono_ns - span : 0;
	uint32_t age = history_find(&c->history, to);
	const struct frame *f = history_at(&c->history, age);
	c->is_frozen = true;
	go_to(c, age);
	if (f->mono_ns > to)
		console_say(c, STYLE_DIM, "nothing that old is kept; this is the oldest sample");
	return true;
}
