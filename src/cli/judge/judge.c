/* SPDX-License-Identifier: Apache-2.0 */
/* Makes items from records. */
#include "cli/judge/judge.h"
#include <errno.h>

void judge_registrable(struct worker *worker, struct item *item)
{
	if (worker->judging->suffixes == NULL)
		return;
	if (worker->hosts == NULL)
		worker->hosts = host_cache_new();
	if (worker->hosts == NULL) {
		worker->out.error = ENOMEM;
		return;
	}
	item->hosts = worker->hosts;
	item->suffixes = worker->judging->suffixes;
}

struct item item_from_record(struct worker *worker, const struct record *record)
{
	/* copied, since GCC clears so many octets by a slow string instruction */
	static const struct item empty;
	size_t limit = worker->reading->limit;
	struct item item = empty;

	item.text = record->text;
	item.length = record->length;
	item.too_long = record->length > limit;
	item.number = record->number - worker->before_file;
	item.source = worker->source;
	item.report = &worker->report;
	if (worker->judging->shows_registrable)
		judge_registrable(worker, &item);

	/* The text shown of an over-long record must not depend on block boundaries. */
	if (item.too_long && item.text.length > input_held(limit, record->length))
		item.text.length = input_held(limit, record->length);
	return item;
}

const struct urivet_finding *judge_refusal(const struct urivet_report *report,
					   const struct urivet_policy *policy, unsigned id)
{
	for (uint32_t i = 0; i < report->count; i++)
		if ((id == 0 || report->finding[i].id == id) &&
		    urivet_finding_refuses(report, &report->finding[i], policy))
			return &report->finding[i];
	return NULL;
}

void judge_url_or_path(struct urivet_report *report, struct octets text,
		       const struct urivet_policy *policy)
{
	struct urivet_request unknown;

	(void)urivet_request_init(&unknown, sizeof unknown);
	unknown.host_unknown = true;
	if (text.length == 0 || text.data[0] != '/')
		(void)urivet_check(report, text.data, text.length, policy);
	else
		(void)urivet_check_request(report, text.data, text.length, &unknown, policy, NULL);
}

/* ---- Parameters --------------------------------------------------------------- */

/* Sets up the check of a text's parameters by the options. `request` is NULL for a URI. */
static struct parameters parameters_of(struct worker *worker, struct octets text,
				       const struct urivet_request *request,
				       const struct urivet_report *report)
{
	const struct parameter_options *asked = &worker->judging->parameters;
	struct parameters parameters = {.rules = &asked->rules,
					.loaded = asked->loaded,
					.text = to_library(text),
					.report = report,
					.room = &worker->room};

	if (request != NULL)
		parameters.request = *request;
	if (report->parsed && urivet_has(&report->uri, URIVET_QUERY))
		worker_room(worker, parameters_need(&parameters));
	return parameters;
}

/* Adds findings about the parameters of an item, if the options ask for them. */
static void judge_parameters(struct worker *worker, struct item *item,
			     const struct urivet_request *request)
{
	if (!parameters_asked(&worker->judging->parameters))
		return;
	worker->parameters = parameters_of(worker, item->text, request, &worker->report);
	parameters_judge(&worker->parameters, &worker->report, item->policy);
	item->parameters = &worker->parameters;
}

/* Returns true if the parameters of another spelling, with its own report, are refused. Changed
 * path segments may resolve them to other URLs. */
static bool refuses_parameters(struct worker *worker, const struct item *item,
			       struct octets spelling, struct urivet_report *report)
{
	const struct urivet_request *request =
	    item->parameters->request.size != 0 ? &item->parameters->request : NULL;
	const struct parameters parameters = parameters_of(worker, spelling, request, report);

	parameters_judge(&parameters, report, item->policy);
	return report->verdict != URIVET_ACCEPT;
}

/* ---- One record --------------------------------------------------------------- */

/* Makes an item with its policy, not judged yet. */
static struct item begin_item(struct worker *worker, const struct record *record)
{
	const struct judge_options *options = worker->judging;
	struct item item = item_from_record(worker, record);

	item.policy = &options->policy;
	item.loaded = options->loaded;
	item.observed = options_observe(options);
	return item;
}

/* Reports a record that cannot be judged, with the octets at fault. If it is too long, that is
 * reported instead. */
static struct item refuse_record(struct worker *worker, struct item *item, struct urivet_span fault)
{
	struct urivet_report *report = &worker->report;

	if (item->too_long) {
		(void)urivet_check(report, item->text.data, item->length, item->policy);
	} else {
		*report =
		    (struct urivet_report){.size = sizeof *report, .uri = {.port = URIVET_NO_PORT}};
		(void)urivet_add_finding(report, URIVET_F_FIELD_UNREADABLE, URIVET_WHOLE, fault,
					 item->policy);
	}
	judge_parameters(worker, item, NULL); /* the record has no parameters */
	return *item;
}

struct item judge_uri(struct worker *worker, const struct record *record)
{
	struct item item = begin_item(worker, record);

	if (record_is_unreadable(record)) {
		refuse_record(worker, &item, (struct urivet_span){0, 0});
	} else {
		const struct octets text = text_at(item.text.data, item.length);

		(void)urivet_check(&worker->report, text.data, text.length, item.policy);
		judge_parameters(worker, &item, NULL);
	}
	return item;
}

/* ---- Request targets -------------------------------------------------------- */

/* Takes a field and the following space off the text. Returns false if there is no space. */
static bool take_field(struct octets *text, struct urivet_text *field)
{
	const uint8_t *space = memchr(text->data, ' ', text->length);

	if (space == NULL)
		return false;
	*field = urivet_text_of(text->data, (size_t)(space - text->data));
	*text = text_at(space + 1, text->length - field->length - 1);
	return true;
}

/* Reduces the item of a record METHOD SP HOST SP TARGET to its target, which is everything after
 * the second space. Returns false, with the octets at fault, if a field is missing or the method is
 * not a token. */
static bool take_target(struct item *item, struct urivet_request *request,
			struct urivet_span *fault)
{
	struct octets target = item->text;

	*fault = (struct urivet_span){(uint32_t)item->length, 0};
	if (!take_field(&target, &request->method))
		return false;
	*fault = (struct urivet_span){0, (uint32_t)request->method.length};
	if (!urivet_request_valid(request))
		return false;
	*fault = (struct urivet_span){(uint32_t)item->length, 0};
	if (!take_field(&target, &request->host))
		return false;
	item->length -= (size_t)(target.data - item->text.data);
	item->text = target;
	item->too_long = item->length > item->policy->max_length;
	if (item->too_long && target.length > input_held(item->policy->max_length, item->length))
		item->text.length = input_held(item->policy->max_length, item->length);
	return true;
}

/* Judges the text of an item as a request target. */
static void judge_as_target(struct worker *worker, struct item *item,
			    const struct urivet_request *request, enum urivet_target_form *form)
{
	item->host = from_library(request->host);
	(void)urivet_check_request(&worker->report, item->text.data, item->length, request,
				   item->policy, form);
	judge_parameters(worker, item, request);
}

struct item judge_request(struct worker *worker, const struct record *record,
			  const struct urivet_request *request, enum urivet_target_form *form)
{
	struct item item = begin_item(worker, record);

	judge_as_target(worker, &item, request, form);
	return item;
}

struct item judge_target(struct worker *worker, const struct record *record,
			 enum urivet_target_form *form)
{
	struct urivet_request request = worker->judging->target.request;
	struct item item = begin_item(worker, record);
	struct urivet_span fault;

	*form = URIVET_TARGET_NONE;
	if (record_is_unreadable(record))
		refuse_record(worker, &item, (struct urivet_span){0, 0});
	else if (worker->judging->target.records && !take_target(&item, &request, &fault))
		refuse_record(worker, &item, fault);
	else
		judge_as_target(worker, &item, &request, form);
	return item;
}

struct item judge_record(struct worker *worker, const struct record *record,
			 enum urivet_target_form *form)
{
	if (judges_targets(worker->judging))
		return judge_target(worker, record, form);
	*form = URIVET_TARGET_ABSOLUTE;
	return judge_uri(worker, record);
}

struct octets judge_lower_part(struct worker *worker, const struct item *item,
			       enum urivet_component component)
{
	const struct octets part =
	    item->report->parsed ? item_part(item, component) : (struct octets){0};
	uint8_t *lower = worker_scratch(worker, part.length + 1);

	if (lower != NULL)
		lower_copy(lower, part);
	return text_at(lower, part.length);
}

/* ---- URIs ------------------------------------------------------------------- */

bool judge_is_plain(const struct worker *worker, const struct record *record)
{
	return worker->judging->plain_strict && !record_is_unreadable(record) &&
	       record->length <= worker->reading->limit;
}

/* Returns true if a suggested spelling is refused for its parameters. */
static bool is_refused(struct worker *worker, const struct item *item, struct octets spelling)
{
	struct urivet_report report;

	return urivet_check(&report, spelling.data, spelling.length, &worker->judging->policy) !=
		   URIVET_ACCEPT ||
	       (item->parameters != NULL && refuses_parameters(worker, item, spelling, &report));
}

/* Returns the spelling in the worker's scratch memory, unless it is refused itself. */
static struct octets checked_spelling(struct worker *worker, const struct item *item, size_t length)
{
	struct octets spelling = {worker->scratch, length};

	if (length == 0 || /* item->policy is NULL where the text was not judged */
	    (item->policy != NULL && item->report->verdict != URIVET_ACCEPT &&
	     text_equals(spelling, item->text)) ||
	    ((worker->judging->policy.parameter_count > 0 || item->parameters != NULL) &&
	     is_refused(worker, item, spelling)))
		return (struct octets){0};
	return spelling;
}

struct octets judge_iri(struct worker *worker, const struct item *item, struct urivet_iri *iri)
{
	struct octets text = item->text;

	*iri = (struct urivet_iri){.id = URIVET_F_URL_TOO_LONG};
	if (item->too_long ||
	    worker_scratch(worker, urivet_size_of(URIVET_CAPACITY_IRI, text.length)) == NULL)
		return (struct octets){0};
	return checked_spelling(worker, item,
				urivet_suggest_iri(iri, (char *)worker->scratch,
						   worker->scratch_size, text.data, text.length,
						   &worker->judging->spelling));
}

struct octets judge_suggestion(struct worker *worker, const struct item *item)
{
	struct octets text = item->text;
	struct urivet_iri iri;
	size_t length = text.length + 15, room = 0; /* most are no longer than the input */

	while (length >= room) {
		if (item->too_long || worker_scratch(worker, length + 1) == NULL)
			return (struct octets){0};
		room = worker->scratch_size;
		length = urivet_suggest((char *)worker->scratch, room, text.data, text.length,
					&worker->judging->spelling);
	}
	if (length == 0 && !is_ascii(text))
		return judge_iri(worker, item, &iri);
	return checked_spelling(worker, item, length);
}

/* Returns true if the text is already canonical: it has no findings. Findings about letter case
 * exist only for web schemes, so other schemes are excluded. */
static bool is_canonical(const struct urivet_report *report)
{
	return report->verdict == URIVET_ACCEPT && report->parsed && report->count == 0 &&
	       report->dropped == 0 && report->uri.scheme != URIVET_SCHEME_OTHER;
}

struct octets judge_uri_suggestion(struct worker *worker, const struct item *item)
{
	return is_canonical(item->report) ? item->text : judge_suggestion(worker, item);
}

struct octets judge_record_suggestion(struct worker *worker, const struct item *item,
				      enum urivet_target_form form)
{
	return form == URIVET_TARGET_ABSOLUTE ? judge_uri_suggestion(worker, item)
					      : (struct octets){0};
}

void judge_readings(struct worker *worker, struct item *item, struct readings *readings)
{
	if (item->too_long)
		return;
	if (readings_take(readings, item->text, &worker->report, item->policy))
		item->readings = readings;
	else
		worker->out.error = ENOMEM;
}
