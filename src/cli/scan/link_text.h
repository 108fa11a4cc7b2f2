/* SPDX-License-Identifier: Apache-2.0 */
/* Detects link texts that name another host than the link's target. */
#ifndef CLI_LINK_TEXT_H
#define CLI_LINK_TEXT_H

#include "cli/judge/item.h"

/* Returns true if the visible text of a link is a URL or a host of another site than the item's
 * host, or looks like one; for mailto, a mail address of another site; for tel, another number. The
 * item was judged. Hosts of one registrable domain are one
 * site. Without a list (NULL), only equal hosts are, apart from a leading "www.". Without FriBidi, a
 * text whose order is unknown misleads, and sets *unknown. */
bool link_text_misleads(const struct urivet_suffixes *suffixes, const struct item *item,
			struct octets shown, bool *unknown);

#endif
