/* SPDX-License-Identifier: Apache-2.0 */
/* An extension that asks an engine whether its functions stand where src/bindings/duckdb/api.h says: it can be
 * loaded only if they do, but for one that it takes for another, by which the test sees that it looks. */
#define _GNU_SOURCE
#include "bindings/duckdb/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct {
	unsigned place;
	const char *name;
} calls[] = {
#define CALL(place, returns, name, given) {place, "duckdb_" #name},
    API_CALLS(CALL)
#undef CALL
};

__attribute__((visibility("default"))) bool places_init_c_api(extension_info info,
							      struct extension_access *access);
bool places_init_c_api(extension_info info, struct extension_access *access)
{
	void *const *table = access->get_api(info, API_VERSION);
	char message[200];
	Dl_info found;

	for (size_t i = 0; table != NULL && i < sizeof calls / sizeof calls[0]; i++) {
		if (dladdr(table[calls[i].place + SHIFT], &found) != 0 && found.dli_sname != NULL &&
		    strcmp(found.dli_sname, calls[i].name) == 0)
			continue;
		snprintf(message, sizeof message, "%s is not at place %u", calls[i].name,
			 calls[i].place);
		access->set_error(info, message);
		return false;
	}
	return table != NULL;
}
