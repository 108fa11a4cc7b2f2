/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the rules for parameters, judges those of inputs with the library, and iterates over them. */
#include "cli/judge/parameters.h"
#include "common/text/output.h"
#include "common/text/secrets.h"
#include <errno.h>
#include <stdlib.h>

static struct octets query_of(const struct parameters *parameters)
{
	static const struct urivet_text none;

	if (!parameters->report->parsed)
		return (struct octets){0};
	return from_library(
	    urivet_part(&parameters->report->uri, URIVET_QUERY, parameters->text, none));
}

static bool is_of_request(const struct parameters *parameters)
{
	return parameters->request.size != 0;
}

/* ---- Room ---------------------------------------------------------------------------- */

/* The end of the memory is used to decode two names, for comparison. */
static size_t need_of_name(const struct parameters *parameters)
{
	return query_of(parameters).length + 1;
}

size_t parameters_need(const struct parameters *parameters)
{
	const size_t host = is_of_request(parameters) ? parameters->request.host.length : 0;

	return URIVET_PARAMETERS_CAPACITY(parameters->text.length + host) +
	       2 * need_of_name(parameters);
}

/* Returns the memory for one of the two names, or NULL if it is too small. */
static char *room_of_name(const struct parameters *parameters, unsigned which)
{
	const struct parameter_room *room = parameters->room;
	const size_t back = (which + 1) * need_of_name(parameters);

	return room->size > 2 * need_of_name(parameters) ? room->data + room->size - back : NULL;
}

static struct urivet_parameter_input input_of(const struct parameters *parameters)
{
	const struct parameter_room *room = parameters->room;
	const size_t names = 2 * need_of_name(parameters);

	return (struct urivet_parameter_input){
	    .text = parameters->text,
	    .request = is_of_request(parameters) ? &parameters->request : NULL,
	    .buffer = room->data,
	    .capacity = room->size > names ? room->size - names : 0};
}

/* ---- Iteration ---------------------------------------------------------------------------- */

struct parameter_walk parameters_walk(const struct parameters *parameters)
{
	const struct octets query = query_of(parameters);

	struct parameter_walk walk;

	/* the array of names is large, so it is not cleared */
	walk.of = parameters;
	walk.query = query;
	walk.scan = (struct urivet_parameter_scan){.data = query.data, .length = query.length};
	walk.judged = walk.names = 0;
	return walk;
}

bool parameters_too_many(const struct parameter_walk *walk)
{
	return walk->judged > URIVET_MAX_PARAMETERS;
}

static struct octets at_span(struct octets text, struct urivet_span span)
{
	return text_at(text.data + span.offset, span.length);
}

/* Returns a decoded name, or the name as written if it cannot be decoded. */
static struct octets decode_name(const struct parameter_walk *walk, struct urivet_span span,
				 unsigned which)
{
	const struct octets written = at_span(walk->query, span);
	char *room = room_of_name(walk->of, which);
	enum urivet_decoded how = URIVET_UNDECODED;
	size_t length;

	if (room == NULL)
		return written;
	length = urivet_decode(room, need_of_name(walk->of), to_library(written),
			       URIVET_CODING_FORM, &how, NULL);
	return how == URIVET_DECODED ? text_at(room, length) : written;
}

/* Counts the parameters with this name so far. Compares hashes, so that neither many equal names
 * nor many different ones require a search of the query each. */
static uint32_t count_occurrence(struct parameter_walk *walk,
				 const struct judged_parameter *parameter)
{
	const uint64_t hash = text_hash(parameter->name);

	for (unsigned i = 0; i < walk->names; i++) {
		struct parameter_name *known = &walk->name[i];

		if (known->hash == hash &&
		    text_equals(decode_name(walk, known->span, 1), parameter->name))
			return ++known->count;
	}
	walk->name[walk->names++] = (struct parameter_name){parameter->at.name, hash, 1};
	return 1;
}

/* Returns true if all of a text is masked, and was not written so. */
static bool is_masked(const uint8_t *masked, const char *written, size_t length)
{
	size_t at = 0;

	while (at < length && masked[at] == '*')
		at++;
	return at == length && memcmp(masked, written, length) != 0;
}

/* Masks the whole value if all of it is masked in the text. Otherwise masks secrets inside it, since
 * the value is a URL of its own. */
static void mask(const struct parameter_walk *walk, struct judged_parameter *parameter)
{
	const struct parameters *of = walk->of;
	const size_t offset =
	    of->report->uri.part[URIVET_QUERY].offset + parameter->at.value.offset;
	const size_t length = parameter->at.value.length;
	char *const room = of->room->data;

	if (of->masked.data == NULL)
		return;
	parameter->secret =
	    is_masked(of->masked.data + offset, (const char *)of->text.data + offset, length);
	/* both are in the memory of the room, which is writable */
	if (parameter->value.length > 0)
		mask_secrets((uint8_t *)room + ((const char *)parameter->value.data - room),
			     parameter->value.length);
	if (parameter->judged.length > 0)
		mask_secrets((uint8_t *)room + ((const char *)parameter->judged.data - room),
			     parameter->judged.length);
}

/* Judges the pair at `parameter->at`. Returns false if it is not selected. */
static bool judge(const struct parameter_walk *walk, struct judged_parameter *parameter)
{
	const struct parameters *of = walk->of;
	const struct urivet_parameter_input input = input_of(of);
	struct urivet_parameter_texts texts;
	const enum urivet_parameter_result result = urivet_check_parameter(
	    &parameter->report, &texts, &parameter->at, of->report, &input, of->rules);

	if (result == URIVET_PARAMETER_NOT_ASKED)
		return false;
	parameter->value = from_library(texts.value);
	parameter->judged = from_library(texts.judged);
	parameter->was_judged = texts.judged.data != NULL;
	parameter->accepted = result == URIVET_PARAMETER_ACCEPTED;
	return true;
}

bool parameters_next(struct parameter_walk *walk, struct judged_parameter *parameter)
{
	memset(parameter, 0, offsetof(struct judged_parameter, report) + URIVET_REPORT_OCTETS);
	while (!parameters_too_many(walk) && urivet_parameter_next(&walk->scan, &parameter->at)) {
		if (!judge(walk, parameter) || ++walk->judged > URIVET_MAX_PARAMETERS)
			continue;
		parameter->name = decode_name(walk, parameter->at.name, 0);
		parameter->occurrence = count_occurrence(walk, parameter);
		mask(walk, parameter);
		return true;
	}
	return false;
}

const char *parameters_fault(const struct parameter_walk *walk,
			     const struct judged_parameter *parameter)
{
	static const char *const faults[] = {
	    [URIVET_DECODED_BAD_ESCAPE] = "a % has no two hexadecimal digits after it",
	    [URIVET_DECODED_NUL] = "the octet NUL is in it",
	    [URIVET_DECODED_NOT_UTF8] = "it is no UTF-8",
	};
	enum urivet_decoded how = URIVET_UNDECODED;

	(void)urivet_decode(NULL, 0, to_library(at_span(walk->query, parameter->at.value)),
			    URIVET_CODING_FORM, &how, NULL);
	return how > URIVET_DECODED ? faults[how] : "it, or its name, cannot be decoded";
}

/* ---- All parameters ---------------------------------------------------------------------- */

void parameters_judge(const struct parameters *parameters, struct urivet_report *report,
		      const struct urivet_policy *policy)
{
	const struct urivet_parameter_input input = input_of(parameters);
	struct urivet_report inner;

	(void)urivet_check_parameters(report, &inner, &input, parameters->rules, policy);
}

/* ---- The options ----------------------------------------------------------------------- */

static bool is_blank(char octet)
{
	return octet == ' ' || octet == '\t';
}

/* Returns true for a valid name. "*" in a list would judge less than "*" alone, and " b" in "a, b"
 * would not match parameter b, so both are errors. */
static bool is_name(const char *command, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && name[0] == '*'))
		complain("%s: --params takes names with commas between, or *", command);
	else if (is_blank(name[0]) || is_blank(name[length - 1]))
		complain("%s: --params: '%.*s' begins or ends with a blank", command, (int)length,
			 name);
	else
		return true;
	return false;
}

/* Splits the list at commas. Returns the number of names, 0 after reporting an error. */
static uint32_t split_names(struct urivet_text *names, const char *command, const char *list)
{
	uint32_t count = 0;

	for (;;) {
		const size_t length = strcspn(list, ",");

		if (!is_name(command, list, length))
			return 0;
		names[count++] = urivet_text_of(list, length);
		if (list[length] == '\0')
			return count;
		list += length + 1;
	}
}

bool parameters_name(struct parameter_options *options, const char *command)
{
	const char *list = options->list;

	(void)urivet_parameter_rules_init(&options->rules, sizeof options->rules);
	if (strcmp(list, "*") == 0)
		return true;
	options->names = calloc(strlen(list) + 1, sizeof *options->names); /* more than enough */
	if (options->names == NULL)
		return complain("%s", strerror(ENOMEM));
	options->rules.names = options->names;
	options->rules.count = split_names(options->names, command, list);
	return options->rules.count > 0;
}

struct urivet_loaded *load_named(const char *policy, urivet_on_message *on_message)
{
	const int base = urivet_policy_named(policy, strlen(policy));
	struct urivet_loaded *const loaded =
	    base >= 0 ? urivet_load_built_in(base) : urivet_load(policy, on_message, NULL);

	if (base >= 0 && loaded == NULL)
		complain("%s", strerror(ENOMEM));
	return loaded;
}

bool parameters_load(struct parameter_options *options, urivet_on_message *on_message)
{
	if (options->policy != NULL && strcmp(options->policy, "-") == 0)
		return complain("--params-policy takes a name or a file, not standard input");
	options->loaded =
	    load_named(options->policy != NULL ? options->policy : "public", on_message);
	if (options->loaded == NULL)
		return false;
	if (urivet_loaded_parameter(options->loaded, 0) != NULL)
		return complain(
		    "--params-policy: '%s' has \"parameters\", which a policy for values "
		    "of parameters cannot have: remove them, or judge by it with "
		    "--policy-file",
		    options->policy);
	options->rules.policy = urivet_loaded_policy(options->loaded);
	return true;
}

void parameters_free(struct parameter_options *options)
{
	free(options->names);
	urivet_loaded_release(options->loaded);
	options->names = NULL;
	options->loaded = NULL;
}
