/* Processes through libproc2. Nothing here reads a file that a sick process can block on (cmdline,
 * exe, smaps). */
#include "collectors/tasks/procps.h"

#include <errno.h>
#include <libproc2/pids.h>
#include <string.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/fmt.h"

/* What is asked for; the order is the order of the enum below. */
static const enum pids_item items[] = {
	PIDS_ID_PID,      PIDS_TICS_BEGAN,    PIDS_ID_PPID,
	PIDS_ID_EUID,     PIDS_STATE,         PIDS_CMD,
	PIDS_NLWP,        PIDS_TICS_USER,     PIDS_TICS_SYSTEM,
	PIDS_MEM_RES_PGS, PIDS_MEM_VIRT_PGS,  PIDS_VM_SWAP,
	PIDS_FLT_MAJ,     PIDS_PROCESSOR,     PIDS_NICE,
	PIDS_FLAGS,       PIDS_IO_READ_BYTES, PIDS_IO_WRITE_BYTES,
};

enum {
	AT_PID,
	AT_BEGAN,
	AT_PPID,
	AT_EUID,
	AT_STATE,
	AT_CMD,
	AT_THREADS,
	AT_USER,
	AT_SYSTEM,
	AT_RSS,
	AT_VIRTUAL,
	AT_SWAP_KIB,
	AT_MAJOR,
	AT_CPU,
	AT_NICE,
	AT_FLAGS,
	AT_READ,
	AT_WRITE
};

static uint64_t ticks_to_ns(unsigned long long ticks)
{
	return ticks * task_tick_ns();
}

static void fill(struct task_record *r, const struct pids_result *v, bool has_io)
{
	r->tid = r->tgid = (uint32_t)v[AT_PID].result.s_int;
	r->start_boot_ns = ticks_to_ns(v[AT_BEGAN].result.ull_int);
	r->ppid = (uint32_t)v[AT_PPID].result.s_int;
	r->euid = v[AT_EUID].result.u_int;
	r->state = task_state_of_char((char)v[AT_STATE].result.s_ch);
	r->threads = (uint32_t)v[AT_THREADS].result.s_int;
	r->own.user_ns = ticks_to_ns(v[AT_USER].result.ull_int);
	r->own.system_ns = ticks_to_ns(v[AT_SYSTEM].result.ull_int);
	r->own.exec_ns = r->own.user_ns + r->own.system_ns;
	r->own.major_faults = v[AT_MAJOR].result.ul_int;
	r->rss_pages = v[AT_RSS].result.ul_int;
	r->virtual_pages = v[AT_VIRTUAL].result.ul_int;
	r->swap_pages = v[AT_SWAP_KIB].result.ul_int * 1024 / (uint64_t)sysconf(_SC_PAGESIZE);
	r->last_cpu = (uint32_t)v[AT_CPU].result.s_int;
	r->nice = v[AT_NICE].result.s_int;
	r->flags = (uint32_t)v[AT_FLAGS].result.ul_int;
	if (has_io) {
		r->own.read_bytes = v[AT_READ].result.ul_int;
		r->own.write_bytes = v[AT_WRITE].result.ul_int;
	}
	if (v[AT_CMD].result.str)
		strncpy(r->comm, v[AT_CMD].result.str, sizeof(r->comm) - 1);
}

static int open_library(struct pids_info **info, struct err *e)
{
	enum pids_item wanted[ARRAY_LEN(items)]; /* the library writes to it */

	memcpy(wanted, items, sizeof(wanted));
	int rc = *info ? 0 : procps_pids_new(info, wanted, (int)ARRAY_LEN(wanted));
	return rc < 0 ? err_errno(e, -rc, "opening the process table") : 0;
}

static int add(const struct pids_stack *stack, uint32_t euid, struct task_reading *r, struct err *e)
{
	struct task_record *rec = task_reading_add(r);
	const struct pids_result *v = stack->head;

	if (!rec)
		return err_errno(e, ENOMEM, "the process table");
	/* Storage counters of others' processes need privilege; libproc2 shows those as 0. */
	fill(rec, v, euid == 0 || v[AT_EUID].result.u_int == euid);
	return 0;
}

static int add_all(const struct pids_fetch *got, struct task_reading *r, struct err *e)
{
	uint32_t euid = geteuid();
	int rc = got ? 0 : err_errno(e, EIO, "reading the process table");

	for (int i = 0; !rc && i < got->counts->total; i++)
		rc = add(got->stacks[i], euid, r, e);
	if (!rc)
		task_reading_sort(r);
	return rc;
}

int procps_read_processes(struct pids_info **info, struct task_reading *r, struct err *e)
{
	int rc = open_library(info, e);

	return rc ? rc : add_all(procps_pids_reap(*info, PIDS_FETCH_TASKS_ONLY), r, e);
}

int procps_read_until(struct pids_info **info, uint64_t mono_ns, struct task_reading *r, bool *is_cut, struct err *e)
{
	int rc = open_library(info, e);
	uint32_t euid = geteuid();
	const struct pids_stack *one = NULL;

	*is_cut = false;
	while (!rc && !*is_cut && (one = procps_pids_get(*info, PIDS_FETCH_TASKS_ONLY))) {
		rc = add(one, euid, r, e);
		*is_cut = clock_mono_ns() >= mono_ns;
	}
	/* The library goes on where it stopped: a new handle starts from the first process again. */
	procps_release(info);
	if (!rc)
		task_reading_sort(r);
	return rc;
}

int procps_read_some(struct pids_info **info, struct task_reading *r, uint32_t *tgids, uint32_t n,
		     struct err *e)
{
	int rc = open_library(info, e);

	if (rc)
		return rc;
	return add_all(procps_pids_select(*info, tgids, (int)n, PIDS_SELECT_PID), r, e);
}

void procps_release(struct pids_info **info)
{
	if (*info)
		procps_pids_unref(info);
}
