/* SPDX-License-Identifier: Apache-2.0 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "bench.h"
#include "expression.h"

static bool judge(const char *url, size_t length)
{
	static pcre2_code *code;
	static pcre2_match_data *match;
	if (code == NULL) {
		int error;
		PCRE2_SIZE offset;
		code = pcre2_compile((PCRE2_SPTR)URL_EXPRESSION, PCRE2_ZERO_TERMINATED,
				     PCRE2_DOLLAR_ENDONLY, &error, &offset, NULL);
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
		match = pcre2_match_data_create_from_pattern(code, NULL);
	}
	return pcre2_jit_match(code, (PCRE2_SPTR)url, length, 0, 0, match, NULL) > 0;
}

const struct contestant contestants[] = {{"PCRE2 JIT, strict expression", judge}, {NULL, NULL}};
