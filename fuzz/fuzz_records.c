/* SPDX-License-Identifier: Apache-2.0 */
/* Records: TSV and JSON that the command writes are read back to the same octets. */
#include "cli/show/writers.h"
#include "cli/judge/item.h"
#include "cli/scan/link_text.h"
#include "common/text/secrets.h"

#include "oracles.h"
#include "../tests/built_in.h"

#define LONGEST 2048

/* The text that is not read yet. */
struct cursor {
	const uint8_t *at, *end;
};

static bool next_is(struct cursor *c, const char *word)
{
	const size_t n = strlen(word);
	if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
		return false;
	c->at += n;
	return true;
}

static unsigned hex(struct cursor *c, unsigned digits)
{
	unsigned value = 0;
	while (digits-- > 0 && c->at < c->end) {
		const uint8_t d = *c->at++;
		oracle((d >= '0' && d <= '9') || (d >= 'A' && d <= 'F') || (d >= 'a' && d <= 'f'),
		       "an escape has hexadecimal digits");
		value = value * 16 + (d <= '9' ? d - 0x30u : (d | 0x20u) - 0x57u);
	}
	return value;
}

/* ---- TSV ------------------------------------------------------------------------- */

/* Reads one column up to its tab or the line's end. */
static size_t column(struct cursor *c, uint8_t *out)
{
	size_t n = 0;
	while (c->at < c->end && *c->at != '\t' && *c->at != '\n') {
		oracle(*c->at > 0x20 && *c->at < 0x7f, "a column is printable");
		if (next_is(c, "\\x"))
			out[n++] = (uint8_t)hex(c, 2);
		else
			out[n++] = *c->at++;
	}
	return n;
}

static void read_tsv(struct cursor c, const struct item *item)
{
	static const enum urivet_component order[] = {URIVET_SCHEME,  URIVET_USERINFO, URIVET_HOST,
						      URIVET_PORT,    URIVET_PATH,     URIVET_QUERY,
						      URIVET_FRAGMENT};
	const struct urivet_report *r = item->report;
	uint8_t out[LONGEST + 8];
	oracle(next_is(&c, r->verdict == URIVET_ACCEPT ? "accept\t" : "reject\t"),
	       "a line begins with the verdict");
	while (c.at < c.end && *c.at++ != '\t')
		;
	for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
		const struct urivet_span s = r->uri.part[order[k]];
		if (!r->parsed || !urivet_has(&r->uri, order[k]))
			oracle(next_is(&c, "\\N"), "what is absent is \\N");
		else
			oracle(same(out, column(&c, out), item->text.data + s.offset, s.length),
			       "a column is read back");
		oracle(next_is(&c, "\t"), "a column ends with a tab");
	}
	column(&c, out);
	oracle(next_is(&c, "\n") && c.at == c.end, "an input has one line of ten columns");
}

/* Reads the input itself, which `filter` writes after the columns. */
static void read_escaped(struct cursor c, const struct item *item)
{
	uint8_t out[LONGEST + 8];
	oracle(same(out, column(&c, out), item->text.data, item->text.length) && c.at == c.end,
	       "a refused input is read back");
}

/* ---- JSON ------------------------------------------------------------------------ */

/* Writes a character: as one octet if `raw`, else as UTF-8. */
static size_t put(uint8_t *out, unsigned value, bool raw)
{
	static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
	const unsigned more = raw || value < 0x80 ? 0 : value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
	oracle(!raw || value < 0x100, "in a raw object a character is an octet");
	out[0] = (uint8_t)(lead[more] | value >> 6 * more);
	for (unsigned k = 1; k <= more; k++)
		out[k] = (uint8_t)(0x80 | (value >> 6 * (more - k) & 0x3F));
	return more + 1;
}

/* Returns the character of an escape, after its \u. */
static unsigned escape(struct cursor *c)
{
	const unsigned value = hex(c, 4);
	unsigned low;
	oracle(value < 0xDC00 || value > 0xDFFF, "a surrogate has another half");
	if (value < 0xD800 || value > 0xDFFF)
		return value;
	low = next_is(c, "\\u") ? hex(c, 4) : 0;
	oracle(low >= 0xDC00 && low < 0xE000, "a surrogate has another half");
	return 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF);
}

/* Reads a string, after its opening quote, and decodes it. */
static size_t string(struct cursor *c, bool raw, uint8_t *out)
{
	static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	size_t n = 0;
	while (c->at < c->end && *c->at != '"') {
		uint8_t octet = *c->at++;
		oracle(octet >= 0x20 && octet < 0x7F, "a string needs no more escapes");
		if (octet == '\\' && next_is(c, "u")) {
			n += put(out + n, escape(c), raw);
			continue;
		}
		if (octet == '\\') {
			const char *known = strchr(plain, *c->at);
			oracle(known != NULL && *known != '\0', "an escape is known");
			octet = (uint8_t)meant[known - plain];
			c->at++;
		}
		out[n++] = octet;
	}
	oracle(next_is(c, "\""), "a string ends");
	return n;
}

static void value(struct cursor *c, bool raw);

/* Receives strings that are parsed but not compared. */
static uint8_t scrap[16 * LONGEST];

/* Reads members or elements, after the opening bracket. */
static void list(struct cursor *c, bool raw, const char *close, bool keys)
{
	while (!next_is(c, close)) {
		if (keys) {
			oracle(next_is(c, "\""), "a member has a key");
			string(c, raw, scrap);
			oracle(next_is(c, ":"), "a key has a value");
		}
		value(c, raw);
		oracle(next_is(c, ",") || *c->at == *close, "values have commas between");
	}
}

static void value(struct cursor *c, bool raw)
{
	oracle(c->at < c->end, "JSON ends where it should");
	if (next_is(c, "{"))
		list(c, raw, "}", true);
	else if (next_is(c, "["))
		list(c, raw, "]", false);
	else if (next_is(c, "\""))
		string(c, raw, scrap);
	else if (!next_is(c, "null") && !next_is(c, "true") && !next_is(c, "false")) {
		const uint8_t *digits = c->at;
		while (*c->at >= '0' && *c->at <= '9')
			c->at++;
		oracle(c->at > digits && (*digits != '0' || c->at == digits + 1),
		       "a value is one of JSON's");
	}
}

static void read_json(struct cursor c, const struct item *item)
{
	uint8_t out[LONGEST + 8];
	struct cursor whole = c, marked = c;
	bool raw = false;
	oracle(next_is(&marked, "{\"uri\":\""), "an object begins with the input");
	while (marked.at < marked.end && *marked.at != '"')
		marked.at += *marked.at == '\\' ? 2 : 1;
	raw = next_is(&marked, "\",\"raw\":true");
	oracle(next_is(&c, "{\"uri\":\""), "an object begins with the input");
	oracle(same(out, string(&c, raw, out), item->text.data, item->text.length),
	       "the input is read back");
	oracle(raw == next_is(&c, ",\"raw\":true"), "octets that are no text are marked");
	value(&whole, raw);
	oracle(next_is(&whole, "\n") && whole.at == whole.end, "an input has one object, one line");
}

/* ---- Secrets --------------------------------------------------------------------- */

/* Checks that a password after the text, as a parameter, is masked: & and ; separate parameters,
 * ? and # begin them. */
static void expect_masked(struct octets text, const char *before)
{
	static const char name[] = "password=", value[] = "x1+y/2";
	const size_t front = text.length + 1 + sizeof name - 1, length = front + sizeof value - 1;
	uint8_t copy[LONGEST + 32], whole[LONGEST + 32];
	memcpy(whole, text.data, text.length);
	whole[text.length] = (uint8_t)before[0];
	memcpy(whole + text.length + 1, name, sizeof name - 1);
	memcpy(whole + front, value, sizeof value - 1);
	memcpy(copy, whole, length);
	mask_secrets(copy, length);
	for (size_t k = 0; k < length; k++)
		oracle(copy[k] == '*' || copy[k] == whole[k], "a mask is made of stars alone");
	for (size_t k = front; k < length; k++)
		oracle(copy[k] == '*', "a password is masked whatever stands before it");
}

/* Checks that a password in front of the text is masked, however readers begin an authority. */
static void expect_userinfo_masked(struct octets text)
{
	static const char *const fronts[] = {"http:", "HTTPS:/", "ws:\\\\",    "//", "x://",
					     "\t//",  " wss:",   "\x01 ftp:/", "x:/"};
	static const char user[] = "user:x1+y=2@";
	uint8_t whole[LONGEST + 32], copy[LONGEST + 32];
	for (size_t k = 0; k < sizeof fronts / sizeof fronts[0]; k++) {
		const size_t front = strlen(fronts[k]), start = front + 5;
		const size_t length = front + sizeof user - 1 + text.length;
		memcpy(whole, fronts[k], front);
		memcpy(whole + front, user, sizeof user - 1);
		memcpy(whole + length - text.length, text.data, text.length);
		memcpy(copy, whole, length);
		mask_secrets(copy, length);
		for (size_t at = 0; at < start; at++)
			oracle(copy[at] == whole[at], "what stands before a password is shown");
		for (size_t at = start; at < start + 6; at++)
			oracle(copy[at] == '*', "a password before a host is masked");
	}
}

/* Checks that blanks in front, which browsers remove, change nothing. */
static void expect_masked_after_blanks(struct octets text)
{
	static const char *const blanks[] = {" ", "\t", "\x01 "};
	uint8_t copy[LONGEST + 32], shifted[LONGEST + 32];
	memcpy(copy, text.data, text.length);
	mask_secrets(copy, text.length);
	for (size_t k = 0; k < sizeof blanks / sizeof blanks[0]; k++) {
		const size_t front = strlen(blanks[k]);
		memcpy(shifted, blanks[k], front);
		memcpy(shifted + front, text.data, text.length);
		mask_secrets(shifted, front + text.length);
		oracle(same(shifted + front, text.length, copy, text.length),
		       "blanks in front show no secret");
	}
}

static void expect_secrets(struct octets text)
{
	const bool begun = text.length > 0 && (memchr(text.data, '?', text.length) != NULL ||
					       memchr(text.data, '#', text.length) != NULL);
	expect_userinfo_masked(text);
	expect_masked_after_blanks(text);
	expect_masked(text, "?");
	expect_masked(text, "#");
	if (begun)
		expect_masked(text, "&");
	if (begun)
		expect_masked(text, ";");
}

/* ---- Texts of links -------------------------------------------------------------- */

static bool misleads(const struct item *item, const char *before, struct octets host)
{
	char shown[LONGEST + 64];
	const int length = snprintf(shown, sizeof shown, "%s%.*s/", before, (int)host.length,
				    (const char *)host.data);
	return link_text_misleads(NULL, item,
				  (struct octets){(const uint8_t *)shown, (size_t)length}, &(bool){false});
}

/* Checks link texts that name the item's own host, and another one: a name before the @ that is
 * not a host does not count. */
static void expect_link_text(const struct item *item)
{
	static const struct octets other = {(const uint8_t *)"www.example.net", 15};
	const struct octets own = item_part(item, URIVET_HOST);
	if (own.length == 0)
		return;
	oracle(misleads(item, "https://", own) == misleads(item, "https://user:x@", own) &&
		   misleads(item, "https://", other) ==
		       misleads(item, "https://user@", other),
	       "the userinfo of a link's text is no host");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct output out;
	struct urivet_report report;
	struct item item = {.text = {data, length},
			    .length = length,
			    .policy = BY_ANY,
			    .report = &report};
	if (length > LONGEST || (out.buffer == NULL && !output_open(&out, -1, 1u << 20)))
		return -1;
	urivet_check(&report, data, length, item.policy);
	expect_secrets(item.text);
	expect_link_text(&item);
	out.used = 0;
	tsv_write(&out, &item);
	read_tsv((struct cursor){out.buffer, out.buffer + out.used}, &item);
	out.used = 0;
	output_escaped(&out, item.text);
	read_escaped((struct cursor){out.buffer, out.buffer + out.used}, &item);
	out.used = 0;
	json_write(&out, &item);
	read_json((struct cursor){out.buffer, out.buffer + out.used}, &item);
	return 0;
}
