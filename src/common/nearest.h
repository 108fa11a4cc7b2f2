/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the word that was probably meant: the candidate with the smallest edit distance. */
#ifndef COMMON_NEAREST_H
#define COMMON_NEAREST_H

struct nearest {
	const char *word;
	const char *best;  /* NULL if no candidate is near */
	unsigned distance; /* between word and best; only nearer candidates are accepted */
};

struct nearest urivet_loader_nearest(const char *word);
void urivet_loader_nearest_try(struct nearest *nearest, const char *candidate);

#endif
