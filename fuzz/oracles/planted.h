/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bugs that can be switched on, in a copy of the sources made by fuzz/bugs.py. One program contains
 * all of them, and URIVET_BUG=NUMBER in its environment plants one. Each has two canaries: it was
 * reached, and it was triggered, which means that right and wrong values differed. URIVET_BUG=watch
 * watches all bugs and keeps the right behaviour.
 */
#ifndef PLANTED_H
#define PLANTED_H

#define PLANTED_MOST  256
#define PLANTED_WATCH (-2)

extern int planted_bug; /* its number, PLANTED_WATCH, or -1 for none */
void planted_tell(int number, int differs);
const char *planted_without(void); /* Returns the oracle to leave out, from URIVET_WITHOUT. */
#define WITHOUT_ORACLE planted_without()

/* Both expressions must have no side effects. */
#define BUG(number, right, wrong)                                                                  \
	__extension__({                                                                            \
		__auto_type planted_value_##number = (right);                                      \
		if (planted_bug == (number) || planted_bug == PLANTED_WATCH) {                     \
			const __auto_type planted_wrong_##number = (wrong);                        \
			planted_tell(number, planted_value_##number != planted_wrong_##number);    \
			if (planted_bug == (number))                                               \
				planted_value_##number = planted_wrong_##number;                   \
		}                                                                                  \
		planted_value_##number;                                                            \
	})

#endif
