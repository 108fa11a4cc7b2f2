/* SPDX-License-Identifier: Apache-2.0 */
/* GNU libidn2: IDNA 2008 with UTS 46 before it (two ways) or without, and IDNA 2003's order. */
#include "adapter.h"
#include <idn2.h>

static const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "libidn2 %s", idn2_check_version(NULL));
	return version;
}

static const struct {
	const char *name;
	int flags;
} configurations[] = {
	{"nontransitional", IDN2_NONTRANSITIONAL},
	{"transitional", IDN2_TRANSITIONAL},
	{"no-tr46", IDN2_NO_TR46},
	{"no-tr46-nfc", IDN2_NO_TR46 | IDN2_NFC_INPUT},
	{"roundtrip", IDN2_NONTRANSITIONAL | IDN2_ALABEL_ROUNDTRIP},
};

static int flags_of(const char *configuration)
{
	for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++)
		if (strcmp(configurations[i].name, configuration) == 0)
			return configurations[i].flags;
	return IDN2_NFC_INPUT;
}

static const char *look_up(const char *host, int flags)
{
	static char *made;

	free(made);
	made = NULL;
	return idn2_lookup_u8((const unsigned char *)host, (unsigned char **)&made, flags) == IDN2_OK
		       ? made
		       : NULL;
}

static const char *shown(const char *host)
{
	static char *made;

	free(made);
	made = NULL;
	if (idn2_to_unicode_8z8z(host, &made, 0) != IDN2_OK)
		return NULL;
	return look_up(made, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
}

static const char *translate(const char *configuration, const char *host)
{
	if (strcmp(configuration, "shown") == 0)
		return shown(host);
	return look_up(host, flags_of(configuration));
}
