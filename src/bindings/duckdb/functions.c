/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL functions and their registration. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urivet/compiled.h>
#include <urivet/reference.h>
#include <urivet/spelling.h>

/* ---- Verdicts and findings ---- */

static bool answer_ok(struct rows *rows)
{
	const struct urivet_text *url = &rows->text[0];
	struct urivet_report work;

	return put_boolean(rows->out, rows->row,
			   rows->policy == NULL
			       ? urivet_ok(url->data, url->length)
			       : urivet_verdict_of(url->data, url->length, rows->policy, &work) ==
				     URIVET_ACCEPT);
}

static enum urivet_verdict judge(struct rows *rows, struct urivet_report *report)
{
	return urivet_check(report, rows->text[0].data, rows->text[0].length, rows->policy);
}

/* The members of the structs that functions return. */
enum { ACCEPTED, REFUSED_BY, FINDINGS, OFFSETS, LENGTHS, DROPPED, REASON, REPORT_MEMBERS };
static const struct member report_member[REPORT_MEMBERS + 1] = {
    [ACCEPTED] = {TYPE_BOOLEAN, "accepted"},
    [REFUSED_BY] = {LIST_OF | TYPE_VARCHAR, "refused_by"},
    [FINDINGS] = {LIST_OF | TYPE_VARCHAR, "findings"},
    [OFFSETS] = {LIST_OF | TYPE_INTEGER, "offsets"},
    [LENGTHS] = {LIST_OF | TYPE_INTEGER, "lengths"},
    [DROPPED] = {TYPE_INTEGER, "dropped"},
    [REASON] = {TYPE_VARCHAR, "reason"}};
enum { SCHEME, HOST, ADDRESS, PORT, TLS, HOST_FIELD, TLS_NAME, TARGET, URL, ENDPOINT_MEMBERS };
static const struct member endpoint_member[ENDPOINT_MEMBERS + 1] = {
    [SCHEME] = {TYPE_VARCHAR, "scheme"},
    [HOST] = {TYPE_VARCHAR, "host"},
    [ADDRESS] = {TYPE_VARCHAR, "address"},
    [PORT] = {TYPE_INTEGER, "port"},
    [TLS] = {TYPE_BOOLEAN, "tls"},
    [HOST_FIELD] = {TYPE_VARCHAR, "host_field"},
    [TLS_NAME] = {TYPE_VARCHAR, "tls_name"},
    [TARGET] = {TYPE_VARCHAR, "target"},
    [URL] = {TYPE_VARCHAR, "url"}};
#define MEMBERS_MOST ENDPOINT_MEMBERS
_Static_assert(REPORT_MEMBERS <= (int)MEMBERS_MOST, "no struct has more members");

static vector member_of(const struct rows *rows, unsigned member)
{
	return api.struct_vector_get_child(rows->out, member);
}

/* Writes a member of the report that has an element for each finding, as the list of the row. */
static bool put_list(struct rows *rows, vector out, const struct urivet_report *report,
		     unsigned member)
{
	const struct urivet_finding *finding[URIVET_MAX_FINDINGS];
	const uint64_t first = api.list_vector_get_size(out);
	uint64_t count = 0;
	vector list;

	for (uint32_t k = 0; k < report->count; k++)
		if (member != REFUSED_BY ||
		    urivet_finding_refuses(report, &report->finding[k], rows->policy))
			finding[count++] = &report->finding[k];
	if (api.list_vector_reserve(out, first + count) != 0 ||
	    api.list_vector_set_size(out, first + count) != 0)
		return fail(rows, "urivet: there is no memory for a list");
	((struct list_entry *)api.vector_get_data(out))[rows->row] =
	    (struct list_entry){first, count};
	list = api.list_vector_get_child(out);
	for (uint64_t k = 0; k < count; k++)
		if (member == OFFSETS)
			put_integer(list, first + k, (int32_t)finding[k]->span.offset);
		else if (member == LENGTHS)
			put_integer(list, first + k, (int32_t)finding[k]->span.length);
		else
			put_string(list, first + k, urivet_finding_info(finding[k]->id)->name);
	return true;
}

static bool answer_findings(struct rows *rows)
{
	struct urivet_report report;

	judge(rows, &report);
	return put_list(rows, rows->out, &report, FINDINGS);
}

static bool answer_check(struct rows *rows)
{
	struct urivet_report report;

	judge(rows, &report);
	put_boolean(member_of(rows, ACCEPTED), rows->row, report.verdict == URIVET_ACCEPT);
	for (unsigned member = REFUSED_BY; member <= LENGTHS; member++)
		put_list(rows, member_of(rows, member), &report, member);
	put_integer(member_of(rows, DROPPED), rows->row,
		    report.dropped < INT32_MAX ? (int32_t)report.dropped : INT32_MAX);
	return put_string(member_of(rows, REASON), rows->row,
			  urivet_reason_name(urivet_reason(&report, rows->policy)));
}

/* Appends a name, truncated to the capacity. */
static void append_name(char *message, size_t capacity, const char *name)
{
	const size_t length = strlen(message);

	(void)snprintf(message + length, capacity - length, " %s", name);
}

/* Returns the spelling that the policy accepts; data NULL: none. */
static struct urivet_text spelling(struct rows *rows)
{
	const struct urivet_text url = rows->text[0];
	const size_t capacity = urivet_size_of(URIVET_CAPACITY_IRI,
					       url.length < PIECES_MOST ? url.length : PIECES_MOST);
	char *out = room(rows, capacity);
	struct urivet_iri iri;
	size_t length;

	if (out == NULL)
		return urivet_text_of(NULL, 0);
	length = urivet_suggest(out, capacity, url.data, url.length, rows->policy);
	if (length == 0) /* a text that is not ASCII may have an ASCII spelling */
		length =
		    urivet_suggest_iri(&iri, out, capacity, url.data, url.length, rows->policy);
	return urivet_text_of(length > 0 && length < capacity ? out : NULL, length);
}

/* Cuts a spelling before its parameters: they may be secrets, and errors are logged. Returns false
 * if it may have a userinfo. */
static bool cut_to_path(char *spelling)
{
	spelling[strcspn(spelling, ";?#")] = '\0';
	return strchr(spelling, '@') == NULL;
}

/* Reports an error if the URL is refused. The message omits the URL, as it may contain secrets. */
static bool answer_require(struct rows *rows)
{
	struct urivet_report report;
	struct urivet_text better;
	char message[2048] = "urivet: the URL is refused:";

	if (judge(rows, &report) == URIVET_ACCEPT)
		return put_boolean(rows->out, rows->row, true);
	for (uint32_t k = 0; k < report.count; k++)
		if (urivet_finding_refuses(&report, &report.finding[k], rows->policy))
			append_name(message, sizeof message,
				    urivet_finding_info(report.finding[k].id)->name);
	better = spelling(rows);
	if (better.data != NULL && better.length < 1024 && cut_to_path(rows->buffer)) {
		append_name(message, sizeof message, "- write");
		append_name(message, sizeof message, rows->buffer);
	}
	return fail(rows, message);
}

/* ---- Endpoints of accepted URLs ---- */

/* Returns false if the URL is refused or has no endpoint; the result is NULL then. */
static bool endpoint_of(struct rows *rows, struct urivet_endpoint *to)
{
	const struct urivet_text url = rows->text[0];
	const size_t capacity = URIVET_ENDPOINT_CAPACITY(url.length);
	struct urivet_report report;
	char *texts = judge(rows, &report) == URIVET_ACCEPT ? room(rows, capacity) : NULL;

	return texts != NULL &&
	       urivet_endpoint(to, texts, capacity, &report, url.data, url.length) > 0 &&
	       to->host != NULL;
}

static bool answer_host(struct rows *rows)
{
	struct urivet_endpoint to;

	return endpoint_of(rows, &to) && put_string(rows->out, rows->row, to.host);
}

static bool answer_port(struct rows *rows)
{
	struct urivet_endpoint to;

	return endpoint_of(rows, &to) && put_integer(rows->out, rows->row, (int32_t)to.port);
}

static bool answer_endpoint(struct rows *rows)
{
	struct urivet_endpoint to;

	if (!endpoint_of(rows, &to))
		return false;
	put_string(member_of(rows, SCHEME), rows->row, to.scheme_name);
	put_string(member_of(rows, HOST), rows->row, to.host);
	if (to.octets > 0)
		put_string(member_of(rows, ADDRESS), rows->row, to.host);
	else
		put_null(member_of(rows, ADDRESS), rows->row);
	put_integer(member_of(rows, PORT), rows->row, (int32_t)to.port);
	put_boolean(member_of(rows, TLS), rows->row, to.tls);
	put_string(member_of(rows, HOST_FIELD), rows->row, to.host_field);
	put_string(member_of(rows, TLS_NAME), rows->row, to.tls_name);
	put_string(member_of(rows, TARGET), rows->row, to.target);
	return put_string(member_of(rows, URL), rows->row, to.url);
}

/* ---- Parts and spellings ---- */

static bool answer_part(struct rows *rows)
{
	const struct urivet_text url = rows->text[0], name = rows->text[1];
	enum urivet_component part = URIVET_SCHEME;
	struct urivet_uri uri;

	while (part < URIVET_COMPONENTS &&
	       (strlen(urivet_component_name(part)) != name.length ||
		memcmp(urivet_component_name(part), name.data, name.length) != 0))
		part++;
	if (part == URIVET_COMPONENTS)
		return fail(rows, "urivet: a URL has scheme, authority, userinfo, host, port, "
				  "path, query, fragment");
	return url.length <= PIECES_MOST && urivet_parse(&uri, url.data, url.length, NULL) &&
	       put_text(rows->out, rows->row,
			urivet_part(&uri, part, url, urivet_text_of(NULL, 0)));
}

static bool answer_normalise(struct rows *rows)
{
	const struct urivet_text url = rows->text[0];
	bool readable = false;
	size_t length = 0;
	char *out;

	if (url.length <= PIECES_MOST)
		length = urivet_normalise(NULL, 0, url.data, url.length, URIVET_LEVEL_SYNTAX,
					  URIVET_READER_RFC3986, &readable);
	out = readable ? room(rows, length + 1) : NULL;
	if (out == NULL)
		return false;
	urivet_normalise(out, length + 1, url.data, url.length, URIVET_LEVEL_SYNTAX,
			 URIVET_READER_RFC3986, NULL);
	return put_text(rows->out, rows->row, urivet_text_of(out, length));
}

static bool answer_suggest(struct rows *rows)
{
	return put_text(rows->out, rows->row, spelling(rows));
}

static bool answer_resolve(struct rows *rows)
{
	const struct urivet_text base = rows->text[0], reference = rows->text[1];
	const size_t capacity = base.length + reference.length + 8;
	const bool short_enough = base.length <= PIECES_MOST && reference.length <= PIECES_MOST;
	char *out = short_enough ? room(rows, capacity) : NULL;
	enum urivet_resolved how = URIVET_UNRESOLVED;
	struct urivet_report report;
	size_t length;

	if (out == NULL)
		return false;
	length = urivet_resolve(out, capacity, URIVET_READER_RFC3986, base, reference, false, &how);
	return how != URIVET_UNRESOLVED && length < capacity &&
	       (rows->policy == NULL ||
		urivet_check_reference(&report, out, capacity, base, reference, 0, rows->policy) ==
		    URIVET_ACCEPT) &&
	       put_text(rows->out, rows->row, urivet_text_of(out, length));
}

/* ---- About the library ---- */

static bool answer_policy(struct rows *rows)
{
	const struct urivet_text name = rows->text[0], none = urivet_text_of(NULL, 0);
	struct urivet_policy policy;
	size_t length;
	char *out;

	if (!urivet_policy_init(&policy, sizeof policy,
				urivet_policy_named(name.data, name.length)))
		return fail(
		    rows,
		    "urivet: the policies that are built in are strict, public, any, gateway");
	length = urivet_compiled_write(NULL, 0, &policy, none);
	out = room(rows, length);
	if (out == NULL || urivet_compiled_write(out, rows->capacity, &policy, none) != length)
		return fail(rows, "urivet: the policy cannot be written");
	return put_text(rows->out, rows->row, urivet_text_of(out, length));
}

static bool answer_version(struct rows *rows)
{
	return put_string(rows->out, rows->row, urivet_version());
}

static const struct function functions[] = {
    {"urivet_ok", TYPE_BOOLEAN, NULL, 1, true, answer_ok},
    {"urivet_findings", LIST_OF | TYPE_VARCHAR, NULL, 1, true, answer_findings},
    {"urivet_check", 0, report_member, 1, true, answer_check},
    {"urivet_require", TYPE_BOOLEAN, NULL, 1, true, answer_require},
    {"urivet_host", TYPE_VARCHAR, NULL, 1, true, answer_host},
    {"urivet_port", TYPE_INTEGER, NULL, 1, true, answer_port},
    {"urivet_endpoint", 0, endpoint_member, 1, true, answer_endpoint},
    {"urivet_part", TYPE_VARCHAR, NULL, 2, false, answer_part},
    {"urivet_normalise", TYPE_VARCHAR, NULL, 1, false, answer_normalise},
    {"urivet_suggest", TYPE_VARCHAR, NULL, 1, true, answer_suggest},
    {"urivet_resolve", TYPE_VARCHAR, NULL, 2, true, answer_resolve},
    {"urivet_policy", TYPE_BLOB, NULL, 1, false, answer_policy},
    {"urivet_version", TYPE_VARCHAR, NULL, 0, false, answer_version},
};

#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* ---- Registration ---- */

static logical_type type_of(int type)
{
	logical_type element = api.create_logical_type(type & ~LIST_OF);
	logical_type list;

	if ((type & LIST_OF) == 0)
		return element;
	list = api.create_list_type(element);
	api.destroy_logical_type(&element);
	return list;
}

static logical_type returned_type(const struct function *function)
{
	logical_type types[MEMBERS_MOST], row;
	const char *names[MEMBERS_MOST];
	unsigned count = 0;

	if (function->members == NULL)
		return type_of(function->returns);
	for (; function->members[count].name != NULL; count++) {
		types[count] = type_of(function->members[count].type);
		names[count] = function->members[count].name;
	}
	row = api.create_struct_type(types, names, count);
	while (count > 0)
		api.destroy_logical_type(&types[--count]);
	return row;
}

static bool add_to_set(scalar_function_set set, const struct function *function, bool policy)
{
	scalar_function made = api.create_scalar_function();
	logical_type returned = returned_type(function);
	int state;

	api.scalar_function_set_name(made, function->name);
	for (unsigned k = 0; k < function->texts + policy; k++) {
		logical_type type = type_of(k < function->texts ? TYPE_VARCHAR : TYPE_BLOB);

		api.scalar_function_add_parameter(made, type);
		api.destroy_logical_type(&type);
	}
	api.scalar_function_set_return_type(made, returned);
	/* we handle NULL ourselves, as a NULL policy is an error */
	api.scalar_function_set_special_handling(made);
	api.scalar_function_set_extra_info(made, (void *)(uintptr_t)function, NULL);
	api.scalar_function_set_function(made, answer_rows);
	state = api.add_scalar_function_to_set(set, made);
	api.destroy_logical_type(&returned);
	api.destroy_scalar_function(&made);
	return state == 0;
}

/* Registers a function, and the one of the same name that takes a policy. */
static bool register_function(connection to, const struct function *function)
{
	scalar_function_set set = api.create_scalar_function_set(function->name);
	const bool good = add_to_set(set, function, false) &&
			  (!function->policy || add_to_set(set, function, true)) &&
			  api.register_scalar_function_set(to, set) == 0;

	api.destroy_scalar_function_set(&set);
	return good;
}

/* Copies the functions we need from the engine's table. Returns false if one is missing. */
static bool take_calls(void *const *table)
{
	bool all = true;

#define CALL(place, returns, name, given)                                                          \
	memcpy(&api.name, &table[place], sizeof api.name);                                         \
	all &= table[place] != NULL;
	API_CALLS(CALL)
#undef CALL
	return all;
}

/* The entry point of the extension. DuckDB derives its name from the file name. */
__attribute__((visibility("default"))) bool urivet_init_c_api(extension_info info,
							      struct extension_access *access);
bool urivet_init_c_api(extension_info info, struct extension_access *access)
{
	void *const *table = access->get_api(info, API_VERSION);
	connection to;
	bool good = true;

	if (table == NULL || !take_calls(table)) {
		access->set_error(info,
				  "urivet needs version " API_VERSION
				  " of DuckDB's C extension API, which this engine does not have");
		return false;
	}
	if (api.connect(*access->get_database(info), &to) != 0) {
		access->set_error(info, "urivet cannot connect to the database");
		return false;
	}
	for (size_t k = 0; good && k < FUNCTIONS; k++)
		good = register_function(to, &functions[k]);
	if (!good)
		access->set_error(info, "urivet's functions cannot be registered");
	api.disconnect(&to);
	return good;
}
