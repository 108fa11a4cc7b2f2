/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a registered name. */
#include "uri/host.h"

#include "uri/uri.h"

/* Adds the facts about one label: label = ALNUM [ *61( ALNUM / "-" ) ALNUM ] */
/*@ requires readable(t) && at <= end <= URIVET_MAX_LENGTH && \valid(f);
    requires f->labels <= URIVET_MAX_LENGTH;
    assigns f->last.offset, f->last.length, f->labels, f->empty_label, f->long_label,
            f->bad_hyphen, f->alabel;
    ensures end > at ==> f->last.offset == at && f->last.length == end - at;
    ensures end == at ==> f->last.offset == \old(f->last.offset) &&
                          f->last.length == \old(f->last.length);
    ensures f->labels == \old(f->labels) + 1; */
static void label_facts(struct text t, uint32_t at, uint32_t end, uint32_t max_label,
			struct name_facts *f)
{
	if (end > at) {
		f->last.offset = at;
		f->last.length = end - at;
	}
	f->labels++;
	f->empty_label = f->empty_label || end == at;
	f->long_label = f->long_label || end - at > max_label;
	f->bad_hyphen = f->bad_hyphen || label_has_bad_hyphen(t, at, end);
	f->alabel = f->alabel || (octet(t, at + 2) == '-' && has_word(until(t, end), at, "xn--"));
}

void urivet_name_facts(struct text t, uint32_t at, uint32_t max_label, struct name_facts *facts)
{
	const uint32_t start = at;
	facts->labels = 0;
	facts->last.offset = at;
	facts->last.length = 0;
	facts->empty_label = facts->long_label = facts->bad_hyphen = facts->alabel = false;
	facts->final_dot = at < t.end && octet(t, t.end - 1) == '.';
	if (facts->final_dot)
		t = until(t, t.end - 1);
	facts->length = span(start, t.end).length;
	/*@ loop invariant start <= at <= \max(start, t.end) && facts->labels <= at - start;
	    loop invariant start <= facts->last.offset <= URIVET_MAX_LENGTH;
	    loop invariant facts->last.offset + facts->last.length <= \max(start, t.end);
	    loop assigns at, facts->last.offset, facts->last.length, facts->labels,
	                 facts->empty_label, facts->long_label, facts->bad_hyphen, facts->alabel;
	    loop variant t.end - at; */
	for (;;) {
		const uint32_t end = label_end(t, at);
		label_facts(t, at, end, max_label, facts);
		if (end >= t.end)
			return;
		at = end + 1;
	}
}
