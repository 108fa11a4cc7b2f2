/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the text of a link names another host than the link leads to. */
#ifndef CLI_LINK_TEXT_H
#define CLI_LINK_TEXT_H

#include "cli/show/item.h"

/* Is the visible text of a link, without white space in and around it, a URL or a host, and of
 * another site than the host of the item, which was judged? Hosts of one registrable domain are of
 * one site; without a list (NULL) only those are that are equal but for "www." in front. */
bool link_text_misleads(const struct urivet_suffixes *suffixes, const struct item *item,
			struct text shown);

#endif
