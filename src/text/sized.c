/* SPDX-License-Identifier: Apache-2.0 */
/* Structures of programs that were built against another version. */
#include "text/sized.h"

#include <string.h>

bool urivet_fit(void *result, size_t size, size_t least, size_t known)
{
	if (result == NULL || size > MAX_STRUCTURE)
		return false;
	if (size < least)
		known = 0;
	if (size > known)
		memset((char *)result + known, 0, size - known);
	return size >= least;
}
