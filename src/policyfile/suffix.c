/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of public suffixes (https://publicsuffix.org/list/), and looks up names in it. */
#include "policyfile/suffix.h"
#include "common/hex.h"
#include "common/load.h"
#include "common/lower.h"
#include "common/utf8.h"
#include "policyfile/problems.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <urivet/rules.h>

/* Where Debian's package publicsuffix installs the list. */
#define LIST "/usr/share/publicsuffix/public_suffix_list.dat"

/* The maximum octets of the list; it has some 300,000. */
#define LIST_MOST 16777216u

/* Maximum length of a name. Longer names are not suffixes, and have no registrable domain. */
#define NAME_MOST (URIVET_REGISTRABLE_CAPACITY - 1u)

struct urivet_suffixes {
	struct urivet_host_rule *rule; /* sorted */
	uint32_t count;
	char *names;                 /* memory of the names */
	struct urivet_policy judge;  /* strict, and refuses public suffixes */
};

/* ---- Names in ASCII --------------------------------------------------------------------- */

/* Adapts the bias: RFC 3492, 6.1. */
static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
	uint32_t k = 0;

	delta = first ? delta / 700 : delta / 2;
	for (delta += delta / points; delta > 455; k += 36)
		delta /= 35;
	return k + 36 * delta / (delta + 38);
}

/* Writes a delta as digits: RFC 3492, 6.3. Returns the end. */
static char *put_delta(char *at, uint32_t delta, uint32_t bias)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	uint32_t k = 36;

	for (;; k += 36) {
		const uint32_t least = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;

		if (delta < least)
			break;
		*at++ = digits[least + (delta - least) % (36 - least)];
		delta = (delta - least) / (36 - least);
	}
	*at++ = digits[delta];
	return at;
}

/* Writes a label of code points as an A-label: RFC 3492, 6.3. The list has its names in the form that
 * IDNA requires. Returns the end. */
static char *put_alabel(char *at, const uint32_t *point, uint32_t count)
{
	uint32_t next = 0x80, delta = 0, bias = 72, done = 0, basic;

	for (const char *prefix = "xn--"; *prefix != '\0'; prefix++)
		*at++ = *prefix;
	for (uint32_t i = 0; i < count; i++)
		if (point[i] < 0x80) {
			*at++ = (char)point[i];
			done++;
		}
	basic = done;
	if (basic > 0)
		*at++ = '-';
	while (done < count) {
		uint32_t least = UINT32_MAX;

		for (uint32_t i = 0; i < count; i++)
			if (point[i] >= next && point[i] < least)
				least = point[i];
		delta += (least - next) * (done + 1);
		next = least;
		for (uint32_t i = 0; i < count; i++) {
			delta += point[i] < next;
			if (point[i] != next)
				continue;
			at = put_delta(at, delta, bias);
			bias = adapt(delta, done + 1, done == basic);
			delta = 0;
			done++;
		}
		delta++;
		next++;
	}
	return at;
}

/* Writes a name of at most NAME_MOST octets of UTF-8 with A-labels, to at most seven times as many
 * octets. Returns the end. Octets that are not UTF-8 become NULs, which no name has. */
static char *put_ascii(char *at, const char *name, size_t length)
{
	uint32_t point[NAME_MOST];
	const uint8_t *octet = (const uint8_t *)name, *const end = octet + length;

	while (octet < end) {
		uint32_t count = 0;
		bool ascii = true;

		while (octet < end && *octet != '.') {
			const size_t taken =
			    urivet_loader_utf8(octet, (size_t)(end - octet), &point[count]);

			if (taken == 0)
				point[count] = 0; /* no octet of a name */
			ascii = ascii && point[count] < 0x80;
			count++;
			octet += taken > 0 ? taken : 1;
		}
		if (!ascii)
			at = put_alabel(at, point, count);
		for (uint32_t i = 0; ascii && i < count; i++)
			*at++ = (char)point[i];
		if (octet < end)
			*at++ = (char)*octet++;
	}
	return at;
}

/* ---- Reading the list ------------------------------------------------------------------- */

/* Adds the rule of a line: "name", "*.name" or "!name", up to the first space. */
static void add_line(struct urivet_suffixes *suffixes, const char *line, size_t length, char **at)
{
	struct urivet_host_rule *rule = &suffixes->rule[suffixes->count];
	const bool exception = length > 0 && line[0] == '!';
	const bool below = length > 2 && memcmp(line, "*.", 2) == 0;
	const size_t from = below ? 2 : exception;
	char *const name = *at;

	for (size_t i = 0; i < length; i++)
		if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r')
			length = i;
	if (length <= from || length - from > NAME_MOST || (length > 1 && memcmp(line, "//", 2) == 0))
		return;
	*at = put_ascii(name, line + from, length - from);
	if (!urivet_host_rule_from(rule, name, (size_t)(*at - name),
				   exception ? URIVET_ALLOW : URIVET_DENY))
		return;
	rule->scope = below ? URIVET_SCOPE_BELOW : URIVET_SCOPE_HOST;
	suffixes->count++;
}

/* Makes the table of a list. Returns false if memory is short, or the list has no rules. */
static bool read_list(struct urivet_suffixes *suffixes, const char *list, size_t length)
{
	size_t lines = 1;
	char *at;

	for (size_t i = 0; i < length; i++)
		lines += list[i] == '\n';
	suffixes->rule = calloc(lines, sizeof *suffixes->rule);
	suffixes->names = at = malloc(7 * length + 1);
	if (suffixes->rule == NULL || at == NULL)
		return false;
	while (length > 0) {
		const char *end = memchr(list, '\n', length);
		const size_t line = end != NULL ? (size_t)(end - list) : length;

		add_line(suffixes, list, line, &at);
		length -= end != NULL ? line + 1 : line;
		list += end != NULL ? line + 1 : line;
	}
	qsort(suffixes->rule, suffixes->count, sizeof *suffixes->rule,
	      urivet_order(URIVET_LIST_HOSTS));
	urivet_suffixes_set(suffixes, &suffixes->judge);
	return suffixes->count > 0 && urivet_policy_raise(&suffixes->judge, URIVET_F_HOST_PUBLIC_SUFFIX) &&
	       urivet_policy_finish(&suffixes->judge, NULL, 0);
}

struct urivet_suffixes *urivet_suffixes_open(urivet_on_message *on_message, void *context)
{
	struct urivet_suffixes *suffixes = calloc(1, sizeof *suffixes);
	struct load load = {.most = LIST_MOST};
	int fault, fd = suffixes != NULL ? open(LIST, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
	const bool good = suffixes != NULL && fd >= 0 && urivet_loader_resize(&load, 1u << 19) &&
			  urivet_loader_fill(&load, urivet_loader_descriptor, &fd, LIST_MOST) &&
			  urivet_policy_init(&suffixes->judge, sizeof suffixes->judge, URIVET_STRICT) &&
			  read_list(suffixes, (const char *)load.data, load.length);

	fault = errno;
	if (fd >= 0)
		(void)close(fd);
	free(load.data);
	if (good)
		return suffixes;
	urivet_loader_report_one("",
				 fault == ENOMEM
				     ? strerror(ENOMEM)
				     : "no list of public suffixes: " LIST
				       " cannot be read; install the Debian package publicsuffix",
				 on_message, context);
	urivet_suffixes_close(suffixes);
	errno = fault;
	return NULL;
}

void urivet_suffixes_close(struct urivet_suffixes *suffixes)
{
	if (suffixes == NULL)
		return;
	free(suffixes->rule);
	free(suffixes->names);
	free(suffixes);
}

void urivet_suffixes_set(const struct urivet_suffixes *suffixes, struct urivet_policy *policy)
{
	policy->suffixes = suffixes != NULL ? suffixes->rule : NULL;
	policy->suffix_count = suffixes != NULL ? suffixes->count : 0;
}

/* ---- Looking up names ------------------------------------------------------------------- */

/* Removes the first octet of the name, and returns it decoded and in lower case. */
static uint8_t take_octet(struct urivet_text *name)
{
	const uint8_t *data = name->data;
	uint8_t octet = data[0];
	size_t taken = 1;

	if (octet == '%' && name->length >= 3 && hex_value(data[1]) < 16 &&
	    hex_value(data[2]) < 16) {
		octet = (uint8_t)(hex_value(data[1]) * 16 + hex_value(data[2]));
		taken = 3;
	}
	name->data = data + taken;
	name->length -= taken;
	return lower_case(octet);
}

static bool is_in_names(uint8_t octet)
{
	return (octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9') || octet == '-' ||
	       octet == '_';
}

/* How a name is spelled, ignoring case and escapes. */
enum spelling {
	SPELLED_PLAINLY = 0,
	SPELLED_WITH_GAPS, /* has empty labels, which are dropped */
	SPELLED_ODDLY,     /* has octets that are invalid in names */
	SPELLED_TOO_LONG
};

/* Writes the name in lower case, decoded, without empty labels, and with a NUL. */
static enum spelling lower_name(char lower[NAME_MOST + 1], struct urivet_text name)
{
	enum spelling spelling = SPELLED_PLAINLY;
	size_t length = 0;
	bool dot = false;

	while (name.length > 0) {
		const uint8_t octet = take_octet(&name);

		if (octet == '.') {
			if (dot || length == 0)
				spelling = SPELLED_WITH_GAPS;
			dot = length > 0;
			continue;
		}
		if (!is_in_names(octet))
			return SPELLED_ODDLY;
		if (length + dot >= NAME_MOST)
			return SPELLED_TOO_LONG;
		if (dot)
			lower[length++] = '.';
		lower[length++] = (char)octet;
		dot = false;
	}
	lower[length] = '\0';
	return spelling;
}

/* Returns true if the name, which lower_name() wrote, is in the list. */
static bool is_listed(const struct urivet_suffixes *suffixes, const char *name)
{
	char url[sizeof "http://" + NAME_MOST];
	struct urivet_report report;
	const int length = snprintf(url, sizeof url, "http://%s", name);

	(void)urivet_check(&report, url, (size_t)length, &suffixes->judge);
	for (uint32_t i = 0; i < report.count; i++)
		if (report.finding[i].id == URIVET_F_HOST_PUBLIC_SUFFIX)
			return true;
	return false;
}

bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	char lower[NAME_MOST + 1];
	enum spelling spelling = lower_name(lower, name);

	return spelling == SPELLED_ODDLY ||
	       (spelling < SPELLED_ODDLY && lower[0] != '\0' && is_listed(suffixes, lower));
}

/* Returns the registrable domain in a name that lower_name() wrote, or NULL if there is none. */
static const char *registrable(const struct urivet_suffixes *suffixes, const char *name)
{
	if (is_listed(suffixes, name))
		return NULL;
	for (;;) {
		const char *rest = strchr(name, '.');

		if (rest == NULL || is_listed(suffixes, rest + 1) || strchr(rest + 1, '.') == NULL)
			return rest != NULL ? name : NULL;
		name = rest + 1;
	}
}

size_t urivet_suffixes_registrable(char *out, size_t capacity,
				   const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	char lower[NAME_MOST + 1];
	const char *found = NULL, *last;
	size_t length;

	/* readers disagree about a name that is spelled otherwise, so it has no certain domain */
	if (suffixes != NULL && lower_name(lower, name) == SPELLED_PLAINLY) {
		last = strrchr(lower, '.');
		if (last != NULL && (last[1] < '0' || last[1] > '9'))
			found = registrable(suffixes, lower);
	}
	length = found != NULL ? strlen(found) : 0;
	if (capacity > 0)
		(void)snprintf(out, capacity, "%s", length < capacity && found != NULL ? found : "");
	return length;
}
