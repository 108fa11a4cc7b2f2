/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Your reader as a C function. The file that defines it is a program for `make versus`, and with
 * URIVET_YOURS defined a part of the harness of `make yours`.
 */
#ifndef URIVET_YOURS_H
#define URIVET_YOURS_H

#include "reading.h"
#include <stdlib.h>

/*
 * Reads data[0..length), any octets; data[length] is NUL. (With -DWITHOUT_NUL the harness ends the
 * memory before it, for a parser that takes a length and must not read further.) Returns true if it
 * reads the input. *reading is zeroed by the caller and receives the components; a component whose
 * data is NULL is absent. They may point into the data or elsewhere, and are used before the next
 * call. Returns false if it refuses the input.
 */
bool read_mine(const char *data, size_t length, struct reading *reading);

#ifndef URIVET_YOURS
/* Reads records that end in NUL, and writes a line of columns for each. */
int main(void)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t got;

	while ((got = getdelim(&text, &size, '\0', stdin)) >= 0) {
		size_t length = (size_t)got;
		struct reading reading = {0};

		if (length > 0 && text[length - 1] == '\0')
			length--;
		if (read_mine(text, length, &reading))
			write_reading(stdout, &reading);
		else
			fputs(REFUSAL, stdout);
		putchar('\n');
		fflush(stdout);
	}
	free(text);
	return ferror(stdout) != 0;
}
#endif

#endif
