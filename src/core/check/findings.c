/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as text and numbers, for languages that have no structures of C. */
#include "check/check.h"
#include "text/out.h"

size_t urivet_format_ids(char *out, size_t capacity, const struct urivet_report *report,
			 const struct urivet_policy *policy)
{
	struct out o = {out, capacity, 0};
	for (uint32_t k = 0; urivet_is_filled(report) && k < report->count; k++) {
		const char *name = urivet_finding_name(report->finding[k].id);
		if (name == NULL || !urivet_finding_refuses(report, &report->finding[k], policy))
			continue;
		if (o.length > 0)
			put(&o, ',');
		for (; *name != '\0'; name++)
			put(&o, (unsigned char)*name);
	}
	return put_end(&o);
}

unsigned urivet_finding_at(const struct urivet_report *report, size_t index, size_t *offset,
			   size_t *length)
{
	if (!urivet_is_filled(report) || index >= report->count)
		return 0;
	if (offset != NULL)
		*offset = report->finding[index].span.offset;
	if (length != NULL)
		*length = report->finding[index].span.length;
	return report->finding[index].id;
}

const char *urivet_finding_name(unsigned id)
{
	const struct urivet_finding_row *row = urivet_finding_info(id);
	return row != NULL ? row->name : NULL;
}

const char *urivet_component_at(const struct urivet_report *report, enum urivet_component component,
				const void *data, size_t length, size_t *octets)
{
	const struct urivet_text none = {NULL, 0}, text = {data, length};
	struct urivet_text part = none;
	if (urivet_is_filled(report) && report->parsed)
		part = urivet_part(&report->uri, component, text, none);
	*octets = part.length;
	return part.data;
}
