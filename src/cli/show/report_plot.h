/* SPDX-License-Identifier: Apache-2.0 */
/* The bars of a report. */
#ifndef CLI_REPORT_PLOT_H
#define CLI_REPORT_PLOT_H

#include "cli/records/figures.h"
#include "common/text/output.h"

/* Writes a bar of a table: accepted and refused records, relative to `most`. */
void bar_split(struct output *out, struct split split, uint64_t most);

/* Writes a bar for one number, in the colour of a class of findings. */
void bar_class(struct output *out, uint64_t part, uint64_t most, unsigned class_);

#endif
