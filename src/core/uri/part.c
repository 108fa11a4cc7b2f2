/* SPDX-License-Identifier: Apache-2.0 */
/* Which text the components of a URI lie in. */
#include "uri/uri.h"

/* Returns true for the components that are stored in the same text as the authority. */
/*@ assigns \nothing; */
static bool is_of_authority(unsigned component)
{
	return component >= URIVET_AUTHORITY && component <= URIVET_PORT;
}

uint8_t urivet_source_of(const struct urivet_uri *uri, unsigned component)
{
	return is_of_authority(component) ? uri->authority_in : URIVET_IN_INPUT;
}
