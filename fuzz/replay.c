/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a harness over files without a fuzzer: each whole, and each of its lines. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* A copy of its exact size, so that a sanitizer sees one octet too many. */
static void run(const char *data, size_t length)
{
	uint8_t *copy = malloc(length > 0 ? length : 1);
	if (copy == NULL)
		exit(2);
	if (length > 0)
		memcpy(copy, data, length);
	LLVMFuzzerTestOneInput(copy, length);
	free(copy);
}

static unsigned long run_file(const char *path)
{
	static char data[1 << 22];
	FILE *file = fopen(path, "rb");
	unsigned long inputs = 1;
	size_t length;
	if (file == NULL) {
		perror(path);
		exit(2);
	}
	length = fread(data, 1, sizeof data, file);
	fclose(file);
	run(data, length);
	for (size_t at = 0; at < length; inputs++) {
		const char *end = memchr(data + at, '\n', length - at);
		const size_t stop = end != NULL ? (size_t)(end - data) : length;
		run(data + at, stop - at);
		at = stop + 1;
	}
	return inputs;
}

int main(int argc, char **argv)
{
	unsigned long inputs = 0;
	for (int k = 1; k < argc; k++)
		inputs += run_file(argv[k]);
	printf("%s: %lu inputs\n", argv[0], inputs);
	return inputs == 0;
}
