/* An incident report in Markdown: the host, what was found, the steps taken, the newest frame, the cost. */
#include <errno.h>

#include "session/markdown.h"
#include "session/session.h"

#define FIELDS(...)                                                                                          \
	.nfields = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), .fields = {__VA_ARGS__}

static const struct md_table newest[] = {
    {.title = "Pressure",
     .sec = SEC_PSI,
     .sort = -1,
     .max_rows = 8,
     FIELDS(PSI_resource, PSI_some_pct, PSI_full_pct, PSI_some_avg10_pct, PSI_some_avg60_pct)},
    {.title = "Processes by CPU",
     .sec = SEC_TASK,
     .sort = TASK_cpu_pct,
     .max_rows = 10,
     FIELDS(TASK_tgid, TASK_comm, TASK_cgroup, TASK_state, TASK_cpu_pct, TASK_user_pct, TASK_system_pct,
	    TASK_runq_pct, TASK_rss_bytes)},
    {.title = "Processes by memory",
     .sec = SEC_TASK,
     .sort = TASK_rss_bytes,
     .max_rows = 10,
     FIELDS(TASK_tgid, TASK_comm, TASK_cgroup, TASK_rss_bytes, TASK_rss_bytes_per_s, TASK_swap_bytes,
	    TASK_major_faults_per_s)},
    {.title = "Stuck threads",
     .sec = SEC_STUCK,
     .sort = STUCK_waited_ns,
     .max_rows = 10,
     FIELDS(STUCK_tid, STUCK_comm, STUCK_state, STUCK_waited_ns, STUCK_syscall, STUCK_object, STUCK_stack)},
    {.title = "Disks",
     .sec = SEC_DISK,
     .sort = DISK_util_pct,
     .max_rows = 10,
     FIELDS(DISK_name, DISK_util_pct, DISK_queue, DISK_await_ns, DISK_read_per_s, DISK_write_per_s,
	    DISK_read_bytes_per_s, DISK_write_bytes_per_s)},
    {.title = "Network interfaces",
     .sec = SEC_NET,
     .sort = NET_rx_bytes_per_s,
     .max_rows = 10,
     FIELDS(NET_name, NET_util_pct, NET_rx_bytes_per_s, NET_tx_bytes_per_s, NET_rx_drops_per_s,
	    NET_tx_drops_per_s, NET_rx_errors_per_s, NET_tx_errors_per_s)},
    {.title = "Limits",
     .sec = SEC_LIMIT,
     .sort = LIMIT_used_pct,
     .max_rows = 10,
     FIELDS(LIMIT_name, LIMIT_used, LIMIT_max, LIMIT_used_pct)},
    {.title = "On-CPU profile",
     .sec = SEC_PROFILE,
     .sort = PROFILE_self_pct,
     .max_rows = 15,
     FIELDS(PROFILE_self_pct, PROFILE_symbol, PROFILE_object, PROFILE_comm, PROFILE_tgid, PROFILE_samples)},
    {.title = "Probes",
     .sec = SEC_PROBE,
     .sort = -1,
     .max_rows = 20,
     FIELDS(PROBE_id, PROBE_name, PROBE_scope, PROBE_state, PROBE_why, PROBE_program, PROBE_events_per_s,
	    PROBE_cpu_pct, PROBE_lost)},
    {.title = "Counts",
     .sec = SEC_COUNTS,
     .sort = COUNTS_count,
     .max_rows = 20,
     FIELDS(COUNTS_probe_id, COUNTS_name, COUNTS_key, COUNTS_count, COUNTS_per_s, COUNTS_errors,
	    COUNTS_total_ns, COUNTS_avg_ns, COUNTS_max_ns)},
    {.title = "Histograms",
     .sec = SEC_HIST,
     .sort = -1,
     .max_rows = 64,
     FIELDS(HIST_probe_id, HIST_name, HIST_key, HIST_low, HIST_high, HIST_count)},
    {.title = "Stacks",
     .sec = SEC_STACKS,
     .sort = STACKS_count,
     .max_rows = 10,
     FIELDS(STACKS_probe_id, STACKS_count, STACKS_comm, STACKS_stack)},
};

static const struct md_table cost = {
    .title = "What rung spent",
    .sec = SEC_COST,
    .sort = COST_cpu_pct,
    .max_rows = 40,
    FIELDS(COST_who, COST_kind, COST_state, COST_cpu_pct, COST_self_ns_total, COST_runs, COST_overruns,
	   COST_events_per_s, COST_ns_per_event, COST_lost),
};

static void item(FILE *out, const char *name, struct text t)
{
	fprintf(out, "- %s: ", name);
	md_text(out, t);
	fputc('\n', out);
}

static void write_host(FILE *out, const struct history *h, const struct frame *f)
{
	const struct host_row *host = f->sec[SEC_HOST].nrows ? FRAME_ROWS(f, host, HOST) : NULL;
	const struct mem_row *mem = f->sec[SEC_MEM].nrows ? FRAME_ROWS(f, mem, MEM) : NULL;
	struct fmt_buf b;

	fputs("# Incident report: ", out);
	md_text(out, host ? host->hostname : TEXT_UNKNOWN);
	fputs("\n\n", out);
	if (host) {
		item(out, "Kernel", host->kernel);
		item(out, "Boot", host->boot_id);
		item(out, "CPUs",
		     fmt_u64(&b, UNIT_COUNT,
			     host->cpus_online == U32_UNKNOWN ? U64_UNKNOWN : host->cpus_online, 0));
		item(out, "Up", fmt_u64(&b, UNIT_NS, host->uptime_ns, 0));
		item(out, "Load", fmt_f64(&b, UNIT_RATIO, host->load1, 0));
	}
	if (mem)
		item(out, "Memory", fmt_u64(&b, UNIT_BYTES, mem->total_bytes, 0));
	fputs("- Recorded: ", out);
	md_time(out, history_at(h, h->len - 1)->wall_ns);
	fputs(" to ", out);
	md_time(out, f->wall_ns);
	fprintf(out, ", %u frames\n- Written by: rung " RUNG_VERSION "\n", h->len);
}

static void write_evidence(FILE *out, const struct evidence *v, struct arena *a)
{
	const struct section_desc *s = &section_descs[v->sec];
	const struct field_desc *d = &s->fields[v->field];
	struct fmt_buf b;

	fprintf(out, "  - %s.%s ", s->name, d->name);
	md_text(out, text_copy(a, fmt_f64(&b, d->unit, v->value, 0)));
	if (v->threshold == v->threshold) {
		fputs(" (threshold ", out);
		md_text(out, text_copy(a, fmt_f64(&b, d->unit, v->threshold, 0)));
		fputc(')', out);
	}
	fprintf(out, ", %s\n", d->help);
}

static void write_findings(FILE *out, const struct findings *found)
{
	struct arena a = {0};

	fputs("\n## Findings in the newest frame\n\n", out);
	if (!found || !found->n)
		fputs("None.\n", out);
	for (uint32_t i = 0; found && i < found->n; i++) {
		const struct finding *g = &found->rows[i];
		fprintf(out, "- **%u %s**: ", g->severity, g->resource);
		md_text(out, g->headline);
		fputc('\n', out);
		for (uint32_t k = 0; k < g->nevidence; k++)
			write_evidence(out, &g->evidence[k], &a);
		fputs("  - Suspect: ", out);
		md_text(out, scope_label(&a, &g->suspect));
		if (g->names.len) {
			fputs("\n  - Ends at: ", out);
			md_text(out, g->names);
		}
		if (g->next.rung) {
			fprintf(out, "\n  - Next: rung %u, %s ", g->next.rung,
				g->next.tool ? g->next.tool : g->next.pane);
			md_text(out, scope_label(&a, &g->next.scope));
		}
		fputc('\n', out);
	}
	arena_fini(&a);
}

static void write_trail(FILE *out, const struct trail *t)
{
	fputs("\n## Timeline\n\nWhen each finding began and was over, and the steps taken.\n\n", out);
	if (!t || !t->entries.len)
		fputs("None.\n", out);
	for (uint32_t i = 0; t && i < t->entries.len; i++) {
		const struct trail_entry *e = &t->entries.ptr[i];
		fprintf(out, "%u. ", i + 1);
		md_time(out, e->wall_ns);
		fputs(" ", out);
		md_text(out, text_of(&e->kind));
		if (e->rung)
			fprintf(out, " to rung %u", e->rung);
		fputc(' ', out);
		md_text(out, text_of(&e->pane));
		fputs(", ", out);
		md_text(out, text_of(&e->scope));
		fputs(": ", out);
		md_text(out, text_of(&e->evidence));
		fputc('\n', out);
	}
}

static int write_report(FILE *out, const struct history *h, const struct trail *t,
			const struct findings *found, struct err *e)
{
	const struct frame *f = history_at(h, 0);
	bool has_memory = true;

	if (!f)
		return err_set(e, EINVAL, "there is no frame to report on");
	write_host(out, h, f);
	write_findings(out, found);
	write_trail(out, t);
	fputs("\n## The newest frame\n", out);
	for (size_t i = 0; i < ARRAY_LEN(newest); i++)
		if (f->sec[newest[i].sec].state != SEC_OFF)
			has_memory &= md_table(out, &newest[i], f);
	fputs("\n## Cost\n", out);
	has_memory &= md_table(out, &cost, f);
	if (!has_memory)
		return err_set(e, ENOMEM, "out of memory: tables are missing");
	if (fflush(out) || ferror(out))
		return err_errno(e, errno ? errno : EIO, "writing");
	return 0;
}

const struct exporter export_md = {
    .name = "md",
    .help = "an incident report to read: host, findings, steps, top tables, cost",
    .write = write_report,
};
