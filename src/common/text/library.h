/* SPDX-License-Identifier: Apache-2.0 */
/* Opens libraries when they are first needed: linked, they would slow down each start of the command. */
#ifndef COMMON_LIBRARY_H
#define COMMON_LIBRARY_H

#include <stdbool.h>

/* Rows of an X macro of functions: the members of the struct of their pointers, and their names. */
#define LIBRARY_POINTER(name) __typeof__(name) *(name);
#define LIBRARY_NAME(name)    #name,

struct library {
	const char *use;  /* what needs it, in messages */
	const char *name; /* its SONAME */
	const char *package;
	const char *release; /* the oldest that has all functions */
	const char *const *functions; /* their names; NULL ends them */
	bool was_opened;
	bool is_usable;
};

/* Opens the library, and writes the pointers of its functions to the struct at `pointers`, in their
 * order. Returns false, and reports it the first time, if the library or a function is missing. */
bool library_open(struct library *library, void *pointers);

#endif
