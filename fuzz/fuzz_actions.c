/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The actions of `urivet policy`: diff, test, explain, learn and import. Policies are built from items
 * (built_policy.h), requests and lists from parts, so what is to be said about them is known.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create(2), memmem(3) */
#endif
#include <urivet/policy.h>

#include "command_run.h"

#include "built_policy.h"
#include "common/finding_set.h"

#define LINES_MOST 1024u
#define WORDS_MOST 12
#define URL_MOST   (2 * TEXT_MOST + 64)

static struct run done;

/* What was given to the command last, shown where an oracle breaks. */
static struct {
	struct octets policy, input;
	char *word[WORDS_MOST + 1];
} given;

static void expect(bool holds, const char *what)
{
	if (!holds) {
		for (int k = 0; given.word[k] != NULL; k++)
			fprintf(stderr, "%s ", given.word[k]);
		fprintf(stderr, "\n---- policy\n%.*s\n---- input\n%.*s\n---- output, status %d\n%.*s\n---- messages\n%.*s\n",
			(int)given.policy.length, (const char *)given.policy.data, (int)given.input.length,
			(const char *)given.input.data, done.status, (int)done.out.length, (const char *)done.out.data,
			(int)done.err.length, (const char *)done.err.data);
	}
	oracle(holds, what);
}

static void show_fault(void *context, const struct urivet_message *message)
{
	(void)context;
	fprintf(stderr, "%s:%u:%u: %s\n", message->file, message->line, message->column, message->text);
}

/* Runs `urivet policy ACTION ...`, with the words up to NULL. */
static void act(const char *const *words, struct octets policy, struct octets input)
{
	static char room[WORDS_MOST][URL_MOST];
	int count = 0;
	given.policy = policy;
	given.input = input;
	for (const char *first[] = {"urivet", "policy"}; count < 2; count++)
		snprintf(room[count], URL_MOST, "%s", first[count]);
	for (; words[count - 2] != NULL; count++)
		snprintf(room[count], URL_MOST, "%s", words[count - 2]);
	for (int k = 0; k < count; k++)
		given.word[k] = room[k];
	given.word[count] = NULL;
	char *word[WORDS_MOST + 1];
	memcpy(word, given.word, sizeof word);
	fill_file(FILE_ASIDE, policy);
	fill_file(FILE_IN, input);
	run_command(&done, count, word);
}

/* Takes the next line of the text, without its end. */
static bool take_line(struct octets *rest, struct octets *line)
{
	const uint8_t *const end = rest->length > 0 ? memchr(rest->data, '\n', rest->length) : NULL;
	if (end == NULL)
		return false;
	*line = (struct octets){rest->data, (size_t)(end - rest->data)};
	*rest = text_after(*rest, line->length + 1);
	return true;
}

/* Takes the next column of a line of TSV. */
static struct octets take_column(struct octets *line)
{
	const uint8_t *const tab = line->length > 0 ? memchr(line->data, '\t', line->length) : NULL;
	const struct octets column = {line->data, tab != NULL ? (size_t)(tab - line->data) : line->length};
	*line = text_after(*line, column.length + (tab != NULL));
	return column;
}

static bool says(struct octets text, const char *word)
{
	return same(text.data, text.length, word, strlen(word));
}

/* Writes the form with the text in place of each @. Returns its length. */
static size_t put_form(char *to, size_t room, const char *form, const char *text)
{
	size_t used = 0;
	for (; *form != '\0'; form++) {
		const int length = *form == '@' ? snprintf(to + used, room - used, "%s", text)
						: snprintf(to + used, room - used, "%c", *form);
		used += (size_t)length;
		oracle(used < room, "a form fits");
	}
	return used;
}

static bool begins_with(struct octets text, const char *word)
{
	return text.length >= strlen(word) && memcmp(text.data, word, strlen(word)) == 0;
}

static struct octets copy_of_output(void)
{
	char *copy = room_for(done.out.length + 1);
	if (done.out.length > 0)
		memcpy(copy, done.out.data, done.out.length);
	copy[done.out.length] = '\0';
	return text_at(copy, done.out.length);
}

static void free_copy(struct octets text)
{
	free((void *)(uintptr_t)text.data);
}

/* ---- diff --------------------------------------------------------------------------------- */

/* What a policy says in one line. */
struct said {
	char key[64], value[2 * TEXT_MOST];
	uint32_t line; /* of its file; 0: a setting */
	bool done;
};

struct all_said {
	struct said line[LINES_MOST];
	uint32_t count;
};

static struct model models[2];
static struct page pages[2];
static struct all_said all_said[2];

static void say(struct all_said *all, uint32_t line, const char *key, const char *value)
{
	struct said *said = &all->line[all->count];
	oracle(all->count + 1 < LINES_MOST, "a model says no more");
	all->count++;
	said->value[0] = '\0';
	snprintf(said->key, sizeof said->key, "%s", key);
	for (size_t used = 0; *value != '\0'; value++) /* columns have no spaces */
		used += (size_t)snprintf(said->value + used, sizeof said->value - used, *value == ' ' ? "\\x20" : "%c", *value);
	said->line = line;
	said->done = false;
}

static void say_number(struct all_said *all, const char *key, uint32_t number)
{
	char text[16];
	snprintf(text, sizeof text, "%u", number);
	say(all, 0, key, text);
}

/* Writes a network in the shortest form (RFC 5952). */
static void shorten_network(char text[TEXT_MOST], const struct urivet_network *n)
{
	struct urivet_uri uri = {.host_kind = n->octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6,
				 .has_ipv4 = n->octets == 4};
	size_t length;
	memcpy(uri.address, n->address, sizeof uri.address);
	length = urivet_format_address(text, TEXT_MOST, &uri);
	if (n->length < 8 * n->octets)
		snprintf(text + length, TEXT_MOST - length, "/%u", n->length);
}

static void say_parameter(struct all_said *all, const struct item *item)
{
	static const char *const flag[] = {"same_origin", "rooted", "absolute", "any_case", "semicolons"};
	const bool judges = item->waives[0] == 0 || item->policy != NULL || (item->options & 0x67) != 0;
	char text[2 * TEXT_MOST];
	if (judges) {
		snprintf(text, sizeof text, "%s policy %s", item->text, item->policy != NULL ? item->policy : "public");
		say(all, item->line, "parameters", text);
	}
	for (unsigned k = 0; k < COUNT(flag); k++) {
		snprintf(text, sizeof text, "%s %s", item->text, flag[k]);
		if (has_option(item, (enum option)k))
			say(all, item->line, "parameters", text);
	}
	snprintf(text, sizeof text, "%s decode 2", item->text);
	if (has_option(item, TWICE))
		say(all, item->line, "parameters", text);
	if (item->waives[0] != 0) {
		snprintf(text, sizeof text, "%s allow %s", item->text, urivet_finding_info(item->waives[0])->name);
		say(all, item->line, "parameters", text);
	}
}

static void say_path(struct all_said *all, const struct item *item)
{
	char text[2 * TEXT_MOST], methods[64] = "";
	size_t used = 0;
	for (const char *at = item->methods; at != NULL && *at != '\0'; at++)
		if (*at != ' ')
			methods[used++] = *at;
	methods[used] = '\0';
	for (unsigned k = 0; k < 2; k++) {
		snprintf(text, sizeof text, "%s%s%s allow %s", methods, used > 0 ? " " : "", item->text,
			 urivet_finding_info(item->waives[k])->name);
		say(all, item->line, "paths", text);
	}
}

static void say_item(struct all_said *all, const struct item *item)
{
	char key[64], text[TEXT_MOST];
	size_t length;
	snprintf(key, sizeof key, "%s%s%s", keys[item->key].group, keys[item->key].group[0] != '\0' ? "." : "",
		 keys[item->key].name);
	snprintf(text, sizeof text, "%s", item->text);
	switch (item->key) {
	case KEY_HOSTS_ALLOW:
	case KEY_HOSTS_DENY:
		length = strlen(text);
		text[length - (text[length - 1] == '.')] = '\0';
		for (char *at = text; *at != '\0'; at++)
			*at = (char)(*at >= 'A' && *at <= 'Z' ? *at | 0x20 : *at);
		break;
	case KEY_ADDRESSES_ALLOW:
	case KEY_ADDRESSES_DENY:
	case KEY_NAT64:
		shorten_network(text, &item->network);
		break;
	case KEY_FORBIDDEN:
		say(all, 0, key, text);
		return;
	case KEY_PATHS:
		say_path(all, item);
		return;
	case KEY_PARAMETERS:
		say_parameter(all, item);
		return;
	default:
		break;
	}
	say(all, item->line, key, text);
}

/* Says the settings. What both policies have from their bases is not said. */
static void say_settings(struct all_said *all, const struct model *m, const struct model *other)
{
	const struct urivet_policy *p = &m->policy, *q = &other->policy;
	const struct urivet_policy a = built_in(m->base), b = built_in(other->base);
	say(all, 0, "base", urivet_policy_name((unsigned)m->base));
	say(all, 0, "name", p->name);
	say(all, 0, "mode", m->observes ? "observe" : "enforce");
	say_number(all, "limits.length", p->max_length);
	say_number(all, "limits.host", p->max_host);
	say_number(all, "limits.label", p->max_label);
	if (p->opaque_query != a.opaque_query || q->opaque_query != b.opaque_query)
		say(all, 0, "opaque_query", p->opaque_query ? "true" : "false");
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL)
			continue;
		if (in_set(&p->waived, id) && (!in_set(&a.waived, id) || in_set(&q->waived, id) != in_set(&b.waived, id)))
			say(all, 0, "allow", row->name);
		if (in_set(&p->raised, id) && (!in_set(&a.raised, id) || in_set(&q->raised, id) != in_set(&b.raised, id)))
			say(all, 0, "refuse", row->name);
	}
}

static void say_schemes(struct all_said *all, const struct model *m, const struct model *other)
{
	static const char *const names[] = {"http", "https", "ws", "wss", "ftp", "other"};
	static const unsigned bits[] = {URIVET_SCHEME_HTTP, URIVET_SCHEME_HTTPS, URIVET_SCHEME_WS,
					URIVET_SCHEME_WSS,  URIVET_SCHEME_FTP,	 URIVET_SCHEME_OTHER};
	const struct urivet_policy *p = &m->policy, *q = &other->policy;
	char list[sizeof p->scheme_names], *name, *rest = list;
	if (strcmp(p->scheme_names, q->scheme_names) == 0 && p->schemes == built_in(m->base).schemes &&
	    q->schemes == built_in(other->base).schemes)
		return;
	for (unsigned k = 0; k < COUNT(names); k++)
		if ((p->schemes >> bits[k] & 1) != 0)
			say(all, 0, "schemes", names[k]);
	snprintf(list, sizeof list, "%s", p->scheme_names);
	while ((name = strtok_r(rest, " ", &rest)) != NULL)
		say(all, 0, "schemes", name);
}

static void say_all(struct all_said *all, const struct model *m, const struct model *other)
{
	all->count = 0;
	say_settings(all, m, other);
	say_schemes(all, m, other);
	for (uint32_t k = 0; k < m->items; k++)
		if (m->item[k].key > KEY_SCHEMES && m->item[k].key != KEY_ALLOW && m->item[k].key != KEY_REFUSE)
			say_item(all, &m->item[k]);
}

/* Marks what both policies say. Returns how many lines only one of them has. */
static uint32_t leave_out_common(void)
{
	uint32_t left = all_said[0].count + all_said[1].count;
	for (uint32_t k = 0; k < all_said[0].count; k++)
		for (uint32_t i = 0; i < all_said[1].count; i++) {
			struct said *x = &all_said[0].line[k], *y = &all_said[1].line[i];
			if (x->done || y->done || strcmp(x->key, y->key) != 0 || strcmp(x->value, y->value) != 0)
				continue;
			x->done = y->done = true;
			left -= 2;
		}
	return left;
}

/* Finds the line of a difference, and marks it. */
static void expect_said(struct octets text)
{
	const struct octets sign = take_column(&text), key = take_column(&text), value = take_column(&text),
			    file = take_column(&text);
	struct all_said *all = &all_said[says(sign, "+")];
	char line[16];
	expect(says(sign, "+") || says(sign, "-"), "a difference has a sign");
	for (uint32_t k = 0; k < all->count; k++) {
		struct said *said = &all->line[k];
		if (said->done || !says(key, said->key) || (!says(key, "name") && !says(value, said->value)))
			continue;
		said->done = true;
		snprintf(line, sizeof line, "%u", said->line);
		expect(says(text, said->line > 0 ? line : "\\N"), "a difference stands where it was written");
		expect(said->line == 0 || says(file, says(sign, "+") ? "/dev/fd/60" : NAME_ASIDE),
		       "a difference is in its file");
		return;
	}
	expect(false, "a difference is one that the items have");
}

static void write_model(unsigned k, struct dice *d)
{
	pages[k].left_out = NOTHING;
	pages[k].twice = NULL;
	write_policy(&pages[k], d, &models[k]);
}

static struct octets page_of(unsigned k)
{
	return text_at(pages[k].text, pages[k].length);
}

/* Compares two policies, or one in two spellings. */
static void expect_differences(struct dice *d)
{
	static const char *const words[][6] = {{"diff", NAME_ASIDE, "/dev/fd/60", "--format=tsv", NULL},
					       {"diff", NAME_ASIDE, "/dev/fd/60", "--format=json", NULL},
					       {"diff", NAME_ASIDE, "/dev/fd/60", "--format=human", NULL},
					       {"diff", NAME_ASIDE, "/dev/fd/60", "-q", NULL}};
	const unsigned form = below(d, 8);
	const bool alike = below(d, 3) == 0;
	struct octets rest, line;
	uint32_t left, lines = 0;
	build_policy(&models[0], d);
	if (alike)
		models[1] = models[0];
	else
		build_policy(&models[1], d);
	write_model(0, d);
	write_model(1, d);
	for (unsigned k = 0; k < 2; k++)
		say_all(&all_said[k], &models[k], &models[!k]);
	left = leave_out_common();
	act(words[form < COUNT(words) ? form : 0], page_of(0), page_of(1));
	expect(done.status == (left > 0 ? STATUS_REFUSED : STATUS_ACCEPTED), "policies differ if their items do");
	for (rest = done.out; take_line(&rest, &line); lines++)
		if (form == 0 || form >= COUNT(words))
			expect_said(line);
	for (uint32_t k = 0; k < 2 * LINES_MOST && form == 0; k++) {
		const struct all_said *all = &all_said[k % 2];
		if (k / 2 < all->count && !all->line[k / 2].done)
			fprintf(stderr, "%s: %s\n", all->line[k / 2].key, all->line[k / 2].value);
	}
	expect(rest.length == 0 && lines == (form == 3 ? 0 : left), "each difference is reported once");
}

/* Compares the verdicts of a base and a policy on records. */
static void expect_changes(struct dice *d)
{
	static char input[4 * URL_MOST], expected[2 * sizeof input];
	struct urivet_loaded *loaded, *base;
	size_t length = 0, used = 0;
	unsigned number = 0;
	build_policy(&models[0], d);
	write_model(0, d);
	loaded = urivet_load_text(pages[0].text, pages[0].length, "p", NULL, NULL);
	base = urivet_load_built_in((int)below(d, URIVET_BASES));
	oracle(loaded != NULL && base != NULL, "a policy without a fault is loaded");
	for (unsigned k = 0; k < 4; k++) {
		static const char *const forms[] = {"https://@/", "http://x.@/%41?a=b", "https://@:8443/p0a/", "@"};
		const struct item *item = &models[0].item[below(d, models[0].items + (models[0].items == 0))];
		const char *const text = bare_name(models[0].items > 0 ? item->text : "a");
		const size_t from = length;
		struct urivet_report r[2];
		if (text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.:/-")] != '\0')
			continue;
		length += put_form(input + length, sizeof input - length, ONE_OF(d, forms), text);
		for (unsigned i = 0; i < 2; i++) {
			const struct urivet_policy *const by = urivet_loaded_policy(i == 0 ? base : loaded);
			if (input[from] == '/')
				(void)check_target(&r[i], urivet_text_of(input + from, length - from), urivet_text_of(NULL, 0), by, NULL);
			else
				(void)urivet_check(&r[i], input + from, length - from, by);
		}
		number++;
		if (r[0].verdict != r[1].verdict) {
			used += (size_t)snprintf(expected + used, sizeof expected - used, "%s\t",
						 r[1].verdict == URIVET_ACCEPT ? "+" : "-");
			for (unsigned i = 0; i < 2; i++) {
				for (uint32_t f = 0; f < r[i].count; f++)
					used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s",
								 f > 0 ? "," : "",
								 urivet_finding_info(r[i].finding[f].id)->name);
				used += (size_t)snprintf(expected + used, sizeof expected - used,
							 r[i].count == 0 ? "-\t" : "\t");
			}
			used += (size_t)snprintf(expected + used, sizeof expected - used, "%u\t%.*s\n", number,
						 (int)(length - from), input + from);
		}
		input[length++] = '\n';
	}
	const char *const words[] = {"diff", urivet_policy_name((unsigned)urivet_loaded_base(base)), NAME_ASIDE,
				     "--input=-", "--format=tsv", NULL};
	act(words, page_of(0), text_at(input, length));
	if (models[0].narrow) /* the records are cut, then */
		expect(done.status != STATUS_TROUBLE, "records are compared");
	else
		expect(same(done.out.data, done.out.length, expected, used), "each record that one policy accepts is reported");
	urivet_loaded_release(loaded);
	urivet_loaded_release(base);
}

/* ---- test --------------------------------------------------------------------------------- */

/* Judges cases of a policy. Each is expected to be what it is, or something else. */
static void expect_tested(struct dice *d)
{
	static const char *const words[] = {"test", "/dev/fd/60", "--format=tsv", NULL};
	static const char *const urls[] = {"https://www.iana.org/",	   "http://x.slotaa.com/",
					   "https://slotab.org:8443/a",	   "https://10.1.2.3/",
					   "https://www.iana.org/p0a/%2F", "ftp://a.example/",
					   "https://urlaa.com/cb?code=1",  "https://www.iana.org/?para{a*40}a=%41",
					   "https://u@www.iana.org/%c3%a9"};
	const unsigned names[] = {URIVET_F_HOST_DENIED, URIVET_F_ADDR_DENIED, URIVET_F_ESCAPED_SLASH,
				  URIVET_F_SCHEME_NOT_ALLOWED, URIVET_F_HOST_NOT_ALLOWED, URIVET_F_ESCAPE_CASE};
	static char cases[8192], url[512];
	struct octets rest, line;
	struct urivet_loaded *loaded;
	uint32_t failed = 0, count = 1 + below(d, 6);
	struct {
		const char *url;
		unsigned expected;
	} one[6];
	size_t length;
	build_policy(&models[0], d);
	write_model(0, d);
	loaded = urivet_load_text(pages[0].text, pages[0].length, "p", NULL, NULL);
	oracle(loaded != NULL, "a policy without a fault is loaded");
	length = (size_t)snprintf(cases, sizeof cases, "policy: " NAME_ASIDE "\ncases:\n");
	for (uint32_t k = 0; k < count; k++) {
		one[k].url = ONE_OF(d, urls);
		one[k].expected = below(d, 2) == 0 ? 0 : names[below(d, COUNT(names))];
		length += (size_t)snprintf(cases + length, sizeof cases - length, "- name: g%u\n  %s%s:\n    - '%s'\n", k,
					   one[k].expected == 0 ? "accept" : "refuse:\n    ",
					   one[k].expected == 0 ? "" : urivet_finding_info(one[k].expected)->name,
					   one[k].url);
	}
	act(words, page_of(0), text_at(cases, length));
	rest = done.out;
	for (uint32_t k = 0; k < count; k++) {
		struct urivet_report r;
		const char *const braces = strchr(one[k].url, '{');
		const struct urivet_finding *found;
		bool good;
		char group[16];
		snprintf(url, sizeof url, "%s", one[k].url);
		if (braces != NULL)
			snprintf(url, sizeof url, "%.*s%.*s%s", (int)(braces - one[k].url), one[k].url, 40,
				 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", strchr(braces, '}') + 1);
		(void)urivet_check(&r, url, strlen(url), urivet_loaded_policy(loaded));
		found = report_finding(&r, one[k].expected);
		good = one[k].expected == 0 ? r.verdict == URIVET_ACCEPT
					    : r.verdict == URIVET_REJECT && found != NULL &&
						      urivet_finding_refuses(&r, found, urivet_loaded_policy(loaded));
		failed += !good;
		snprintf(group, sizeof group, "g%u", k);
		expect(take_line(&rest, &line), "each case is reported");
		expect(says(take_column(&line), good ? "ok" : "failed"), "a case is as expected if its verdict is");
		expect(says(take_column(&line), one[k].expected == 0 ? "accept" : urivet_finding_info(one[k].expected)->name),
		       "a case says what is expected");
		expect(says(take_column(&line), r.verdict == URIVET_ACCEPT ? "accept" : "reject"), "a case has its verdict");
		(void)take_column(&line);
		expect(says(take_column(&line), group), "a case is of its group");
		(void)take_column(&line);
		(void)take_column(&line);
		expect(says(line, url), "a case has its input, with what is repeated");
	}
	expect(rest.length == 0, "no more cases are reported");
	expect(done.status == (failed > 0 ? STATUS_REFUSED : STATUS_ACCEPTED), "the status is 0 if all are as expected");
	urivet_loaded_release(loaded);
}

/* ---- explain ------------------------------------------------------------------------------ */

/* Reads "N" or "N,M" after the sign; moves `at` behind it. */
static uint32_t number_at(const char **at)
{
	uint32_t number = 0;
	for (; **at >= '0' && **at <= '9'; ++*at)
		number = number * 10 + (uint32_t)(**at - '0');
	return number;
}

/* Loads the page with what the output says to add, which is indented by two spaces, as one more file. */
static struct urivet_loaded *load_with(const struct page *page, struct octets added)
{
	struct builder with = {room_for(added.length + 1), 0}, whole = {room_for(page->length + 64), 0};
	static const char include[] = "include: [" NAME_IN "]\n";
	const bool one_line = page->layout == LAYOUT_ONE_LINE;
	struct urivet_loaded *loaded;
	struct octets line;
	while (take_line(&added, &line) && begins_with(line, "  ")) {
		add(&with, line.data + 2, line.length - 2);
		add(&with, "\n", 1);
	}
	expect(one_line == (page->text[page->length - 1] == '}'), "a policy in one line ends with its brace");
	add(&whole, page->text, page->length - one_line);
	add(&whole, one_line ? ", " : "\n", one_line ? 2 : 1);
	add(&whole, include, sizeof include - 1);
	add(&whole, "}", one_line);
	fill_file(FILE_ASIDE, text_at(whole.text, whole.length));
	fill_file(FILE_IN, text_at(with.text, with.length));
	loaded = urivet_load(NAME_ASIDE, show_fault, NULL);
	free(with.text);
	free(whole.text);
	return loaded;
}

static enum urivet_verdict verdict_by(const struct urivet_loaded *loaded, const char *url, struct urivet_report *r)
{
	struct urivet_request request;
	if (url[0] != '/')
		return urivet_check(r, url, strlen(url), urivet_loaded_policy(loaded));
	oracle(urivet_request_init(&request, sizeof request), "a request begins");
	request.host_unknown = true;
	return urivet_check_request(r, url, strlen(url), &request, urivet_loaded_policy(loaded), NULL);
}

/* Checks that exactly the rules that the report names are marked. */
static void expect_stars(const struct urivet_loaded *loaded, const struct urivet_report *r)
{
	uint32_t tags[5], count = 0, stars = 0;
	struct octets rest = done.out, line;
	if (r->host_rule != NULL)
		tags[count++] = r->host_rule->tag;
	if (r->address_rule != NULL)
		tags[count++] = r->address_rule->tag;
	if (r->port_rule != NULL)
		tags[count++] = r->port_rule->tag;
	if (r->url_rule != NULL)
		tags[count++] = r->url_rule->tag;
	if (r->path_rule != NULL)
		tags[count++] = r->path_rule->tag;
	while (take_line(&rest, &line)) {
		bool known = begins_with(line, "  * parameters: ");
		if (!begins_with(line, "  * "))
			continue;
		stars += !known;
		for (uint32_t k = 0; k < count && !known; k++) {
			struct urivet_message place;
			char end[64];
			const bool has = urivet_loaded_place(loaded, tags[k], &place);
			const int length = has ? snprintf(end, sizeof end, ":%u)", place.line) : 0;
			known = has && line.length > (size_t)length &&
				memcmp(line.data + line.length - length, end, (size_t)length) == 0;
		}
		expect(known, "a rule that decided is one of the report");
	}
	expect(stars == count, "each rule that decided is reported");
}

/* URLs and targets that rules of a model are about, and that are about none. */
static const char *const others[] = {
    "https://www.iana.org/a%2Fb",     "https://www.iana.org:8443/%41", "/p0/x%2Fy",
    "https://www.iana.org:6000/?a=b", "ftp://www.iana.org/",	       "https://user@www.iana.org/",
    "/p0/sub/k%61k?paraa=%0a",	      "mailto:a@example.com",	       "https://10.0.0.1/",
    "https://[2001:db8::1]/",	      "https://brandaa.co/",	       "/strip/x;y",
    "https://www.iana.org/?parab=%2F%2Fevil.example", "http://www.iana.org:25/a", "https://www.iana.org:8080/a?x=%00"};

static const char *url_of_item(struct dice *d, const struct model *m, char url[URL_MOST])
{
	const struct item *const item = m->items > 0 ? &m->item[below(d, m->items)] : NULL;
	if (item != NULL && (item->key == KEY_HOSTS_ALLOW || item->key == KEY_HOSTS_DENY)) {
		snprintf(url, URL_MOST, "https://%s%s/", item->text[0] == '*' || below(d, 4) == 0 ? "x." : "",
			 bare_name(item->text));
		return url;
	}
	if (item != NULL && (item->key == KEY_ADDRESSES_ALLOW || item->key == KEY_ADDRESSES_DENY)) {
		struct urivet_network n = item->network;
		char text[TEXT_MOST];
		n.length = (uint8_t)(8 * n.octets);
		shorten_network(text, &n);
		snprintf(url, URL_MOST, n.octets == 4 ? "https://%s/" : "https://[%s]/", text);
		return url;
	}
	if (item != NULL && (item->key == KEY_URLS_ALLOW || item->key == KEY_URLS_ALSO) &&
	    strpbrk(item->text, "*$") == NULL) {
		snprintf(url, URL_MOST, "%s", item->text);
		return url;
	}
	snprintf(url, URL_MOST, "%s", ONE_OF(d, others));
	return url;
}

/* Returns true if a text begins as another one up to $ or a quote, which may be NULL. */
static bool begins_as(const char *text, const char *quoted)
{
	return text != NULL && quoted != NULL && strncasecmp(text, quoted, strcspn(quoted, "$'")) == 0;
}

/* An addition that accepts a URL refuses no other one, and the other way round. It accepts no other one that does not begin
 * as the URL that it allows, or whose path does not begin with its prefix. */
static void expect_no_other_turn(const struct urivet_loaded *loaded, const struct urivet_loaded *edited, bool accepts,
				 const char *added, struct dice *d)
{
	const char *const urls = strstr(added, "  urls:\n"), *const prefix = strstr(added, "{prefix: '");
	const char *const allowed = urls != NULL ? strchr(urls, '\'') + 1 : NULL;
	struct urivet_report r;
	for (uint32_t k = 0; k < 2 * COUNT(others); k++) {
		char room[URL_MOST];
		const char *const url = k < COUNT(others) ? others[k] : url_of_item(d, &models[0], room);
		const char *const host = strstr(url, "://"), *const path = url[0] == '/' ? url : host != NULL ? strchr(host + 3, '/') : NULL;
		const bool before = verdict_by(loaded, url, &r) == URIVET_ACCEPT;
		const bool after = verdict_by(edited, url, &r) == URIVET_ACCEPT;
		expect(accepts ? after || !before : before || !after, "an addition turns no verdict the other way");
		expect(before || !after || begins_as(url, allowed) || begins_as(path, prefix != NULL ? prefix + 10 : NULL),
		       "an addition for a URL accepts no other one");
	}
}

/* What is dangerous and refused, each is said to be opened by an addition that accepts. */
static void expect_opened(const struct urivet_report *r, const struct urivet_loaded *loaded, const char *said)
{
	uint32_t dangerous = 0;
	for (uint32_t k = 0; k < r->count && r->verdict == URIVET_REJECT; k++)
		dangerous += r->finding[k].class_ == URIVET_DANGEROUS &&
			     urivet_finding_refuses(r, &r->finding[k], urivet_loaded_policy(loaded));
	while ((said = strstr(said, "\nThis opens what is dangerous: ")) != NULL) {
		said++;
		dangerous--;
	}
	expect(dangerous == 0, "all that is opened and dangerous is told");
}

static void expect_explained(struct dice *d)
{
	static const char accept[] = "\nTo accept it, add to " NAME_ASIDE ":\n", refuse[] = "\nTo refuse it, add to " NAME_ASIDE ":\n";
	static const char *const of_lists[] = {"-not-allowed", "-denied", "param-refused", "port-"};
	char url[URL_MOST];
	struct urivet_loaded *loaded, *with;
	struct urivet_report r, again;
	const char *found;
	build_policy(&models[0], d);
	write_model(0, d);
	const char *const words[] = {"explain", NAME_ASIDE, url_of_item(d, &models[0], url), NULL};
	loaded = urivet_load_text(pages[0].text, pages[0].length, NAME_ASIDE, NULL, NULL);
	oracle(loaded != NULL, "a policy without a fault is loaded");
	verdict_by(loaded, url, &r);
	act(words, page_of(0), text_at("", 0));
	expect(done.status == (r.verdict == URIVET_ACCEPT ? STATUS_ACCEPTED : STATUS_REFUSED), "an explanation has the verdict");
	expect_stars(loaded, &r);
	const struct octets said = copy_of_output();
	found = strstr((const char *)said.data, r.verdict == URIVET_ACCEPT ? refuse : accept);
	expect(strstr((const char *)said.data, r.verdict == URIVET_ACCEPT ? accept : refuse) == NULL,
	       "an addition is for the other verdict");
	if (found != NULL) {
		const char *const from = found + sizeof accept - 1;
		with = load_with(&pages[0], text_at(from, said.length - (size_t)(from - (const char *)said.data)));
		expect(with != NULL, "a policy with an addition is a policy");
		expect(r.verdict == URIVET_ACCEPT || strstr(from, "\n  allow") == NULL, "nothing is allowed everywhere");
		expect_opened(&r, loaded, from);
		expect(strstr(from, "prefix: '/'") == NULL && strstr(from, ".org/']") == NULL, "no whole server, or host, is opened");
		for (unsigned k = 0; k < COUNT(of_lists); k++)
			expect(strstr(from, of_lists[k]) == NULL, "no list is switched off");
		verdict_by(with, url, &again);
		expect(again.verdict != r.verdict, "an addition turns the verdict");
		expect_no_other_turn(loaded, with, r.verdict == URIVET_REJECT, from, d);
		urivet_loaded_release(with);
	}
	free_copy(said);
	urivet_loaded_release(loaded);
}

#include "action_lists.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static void (*const actions[])(struct dice *) = {expect_differences, expect_changes, expect_tested,  expect_explained,
							 expect_learned,     expect_imported};
	struct dice d = dice_of(data, length);
	open_files();
	actions[below(&d, COUNT(actions))](&d);
	return 0;
}
