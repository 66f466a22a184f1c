#include "commands/with_console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "collectors/probes/probe.h"
#include "frame/codec.h"
#include "lang/lang.h"
#include "session/session.h"
#include "triage/triage.h"
#include "ui/console.h"
#include "ui/loop.h"

#define KEYMAP_FILE_MAX ((size_t)256 * 1024)

struct source *with_console_open(const char *path, struct trail *trail, struct err *e)
{
	char head[16] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		err_errno(e, errno, "%s", path);
		return NULL;
	}
	ssize_t n = read(fd, head, sizeof(head));
	close(fd);
	/* The first bytes of every SQLite file, see its file format document. */
	if (n == (ssize_t)sizeof(head) && !memcmp(head, "SQLite format 3", sizeof(head)))
		return session_source_open(path, trail, e);
	return codec_source_open(path, e);
}

void with_console_complain(const struct err *e)
{
	struct arena a = { 0 };

	fprintf(stderr, "rung: %.*s\n", TEXT_ARG(text_clean_str(&a, e->text)));
	arena_fini(&a);
}

bool with_console_size(const char *text, int *cols, int *rows)
{
	int at = 0;

	return sscanf(text, "%dx%d%n", cols, rows, &at) == 2 && !text[at] && *cols > 0 && *rows > 0 &&
	       *cols <= 2000 && *rows <= 2000;
}

/* The user's keys, layered on the defaults; a file that is not there is not an error. */
static int layer_user_keys(struct keymap *k, struct err *e)
{
	char path[4096];
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config)
		snprintf(path, sizeof(path), "%s/rung/keys", config);
	else if (home && *home)
		snprintf(path, sizeof(path), "%s/.config/rung/keys", home);
	else
		return 0;
	FILE *in = fopen(path, "re");
	if (!in)
		return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(e, errno, "%s", path);
	char *bytes = malloc(KEYMAP_FILE_MAX + 1);
	size_t n = bytes ? fread(bytes, 1, KEYMAP_FILE_MAX + 1, in) : 0;
	fclose(in);
	int rc = !bytes ? err_set(e, ENOMEM, "%s: out of memory", path) :
		 n > KEYMAP_FILE_MAX ? err_set(e, EFBIG, "%s: larger than %zu bytes", path, KEYMAP_FILE_MAX) :
		 keymap_parse(k, path, bytes, n, e);
	free(bytes);
	return rc;
}

static struct keymap *load_keys(struct err *e)
{
	struct keymap *k = keymap_new();

	if (!k) {
		err_set(e, ENOMEM, "out of memory");
		return NULL;
	}
	int rc = keymap_parse(k, "default.keys", keymap_default_bytes, keymap_default_len, e);
	if (!rc)
		rc = layer_user_keys(k, e);
	if (!rc)
		return k;
	keymap_free(k);
	return NULL;
}

static int check_program(const char *program, struct err *e, uint32_t *column)
{
	struct collector_env env;
	struct lang_result out;
	struct arena a = { 0 };
	struct diag d = { 0 };
	int rc = collector_env_live(&env, e);

	*column = 1;
	if (rc)
		return rc;
	const struct lang_host host = { .tracefs_fd = env.tracefs_fd, .self_tgid = (uint32_t)getpid() };
	rc = lang_compile(program, &host, &a, &out, &d);
	if (rc) {
		*column = d.column ? d.column : 1;
		err_set(e, -rc, "%s%s%s", d.message, d.hint[0] ? "; " : "", d.hint);
	}
	arena_fini(&a);
	collector_env_fini(&env);
	return rc;
}

static char **complete(const char *line, size_t at)
{
	struct collector_env env;
	struct err e = { 0 };

	if (collector_env_live(&env, &e))
		return NULL;
	const struct lang_host host = { .tracefs_fd = env.tracefs_fd };
	char **words = lang_complete(line, at, &host);
	collector_env_fini(&env);
	return words;
}

static int snapshot(const char *path, const struct history *h, const struct trail *t, struct err *e)
{
	return session_snapshot(path, h, t, e);
}

static uint32_t list_tools(struct tool_desc *out, struct arena *a)
{
	for (size_t i = 0; i < probe_registry_len; i++)
		out[i] = (struct tool_desc){
			.name = probe_registry[i].name,
			.answers = text_clean_str(a, probe_registry[i].probe->answers),
			.family = probe_registry[i].probe->family->name,
			.scopes = probe_registry[i].probe->scopes,
		};
	return (uint32_t)probe_registry_len;
}

static int press(struct console *c, const char *keys, struct err *e)
{
	for (const char *at = keys; *at;) {
		if (*at == ' ') {
			at++;
			continue;
		}
		uint32_t key = key_parse(&at);
		if (!key)
			return err_set(e, EINVAL, "--keys: no such key at \"%.20s\"", at);
		if (!console_key(c, key))
			break;
	}
	return 0;
}

static int dump(struct console *c, const struct console_show *show, struct err *e)
{
	struct canvas *canvas = canvas_new(show->rows, show->cols);

	if (!canvas)
		return err_set(e, ENOMEM, "out of memory");
	canvas->is_ascii = show->is_ascii;
	while (console_poll(c))
		;
	console_draw(c, canvas);
	int rc = show->keys ? press(c, show->keys, e) : 0;
	rc = rc ? rc : console_settle(c, e);
	if (!rc) {
		canvas_clear(canvas);
		console_draw(c, canvas);
		canvas_dump(canvas, stdout, show->has_styles);
		rc = fflush(stdout) ? err_errno(e, errno, "standard output") : 0;
	}
	canvas_free(canvas);
	return rc;
}

static int run(const struct console_show *show, struct keymap *keys, struct err *e)
{
	struct arena a = { 0 };
	struct tool_desc *tools = arena_array(&a, probe_registry_len + 1, sizeof(*tools));
	int rc;

	if (!tools) {
		arena_fini(&a);
		return err_set(e, ENOMEM, "out of memory");
	}
	const struct console_options o = {
		.panes = pane_registry, .npanes = pane_registry_len, .keys = keys,
		.source = show->source, .tools = tools, .ntools = list_tools(tools, &a),
		.scope = show->scope, .triage = triage, .check_program = check_program,
		.complete = complete, .snapshot = snapshot, .trail = show->trail, .is_ascii = show->is_ascii,
	};
	struct console *c = console_new(&o);
	if (!c) {
		rc = err_set(e, ENOMEM, "out of memory");
	} else if (show->is_dump) {
		rc = dump(c, show, e);
	} else {
		rc = show->keys ? press(c, show->keys, e) : 0;
		rc = rc ? rc : loop_run(c, show->source, e);
		rc = rc ? rc : console_settle(c, e);
	}
	console_free(c);
	arena_fini(&a);
	return rc;
}

int with_console(const struct console_show *show)
{
	struct err e = { 0 };
	struct keymap *keys = load_keys(&e);
	int rc = keys ? run(show, keys, &e) : -e.code;

	show->source->close(show->source);
	keymap_free(keys);
	if (rc)
		with_console_complain(&e);
	return rc ? 1 : 0;
}
