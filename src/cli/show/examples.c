/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a table of what findings.def has beside the library's rows. */
#include "cli/show/examples.h"

struct example example_of(unsigned id)
{
#define TEXT(string) {(const uint8_t *)(string), sizeof(string) - 1}
#define FINDING_AS(policy, name, number, id, class_, component, reference, fires, misses, text,    \
		   rank, next)                                                                     \
	[number] = {#policy, TEXT(fires), TEXT(misses), rank, next},
#define FINDING(...) FINDING_AS(strict, __VA_ARGS__)
	static const struct example examples[URIVET_FINDING_LIMIT] = {
#include <urivet/findings.def>
	};
#undef FINDING
#undef FINDING_AS
#undef TEXT
	return examples[id % URIVET_FINDING_LIMIT];
}
