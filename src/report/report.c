/* SPDX-License-Identifier: Apache-2.0 */
/* The report: findings go in by urivet_add(), the verdict comes from urivet_close(). */
#include "report/report.h"

/* Where the query is opaque, what stands in it refuses only if it is raised, or is an octet that
 * can split a request or header, raw or once decoded; or if the "?" in front stands where a path
 * should; or if a parameter was judged and refused, which was asked for. */
/*@ assigns \nothing; */
static bool refuses_in_opaque_query(unsigned id)
{
	switch (id) {
	case URIVET_F_ESCAPED_CRLF:
	case URIVET_F_ESCAPED_NUL:
	case URIVET_F_ESCAPED_CONTROL:
	case URIVET_F_CONTROL_CHAR:
	case URIVET_F_RAW_TAB:
	case URIVET_F_RAW_CRLF:
	case URIVET_F_RAW_SPACE:
	case URIVET_F_NON_ASCII:
	case URIVET_F_QUERY_AFTER_EMPTY_PATH:
	case URIVET_F_PARAM_REFUSED:
		return true;
	default:
		return false;
	}
}

bool urivet_refuses(const struct urivet_policy *policy, unsigned id, unsigned c)
{
	const bool left_alone =
	    is_query_opaque(policy) && c == URIVET_QUERY && !refuses_in_opaque_query(id);
	if (left_alone || urivet_finding_class[id] == URIVET_NOTE)
		return in_set(&policy->raised, id);
	return !in_set(&policy->waived, id);
}

/* Counts another occurrence of a finding that is in the report; false if it is not there. */
/*@ requires \valid(r) && r->count <= URIVET_MAX_FINDINGS;
    assigns r->finding[0 .. URIVET_MAX_FINDINGS - 1]; */
static bool occurs_again(struct urivet_report *r, unsigned id, uint8_t c, uint32_t in,
			 struct urivet_span where)
{
	/*@ loop invariant k <= r->count;
	    loop assigns k;
	    loop variant r->count - k; */
	for (uint32_t k = 0; k < r->count; k++) {
		struct urivet_finding *f = &r->finding[k];
		if (f->id != id)
			continue;
		if (where.offset < f->span.offset) {
			f->span = where;
			f->component = c;
			f->in = in;
		}
		f->count += f->count < UINT32_MAX;
		return true;
	}
	return false;
}

/* The first occurrence of a finding; if there is no room for it, it is only counted. */
/*@ requires \valid(r) && r->count <= URIVET_MAX_FINDINGS && id < URIVET_FINDING_LIMIT;
    assigns r->finding[0 .. URIVET_MAX_FINDINGS - 1], r->count, r->dropped;
    ensures r->count <= URIVET_MAX_FINDINGS; */
static void occurs(struct urivet_report *r, unsigned id, uint8_t c, uint32_t in,
		   struct urivet_span where)
{
	struct urivet_finding *f;
	if (r->count >= URIVET_MAX_FINDINGS) {
		r->dropped += r->dropped < UINT32_MAX;
		return;
	}
	f = &r->finding[r->count++];
	f->id = (uint16_t)id;
	f->class_ = urivet_finding_class[id];
	f->component = c;
	f->in = in;
	f->span = where;
	f->count = 1;
}

void urivet_add_anywhere(struct subject *s, enum urivet_id id, enum urivet_component c,
			 struct urivet_span where)
{
	s->refused = s->refused || urivet_refuses(s->policy, id, (unsigned)c);
	if (!occurs_again(s->report, id, (uint8_t)c, s->in, where))
		occurs(s->report, id, (uint8_t)c, s->in, where);
}

void urivet_add(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t offset,
		uint32_t end)
{
	urivet_add_anywhere(s, id, c, span(offset, end));
}

void urivet_add_runs(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t kinds)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	/*@ loop invariant judging(s) && where.offset <= i;
	    loop invariant i < t.end ==> stands(t, i, kinds);
	    loop assigns i, FOUND(s);
	    loop variant t.end - i; */
	for (uint32_t i = find(t, where.offset, kinds); i < t.end;) {
		const uint32_t end = skip(t, i, kinds);
		urivet_add(s, id, c, i, end);
		i = find(t, end, kinds);
	}
}

/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static bool before(const struct urivet_finding *a, const struct urivet_finding *b)
{
	if (a->span.offset != b->span.offset)
		return a->span.offset < b->span.offset;
	return a->id < b->id;
}

/* Insertion sort, for there are few findings, and they are nearly in order. */
/*@ requires \valid(r) && r->count <= URIVET_MAX_FINDINGS;
    assigns r->finding[0 .. URIVET_MAX_FINDINGS - 1]; */
static void order(struct urivet_report *r)
{
	/*@ loop invariant 1 <= k;
	    loop assigns k, r->finding[0 .. URIVET_MAX_FINDINGS - 1];
	    loop variant r->count - k; */
	for (uint32_t k = 1; k < r->count; k++) {
		const struct urivet_finding f = r->finding[k];
		uint32_t j = k;
		/*@ loop invariant j <= k;
		    loop assigns j, r->finding[0 .. URIVET_MAX_FINDINGS - 1];
		    loop variant j; */
		while (j > 0 && before(&f, &r->finding[j - 1])) {
			r->finding[j] = r->finding[j - 1];
			j--;
		}
		r->finding[j] = f;
	}
}

/*@ requires \valid(r);
    assigns r->verdict; */
static inline enum urivet_verdict set_verdict(struct urivet_report *r, bool refused)
{
	return r->verdict = r->parsed && !refused ? URIVET_ACCEPT : URIVET_REJECT;
}

void urivet_close(struct subject *s)
{
	order(s->report);
	(void)set_verdict(s->report, s->refused);
}

/*@ requires \valid(part) && offset <= end;
    assigns part->offset, part->length;
    ensures part->offset == offset && part->length == end - offset; */
static inline void set_span(struct urivet_span *part, uint32_t offset, uint32_t end)
{
	part->offset = offset;
	part->length = end - offset;
}

/*@ requires \valid(uri) && 7 <= host < path <= end <= URIVET_MAX_LENGTH;
    assigns uri->part[0 .. URIVET_COMPONENTS - 1];
    ensures parts_in(uri, end);
    ensures uri->part[URIVET_WHOLE].offset == 0;
    ensures uri->part[URIVET_HOST].offset == host;
    ensures uri->part[URIVET_HOST].length == path - host;
    ensures uri->part[URIVET_PATH].offset == path;
    ensures uri->part[URIVET_PATH].length == end - path; */
static inline void plain_parts(struct urivet_uri *uri, uint32_t host, uint32_t path, uint32_t end)
{
	set_span(&uri->part[URIVET_WHOLE], 0, end);
	set_span(&uri->part[URIVET_SCHEME], 0, host - 3);
	set_span(&uri->part[URIVET_AUTHORITY], host, path);
	set_span(&uri->part[URIVET_USERINFO], 0, 0);
	set_span(&uri->part[URIVET_HOST], host, path);
	set_span(&uri->part[URIVET_PORT], 0, 0);
	set_span(&uri->part[URIVET_PATH], path, end);
	set_span(&uri->part[URIVET_QUERY], 0, 0);
	set_span(&uri->part[URIVET_FRAGMENT], 0, 0);
}

/*@ requires \valid(uri);
    assigns uri->present, uri->port, uri->scheme, uri->host_kind, uri->has_ipv4,
            uri->authority_in, uri->address[0 .. 15]; */
static inline void plain_facts(struct urivet_uri *uri, bool secure)
{
	uri->present = bit(URIVET_WHOLE) | bit(URIVET_SCHEME) | bit(URIVET_AUTHORITY) |
		       bit(URIVET_HOST) | bit(URIVET_PATH);
	uri->port = secure ? 443 : 80;
	uri->scheme = secure ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	uri->host_kind = URIVET_HOST_NAME;
	uri->has_ipv4 = 0;
	uri->authority_in = URIVET_IN_INPUT;
	/*@ loop invariant k <= 16;
	    loop assigns k, uri->address[0 .. 15];
	    loop variant 16 - k; */
	for (unsigned k = 0; k < sizeof uri->address; k++)
		uri->address[k] = 0;
}

enum urivet_verdict urivet_report_plain(struct urivet_report *r, uint32_t host, uint32_t path,
					uint32_t end)
{
	plain_facts(&r->uri, host == sizeof "https://" - 1);
	r->size = sizeof *r;
	r->parsed = true;
	clear_findings(r);
	plain_parts(&r->uri, host, path, end);
	return set_verdict(r, false);
}
