/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strict grammar of http and https as far as an expression goes: no IPv6, no rule
 * about addresses, no limit of a length, dot segments allowed.
 */
#define LABEL_EXPRESSION "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
#define TOP_EXPRESSION   "[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?"
#define PCHAR_EXPRESSION "([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f][0-9A-Fa-f])"
#define TAIL_EXPRESSION  "([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f][0-9A-Fa-f])*"
#define URL_EXPRESSION                                                                             \
	"^[Hh][Tt][Tt][Pp][Ss]?://(" LABEL_EXPRESSION "\\.)*" TOP_EXPRESSION                       \
	"(:[1-9][0-9]*)?(/(" PCHAR_EXPRESSION "+(/" PCHAR_EXPRESSION "*)*)?)?"                     \
	"(\\?" TAIL_EXPRESSION ")?(#" TAIL_EXPRESSION ")?$"
