/* SPDX-License-Identifier: Apache-2.0 */
/* Oracles for the command's output, for any command line. */
#ifndef COMMAND_ORACLES_H
#define COMMAND_ORACLES_H

#include "command_line.h"
#include "command_run.h"
#include "json_reader.h"

/* The current command line, for debugging. */
static const struct line *line_now;
static struct run *run_now;

static void show_input(void)
{
	for (int k = 0; k < line_now->words; k++)
		fprintf(stderr, "%s[%s]", k > 0 ? " " : "", line_now->owned[k]);
	fprintf(stderr, "\nstatus %d, standard output:\n", run_now->status);
	fwrite(run_now->out.data, 1, run_now->out.length, stderr);
	fprintf(stderr, "\nstandard error:\n");
	fwrite(run_now->err.data, 1, run_now->err.length, stderr);
}

static void expect(bool holds, const char *what)
{
	if (!holds)
		show_input();
	oracle(holds, what);
}

static bool is_text(struct octets text, const char *word)
{
	return same(text.data, text.length, word, strlen(word));
}

static bool begins(struct octets text, const char *word)
{
	const size_t length = strlen(word);
	return text.length >= length && memcmp(text.data, word, length) == 0;
}

static struct octets without(struct octets text, size_t front)
{
	return (struct octets){text.data + front, text.length - front};
}

/* Takes the text up to `end` from `left` into `piece`. Returns false if there is none. */
static bool take_piece(struct octets *left, char end, struct octets *piece)
{
	const uint8_t *at = left->length > 0 ? memchr(left->data, end, left->length) : NULL;
	if (at == NULL)
		return false;
	*piece = (struct octets){left->data, (size_t)(at - left->data)};
	*left = without(*left, piece->length + 1);
	return true;
}

static bool occurs_in(struct octets part, struct octets whole)
{
	return part.length == 0 || (whole.length > 0 && memmem(whole.data, whole.length, part.data,
							       part.length) != NULL);
}

/* Decodes escaped text into `room`, which is as long as the text. */
static struct octets unescaped(struct octets text, char *room)
{
	static const char digits[] = "0123456789ABCDEF";
	struct builder b = {room, 0};
	for (size_t k = 0; k < text.length; k++) {
		uint8_t octet = text.data[k];
		if (octet == '\\') {
			const uint8_t *hex = text.data + k + 2;
			const bool whole = text.length - k > 3 && text.data[k + 1] == 'x';
			const char *high = whole && hex[0] > 0 ? strchr(digits, hex[0]) : NULL;
			const char *low = whole && hex[1] > 0 ? strchr(digits, hex[1]) : NULL;
			expect(high != NULL && low != NULL, "a backslash begins an escape");
			if (high == NULL || low == NULL)
				break;
			octet = (uint8_t)((high - digits) << 4 | (low - digits));
			k += 3;
		}
		add(&b, &octet, 1);
	}
	return (struct octets){(const uint8_t *)room, b.length};
}

/* ---- The records -------------------------------------------------------------------- */

struct records {
	const struct line *line;
	struct octets left;
	unsigned operand, number;
	struct octets record, whole; /* without and with its end */
};

static struct records records_of(const struct line *line)
{
	return (struct records){.line = line, .left = line->input};
}

static bool next_record(struct records *r)
{
	const bool crlf = has_letter(r->line, 'l');
	const char end = has_letter(r->line, '0') ? '\0' : '\n';
	r->number++;
	if (r->line->is_operand) {
		if (r->operand == r->line->operands)
			return false;
		r->record = r->whole = r->line->operand[r->operand++];
		return true;
	}
	r->whole = r->left;
	if (!take_piece(&r->left, end, &r->record)) {
		r->record = r->left;
		r->left.length = 0;
		return r->record.length > 0;
	}
	r->whole.length = r->record.length + 1;
	if (crlf && r->record.length > 0 && r->record.data[r->record.length - 1] == '\r')
		r->record.length--;
	return true;
}

/* ---- What a record is about --------------------------------------------------------- */

/* The URI or request target of a record, and its Host field if there is one. */
struct view {
	struct octets uri, host;
	bool has_host;
};

/* The room for method and Host field beside a target. Nothing more is checked in longer records. */
#define ROOM_BESIDE 1024

/* Returns true if the text is a token: 1*tchar, RFC 9110, 5.6.2. */
static bool is_token(struct octets text)
{
	static const char marks[] = "!#$%&'*+-.^_`|~0123456789";
	for (size_t k = 0; k < text.length; k++) {
		const uint8_t letter = text.data[k] | 32;
		if (!(letter >= 'a' && letter <= 'z' && text.data[k] < 128) &&
		    (text.data[k] == 0 || strchr(marks, text.data[k]) == NULL))
			return false;
	}
	return text.length > 0;
}

/* Splits a record METHOD SP HOST SP TARGET. Other records are returned whole. */
static struct view view_of(const struct line *line, struct octets record)
{
	const size_t limit = has_letter(line, 'L') ? line->limit : 8192;
	struct view v = {record, line->host, line->has_host};
	struct octets left = record, method, host;
	if (!has_letter(line, 'T'))
		return v;
	v.has_host = false;
	if (left.length > limit + ROOM_BESIDE)
		left.length = ROOM_BESIDE;
	if (!take_piece(&left, ' ', &method) || !take_piece(&left, ' ', &host) || !is_token(method))
		return v;
	v.uri = without(record, (size_t)(left.data - record.data));
	v.host = host;
	v.has_host = true;
	return v;
}

/* ---- Components of a record ------------------------------------------------------------ */

enum { SCHEME = 0, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT, PARTS };

/* The fields of one output line. */
struct row {
	bool accepted, parsed;
	struct octets part[PARTS]; /* no data: absent */
};

static void add_present(struct builder *b, const char *before, struct octets part, const char *after)
{
	if (part.data == NULL)
		return;
	add_word(b, before);
	add(b, part.data, part.length);
	add_word(b, after);
}

/* Returns true if `text` is the authority, the rest after it, or both, joined again from the
 * reported components. */
static bool is_joined(const struct row *t, bool authority, bool tail, struct octets text)
{
	struct builder b = {.length = 0};
	bool is = false;
	size_t size = 16;
	for (unsigned k = 0; k < PARTS; k++)
		size += t->part[k].length;
	b.text = room_for(size);
	for (unsigned literal = 0; literal < 2 && !is; literal++) {
		b.length = 0;
		if (authority && tail) {
			add_present(&b, "", t->part[SCHEME], ":");
			add_word(&b, t->part[HOST].data != NULL ? "//" : "");
		}
		if (authority) {
			add_present(&b, "", t->part[USERINFO], "@");
			add_present(&b, literal ? "[" : "", t->part[HOST], literal ? "]" : "");
			add_present(&b, ":", t->part[PORT], "");
		}
		if (tail) {
			add_present(&b, "", t->part[PATH], "");
			add_present(&b, "?", t->part[QUERY], "");
			add_present(&b, "#", t->part[FRAGMENT], "");
		}
		is = same(b.text, b.length, text.data, text.length);
	}
	free(b.text);
	return is;
}

static bool has_tail(const struct row *t)
{
	return t->part[PATH].length > 0 || t->part[QUERY].data != NULL ||
	       t->part[FRAGMENT].data != NULL;
}

static bool is_target_joined(const struct row *t, const struct view *v)
{
	if (is_joined(t, true, true, v->uri) || (!has_tail(t) && is_joined(t, true, false, v->uri)))
		return true;
	return v->has_host && t->part[SCHEME].data == NULL && is_joined(t, false, true, v->uri) &&
	       is_joined(t, true, false, v->host);
}

/* Checks the components. By RFC 3986 they are the input once joined; the older standards cut
 * them out of the input as well, and two readers rewrite them. */
static void expect_parts(const struct line *line, const struct row *t, const struct view *v)
{
	const bool records = has_letter(line, 'T');
	const bool target = has_letter(line, 'H') || has_letter(line, 'o') || records;
	const struct octets record = v->uri;
	expect(!t->accepted || !has_letter(line, 'L') || has_letter(line, 'Z') ||
		   record.length <= line->limit,
	       "what is longer than --max-length is refused");
	if (!t->parsed)
		return;
	expect(t->part[PATH].data != NULL, "what parses has a path");
	expect(!records || v->has_host, "a record that lacks a field is not parsed");
	expect(!v->has_host || t->part[HOST].data != NULL, "with a Host field there is a host");
	if (target)
		expect(is_target_joined(t, v),
		       "the components joined are the target and the Host field");
	else if (line->id != COMMAND_PARSE || line->reader == URIVET_READER_RFC3986)
		expect(is_joined(t, true, true, record), "the components joined are the input");
	else if (line->reader < URIVET_READER_BROWSER)
		for (unsigned k = 0; k < PARTS; k++)
			expect(occurs_in(t->part[k], record), "a component lies in the input");
}

/* ---- Lines --------------------------------------------------------------------------------- */

static bool is_verdict(struct octets text, bool *accepted)
{
	*accepted = is_text(text, "accept");
	return *accepted || is_text(text, "reject");
}

#define COLUMNS_MOST 16

static unsigned cut_columns(struct octets line, struct octets column[COLUMNS_MOST])
{
	unsigned count = 0;
	while (count + 1 < COLUMNS_MOST && take_piece(&line, '\t', &column[count]))
		count++;
	column[count++] = line;
	return count;
}

static bool is_ids(struct octets text)
{
	if (is_text(text, "-"))
		return true;
	for (size_t k = 0; k < text.length; k++)
		if (!(text.data[k] >= 'a' && text.data[k] <= 'z') && text.data[k] != '-' &&
		    text.data[k] != ',' && !(text.data[k] >= '0' && text.data[k] <= '9'))
			return false;
	return text.length > 1;
}

static bool is_number_or_absent(struct octets text)
{
	size_t k = 0;
	while (k < text.length && text.data[k] >= '0' && text.data[k] <= '9')
		k++;
	return is_text(text, "\\N") || (k > 0 && k == text.length);
}

/* Reads the first ten columns. The components are stored in `room`, which is as long as the
 * line. */
static void read_columns(struct row *t, const struct octets column[], char *room)
{
	memset(t, 0, sizeof *t);
	expect(is_verdict(column[0], &t->accepted), "the first column is the verdict");
	expect(is_ids(column[1]), "the second column has findings");
	for (unsigned k = 0; k < PARTS; k++) {
		if (is_text(column[2 + k], "\\N"))
			continue;
		t->part[k] = unescaped(column[2 + k], room);
		room += t->part[k].length;
		t->parsed = true;
	}
	expect(is_number_or_absent(column[9]), "the tenth column is a port");
	expect(t->parsed || (!t->accepted && is_text(column[9], "\\N")),
	       "what does not parse has no components");
}

static void expect_status(const struct run *run, unsigned refused)
{
	expect(run->status == (refused > 0 ? STATUS_REFUSED : STATUS_ACCEPTED),
	       "the exit status is what the verdicts say");
}

/* Checks the findings about fields: a record that lacks a field has that finding or is too long;
 * a complete record has other findings only. */
static void expect_fields(const struct line *line, const struct view *v, struct octets ids)
{
	if (has_letter(line, 'T'))
		expect(v->has_host != (is_text(ids, "field-unreadable") ||
				       (!v->has_host && is_text(ids, "url-too-long"))),
		       "a record that lacks a field has this finding alone");
}

/* Sets the policy that the options name. Returns false if they say more than that of a record. */
static bool policy_of(struct urivet_policy *policy, const struct line *line)
{
	static const char letters_of[] = "SPAG", allow[] = "--allow=", refuse[] = "--refuse=";
	int base = URIVET_STRICT, bases = 0;
	for (int k = 0; k < 4; k++)
		if (has_letter(line, letters_of[k])) {
			base = k;
			bases++;
		}
	for (const char *at = "oHTFuULw"; *at != '\0'; at++)
		if (has_letter(line, *at))
			return false;
	if (bases > 1 || (line->id != COMMAND_CHECK && line->id != COMMAND_SCAN) || !urivet_policy_init(policy, sizeof *policy, base))
		return false;
	for (int k = 0; k < line->words; k++) {
		const char *const word = line->owned[k];
		const bool waives = strncmp(word, allow, sizeof allow - 1) == 0;
		const char *const name = word + (waives ? sizeof allow : sizeof refuse) - 1;
		int id;
		if (!waives && strncmp(word, refuse, sizeof refuse - 1) != 0)
			continue;
		id = urivet_finding_named(name, strlen(name));
		if (id <= 0 || !(waives ? urivet_policy_waive : urivet_policy_raise)(policy, (unsigned)id))
			return false;
	}
	return true;
}

/* Checks the lines of `check` and `parse`. */
static void expect_tsv(const struct line *line, const struct run *run)
{
	struct records records = records_of(line);
	struct octets left = run->out, text;
	char *room = room_for(left.length);
	struct urivet_policy policy;
	const bool known = policy_of(&policy, line);
	unsigned refused = 0;
	while (next_record(&records)) {
		struct octets column[COLUMNS_MOST];
		struct row row;
		struct view v;
		expect(take_piece(&left, '\n', &text), "there are as many lines as records");
		expect(cut_columns(text, column) == 10, "a line has ten columns");
		read_columns(&row, column, room);
		v = view_of(line, records.record);
		expect_parts(line, &row, &v);
		expect_fields(line, &v, column[1]);
		expect(!known || row.accepted == (urivet_verdict_of(records.record.data, records.record.length, &policy, NULL) ==
						   URIVET_ACCEPT),
		       "a verdict is that of the library");
		refused += !row.accepted;
	}
	expect(left.length == 0, "there are as many lines as records");
	expect_status(run, refused);
	free(room);
}

/* Checks the lines of `suggest` and `normalise`. */
static void expect_tsv_results(const struct line *line, const struct run *run)
{
	struct records records = records_of(line);
	struct octets left = run->out, text;
	unsigned refused = 0;
	while (next_record(&records)) {
		struct octets column[COLUMNS_MOST];
		bool accepted;
		expect(take_piece(&left, '\n', &text), "there are as many lines as records");
		expect(cut_columns(text, column) == 3, "a result has three columns");
		expect(is_verdict(column[0], &accepted), "the first column is the verdict");
		expect(is_text(column[2], "\\N") == !accepted, "what is accepted has a result");
		refused += !accepted;
	}
	expect(left.length == 0, "there are as many lines as records");
	expect_status(run, refused);
}

/* ---- Finds of scan ---------------------------------------------------------------------- */

/* Returns the octet at a line and column, or NULL. */
static const uint8_t *place_in(struct octets text, uint64_t line, uint64_t column)
{
	struct octets piece;
	for (; line > 1; line--)
		if (!take_piece(&text, '\n', &piece))
			return NULL;
	return line == 1 && column >= 1 && column - 1 < text.length ? text.data + column - 1 : NULL;
}

/* Returns true if the components joined are the found text, ignoring white space and a guessed
 * scheme. */
static bool is_find_joined(const struct row *t, struct octets found)
{
	static const char *const guessed[] = {"", "http://", "https://", "ftp://", "mailto:"};
	struct builder b = {room_for(found.length + 8), 0};
	bool is = false;
	for (unsigned k = 0; k < sizeof guessed / sizeof guessed[0] && !is; k++) {
		b.length = 0;
		add_word(&b, guessed[k]);
		for (size_t i = 0; i < found.length; i++)
			if (strchr(" \t\r\n", found.data[i]) == NULL || found.data[i] == '\0')
				add(&b, found.data + i, 1);
		is = is_joined(t, true, true, (struct octets){(const uint8_t *)b.text, b.length});
	}
	free(b.text);
	return is;
}

static void expect_find(const struct line *line, const struct row *t, const struct octets column[],
			char *room)
{
	struct urivet_policy policy;
	const struct octets found = unescaped(column[13], room);
	const uint8_t *at = place_in(line->input, json_count(column[11]), json_count(column[12]));
	expect(is_text(column[10], "-"), "a find names its file");
	const bool target = is_text(column[14], "target");
	const struct view v = {found, {NULL, 0}, false};
	expect(is_text(column[14], "uri") || is_text(column[14], "abbreviated") || target ||
		   is_text(column[14], "image"),
	       "a find is a URI, an image, an abbreviated one or a target");
	expect(!target || has_letter(line, 'u') || has_letter(line, 'U'),
	       "targets are found where parameters are asked for");
	if (has_letter(line, 'w'))
		return;
	if (is_text(column[14], "uri") && policy_of(&policy, line) && is_find_joined(t, found) == is_joined(t, true, true, found))
		expect(t->accepted == (urivet_verdict_of(found.data, found.length, &policy, NULL) == URIVET_ACCEPT),
		       "a find is judged as it stands");
	expect(at != NULL && (size_t)(line->input.data + line->input.length - at) >= found.length &&
		   same(at, found.length, found.data, found.length),
	       "a find stands where it is said to");
	expect(!t->parsed || (target ? is_target_joined(t, &v) : is_find_joined(t, found)),
	       "the components joined are what was found");
}

static void expect_tsv_finds(const struct line *line, const struct run *run)
{
	struct octets left = run->out, text;
	char *room = room_for(2 * left.length);
	unsigned refused = 0;
	while (take_piece(&left, '\n', &text)) {
		struct octets column[COLUMNS_MOST];
		struct row row;
		expect(cut_columns(text, column) == 15, "a find has fifteen columns");
		read_columns(&row, column, room);
		expect_find(line, &row, column, room + text.length);
		refused += !row.accepted;
	}
	expect(left.length == 0, "the last line ends");
	expect_status(run, refused);
	free(room);
}

/* ---- JSON ------------------------------------------------------------------------------- */

enum form { FORM_ORIGIN = 0, FORM_ABSOLUTE, FORM_AUTHORITY };

/* Returns the form of a target (RFC 9112, 3.2). A target of no other form is read as a path. */
static enum form form_of(struct octets t)
{
	size_t k = 0, colon = 0;
	if (t.length > 0 && t.data[0] == '/')
		return FORM_ORIGIN;
	while (k < t.length && t.data[k] > 0 &&
	       (strchr("+-.", t.data[k]) != NULL || (t.data[k] >= '0' && t.data[k] <= '9') ||
		((t.data[k] | 32) >= 'a' && (t.data[k] | 32) <= 'z')))
		k++;
	if (begins(without(t, k), "://"))
		return FORM_ABSOLUTE;
	for (k = 0; k < t.length; k++) {
		if (t.data[k] > 0 && strchr("/?#", t.data[k]) != NULL)
			return FORM_ORIGIN;
		colon += t.data[k] == ':';
	}
	return colon > 0 ? FORM_AUTHORITY : FORM_ORIGIN;
}

/* Returns the length of the text that a finding lies in. If a path has a Host field beside it,
 * findings about the authority lie in that field. A target with its own authority is compared
 * with the field, and findings of other components can lie in the field as well. */
static size_t room_of(const struct view *v, struct octets component)
{
	static const char *const in_host[] = {"\"authority\"", "\"userinfo\"", "\"host\"",
					      "\"port\""};
	if (!v->has_host)
		return v->uri.length;
	for (unsigned k = 0; k < sizeof in_host / sizeof in_host[0]; k++)
		if (form_of(v->uri) == FORM_ORIGIN && json_is(component, in_host[k]))
			return v->host.length;
	return v->host.length > v->uri.length ? v->host.length : v->uri.length;
}

static void expect_findings(const struct view *v, struct octets array, bool raw)
{
	static const char *const keys[] = {"id",     "number", "class",     "component", "offset",
					   "length", "count",  "reference", "text",      "refuses", NULL};
	struct json j = {array.data + 1, array.data + array.length - 1, raw};
	while (j.at < j.end) {
		const uint8_t *start = j.at;
		struct object o;
		uint64_t offset, length, room;
		json_value(&j, 1);
		json_open(&o, (struct octets){start, (size_t)(j.at - start)}, raw);
		expect(json_keys(&o, keys), "a finding has its keys in their order");
		offset = json_count(json_member(&o, "offset"));
		length = json_count(json_member(&o, "length"));
		room = room_of(v, json_member(&o, "component"));
		expect(offset <= room && length <= room - offset,
		       "a finding lies in the text that it speaks of");
		(void)json_next(&j, ",");
	}
}

static void read_components(struct row *t, struct octets components, bool raw, char *room)
{
	static const char *const keys[] = {"scheme", "userinfo", "host",     "port",
					   "path",   "query",    "fragment", NULL};
	struct object o;
	t->parsed = !json_is(components, "null");
	if (!t->parsed)
		return;
	json_open(&o, components, raw);
	expect(json_keys(&o, keys), "components have their keys in their order");
	for (unsigned k = 0; k < PARTS; k++) {
		t->part[k] = text_of_json(json_member(&o, keys[k]), raw, room);
		room += t->part[k].length;
	}
}

/* Checks the report of a parameter: it has a text, and its findings lie in that text. */
static void expect_parameter_report(struct octets report, bool accepted, bool raw)
{
	static const char *const keys[] = {"uri",  "?length", "?raw",     "verdict", "policy", "components",
					   "host", "port",    "findings", NULL};
	struct view v = {{NULL, 0}, {NULL, 0}, false};
	char *room = room_for(report.length);
	struct object o;
	json_open(&o, report, raw);
	expect(json_keys(&o, keys), "the report of a parameter has its keys in their order");
	expect(json_is(json_member(&o, "verdict"), accepted ? "\"accept\"" : "\"reject\""),
	       "a parameter has the verdict of its report");
	v.uri = text_of_json(json_member(&o, "uri"), raw, room);
	if (v.uri.data != NULL)
		expect_findings(&v, json_member(&o, "findings"), raw);
	free(room);
}

/* Checks one parameter and returns true if it is accepted. A parameter that is not decoded is
 * refused. */
static bool expect_parameter(struct octets text, bool raw)
{
	static const char *const keys[] = {"name", "occurrence", "value", "verdict", "report", NULL};
	struct object o;
	struct octets report;
	bool accepted;
	json_open(&o, text, raw);
	expect(json_keys(&o, keys), "a parameter has its keys in their order");
	accepted = json_is(json_member(&o, "verdict"), "\"accept\"");
	report = json_member(&o, "report");
	expect(json_count(json_member(&o, "occurrence")) > 0, "parameters are counted from 1");
	if (!json_is(report, "null"))
		expect_parameter_report(report, accepted, raw);
	else
		expect(!accepted, "a parameter without a report is refused");
	expect(!accepted || !json_is(json_member(&o, "value"), "null"),
	       "a parameter that is accepted has a value");
	return accepted;
}

/* The most findings that a report stores; it drops the others. */
#define FINDINGS_MOST 32
#define JUDGED_MOST   256

/* The input has the finding if and only if one of its parameters is refused. */
static void expect_parameters(const struct line *line, const struct object *o, bool raw)
{
	static const char finding[] = "{\"id\":\"param-refused\"";
	const bool asked = has_letter(line, 'u') || has_letter(line, 'U');
	const struct octets list = json_member(o, "parameters"), found = json_member(o, "findings");
	const bool has = occurs_in((struct octets){(const uint8_t *)finding, sizeof finding - 1}, found);
	struct json j;
	unsigned count = 0, refused = 0, findings = 0;
	expect((list.data != NULL) == asked, "parameters are reported where they are asked for");
	if (list.data == NULL || json_is(list, "null"))
		return;
	j = (struct json){list.data + 1, list.data + list.length - 1, raw};
	for (; j.at < j.end; count++) {
		const uint8_t *start = j.at;
		json_value(&j, 1);
		refused += !expect_parameter((struct octets){start, (size_t)(j.at - start)}, raw);
		(void)json_next(&j, ",");
	}
	for (size_t k = 0; k + 6 < found.length; k++)
		findings += memcmp(found.data + k, "{\"id\":", 6) == 0;
	expect(refused == 0 || has || findings >= FINDINGS_MOST,
	       "an input with a refused parameter has that finding");
	expect(refused > 0 || !has || count == JUDGED_MOST, "an input has the finding of a refused parameter");
}

static bool is_raw_line(struct octets text)
{
	struct object o;
	json_open(&o, text, false);
	return json_is(json_member(&o, "raw"), "true");
}

/* Checks the first members, which are the same in all objects about an input. Returns true if
 * the input is accepted. */
static bool expect_input(const struct object *o, const struct view *v, bool raw, char *room)
{
	const struct octets record = v->uri;
	const struct octets uri = json_member(o, "uri"), verdict = json_member(o, "verdict");
	const struct octets said = text_of_json(uri, raw, room);
	const bool accepted = json_is(verdict, "\"accept\"");
	if (json_is(uri, "null"))
		expect(json_count(json_member(o, "length")) == record.length,
		       "an input that is too long has its length");
	else
		expect(same(said.data, said.length, record.data, record.length),
		       "the input is read back");
	expect(accepted || json_is(verdict, "\"reject\""), "the verdict is one of two");
	return accepted;
}

/* Checks the registrable domain of the host, which the command keeps for the next record. */
static void expect_registrable(const struct object *o, struct octets host, bool raw)
{
	static struct urivet_suffixes *list; /* never freed */
	char domain[URIVET_REGISTRABLE_CAPACITY], room[sizeof domain];
	const struct octets registrable = json_member(o, "registrable");
	struct object of_host;
	struct octets said;
	size_t length = 0;
	if (WITHOUT_LIBRARIES)
		return;
	json_open(&of_host, json_member(o, "host"), raw);
	if (list == NULL)
		list = urivet_suffixes_open(NULL, NULL);
	if (list != NULL && json_is(json_member(&of_host, "kind"), "\"name\""))
		length = urivet_suffixes_registrable(domain, sizeof domain, list, urivet_text_of(host.data, host.length));
	expect(json_is(registrable, "null") == (length == 0) && registrable.length <= sizeof room,
	       "a host has a registrable domain where the library knows one");
	said = text_of_json(registrable, false, room);
	expect(length == 0 || same(said.data, said.length, domain, length), "a registrable domain is that of the library");
}

static bool expect_object(const struct line *line, struct octets text, const struct view *v)
{
	static const char *const judged[] = {
	    "uri",  "?length",  "?raw",     "verdict",    "policy",      "components", "host",
	    "port", "findings", "readings", "suggestion", "?parameters", "registrable",
	    "reason", NULL};
	static const char *const results[] = {"uri", "?length", "?raw", "verdict", "result", NULL};
	const bool result = line->id == COMMAND_SUGGEST || line->id == COMMAND_NORMALISE;
	const bool raw = is_raw_line(text);
	char *room = room_for(text.length);
	struct object o;
	struct row t = {false, false, {{NULL, 0}}};
	json_open(&o, text, raw);
	expect(json_keys(&o, result ? results : judged), "an object has its keys in their order");
	t.accepted = expect_input(&o, v, raw, room);
	if (result) {
		expect(json_is(json_member(&o, "result"), "null") == !t.accepted,
		       "what is accepted has a result");
	} else {
		read_components(&t, json_member(&o, "components"), raw, room);
		expect(t.parsed || !t.accepted, "what does not parse is refused");
		expect_parts(line, &t, v);
		expect_registrable(&o, t.part[HOST], raw);
		expect_findings(v, json_member(&o, "findings"), raw);
		expect_parameters(line, &o, raw);
	}
	free(room);
	return t.accepted;
}

static void expect_json(const struct line *line, const struct run *run)
{
	struct records records = records_of(line);
	struct octets left = run->out, text;
	unsigned refused = 0;
	while (next_record(&records)) {
		const struct view v = view_of(line, records.record);
		expect(take_piece(&left, '\n', &text), "there are as many lines as records");
		refused += !expect_object(line, text, &v);
	}
	expect(left.length == 0, "there are as many lines as records");
	expect_status(run, refused);
}

/* Checks the objects of `scan`, whose inputs are not known in advance. */
static void expect_json_finds(const struct line *line, const struct run *run)
{
	static const char *const keys[] = {
	    "uri",  "?length", "?raw",     "verdict",  "policy",     "components",
	    "host", "port",    "findings", "readings", "suggestion", "?parameters", "registrable",
	    "reason", "file", "line",    "column",   "text",     "kind",       "?shown",           "?hidden",
	    "?hyphen_at_break", NULL};
	struct octets left = run->out, text;
	unsigned refused = 0;
	while (take_piece(&left, '\n', &text)) {
		const bool raw = is_raw_line(text);
		char *room = room_for(text.length);
		struct object o;
		struct view v = {{NULL, 0}, {NULL, 0}, false};
		json_open(&o, text, raw);
		expect(json_keys(&o, keys), "an object has its keys in their order");
		v.uri = text_of_json(json_member(&o, "uri"), raw, room);
		if (v.uri.data != NULL)
			expect_findings(&v, json_member(&o, "findings"), raw);
		expect_parameters(line, &o, raw);
		refused += !json_is(json_member(&o, "verdict"), "\"accept\"");
		free(room);
	}
	expect(left.length == 0, "the last line ends");
	expect_status(run, refused);
}

#endif
