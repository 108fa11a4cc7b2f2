/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report, its sections from top to bottom, and their bars. */
#ifndef CLI_REPORT_SECTIONS_H
#define CLI_REPORT_SECTIONS_H

#include "cli/judge/judge_options.h"
#include "cli/records/figures.h"
#include "cli/records/read_options.h"
#include "common/text/output.h"

/* Writes a self-contained HTML page, without network access or scripts. It depends only on the
 * figures, the options and the time, which SOURCE_DATE_EPOCH in the environment sets. */
void report_page_write(struct output *out, const struct figures *figures,
		       const struct read_options *inputs, const struct judge_options *judging,
		       uint32_t top);

/* Writes the elements of the head that limit what the page may load, and its style. */
void report_sheet_write(struct output *out);

/* Writes a chart over time, if there are time stamps. */
void report_timeline_write(struct output *out, const struct figures *figures);

/* Writes the findings that refused a record, or those that never did, if there are any. */
void report_findings_write(struct output *out, const struct figures *figures, bool refusing);

/* Writes the hosts and the registrable domains by a list of public suffixes (NULL: no domains), the
 * `top` greatest counts of each (0: a default). */
void report_hosts_write(struct output *out, const struct figures *figures,
			const struct urivet_suffixes *suffixes, size_t top);

/* Writes schemes and ports side by side. */
void report_schemes_write(struct output *out, const struct figures *figures);

/* Writes a chart by length. There must be at least one record. */
void report_lengths_write(struct output *out, const struct figures *figures);

/* Writes a bar of a table: accepted and refused records, relative to `most`. */
void bar_split(struct output *out, struct split split, uint64_t most);

/* Writes a bar for one number, in the colour of a class of findings. */
void bar_class(struct output *out, uint64_t part, uint64_t most, unsigned class_);

#endif
