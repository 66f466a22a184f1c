/* One statement of trouble; made by triage, shown by panes, kept by the session. */
#ifndef FRAME_FINDING_H
#define FRAME_FINDING_H

#include "frame/frame.h"
#include "frame/scope.h"

/** What kind of trouble, after the USE method. */
enum finding_kind { FINDING_UTILISATION, FINDING_SATURATION, FINDING_ERRORS, FINDING_LATENCY };

/** One number that supports a finding, addressed so that a reader can look it up. */
struct evidence {
	enum frame_sec sec;
	uint32_t row;
	uint32_t field;
	double value, threshold;
};

#define FINDING_EVIDENCE_MAX 4

/** A finding; texts live in the findings' arena. next.rung 0 with names: the end of the ladder. */
struct finding {
	uint32_t severity;        /* 0-100 */
	const char *rule;         /* name of the rule that fired */
	const char *resource;     /* cpu memory disk network tasks limits */
	enum finding_kind kind;
	struct text headline;     /* "nvme0n1 saturated: 97% busy, queue 34, await 31 ms" */
	struct text names;        /* what it ends at: process, function, device, file or peer; unknown if none */
	struct evidence evidence[FINDING_EVIDENCE_MAX];
	uint32_t nevidence;
	struct scope suspect;
	struct step next;
};

/** All findings of one frame, worst first. Zeroed is empty. */
struct findings {
	struct arena arena;
	struct finding *rows;
	uint32_t n;
};

#endif
