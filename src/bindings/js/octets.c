/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a C library that clang requires, for each module: WebAssembly has none. */
#include <stddef.h>

int memcmp(const void *a, const void *b, size_t length)
{
	const unsigned char *x = a, *y = b;
	for (size_t k = 0; k < length; k++)
		if (x[k] != y[k])
			return x[k] < y[k] ? -1 : 1;
	return 0;
}

/* -mbulk-memory turns these into the instructions for blocks of memory. */
void *memcpy(void *to, const void *from, size_t length)
{
	return __builtin_memcpy(to, from, length);
}

void *memmove(void *to, const void *from, size_t length)
{
	return __builtin_memmove(to, from, length);
}

void *memset(void *to, int octet, size_t length)
{
	return __builtin_memset(to, octet, length);
}

size_t strlen(const char *string)
{
	size_t length = 0;
	while (string[length] != '\0')
		length++;
	return length;
}

int strncmp(const char *a, const char *b, size_t length)
{
	for (; length > 0 && *a != '\0' && *a == *b; length--) {
		a++;
		b++;
	}
	return length == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}
