/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers for the self test. Each splits as RFC 3986, appendix B does. If the record contains ~~,
 * it misbehaves as compiled by -DTROUBLE=, one of the letters
 *     n  nothing        r  reads one octet beyond the NUL     c  crashes    a  calls abort()
 *     h  does not return    w  writes into the record      g  returns a component in invalid memory
 *     l  returns another host, and does so for every record that has the host lie.example
 */
#include "../zoo/adapter.h"
#include <unistd.h>

const char *reader_version(void)
{
	return "trouble 1";
}

static void make_trouble(const char *text, size_t length, struct reading *reading)
{
	switch (TROUBLE) {
	case 'r':
		reading->digits[0] = ((const volatile char *)text)[length + 1];
		break;
	case 'c':
		*(volatile char *)8 = 1;
		break;
	case 'a':
		abort();
	case 'h':
		for (;;)
			pause();
	case 'w':
		*(volatile char *)text = '~';
		break;
	case 'g':
		reading->part[PATH] = slice_between((const char *)16, (const char *)64);
		break;
	case 'l':
		reading->part[HOST] = slice("evil.example");
	}
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	const char *colon = strstr(text, "://");
	size_t host;

	if (colon == NULL)
		return;
	reading.part[SCHEME] = slice_between(text, colon);
	host = strcspn(colon + 3, ":/?#");
	reading.part[HOST] = slice_between(colon + 3, colon + 3 + host);
	if (strstr(text, "~~") != NULL ||
	    (TROUBLE == 'l' && host == 11 && memcmp(colon + 3, "lie.example", host) == 0))
		make_trouble(text, length, &reading);
	tell(&reading);
}
