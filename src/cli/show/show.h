/* SPDX-License-Identifier: Apache-2.0 */
/* Writes items in the output format of a worker. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli/judge/judge.h"
#include "cli/show/writers.h"

/* Writes an item in the output format. */
void show_item(struct worker *worker, const struct item *item);

/* Returns true if the output shows a suggested spelling. */
static inline bool shows_spelling(const struct show_options *options)
{
	return !options->quiet && options->format != FORMAT_TSV;
}

/* Writes only the suggested spelling of an item, and the outcome of judge_iri() if it is shown. If
 * there is none, human output gets a message with `why` (NULL: that of judge_iri()) and the input,
 * and an empty line in place of a spelling with an outcome. */
void show_result(struct worker *worker, const struct item *item, const char *why);

/* Returns a copy with masked secrets, freed by the caller, or NULL if there is no memory. `goes_on`:
 * the text is the head of a longer one, in which an "@" may follow. `is_authority`: unless it is a
 * path, the text may be an authority, and is masked as one too. */
uint8_t *masked_copy(struct octets text, bool goes_on, bool is_authority);

#endif
