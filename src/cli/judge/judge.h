/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the commands that judge or parse records: makes an item from a record. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "cli/judge/batch.h"
#include "cli/judge/item.h"
#include <urivet/spelling.h>

/* Judges a record as a URI by the policy of the options. */
struct item judge_uri(struct worker *worker, const struct record *record);

/* Judges a record as a request target. The request is described by the options or by the record
 * itself. */
struct item judge_target(struct worker *worker, const struct record *record,
			 enum urivet_target_form *form);

/* Judges a record as the target of the given request. */
struct item judge_request(struct worker *worker, const struct record *record,
			  const struct urivet_request *request, enum urivet_target_form *form);

/* Judges a record as a URI or as a request target, depending on the options. *form is
 * URIVET_TARGET_ABSOLUTE for URIs, too: only these and absolute targets can get another
 * spelling. */
struct item judge_record(struct worker *worker, const struct record *record,
			 enum urivet_target_form *form);

/* Has the registrable domain of the item shown, if there is a list of public suffixes. */
void judge_registrable(struct worker *worker, struct item *item);

/* Makes an item from a record without judging it. */
struct item item_from_record(struct worker *worker, const struct record *record);

/* Judges a URL, or a path as the target of a request of which nothing is known. */
void judge_url_or_path(struct urivet_report *report, struct octets text,
		       const struct urivet_policy *policy);

/* Returns the first finding with the number that refuses; 0: any. NULL if there is none. */
const struct urivet_finding *judge_refusal(const struct urivet_report *report,
					   const struct urivet_policy *policy, unsigned id);

/* Returns true if urivet_ok() alone decides on the record (fast path). */
bool judge_is_plain(const struct worker *worker, const struct record *record);

/* Returns a spelling that the policy accepts, in the worker's scratch memory. Data is NULL if there
 * is none. */
struct octets judge_suggestion(struct worker *worker, const struct item *item);

/* Converts a text with non-ASCII characters to a URI on which readers agree, in the worker's
 * scratch memory. Data is NULL if there is none; *iri has the reason. */
struct octets judge_iri(struct worker *worker, const struct item *item, struct urivet_iri *iri);

/* Returns a spelling of either kind for an item of judge_uri(). It may be the item's own text. */
struct octets judge_uri_suggestion(struct worker *worker, const struct item *item);

/* Does the same for an item of judge_record(), judge_target() or judge_request(). Data is NULL for
 * targets other than URIs and absolute targets. */
struct octets judge_record_suggestion(struct worker *worker, const struct item *item,
				      enum urivet_target_form form);

/* Runs every reader, unless the input is too long. Their findings are added to the report and count
 * for the verdict. If item->readings is set, the caller frees the readings. */
void judge_readings(struct worker *worker, struct item *item, struct readings *readings);

/* Returns a case-insensitive component in lower case, in the worker's scratch memory. It is empty
 * if the component is absent. Data is NULL if there is no memory. */
struct octets judge_lower_part(struct worker *worker, const struct item *item,
			       enum urivet_component component);

#endif
