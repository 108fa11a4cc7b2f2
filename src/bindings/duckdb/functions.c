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

static void answer_ok(struct rows *rows)
{
	const struct urivet_text *url = &rows->text[0];
	struct urivet_report work;

	put_boolean(rows->out, rows->row,
		    rows->policy == NULL
			? urivet_ok(url->data, url->length)
			: urivet_verdict_of(url->data, url->length, rows->policy, &work) ==
				  URIVET_ACCEPT);
}

static enum urivet_verdict judge(struct rows *rows, struct urivet_report *report)
{
	return urivet_check(report, rows->text[0].data, rows->text[0].length, rows->policy);
}

/* Writes the names of all findings, or only of those that refuse, as the list of the row. */
static void put_names(struct rows *rows, vector out, const struct urivet_report *report,
		      bool refusing)
{
	const char *names[URIVET_MAX_FINDINGS];
	uint64_t count = 0;
	uint64_t first;

	for (uint32_t k = 0; k < report->count; k++)
		if (!refusing || urivet_finding_refuses(report, &report->finding[k], rows->policy))
			names[count++] = urivet_finding_info(report->finding[k].id)->name;
	first = put_list(rows, out, count);
	for (uint64_t k = 0; k < count && first != UINT64_MAX; k++)
		put_string(api.list_vector_get_child(out), first + k, names[k]);
}

/* Writes the offsets or the lengths of all spans as the list of the row. */
static void put_spans(struct rows *rows, vector out, const struct urivet_report *report,
		      bool lengths)
{
	const uint64_t first = put_list(rows, out, report->count);

	for (uint32_t k = 0; k < report->count && first != UINT64_MAX; k++) {
		const struct urivet_span *span = &report->finding[k].span;

		put_integer(api.list_vector_get_child(out), first + k,
			    (int32_t)(lengths ? span->length : span->offset));
	}
}

static void answer_findings(struct rows *rows)
{
	struct urivet_report report;

	judge(rows, &report);
	put_names(rows, rows->out, &report, false);
}

/* The members of the structs that functions return: a type letter and a name. */
enum { ACCEPTED, REFUSED_BY, FINDINGS, OFFSETS, LENGTHS, DROPPED, REASON, REPORT_MEMBERS };
static const char *const report_member[][2] = {
    [ACCEPTED] = {"b", "accepted"}, [REFUSED_BY] = {"T", "refused_by"},
    [FINDINGS] = {"T", "findings"}, [OFFSETS] = {"I", "offsets"},
    [LENGTHS] = {"I", "lengths"},   [DROPPED] = {"i", "dropped"},
    [REASON] = {"t", "reason"}};
enum { SCHEME, HOST, ADDRESS, PORT, TLS, HOST_FIELD, TLS_NAME, TARGET, URL, ENDPOINT_MEMBERS };
static const char *const endpoint_member[][2] = {
    [SCHEME] = {"t", "scheme"},     [HOST] = {"t", "host"},     [ADDRESS] = {"t", "address"},
    [PORT] = {"i", "port"},         [TLS] = {"b", "tls"},       [HOST_FIELD] = {"t", "host_field"},
    [TLS_NAME] = {"t", "tls_name"}, [TARGET] = {"t", "target"}, [URL] = {"t", "url"}};
#define MEMBERS_MOST ENDPOINT_MEMBERS
_Static_assert(sizeof report_member / sizeof report_member[0] == REPORT_MEMBERS &&
		   sizeof endpoint_member / sizeof endpoint_member[0] == ENDPOINT_MEMBERS &&
		   REPORT_MEMBERS <= sizeof endpoint_member / sizeof endpoint_member[0],
	       "each member has a row");

unsigned members_of(const char *returns)
{
	return returns[0] == 'r' ? REPORT_MEMBERS : returns[0] == 'e' ? ENDPOINT_MEMBERS : 0;
}

static vector member_of(const struct rows *rows, unsigned member)
{
	return api.struct_vector_get_child(rows->out, member);
}

static void answer_check(struct rows *rows)
{
	struct urivet_report report;

	judge(rows, &report);
	put_boolean(member_of(rows, ACCEPTED), rows->row, report.verdict == URIVET_ACCEPT);
	put_names(rows, member_of(rows, REFUSED_BY), &report, true);
	put_names(rows, member_of(rows, FINDINGS), &report, false);
	put_spans(rows, member_of(rows, OFFSETS), &report, false);
	put_spans(rows, member_of(rows, LENGTHS), &report, true);
	put_integer(member_of(rows, DROPPED), rows->row,
		    report.dropped < INT32_MAX ? (int32_t)report.dropped : INT32_MAX);
	put_string(member_of(rows, REASON), rows->row,
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

/* Cuts a spelling before its parameters, which may be secrets and errors are logged. Returns false if
 * it may have a userinfo. */
static bool cut_to_path(char *spelling)
{
	spelling[strcspn(spelling, ";?#")] = '\0';
	return strchr(spelling, '@') == NULL;
}

/* Reports an error if the URL is refused. The message omits the URL, as it may contain secrets. */
static void answer_require(struct rows *rows)
{
	struct urivet_report report;
	struct urivet_text better;
	char message[2048] = "urivet: the URL is refused:";

	put_boolean(rows->out, rows->row, true);
	if (judge(rows, &report) == URIVET_ACCEPT)
		return;
	for (uint32_t k = 0; k < report.count; k++)
		if (urivet_finding_refuses(&report, &report.finding[k], rows->policy))
			append_name(message, sizeof message,
				    urivet_finding_info(report.finding[k].id)->name);
	better = spelling(rows);
	if (better.data != NULL && better.length < 1024 && cut_to_path(rows->buffer)) {
		append_name(message, sizeof message, "- write");
		append_name(message, sizeof message, rows->buffer);
	}
	fail(rows, message);
}

/* ---- Endpoints of accepted URLs ---- */

/* Returns false if the URL is refused or has no endpoint; the result is NULL then. */
static bool endpoint_of(struct rows *rows, struct urivet_endpoint *to)
{
	const size_t capacity = URIVET_ENDPOINT_CAPACITY(rows->text[0].length);
	struct urivet_report report;
	char *texts;

	if (judge(rows, &report) != URIVET_ACCEPT)
		return false;
	texts = room(rows, capacity);
	return texts != NULL && urivet_endpoint(to, texts, capacity, &report, rows->text[0].data, rows->text[0].length) > 0 &&
	       to->host != NULL;
}

static void answer_host(struct rows *rows)
{
	struct urivet_endpoint to;

	if (endpoint_of(rows, &to))
		put_string(rows->out, rows->row, to.host);
	else
		put_null(rows->out, rows->row);
}

static void answer_port(struct rows *rows)
{
	struct urivet_endpoint to;

	if (endpoint_of(rows, &to))
		put_integer(rows->out, rows->row, (int32_t)to.port);
	else
		put_null(rows->out, rows->row);
}

static void answer_endpoint(struct rows *rows)
{
	struct urivet_endpoint to;

	if (!endpoint_of(rows, &to)) {
		put_nulls(rows, ENDPOINT_MEMBERS);
		return;
	}
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
	put_string(member_of(rows, URL), rows->row, to.url);
}

/* ---- Parts and spellings ---- */

/* Writes the text, or NULL if it has no data. */
static void put_found(struct rows *rows, struct urivet_text found)
{
	if (found.data != NULL)
		put_text(rows->out, rows->row, found);
	else
		put_null(rows->out, rows->row);
}

static void answer_part(struct rows *rows)
{
	const struct urivet_text url = rows->text[0], name = rows->text[1];
	struct urivet_uri uri;

	for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++) {
		const char *candidate = urivet_component_name(c);

		if (strlen(candidate) != name.length ||
		    memcmp(candidate, name.data, name.length) != 0)
			continue;
		if (url.length <= PIECES_MOST && urivet_parse(&uri, url.data, url.length, NULL))
			put_found(rows, urivet_part(&uri, (enum urivet_component)c, url,
						    urivet_text_of(NULL, 0)));
		else
			put_null(rows->out, rows->row);
		return;
	}
	fail(rows,
	     "urivet: a URL has scheme, authority, userinfo, host, port, path, query, fragment");
}

static void answer_normalise(struct rows *rows)
{
	const struct urivet_text url = rows->text[0];
	bool readable = false;
	size_t length = 0;
	char *out;

	if (url.length <= PIECES_MOST)
		length = urivet_normalise(NULL, 0, url.data, url.length, URIVET_LEVEL_SYNTAX,
					  URIVET_READER_RFC3986, &readable);
	if (!readable) {
		put_null(rows->out, rows->row);
		return;
	}
	out = room(rows, length + 1);
	if (out == NULL)
		return;
	urivet_normalise(out, length + 1, url.data, url.length, URIVET_LEVEL_SYNTAX,
			 URIVET_READER_RFC3986, NULL);
	put_text(rows->out, rows->row, urivet_text_of(out, length));
}

static void answer_suggest(struct rows *rows)
{
	put_found(rows, spelling(rows));
}

static void answer_resolve(struct rows *rows)
{
	const struct urivet_text base = rows->text[0], reference = rows->text[1];
	enum urivet_resolved how = URIVET_UNRESOLVED;
	struct urivet_report report;
	size_t capacity, length = 0;
	char *out;

	if (base.length > PIECES_MOST || reference.length > PIECES_MOST) {
		put_null(rows->out, rows->row);
		return;
	}
	capacity = base.length + reference.length + 8;
	out = room(rows, capacity);
	if (out == NULL)
		return;
	length = urivet_resolve(out, capacity, URIVET_READER_RFC3986, base, reference, false, &how);
	if (how == URIVET_UNRESOLVED || length >= capacity ||
	    (rows->policy != NULL && urivet_check_reference(&report, out, capacity, base, reference,
							    0, rows->policy) != URIVET_ACCEPT))
		put_null(rows->out, rows->row);
	else
		put_text(rows->out, rows->row, urivet_text_of(out, length));
}

/* ---- About the library ---- */

static void answer_policy(struct rows *rows)
{
	const struct urivet_text name = rows->text[0];
	struct urivet_policy policy;
	size_t length;
	char *out;

	if (!urivet_policy_init(&policy, sizeof policy,
				urivet_policy_named(name.data, name.length))) {
		fail(rows,
		     "urivet: the policies that are built in are strict, public, any, gateway");
		return;
	}
	length = urivet_compiled_write(NULL, 0, &policy, urivet_text_of(NULL, 0));
	out = room(rows, length);
	if (out != NULL &&
	    urivet_compiled_write(out, rows->capacity, &policy, urivet_text_of(NULL, 0)) == length)
		put_text(rows->out, rows->row, urivet_text_of(out, length));
	else
		fail(rows, "urivet: the policy cannot be written");
}

static void answer_version(struct rows *rows)
{
	put_string(rows->out, rows->row, urivet_version());
}

/* Functions of the same name must be adjacent. */
static const struct function functions[] = {
    {"urivet_ok", "b", 1, false, answer_ok},
    {"urivet_ok", "b", 1, true, answer_ok},
    {"urivet_findings", "T", 1, false, answer_findings},
    {"urivet_findings", "T", 1, true, answer_findings},
    {"urivet_check", "r", 1, false, answer_check},
    {"urivet_check", "r", 1, true, answer_check},
    {"urivet_require", "b", 1, false, answer_require},
    {"urivet_require", "b", 1, true, answer_require},
    {"urivet_host", "t", 1, false, answer_host},
    {"urivet_host", "t", 1, true, answer_host},
    {"urivet_port", "i", 1, false, answer_port},
    {"urivet_port", "i", 1, true, answer_port},
    {"urivet_endpoint", "e", 1, false, answer_endpoint},
    {"urivet_endpoint", "e", 1, true, answer_endpoint},
    {"urivet_part", "t", 2, false, answer_part},
    {"urivet_normalise", "t", 1, false, answer_normalise},
    {"urivet_suggest", "t", 1, false, answer_suggest},
    {"urivet_suggest", "t", 1, true, answer_suggest},
    {"urivet_resolve", "t", 2, false, answer_resolve},
    {"urivet_resolve", "t", 2, true, answer_resolve},
    {"urivet_policy", "B", 1, false, answer_policy},
    {"urivet_version", "t", 0, false, answer_version},
};

#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* ---- Registration ---- */

static logical_type list_of(int element)
{
	logical_type inner = api.create_logical_type(element);
	logical_type list = api.create_list_type(inner);

	api.destroy_logical_type(&inner);
	return list;
}

static logical_type type_of(const char *letter);

/* Returns a struct type. Each member has a type letter and a name. */
static logical_type row_of(const char *const (*members)[2], unsigned count)
{
	logical_type types[MEMBERS_MOST];
	const char *names[MEMBERS_MOST];
	logical_type row;

	for (unsigned k = 0; k < count; k++) {
		types[k] = type_of(members[k][0]);
		names[k] = members[k][1];
	}
	row = api.create_struct_type(types, names, count);
	for (unsigned k = 0; k < count; k++)
		api.destroy_logical_type(&types[k]);
	return row;
}

static logical_type type_of(const char *letter)
{
	switch (letter[0]) {
	case 'b':
		return api.create_logical_type(TYPE_BOOLEAN);
	case 'i':
		return api.create_logical_type(TYPE_INTEGER);
	case 'B':
		return api.create_logical_type(TYPE_BLOB);
	case 'T':
		return list_of(TYPE_VARCHAR);
	case 'I':
		return list_of(TYPE_INTEGER);
	case 'r':
		return row_of(report_member, REPORT_MEMBERS);
	case 'e':
		return row_of(endpoint_member, ENDPOINT_MEMBERS);
	default:
		return api.create_logical_type(TYPE_VARCHAR);
	}
}

static void add_parameter(scalar_function made, const char *letter)
{
	logical_type type = type_of(letter);

	api.scalar_function_add_parameter(made, type);
	api.destroy_logical_type(&type);
}

static bool add_to_set(scalar_function_set set, const struct function *function)
{
	scalar_function made = api.create_scalar_function();
	logical_type returned = type_of(function->returns);
	int state;

	api.scalar_function_set_name(made, function->name);
	for (unsigned k = 0; k < function->texts; k++)
		add_parameter(made, "t");
	if (function->policy)
		add_parameter(made, "B");
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

/* Registers all functions with the name of functions[first]. Returns their number, or 0 on
 * failure. */
static size_t register_name(connection to, size_t first)
{
	const char *name = functions[first].name;
	scalar_function_set set = api.create_scalar_function_set(name);
	size_t count = 0;
	bool good = true;

	while (first + count < FUNCTIONS && strcmp(functions[first + count].name, name) == 0)
		good &= add_to_set(set, &functions[first + count++]);
	good = good && api.register_scalar_function_set(to, set) == 0;
	api.destroy_scalar_function_set(&set);
	return good ? count : 0;
}

static bool register_all(connection to)
{
	size_t count;

	for (size_t first = 0; first < FUNCTIONS; first += count) {
		count = register_name(to, first);
		if (count == 0)
			return false;
	}
	return true;
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
	bool good;

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
	good = register_all(to);
	if (!good)
		access->set_error(info, "urivet's functions cannot be registered");
	api.disconnect(&to);
	return good;
}
