/* Any bytes as any /proc file: the first half is what a collector reads first, the second what it
 * reads next. Whatever they are, a percentage lies between 0 and 100 and a CPU's add up. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "collectors/collector.h"

extern const struct collector collector_disks, collector_host, collector_limits, collector_memory,
    collector_network, collector_pressure, collector_protocols, collector_system;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct collector *const all[] = {
	&collector_disks,   &collector_host,     &collector_limits,    &collector_memory,
	&collector_network, &collector_pressure, &collector_protocols, &collector_system,
};

static const char *const folders[] = { "net", "pressure", "sys", "sys/fs", "sys/kernel" };
static const char *const files[] = {
	"stat",
	"diskstats",
	"meminfo",
	"vmstat",
	"uptime",
	"loadavg",
	"net/dev",
	"net/snmp",
	"net/netstat",
	"net/softnet_stat",
	"net/sockstat",
	"pressure/cpu",
	"pressure/io",
	"sys/fs/file-nr",
	"sys/kernel/hostname",
	"sys/kernel/pid_max",
};

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

/* A tree whose every file is the one input; removed again before the process can end. */
static int tree_open(char *path, int *input_fd)
{
	char at[96];

	check(mkdtemp(path) != NULL, "temporary folder");
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		check(mkdirat(dir, folders[i], 0700) == 0, folders[i]);
	snprintf(at, sizeof(at), "%s/input", path);
	*input_fd = open(at, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		check(symlinkat(at, dir, files[i]) == 0, files[i]);
	return dir;
}

static void tree_remove(const char *path, int dir, int input_fd)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		unlinkat(dir, files[i], 0);
	for (size_t i = ARRAY_LEN(folders); i-- > 0;)
		unlinkat(dir, folders[i], AT_REMOVEDIR);
	unlinkat(dir, "input", 0);
	rmdir(path);
	close(dir);
	close(input_fd);
}

static void check_frame(const struct frame *f)
{
	for (int sec = 0; sec < SEC_COUNT; sec++)
		for (uint32_t i = 0; i < f->sec[sec].nrows; i++)
			for (uint32_t k = 0; k < section_descs[sec].nfields; k++) {
				const struct field_desc *d = &section_descs[sec].fields[k];
				double v = field_number(d, frame_row(f, (enum frame_sec)sec, i));
				bool is_share = d->unit == UNIT_PCT &&
						(sec == SEC_CPU || sec == SEC_DISK ||
						 sec == SEC_NET);
				check(!is_share || isnan(v) || (v >= 0 && v <= 100.0001), d->name);
				check(d->unit != UNIT_PER_S || isnan(v) || v >= 0, d->name);
			}
	for (uint32_t i = 0; i < f->sec[SEC_CPU].nrows; i++) {
		const struct cpu_row *c = &FRAME_ROWS(f, cpu, CPU)[i];
		double sum = c->user_pct + c->nice_pct + c->system_pct + c->irq_pct +
			     c->softirq_pct + c->steal_pct + c->guest_pct + c->iowait_pct +
			     c->idle_pct;
		check(isnan(sum) || fabs(sum - 100) < 0.1, "sum of a CPU");
	}
}

static void sample_twice(const struct collector *c, const struct collector_env *env, int input_fd,
			 const uint8_t *data, size_t size)
{
	const size_t half = size / 2;
	void *self = calloc(1, c->self_size);
	struct frame *prev = NULL;

	check(self != NULL, "memory");
	for (uint64_t step = 0; step < 2; step++) {
		struct frame_builder *b = frame_builder_new(prev, (step + 1) * NS_PER_S, 0);
		struct cost cost = { 0 };
		struct err e;
		size_t len = step ? size - half : half;
		check(b && ftruncate(input_fd, 0) == 0, "input");
		check(pwrite(input_fd, data + (step ? half : 0), len, 0) == (ssize_t)len, "input");
		collector_run(c, self, env, b, &cost, &e);
		frame_unref(prev);
		prev = frame_seal(b);
		check(prev != NULL, "memory");
		check_frame(prev);
	}
	frame_unref(prev);
	if (c->close)
		c->close(self);
	free(self);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct request nothing;
	char path[] = "/tmp/rung-fuzz-XXXXXX";
	int input_fd;
	struct collector_env env = { tree_open(path, &input_fd), -1, -1, false, &nothing };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		sample_twice(all[i], &env, input_fd, data, size);
	tree_remove(path, env.proc_fd, input_fd);
	return 0;
}
