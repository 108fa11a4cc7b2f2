/* SPDX-License-Identifier: Apache-2.0 */
/* Bugs for tests/gates/analyze/analyze.py to find: the control of the gate. Compiled, never linked. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t seeded_narrowing(const char *text, uint16_t *length);
int seeded_twice(int *value);
char *seeded_unchecked(char *text);
int seeded_beyond(unsigned at);
int seeded_unset(int flag);
void seeded_size(char *to, const char *from);
int seeded_same(int a, int b);
unsigned seeded_switch(unsigned c);

size_t seeded_narrowing(const char *text, uint16_t *length)
{
	*length = strlen(text); /* found by: gcc, clang-14, clang-19 */
	return *length;
}

int seeded_twice(int *value)
{
	free(value);
	return *value; /* found by: gcc -fanalyzer, clang-19 --analyze */
}

char *seeded_unchecked(char *text)
{
	char *copy = malloc(4);
	memcpy(copy, text, 4); /* found by: gcc -fanalyzer */
	return copy;
}

int seeded_beyond(unsigned at)
{
	static const int table[4] = {1, 2, 3, 4};
	if (at > 4)
		return 0;
	return at == 4 ? table[at] : 1; /* found by: clang-19 --analyze */
}

int seeded_unset(int flag)
{
	int value;
	if (flag > 3) /* found by: clang-14, clang-19 */
		value = 1;
	return value; /* found by: clang-19 --analyze */
}

void seeded_size(char *to, const char *from)
{
	memset(to, sizeof to, 0);       /* found by: clang-tidy-19 */
	memcpy(to, from, strlen(from)); /* found by: clang-tidy-19 */
}

int seeded_same(int a, int b)
{
	if (a == b)
		return 1;
	else if (a == b) /* found by: gcc */
		return 2;
	return a < b && a < b; /* found by: gcc, clang-tidy-19 */
}

unsigned seeded_switch(unsigned c)
{
	switch (c) {
	case 1:
		c = 2; /* found by: gcc */
	case 2:        /* found by: clang-14, clang-19 */
		return c;
	default:
		return 0;
	}
}
