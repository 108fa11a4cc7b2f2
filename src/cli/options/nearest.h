/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the word that somebody meant: the candidate with the smallest distance. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

struct nearest {
	const char *word;
	const char *best;  /* NULL: none is near */
	unsigned distance; /* between word and best; only smaller ones are looked for */
};

struct nearest nearest_to(const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);

/* "<what> '<word>'", with the nearest candidate if there is one. */
void nearest_complain(const struct nearest *nearest, const char *what);

#endif
