/* SPDX-License-Identifier: Apache-2.0 */
/* Domain to ASCII, of the URL Standard: UTS 46 by Unicode 15.0. */
#ifndef URIVET_UTS46_H
#define URIVET_UTS46_H

#include "text/out.h"
#include "text/text.h"

/*
 * Unicode ToASCII of UTS 46, section 4.2, for the domain that fills t from `at` on,
 * percent-decoded and without the octets that are ignored: CheckHyphens false, CheckBidi
 * true, CheckJoiners true, UseSTD3ASCIIRules false, Transitional_Processing false,
 * VerifyDnsLength false. Then no forbidden domain code point may be left, and something must
 * be. Writes the domain; false: failure. Room of ten octets for one of the domain must be left
 * in *o. Of n octets it takes time n, with a logarithm of a label's length.
 */
bool urivet_uts46_to_ascii(struct out *o, struct text t, uint32_t at);

/* Forbidden domain code points: 0x00-0x20, 0x7F and # / : < > ? @ [ \ ] ^ | % */
bool urivet_is_forbidden(uint32_t c);

#endif
