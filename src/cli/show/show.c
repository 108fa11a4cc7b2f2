/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses how an item is written. */
#include "cli/show/show.h"
#include "cli/text/emit.h"
#include "common/text/secrets.h"
#include <errno.h>
#include <stdlib.h>

typedef void writer(struct output *, const struct item *);

void show_item(struct worker *worker, const struct item *item)
{
	static writer *const write[] = {
	    [FORMAT_HUMAN] = human_write, [FORMAT_TSV] = tsv_write, [FORMAT_JSON] = json_write};

	if (!worker->showing->quiet)
		write[worker->showing->format](&worker->out, item);
}

uint8_t *masked_copy(struct octets text, bool goes_on, bool is_authority)
{
	uint8_t *copy = malloc(text.length + 3);

	if (copy == NULL)
		return NULL;
	if (text.length > 0)
		memcpy(copy + 2, text.data, text.length);
	copy[text.length + 2] = '@';
	mask_secrets(copy + 2, text.length + goes_on);
	if (is_authority && (text.length == 0 || text.data[0] != '/')) {
		copy[0] = copy[1] = '/';
		mask_secrets(copy, 2 + text.length + goes_on);
	}
	memmove(copy, copy + 2, text.length);
	return copy;
}

/* Writes "readers disagree on U+00DF at octet 13, idn-deviation-char: ". */
static void write_reason(struct output *out, const struct urivet_iri *iri)
{
	const struct urivet_finding_row *info = urivet_finding_info(iri->id);

	if (iri->outcome == URIVET_IRI_DISAGREE) {
		output_string(out, "readers disagree on ");
		output_code_point(out, iri->code_point);
		emit(out, " at octet ", (uint64_t)iri->span.offset + 1);
	} else {
		output_string(out, "no spelling is accepted");
	}
	emit(out, info != NULL ? ", " : "", info != NULL ? info->name : "", ": ");
}

/* An item with an outcome gets a line even without a spelling, so that both can be read in
 * parallel. */
static void human_write_result(struct output *out, const struct item *item)
{
	if (item->suggestion.data != NULL || item->shows_outcome)
		emit(out, item->suggestion, "\n");
}

/* The message is "urivet: urls.txt:3: ", the reason and the input. It is buffered, to keep it in order
 * with the others. */
void show_result(struct worker *worker, const struct item *item, const char *why)
{
	static writer *const write[] = {[FORMAT_HUMAN] = human_write_result,
					[FORMAT_TSV] = tsv_write_result,
					[FORMAT_JSON] = json_write_result};
	const enum format format = worker->showing->format;
	uint8_t *masked;

	if (!worker->showing->quiet)
		write[format](&worker->out, item);
	if (item->suggestion.data != NULL || format != FORMAT_HUMAN)
		return;
	output_string(worker->told, "urivet: ");
	if (item->source != NULL)
		emit(worker->told, text_of(item->source), ":", item->number, ": ");
	if (why == NULL || item->iri.id != 0)
		write_reason(worker->told, &item->iri);
	else
		output_string(worker->told, why);
	masked = masked_copy(item->text, item->too_long, false);
	if (masked != NULL)
		emit(worker->told, text_at(masked, item->text.length),
		     item->too_long ? "...\n" : "\n");
	else
		worker->out.error = ENOMEM;
	free(masked);
}
