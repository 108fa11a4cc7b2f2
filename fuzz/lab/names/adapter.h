/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the C and C++ readers of names share: NUL-terminated hosts in UTF-8 in, a line each out.
 *
 * A reader defines reader_version() and translate(), which is given the configuration (the first
 * argument of the program) and a host, and answers the ASCII host or NULL if it refuses.
 */
#ifndef NAMES_ADAPTER_H
#define NAMES_ADAPTER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *reader_version(void);
static const char *translate(const char *configuration, const char *host);

static inline void answer(const char *host)
{
	if (host == NULL) {
		puts("!");
		return;
	}
	for (; *host != '\0'; host++) {
		unsigned char octet = (unsigned char)*host;

		if (octet > 0x20 && octet < 0x7f && octet != '\\' && octet != '!')
			putchar(octet);
		else
			printf("\\x%02X", octet);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	const char *configuration = argc > 1 ? argv[1] : "";
	char *text = NULL;
	size_t size = 0;

	if (argc > 1 && strcmp(argv[argc - 1], "--version") == 0) {
		puts(reader_version());
		return 0;
	}
	while (getdelim(&text, &size, '\0', stdin) > 0)
		answer(translate(configuration, text));
	free(text);
	return fflush(stdout) != 0;
}

#endif
