/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of programs that may have been compiled against another version of the library. */
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
