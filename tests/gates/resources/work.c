/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library does for an input of a given shape and length, to be counted.
 *
 *   work    reads lines "OPERATION HEAD UNIT TAIL LENGTH" (tabs between, \xHH for octets) and
 *           leaves a dump of callgrind's for each
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "operations.h"

static size_t unescaped(char *to, size_t most, const char *from)
{
	size_t length = 0;
	while (*from != '\0' && length < most) {
		char digits[3] = {0};
		if (from[0] == '\\' && from[1] == 'x' && from[2] != '\0' && from[3] != '\0') {
			memcpy(digits, from + 2, 2);
			to[length++] = (char)strtoul(digits, NULL, 16);
			from += 4;
		} else {
			to[length++] = *from++;
		}
	}
	return length;
}

int main(void)
{
	char line[2048];
	while (fgets(line, sizeof line, stdin) != NULL) {
		struct shape s;
		struct input in;
		char *field[5];
		char label[64];
		size_t k = 0;
		char *rest = line;
		for (size_t n = 0; n < 5; n++) {
			field[n] = rest;
			rest += strcspn(rest, "\t\n");
			*rest++ = '\0';
		}
		s.head_length = unescaped(s.head, sizeof s.head, field[1]);
		s.unit_length = unescaped(s.unit, sizeof s.unit, field[2]);
		s.tail_length = unescaped(s.tail, sizeof s.tail, field[3]);
		in = made(&s, strtoul(field[4], NULL, 10));
		while (k < operation_count && strcmp(operations[k].name, field[0]) != 0)
			k++;
		if (k == operation_count)
			return 2;
		snprintf(label, sizeof label, "%zu", in.length);
		CALLGRIND_ZERO_STATS;
		operations[k].run(&in);
		CALLGRIND_DUMP_STATS_AT(label);
		unmade(&in);
	}
	return 0;
}
