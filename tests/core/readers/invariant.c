/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differential invariant: whatever strict accepts, every reader that takes
 * it and finds a host that can be looked up reads alike. Records on standard
 * input, each ended by NUL; the closing line counts them. Exit status 1 if a
 * reader disagrees.
 */
#include <stdio.h>
#include <string.h>

#include <urivet.h>
#include <urivet/readers.h>

struct view {
	const struct urivet_uri *uri;
	const char *text;
};

/* An octet in the one spelling that counts: "%2f" for "%2F", "%27" for "'". */
static size_t spell(const char *p, const char *end, char out[4])
{
	out[1] = '\0';
	out[0] = *p;
	if (*p == '\'')
		strcpy(out, "%27");
	if (*p != '%' || end - p < 3)
		return 1;
	snprintf(out, 4, "%%%c%c", p[1] >= 'a' ? p[1] - 32 : p[1], p[2] >= 'a' ? p[2] - 32 : p[2]);
	return 3;
}

static int lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static int same_piece(struct view a, struct view b, enum urivet_component c)
{
	const char *p = a.text + a.uri->part[c].offset, *p_end = p + a.uri->part[c].length;
	const char *q = b.text + b.uri->part[c].offset, *q_end = q + b.uri->part[c].length;
	while (p < p_end && q < q_end) {
		char x[4], y[4];
		p += spell(p, p_end, x);
		q += spell(q, q_end, y);
		if (c == URIVET_SCHEME || c == URIVET_HOST
			? lower(x[0]) != lower(y[0]) || strcmp(x + 1, y + 1) != 0
			: strcmp(x, y) != 0)
			return 0;
	}
	return p == p_end && q == q_end;
}

static int same_path(struct view a, struct view b)
{
	const struct urivet_span p = a.uri->part[URIVET_PATH], q = b.uri->part[URIVET_PATH];
	if (p.length == 0 && q.length == 1 && b.text[q.offset] == '/')
		return 1;
	return same_piece(a, b, URIVET_PATH);
}

static int same_host(struct view a, struct view b)
{
	if (a.uri->host_kind == URIVET_HOST_IPV6 || b.uri->host_kind == URIVET_HOST_IPV6)
		return a.uri->host_kind == b.uri->host_kind &&
		       memcmp(a.uri->address, b.uri->address, 16) == 0;
	if (a.uri->has_ipv4 != b.uri->has_ipv4)
		return 0;
	return same_piece(a, b, URIVET_HOST);
}

static const char *difference(struct view strict, struct view other)
{
	if (!same_piece(strict, other, URIVET_SCHEME))
		return "scheme";
	if (other.uri->part[URIVET_USERINFO].length > 0)
		return "userinfo";
	if (!same_host(strict, other))
		return "host";
	if (strict.uri->port != other.uri->port)
		return "port";
	if (!same_path(strict, other))
		return "path";
	if (!same_piece(strict, other, URIVET_QUERY))
		return "query";
	if (!same_piece(strict, other, URIVET_FRAGMENT))
		return "fragment";
	return NULL;
}

static unsigned judge(const char *data, size_t length)
{
	static char out[URIVET_READING_CAPACITY(1 << 16)];
	struct urivet_report report;
	unsigned differences = 0;
	urivet_check(&report, data, length, NULL);
	for (unsigned k = 0; k < URIVET_READERS; k++) {
		struct urivet_reading r;
		const struct view strict = {&report.uri, data};
		struct view other = {&r.uri, data};
		const char *what;
		if (!urivet_read_as(&r, k, data, length, out, sizeof out) ||
		    r.uri.host_kind == URIVET_HOST_REGISTRY)
			continue;
		other.text = r.written > 0 ? out : data;
		what = difference(strict, other);
		if (what == NULL)
			continue;
		differences++;
		printf("%s reads another %s: %.*s\n", urivet_reader_name(k), what, (int)length,
		       data);
	}
	return differences;
}

int main(void)
{
	static char record[1 << 16];
	size_t length = 0;
	unsigned long records = 0, accepted = 0, differences = 0;
	int c;
	while ((c = getchar()) != EOF) {
		if (c != '\0' && length < sizeof record) {
			record[length++] = (char)c;
			continue;
		}
		records++;
		if (urivet_ok(record, length)) {
			accepted++;
			differences += judge(record, length);
		}
		length = 0;
	}
	printf("invariant: %lu records, %lu accepted, %lu differences\n", records, accepted,
	       differences);
	return differences > 0 || accepted == 0;
}
