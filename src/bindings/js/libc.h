/* SPDX-License-Identifier: Apache-2.0 */
/* What policy.c has of a C library, under the names of its headers (js.mk). */
#ifndef JS_LIBC_H
#define JS_LIBC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define ENOMEM 12
#define EFBIG  27
#define errno  0

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
void qsort(void *data, size_t count, size_t size, int (*order)(const void *, const void *));
long long strtoll(const char *text, char **end, int base);
#define atoi(text)               ((int)strtoll(text, NULL, 10))
#define strtol(text, end, base)  ((long)strtoll(text, end, base))
#define strtoul(text, end, base) ((unsigned long)strtoll(text, end, base))
#define strtod(text, end)        ((double)strtoll(text, end, 10))

int snprintf(char *out, size_t size, const char *format, ...);
#define sprintf(out, ...) snprintf(out, SIZE_MAX, __VA_ARGS__)
int vsnprintf(char *out, size_t size, const char *format, va_list values);

void *memchr(const void *data, int octet, size_t length);
int memcmp(const void *a, const void *b, size_t length);
void *memcpy(void *to, const void *from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int octet, size_t length);
char *stpcpy(char *to, const char *from);
int strcasecmp(const char *a, const char *b);
char *strchr(const char *string, int octet);
int strcmp(const char *a, const char *b);
size_t strcspn(const char *string, const char *set);
char *strdup(const char *string);
#define strerror(number) "out of memory"
size_t strlen(const char *string);
int strncmp(const char *a, const char *b, size_t length);
char *strpbrk(const char *string, const char *set);
char *strrchr(const char *string, int octet);
size_t strspn(const char *string, const char *set);

#endif
