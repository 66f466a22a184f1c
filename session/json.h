/* JSON values; strings come only from struct text or from our own words. */
#ifndef SESSION_JSON_H
#define SESSION_JSON_H

#include <stdio.h>

#include "frame/frame.h"

/** A quoted string; null when the text is unknown. */
void json_text(FILE *out, struct text t);

/** A quoted string of ours; null for NULL. */
void json_word(FILE *out, const char *ours);

/** A number; null when it is unknown or has no JSON form. */
void json_f64(FILE *out, double v);

/** A row as an object; fields that are unknown are left out. */
void json_row(FILE *out, const struct section_desc *d, const void *row);

#endif
