/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of templates/mine.c with a bug, for yours_test.sh: LAST_AT takes the last @ of the
 * whole input as the end of userinfo, OVER_READ looks for a port one octet after the end, REFUSES
 * knows no IPv6.
 */
#include "yours.h"

#define read_mine read_well
#include "templates/mine.c"
#undef read_mine

static void last_at(const char *data, size_t length, struct reading *reading)
{
	const char *end = data + length;

	for (const char *sign = end; sign-- > reading->part[PATH].data;)
		if (*sign == '@') {
			reading->part[HOST] = slice_between(sign + 1, end);
			return;
		}
}

bool read_mine(const char *data, size_t length, struct reading *reading)
{
	const char *volatile end = data + length;

	if (!read_well(data, length, reading))
		return false;
#ifdef LAST_AT
	last_at(data, length, reading);
#else
	(void)last_at;
#endif
#ifdef OVER_READ
	if (reading->part[PORT].data != NULL && reading->part[PORT].length > 3 && end[1] == '/')
		return false;
#endif
#ifdef REFUSES
	if (memchr(data, '[', length) != NULL)
		return false;
#endif
	(void)end;
	return true;
}
