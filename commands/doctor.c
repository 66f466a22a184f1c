/* rung doctor: what works on this host, what does not, and what would make it work. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "collectors/tasks/caps.h"
#include "commands/command.h"

static void print_json_string(struct text t)
{
	putchar('"');
	for (uint32_t i = 0; i < t.len; i++) {
		if (t.utf8[i] == '"' || t.utf8[i] == '\\')
			putchar('\\');
		putchar(t.utf8[i]);
	}
	putchar('"');
}

static void print_json(struct arena *a, const struct cap_result *r, bool is_first)
{
	const struct {
		const char *key, *value;
	} fields[] = { { "name", r->cap->name },
		       { "serves", r->cap->serves },
		       { "why", r->why.text },
		       { "fix", r->fix } };

	printf("%s\n  {\"works\": %s, \"errno\": %d", is_first ? "" : ",",
	       r->has ? "true" : "false", r->why.code);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		printf(", \"%s\": ", fields[i].key);
		print_json_string(text_clean_str(a, fields[i].value));
	}
	putchar('}');
}

static void print_line(struct arena *a, const struct cap_result *r)
{
	struct text why = text_clean_str(a, r->why.text);

	printf("%-4s%-19s%s\n", r->has ? "yes" : "no", r->cap->name, r->cap->serves);
	if (!r->has)
		printf("    %-19swhy: %.*s\n    %-19sfix: %s\n", "", TEXT_ARG(why), "", r->fix);
}

static int doctor_run(int argc, char **argv)
{
	bool is_json = argc == 2 && !strcmp(argv[1], "--json");
	struct request nothing = { 0 };
	struct collector_env env;
	struct arena a = { 0 };
	struct err e = { 0 };
	size_t missing = 0;

	if (argc > 2 || (argc == 2 && !is_json)) {
		fprintf(stderr, "usage: rung doctor [--json]\n");
		return 2;
	}
	if (collector_env_live(&env, &e)) {
		fprintf(stderr, "rung doctor: %s\n", e.text);
		return 1;
	}
	env.focus = &nothing;
	if (is_json)
		putchar('[');
	for (size_t i = 0; i < caps_table_len; i++) {
		struct cap_result r = cap_try(&caps_table[i], &env);
		missing += !r.has;
		if (is_json)
			print_json(&a, &r, i == 0);
		else
			print_line(&a, &r);
		arena_reset(&a);
	}
	if (is_json)
		printf("\n]\n");
	else
		printf("\n%zu of %zu work here.\n", caps_table_len - missing, caps_table_len);
	arena_fini(&a);
	collector_env_fini(&env);
	return fflush(stdout) ? 1 : 0;
}

const struct command command_doctor = {
	.name = "doctor",
	.usage = "[--json]",
	.help = "say what works on this host and what would make the rest work",
	.run = doctor_run,
};
