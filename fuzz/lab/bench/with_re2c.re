/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

/* The expression of expression.h as an automaton in C; the NUL after the URL ends it. */
static bool judge(const char *url, size_t length)
{
	const char *const end = url + length, *marker = url;
	/*!re2c
		re2c:define:YYCTYPE = "unsigned char";
		re2c:define:YYCURSOR = url;
		re2c:define:YYMARKER = marker;
		re2c:yyfill:enable = 0;
		alnum = [A-Za-z0-9];
		label = alnum ([A-Za-z0-9-]* alnum)?;
		top = [A-Za-z] ([A-Za-z0-9-]* alnum)?;
		pchar = [A-Za-z0-9._~!$&'()*+,;=:@-] | "%" [0-9A-Fa-f] [0-9A-Fa-f];
		tail = (pchar | [/?])*;
		path = "/" (pchar+ ("/" pchar*)*)?;
		url = 'http' [Ss]? "://" (label ".")* top (":" [1-9] [0-9]*)? path? ("?" tail)? ("#" tail)?;
		url "\x00" { return url == end + 1; }
		* { return false; }
	*/
}

const struct contestant contestants[] = {{"re2c, strict expression", judge}, {NULL, NULL}};
