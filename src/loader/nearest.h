/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the word that somebody meant: the candidate with the smallest distance. */
#ifndef LOADER_NEAREST_H
#define LOADER_NEAREST_H

struct nearest {
	const char *word;
	const char *best;  /* NULL: none is near */
	unsigned distance; /* between word and best; only smaller ones are looked for */
};

struct nearest urivet_loader_nearest(const char *word);
void urivet_loader_nearest_try(struct nearest *nearest, const char *candidate);

#endif
