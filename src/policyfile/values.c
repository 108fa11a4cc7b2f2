/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and flags of policy files, as distinct from what versions of YAML accept. */
#include "policyfile/values.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Maximum number of digits that fit into a long long. */
#define DIGITS_MOST 18u

static bool is_decimal(const char *text)
{
	const size_t digits = strspn(text, "0123456789");

	return digits > 0 && text[digits] == '\0';
}

/* Returns the number that other YAML spellings mean: +5, 007, 1_000, 0x10, 0o17, 0b11, 1e3, 5.0.
 * Returns -1 if the text is not a whole number up to 2^32-1. */
static long long number_meant(const char *text)
{
	char plain[32];
	size_t used = 0;
	char *end = plain;
	unsigned long whole;
	double real;
	int base = 10;

	text += text[0] == '+';
	for (; *text != '\0' && used + 1 < sizeof plain; text++) {
		if (*text != '_')
			plain[used++] = *text;
	}
	plain[used] = '\0';
	if (plain[0] < '0' || plain[0] > '9' || *text != '\0')
		return -1;
	if (plain[0] == '0' && strchr("xXoObB", plain[1]) != NULL && plain[1] != '\0')
		base = (plain[1] | 0x20) == 'x' ? 16 : (plain[1] | 0x20) == 'o' ? 8 : 2;
	whole = base != 10 ? strtoul(plain + 2, &end, base) : 0;
	real = base != 10 ? (double)whole : strtod(plain, &end);
	if (*end != '\0' || end == plain + 2 * (base != 10) || real > 4294967295.0 ||
	    real > (double)(long long)real)
		return -1;
	return (long long)real;
}

enum value urivet_loader_number(const struct node *node, long long *number, struct why *why)
{
	const char *digits = node->text + (node->text[0] == '-');
	long long meant;

	if (!node->plain) {
		if (!is_decimal(digits))
			return VALUE_NONE;
		(void)snprintf(why->text, sizeof why->text,
			       "\"%.100s\" is text: leave the quotes off a number", node->text);
		return VALUE_BAD;
	}
	if (is_decimal(digits) && (digits[0] != '0' || digits[1] == '\0')) {
		*number = strlen(digits) > DIGITS_MOST ? LLONG_MAX : strtoll(digits, NULL, 10);
		*number = digits > node->text ? -*number : *number;
		return VALUE_GOOD;
	}
	meant = number_meant(node->text);
	if (meant < 0)
		return VALUE_NONE;
	(void)snprintf(why->text, sizeof why->text,
		       "%.100s is no number of decimal digits alone: write %lld", node->text,
		       meant);
	return VALUE_BAD;
}

static bool is_in(const char *word, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (strcasecmp(word, *words) == 0)
			return true;
	}
	return false;
}

bool urivet_loader_flag(const struct node *node, bool *flag, struct why *why)
{
	static const char *const yes[] = {"true", "yes", "on", "y", NULL};
	static const char *const no[] = {"false", "no", "off", "n", NULL};
	const bool is_yes = is_in(node->text, yes);

	*flag = strcmp(node->text, "true") == 0;
	if (!*flag && strcmp(node->text, "false") != 0) {
		if (is_yes || is_in(node->text, no))
			(void)snprintf(why->text, sizeof why->text,
				       "takes true or false: write %s, not %.100s",
				       is_yes ? "true" : "false", node->text);
		else
			(void)snprintf(why->text, sizeof why->text,
				       "takes true or false, not \"%.100s\"", node->text);
		return false;
	}
	if (!node->plain)
		(void)snprintf(why->text, sizeof why->text,
			       "takes true or false: leave the quotes off");
	return node->plain;
}
