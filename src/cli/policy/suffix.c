/* SPDX-License-Identifier: Apache-2.0 */
/* Looks names up in the list of public suffixes, by libpsl. */
#include "cli/policy/suffix.h"
#include "cli/show/output.h"

#ifndef HAVE_LIBPSL

bool suffixes_are_built(void)
{
	return false;
}

struct suffixes *suffixes_open(void)
{
	complain("this build has no list of public suffixes: install the Debian package "
		 "libpsl-dev and build again");
	return NULL;
}

void suffixes_close(struct suffixes *suffixes)
{
	(void)suffixes;
}

bool suffixes_hold(const struct suffixes *suffixes, struct text name)
{
	(void)suffixes;
	(void)name;
	return false;
}

#else
#include <libpsl.h>

/* The longest name; a longer one is no suffix. */
#define NAME_MOST 253u

bool suffixes_are_built(void)
{
	return true;
}

/* A struct suffixes is libpsl's list under a name that other files can know. */
struct suffixes *suffixes_open(void)
{
	psl_ctx_t *list = psl_latest(NULL);

	if (list == NULL)
		complain("libpsl has no list of public suffixes");
	return (struct suffixes *)list;
}

void suffixes_close(struct suffixes *suffixes)
{
	psl_free((psl_ctx_t *)suffixes);
}

bool suffixes_hold(const struct suffixes *suffixes, struct text name)
{
	char lower[NAME_MOST + 1];

	if (name.length > 0 && name.data[name.length - 1] == '.')
		name.length--;
	if (name.length == 0 || name.length > NAME_MOST)
		return false;
	for (size_t i = 0; i < name.length; i++) {
		uint8_t octet = name.data[i];

		lower[i] = (char)(octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet);
	}
	lower[name.length] = '\0';
	/* without the rule "*", by which every last label would be a suffix */
	return psl_is_public_suffix2((const psl_ctx_t *)suffixes, lower,
				     PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == 1;
}

#endif
