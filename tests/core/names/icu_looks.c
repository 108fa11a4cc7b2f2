/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what ICU's spoof checker knows of characters beyond ASCII, for looks.py: the ranges of the
 * identifier profile of UTS 39 ("allowed FIRST LAST"), and those whose skeleton is ASCII once its
 * marks are taken off, though they have no canonical decomposition ("looks LETTERS CHARACTER", code
 * points in hexadecimal).
 */
#include <stdbool.h>
#include <stdio.h>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

#define MOST 64

static void print_allowed(UErrorCode *code)
{
	USet *all = uset_cloneAsThawed(uspoof_getRecommendedSet(code));
	uset_addAll(all, uspoof_getInclusionSet(code));
	for (int32_t k = 0; k < uset_getRangeCount(all); k++) {
		UChar32 first = 0, last = 0;
		uset_getItem(all, k, &first, &last, NULL, 0, code);
		if (last >= 0x80)
			printf("allowed\t%04X\t%04X\n", first < 0x80 ? 0x80u : (unsigned)first, (unsigned)last);
	}
	uset_close(all);
}

/* The skeleton in NFD without marks, if that is ASCII. */
static bool ascii_skeleton(const USpoofChecker *checker, const UNormalizer2 *nfd, UChar32 c, char ascii[MOST + 1])
{
	UErrorCode code = U_ZERO_ERROR;
	UChar text[2], skeleton[MOST], plain[MOST];
	int32_t length = 0, made = 0;
	U16_APPEND_UNSAFE(text, length, c);
	length = uspoof_getSkeleton(checker, 0, text, length, skeleton, MOST, &code);
	length = unorm2_normalize(nfd, skeleton, length, plain, MOST, &code);
	if (U_FAILURE(code))
		return false;
	for (int32_t k = 0; k < length; k++) {
		if (u_charType(plain[k]) == U_NON_SPACING_MARK)
			continue;
		if (plain[k] <= ' ' || plain[k] >= 0x7f)
			return false;
		ascii[made++] = (char)u_tolower(plain[k]);
	}
	ascii[made] = '\0';
	return made > 0;
}

int main(void)
{
	UErrorCode code = U_ZERO_ERROR;
	USpoofChecker *checker = uspoof_open(&code);
	const UNormalizer2 *nfd = unorm2_getNFDInstance(&code);
	printf("version\t%s\t%s\n", U_ICU_VERSION, U_UNICODE_VERSION);
	print_allowed(&code);
	for (UChar32 c = 0x80; c <= 0xffff && U_SUCCESS(code); c++) {
		UChar parts[MOST];
		UErrorCode none = U_ZERO_ERROR;
		char ascii[MOST + 1];
		if (u_isdefined(c) && !U_IS_SURROGATE(c) && unorm2_getDecomposition(nfd, c, parts, MOST, &none) < 0 &&
		    u_tolower(c) == c && ascii_skeleton(checker, nfd, c, ascii))
			printf("looks\t%s\t%04X\n", ascii, (unsigned)c);
	}
	uspoof_close(checker);
	return U_FAILURE(code);
}
