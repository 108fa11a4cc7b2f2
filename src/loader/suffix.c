/* SPDX-License-Identifier: Apache-2.0 */
/* Looks names up in the list of public suffixes, by libpsl. */
#include "loader/suffix.h"
#include "loader/problems.h"

/* Does a rule of the policy allow the host? A report of an older program has no rule about URLs. */
static bool is_allowed(const struct urivet_report *report)
{
	return (report->host_rule != NULL && report->host_rule->action == URIVET_ALLOW) ||
	       (report->size >= sizeof *report && report->url_rule != NULL);
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

#else
#include <string.h>

#include <libpsl.h>

/* The longest name; a longer one is no suffix. */
#define NAME_MOST 253u

bool urivet_loader_has_suffixes(void)
{
	return true;
}

/* A struct urivet_suffixes is libpsl's list under a name that other files can know. */
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

/* The value of a hexadecimal digit, or 16. */
static unsigned hex_digit(uint8_t octet)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = octet != 0 ? strchr(digits, octet > '9' ? octet | 0x20 : octet) : NULL;

	return at != NULL ? (unsigned)(at - digits) : 16;
}

/* The octet at the beginning of the name, decoded and in lower case; it is taken off. */
static uint8_t take_octet(struct urivet_text *name)
{
	const uint8_t *data = name->data;
	uint8_t octet = data[0];
	size_t taken = 1;

	if (octet == '%' && name->length >= 3 && hex_digit(data[1]) < 16 &&
	    hex_digit(data[2]) < 16) {
		octet = (uint8_t)(hex_digit(data[1]) * 16 + hex_digit(data[2]));
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

/* As readers have it that decode the name and drop empty labels: a policy may waive the findings
 * about that. What readers cut or map may be a suffix as well. */
bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	char lower[NAME_MOST + 1];
	size_t length = 0;
	bool dot = false;

	while (name.length > 0) {
		const uint8_t octet = take_octet(&name);

		if (octet == '.') {
			dot = length > 0;
			continue;
		}
		if (!is_in_names(octet))
			return true;
		if (length + dot >= NAME_MOST)
			return false;
		if (dot)
			lower[length++] = '.';
		lower[length++] = (char)octet;
		dot = false;
	}
	if (length == 0)
		return false;
	lower[length] = '\0';
	/* without the rule "*", by which every last label would be a suffix */
	return psl_is_public_suffix2((const psl_ctx_t *)suffixes, lower,
				     PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == 1;
}

#endif
