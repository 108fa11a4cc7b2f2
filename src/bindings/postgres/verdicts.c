/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for verdicts and findings. */
#include <urivet/spelling.h>

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "site.h"
#include "text.h"

/* Selects findings of a report. */
typedef bool chosen(const struct urivet_report *report, const struct urivet_finding *finding,
		    const struct urivet_policy *policy);

static bool any_finding(const struct urivet_report *report, const struct urivet_finding *finding,
			const struct urivet_policy *policy)
{
	return true;
}

static Datum names_of(const struct urivet_report *report, const struct urivet_policy *policy,
		      chosen *choose)
{
	Datum names[URIVET_MAX_FINDINGS];
	int count = 0;

	for (uint32 k = 0; k < report->count; k++)
		if (choose(report, &report->finding[k], policy))
			names[count++] =
			    string_datum(urivet_finding_info(report->finding[k].id)->name);
	return PointerGetDatum(construct_array(names, count, TEXTOID, -1, false, TYPALIGN_INT));
}

/* Returns an array of the offsets or lengths of all spans. */
static Datum span_numbers(const struct urivet_report *report, bool lengths)
{
	Datum numbers[URIVET_MAX_FINDINGS];

	for (uint32 k = 0; k < report->count; k++) {
		const struct urivet_span *span = &report->finding[k].span;

		numbers[k] = Int32GetDatum((int32)(lengths ? span->length : span->offset));
	}
	return PointerGetDatum(construct_array(numbers, (int)report->count, INT4OID, sizeof(int32),
					       true, TYPALIGN_INT));
}

PG_FUNCTION_INFO_V1(pg_urivet_ok);
Datum pg_urivet_ok(PG_FUNCTION_ARGS)
{
	const struct urivet_policy *policy;
	struct urivet_text url;
	struct urivet_report work;

	if (!asked(fcinfo, &policy, &url))
		PG_RETURN_NULL();
	if (policy == NULL)
		PG_RETURN_BOOL(urivet_ok(url.data, url.length));
	PG_RETURN_BOOL(urivet_verdict_of(url.data, url.length, policy, &work) == URIVET_ACCEPT);
}

PG_FUNCTION_INFO_V1(pg_urivet_findings);
Datum pg_urivet_findings(PG_FUNCTION_ARGS)
{
	const struct urivet_policy *policy;
	struct urivet_text url;
	struct urivet_report report;

	if (!asked(fcinfo, &policy, &url))
		PG_RETURN_NULL();
	urivet_check(&report, url.data, url.length, policy);
	return names_of(&report, policy, any_finding);
}

PG_FUNCTION_INFO_V1(pg_urivet_check);
Datum pg_urivet_check(PG_FUNCTION_ARGS)
{
	const struct urivet_policy *policy;
	struct urivet_text url;
	struct urivet_report report;
	Datum values[7];
	bool nulls[7] = {false};

	if (!asked(fcinfo, &policy, &url))
		PG_RETURN_NULL();
	urivet_check(&report, url.data, url.length, policy);
	values[0] = BoolGetDatum(report.verdict == URIVET_ACCEPT);
	values[1] = names_of(&report, policy, urivet_finding_refuses);
	values[2] = names_of(&report, policy, any_finding);
	values[3] = span_numbers(&report, false);
	values[4] = span_numbers(&report, true);
	values[5] = Int32GetDatum((int32)Min(report.dropped, PG_INT32_MAX));
	values[6] = string_datum(urivet_reason_name(urivet_reason(&report, policy)));
	return returned_row(fcinfo, values, nulls);
}

/* ---- Errors for refused URLs ---- */

static char *refused_by(const struct urivet_report *report, const struct urivet_policy *policy)
{
	StringInfoData names;

	initStringInfo(&names);
	for (uint32 k = 0; k < report->count; k++)
		if (urivet_finding_refuses(report, &report->finding[k], policy))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "",
					 urivet_finding_info(report->finding[k].id)->name);
	return names.data;
}

/* Returns one line for each finding that refuses. The URL is omitted, as it may contain secrets and
 * errors are logged. */
static char *reasons(const struct urivet_report *report, const struct urivet_policy *policy)
{
	StringInfoData lines;

	initStringInfo(&lines);
	for (uint32 k = 0; k < report->count; k++) {
		const struct urivet_finding *finding = &report->finding[k];
		const struct urivet_finding_row *row = urivet_finding_info(finding->id);

		if (urivet_finding_refuses(report, finding, policy))
			appendStringInfo(&lines, "%s%s (%s), %u octets from octet %u: %s",
					 lines.len > 0 ? "\n" : "", row->name,
					 urivet_class_name(row->class_), finding->span.length,
					 finding->span.offset, row->text);
	}
	if (report->dropped > 0)
		appendStringInfo(&lines, "\nand %u more", report->dropped);
	return lines.data;
}

/* Returns the spelling that the policy accepts, or NULL. */
static char *spelling(struct urivet_text url, const struct urivet_policy *policy)
{
	size_t capacity = urivet_size_of(URIVET_CAPACITY_IRI, url.length);
	char *out = palloc(capacity);
	size_t length = urivet_suggest(out, capacity, url.data, url.length, policy);
	struct urivet_iri iri;

	if (length == 0) /* a text that is not ASCII may have an ASCII spelling */
		length = urivet_suggest_iri(&iri, out, capacity, url.data, url.length, policy);
	if (length > 0 && length < capacity)
		return out;
	pfree(out);
	return NULL;
}

PG_FUNCTION_INFO_V1(pg_urivet_require);
Datum pg_urivet_require(PG_FUNCTION_ARGS)
{
	const struct urivet_policy *policy;
	struct urivet_text url;
	struct urivet_report report;
	char *better;

	if (!asked(fcinfo, &policy, &url))
		PG_RETURN_NULL();
	if (urivet_verdict_of(url.data, url.length, policy, &report) == URIVET_ACCEPT)
		PG_RETURN_BOOL(true);
	urivet_check(&report, url.data, url.length, policy);
	better = url.length <= most_octets(policy) ? spelling(url, policy) : NULL;
	if (better != NULL)
		better[strcspn(better, ";?#")] = '\0'; /* what follows may be secrets */
	if (better != NULL && strchr(better, '@') != NULL)
		better = NULL;
	ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
			errmsg("the URL is refused: %s", refused_by(&report, policy)),
			errdetail("%s", reasons(&report, policy)),
			better != NULL ? errhint("Write %s", better) : 0));
	PG_RETURN_BOOL(false);
}

PG_FUNCTION_INFO_V1(pg_urivet_suggest);
Datum pg_urivet_suggest(PG_FUNCTION_ARGS)
{
	const struct urivet_policy *policy;
	struct urivet_text url;
	char *better;

	if (!asked(fcinfo, &policy, &url) || url.length > most_octets(policy))
		PG_RETURN_NULL();
	better = spelling(url, policy);
	if (better == NULL)
		PG_RETURN_NULL();
	return string_datum(better);
}

PG_FUNCTION_INFO_V1(pg_urivet_version);
Datum pg_urivet_version(PG_FUNCTION_ARGS)
{
	return string_datum(urivet_version());
}
