/* SPDX-License-Identifier: Apache-2.0 */
#include "common/text/library.h"
#include "common/text/output.h"
#include <dlfcn.h>

/* ISO C has no cast from an object's pointer to that of a function; dlsym(3) asks for it. */
static bool find_all(const struct library *library, char *pointers)
{
	void *const handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);

	if (handle == NULL)
		return complain("%s needs %s: install the Debian package %s", library->use,
				library->name, library->package);
	for (size_t i = 0; library->functions[i] != NULL; i++) {
		void *const found = dlsym(handle, library->functions[i]);

		if (found == NULL)
			return complain("%s: %s lacks %s, which %s has", library->use,
					library->name, library->functions[i], library->release);
		memcpy(pointers + i * sizeof found, &found, sizeof found);
	}
	return true;
}

bool library_open(struct library *library, void *pointers)
{
	if (!library->was_opened)
		library->is_usable = find_all(library, pointers);
	library->was_opened = true;
	return library->is_usable;
}
