/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a report's page, from its first look at everything down. */
#ifndef CLI_REPORT_SECTIONS_H
#define CLI_REPORT_SECTIONS_H

#include "cli/options/options.h"
#include "cli/records/figures.h"

/* How many records there are, and what became of them. */
void report_summary_write(struct output *out, const struct figures *figures);

/* Columns over time, if there are time stamps. */
void report_timeline_write(struct output *out, const struct figures *figures);

/* The findings that refused a record, or those that never did, if there are any. */
void report_findings_write(struct output *out, const struct figures *figures, bool refusing);

/* The hosts, and the domains that somebody registered. */
void report_hosts_write(struct output *out, const struct figures *figures,
			const struct options *options);

/* Schemes and ports, side by side. */
void report_schemes_write(struct output *out, const struct figures *figures);

/* Columns by the length of records, of which there is one at least. */
void report_lengths_write(struct output *out, const struct figures *figures);

#endif
