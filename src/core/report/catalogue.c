/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue of findings as tables, generated from findings.def. */
#include <string.h>

#include "report/report.h"
#include "text/names.h"

#define FINDING_AS(policy, name, number, id, class_, ...) [number] = URIVET_##class_,
#define FINDING(...)                                      FINDING_AS(strict, __VA_ARGS__)
const uint8_t urivet_finding_class[URIVET_FINDING_LIMIT] = {
#include <urivet/findings.def>
};
#undef FINDING_AS

#define IS_ALSO(k, name) || (k) == URIVET_F_##name
/* clang-format off */
#define FINDING_AS(policy, name, number, id, class_, component, reference, fires, misses, \
		   text, ...) \
	{number, URIVET_##class_, URIVET_##component, id, reference, text, \
	 false WAIVED_FOR_PATHS(IS_ALSO, number)},
/* clang-format on */
static const struct urivet_finding_row rows[] = {
#include <urivet/findings.def>
};
#undef FINDING_AS

/* The row of each number plus 1; 0: no such number. */
enum row_number {
#define FINDING_AS(policy, name, ...) ROW_##name,
#include <urivet/findings.def>
#undef FINDING_AS
	ROWS
};

#define FINDING_AS(policy, name, number, ...) [number] = ROW_##name + 1,
static const uint16_t row_of[URIVET_FINDING_LIMIT] = {
#include <urivet/findings.def>
};
#undef FINDING_AS
#undef FINDING

const struct urivet_finding_row *urivet_finding_info(unsigned id)
{
	if (id >= URIVET_FINDING_LIMIT || row_of[id] == 0)
		return NULL;
	return &rows[row_of[id] - 1];
}

int urivet_finding_named(const char *name, size_t length)
{
	for (unsigned k = 0; k < ROWS; k++)
		if (is_named(rows[k].name, name, length))
			return rows[k].id;
	return -1;
}

const char *urivet_class_name(unsigned class_)
{
	static const char *const names[] = {"malformed", "ambiguous", "dangerous", "policy",
					    "note"};
	return class_ < sizeof names / sizeof names[0] ? names[class_] : NULL;
}

const char *urivet_component_name(unsigned component)
{
	static const char *const names[] = {"uri",  "scheme", "authority", "userinfo", "host",
					    "port", "path",   "query",     "fragment"};
	return component < URIVET_COMPONENTS ? names[component] : NULL;
}

#define TEXT_OF(x)                   #x
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *urivet_version(void)
{
	return VERSION(URIVET_VERSION_MAJOR, URIVET_VERSION_MINOR, URIVET_VERSION_PATCH);
}
