/* A source over the frames of a text file, read whole before the first is given out. */
#include <errno.h>
#include <stdlib.h>

#include "base/vec.h"
#include "frame/codec.h"

struct codec_source {
	struct source source;
	VEC(struct frame *) frames;
	uint32_t i_next;
};

static struct frame *next(struct source *s)
{
	struct codec_source *c = (struct codec_source *)s;

	return c->i_next < c->frames.len ? frame_ref(c->frames.ptr[c->i_next++]) : NULL;
}

static int ask(struct source *s, const struct request *r, struct err *e)
{
	(void)s;
	if (r->kind == REQUEST_FOCUS)
		return 0;
	return err_set(e, ENOTSUP, "this is a recording: nothing can be started in it");
}

static void close_source(struct source *s)
{
	struct codec_source *c = (struct codec_source *)s;

	for (uint32_t i = 0; i < c->frames.len; i++)
		frame_unref(c->frames.ptr[i]);
	VEC_FINI(&c->frames);
	free(c);
}

static int read_all(struct codec_source *c, FILE *in, struct err *e)
{
	uint32_t line = 0;

	for (;;) {
		const struct frame *prev = c->frames.len ? c->frames.ptr[c->frames.len - 1] : NULL;
		struct frame *f = frame_read_text(in, prev, &line, e);
		if (!f)
			return -e->code;
		struct frame **slot = VEC_ADD(&c->frames);
		if (!slot) {
			frame_unref(f);
			return err_set(e, ENOMEM, "line %u: out of memory", line);
		}
		*slot = f;
	}
}

struct source *codec_source_open(const char *path, struct err *e)
{
	FILE *in = fopen(path, "re");

	if (!in) {
		err_errno(e, errno, "%s", path);
		return NULL;
	}
	struct codec_source *c = calloc(1, sizeof(*c));
	int rc = c ? 0 : err_set(e, ENOMEM, "out of memory");
	if (c) {
		c->source = (struct source){ .fd = -1, .next = next, .ask = ask, .close = close_source };
		rc = read_all(c, in, e);
		if (!rc && !c->frames.len)
			rc = err_set(e, EINVAL, "holds no frame");
	}
	fclose(in);
	if (!rc)
		return &c->source;
	err_at(e, "%s: ", path);
	if (c)
		close_source(&c->source);
	return NULL;
}
