/* SPDX-License-Identifier: Apache-2.0 */
/* ./match EXPRESSION <RECORDS: is each NUL-terminated record matched? Writes 1 or 0. Link with -lpcre2-8. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int error, c;
	PCRE2_SIZE at, length = 0;
	static unsigned char url[1 << 16];
	if (argc != 2)
		return 2;
	/* no PCRE2_MULTILINE, PCRE2_CASELESS or PCRE2_UTF; \z is the end of the text */
	pcre2_code *code =
	    pcre2_compile((PCRE2_SPTR)argv[1], strlen(argv[1]), 0, &error, &at, NULL);
	if (code == NULL)
		return 2;
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	pcre2_match_data *found = pcre2_match_data_create_from_pattern(code, NULL);
	while ((c = getchar()) != EOF)
		if (c != 0 && length < sizeof url) {
			url[length++] = (unsigned char)c;
		} else {
			int matched = pcre2_match(code, url, length, 0, 0, found, NULL);
			if (matched < 0 && matched != PCRE2_ERROR_NOMATCH)
				return 2; /* a limit: not an answer */
			putchar(matched > 0 ? '1' : '0');
			length = 0;
		}
	pcre2_match_data_free(found);
	pcre2_code_free(code);
	return 0;
}
