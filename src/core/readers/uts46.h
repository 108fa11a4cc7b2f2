/* SPDX-License-Identifier: Apache-2.0 */
/* Domain to ASCII of the URL Standard: UTS 46 with Unicode 15.0. */
#ifndef URIVET_UTS46_H
#define URIVET_UTS46_H

#include "text/out.h"
#include "text/text.h"

/* Unicode ToASCII of UTS 46, section 4.2, for the domain from `at` to the end of t, percent-decoded
 * and without ignored octets. Options: CheckHyphens false, CheckBidi true, CheckJoiners true,
 * UseSTD3ASCIIRules false, Transitional_Processing false, VerifyDnsLength false. Writes the domain,
 * or returns false: also if it is empty or has a forbidden domain code point. *o needs space for
 * ten octets per octet of the domain. Time is O(n log m) for n octets and labels of m. */
bool urivet_uts46_to_ascii(struct out *o, struct text t, uint32_t at);

/* Returns true for forbidden domain code points: 0x00-0x20, 0x7F and # / : < > ? @ [ \ ] ^ | % */
bool urivet_is_forbidden(uint32_t c);

#endif
