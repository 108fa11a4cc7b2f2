/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance between words: letters inserted, deleted, replaced or swapped. */
#include "common/nearest.h"
#include <string.h>

#define LONGEST_WORD 40u

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Computes one row of the distance table: from a[0..i) to each b[0..j). */
static void next_row(unsigned rows[3][LONGEST_WORD + 1], const char *a, size_t i, const char *b)
{
	const unsigned *before = rows[(i + 1) % 3];
	const unsigned *above = rows[(i + 2) % 3];
	unsigned *row = rows[i % 3];

	row[0] = (unsigned)i;
	for (size_t j = 1; b[j - 1] != '\0'; j++) {
		unsigned replaced = above[j - 1] + (a[i - 1] != b[j - 1]);

		row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
			row[j] = least(row[j], before[j - 2] + 1);
	}
}

static unsigned distance(const char *a, const char *b)
{
	unsigned rows[3][LONGEST_WORD + 1];
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);

	if (a_length > LONGEST_WORD || b_length > LONGEST_WORD)
		return LONGEST_WORD;
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++)
		next_row(rows, a, i, b);
	return rows[a_length % 3][b_length];
}

struct nearest urivet_loader_nearest(const char *word)
{
	/* one typing error per three letters is plausible; with more it is another word */
	size_t slips = strlen(word) / 3 + 1;

	return (struct nearest){.word = word, .distance = slips < 3 ? (unsigned)slips + 1 : 4};
}

void urivet_loader_nearest_try(struct nearest *nearest, const char *candidate)
{
	unsigned slips = distance(nearest->word, candidate);

	if (slips < nearest->distance) {
		nearest->distance = slips;
		nearest->best = candidate;
	}
}
