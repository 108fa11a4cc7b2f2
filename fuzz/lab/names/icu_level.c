/* SPDX-License-Identifier: Apache-2.0 */
/* Says of each line of standard input, a label in UTF-8, whether ICU finds it highly restrictive with
 * every character in the identifier profile (UTS 39, 5.2): "fine" or "mixed". For imitations.py. */
#include <stdio.h>
#include <string.h>

#include <unicode/uset.h>
#include <unicode/uspoof.h>

int main(void)
{
	UErrorCode code = U_ZERO_ERROR;
	USpoofChecker *checker = uspoof_open(&code);
	USet *allowed = uset_cloneAsThawed(uspoof_getRecommendedSet(&code));
	char line[1024];
	uset_addAll(allowed, uspoof_getInclusionSet(&code));
	uspoof_setAllowedChars(checker, allowed, &code);
	uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
	uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | USPOOF_CHAR_LIMIT, &code);
	while (U_SUCCESS(code) && fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		puts(uspoof_checkUTF8(checker, line, -1, NULL, &code) == 0 ? "fine" : "mixed");
	}
	uspoof_close(checker);
	uset_close(allowed);
	return U_FAILURE(code);
}
