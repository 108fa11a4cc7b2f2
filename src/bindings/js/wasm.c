/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that JavaScript calls, compiled in one translation unit with the library (see
 * js.mk). Results are written to an array of words, which lib/core.js reads by the same indexes,
 * so JavaScript knows no layout of a C structure. Texts are pairs of pointer and length in the
 * module's memory; a pointer of 0 is an absent text. URIVET_GATE: the small build, without tables
 * of names.
 */
#define JS(name) __attribute__((export_name(#name), visibility("default"))) name

/* ---- Words -------------------------------------------------------------------------------- */

enum {
	WORD_VERDICT,
	WORD_PARSED,
	WORD_REASON,
	WORD_COUNT,
	WORD_DROPPED,
	WORD_FORM,
	WORD_PORT,
	WORD_AUTHORITY_IN,
	WORD_PRESENT,
	WORD_COMPONENTS,                                         /* offset and length of each */
	WORD_FINDINGS = WORD_COMPONENTS + 2 * URIVET_COMPONENTS, /* words for each finding: */
	FINDING_WORDS = 8,
	PRESENT_PLAIN = 1 << 16, /* a bit above those of the components: see is_plain() */
	WORDS = WORD_FINDINGS + FINDING_WORDS * URIVET_MAX_FINDINGS
};
static uint32_t words[WORDS];
static struct urivet_report report;
static const struct urivet_policy *strict; /* made by js_policy_init() */

/* ---- Names of findings --------------------------------------------------------------------- */

/* The names in a row, each ended by NUL, and an array of their numbers. */
#define FINDING_AS(policy, name, number, id, ...) id "\0"
#define FINDING(name, number, id, ...)            id "\0"
static const char finding_names[] = URIVET_ROWS_OF_FINDINGS;
#undef FINDING
#undef FINDING_AS
#define FINDING_AS(policy, name, number, ...) number,
#define FINDING(name, number, ...)            number,
static const uint16_t finding_numbers[] = {URIVET_ROWS_OF_FINDINGS};
#undef FINDING
#undef FINDING_AS

/* Returns the array. Words: the names of findings, their numbers, how many there are, the size of a
 * policy, and how many octets before a position matter to js_scan(). */
uint32_t *JS(js_start)(void)
{
	words[0] = (uint32_t)finding_names;
	words[1] = (uint32_t)finding_numbers;
	words[2] = sizeof finding_numbers / sizeof finding_numbers[0];
	words[3] = sizeof(struct urivet_policy);
	words[4] = URIVET_SCAN_BEFORE;
	return words;
}

/* ---- Names that need the tables -------------------------------------------------------------- */

#ifdef URIVET_GATE
/* Returns true if the host has a character beyond ASCII: raw, escaped or as an A-label. */
static bool is_international(struct urivet_text host)
{
	const struct text t = text_of(host.data, (uint32_t)host.length);
	for (uint32_t at = 0; host.data != NULL && at < t.end; at++) {
		const bool begins = at == 0 || octet(t, at - 1) == '.';
		if (octet(t, at) >= 0x80 || octet(t, at) == '%' ||
		    (begins && has_word(t, at, "xn--")))
			return true;
	}
	return false;
}

/* Refuses such a host, whatever the policy waives, because this build lacks the tables. */
static void refuse_unknown(struct urivet_text input, const struct urivet_policy *policy)
{
	const struct urivet_text name =
	    urivet_part(&report.uri, URIVET_HOST, input, urivet_text_of(NULL, 0));
	if (!report.parsed || !is_international(name))
		return;
	urivet_add_finding(&report, URIVET_F_IDN_READERS_DISAGREE, URIVET_HOST,
			   report.uri.part[URIVET_HOST], policy);
	report.verdict = URIVET_REJECT;
}
#endif

/* ---- Reports -------------------------------------------------------------------------------- */

static void write_finding(uint32_t *w, const struct urivet_finding *f,
			  const struct urivet_policy *policy)
{
	w[0] = f->id;
	w[1] = f->class_;
	w[2] = f->component;
	w[3] = f->in;
	w[4] = f->span.offset;
	w[5] = f->span.length;
	w[6] = f->count;
	w[7] = urivet_finding_refuses(&report, f, policy);
}

/* Returns true if the URL is written as its endpoint is, but for letter case and the fragment:
 * nothing was found, and the host is a name. */
static bool is_plain(void)
{
	const struct urivet_uri *u = &report.uri;
	return report.parsed && report.verdict == URIVET_ACCEPT &&
	       report.count + report.dropped == 0 && u->scheme >= URIVET_SCHEME_HTTP &&
	       u->scheme <= URIVET_SCHEME_FTP && u->port >= 1 &&
	       u->port <= 65535 && u->host_kind == URIVET_HOST_NAME && !u->has_ipv4 &&
	       u->part[URIVET_PATH].length > 0 && u->authority_in == URIVET_IN_INPUT;
}

static void write_components(void)
{
	words[WORD_PRESENT] = report.parsed ? report.uri.present : 0;
	if (is_plain())
		words[WORD_PRESENT] |= PRESENT_PLAIN;
	words[WORD_PORT] = report.parsed ? report.uri.port : URIVET_NO_PORT;
	words[WORD_AUTHORITY_IN] = report.parsed ? report.uri.authority_in : URIVET_IN_INPUT;
	memcpy(words + WORD_COMPONENTS, report.uri.part, sizeof report.uri.part);
}

static uint32_t write_report(const struct urivet_policy *policy)
{
	words[WORD_VERDICT] = report.verdict == URIVET_ACCEPT;
	words[WORD_PARSED] = report.parsed;
	words[WORD_REASON] = report.verdict == URIVET_ACCEPT ? URIVET_REASON_ACCEPTED
							     : urivet_reason(&report, policy);
	words[WORD_COUNT] = report.count;
	words[WORD_DROPPED] = report.dropped;
	write_components();
	for (uint32_t k = 0; k < report.count; k++)
		write_finding(words + WORD_FINDINGS + FINDING_WORDS * k, &report.finding[k],
			      policy);
	return words[WORD_VERDICT];
}

/* ---- Checking -------------------------------------------------------------------------------- */

uint32_t JS(js_check)(const void *data, size_t length, const struct urivet_policy *policy)
{
	urivet_check(&report, data, length, policy);
#ifdef URIVET_GATE
	refuse_unknown(urivet_text_of(data, length), policy);
#endif
	return write_report(policy);
}

/* Returns only the verdict. */
uint32_t JS(js_ok)(const void *data, size_t length, const struct urivet_policy *policy)
{
	if (urivet_verdict_of(data, length, policy == strict ? NULL : policy, &report) !=
	    URIVET_ACCEPT)
		return false;
#ifdef URIVET_GATE
	/* a text without any of these octets has no international host */
	const struct text t = text_of(data, (uint32_t)length);
	for (uint32_t at = 0; at < t.end; at++)
		if (octet(t, at) >= 0x80 || octet(t, at) == '%' || octet(t, at) == '-')
			return js_check(data, length, policy) != 0;
#endif
	return true;
}

static uint32_t mark_row(uint8_t *bitmap, size_t row, bool accepted)
{
	if (accepted)
		bitmap[row / 8] |= (uint8_t)(1u << row % 8);
	return accepted;
}

/* Checks rows as urivet_check_batch() does. Returns how many are accepted. */
uint32_t JS(js_batch)(const char *data, size_t length, const int32_t *offsets, size_t rows,
		      const struct urivet_policy *policy, uint8_t *bitmap)
{
#ifndef URIVET_GATE
	return urivet_check_batch(data, length, offsets, NULL, rows,
				  policy == strict ? NULL : policy, bitmap, &report);
#else
	uint32_t accepted = 0;
	memset(bitmap, 0, (rows + 7) / 8);
	for (size_t k = 0; k < rows; k++) {
		const int32_t from = offsets[k], to = offsets[k + 1];
		const bool lies = from >= 0 && to >= from && (size_t)to <= length;
		accepted += mark_row(bitmap, k,
				     lies && js_ok(data + from, (size_t)(to - from), policy));
	}
	return accepted;
#endif
}

/* Returns the end of the line that begins at `at`. */
static size_t line_end(const char *data, size_t length, size_t at)
{
	while (at < length && data[at] != '\n')
		at++;
	return at;
}

uint32_t JS(js_count_lines)(const char *data, size_t length)
{
	uint32_t lines = 0;
	for (size_t at = 0; at < length; at++)
		lines += data[at] == '\n';
	return lines + (length > 0 && data[length - 1] != '\n');
}

/* Checks the lines of data. LF ends a line, and CR is part of it. */
uint32_t JS(js_lines)(const char *data, size_t length, const struct urivet_policy *policy,
		      uint8_t *bitmap)
{
	uint32_t accepted = 0;
	size_t row = 0;
	for (size_t at = 0; at < length;) {
		const size_t end = line_end(data, length, at);
		if (row % 8 == 0)
			bitmap[row / 8] = 0;
		accepted += mark_row(bitmap, row++, js_ok(data + at, end - at, policy));
		at = end + 1;
	}
	return accepted;
}

uint32_t JS(js_address)(const uint8_t *address, size_t octets, uint32_t port,
			const struct urivet_policy *policy)
{
	urivet_check_address(&report, address, octets, port, policy);
	return write_report(policy);
}

/* ---- Policies -------------------------------------------------------------------------------- */

uint32_t JS(js_policy_init)(struct urivet_policy *policy, int base)
{
	if (base == URIVET_STRICT)
		strict = policy;
	return urivet_policy_init(policy, sizeof *policy, base) && urivet_policy_finish(policy, NULL, 0);
}

uint32_t JS(js_max_length)(const struct urivet_policy *policy)
{
	return policy->max_length;
}

/* Returns enum urivet_compiled_fault, or UINT32_MAX (-1 in JavaScript) if this build lacks what the
 * policy needs: the small build lacks the top-level domains and the similar names, and does not
 * judge values of parameters. */
uint32_t JS(js_policy_open)(struct urivet_policy *policy, const void *data, size_t length)
{
	const enum urivet_compiled_fault fault =
	    urivet_compiled_open(policy, sizeof *policy, data, length, NULL);
#ifdef URIVET_GATE
	const unsigned id = URIVET_F_HOST_UNKNOWN_TLD;
	const bool raises_domains = (policy->raised.bits[id / 64] >> id % 64 & 1) != 0;
	if (fault == URIVET_COMPILED_GOOD &&
	    (raises_domains || policy->protect_count > 0 || policy->parameter_count > 0)) {
		memset(policy, 0, sizeof *policy);
		return UINT32_MAX;
	}
#endif
	return fault;
}

/* ---- Other functions ------------------------------------------------------------------------- */

#ifndef URIVET_GATE
/* Words: what a finding means, and its reference. */
void JS(js_explain)(unsigned id)
{
	const struct urivet_finding_row *row = urivet_finding_info(id);
	words[0] = row != NULL ? (uint32_t)row->text : 0;
	words[1] = row != NULL ? (uint32_t)row->reference : 0;
}

/* The known properties of a request, for the functions below. A scheme or port of 0 is unknown. */
static struct urivet_request request;

uint32_t JS(js_request)(const char *method, size_t method_length, const char *host,
			size_t host_length, uint32_t host_unknown, uint32_t scheme, uint32_t port)
{
	urivet_request_init(&request, sizeof request);
	request.method = urivet_text_of(method, method_length);
	request.host = urivet_text_of(host, host_length);
	request.host_unknown = host_unknown != 0;
	request.scheme = scheme;
	request.port = port != 0 ? port : URIVET_NO_PORT;
	return urivet_request_valid(&request);
}

uint32_t JS(js_check_request)(const void *target, size_t length, const struct urivet_policy *policy)
{
	enum urivet_target_form form;
	urivet_check_request(&report, target, length, &request, policy, &form);
	words[WORD_FORM] = form;
	return write_report(policy);
}

uint32_t JS(js_reference)(const void *base, size_t base_length, const void *reference,
			  size_t length, uint32_t same_origin, const struct urivet_policy *policy,
			  char *out, size_t capacity)
{
	urivet_check_reference(&report, out, capacity, urivet_text_of(base, base_length),
				    urivet_text_of(reference, length),
				    same_origin != 0 ? URIVET_REFERENCE_SAME_ORIGIN : 0, policy);
	return write_report(policy);
}

/* Writes the endpoint of the last report. Words: scheme, port, octets of the address, TLS and
 * the places of its texts; the address is in the next four words. Returns how many octets the
 * texts take. */
uint32_t JS(js_endpoint)(const void *data, size_t length, char *out, size_t capacity)
{
	struct urivet_endpoint e;
	const size_t size =
	    urivet_endpoint(&e, out, capacity, &report, data, length);
	const char *texts[] = {e.scheme_name, e.host, e.host_field, e.tls_name, e.target, e.url};
	words[0] = e.scheme;
	words[1] = e.port;
	words[2] = e.octets;
	words[3] = e.tls;
	memcpy(words + 4, texts, sizeof texts);
	memcpy(words + 10, e.address, sizeof e.address);
	return size;
}

uint32_t JS(js_json)(const void *data, size_t length, const void *host, size_t host_length,
		     const struct urivet_policy *policy, char *out, size_t capacity)
{
	return urivet_format_report(out, capacity, &report, data, length,
				    &(struct urivet_text){host, host_length}, policy);
}

/* words: outcome, finding, code point, offset, length. */
uint32_t JS(js_iri)(const void *data, size_t length, const struct urivet_policy *policy, char *out,
		    size_t capacity)
{
	struct urivet_iri iri;
	const size_t size = urivet_suggest_iri(&iri, out, capacity, data, length, policy);
	words[0] = iri.outcome;
	words[1] = iri.id;
	words[2] = iri.code_point;
	words[3] = iri.span.offset;
	words[4] = iri.span.length;
	return size;
}

uint32_t JS(js_iri_capacity)(size_t length)
{
	return urivet_size_of(URIVET_CAPACITY_IRI, length);
}

/* words: enum urivet_resolved. */
uint32_t JS(js_resolve)(const void *base, size_t base_length, const void *reference, size_t length,
			char *out, size_t capacity)
{
	enum urivet_resolved how;
	const size_t size =
	    urivet_resolve(out, capacity, URIVET_READER_RFC3986, urivet_text_of(base, base_length),
			   urivet_text_of(reference, length), true, &how);
	words[0] = how;
	return size;
}

uint32_t JS(js_compare)(const void *a, size_t a_length, const void *b, size_t b_length,
			uint32_t no_fragment)
{
	return urivet_compare(urivet_text_of(a, a_length), urivet_text_of(b, b_length),
			      no_fragment != 0, NULL, 0);
}

/* Finds the next URI. `most` is -1, or how many octets of a text that goes on may be held back.
 * Words: position (to continue from), offset, length, kind, length of the text. Returns false if
 * there is none, with the position. */
uint32_t JS(js_scan)(const void *data, size_t length, uint32_t position, int32_t most, char *out,
		     size_t capacity)
{
	struct urivet_scan scan = {.data = data, .length = length, .position = position};
	struct urivet_found found = {0};
	size_t text_length;
	const bool any = urivet_scan_next(&scan, most < 0 ? SIZE_MAX : (size_t)most, &found, out,
					  capacity, &text_length);
	words[0] = scan.position;
	words[1] = found.offset;
	words[2] = found.length;
	words[3] = found.kind;
	words[4] = text_length;
	return any;
}

/* ---- Parameters ------------------------------------------------------------------------------ */

static struct urivet_report inner;
static struct urivet_parameter_rules rules;
static struct urivet_parameter_input input;

/* Sets the rules, and the input of the last report. */
void JS(js_parameters)(const struct urivet_text *names, uint32_t count, uint32_t times,
		       uint32_t same_origin, uint32_t absolute, const struct urivet_policy *policy,
		       const void *data, size_t length, uint32_t is_target, char *buffer,
		       size_t capacity)
{
	urivet_parameter_rules_init(&rules, sizeof rules);
	rules.names = names;
	rules.count = count;
	rules.times = times;
	rules.same_origin = same_origin != 0;
	rules.absolute = absolute != 0;
	rules.policy = policy;
	input.text = urivet_text_of(data, length);
	input.request = is_target != 0 ? &request : NULL;
	input.buffer = buffer;
	input.capacity = capacity;
}

/* Reads the next pair of the query. Words: position (to continue from), result, then pointer and
 * length of name, raw value, value and checked text. */
uint32_t JS(js_parameter)(uint32_t position)
{
	const struct urivet_text query =
	    urivet_part(&report.uri, URIVET_QUERY, input.text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {
	    .data = query.data, .length = query.length, .position = position};
	struct urivet_parameter pair;
	struct urivet_parameter_texts texts;
	if (!urivet_parameter_next(&scan, &pair))
		return false;
	words[0] = scan.position;
	words[1] = urivet_check_parameter(&inner, &texts, &pair, &report, &input, &rules);
	const struct urivet_text found[] = {
	    {(const char *)query.data + pair.name.offset, pair.name.length},
	    {(const char *)query.data + pair.value.offset, pair.value.length},
	    texts.value,
	    texts.judged,
	};
	memcpy(words + 2, found, sizeof found);
	return true;
}

/* Writes the findings of the value that js_parameter() checked last, from words[WORD_FINDINGS]
 * on. Returns how many there are. */
uint32_t JS(js_parameter_ids)(void)
{
	for (uint32_t k = 0; k < inner.count; k++)
		words[WORD_FINDINGS + k] = inner.finding[k].id;
	return inner.count;
}

/* Adds `param-refused` to the last report. */
uint32_t JS(js_check_parameters)(const struct urivet_policy *policy)
{
	urivet_check_parameters(&report, &inner, &input, &rules, policy);
	return write_report(policy);
}
#endif
