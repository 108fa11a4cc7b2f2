/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files and streams into memory, up to a limit. */
#include "common/load.h"
#include "common/exact.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

bool urivet_loader_resize(struct load *load, size_t wanted)
{
	const size_t capacity = wanted > load->most ? load->most + 1 : wanted;
	uint8_t *resized = realloc(load->data, capacity);

	if (resized == NULL) {
		errno = ENOMEM;
		return false;
	}
	load->data = resized;
	load->capacity = capacity;
	return true;
}

ssize_t urivet_loader_descriptor(void *context, uint8_t *to, size_t size)
{
	struct pollfd wanted = {.fd = *(const int *)context, .events = POLLIN};
	ssize_t got;

	do
		got = read(wanted.fd, to, size);
	while (got < 0 && (errno == EINTR ||
			   (errno == EAGAIN && (poll(&wanted, 1, -1) > 0 || errno == EINTR))));
	return got;
}

/* Shrinks the buffer to its octets, so that tools notice reads beyond them. */
static void trim(struct load *load)
{
	const size_t kept = load->length > 0 ? load->length : 1;
	uint8_t *trimmed = realloc(load->data, kept);

	if (trimmed == NULL)
		return;
	load->data = trimmed;
	load->capacity = kept;
	exact_plant(trimmed, kept, "file");
}

bool urivet_loader_fill(struct load *load, load_reader *reader, void *context, size_t wanted)
{
	while (load->length < wanted) {
		ssize_t got;

		if (load->length == load->capacity &&
		    !urivet_loader_resize(load, 2 * load->capacity))
			return false;
		got = reader(context, load->data + load->length, load->capacity - load->length);
		if (got == 0) {
			trim(load);
			return true;
		}
		if (got > 0)
			load->length += (size_t)got;
		else if (errno != EINTR)
			return false;
	}
	return true;
}
