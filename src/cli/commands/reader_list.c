/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the readers by name, for help and messages. */
#include "cli/commands/reader_list.h"

#include <stdio.h>

static const bool follows_edition[URIVET_READERS] = {
#define EDITION(constant, number, ...) [number] = true,
#define READER(...)
#include <urivet/readers.def>
#undef READER
#undef EDITION
};

bool is_edition(int reader)
{
	return reader >= 0 && reader < URIVET_READERS && follows_edition[reader];
}

const char *reader_list(char list[READER_LIST], bool editions, const char *last)
{
	size_t used = 0;
	int left = 0;

	for (int i = 0; i < URIVET_READERS; i++)
		left += !editions || is_edition(i);
	list[0] = '\0';
	for (int i = 0; i < URIVET_READERS && used < READER_LIST; i++) {
		if (editions && !is_edition(i))
			continue;
		left--;
		used += (size_t)snprintf(list + used, READER_LIST - used, "%s%s",
					 urivet_reader_name((unsigned)i),
					 left > 1    ? ", "
					 : left == 1 ? last
						     : "");
	}
	return list;
}
