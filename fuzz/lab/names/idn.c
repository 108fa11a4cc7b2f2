/* SPDX-License-Identifier: Apache-2.0 */
/* GNU libidn, IDNA 2003: with STD3, with unassigned code points, shown and read again. */
#include "adapter.h"
#include <idna.h>
#include <stringprep.h>

static const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "libidn %s", stringprep_check_version(NULL));
	return version;
}

static const char *to_ascii(const char *host, int flags)
{
	static char *made;

	free(made);
	made = NULL;
	return idna_to_ascii_8z(host, &made, flags) == IDNA_SUCCESS ? made : NULL;
}

static const char *shown(const char *host)
{
	static char *made;

	free(made);
	made = NULL;
	if (idna_to_unicode_8z8z(host, &made, 0) != IDNA_SUCCESS)
		return NULL;
	return to_ascii(made, 0);
}

static const char *translate(const char *configuration, const char *host)
{
	if (strcmp(configuration, "shown") == 0)
		return shown(host);
	if (strcmp(configuration, "lax") == 0)
		return to_ascii(host, IDNA_ALLOW_UNASSIGNED);
	return to_ascii(host, IDNA_USE_STD3_ASCII_RULES);
}
