/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up names in the list of public suffixes, with libpsl. */
#include "common/hex.h"
#include "policyfile/suffix.h"
#include "policyfile/problems.h"
#include <string.h>
#include <urivet/rules.h>

/* Returns true if a rule of the policy allows the host. Reports of older programs have no member
 * url_rule. */
static bool is_allowed(const struct urivet_report *report)
{
	return (report->host_rule != NULL && report->host_rule->action == URIVET_ALLOW) ||
	       (report->size >= offsetof(struct urivet_report, path_rule) &&
		report->url_rule != NULL);
}

enum urivet_verdict urivet_suffixes_judge(const struct urivet_suffixes *suffixes,
					  struct urivet_report *report, struct urivet_text input,
					  struct urivet_text host,
					  const struct urivet_policy *policy)
{
	const struct urivet_uri *uri;

	if (report == NULL)
		return URIVET_REJECT;
	uri = &report->uri;
	if (suffixes == NULL || !report->parsed || uri->host_kind != URIVET_HOST_NAME ||
	    is_allowed(report) ||
	    !urivet_loader_is_suffix(suffixes, urivet_part(uri, URIVET_HOST, input, host)))
		return report->verdict;
	return urivet_add_finding(report, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST,
				  uri->part[URIVET_HOST], policy);
}

size_t urivet_suffixes_registrable(char *out, size_t capacity,
				   const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	char domain[URIVET_REGISTRABLE_CAPACITY];
	size_t length = suffixes != NULL ? urivet_loader_registrable(domain, suffixes, name) : 0;
	size_t written = length < capacity ? length : 0;

	if (written > 0)
		memcpy(out, domain, written);
	if (capacity > 0)
		out[written] = '\0';
	return length;
}

#ifndef HAVE_LIBPSL

bool urivet_loader_has_suffixes(void)
{
	return false;
}

struct urivet_suffixes *urivet_suffixes_open(urivet_tell *tell, void *context)
{
	urivet_loader_tell_one("",
			       "this build has no list of public suffixes: install the Debian "
			       "package libpsl-dev and build again",
			       tell, context);
	return NULL;
}

void urivet_suffixes_close(struct urivet_suffixes *suffixes)
{
	(void)suffixes;
}

bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	(void)suffixes;
	(void)name;
	return false;
}

size_t urivet_loader_registrable(char domain[URIVET_REGISTRABLE_CAPACITY],
				 const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	(void)domain;
	(void)suffixes;
	(void)name;
	return 0;
}

#else
#include <libpsl.h>

/* Maximum length of a name. Longer names are not suffixes, and have no registrable domain. */
#define NAME_MOST (URIVET_REGISTRABLE_CAPACITY - 1u)

bool urivet_loader_has_suffixes(void)
{
	return true;
}

/* struct urivet_suffixes is an opaque name for libpsl's list. */
struct urivet_suffixes *urivet_suffixes_open(urivet_tell *tell, void *context)
{
	psl_ctx_t *list = psl_latest(NULL);

	if (list == NULL)
		urivet_loader_tell_one("", "libpsl has no list of public suffixes", tell, context);
	return (struct urivet_suffixes *)list;
}

void urivet_suffixes_close(struct urivet_suffixes *suffixes)
{
	psl_free((psl_ctx_t *)suffixes);
}

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
	return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
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

/* A policy may waive the findings about escapes and empty labels. Names with invalid octets count
 * as suffixes, as some readers truncate or map them. */
bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	char lower[NAME_MOST + 1];
	enum spelling spelling = lower_name(lower, name);

	if (spelling >= SPELLED_ODDLY)
		return spelling == SPELLED_ODDLY;
	/* the rule "*" is excluded, as it makes every last label a suffix */
	return lower[0] != '\0' &&
	       psl_is_public_suffix2((const psl_ctx_t *)suffixes, lower,
				     PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == 1;
}

size_t urivet_loader_registrable(char domain[URIVET_REGISTRABLE_CAPACITY],
				 const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	char lower[NAME_MOST + 1];
	const char *found, *last;

	/* readers disagree about such a name, so it has no certain domain */
	if (lower_name(lower, name) != SPELLED_PLAINLY)
		return 0;
	last = strrchr(lower, '.');
	if (last == NULL || (last[1] >= '0' && last[1] <= '9'))
		return 0;
	found = psl_registrable_domain((const psl_ctx_t *)suffixes, lower);
	if (found == NULL)
		return 0;
	memcpy(domain, found, strlen(found) + 1);
	return strlen(found);
}

#endif
