/* SPDX-License-Identifier: Apache-2.0 */
/* The readers by name, for help and messages. */
#include "cli/options/reader_list.h"

#include <string.h>

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
	int left = 0;

	for (int i = 0; i < URIVET_READERS; i++)
		left += !editions || is_edition(i);
	list[0] = '\0';
	for (int i = 0; i < URIVET_READERS; i++) {
		if (editions && !is_edition(i))
			continue;
		strcat(list, urivet_reader_name((unsigned)i));
		left--;
		strcat(list, left > 1 ? ", " : left == 1 ? last : "");
	}
	return list;
}
