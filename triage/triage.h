/* Frames in, findings out. Rules are const records, one file each or one family per file. */
#ifndef TRIAGE_TRIAGE_H
#define TRIAGE_TRIAGE_H

#include "frame/finding.h"
#include "frame/history.h"

/** One rule: looks at a frame (and its past) and adds at most a few findings. */
struct rule {
	const char *name;     /* fixture names: tests/triage/<name>.fires.frame and .quiet.frame */
	const char *resource;
	uint64_t needs;       /* sections that must be OK for it to be asked */
	void (*judge)(const struct frame *f, const struct history *h, struct findings *out);
};

/** All rules, made by the build from triage/rule_<name>.c holding `const struct rule rule_<name>`. */
extern const struct rule *const rule_registry[];
extern const size_t rule_registry_len;

/** Ask every rule whose sections are there; worst first. False when memory is used up. Free with findings_fini(). */
bool triage(const struct frame *f, const struct history *h, struct findings *out);

/** A new zeroed finding at the end of out, or NULL when memory is used up; for rules. */
struct finding *finding_add(struct findings *out);

/** Add one number that supports the finding; more than FINDING_EVIDENCE_MAX are dropped. */
void finding_evidence(struct finding *g, enum frame_sec sec, uint32_t row, uint32_t field, double value, double threshold);

/** Free the findings; empty and usable after. */
void findings_fini(struct findings *f);

#endif
