/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. */
#ifndef COMMON_GROW_H
#define COMMON_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes sure that an array, allocated or NULL, has room for `wanted` elements of `size` octets.
 * `array` is the address of the pointer to it. The capacity at least doubles when it changes.
 * Returns false if memory is short; nothing is changed then. */
static inline bool grow(void *array, size_t *capacity, size_t wanted, size_t size)
{
	const size_t doubled = 2 * *capacity + 16;
	const size_t room = doubled > wanted ? doubled : wanted;
	void *data;

	memcpy(&data, array, sizeof data); /* the pointer may have any type */
	if (data != NULL && wanted <= *capacity)
		return true;
	data = room > 0 && room <= SIZE_MAX / size ? realloc(data, room * size) : NULL;
	if (data == NULL)
		return false;
	memcpy(array, &data, sizeof data);
	*capacity = room;
	return true;
}

#endif
