/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the visible text of a link as people do, and compares its host: as it stands, and as it
 * looks. A text that is not clearly a host is ignored: most link texts are words, and names of files and products look like hosts. */
#include "cli/scan/link_text.h"
#include "cli/scan/seen_text.h"
#include <urivet/scan.h>

/* The maximum length of a host in octets: 253 characters in UTF-8. */
#define HOST_MOST 1012u
#define BEFORE    "http://"
/* The minimum of digits of a telephone number in a text. */
#define DIGITS_LEAST 5u
#define URL_MOST     (sizeof BEFORE + HOST_MOST)

/* A link text, split like a URL. */
struct shown {
	bool has_scheme;
	bool has_slashes;
	struct octets userinfo; /* up to a colon */
	struct octets host;
	bool goes_on; /* more than a port follows the host */
};

/* A host in ASCII and lower case, with "http://" before and "/" after it. */
struct named {
	char url[16 + 8 * URL_MOST]; /* see urivet_size_of(URIVET_CAPACITY_IRI, 0) */
	size_t length;
	struct octets host;
};

/* Removes `start`, which is in lower case, from the text in any letter case. Returns false if the
 * text does not start with it. */
static bool take_start(struct octets *text, const char *start)
{
	if (!text_has_at(*text, 0, start))
		return false;
	*text = text_after(*text, strlen(start));
	return true;
}

/* ---- The text ----------------------------------------------------------------------- */

/* Removes punctuation around a text: "(www.example.com)," becomes "www.example.com". */
static struct octets without_wrapping(struct octets text)
{
	return text_trim(text, "<(['\"", ">)]'\",;!");
}

/* Returns true if the text is empty or a port, as ":8080". */
static bool is_port(struct octets text)
{
	return text.length == 0 || (text.data[0] == ':' &&
				    text_trim(text_after(text, 1), "0123456789", "").length == 0);
}

/* Removes and returns the octets before the first of `ends`. */
static struct octets take_until(struct octets *text, const char *ends)
{
	struct octets taken = {text->data, 0};

	while (taken.length < text->length && !is_one_of(text->data[taken.length], ends))
		taken.length++;
	*text = text_after(*text, taken.length);
	return taken;
}

static struct octets without_final_dot(struct octets host)
{
	if (host.length > 0 && host.data[host.length - 1] == '.')
		host.length--;
	return host;
}

/* Removes and returns the host before a port; an address literal includes its brackets. */
static struct octets take_host(struct octets *authority)
{
	bool literal = authority->length > 0 && authority->data[0] == '[';
	struct octets host = take_until(authority, literal ? "]" : ":");

	if (literal && authority->length > 0) {
		host.length++;
		authority->data++;
		authority->length--;
	}
	return without_final_dot(host);
}

/* Returns the part after the last "@". */
static struct octets without_userinfo(struct octets authority)
{
	for (size_t i = authority.length; i > 0; i--) {
		if (authority.data[i - 1] == '@')
			return (struct octets){authority.data + i, authority.length - i};
	}
	return authority;
}

/* Splits a link text. Returns false if there is no host. If there are no slashes, an "@" means a
 * mail address, which is_host() rejects. */
static bool cut(struct shown *shown, struct octets text)
{
	struct octets authority;

	*shown = (struct shown){0};
	text = without_wrapping(text);
	shown->has_scheme = take_start(&text, "http://") || take_start(&text, "https://");
	shown->has_slashes = shown->has_scheme || take_start(&text, "//");
	authority = take_until(&text, "/?#\\");
	shown->goes_on = text.length > 0;
	if (shown->has_slashes) {
		shown->userinfo = authority;
		authority = without_userinfo(authority);
		shown->userinfo.length -= authority.length;
		shown->userinfo = take_until(&shown->userinfo, ":@");
	}
	shown->host = take_host(&authority);
	return is_port(authority) && shown->host.length > 0 && shown->host.length <= HOST_MOST;
}

/* ---- The host ------------------------------------------------------------------------ */

/* Makes the host that all readers look up; a non-ASCII name is converted. Returns false if readers
 * disagree. */
static bool name_host(struct named *named, struct octets host)
{
	uint8_t url[URL_MOST] = BEFORE;
	size_t length = strlen(BEFORE);
	struct urivet_report report;
	struct urivet_iri iri;

	for (size_t i = 0; i < host.length; i++)
		url[length++] = lower_case(host.data[i]);
	url[length++] = '/';
	named->length = urivet_suggest_iri(&iri, named->url, sizeof named->url, url, length, NULL);
	if (named->length == 0 || named->length >= sizeof named->url ||
	    urivet_check(&report, named->url, named->length, NULL) != URIVET_ACCEPT)
		return false;
	named->host = from_library(urivet_part(&report.uri, URIVET_HOST,
					       urivet_text_of(named->url, named->length),
					       urivet_text_of(NULL, 0)));
	return named->host.length > 0;
}

/* Returns true for a name in a known top-level domain. Addresses are excluded. */
static bool has_known_domain(const struct named *named)
{
	struct urivet_policy rules;

	(void)urivet_policy_init(&rules, sizeof rules, URIVET_STRICT);
	(void)urivet_policy_raise(&rules, URIVET_F_HOST_UNKNOWN_TLD);
	(void)urivet_policy_raise(&rules, URIVET_F_HOST_IS_ADDRESS);
	(void)urivet_policy_raise(&rules, URIVET_F_HOST_SINGLE_LABEL);
	return urivet_verdict_of(named->url, named->length, &rules, NULL) == URIVET_ACCEPT;
}

/* Returns true if scan would find an abbreviated reference at the start of the text. */
static bool is_abbreviated(const uint8_t *data, size_t length)
{
	struct urivet_scan scan = {data, length, 0};
	struct urivet_found found;
	char uri[URL_MOST];
	size_t written;

	return urivet_scan_next(&scan, SIZE_MAX, &found, uri, sizeof uri, &written) &&
	       found.kind == URIVET_FOUND_ABBREVIATED && found.offset == 0;
}

/* Returns true if the host has a top-level domain that is also common in names of products and
 * programs. Such a name is a host only with further evidence. */
static bool may_be_product(struct octets host)
{
	static const char *const names[] = {".app", ".dev", ".io", ".me", ".net", ".tv"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (text_ends_in(host, names[i]))
			return true;
	}
	return false;
}

/* Returns true if a text without a scheme is a host. After "//", any name in a known top-level
 * domain is one. Otherwise scan must find it: it starts with "www." or has a path, or scan would
 * find it with a path, which the slash in `url` adds. */
static bool is_host(const struct shown *shown, const struct named *named)
{
	struct octets host = named->host;

	if (!has_known_domain(named))
		return false;
	return shown->has_slashes || is_abbreviated(host.data, host.length) ||
	       ((shown->goes_on || !may_be_product(host)) &&
		is_abbreviated(host.data, host.length + 1));
}

/* ---- Comparing ------------------------------------------------------------------------- */

static bool are_of_one_domain(const struct urivet_suffixes *suffixes, struct octets a,
			      struct octets b)
{
	char one[URIVET_REGISTRABLE_CAPACITY];
	char other[URIVET_REGISTRABLE_CAPACITY];

	return urivet_suffixes_registrable(one, sizeof one, suffixes, to_library(a)) > 0 &&
	       urivet_suffixes_registrable(other, sizeof other, suffixes, to_library(b)) > 0 &&
	       strcmp(one, other) == 0;
}

static bool are_of_one_site(const struct urivet_suffixes *suffixes, struct octets a,
			    struct octets b)
{
	if (text_equals_in_any_case(a, b) || are_of_one_domain(suffixes, a, b))
		return true;
	(void)take_start(&a, "www.");
	(void)take_start(&b, "www.");
	return text_equals_in_any_case(a, b);
}

/* Returns true if people take the text before an "@" for a host of another site. */
static bool is_other_before_at(const struct urivet_suffixes *suffixes, struct octets host,
			       struct octets userinfo)
{
	struct named named;

	return userinfo.length > 0 && userinfo.length <= HOST_MOST &&
	       name_host(&named, without_final_dot(userinfo)) && has_known_domain(&named) &&
	       !are_of_one_site(suffixes, named.host, host);
}

/* Returns true if the text is a URL or a host of another site. */
static bool is_other_site(const struct urivet_suffixes *suffixes, struct octets host,
			  struct octets text)
{
	struct shown shown;
	struct named named;

	if (!cut(&shown, text))
		return false;
	if (is_other_before_at(suffixes, host, shown.userinfo))
		return true;
	return name_host(&named, shown.host) && (shown.has_scheme || is_host(&shown, &named)) &&
	       !are_of_one_site(suffixes, named.host, host);
}

/* ---- Mail addresses and telephone numbers ------------------------------------------------ */

/* Returns the domain of a mail address: what follows its last "@", without fields of a mailto. Data
 * is NULL if it is no address. */
static struct octets mail_domain(struct octets text)
{
	struct octets address = take_until(&text, "?,");
	const struct octets domain = without_userinfo(address);

	if (domain.length == 0 || domain.length + 1 >= address.length)
		return (struct octets){0};
	return domain;
}

/* Returns true if the text is a mail address of another site than that of a mailto URI. */
static bool is_other_mail(const struct urivet_suffixes *suffixes, struct octets path,
			  struct octets text)
{
	const struct octets domain = mail_domain(path);
	struct octets shown;
	struct named named;

	text = without_wrapping(text);
	(void)take_start(&text, "mailto:");
	shown = mail_domain(text);
	return domain.data != NULL && shown.data != NULL && shown.length <= HOST_MOST &&
	       name_host(&named, without_final_dot(shown)) && has_known_domain(&named) &&
	       !are_of_one_site(suffixes, named.host, without_final_dot(domain));
}

/* Reads the significant digits of a telephone number: those after zeros in front, with which some
 * countries begin numbers. Returns false if the text is no number. */
static bool read_number(uint8_t digits[SEEN_TEXT_MOST], size_t *length, struct octets text)
{
	*length = 0;
	for (size_t i = 0; i < text.length && i < SEEN_TEXT_MOST; i++) {
		const bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';

		if (is_digit && (*length > 0 || text.data[i] != '0'))
			digits[(*length)++] = text.data[i];
		else if (!is_digit && !is_one_of(text.data[i], "+-(). /"))
			return false;
	}
	return *length > 0;
}

/* Returns true if the text is another telephone number. One of both may lack the country. */
static bool is_other_number(struct octets path, struct octets text)
{
	uint8_t one[SEEN_TEXT_MOST];
	uint8_t other[SEEN_TEXT_MOST];
	struct octets number = take_until(&path, ";");
	size_t ones;
	size_t others;
	size_t common;

	(void)take_start(&text, "tel:");
	if (!read_number(one, &ones, number) || !read_number(other, &others, text) ||
	    others < DIGITS_LEAST)
		return false;
	common = ones < others ? ones : others;
	return common < DIGITS_LEAST ||
	       memcmp(one + ones - common, other + others - common, common) != 0;
}

/* ---- All texts ----------------------------------------------------------------------------- */

static bool is_other(const struct urivet_suffixes *suffixes, const struct item *item,
		     struct octets text)
{
	const struct octets scheme = item_part(item, URIVET_SCHEME);
	const struct octets host = without_final_dot(item_part(item, URIVET_HOST));

	if (text_equals_in_any_case(scheme, text_of("mailto")))
		return is_other_mail(suffixes, item_part(item, URIVET_PATH), text);
	if (text_equals_in_any_case(scheme, text_of("tel")))
		return is_other_number(item_part(item, URIVET_PATH), text);
	return host.length > 0 && is_other_site(suffixes, host, text);
}

/* Returns true if the text, as it is seen in a paragraph of that direction, is of another site, or, and
 * then sets *unknown, may be. */
static bool seems_other(const struct urivet_suffixes *suffixes, const struct item *item,
			struct octets text, bool right_to_left, bool *unknown)
{
	uint8_t seen[SEEN_TEXT_MOST];
	struct octets as_seen = {seen, 0};

	if (seen_text(seen, &as_seen.length, text, right_to_left))
		return is_other(suffixes, item, as_seen);
	return *unknown = true;
}

bool link_text_misleads(const struct urivet_suffixes *suffixes, const struct item *item,
			struct octets text, bool *unknown)
{
	uint8_t plain[SEEN_TEXT_MOST];

	if (!item->report->parsed)
		return false;
	if (is_other(suffixes, item, (struct octets){plain, text_without_controls(plain, text)}))
		return true;
	return !is_ascii(text) && (seems_other(suffixes, item, text, false, unknown) ||
				   seems_other(suffixes, item, text, true, unknown));
}
