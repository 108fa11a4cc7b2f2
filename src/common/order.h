/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of numbers, for qsort(3). */
#ifndef COMMON_ORDER_H
#define COMMON_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Returns -1, 0 or 1 as `a` is less than, equal to or greater than `b`. */
static inline int order_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Returns the order of the first numbers that differ, or 0 if none do. */
static inline int order_lists(const uint64_t *a, const uint64_t *b, size_t count)
{
	while (count > 1 && *a == *b) {
		a++;
		b++;
		count--;
	}
	return order_numbers(*a, *b);
}

#endif
