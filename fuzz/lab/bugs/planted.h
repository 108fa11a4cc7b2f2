/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bugs that can be switched on, in a copy of the sources made by fuzz/bugs.py. One program contains
 * all of them, and URIVET_BUG=NUMBER in its environment plants one; see planted.c for its canaries.
 */
#ifndef PLANTED_H
#define PLANTED_H

#define PLANTED_MOST 256

extern int planted_bug;    /* its number, or -1 for none */
extern int planted_survey; /* evaluates every bug, and plants none */
void planted_record(int number, int differs);

/* Both expressions must have no side effects. */
#define BUG(number, right, wrong)                                                                  \
	__extension__({                                                                            \
		__auto_type planted_value_##number = (right);                                      \
		if (planted_bug == (number) || planted_survey) {                                   \
			const __auto_type planted_wrong_##number = (wrong);                        \
			planted_record(number, planted_value_##number != planted_wrong_##number);    \
			if (!planted_survey)                                                       \
				planted_value_##number = planted_wrong_##number;                   \
		}                                                                                  \
		planted_value_##number;                                                            \
	})

#endif
