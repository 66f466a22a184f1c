/* biolatency: how long the device takes per block request. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/probes/probe.h"

static bool is_asked(const struct disk_row *d, const struct scope *s)
{
	if (d->is_partition == 1)
		return false;
	return s->kind != SCOPE_DEVICE || (d->major == s->major && d->minor == s->minor);
}

/* Two programs run per request: at its issue and at its completion. */
static double rate(const struct frame *f, const struct scope *s)
{
	const struct disk_row *disks = FRAME_ROWS(f, disk, DISK);
	double sum = 0;

	if (!disks)
		return F64_UNKNOWN;
	for (uint32_t i = 0; i < f->sec[SEC_DISK].nrows; i++)
		if (is_asked(&disks[i], s))
			sum += 2 * (disks[i].read_per_s + disks[i].write_per_s);
	return sum;
}

/* The name under which the device is linked ("../../devices/.../block/nvme0n1"), else its numbers. */
static struct text device_text(struct arena *a, uint64_t id)
{
	char path[64], target[256];
	unsigned int major = (unsigned int)(id >> 20), minor = (unsigned int)(id & 0xfffff);

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major, minor);
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = 0;
	const char *name = strrchr(target, '/');
	return name ? text_clean_str(a, name + 1) : text_printf(a, "%u:%u", major, minor);
}

const struct probe probe_biolatency = {
	.answers = "How long do block requests take in the device?",
	.family = &probe_family_hist,
	.unit = UNIT_NS,
	.scopes = 1u << SCOPE_HOST | 1u << SCOPE_DEVICE,
	.rate = rate,
	.ns_per_event = 300,
	.key_text = device_text,
};
