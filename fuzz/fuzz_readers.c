/* SPDX-License-Identifier: Apache-2.0 */
/* Readers: spans lie in their text, no reader disagrees on what `strict` accepts, and readers
 * that connect to different places are reported as disagreeing. No waiver leads one to a host that
 * a list denies. Names of other scripts are judged by RFC 5893 and UTS 39, and written in Punycode. */
#include <strings.h>
#include <urivet/readers.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "oracles.h"

/* Returns true if the reading has an IPv4 address and a port: it needs no name lookup. */
static bool is_place(const struct urivet_reading *r)
{
	return r->reads && r->uri.has_ipv4;
}

static bool is_other_place(const struct urivet_uri *a, const struct urivet_uri *b)
{
	return memcmp(a->address, b->address, 4) != 0 || a->port != b->port;
}

/* Overwrites `out`, because addresses and ports are stored in the readings themselves. */
static void expect_disagreement(const uint8_t *data, size_t length, char *out, size_t room,
				bool disagree)
{
	static const enum urivet_reader readers[] = {URIVET_READER_RFC3986, URIVET_READER_BROWSER,
						     URIVET_READER_RESOLVER};
	struct urivet_reading seen[3];
	for (unsigned k = 0; k < 3; k++)
		urivet_read_as(&seen[k], readers[k], data, length, out, room);
	for (unsigned k = 0; k < 3; k++) {
		const struct urivet_reading *a = &seen[k], *b = &seen[(k + 1) % 3];
		oracle(disagree || !is_place(a) || !is_place(b) ||
			   !is_other_place(&a->uri, &b->uri),
		       "who connects to other places disagrees");
	}
}

/* ---- Waivers --------------------------------------------------------------------------- */

static const char tree[] = "example.com";

/* Returns a policy that waives everything that can be waived, except the lists. */
static struct urivet_policy waiving(int base)
{
	struct urivet_policy policy = built_in(base);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_HOST_DENIED && id != URIVET_F_HOST_NOT_ALLOWED &&
		    id != URIVET_F_ADDR_DENIED)
			(void)urivet_policy_waive(&policy, id);
	return policy;
}

/* Returns true if the name ends in the listed name, compared by whole labels. Final dots are
 * ignored. */
static bool is_listed(const char *name, size_t length)
{
	const size_t n = sizeof tree - 1;
	while (length > 0 && name[length - 1] == '.')
		length--;
	return length >= n && strncasecmp(name + length - n, tree, n) == 0 &&
	       (length == n || name[length - n - 1] == '.');
}

static void expect_host(const struct urivet_reading *reading, const char *text, bool only)
{
	const struct urivet_uri *uri = &reading->uri;
	const struct urivet_span host = uri->part[URIVET_HOST];
	const bool name = uri->host_kind == URIVET_HOST_NAME && !uri->has_ipv4;
	const bool listed = name && is_listed(text + host.offset, host.length);
	if (!urivet_has(uri, URIVET_HOST) || host.length == 0)
		return;
	oracle(only || !listed, "no reader finds a denied name");
	oracle(!only || listed, "every reader finds an allowed name");
	oracle(!uri->has_ipv4 || (uri->address[0] != 10 && uri->address[0] != 127),
	       "no reader finds a denied address");
}

static void read_as(enum urivet_reader how, const uint8_t *data, size_t length, bool only)
{
	const size_t capacity = URIVET_READING_CAPACITY(length);
	char *const out = room_for(capacity);
	struct urivet_reading reading;
	if (urivet_read_as(&reading, how, data, length, out, capacity) &&
	    reading.uri.scheme >= URIVET_SCHEME_HTTP)
		expect_host(&reading, reading.written > 0 ? out : (const char *)data, only);
	free(out);
}

/* Waivers permit only what they name. With all of them, no reader takes an accepted URL to a host or
 * address that a list denies, or to one outside the allowed hosts. */
static void expect_waived(const uint8_t *data, size_t length)
{
	static const enum urivet_reader readers[] = {
	    URIVET_READER_RFC3986, URIVET_READER_BROWSER, URIVET_READER_RESOLVER};
	struct urivet_host_rule host = {{tree}, sizeof tree - 1, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0};
	static const struct urivet_address_rule addresses[] = {
	    {{{10}, 4, 8}, URIVET_DENY, 0}, {{{127}, 4, 8}, URIVET_DENY, 0}};
	for (unsigned only = 0; only < 2; only++) {
		struct urivet_policy policy = waiving(length % 2 ? URIVET_STRICT : URIVET_ANY);
		struct urivet_report r;
		host.action = only ? URIVET_ALLOW : URIVET_DENY;
		policy.hosts = (struct urivet_host_list){&host, 1, false, only == 1};
		policy.addresses = (struct urivet_address_list){addresses, 2, false};
		if (urivet_check(&r, data, length, &policy) == URIVET_REJECT)
			continue;
		expect_sound(&r, length, &policy);
		for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++)
			read_as(readers[k], data, length, only == 1);
	}
}

/* ---- Names in other scripts ------------------------------------------------------------ */

/* Bidi classes (UAX 9), and scripts as bits. No reader maps one of these characters. */
enum bidi { L, R, AL, EN, AN, ES, NSM };
enum {
	NO = 0,
	ASCII = 1,
	LATN = 2,
	CYRL = 4,
	GREK = 8,
	HEBR = 16,
	ARAB = 32,
	HANI = 64,
	HIRA = 128,
	HANG = 256,
	DEVA = 512
};

static const struct character {
	const char *text;
	uint32_t point;
	enum bidi bidi;
	unsigned script;
} characters[] = {
    {"a", 'a', L, ASCII},         {"k", 'k', L, ASCII},        {"7", '7', EN, NO},
    {"0", '0', EN, NO},           {"-", '-', ES, NO},          {"\u00e9", 0xe9, L, LATN},
    {"\u00f8", 0xf8, L, LATN},    {"\u044f", 0x44f, L, CYRL},  {"\u0436", 0x436, L, CYRL},
    {"\u03bb", 0x3bb, L, GREK},   {"\u05d0", 0x5d0, R, HEBR},  {"\u05e9", 0x5e9, R, HEBR},
    {"\u064e", 0x64e, NSM, ARAB}, {"\u0639", 0x639, AL, ARAB}, {"\u0628", 0x628, AL, ARAB},
    {"\u0663", 0x663, AN, ARAB},  {"\u5b57", 0x5b57, L, HANI}, {"\u6c34", 0x6c34, L, HANI},
    {"\u3042", 0x3042, L, HIRA},  {"\uac00", 0xac00, L, HANG}, {"\u0905", 0x905, L, DEVA},
    {"\u0915", 0x915, L, DEVA}};

#define LABELS 3u
#define POINTS 12u

struct label {
	const struct character *at[POINTS];
	uint32_t count;
};

/* Returns true if the label is one by RFC 5893, 2. */
static bool keeps_bidi_rule(const struct label *l)
{
	const enum bidi first = l->at[0]->bidi;
	unsigned seen = 0;
	uint32_t last = l->count - 1;
	for (uint32_t k = 0; k < l->count; k++)
		seen |= 1u << l->at[k]->bidi;
	while (last > 0 && l->at[last]->bidi == NSM)
		last--;
	const enum bidi end = l->at[last]->bidi;
	if (first == L)
		return (seen & (1u << R | 1u << AL | 1u << AN)) == 0 && (end == L || end == EN);
	return (first == R || first == AL) && (seen & 1u << L) == 0 && end != ES &&
	       (seen & (1u << EN | 1u << AN)) != (1u << EN | 1u << AN);
}

static bool is_right_to_left(const struct label *l)
{
	for (uint32_t k = 0; k < l->count; k++)
		if (l->at[k]->bidi == R || l->at[k]->bidi == AL || l->at[k]->bidi == AN)
			return true;
	return false;
}

/* Returns true if the label is not highly restrictive (UTS 39, 5.2), where letters such as \u00e9 are no
 * Latin ones. */
static bool mixes_scripts(const struct label *l)
{
	static const unsigned sets[] = {
	    ASCII | LATN, ASCII | HANI | HIRA, ASCII | HANI | HANG, CYRL, GREK, HEBR, ARAB, DEVA};
	unsigned scripts = 0;
	for (uint32_t k = 0; k < l->count; k++)
		scripts |= l->at[k]->script;
	for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++)
		if ((scripts & ~sets[k]) == 0)
			return false;
	return true;
}

/* Decodes the digits of an A-label by RFC 3492, 6.2, and returns true if they are this label. */
static bool is_punycode_of(const char *text, size_t length, const struct label *l)
{
	uint32_t points[POINTS], count = 0, n = 128, i = 0, bias = 72;
	size_t at = 0;
	for (size_t k = 0; k < length; k++)
		at = text[k] == '-' ? k + 1 : at;
	for (; count + 1 < at && count < POINTS; count++)
		points[count] = (unsigned char)text[count];
	while (at < length && count < POINTS) {
		const uint32_t before = i;
		for (uint32_t k = 36, weight = 1;; k += 36) {
			const unsigned c = at < length ? (unsigned char)text[at++] : '!';
			const uint32_t digit = c >= 'a' ? c - 'a' : c - '0' + 26;
			const uint32_t limit = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
			if (c < '0')
				return false;
			i += digit * weight;
			if (digit < limit)
				break;
			weight *= 36 - limit;
		}
		uint32_t delta = before == 0 && n == 128 ? (i - before) / 700 : (i - before) / 2,
			 k = 0;
		count++;
		for (delta += delta / count; delta > 455; k += 36)
			delta /= 35;
		bias = k + 36 * delta / (delta + 38);
		n += i / count;
		i %= count;
		memmove(&points[i + 1], &points[i], (count - 1 - i) * sizeof points[0]);
		points[i++] = n;
	}
	for (uint32_t k = 0; k < count && count == l->count; k++)
		if (points[k] != l->at[k]->point)
			return false;
	return count == l->count;
}

/* Reads labels whose characters are chosen by the octets of the input. */
static uint32_t labels_of(struct label *label, const uint8_t *data, size_t length)
{
	uint32_t count = 0;
	for (size_t k = 0; k < length && count < LABELS; k++) {
		const struct character *c =
		    &characters[data[k] % (sizeof characters / sizeof characters[0])];
		struct label *l = &label[count];
		const bool alone =
		    c->bidi == ES && (l->count == 0 || l->at[l->count - 1]->bidi == ES);
		if (l->count < POINTS && data[k] < 220 && !alone)
			l->at[l->count++] = c;
		else if (l->count > 0 && l->at[l->count - 1]->bidi != ES)
			count++;
	}
	return count;
}

/* Builds a name of such labels. What is found in it is what the standards say, in its own script and as
 * A-labels. */
static void expect_name(const uint8_t *data, size_t length)
{
	static const unsigned said[] = {URIVET_F_IDN_MIXED_SCRIPT, URIVET_F_IDN_BIDI_RULE,
					URIVET_F_IDN_MARK_FIRST};
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct label label[LABELS + 1] = {{{NULL}, 0}};
	struct urivet_reading read;
	struct urivet_report r;
	char raw[16 + LABELS * (POINTS * 3 + 1)], out[URIVET_READING_CAPACITY(sizeof raw)];
	struct builder url = {raw, 0};
	bool is[3] = {false, false, false}, bidi = false;
	const uint32_t count = labels_of(label, data, length);
	add_word(&url, "http://");
	for (uint32_t k = 0; k < count; k++) {
		bidi = bidi || is_right_to_left(&label[k]);
		is[0] = is[0] || mixes_scripts(&label[k]);
		is[1] = is[1] || !keeps_bidi_rule(&label[k]);
		is[2] = is[2] || label[k].at[0]->bidi == NSM;
		for (uint32_t c = 0; c < label[k].count; c++)
			add_word(&url, label[k].at[c]->text);
		add_word(&url, ".");
	}
	is[1] = is[1] && bidi;
	add_word(&url, "example/");
	(void)urivet_policy_raise(&policy, URIVET_F_IDN_MIXED_SCRIPT);
	urivet_check(&r, url.text, url.length, &policy);
	for (size_t k = 0; k < 3; k++)
		oracle((report_finding(&r, said[k]) != NULL) == is[k],
		       "a name is judged as the standards say");
	if (!urivet_read_as(&read, URIVET_READER_BROWSER, url.text, url.length, out, sizeof out)) {
		oracle(is[1] || is[2], "browsers read a name that the standards allow");
		return;
	}
	urivet_check(&r, out, read.written, &policy);
	for (size_t k = 0; k < 3; k++)
		oracle((report_finding(&r, said[k]) != NULL) == is[k],
		       "A-labels are judged as what they stand for");
	const char *at = out + 7;
	for (uint32_t k = 0; k < count; k++) {
		const char *const dot = strchr(at, '.');
		bool ascii = true;
		for (uint32_t c = 0; c < label[k].count; c++)
			ascii = ascii && label[k].at[c]->point < 0x80;
		oracle(ascii || (strncmp(at, "xn--", 4) == 0 &&
				 is_punycode_of(at + 4, (size_t)(dot - at) - 4, &label[k])),
		       "browsers write Punycode");
		at = dot + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t room = URIVET_READING_CAPACITY(length);
	char *out = room_for(2 * room);
	const bool accepted = urivet_ok(data, length);
	const bool disagree =
	    urivet_readers_disagree(urivet_text_of(data, length), out, 2 * room, NULL, NULL, NULL);
	for (unsigned k = 0; k < URIVET_READERS; k++) {
		struct urivet_reading r;
		const bool reads = urivet_read_as(&r, k, data, length, out, room);
		oracle(reads || !accepted || k != URIVET_READER_RFC3986,
		       "RFC 3986 reads what strict accepts");
		if (!reads)
			continue;
		for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
			oracle(within(r.uri.part[c], r.written > 0 ? r.written : length),
			       "a component lies in the text that was read");
	}
	oracle(!accepted || !disagree, "readers agree on what strict accepts");
	expect_disagreement(data, length, out, room, disagree);
	free(out);
	expect_waived(data, length);
	expect_name(data, length);
	return 0;
}
