/* The sampler thread: scheduler, builder, mailbox; seen by others as a source. */
#ifndef COLLECTORS_SAMPLER_H
#define COLLECTORS_SAMPLER_H

#include "collectors/collector.h"

struct sampler_options {
	uint64_t period_ns; /* of frames; 0: one second */
	struct scope scope; /* focus to start with */
	bool is_no_bpf;     /* --no-bpf: as on a kernel without it */
};

/** Start sampling; the first frame is out before BPF objects load. NULL with words on failure. */
struct source *sampler_start(const struct sampler_options *o, struct err *e);

#endif
