/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bugs that can be switched on, in a copy of the sources that fuzz/bugs.py makes: one program has
 * them all, and URIVET_BUG=NUMBER in its environment plants one. Each has two canaries: it was reached, and it
 * was triggered, which is to say that right and wrong differed. URIVET_BUG=watch looks at all of them at once and
 * does what is right.
 */
#ifndef PLANTED_H
#define PLANTED_H

#define PLANTED_MOST  128
#define PLANTED_WATCH (-2)

extern int planted_bug; /* its number, or PLANTED_WATCH, or -1: none */
void planted_tell(int number, int differs);
const char *planted_without(void); /* the oracle that URIVET_WITHOUT names is left out */
#define WITHOUT_ORACLE planted_without()

/* Both sides are without effect on anything else. */
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
