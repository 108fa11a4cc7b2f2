/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the planted bug and records its canaries. The file that URIVET_CANARIES names holds two
 * octets a bug (reached, triggered), so they survive a crash of the program. Linked with
 * --wrap=LLVMFuzzerTestOneInput: while all bugs are watched, each input that triggers any is
 * recorded in the file that URIVET_TRIGGERS names, by a hash of its octets and the bugs' numbers.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "planted.h"

int planted_bug = -1;

static uint8_t unseen[2 * PLANTED_MOST], *canaries = unseen;
static uint8_t triggered[PLANTED_MOST]; /* by this input */
static FILE *triggers;

void planted_tell(int number, int differs)
{
	canaries[2 * number] = 1;
	canaries[2 * number + 1] |= (uint8_t)differs;
	triggered[number] |= (uint8_t)differs;
}

const char *planted_without(void)
{
	const char *what = getenv("URIVET_WITHOUT");
	return what != NULL ? what : "";
}

static void open_canaries(const char *path)
{
	const int file = open(path, O_RDWR | O_CREAT, 0600);
	void *shared = MAP_FAILED;
	if (file >= 0 && ftruncate(file, sizeof unseen) == 0)
		shared = mmap(NULL, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (shared == MAP_FAILED)
		abort();
	canaries = shared;
}

__attribute__((constructor)) static void begin(void)
{
	const char *bug = getenv("URIVET_BUG"), *path = getenv("URIVET_CANARIES");
	if (bug != NULL)
		planted_bug = strcmp(bug, "watch") == 0 ? PLANTED_WATCH : atoi(bug);
	if (path != NULL)
		open_canaries(path);
	path = getenv("URIVET_TRIGGERS");
	if (path != NULL && planted_bug == PLANTED_WATCH && (triggers = fopen(path, "a")) == NULL)
		abort();
}

/* absent in a program of the tests */
__attribute__((weak)) int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	uint64_t sum = UINT64_C(14695981039346656037);
	int kept;
	memset(triggered, 0, sizeof triggered);
	kept = __real_LLVMFuzzerTestOneInput(data, length);
	if (triggers == NULL || memchr(triggered, 1, sizeof triggered) == NULL)
		return kept;
	for (size_t k = 0; k < length; k++) /* FNV-1a */
		sum = (sum ^ data[k]) * UINT64_C(1099511628211);
	fprintf(triggers, "%016llx", (unsigned long long)sum);
	for (int k = 0; k < PLANTED_MOST; k++)
		if (triggered[k])
			fprintf(triggers, " %d", k);
	fputc('\n', triggers);
	fflush(triggers);
	return kept;
}
