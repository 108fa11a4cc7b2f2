/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of public suffixes once for all policies of a harness: sorting its rules would take
 * most of the time. The linker puts these functions in place of the library's. */
#include <urivet/policy.h>

struct urivet_suffixes *__real_urivet_suffixes_open(urivet_on_message *on_message, void *context);
struct urivet_suffixes *__wrap_urivet_suffixes_open(urivet_on_message *on_message, void *context);
void __wrap_urivet_suffixes_close(struct urivet_suffixes *suffixes);

struct urivet_suffixes *__wrap_urivet_suffixes_open(urivet_on_message *on_message, void *context)
{
	static struct urivet_suffixes *list;

	if (list == NULL)
		list = __real_urivet_suffixes_open(on_message, context);
	return list;
}

void __wrap_urivet_suffixes_close(struct urivet_suffixes *suffixes)
{
	(void)suffixes;
}
