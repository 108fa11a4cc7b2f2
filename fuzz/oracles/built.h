/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds URLs from parts, so that their components and verdict are known without reading them. The
 * octets of the fuzzer choose the parts. At most one fault of a named kind is put in; it must be
 * found where it was put.
 */
#ifndef BUILT_H
#define BUILT_H

#include "oracles.h"

#define BUILT_MOST 16384

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Choices --------------------------------------------------------------------------- */

struct dice {
	const uint8_t *at, *end;
	uint64_t more; /* the choices after the last octet: a multiply-with-carry generator */
};

static inline uint64_t next_of(uint64_t more, uint8_t octet)
{
	more ^= octet;
	return (more % 0x100000000) * 4294957665 + more / 0x100000000;
}

/* Choices that all octets determine: by themselves in front, and together after the last one, so that
 * short inputs build much, too. */
static inline struct dice dice_of(const uint8_t *data, size_t length)
{
	struct dice d = {data, data + length, length + 1};
	for (size_t k = 0; k < length; k++)
		d.more = next_of(d.more, data[k]);
	return d;
}

/* Returns a number below `limit`. */
static inline uint32_t below(struct dice *d, uint32_t limit)
{
	uint32_t value = 0;
	for (uint32_t most = limit - 1; most > 0 && d->at < d->end; most >>= 8)
		value = value << 8 | *d->at++;
	if (d->at == d->end) {
		d->more = next_of(d->more, 0);
		value = (uint32_t)(d->more >> 16 & 0xffffff);
	}
	return value % limit;
}

/* Returns a length from 1 to `most`, mostly one at which readers, vectors or blocks end. */
static inline uint32_t border(struct dice *d, uint32_t most)
{
	static const uint16_t around[] = {1,  2,   8,   16,  32,  48,   63,
					  64, 128, 192, 253, 256, 4096, 5461};
	const uint32_t k = below(d, 2 * sizeof around / sizeof around[0]);
	uint32_t length = 1 + k % 5;
	if (k < sizeof around / sizeof around[0])
		length = around[k] + below(d, 3) - 1;
	return length == 0 ? 1 : length > most ? most : length;
}

/* ---- The URL ----------------------------------------------------------------------------- */

/* Where a fault is put: among the units of a component, or in place of a part. */
enum fault_place {
	IN_NAME,  /* between two letters of a label */
	IN_PATH,  /* between two characters of a segment */
	IN_QUERY, /* between two characters of a value */
	IN_FRAGMENT,
	AS_HOST,
	AS_PORT,
	AS_SCHEME,
	AS_PATH, /* before the path */
	AT_END,  /* of the path */
};

struct fault {
	uint16_t id;
	uint8_t place;
	const char *text;
	size_t length;
};

/* Each has to be found by `strict` and `public`. */
#define FAULT(id, place, text)                                                                     \
	{                                                                                          \
		URIVET_F_##id, place, text, sizeof(text) - 1                                       \
	}

static const struct fault faults[] = {
    /* in a path; the x keep it apart from what is beside it */
    FAULT(ESCAPED_NUL, IN_PATH, "%00"),
    FAULT(ESCAPED_CRLF, IN_PATH, "%0d"),
    FAULT(ESCAPED_CRLF, IN_PATH, "%0A"),
    FAULT(ESCAPED_CONTROL, IN_PATH, "%1b"),
    FAULT(ESCAPED_CONTROL, IN_PATH, "%7F"),
    FAULT(ESCAPED_CONTROL, IN_PATH, "%C2%9F"),
    FAULT(DOUBLE_ESCAPE, IN_PATH, "%252e"),
    FAULT(DOUBLE_ESCAPE_CRLF, IN_PATH, "%250a"),
    FAULT(ESCAPED_UNRESERVED, IN_PATH, "%61"),
    FAULT(ESCAPED_UNRESERVED, IN_PATH, "%5A"),
    FAULT(ESCAPED_UNRESERVED, IN_PATH, "/%7eu"),
    FAULT(ESCAPED_SLASH, IN_PATH, "%2F"),
    FAULT(OVERLONG_UTF8, IN_PATH, "x%c0%aex"),
    FAULT(INVALID_UTF8_ESCAPE, IN_PATH, "x%ed%a0%80x"),
    FAULT(INVALID_UTF8_ESCAPE, IN_PATH, "x%f4%90%80%80x"),
    FAULT(LATIN1_ESCAPE, IN_PATH, "x%E9x"),
    FAULT(ESCAPED_BIDI, IN_PATH, "%E2%80%AE"),
    FAULT(ESCAPED_BIDI, IN_PATH, "%e2%81%a9"),
    FAULT(ESCAPED_COMPATIBILITY, IN_PATH, "%EF%BC%8E"),
    FAULT(ESCAPE_AFTER_ASTRAL, IN_PATH, "%F0%9F%92%A9%2Fx"),
    FAULT(BAD_ESCAPE, IN_PATH, "%zz"),
    FAULT(BAD_ESCAPE, IN_PATH, "%4/"),
    FAULT(DOT_SEGMENT, IN_PATH, "/../x"),
    FAULT(DOT_SEGMENT, IN_PATH, "/./x"),
    FAULT(DOT_SEGMENT, IN_PATH, "/./../../x"),
    FAULT(DOT_SEGMENT, IN_PATH, "/../y/../../x"),
    FAULT(ESCAPED_DOT_SEGMENT, IN_PATH, "/%2e%2E/x"),
    FAULT(ESCAPED_DOT_SEGMENT, IN_PATH, "/.%2e/x"),
    FAULT(PATH_PARAM_DOT_SEGMENT, IN_PATH, "/..;a=b/x"),
    FAULT(ESCAPED_SLASH_DOT, IN_PATH, "/..%2fx"),
    FAULT(BACKSLASH_PATH, IN_PATH, "\\"),
    FAULT(RAW_TAB, IN_PATH, "\t"),
    FAULT(RAW_CRLF, IN_PATH, "\r"),
    FAULT(RAW_CRLF, IN_PATH, "\n"),
    FAULT(RAW_SPACE, IN_PATH, " "),
    FAULT(CONTROL_CHAR, IN_PATH, "\0"),
    FAULT(CONTROL_CHAR, IN_PATH, "\x1f"),
    FAULT(CONTROL_CHAR, IN_PATH, "\x7f"),
    FAULT(NON_ASCII, IN_PATH, "\x80"),
    FAULT(NON_ASCII, IN_PATH, "\xc3\xa9"),
    FAULT(FORBIDDEN_CHAR, IN_PATH, "<"),
    FAULT(FORBIDDEN_CHAR, IN_PATH, "\""),
    FAULT(FORBIDDEN_CHAR, IN_PATH, "^"),
    FAULT(FORBIDDEN_CHAR, IN_PATH, "`"),
    FAULT(FORBIDDEN_CHAR, IN_PATH, "|"),
    FAULT(PATH_LEADING_DOUBLE_SLASH, AS_PATH, "/"),
    FAULT(PATH_FINAL_SEMICOLON, AT_END, ";"),
    FAULT(PATH_FINAL_SEMICOLON, AT_END, "%3B"),
    /* in a query */
    FAULT(ESCAPED_NUL, IN_QUERY, "%00"),
    FAULT(ESCAPED_CRLF, IN_QUERY, "%0D"),
    FAULT(ESCAPED_CONTROL, IN_QUERY, "%1f"),
    FAULT(DOUBLE_ESCAPE, IN_QUERY, "%2526"),
    FAULT(ESCAPED_UNRESERVED, IN_QUERY, "%41"),
    FAULT(OVERLONG_UTF8, IN_QUERY, "x%e0%80%afx"),
    FAULT(INVALID_UTF8_ESCAPE, IN_QUERY, "x%ed%bf%bfx"),
    FAULT(ESCAPED_BIDI, IN_QUERY, "%E2%80%AA"),
    FAULT(BAD_ESCAPE, IN_QUERY, "%&"),
    FAULT(BACKSLASH_PATH, IN_QUERY, "\\"),
    FAULT(RAW_SPACE, IN_QUERY, " "),
    FAULT(RAW_TAB, IN_QUERY, "\t"),
    FAULT(CONTROL_CHAR, IN_QUERY, "\x1b"),
    FAULT(NON_ASCII, IN_QUERY, "\xff"),
    FAULT(QUERY_NESTED_BRACKETS, IN_QUERY, "["),
    FAULT(FORBIDDEN_CHAR, IN_QUERY, ">"),
    FAULT(FORBIDDEN_CHAR, IN_QUERY, "{"),
    /* in a fragment */
    FAULT(ESCAPED_NUL, IN_FRAGMENT, "%00"),
    FAULT(ESCAPED_CRLF, IN_FRAGMENT, "%0a"),
    FAULT(ESCAPED_UNRESERVED, IN_FRAGMENT, "%30"),
    FAULT(FORBIDDEN_CHAR, IN_FRAGMENT, "#"),
    FAULT(CONTROL_CHAR, IN_FRAGMENT, "\x01"),
    FAULT(RAW_SPACE, IN_FRAGMENT, " "),
    FAULT(FRAGMENT_DOT_SEGMENT, IN_FRAGMENT, "/../x"),
    /* in a name */
    FAULT(HOST_UNDERSCORE, IN_NAME, "_"),
    FAULT(HOST_NONLDH, IN_NAME, "~"),
    FAULT(HOST_SUBDELIM, IN_NAME, "!"),
    FAULT(HOST_SUBDELIM, IN_NAME, "$"),
    FAULT(HOST_SUBDELIM, IN_NAME, "&"),
    FAULT(HOST_SUBDELIM, IN_NAME, "*"),
    FAULT(HOST_SUBDELIM, IN_NAME, ","),
    FAULT(HOST_SUBDELIM, IN_NAME, ";"),
    FAULT(HOST_SUBDELIM, IN_NAME, "="),
    FAULT(HOST_FORBIDDEN_CHAR, IN_NAME, "|"),
    FAULT(HOST_FORBIDDEN_CHAR, IN_NAME, "<"),
    FAULT(HOST_PERCENT_ENCODED, IN_NAME, "%61"),
    FAULT(HOST_ENCODED_DELIMITER, IN_NAME, "%2F"),
    FAULT(HOST_ENCODED_DELIMITER, IN_NAME, "%40"),
    FAULT(HOST_ENCODED_DELIMITER, IN_NAME, "%3a"),
    FAULT(HOST_ENCODED_DELIMITER, IN_NAME, "%5C"),
    FAULT(HOST_EMPTY_LABEL, IN_NAME, ".."),
    FAULT(HOST_BAD_HYPHEN, IN_NAME, "-."),
    FAULT(HOST_BAD_HYPHEN, IN_NAME, ".-"),
    FAULT(HOST_UNICODE, IN_NAME, "\xc3\xa9"),
    FAULT(IDN_DOT_VARIANT, IN_NAME, "%E3%80%82"),
    FAULT(IDN_IGNORED_CHAR, IN_NAME, "%C2%AD"),
    FAULT(IDN_INVALID_ALABEL, IN_NAME, ".xn--a."),
    FAULT(BACKSLASH_AUTHORITY, IN_NAME, "\\"),
    FAULT(USERINFO_PRESENT, IN_NAME, "@"),
    FAULT(RAW_TAB, IN_NAME, "\t"),
    FAULT(RAW_CRLF, IN_NAME, "\n"),
    /* as a host */
    FAULT(HOST_EMPTY, AS_HOST, ""),
    FAULT(HOST_TRAILING_DOT, AS_HOST, "www.iana.org."),
    FAULT(HOST_NUMERIC_TLD, AS_HOST, "www.example.123"),
    FAULT(HOST_TLD_DIGIT, AS_HOST, "www.example.1a"),
    FAULT(IPV4_OCTAL, AS_HOST, "8.8.010.8"),
    FAULT(IPV4_HEX, AS_HOST, "8.8.8.0x8"),
    FAULT(IPV4_DECIMAL, AS_HOST, "134744072"),
    FAULT(IPV4_SHORT, AS_HOST, "8.526344"),
    FAULT(IPV4_OVERFLOW, AS_HOST, "8.8.256.8"),
    FAULT(IPV4_OVERFLOW, AS_HOST, "4294967296"),
    FAULT(IPV4_OVERFLOW, AS_HOST, "8.8.8.4294967304"),
    FAULT(IPV4_TOO_MANY_PARTS, AS_HOST, "8.8.8.8.8"),
    FAULT(IPV4_EMPTY_PART, AS_HOST, "8..8.8"),
    FAULT(IPV4_TRAILING_DOT, AS_HOST, "8.8.8.8."),
    FAULT(IPV6_NONCANONICAL, AS_HOST, "[2600:0:0:0:0:0:0:1]"),
    FAULT(IPV6_NONCANONICAL, AS_HOST, "[2600::0a]"),
    FAULT(IPV6_MALFORMED, AS_HOST, "[2600:1:2:3:4:5:6:7:8]"),
    FAULT(IPV6_MALFORMED, AS_HOST, "[2600::1::2]"),
    FAULT(IPV6_MALFORMED, AS_HOST, "[2600::12345]"),
    FAULT(IPV4_MAPPED_IPV6, AS_HOST, "[::ffff:808:808]"),
    FAULT(IPV4_COMPATIBLE_IPV6, AS_HOST, "[::808:808]"),
    FAULT(ISATAP_EMBEDDED_IPV4, AS_HOST, "[2600::5efe:808:808]"),
    FAULT(IPV6_ZONE, AS_HOST, "[2600::1%25a]"),
    FAULT(IPVFUTURE, AS_HOST, "[v1.a]"),
    FAULT(BRACKET_NOT_IPV6, AS_HOST, "[www.iana.org]"),
    FAULT(BRACKET_GARBAGE, AS_HOST, "[2600::1]a"),
    FAULT(IPV6_UNBRACKETED, AS_HOST, "2600::1"),
    /* as a port: numbers around powers of two */
    FAULT(PORT_ZERO, AS_PORT, "0"),
    FAULT(PORT_OVERFLOW, AS_PORT, "65536"),
    FAULT(PORT_OVERFLOW, AS_PORT, "65616"),
    FAULT(PORT_OVERFLOW, AS_PORT, "131152"),
    FAULT(PORT_OVERFLOW, AS_PORT, "2147483728"),
    FAULT(PORT_OVERFLOW, AS_PORT, "4294967376"),
    FAULT(PORT_OVERFLOW, AS_PORT, "18446744073709551696"),
    FAULT(PORT_LEADING_ZERO, AS_PORT, "080"),
    FAULT(PORT_LEADING_ZERO, AS_PORT, "00443"),
    FAULT(PORT_NONDEFAULT, AS_PORT, "65535"),
    FAULT(PORT_NONDEFAULT, AS_PORT, "8080"),
    FAULT(PORT_NONDEFAULT, AS_PORT, "81"),
    FAULT(PORT_BLOCKED, AS_PORT, "25"),
    FAULT(PORT_INVALID, AS_PORT, "+80"),
    FAULT(PORT_INVALID, AS_PORT, "80a"),
    FAULT(PORT_INVALID, AS_PORT, "%380"),
    /* as a scheme */
    FAULT(SCHEME_NOT_ALLOWED, AS_SCHEME, "ftp://"),
    FAULT(SCHEME_NOT_ALLOWED, AS_SCHEME, "httpx://"),
    FAULT(SCHEME_CASE, AS_SCHEME, "HTTP://"),
    FAULT(SCHEME_CASE, AS_SCHEME, "httpS://"),
    FAULT(SCHEME_SLASH_MISSING, AS_SCHEME, "http:/"),
    FAULT(SCHEME_SLASH_EXCESS, AS_SCHEME, "https:///"),
    FAULT(NOT_ABSOLUTE, AS_SCHEME, "//"),
};

/* What is noted, and refuses nothing. Nothing else is found then. */
static const struct fault notes[] = {
    FAULT(PATH_DOUBLE_SLASH, IN_PATH, "//"),
    FAULT(PATH_SEMICOLON, IN_PATH, ";x"),
    FAULT(PATH_BACKSLASH_ESCAPED, IN_PATH, "%5C"),
    FAULT(PATH_TRAILING_DOT_SPACE, IN_PATH, "%20/x"),
    FAULT(PATH_TRAILING_DOT_SPACE, IN_PATH, "x::$x"),
    FAULT(ESCAPED_INVISIBLE, IN_PATH, "%E2%80%8B"),
    FAULT(ESCAPED_UNICODE_TRUNCATION, IN_PATH, "%E5%98%8A"),
    FAULT(TAIL_APOSTROPHE, IN_PATH, "'"),
    FAULT(ESCAPED_DELIMITER, IN_QUERY, "%26"),
    FAULT(ESCAPED_DELIMITER, IN_QUERY, "%3D"),
    FAULT(ESCAPED_INVISIBLE, IN_QUERY, "%C2%AD"),
    FAULT(QUERY_SEPARATOR, IN_QUERY, ";"),
    FAULT(QUERY_DUPLICATE_KEY, IN_QUERY, "&wa="),
    FAULT(QUERY_SECRET, IN_QUERY, "&access_token="),
    FAULT(QUERY_SHARED_TOKEN, IN_QUERY, "&sig="),
    FAULT(QUERY_NESTED_URL, IN_QUERY, "://"),
    FAULT(FRAGMENT_QUESTION, IN_FRAGMENT, "?"),
    FAULT(HOST_CASE, IN_NAME, "K"),
};

struct built {
	char text[BUILT_MOST + 64];
	uint32_t length;
	struct urivet_span part[URIVET_COMPONENTS];
	uint32_t present;
	uint32_t port;
	uint8_t host_kind;
	uint8_t address[16];
	struct urivet_span name[8], value[8]; /* of the parameters */
	uint32_t parameters;
	const struct fault *fault;
	uint32_t skip;             /* units before the fault */
	struct urivet_span faulty; /* where the fault is; length 0: not put in yet */
};

static inline void put(struct built *b, const void *data, size_t length)
{
	memcpy(b->text + b->length, data, length);
	b->length += (uint32_t)length;
}

static inline void put_word(struct built *b, const char *word)
{
	put(b, word, strlen(word));
}

static inline bool has_place(const struct built *b, enum fault_place place)
{
	return b->fault != NULL && b->fault->place == place;
}

static inline void put_fault(struct built *b)
{
	b->faulty.offset = b->length;
	put(b, b->fault->text, b->fault->length);
	b->faulty.length = b->length - b->faulty.offset;
}

/* Puts the fault in if this is its place. `last`: the component has no more units. */
static inline bool put_fault_in(struct built *b, enum fault_place place, bool last)
{
	if (!has_place(b, place) || b->faulty.length > 0)
		return false;
	if (b->skip > 0 && !last) {
		b->skip--;
		return false;
	}
	put_fault(b);
	return true;
}

static inline void begin_part(struct built *b, enum urivet_component c)
{
	b->present |= 1u << c;
	b->part[c].offset = b->length;
}

static inline void end_part(struct built *b, enum urivet_component c)
{
	b->part[c].length = b->length - b->part[c].offset;
}

/* ---- Hosts -------------------------------------------------------------------------------- */

/* A label of letters, with single digits and hyphens inside, and the fault between two letters. */
static inline void put_label(struct built *b, struct dice *d, uint32_t length, bool last)
{
	for (uint32_t k = 0; k < length; k++) {
		const bool inner = k > 1 && k + 4 < length && k % 2 == 0;
		const uint32_t pick = below(d, 32);
		char c = (char)('b' + pick % 24);
		if (inner && pick >= 30)
			c = pick == 31 ? '-' : '7';
		put(b, &c, 1);
		if (k % 2 == 0 && k > 0 && k + 1 < length && c >= 'a')
			(void)put_fault_in(b, IN_NAME, last && k + 3 >= length);
	}
}

/* A public name: labels that spell no address and no special name, below a public suffix. */
static inline void put_name(struct built *b, struct dice *d)
{
	static const char *const ends[] = {"com", "org", "net", "de"};
	uint32_t room = 240;
	for (uint32_t labels = 1 + below(d, 4); labels > 0 && room > 70; labels--) {
		const uint32_t length = 5 + border(d, 58) % 58;
		put_label(b, d, length, labels == 1 || room - length <= 71);
		put_word(b, ".");
		room -= length + 1;
	}
	put_word(b, ends[below(d, 4)]);
	b->host_kind = URIVET_HOST_NAME;
}

/* An address outside all special blocks (IANA), in dotted decimal. */
static inline void put_ipv4(struct built *b, struct dice *d)
{
	static const uint8_t first[] = {1, 8, 9, 11, 52, 99, 126, 128, 151, 208, 223};
	char text[16];
	b->address[0] = first[below(d, sizeof first)];
	for (unsigned k = 1; k < 4; k++)
		b->address[k] = (uint8_t)below(d, 256);
	put(b, text,
	    (size_t)snprintf(text, sizeof text, "%u.%u.%u.%u", b->address[0], b->address[1],
			     b->address[2], b->address[3]));
	b->host_kind = URIVET_HOST_IPV4;
}

/* A global address without a run of zeros, as RFC 5952 writes it, in brackets. */
static inline void put_ipv6(struct built *b, struct dice *d)
{
	char text[8];
	b->part[URIVET_HOST].offset++;
	put_word(b, "[");
	for (unsigned k = 0; k < 8; k++) {
		const uint32_t group = k == 0 ? 0x2600 + below(d, 16) : 1 + below(d, 0xffff);
		b->address[2 * k] = (uint8_t)(group >> 8);
		b->address[2 * k + 1] = (uint8_t)group;
		put(b, text, (size_t)snprintf(text, sizeof text, k == 0 ? "%x" : ":%x", group));
	}
	end_part(b, URIVET_HOST);
	put_word(b, "]");
	b->host_kind = URIVET_HOST_IPV6;
}

static inline void put_host(struct built *b, struct dice *d)
{
	const uint32_t kind = below(d, 8);
	begin_part(b, URIVET_HOST);
	if (has_place(b, AS_HOST)) {
		put_fault(b);
		b->host_kind = b->fault->text[0] == '[' ? URIVET_HOST_IPV6 : URIVET_HOST_NAME;
	} else if (kind == 6 && !has_place(b, IN_NAME)) {
		put_ipv4(b, d);
	} else if (kind == 7 && !has_place(b, IN_NAME)) {
		put_ipv6(b, d);
	} else {
		put_name(b, d);
	}
	if (b->host_kind != URIVET_HOST_IPV6)
		end_part(b, URIVET_HOST);
}

/* ---- Path, query and fragment -------------------------------------------------------------- */

/* One character: a letter, or one of few that mean nothing anywhere, or a triplet of UTF-8. */
static inline void put_unit(struct built *b, struct dice *d, enum fault_place place, bool last)
{
	static const char *const units[] = {"-", "_", "%20", "%C3%A9", "%e2%82%ac", "Q", "5", "~", "+"};
	const uint32_t pick = below(d, 65);
	const char letter = (char)('b' + pick % 24);
	if (pick < 56)
		put(b, &letter, 1);
	else
		put_word(b, units[pick - 56]);
	put_word(b, "k"); /* so that no two of them join */
	(void)put_fault_in(b, place, last);
}

static inline void put_units(struct built *b, struct dice *d, uint32_t octets,
			     enum fault_place place, bool last)
{
	const uint32_t end = b->length + octets;
	while (b->length < end)
		put_unit(b, d, place, last && b->length + 16 >= end);
}

static inline void put_path(struct built *b, struct dice *d)
{
	const bool many = below(d, 64) == 0; /* around the number that is noted */
	const uint32_t segments = many ? 255 + below(d, 4) : 1 + below(d, 6);
	begin_part(b, URIVET_PATH);
	(void)put_fault_in(b, AS_PATH, true);
	for (uint32_t left = segments; left > 0; left--) {
		put_word(b, left == segments && b->host_kind == URIVET_HOST_IPV6 ? "/p" : "/");
		if (left > 1 || b->host_kind == URIVET_HOST_IPV6 || below(d, 4) > 0 ||
		    has_place(b, IN_PATH))
			put_units(b, d, many ? 1 : border(d, 700), IN_PATH, left == 1);
	}
	end_part(b, URIVET_PATH);
}

static inline void put_query(struct built *b, struct dice *d)
{
	const uint32_t count = 1 + below(d, 8);
	put_word(b, "?");
	begin_part(b, URIVET_QUERY);
	for (uint32_t k = 0; k < count; k++) {
		const char name[3] = {'w', (char)('a' + k), '='};
		if (k > 0)
			put_word(b, "&");
		b->name[k].offset = b->length;
		b->name[k].length = 2;
		put(b, name, 3);
		b->value[k].offset = b->length;
		put_units(b, d, border(d, 300), IN_QUERY, k + 1 == count);
		b->value[k].length = b->length - b->value[k].offset;
	}
	b->parameters = count;
	end_part(b, URIVET_QUERY);
}

static inline void put_fragment(struct built *b, struct dice *d)
{
	put_word(b, "#");
	begin_part(b, URIVET_FRAGMENT);
	put_units(b, d, border(d, 300), IN_FRAGMENT, true);
	end_part(b, URIVET_FRAGMENT);
}

/* ---- The whole ----------------------------------------------------------------------------- */

static inline void put_port(struct built *b, struct dice *d, bool secure)
{
	b->port = secure ? 443 : 80;
	if (!has_place(b, AS_PORT) && below(d, 4) > 0)
		return;
	put_word(b, ":");
	begin_part(b, URIVET_PORT);
	if (!put_fault_in(b, AS_PORT, true))
		put_word(b, secure ? "443" : "80");
	end_part(b, URIVET_PORT);
}

static inline bool may_go_on(const struct built *b)
{
	return b->part[URIVET_PATH].length > 0 && !has_place(b, AT_END);
}

/* Builds a URL with the fault, or without one that strict and public accept. */
static inline void build(struct built *b, struct dice *d, const struct fault *fault)
{
	const bool secure = below(d, 2) == 1;
	memset(b, 0, sizeof *b);
	b->fault = fault;
	b->skip = fault != NULL ? below(d, 2) * below(d, 200) : 0;
	begin_part(b, URIVET_SCHEME);
	if (!put_fault_in(b, AS_SCHEME, true)) {
		put_word(b, secure ? "https" : "http");
		end_part(b, URIVET_SCHEME);
		put_word(b, "://");
	}
	begin_part(b, URIVET_AUTHORITY);
	put_host(b, d);
	put_port(b, d, secure);
	end_part(b, URIVET_AUTHORITY);
	if (b->fault != NULL || below(d, 8) > 0)
		put_path(b, d);
	else
		begin_part(b, URIVET_PATH);
	if (has_place(b, IN_QUERY) || (may_go_on(b) && below(d, 3) == 0))
		put_query(b, d);
	if (has_place(b, IN_FRAGMENT) || (may_go_on(b) && below(d, 6) == 0))
		put_fragment(b, d);
	(void)put_fault_in(b, AT_END, true);
	b->present |= 1u << URIVET_WHOLE;
	b->part[URIVET_WHOLE].length = b->length;
}

#endif
