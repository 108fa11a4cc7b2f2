/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of public suffixes (https://publicsuffix.org/list/), and looks up names in it. */
#include "policyfile/suffix.h"
#include "common/hex.h"
#include "common/load.h"
#include "common/lower.h"
#include "common/rules.h"
#include "common/text/octets.h"
#include "policyfile/problems.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <urivet/rules.h>
#include <urivet/spelling.h>

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

size_t urivet_loader_ascii_name(char out[POLICY_RULE_TEXT], const char *name, size_t length)
{
	char url[300], ascii[900];
	struct urivet_iri iri;
	const int written = snprintf(url, sizeof url, "http://%.*s/", (int)length, name);

	out[0] = '\0';
	if (length <= NAME_MOST &&
	    urivet_suggest_iri(&iri, ascii, sizeof ascii, url, (size_t)written, NULL) > 0)
		(void)snprintf(out, POLICY_RULE_TEXT, "%.*s", (int)strcspn(ascii + 7, "/"),
			       ascii + 7);
	return strlen(out);
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
	line += from;
	length -= from;
	if (is_ascii(text_at(line, length)))
		memcpy(name, line, length);
	else /* at most seven times as long */
		length = urivet_loader_ascii_name(name, line, length);
	*at += length;
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
