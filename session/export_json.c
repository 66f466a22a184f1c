/* The whole recording as one JSON document; docs/EXPORT_JSON.md describes it. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "session/json.h"
#include "session/session.h"

static void write_schema(FILE *out)
{
	fputs("\"schema\":{", out);
	for (int s = 0; s < SEC_COUNT; s++) {
		const struct section_desc *d = &section_descs[s];
		fprintf(out, "%s\"%s\":[", s ? ",\n" : "\n", d->name);
		for (uint32_t i = 0; i < d->nfields; i++) {
			fprintf(out, "%s{\"name\":\"%s\",\"unit\":\"%s\",\"help\":", i ? "," : "",
				d->fields[i].name, unit_name(d->fields[i].unit));
			json_word(out, d->fields[i].help);
			fputc('}', out);
		}
		fputc(']', out);
	}
	fputs("},\n", out);
}

static void write_step(FILE *out, const struct step *s)
{
	struct arena a = {0};

	if (!s->rung) {
		fputs("null", out);
		return;
	}
	fprintf(out, "{\"rung\":%u,\"pane\":", s->rung);
	json_word(out, s->pane);
	fputs(",\"tool\":", out);
	json_word(out, s->tool);
	fputs(",\"scope\":", out);
	json_text(out, scope_label(&a, &s->scope));
	fputs(",\"why\":", out);
	json_text(out, text_of(&s->why));
	fputc('}', out);
	arena_fini(&a);
}

static void write_evidence(FILE *out, const struct finding *g)
{
	fputs(",\"evidence\":[", out);
	for (uint32_t i = 0; i < g->nevidence; i++) {
		const struct evidence *v = &g->evidence[i];
		const struct section_desc *d = &section_descs[v->sec];
		fprintf(out, "%s{\"section\":\"%s\",\"row\":%u,\"field\":\"%s\",\"value\":", i ? "," : "",
			d->name, v->row, d->fields[v->field].name);
		json_f64(out, v->value);
		fputs(",\"threshold\":", out);
		json_f64(out, v->threshold);
		fputc('}', out);
	}
	fputc(']', out);
}

static void write_finding(FILE *out, const struct finding *g)
{
	static const char *const kinds[] = {
	    [FINDING_UTILISATION] = "utilisation",
	    [FINDING_SATURATION] = "saturation",
	    [FINDING_ERRORS] = "errors",
	    [FINDING_LATENCY] = "latency",
	};
	struct arena a = {0};

	fprintf(out, "{\"severity\":%u,\"rule\":", g->severity);
	json_word(out, g->rule);
	fputs(",\"resource\":", out);
	json_word(out, g->resource);
	fprintf(out, ",\"kind\":\"%s\",\"headline\":", kinds[g->kind]);
	json_text(out, g->headline);
	fputs(",\"names\":", out);
	json_text(out, g->names);
	fputs(",\"suspect\":", out);
	json_text(out, scope_label(&a, &g->suspect));
	write_evidence(out, g);
	fputs(",\"next\":", out);
	write_step(out, &g->next);
	fputc('}', out);
	arena_fini(&a);
}

static void write_trail_entry(FILE *out, const struct trail_entry *e)
{
	fprintf(out, "{\"wall_ns\":%" PRIu64 ",\"kind\":", e->wall_ns);
	json_text(out, text_of(&e->kind));
	fprintf(out, ",\"rung\":%u,\"pane\":", e->rung);
	json_text(out, text_of(&e->pane));
	fputs(",\"scope\":", out);
	json_text(out, text_of(&e->scope));
	fputs(",\"evidence\":", out);
	json_text(out, text_of(&e->evidence));
	fputc('}', out);
}

static void write_frame(FILE *out, const struct frame *f)
{
	const char *comma = "";

	fprintf(out,
		"{\"seq\":%" PRIu64 ",\"mono_ns\":%" PRIu64 ",\"wall_ns\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64
		",\"sections\":{",
		f->seq, f->mono_ns, f->wall_ns, f->elapsed_ns);
	for (int s = 0; s < SEC_COUNT; s++) {
		const struct section *sec = &f->sec[s];
		if (sec->state == SEC_OFF && !sec->nrows && !sec->why.utf8)
			continue;
		fprintf(out, "%s\n\"%s\":{\"state\":\"%s\",\"why\":", comma, section_descs[s].name,
			sec_state_name(sec->state));
		json_text(out, sec->why);
		fputs(",\"rows\":[", out);
		for (uint32_t r = 0; r < sec->nrows; r++) {
			fputs(r ? ",\n" : "\n", out);
			json_row(out, &section_descs[s], frame_row(f, (enum frame_sec)s, r));
		}
		fputs("]}", out);
		comma = ",";
	}
	fputs("}}", out);
}

static int write_document(FILE *out, const struct history *h, const struct trail *t, const struct findings *f,
			  struct err *e)
{
	fputs("{\"format\":\"rung-recording\",\"version\":1,\"rung_version\":\"" RUNG_VERSION "\",\n", out);
	write_schema(out);
	fputs("\"findings\":[", out);
	for (uint32_t i = 0; f && i < f->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		write_finding(out, &f->rows[i]);
	}
	fputs("],\n\"trail\":[", out);
	for (uint32_t i = 0; t && i < t->entries.len; i++) {
		fputs(i ? ",\n" : "\n", out);
		write_trail_entry(out, &t->entries.ptr[i]);
	}
	fputs("],\n\"frames\":[", out);
	for (uint32_t age = h->len; age-- > 0;) {
		fputs(age + 1 < h->len ? ",\n" : "\n", out);
		write_frame(out, history_at(h, age));
	}
	fputs("]}\n", out);
	if (fflush(out) || ferror(out))
		return err_errno(e, errno ? errno : EIO, "writing");
	return 0;
}

const struct exporter export_json = {
    .name = "json",
    .help = "everything: findings, trail and all frames",
    .write = write_document,
};
