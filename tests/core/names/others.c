/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what ICU ("icu" as the argument) or libidn2 ("idn2") makes of each domain of standard
 * input by UTS 46, with the options of the URL Standard's domain to ASCII: one line a
 * record, the ASCII form or "-". Before each record stands its length, four octets, the first
 * the highest; records are UTF-8 without NUL. "version" prints the Unicode version of ICU.
 * After "icu" an option may be named that is left out.
 */
#include <stdio.h>
#include <string.h>

#include <idn2.h>
#include <unicode/uchar.h>
#include <unicode/uidna.h>

#define MOST 200000

/* What CheckHyphens and VerifyDnsLength ask for: the URL Standard sets both to false. */
static const uint32_t ignored =
    UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
    UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

static char domain[MOST + 1], ascii[16 * MOST];

static int by_icu(const UIDNA *idna, int length)
{
	UErrorCode code = U_ZERO_ERROR;
	UIDNAInfo info = UIDNA_INFO_INITIALIZER;
	const int written = uidna_nameToASCII_UTF8(idna, domain, length, ascii, sizeof ascii - 1, &info, &code);
	if (U_FAILURE(code) || (info.errors & ~ignored) != 0)
		return -1;
	ascii[written] = '\0';
	return written;
}

static int by_idn2(void)
{
	char *got = NULL;
	int written = -1;
	if (idn2_lookup_u8((const uint8_t *)domain, (uint8_t **)&got, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) == IDN2_OK) {
		written = (int)strlen(got);
		memcpy(ascii, got, (size_t)written + 1);
	}
	idn2_free(got);
	return written;
}

static uint32_t options_without(const char *name)
{
	static const struct {
		const char *name;
		uint32_t option;
	} options[] = {
	    {"bidi", UIDNA_CHECK_BIDI},
	    {"joiners", UIDNA_CHECK_CONTEXTJ},
	    {"nontransitional", UIDNA_NONTRANSITIONAL_TO_ASCII},
	};
	uint32_t all = 0;
	for (unsigned k = 0; k < sizeof options / sizeof options[0]; k++)
		if (strcmp(options[k].name, name) != 0)
			all |= options[k].option;
	return all;
}

int main(int argc, char **argv)
{
	UErrorCode code = U_ZERO_ERROR;
	const int idn2 = argc > 1 && strcmp(argv[1], "idn2") == 0;
	UIDNA *const idna = uidna_openUTS46(options_without(argc > 2 ? argv[2] : ""), &code);
	unsigned char head[4];
	if (U_FAILURE(code))
		return 2;
	if (argc > 1 && strcmp(argv[1], "version") == 0) {
		printf("%s %s\n", U_UNICODE_VERSION, idn2_check_version(NULL));
		uidna_close(idna);
		return 0;
	}
	while (fread(head, 1, 4, stdin) == 4) {
		const unsigned length = (unsigned)head[0] << 24 | (unsigned)head[1] << 16 | (unsigned)head[2] << 8 | head[3];
		if (length > MOST || fread(domain, 1, length, stdin) != length) {
			fputs("a record is cut short or too long\n", stderr);
			return 2;
		}
		domain[length] = '\0';
		puts((idn2 ? by_idn2() : by_icu(idna, (int)length)) < 0 ? "-" : ascii);
	}
	uidna_close(idna);
	return 0;
}
