/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the planted bug and records its canaries. The file that URIVET_CANARIES names holds two
 * octets a bug (reached, triggered), so they survive a crash of the program.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "planted.h"

int planted_bug = -1;

static uint8_t unseen[2 * PLANTED_MOST], *canaries = unseen;

void planted_record(int number, int differs)
{
	canaries[2 * number] = 1;
	canaries[2 * number + 1] |= (uint8_t)differs;
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
		planted_bug = atoi(bug);
	if (path != NULL)
		open_canaries(path);
}
