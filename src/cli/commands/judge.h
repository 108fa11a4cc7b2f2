/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that judge and read have in common: from a record to an item. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "cli/records/batch.h"
#include "cli/show/item.h"

/* The item of a record, judged by the options' policy as a URI. */
struct item judge_uri(struct worker *worker, const struct record *record);

/* The item of a record, judged as a request target with what the options, or the record itself,
 * say of its request. */
struct item judge_target(struct worker *worker, const struct record *record,
			 enum urivet_target_form *form);

/* The same for a record that is a target, whose request is told. */
struct item judge_request(struct worker *worker, const struct record *record,
			  const struct urivet_request *request, enum urivet_target_form *form);

/* The item of a record, judged as what the options say that records are. *form is
 * URIVET_TARGET_ABSOLUTE for a URI too: those two can be spelled otherwise. */
struct item judge_record(struct worker *worker, const struct record *record,
			 enum urivet_target_form *form);

/* The item of a record before anything is known of it. */
struct item judge_nothing(struct worker *worker, const struct record *record);

/* Judges by the options' policy; adds what is found by the list of public suffixes, of which
 * the library knows nothing. */
enum urivet_verdict judge_octets(const struct options *options, struct urivet_report *report,
				 struct text text);

/* Adds that to a finished report of a text and, beside a request target, the Host field. */
enum urivet_verdict judge_suffix(const struct options *options, struct urivet_report *report,
				 struct text text, struct text host);

/* True if urivet_ok decides alone. */
bool judge_is_plain(const struct worker *worker, const struct record *record);

/* The spelling that the policy accepts, in the worker's scratch; no data: none. */
struct text judge_suggestion(struct worker *worker, const struct item *item);

/* The spelling of a text with characters beyond ASCII on which readers agree, in the worker's
 * scratch; no data: none. *iri says why. */
struct text judge_iri(struct worker *worker, const struct item *item, struct urivet_iri *iri);

/* The spelling of either kind for an item of judge_uri(), whose text it may be. */
struct text judge_uri_suggestion(struct worker *worker, const struct item *item);

/* The same for an item of judge_record(), judge_target() or judge_request(). Only a URI or an absolute
 * target can be spelled otherwise; no data for others. */
struct text judge_record_suggestion(struct worker *worker, const struct item *item,
				    enum urivet_target_form form);

/* Asks every reader, unless the input is too long to be read; what they add to the
 * report counts for the verdict. The readings are freed where item->readings is set. */
void judge_readings(struct worker *worker, struct item *item, struct readings *readings);

/* Writes an item in the format that the options ask for. */
void judge_show(struct worker *worker, const struct item *item);

/* The same for an item that is its spelling; where there is none, `why` and the input
 * are what people are told. */
void judge_show_result(struct worker *worker, const struct item *item, const char *why);

/* The same after judge_iri(), with a line for people where there is none, too. */
void judge_show_iri(struct worker *worker, const struct item *item);

/* A component in lower case, as letter case makes no difference to it, in the worker's scratch; empty if
 * there is none. No data: there is no memory. */
struct text judge_lower_part(struct worker *worker, const struct item *item,
			     enum urivet_component component);

#endif
