/* SPDX-License-Identifier: Apache-2.0 */
/* Writes finds of scan as a log in SARIF 2.1.0, which code review shows beside the lines. */
#ifndef CLI_SARIF_H
#define CLI_SARIF_H

#include "cli/judge/item.h"
#include "cli/text/paint.h"

struct sarif {
	struct urivet_finding_set rules; /* findings with results */
	bool has_results;
};

static inline bool sarif_is_written(const struct show_options *options)
{
	return options->format == FORMAT_SARIF && !options->quiet;
}

/* Returns how many octets begin no character of UTF-8. */
size_t sarif_further(const uint8_t *data, size_t length);

/* Write the beginning and the end of a log. Between them come the results of all files. */
void sarif_begin(struct output *out);
void sarif_end(struct output *out, const struct sarif *sarif);

/* Writes a result for each finding that refuses, and for notes about the text around the URL. */
void sarif_write(struct output *out, struct sarif *sarif, const struct item *item);

#endif
