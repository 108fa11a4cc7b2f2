/* SPDX-License-Identifier: Apache-2.0 */
/* ICU: UTS 46 in six configurations, IDNA 2003 in two; "shown": to Unicode, and read again. */
#include "adapter.h"
#include <stdbool.h>
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { ROOM = 2048 };

static const struct {
	const char *name;
	uint32_t options;
} configurations[] = {
	{"transitional", UIDNA_DEFAULT},
	{"nontransitional", UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE},
	{"transitional-strict", UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ},
	{"nontransitional-strict", UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_USE_STD3_RULES |
					   UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
					   UIDNA_CHECK_CONTEXTO},
	{"browser", UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE |
			    UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ},
	{"shown", UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE |
			  UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ},
};

static const char *reader_version(void)
{
	return "ICU " U_ICU_VERSION ", Unicode " U_UNICODE_VERSION;
}

static UIDNA *opened(const char *configuration)
{
	static UIDNA *made;
	UErrorCode error = U_ZERO_ERROR;

	for (size_t i = 0; made == NULL && i < sizeof configurations / sizeof *configurations; i++)
		if (strcmp(configurations[i].name, configuration) == 0)
			made = uidna_openUTS46(configurations[i].options, &error);
	return made;
}

/* What the WHATWG standard does not mind: hyphens, and length outside of DNS. */
static uint32_t minded(const char *configuration, uint32_t errors)
{
	if (strcmp(configuration, "browser") != 0)
		return errors;
	return errors & ~(uint32_t)(UIDNA_ERROR_HYPHEN_3_4 | UIDNA_ERROR_LEADING_HYPHEN |
				    UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_EMPTY_LABEL |
				    UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG);
}

static const char *uts46(const char *configuration, const char *host)
{
	static char made[ROOM];
	char middle[ROOM];
	UIDNAInfo info = UIDNA_INFO_INITIALIZER;
	UErrorCode error = U_ZERO_ERROR;
	UIDNA *idna = opened(configuration);

	if (strcmp(configuration, "shown") == 0) {
		int32_t length = uidna_nameToUnicodeUTF8(idna, host, -1, middle, ROOM, &info, &error);

		if (U_FAILURE(error) || info.errors != 0 || length >= ROOM)
			return NULL;
		host = middle;
	}
	uidna_nameToASCII_UTF8(idna, host, -1, made, ROOM, &info, &error);
	return U_FAILURE(error) || minded(configuration, info.errors) != 0 ? NULL : made;
}

static const char *of_2003(const char *configuration, const char *host)
{
	static char made[ROOM];
	UChar wide[ROOM];
	UChar ascii[ROOM];
	UErrorCode error = U_ZERO_ERROR;
	bool lax = strcmp(configuration, "2003-lax") == 0;
	int32_t options = lax ? UIDNA_ALLOW_UNASSIGNED : UIDNA_USE_STD3_RULES;

	u_strFromUTF8(wide, ROOM, NULL, host, -1, &error);
	if (strcmp(configuration, "2003-shown") == 0) {
		uidna_IDNToUnicode(wide, -1, ascii, ROOM, UIDNA_DEFAULT, NULL, &error);
		memcpy(wide, ascii, sizeof wide);
	}
	uidna_IDNToASCII(wide, -1, ascii, ROOM, options, NULL, &error);
	u_strToUTF8(made, ROOM, NULL, ascii, -1, &error);
	return U_FAILURE(error) ? NULL : made;
}

static const char *translate(const char *configuration, const char *host)
{
	if (strncmp(configuration, "2003", 4) == 0)
		return of_2003(configuration, host);
	return uts46(configuration, host);
}
