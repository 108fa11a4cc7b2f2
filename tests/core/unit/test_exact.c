/* SPDX-License-Identifier: Apache-2.0 */
/* Tests whole reports: every finding of an input, its place and its count, and no other finding.
 * Expectations are written by hand from the catalogue's texts and the standards that it names. */
#include "support.h"

#include <stdlib.h>

TestSuite(exact, .timeout = 60);

#define MOST 12

/* An expected finding: "id:text" lies at the first occurrence of the text; "id:before`text" at
 * the text after another text; "id*3:text" occurs three times. */
struct row {
	const char *policy; /* NULL: strict; "+id", "-id": strict with that finding raised or waived */
	const char *uri, *found[MOST];
};

static struct urivet_policy policy_of(const char *name)
{
	struct urivet_policy policy = built_in(URIVET_STRICT);
	const unsigned id = name != NULL ? (unsigned)urivet_finding_named(name + 1, strlen(name + 1)) : 0;
	if (name != NULL && strchr("+-", name[0]) != NULL)
		cr_assert(name[0] == '+' ? urivet_policy_raise(&policy, id) : urivet_policy_waive(&policy, id));
	else if (name != NULL)
		policy = built_in(urivet_policy_named(name, strlen(name)));
	return policy;
}

static const char *after(const char *text, const char *end, const char *mark)
{
	const char *found = memmem(text, (size_t)(end - text), mark, strlen(mark));
	return found != NULL ? found + strlen(mark) : NULL;
}

static void expect_finding(const struct urivet_report *r, const char *item, const char *uri,
                           size_t length)
{
	char name[64], before[256] = "";
	const char *colon = strchr(item, ':'), *star = memchr(item, '*', (size_t)(colon - item));
	const char *text = colon + 1, *tick = strchr(text, '`');
	const size_t n = (size_t)((star != NULL ? star : colon) - item);
	const unsigned long count = star != NULL ? strtoul(star + 1, NULL, 10) : 1;
	memcpy(name, item, n);
	name[n] = '\0';
	if (tick != NULL) {
		memcpy(before, text, (size_t)(tick - text));
		before[tick - text] = '\0';
		text = tick + 1;
	}
	char whole[512];
	snprintf(whole, sizeof whole, "%s%s", before, text);
	const char *end = after(uri, uri + length, whole);
	cr_expect(end != NULL, "%s: where is %s?", shown(uri, length), item);
	if (end == NULL)
		return;
	const struct urivet_finding_row *row = urivet_finding_info((unsigned)urivet_finding_named(name, n));
	cr_assert(row != NULL, "%s", name);
	const struct urivet_finding *f = finding_in(r, row->id);
	cr_expect(f != NULL, "%s: no %s: %s", shown(uri, length), name, ids_of(r));
	if (f == NULL)
		return;
	const size_t offset = (size_t)(end - uri) - strlen(text);
	cr_expect(f->span.offset == offset && f->span.length == strlen(text) && f->count == count,
	          "%s: %s at %u, %u octets, %u times", shown(uri, length), name,
	          (unsigned)f->span.offset, (unsigned)f->span.length, (unsigned)f->count);
}

static void expect_report(const struct urivet_report *r, const struct row *row, size_t length)
{
	bool notes = true;
	unsigned n = 0;
	for (; n < MOST && row->found[n] != NULL; n++)
		expect_finding(r, row->found[n], row->uri, length);
	cr_expect(r->count == n && r->dropped == 0, "%s: %s", shown(row->uri, length), ids_of(r));
	for (uint32_t k = 0; k < r->count; k++)
		notes = notes && (r->finding[k].class_ == URIVET_NOTE ||
				  (r->finding[k].id == URIVET_F_ESCAPE_MIXED_IRI &&
				   r->finding[k].component != URIVET_FRAGMENT));
	if (row->policy == NULL || strchr("+-", row->policy[0]) == NULL)
		cr_expect((r->verdict == URIVET_ACCEPT) == notes, "%s", shown(row->uri, length));
}

static void expect_reports(const struct row *rows, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		const struct urivet_policy policy = policy_of(rows[k].policy);
		const size_t length = strlen(rows[k].uri);
		struct urivet_report r;
		judge(&r, rows[k].uri, length, &policy);
		expect_report(&r, &rows[k], length);
	}
}

#define EXPECT(rows) expect_reports(rows, sizeof rows / sizeof rows[0])
/* clang-format off */

/* RFC 3986, 3.2.1 and 7.6 */
static const struct row userinfos[] = {
	{0, "http://u@h/", {"userinfo-present:u@"}}, {0, "http://@h/", {"userinfo-present:@"}},
	{0, "http://u:p@h/", {"userinfo-present:u:p@"}},
	{0, "http://a.b@h/", {"userinfo-present:a.b@", "userinfo-misleading:a.b@", "path-rootless:a.b`"}},
	{0, "http://a.b:c@h/", {"userinfo-present:a.b:c@", "userinfo-misleading:a.b:c@"}},
	{0, "http://a.b&c@h/", {"userinfo-present:a.b&c@", "userinfo-misleading:a.b&c@"}},
	{0, "http://a.b%20@h/", {"userinfo-present:a.b%20@", "userinfo-misleading:a.b%20@"}},
	{0, "http://a.b=c@h/", {"userinfo-present:a.b=c@", "userinfo-misleading:a.b=c@"}},
	{0, "http://a.b;c@h/", {"userinfo-present:a.b;c@", "userinfo-misleading:a.b;c@", "userinfo-delimiter:a.b;c@"}},
	{0, "http://1.2.3.4@h/", {"userinfo-present:1.2.3.4@", "userinfo-misleading:1.2.3.4@", "path-rootless:1.2.3.4`"}},
	{0, "http://a@h/", {"userinfo-present:a@"}}, /* no dot: no reader takes it for a host that ends at the @ */
	{0, "http://a-b.c@h/", {"userinfo-present:a-b.c@", "userinfo-misleading:a-b.c@", "path-rootless:a-b.c`"}},
	{0, "http://a.b+c@h/", {"userinfo-present:a.b+c@", "userinfo-misleading:a.b+c@"}},
	{0, "http://.a@h/", {"userinfo-present:.a@"}}, {0, "http://a.@h/", {"userinfo-present:a.@"}},
	{0, "http://a..b@h/", {"userinfo-present:a..b@", "userinfo-misleading:a..b@"}},
	{0, "http://a..@h/", {"userinfo-present:a..@"}},
	{0, "http://a.b!c@h/", {"userinfo-present:a.b!c@", "userinfo-misleading:a.b!c@"}},
	{0, "http://a.b,c@h/", {"userinfo-present:a.b,c@", "userinfo-misleading:a.b,c@"}},
	{0, "http://a!b.c@h/", {"userinfo-present:a!b.c@"}},
	{0, "http://!.a.b@h/", {"userinfo-present:!.a.b@", "userinfo-misleading:!.a.b@"}},
	{0, "http://.a.b@h/", {"userinfo-present:.a.b@", "userinfo-misleading:.a.b@"}},
	{0, "http://a_b.c@h/", {"userinfo-present:a_b.c@", "userinfo-misleading:a_b.c@"}},
	{0, "http://%20a.b@h/", {"userinfo-present:%20a.b@", "userinfo-misleading:%20a.b@"}},
	{0, "http://a%2Eb@h/", {"userinfo-present:a%2Eb@", "userinfo-misleading:a%2Eb@", "escaped-unreserved:%2E"}},
	{0, "http://a%2E@h/", {"userinfo-present:a%2E@", "escaped-unreserved:%2E"}},
	{0, "http://%C3%A9.a@h/", {"userinfo-present:%C3%A9.a@", "userinfo-misleading:%C3%A9.a@"}},
	{0, "http://ab:c.d@h/", {"userinfo-present:ab:c.d@"}},
	{0, "http://a@b@h/", {"userinfo-present:a@b@", "userinfo-multiple-at:a@b@"}},
	{0, "http://u;v@h/", {"userinfo-present:u;v@", "userinfo-delimiter:u;v@"}},
	{0, "http://u[v@h/", {"userinfo-present:u[v@", "userinfo-delimiter:u[v@", "forbidden-char:["}},
	{0, "http://[::@f:80/", {"userinfo-present:[::@", "userinfo-delimiter:[::@", "forbidden-char:[", "authority-empty-port-at:[::@", "port-default:80"}},
	{0, "http://:[8?", {"host-empty:://`", "port-invalid:[8", "path-empty:[8`", "query-empty:?", "query-after-empty-path:?`"}},
	{0, "http://u]v@h/", {"userinfo-present:u]v@", "forbidden-char:]"}},
	{0, "http://u\\v@h/", {"userinfo-present:u\\v@", "userinfo-delimiter:u\\v@", "forbidden-char:\\", "backslash-authority:\\"}},
	{0, "http://u%2Fv@h/", {"userinfo-present:u%2Fv@", "userinfo-encoded-delimiter:u%2Fv@"}},
	{0, "http://u%3Fv@h/", {"userinfo-present:u%3Fv@", "userinfo-encoded-delimiter:u%3Fv@"}},
	{0, "http://u%23v@h/", {"userinfo-present:u%23v@", "userinfo-encoded-delimiter:u%23v@"}},
	{0, "http://u%3Av@h/", {"userinfo-present:u%3Av@", "userinfo-encoded-delimiter:u%3Av@"}},
	{0, "http://u%40v@h/", {"userinfo-present:u%40v@", "userinfo-encoded-delimiter:u%40v@"}},
	{0, "http://u%5Bv@h/", {"userinfo-present:u%5Bv@", "userinfo-encoded-delimiter:u%5Bv@"}},
	{0, "http://u%5Cv@h/", {"userinfo-present:u%5Cv@", "userinfo-encoded-delimiter:u%5Cv@"}},
	{0, "http://u%5Dv@h/", {"userinfo-present:u%5Dv@", "userinfo-encoded-delimiter:u%5Dv@"}},
	{0, "http://u%00v@h/", {"userinfo-present:u%00v@", "userinfo-encoded-delimiter:u%00v@", "escaped-nul:%00"}},
	{0, "http://u%09v@h/", {"userinfo-present:u%09v@", "userinfo-encoded-delimiter:u%09v@", "escaped-control:%09"}},
	{0, "http://u%0Av@h/", {"userinfo-present:u%0Av@", "userinfo-encoded-delimiter:u%0Av@", "escaped-crlf:%0A"}},
	{0, "http://u%1Fv@h/", {"userinfo-present:u%1Fv@", "userinfo-encoded-delimiter:u%1Fv@", "escaped-control:%1F"}},
	{0, "http://u%7Fv@h/", {"userinfo-present:u%7Fv@", "userinfo-encoded-delimiter:u%7Fv@", "escaped-control:%7F"}},
	{0, "http://u%20v%2F@h/", {"userinfo-present:u%20v%2F@", "userinfo-encoded-delimiter:u%20v%2F@"}},
	{0, "http://u%21v@h/", {"userinfo-present:u%21v@"}},
	{0, "http://u%26v@h/", {"userinfo-present:u%26v@"}},
	{0, "http://u%80v@h/", {"userinfo-present:u%80v@"}},
	{0, "http://u%2Gv@h/", {"userinfo-present:u%2Gv@", "bad-escape:%2G"}},
	{0, "http://u:@h/", {"userinfo-present:u:@", "authority-empty-port-at:u:@"}},
	{0, "http://:p@h/", {"userinfo-present::p@", "authority-empty-port-at::p@"}},
	{0, "http://u:@v@h/", {"userinfo-present:u:@v@", "userinfo-multiple-at:u:@v@", "authority-empty-port-at:u:@v@"}},
	{0, "http://@v:@h/", {"userinfo-present:@v:@", "userinfo-multiple-at:@v:@", "authority-empty-port-at:@v:@"}},
	{0, "http://u@v@h/", {"userinfo-present:u@v@", "userinfo-multiple-at:u@v@"}},
	{0, "http://u@/", {"userinfo-present:u@", "authority-empty-port-at:u@", "host-empty:u@`"}},
	{0, "http://h?@g/", {"userinfo-delimiter:h?@", "fragment-authority-confusion:h?@", "path-empty://h`", "query-after-empty-path:@g/"}},
	{0, "http://h#@g", {"userinfo-delimiter:h#@", "fragment-authority-confusion:h#@", "path-empty://h`", "fragment-after-empty-path:@g"}},
	{0, "http://h?a@g", {"userinfo-delimiter:h?a@", "fragment-authority-confusion:h?a@", "path-empty://h`", "query-after-empty-path:a@g"}},
	{0, "http://h?a/@g", {"path-empty://h`", "query-after-empty-path:a/@g"}}, {0, "http://h/?@g", {0}},
	{0, "http://a\\\\b\\c@h/", {"userinfo-present:a\\\\b\\c@", "userinfo-delimiter:a\\\\b\\c@", "forbidden-char*2:\\\\", "backslash-authority*2:\\\\"}},
};

/* RFC 3986, 3.1; RFC 6694 and others for schemes outside the web */
static const struct row schemes[] = {
	{0, "", {"not-absolute:"}}, {0, "h", {"not-absolute:"}}, {0, "//h/", {"not-absolute:"}},
	{0, "//h/a:b", {"not-absolute:"}}, {0, "/a:b", {"not-absolute:"}}, {0, "?a:b", {"not-absolute:"}},
	{0, "HtTp://h/", {"scheme-case:HtTp"}},
	{0, "http:h", {"scheme-slash-missing:http:`", "path-rootless:http:`h"}},
	{0, "http:/h", {"scheme-slash-missing:http:/`"}}, {0, "http:", {"scheme-slash-missing:http:`"}},
	{0, "http:///h/", {"host-empty:http://`", "scheme-slash-excess:http://`/"}},
	{0, "http:////h/", {"host-empty:http://`", "scheme-slash-excess:http://`//", "path-leading-double-slash:http://`//"}},
	{0, "http:\\\\h/", {"scheme-slash-missing:http:`", "backslash-authority:\\\\", "forbidden-char:\\\\", "backslash-path:\\\\"}},
	{0, "http:/\\h/", {"scheme-slash-missing:http:/`", "backslash-authority:\\", "forbidden-char:\\", "backslash-path:\\"}},
	{0, "http://\\h/", {"scheme-slash-excess:http://`\\", "backslash-authority:\\", "host-forbidden-char:\\"}},
	{0, "http:///\\h", {"host-empty:http://`", "scheme-slash-excess:http://`/\\", "forbidden-char:\\", "backslash-authority:\\", "backslash-path:\\"}},
	{0, "\\\\h/", {"not-absolute:", "backslash-authority:\\\\", "forbidden-char:\\\\", "backslash-path:\\\\"}},
	{0, "\\h/", {"not-absolute:", "forbidden-char:\\", "backslash-path:\\"}},
	{0, "/\\h/", {"not-absolute:", "backslash-authority:\\", "forbidden-char:\\", "backslash-path:\\"}},
	{0, "http:::", {"scheme-slash-missing:http:`", "path-rootless:http:`::", "scheme-malformed:http:`::"}},
	{0, "http://http://h/", {"scheme-malformed:http://`http:", "port-empty:http://http`:", "path-leading-double-slash:http://http:`//"}},
	{0, "http://http:/h/", {"port-empty:http://http`:"}},
	{0, "1a:b", {"not-absolute:", "scheme-malformed:1a", "path-colon-first:1a"}},
	{0, "1a://h/", {"not-absolute:", "scheme-malformed:1a"}},
	{0, ":b", {"not-absolute:", "scheme-malformed:", "path-colon-first:"}}, {0, "a/b:c", {"not-absolute:"}},
	{0, "www.hi/a", {"not-absolute:", "scheme-guess:www.hi"}},
		{0, "www.hi", {"not-absolute:", "scheme-guess:www.hi"}},
	{0, "www.h", {"not-absolute:"}}, {0, "wwv.hi", {"not-absolute:"}},
	{0, "ftp.hi", {"not-absolute:", "scheme-guess:ftp.hi"}},
	{0, "www.", {"not-absolute:", "path-trailing-dot-space:www."}},
	{0, "h.ij/a", {"not-absolute:", "scheme-guess:h.ij"}}, {0, "h.i/a", {"not-absolute:"}},
	{0, ".h.ij/a", {"not-absolute:"}}, {0, "-h.ij/a", {"not-absolute:"}}, {0, "h.i", {"not-absolute:"}},
	{0, "h.ij:80", {"scheme-not-allowed:h.ij", "scheme-guess:h.ij"}},
	{0, "h.ij:80/", {"scheme-not-allowed:h.ij", "scheme-guess:h.ij"}},
	{0, "h.ij:80?a", {"scheme-not-allowed:h.ij", "scheme-guess:h.ij"}},
	{0, "h.ij:80#a", {"scheme-not-allowed:h.ij", "scheme-guess:h.ij"}},
	{0, "h.ij:80a", {"scheme-not-allowed:h.ij"}}, {0, "h.ij:", {"scheme-not-allowed:h.ij"}},
	{0, "h.ij://80/", {"scheme-not-allowed:h.ij", "scheme-dot:h.ij", "ipv4-decimal:80"}},
	{0, "localhost:80", {"scheme-not-allowed:localhost", "scheme-guess:localhost"}},
	{0, "localhost:80/a", {"scheme-not-allowed:localhost", "scheme-guess:localhost"}},
	{0, "localhost:a", {"scheme-not-allowed:localhost"}},
	{0, "localhosts:80", {"scheme-not-allowed:localhosts", "scheme-guess:localhosts"}},
	{0, "webhook:5001/", {"scheme-not-allowed:webhook", "scheme-guess:webhook"}},
	{0, "webhook:500123", {"scheme-not-allowed:webhook"}}, {0, "webhook:50012", {"scheme-not-allowed:webhook", "scheme-guess:webhook"}},
	{0, "webhook:80a", {"scheme-not-allowed:webhook"}}, {0, "tel:911", {"scheme-not-allowed:tel"}},
	{"any", "webhook:5001/", {0}}, {"any", "localhost:5001/", {"scheme-guess:localhost"}},
	{0, "example.com", {"not-absolute:", "scheme-guess:example.com"}},
	{0, "example.com?a", {"not-absolute:", "scheme-guess:example.com"}}, {0, "example.com#a", {"not-absolute:", "scheme-guess:example.com"}},
	{0, "example.org.", {"not-absolute:", "scheme-guess:example.org.", "path-trailing-dot-space:example.org."}},
	{0, "1a:80", {"not-absolute:", "scheme-malformed:1a", "path-colon-first:1a", "scheme-guess:1a"}},
	{0, "com.", {"not-absolute:", "path-trailing-dot-space:com."}}, {0, "com", {"not-absolute:"}},
	{0, "index.html", {"not-absolute:"}}, {0, "a.1.2.3", {"not-absolute:"}}, {0, "127.0.0.1", {"not-absolute:", "scheme-guess:127.0.0.1"}},
	{0, "1.2.3", {"not-absolute:"}}, {0, "localhost/80", {"not-absolute:"}},
	{"any", "a.b://h/", {"scheme-dot:a.b"}}, {"any", "a.b:c", {0}},
	/* transports, and schemes that programs strip, or that name what they hold */
	{"any", "x:::", {"scheme-prefix-wrapper:x"}}, {"any", "git::file:/x", {"scheme-prefix-wrapper:git"}},
	{0, "ext::sh", {"scheme-not-allowed:ext", "scheme-prefix-wrapper:ext"}},
	{"any", "a:B://h/", {"scheme-prefix-wrapper:a", "url-in-path:B`:", "path-double-slash://"}},
	{"any", "a:b:FILE:/x", {"scheme-prefix-wrapper:a"}}, {"any", "a:b:c::", {"scheme-prefix-wrapper:a"}},
	{"any", "a:b:c:/x", {0}}, {"any", "a:1b::h", {0}}, {"any", "a:b", {0}}, {"any", "a:filex:b", {0}},
	{"any", "a:urn:b::h", {0}}, {"any", "a:urn::h", {"scheme-prefix-wrapper:a"}},
	{"any", "URN:x://h", {"url-in-path:x`:", "path-double-slash://"}}, {"any", "did:file:x", {0}},
	{"any", "arn:aws:s3:::b", {0}}, {"any", "arn::b", {"scheme-prefix-wrapper:arn"}},
	{"any", "tag:file:x", {0}}, {"any", "tagx:file:x", {"scheme-prefix-wrapper:tagx"}},
	{"any", "jar:file:/x", {"scheme-archive-wrapper:jar", "scheme-prefix-wrapper:jar"}},
	{"any", "a:ms-x:y", {"scheme-prefix-wrapper:a"}}, {"any", "smbs://h/s", {"scheme-app-handler:smbs"}},
	{"any", "afp://h/s", {"scheme-app-handler:afp"}},
	{"any", "ftp:::", {"scheme-slash-missing:ftp:`", "path-rootless:ftp:`::", "scheme-malformed:ftp:`::"}},
	{"+scheme-plaintext", "http://h/", {"scheme-plaintext:http"}}, {"+scheme-plaintext", "https://h/", {0}},
	{"+scheme-plaintext", "ws://h/", {"scheme-not-allowed:ws", "scheme-plaintext:ws"}},
	{"+scheme-plaintext", "wss://h/", {"scheme-not-allowed:wss"}},
	{"+scheme-plaintext", "ftp://h/", {"scheme-not-allowed:ftp", "scheme-plaintext:ftp"}},
	{"+scheme-plaintext", "x://h/", {"scheme-not-allowed:x"}},
};

/* RFC 3986, 3.3 and 5.2.4 */
static const struct row paths[] = {
	{0, "http://h", {"path-empty://h`"}}, {0, "http://h/.", {"dot-segment:/`."}},
	{0, "http://h/a.", {"path-trailing-dot-space:a."}},
	{0, "http://h/a./b", {"path-trailing-dot-space:a.", "encoded-path-rewrite:a."}},
	{0, "http://h/b/a.?c", {"path-trailing-dot-space:a."}},
	{0, "http://h/a.%2Fb", {"path-trailing-dot-space:a.", "encoded-path-rewrite:a.", "escaped-slash:%2F"}},
	{0, "http://h/...", {"path-trailing-dot-space:..."}},
	{0, "http://h/a../b", {"path-trailing-dot-space:a..", "encoded-path-rewrite:a.."}},
	{0, "http://h/a..", {"path-trailing-dot-space:a.."}},
	{0, "http://h/.../b", {"path-trailing-dot-space:...", "encoded-path-rewrite:..."}},
	{0, "http://h/a%20", {"path-trailing-dot-space:a%20"}},
	{0, "http://h/%20", {"path-trailing-dot-space:%20"}}, {0, "http://h/a%20b", {0}},
	{0, "http://h/a%21", {0}}, {0, "http://h/..a", {0}}, {0, "http://h/.a", {0}},
	{0, "http://h/a/..", {"dot-segment:.."}},
	{0, "http://h/../a", {"dot-segment:..", "dot-segment-above-root:.."}},
	{0, "http://h/a/../../b", {"dot-segment*2:..", "dot-segment-above-root:a/../`.."}},
	{0, "http://h/a/./../..", {"dot-segment*3:.", "dot-segment-above-root:a/./../`.."}},
	{0, "http://h/%2e/", {"escaped-dot-segment:%2e", "escaped-unreserved:%2e", "escape-case:%2e"}},
	{0, "http://h/.%2E/", {"escaped-dot-segment:.%2E", "escaped-unreserved:%2E", "dot-segment-above-root:.%2E"}},
	{0, "http://h/..%2F", {"escaped-slash-dot:..", "encoded-path-rewrite:..", "escaped-slash:%2F"}},
	{0, "http://h/..%5C", {"escaped-slash-dot:..", "encoded-path-rewrite:..", "path-backslash-escaped:%5C"}},
	{0, "http://h/.%2F", {"escaped-slash-dot:.", "escaped-slash:%2F"}},
	{0, "http://h/a%2F..", {"escaped-slash-dot:..", "escaped-slash:%2F"}},
	{0, "http://h/a%2F../b", {"escaped-slash-dot:..", "escaped-slash:%2F"}},
	{0, "http://h/a..%2Fb", {"path-trailing-dot-space:a..", "encoded-path-rewrite:a..", "escaped-slash:%2F"}},
	{0, "http://h/a%2Fb/../../c", {"escaped-slash:%2F", "dot-segment*2:..", "dot-segment-above-root:../`.."}},
	{0, "http://h/a%2Fb", {"escaped-slash:%2F"}}, {0, "http://h/a%2F..%21", {"escaped-slash:%2F"}}, {0, "http://h/a%20%2Fb", {"path-trailing-dot-space:a%20", "escaped-slash:%2F"}},
	{0, "http://h/..\\a%2Fb", {"forbidden-char:\\", "backslash-path:\\", "escaped-slash:%2F"}}, {0, "http://h/.;a", {"path-param-dot-segment:.;a", "path-semicolon:;"}},
	{0, "http://h/..;a=b/c", {"path-param-dot-segment:..;a=b", "path-semicolon:;"}},
	{0, "http://h/...;a", {"path-semicolon:;"}},
	{0, "http://h/;", {"path-semicolon:;", "path-final-semicolon:;"}},
	{0, "http://h/a;;b;c", {"path-semicolon*2:;;"}},
	{0, "http://h/%2F.;a", {"escaped-slash:%2F", "path-param-dot-segment:.;a", "escaped-slash-dot:.;a", "path-semicolon:;"}},
	{0, "http://h/.;a%2F", {"escaped-slash:%2F", "path-param-dot-segment:.;a", "escaped-slash-dot:.;a", "path-semicolon:;"}},
	{0, "http://h//a", {"path-leading-double-slash:h`//"}},
	{0, "http://h/a//b///c", {"path-double-slash*2:a`//"}},
	{0, "http://h/a///", {"path-double-slash:a`///"}},
	{0, "http://h///a//", {"path-leading-double-slash:h`///", "path-double-slash:a`//"}},
	{"any", "x://h//a", {0}}, {0, "http://h/a::$D", {"path-trailing-dot-space:::$"}},
	{0, "http://h/a:::$", {"path-trailing-dot-space::`::$"}}, {0, "http://h/a::b", {0}},
	{0, "http://h/a:$", {0}}, {0, "http://h/a::::$b::$:", {"path-trailing-dot-space*2:a::`::$"}},
	{0, "http://h/a:b::$c", {"path-trailing-dot-space:::$"}},
	{0, "http://h/a:b:$c", {"path-trailing-dot-space:b`:$"}}, {0, "http://h/a:$5", {0}},
	{0, "http://h/a:$", {0}}, {0, "http://h/a%3A%24I30", {"path-trailing-dot-space:%3A%24"}},
	{0, "http://h/a:%3a%24/", {"path-trailing-dot-space::%3a%24", "escape-case:%3a"}},
	{0, "http://h/a%3A%2", {"bad-escape:%2"}}, {0, "http://h/%3A/%21$a/b::$D", {"path-trailing-dot-space:::$"}},
	/* names of devices, where the policy refuses them */
	{0, "http://h/con", {0}}, {"+path-trailing-dot-space", "http://h/con", {"path-trailing-dot-space:con"}},
	{"+path-trailing-dot-space", "http://h/Aux/x", {"path-trailing-dot-space:Aux"}},
	{"+path-trailing-dot-space", "http://h/x/PRN.tar.gz", {"path-trailing-dot-space:PRN.tar.gz"}},
	{"+path-trailing-dot-space", "http://h/nul%20.x", {"path-trailing-dot-space:nul%20.x"}},
	{"+path-trailing-dot-space", "http://h/clock$", {"path-trailing-dot-space:clock$"}},
	{"+path-trailing-dot-space", "http://h/conin$%3Ax", {"path-trailing-dot-space:conin$%3Ax"}},
	{"+path-trailing-dot-space", "http://h/conout$%3Ax", {"path-trailing-dot-space:conout$%3Ax"}},
	{"+path-trailing-dot-space", "http://h/conoutx%3Ax", {0}}, {"+path-trailing-dot-space", "http://h/conout%3Ax", {0}},
	{"+path-trailing-dot-space", "http://h/COM0/LPT9", {"path-trailing-dot-space*2:COM0"}},
	{"+path-trailing-dot-space", "http://h/com%C2%B9/com%C2%B2/lpt%C2%B3", {"path-trailing-dot-space*3:com%C2%B9", "escaped-compatibility*3:%C2%B9"}},
	{"+path-trailing-dot-space", "http://h/contact/con-x/xcon/com/coma/com11/lpt%C2%B5/cox/co/nul%2/?con",
	 {"bad-escape:%2/"}},
	{"+path-trailing-dot-space", "http://h/lpt%C3%B9", {0}},
	{"gateway", "http://h/..a/x%2F..A", {"path-dots-before-name*2:..a", "escaped-slash:%2F"}},
	{"gateway", "http://h/..0/.._/..-/...a/.a/a..b/..%C3%A9/..", {"path-dots-before-name*2:..0", "dot-segment:%A9/`.."}},
	{"gateway", "http://h/(S(a))b", {"path-removed-segment:(S(a))"}},
	{"gateway", "http://h/%28A(-_9)F%28Zz%29)/x", {"path-removed-segment:%28A(-_9)F%28Zz%29)"}},
	{"gateway", "http://h/(s(a))/(S())/(S(a)/(S(a)x)/((S(a)))/x(S(a))/(S(a.b))/(S[a))/(S(a)F)", {"forbidden-char:["}},
	{"gateway", "http://h/(A(b)C(d))", {"path-removed-segment:(A(b)C(d))"}}, {"gateway", "http://h/()/(1(a))/([(a))/(S(a.)", {"forbidden-char:["}},
	{"gateway", "http://h/(Z(a))", {"path-removed-segment:(Z(a))"}}, {"+path-trailing-dot-space", "./coma/a", {"not-absolute:", "dot-segment:."}},
	{"gateway", "http://h/(S(a%", {"bad-escape:%"}}, {"gateway", "http://h/(", {0}}, {"gateway", "http://h/(S(a", {0}},
	{0, "http://h/(S(a))/..a", {0}},
	{"+path-removed-segment", "http://h/(S(a))/..a", {"path-removed-segment:(S(a))"}},
	{"+path-dots-before-name", "http://h/(S(a))/..a", {"path-dots-before-name:..a"}}, {"gateway", "..a", {"not-absolute:", "path-dots-before-name:..a"}},
	{"gateway", "http://h/a%7E%7e/x", {"escaped-tilde*2:%7E", "escape-case:%7e"}},
	{"gateway", "http://h/a%2F%7Eu/%7E%7E?%7E", {"escaped-slash:%2F", "escaped-unreserved*3:%2F`%7E", "escaped-tilde:u/%7E`%7E"}},
	{"gateway", "http://h/a%5C%7Eu%7D%7E", {"path-backslash-escaped:%5C", "escaped-unreserved:%7E", "escaped-tilde:%7D`%7E"}},
	{0, "http://h/a%7E", {"escaped-unreserved:%7E"}}, {"gateway", "http://h/ab%7Eu", {"escaped-tilde:%7E"}}, {"gateway", "http://h/a%41", {"escaped-unreserved:%41"}},
	{"gateway", "%2F%7Eu", {"not-absolute:", "escaped-slash:%2F", "escaped-unreserved:%7E"}}, {"gateway", "%7Eu", {"not-absolute:", "escaped-unreserved:%7E"}},
	{"-escaped-slash", "http://h/%2Fa", {"escaped-slash:%2F", "path-leading-double-slash:h`/%2F"}}, {"-escaped-slash", "http://h/a/%2Fa", {"escaped-slash:%2F", "path-double-slash:%2F"}},
	{"-escaped-slash", "http://h/a%2F%2Fa", {"escaped-slash*2:%2F", "path-double-slash:%2F`%2F"}}, {"-escaped-slash", "http://h/a%2F/a", {"escaped-slash:%2F", "path-double-slash:%2F"}},
	{"-escaped-slash", "http://h/ax2F%2Fa", {"escaped-slash:%2F"}}, {"-escaped-slash", "http://h/a%2A%2Fa", {"escaped-slash:%2F"}}, {"-escaped-slash", "http://h/?a/%2F", {0}},
	{"-escaped-slash", "x:%2F%2Fa", {"scheme-not-allowed:x", "path-double-slash:%2F`%2F"}}, {0, "http://h/a\\\\b\\", {"forbidden-char*2:\\\\", "backslash-path*2:\\\\"}},
	{"any", "x:/a/../../b", {"dot-segment*2:..", "dot-segment-above-root:a/../`.."}}, {0, "./a", {"not-absolute:", "dot-segment:."}}, {"any", "x:a/../b;c", {"path-semicolon:;"}}, /* as waivers say */
	{"-escaped-slash", "http:x%2Fb", {"scheme-slash-missing:http:`", "path-rootless:x%2Fb", "escaped-slash:%2F"}}, {0, "http://h/.%/x", {"bad-escape:%/x"}},
	{"-escaped-slash", "http://h/?x=/%2f", {"query-nested-url:/%2f", "escape-case:%2f"}}, {0, "http://h/a%20%5Cb", {"path-trailing-dot-space:a%20", "path-backslash-escaped:%5C"}},
	{"-bad-escape", "http://h/..%/x", {"bad-escape:%/x", "dot-segment:..%", "dot-segment-above-root:..%"}}, {0, "../a", {"not-absolute:", "dot-segment:..", "dot-segment-above-root:.."}},
	{"-escaped-unreserved", "a%2E/b", {"not-absolute:", "path-trailing-dot-space:a%2E", "encoded-path-rewrite:a%2E", "escaped-unreserved:%2E"}},
};

/* RFC 3986, 3.4 and 3.5 */
static const struct row queries[] = {
	{0, "http://h/?", {"query-empty:?"}},
	{0, "http://h?", {"query-empty:?", "path-empty://h`", "query-after-empty-path:h?`"}},
	{0, "http://h/#", {"fragment-empty:#"}}, {0, "http://h/?#", {"query-empty:?", "fragment-empty:#"}},
	{0, "http://h/?a#", {"fragment-empty:#"}}, {0, "http://h/?a;b;;c", {"query-separator*2:;"}},
	{0, "http://h/?a+b++", {"plus-vs-space*2:+"}},
	{0, "http://h/?a\\\\", {"forbidden-char:\\\\", "backslash-path:\\\\"}},
	{0, "http://h/?a=1&b=2&a=3", {"query-duplicate-key:&`a"}},
	{0, "http://h/?a&a&a", {"query-duplicate-key*2:a&`a"}}, {0, "http://h/?a=1&ab=2", {0}},
	{0, "http://h/?ab=1&a=2", {0}}, {0, "http://h/?ab&ac", {0}}, {0, "http://h/?=1&=2&&", {0}},
	{0, "http://h/?a=1&A=2", {0}}, {0, "http://h/?b&c&dd=&dd", {"query-duplicate-key:=&`dd"}},
	{0, "http://h/?u=//g", {"query-nested-url:=`//g"}},
	{0, "http://h/?u=%2F/g", {"query-nested-url:%2F/g"}},
	{0, "http://h/?u=/%2Fg", {"query-nested-url:/%2Fg"}}, {0, "http://h/?u=/g", {0}},
	{0, "http://h/?u//=g", {0}}, {0, "http://h/?a=b=//", {"query-nested-url:b=`//"}},
	{0, "http://h/?x://y", {"query-nested-url:x`:"}}, {0, "http://h/?x%3A%2F%2Fy", {"query-nested-url:%"}},
	{0, "http://h/?x:%2F/y", {"query-nested-url:x`:"}}, {0, "http://h/?x:/y", {0}}, {0, "http://h/?x://y%3A", {"query-nested-url:x`:"}}, {0, "http://h/?%3Ax://y", {"query-nested-url:x`:"}},
	{0, "http://h/?%3A%21//y", {0}}, {0, "http://h/?ab%20=1&ac%20=2", {0}}, {0, "http://h/#a=1&a=2", {0}}, {"-forbidden-char", "http://h/?a\\", {"forbidden-char:\\", "backslash-path:\\"}},
	{0, "http://h/?x:a//y", {0}}, {0, "http://h/a://b", {"url-in-path:a`:", "path-double-slash:a:`//"}},
	{0, "http://h/a:%2F%2Fb", {"url-in-path:a`:", "escaped-slash*2:%2F"}},
	{0, "http://h/%3A%2F%2Fb", {"url-in-path:%", "escaped-slash*2:%2F"}},
	{0, "http://h/#a?b??", {"fragment-question*2:?"}},
	{0, "http://h/#a\\", {"forbidden-char:\\", "backslash-path:\\"}},
	{0, "http://h/#a#b##", {"forbidden-char*2:#a`#"}},
	{0, "http://h/#:~:text=a", {"fragment-text-directive::~:text=a"}},
	{0, "http://h/#b:~:text=a", {"fragment-text-directive::~:text=a"}}, {0, "http://h/#~:text=a", {0}},
	{0, "http://h/#a:~b:~:c", {"fragment-text-directive:b`:~:c"}}, {0, "http://h/#a~:c", {0}},
	{0, "http://h/#a&token=b", {"fragment-secret:token=b"}},
	{0, "http://h/?token=b&c", {"query-secret:token=b"}}, {0, "http://h/?token", {0}},
	{0, "http://h/?a&token&b=c", {0}}, {0, "http://h/?TOKEN=", {"query-secret:TOKEN="}},
	{0, "http://h/?token", {0}}, {0, "http://h/?tokens=a", {0}}, {0, "http://h/?a=token=b", {0}},
	{"+fragment-present", "http://h/#a", {"fragment-present:a"}}, {"+fragment-present", "http://h/a", {0}},
	{0, "http://h/'?a''#'", {"tail-apostrophe*3:'"}}, {0, "http://h/a'#'", {"tail-apostrophe*2:'"}},
	{0, "http://h/?a[b]", {"forbidden-char*2:[", "query-nested-brackets*2:["}},
	{0, "http://h/?a[]", {"forbidden-char:[]", "query-nested-brackets:[]"}},
	{0, "http://h/?[0-9]", {"forbidden-char*2:[", "query-nested-brackets*2:[", "template-or-glob:[0-9]"}},
};

/* RFC 3986, 2 and appendix C */
static const struct row octets[] = {
	{0, " http://h/", {"leading-trailing-space: ", "raw-space: ", "not-absolute:", "scheme-malformed: http"}},
	{0, "http://h/ \t ", {"leading-trailing-space: \t ", "raw-space*2: ", "raw-tab:\t"}},
	{0, "http://h/\r\n", {"leading-trailing-space:\r\n", "raw-crlf:\r\n"}},
	{0, "http://h/a\x7f", {"control-char:\x7f"}},
	{0, "\x7fhttp://h/", {"control-char:\x7f", "not-absolute:", "scheme-malformed:\x7fhttp"}},
	{0, "http://h/a\x01\x02", {"control-char:\x01\x02", "leading-trailing-space:\x01\x02"}},
	{0, "http://h/a \tb", {"raw-space: ", "raw-tab:\t"}},
	{0, "http://h/<\">^`{|}", {"forbidden-char:/`<\">^`{|}", "template-or-glob*2:{"}},
	{0, "http://h/\xc3\xa9z\xc3", {"non-ascii*2:\xc3\xa9"}},
	{0, "http://h/a[1-2]", {"forbidden-char*2:[", "template-or-glob:[1-2]"}},
	{0, "http://h/[a-2][1-b][1-][-2]", {"forbidden-char*5:["}},
	{0, "http://h/[12-34", {"forbidden-char:["}}, {0, "http://h/[1+2]", {"forbidden-char*2:["}},
	{0, "http://h/{a}{", {"forbidden-char*2:{", "template-or-glob*3:{"}},
	{0, "http://a|b/", {"host-forbidden-char:|"}},
	{0, "http://a b/", {"raw-space: ", "host-forbidden-char: "}},
	{0, "http://a\xff" "b/", {"host-unicode:\xff"}},
	/* a letter makes it a name, also before digits */
	{0, "http://\xc3\xa4\xef\xbc\x91/", {"host-unicode:\xc3\xa4\xef\xbc\x91", "idn-compat-mapping:\xef\xbc\x91", "idn-readers-disagree:\xef\xbc\x91"}},
	{0, "http://\xc3\xa4\xef\xbc\x91.1.b/", {"host-unicode:\xc3\xa4\xef\xbc\x91", "idn-compat-mapping:\xef\xbc\x91", "idn-readers-disagree:\xef\xbc\x91"}},
	{0, "http://\xef\xbc\x91.1/", {"host-unicode:\xef\xbc\x91", "idn-compat-mapping:\xef\xbc\x91", "idn-readers-disagree:\xef\xbc\x91", "ipv4-alt-digits:\xef\xbc\x91.1", "host-numeric-tld:.`1"}},
	{0, "http://\xc3\xa4\xef\xbc\x91.1/", {"host-unicode:\xc3\xa4\xef\xbc\x91", "idn-compat-mapping:\xef\xbc\x91", "idn-readers-disagree:\xef\xbc\x91", "host-numeric-tld:.`1"}},
	{0, "http://a.\xef\xbc\x91/", {"host-unicode:\xef\xbc\x91", "idn-compat-mapping:\xef\xbc\x91", "idn-readers-disagree:\xef\xbc\x91"}}, {0, "http://a%7F.com/", {"host-percent-encoded:%7F", "escaped-control:%7F"}},
	{0, "http://1%2E\xef\xbc\x91/", {"ipv4-alt-digits:1%2E\xef\xbc\x91", "host-tld-digit:1%2E\xef\xbc\x91", "host-percent-encoded:%2E", "idn-readers-disagree:%2E", "escaped-unreserved:%2E", "host-unicode:\xef\xbc\x91", "idn-compat-mapping:\xef\xbc\x91"}},
	{0, "http://\xc3\xa9.%41x.com/", {"host-unicode:\xc3\xa9", "host-percent-encoded:%41", "escaped-unreserved:%41"}}, {0, "http://\xd7\x90.1a.com/", {"idn-bidi-rule:1a", "host-unicode:\xd7\x90"}},
	{0, "http://a\xc2\x80.com/", {"host-unicode:\xc2\x80", "idn-readers-disagree:\xc2\x80"}}, {0, "http://\xc3\xa9xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.\xc3\xa9xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.com/", {"host-unicode*2:\xc3\xa9"}},
	{0, "http://[a/", {"bracket-not-ipv6:[`a"}}, {0, "http://a]/", {"host-forbidden-char:]"}},
	{0, "http://a[/", {"host-forbidden-char:["}}, {0, "http://h:8|/", {"port-invalid:8|"}},
	{0, "\xef\xbb\xbfh", {"non-ascii:\xef\xbb\xbf", "bom-or-invisible-prefix:\xef\xbb\xbf", "not-absolute:"}},
	{0, "\xe2\x80\x8bh", {"non-ascii:\xe2\x80\x8b", "bom-or-invisible-prefix:\xe2\x80\x8b", "not-absolute:"}},
	{0, "\xe2\x81\xa0h", {"non-ascii:\xe2\x81\xa0", "bom-or-invisible-prefix:\xe2\x81\xa0", "not-absolute:"}},
	{0, "\xc2\xa0h", {"non-ascii:\xc2\xa0", "bom-or-invisible-prefix:\xc2\xa0", "not-absolute:"}},
	{0, "\xe2\x80\x8ch", {"non-ascii:\xe2\x80\x8c", "not-absolute:"}},
	{0, "http://h/ http://g/", {"raw-space: ", "multiple-urls: `http://g/", "url-in-path:h/ http`:", "path-double-slash:h/ http:`//"}},
	{0, "http://h/\nhttp://g/ x://", {"raw-space: ", "raw-crlf:\n", "multiple-urls:\n`http://g/ x://", "url-in-path:h/\nhttp`:", "path-double-slash*2:h/\nhttp:`//"}},
	{0, "http://h/ a", {"raw-space: "}}, {0, "http://h/ a:b", {"raw-space: "}}, {0, "http://h/ x:://y", {"raw-space: ", "multiple-urls:x:://y", "url-in-path:x:`:", "path-double-slash:x::`//"}},
	{0, "http://h/ a:/b", {"raw-space: "}}, {0, "http://h/ a:b c://d", {"raw-space*2: ", "multiple-urls:c://d", "url-in-path:c`:", "path-double-slash:c:`//"}},
	{0, "http://h/\nhttp://g/", {"raw-crlf:\n", "multiple-urls:http://g/", "url-in-path:\nhttp`:", "path-double-slash:\nhttp:`//"}}, {0, "http://h/[1-2][3-4]", {"forbidden-char*3:[", "template-or-glob*2:[1-2]"}},
	{0, "http://u[@[::1]/", {"userinfo-present:u[@", "userinfo-delimiter:u[@", "forbidden-char:["}},
	{0, "'http://h/", {"quoting-wrapper:'", "not-absolute:", "scheme-malformed:'http"}},
	{0, "(http://h/", {"quoting-wrapper:(", "not-absolute:", "scheme-malformed:(http"}},
	{0, "<http://h/", {"quoting-wrapper:<", "not-absolute:", "scheme-malformed:<http"}},
	{0, "\"http://h/", {"quoting-wrapper:\"", "not-absolute:", "scheme-malformed:\"http"}},
	{0, "[http://h/", {"quoting-wrapper:[", "not-absolute:", "scheme-malformed:[http"}},
	{0, "hxxp://h/", {"quoting-wrapper:hxxp", "scheme-not-allowed:hxxp"}},
	{0, "hXXps://h/", {"quoting-wrapper:hXXps", "scheme-not-allowed:hXXps", "scheme-case:hXXps"}},
	{0, "hxxpx://h/", {"scheme-not-allowed:hxxpx"}}, {0, "http://h/[?{y}", {"forbidden-char*3:[", "template-or-glob*2:{"}},
};

/* RFC 3986, 2.1 and 2.4; RFC 3629 */
static const struct row escapes[] = {
	{0, "http://h/%", {"bad-escape:%"}}, {0, "http://h/%4", {"bad-escape:%4"}},
	{0, "http://h/%4z9", {"bad-escape:%4z"}},
	{0, "http://h/%%41", {"bad-escape:%", "escaped-unreserved:%41"}},
	{0, "http://h/%g%20", {"bad-escape:%g", "path-trailing-dot-space:%g%20"}},
	{0, "http://h/%4%z1", {"bad-escape*2:%4"}},
	{0, "http://h/%%34%31", {"bad-escape:%", "double-escape:%%34%31", "escaped-unreserved*2:%34"}},
	{0, "http://h/%00%0A%0d", {"escaped-nul:%00", "escaped-crlf*2:%0A", "escape-case:%0d"}},
	{0, "http://h/%01%1F%7F%09", {"escaped-control*4:%01"}},
	{0, "http://h/%20%1f", {"escaped-control:%1f", "escape-case:%1f"}},
	{0, "http://h/%2F%5C%3F%23%3B%26%3D", {"escaped-slash:%2F", "path-backslash-escaped:%5C", "escaped-delimiter*5:%3F", "path-semicolon:%3B", "path-delimiter-escaped*2:%3F"}},
	{0, "http://h/?%2F%5C%3F%23%3B%26%3D", {"escaped-delimiter*5:%3F"}},
	{0, "http://h/#%2F%5C%3F%23%3B%26%3D", {0}}, {0, "http://h/%25", {"escaped-percent:%25"}},
	{0, "http://h/%254", {"escaped-percent:%25"}},
	{0, "http://h/%2541", {"double-escape:%2541", "escaped-percent:%25"}},
	{0, "http://h/%25%34%31", {"double-escape:%25%34%31", "escaped-unreserved*2:%34", "escaped-percent:%25"}},
	{0, "http://h/%250a", {"double-escape:%250a", "double-escape-crlf:%250a", "escaped-percent:%25"}},
	{0, "http://h/%250D", {"double-escape:%250D", "double-escape-crlf:%250D", "escaped-percent:%25"}},
	{0, "http://h/%25250A", {"double-escape:%2525", "double-escape-crlf:%2525", "escaped-percent:%25"}},
	{0, "http://h/%2525250A", {"double-escape:%2525", "double-escape-crlf:%2525", "escaped-percent:%25"}},
	{0, "http://h/%2525g", {"double-escape:%2525", "escaped-percent:%25"}},
	{0, "http://h/%25250g", {"double-escape:%2525", "escaped-percent:%25"}},
	{0, "http://h/%250B", {"double-escape:%250B", "escaped-percent:%25"}},
	{0, "http://h/?%2541", {"double-escape:%2541"}}, {0, "http://h/#%2541", {"double-escape:%2541"}},
	{0, "http://h/%41%5A%61%7A%30%39%2D%2E%5F%7E", {"escaped-unreserved*10:%41"}},
	{0, "http://h/%40%5B%60%7B%2F%3A%2C%5E%7D%7F", {"escaped-slash:%2F", "escaped-control:%7F"}},
	{0, "http://h/%C3%A9%21", {"escape-mixed-iri:%21"}},
	{0, "http://h/%C3%A9?%27%28%29%2A%3A", {"escape-mixed-iri*5:%27"}},
	{0, "http://h/%C3%A9%22%26%2B%3B", {"escaped-delimiter*2:%26", "path-semicolon:%3B", "path-final-semicolon:%3B"}},
	{0, "http://h/%21%27%28%29%2A%3A", {0}}, {0, "http://h/%3A#%C3%A9", {"escape-mixed-iri:%3A"}},
	{0, "http://h/%C3%A9#%28", {"escape-mixed-iri:%28"}},
	{0, "http://h/%28#%C3%A9%29", {"escape-mixed-iri*2:%29"}}, {0, "http://h/#%28", {0}},
	{0, "http://h/%E2%80%8E", {"escaped-bidi:%E2%80%8E"}},
	{0, "http://h/%E2%80%8F", {"escaped-bidi:%E2%80%8F"}},
	{0, "http://h/%E2%80%8D", {"escaped-unicode-truncation:%E2%80%8D"}}, {0, "http://h/%E2%80%90", {0}},
	{0, "http://h/%E2%80%A9", {"escaped-invisible:%E2%80%A9"}},
	{0, "http://h/%E2%80%AA", {"escaped-bidi:%E2%80%AA"}},
	{0, "http://h/%E2%80%AE", {"escaped-bidi:%E2%80%AE"}}, {0, "http://h/%E2%80%AF", {0}},
	{0, "http://h/?%E2%80%AF", {0}}, {0, "http://h/%E2%81%A5", {0}},
	{0, "http://h/%E2%81%A6", {"escaped-bidi:%E2%81%A6"}},
	{0, "http://h/%E2%81%A9", {"escaped-bidi:%E2%81%A9"}},
	{0, "http://h/%E2%81%AA", {"escaped-invisible:%E2%81%AA"}},
	/* RFC 6068, 5: lines of a body end in %0D%0A; no other component may contain it */
	{"any", "mailto:a@b.org?body=a%0D%0Ab%0D%0A", {0}},
	{"any", "mailto:a@b.org?subject=x&BODY=%0D%0A", {0}},
	{"any", "mailto:a@b.org?body=a%0Ab", {"escaped-crlf:%0A"}}, {"any", "mailto:a@b.org?body=a%0D", {"escaped-crlf:%0D"}}, {"any", "mailto:a@b.org?body=%0Dx0A", {"escaped-crlf:%0D"}},
	{"any", "mailto:a@b.org?body=x0D%0A", {"escaped-crlf:%0A"}}, {"any", "mailto:a@b.org?body=%0D%00", {"escaped-crlf:%0D", "escaped-nul:%00"}},
	{"any", "mailto:a@b.org?body=%0A%0D", {"escaped-crlf*2:%0A"}}, {"any", "mailto:a@b.org?subject=%3a", {"escape-case:%3a"}},
	{"any", "mailto:a@b.org?body=%0D%0A%0a&x=1", {"escaped-crlf:%0a", "escape-case:%0a"}},
	{"any", "mailto:a@b.org?body=x&subject=%0D%0A", {"escaped-crlf*2:%0D"}}, {"any", "mailto:a@b.org?x=%0A%0A&y=%0A%0A", {"escaped-crlf*4:%0A"}},
	{"any", "mailto:a@b.org?xbody=%0D%0A", {"escaped-crlf*2:%0D"}}, {"any", "mailto:a@b.org?bodyx=%0D%0A", {"escaped-crlf*2:%0D"}},
	{"any", "mailto:a@b.org?body=%0D%20%0A", {"escaped-crlf*2:%0D"}},
	{"any", "mailto:a%0D%0A@b.org", {"escaped-crlf*2:%0D"}}, {"any", "mailto:a@b.org#body=%0D%0A", {"escaped-crlf*2:%0D"}},
	{"any", "x:a?body=%0D%0A", {"escaped-crlf*2:%0D"}},
	/* C1 controls, and neighbouring code points */
	{0, "http://h/%C2%7F", {"invalid-utf8-escape:%C2", "latin1-escape:%C2", "escaped-control:%7F"}},
	{0, "http://h/%C2%80", {"escaped-control:%C2%80"}}, {0, "http://h/?%C2%9F", {"escaped-control:%C2%9F"}},
	{0, "http://h/#%c2%9b%C2%85", {"escaped-control*2:%c2%9b", "escape-case*2:%c2"}},
	{0, "http://h/%C2%A1", {0}}, {0, "http://h/%C3%80", {0}},
	/* invisible characters, and neighbouring code points */
	{0, "http://h/%C2%AD", {"escaped-invisible:%C2%AD"}}, {0, "http://h/%C2%AC%C2%AE", {0}},
	{0, "http://h/?q=%E2%80%8B", {"escaped-invisible:%E2%80%8B"}},
	{0, "http://h/%E2%80%8C%E2%80%8D", {"escaped-unicode-truncation:%E2%80%8D"}},
	{0, "http://h/%E2%80%A7", {0}}, {0, "http://h/#%EF%BB%BF", {"escaped-invisible:%EF%BB%BF"}},
	{0, "http://h/%EF%B8%8F", {0}},
	{0, "http://h/%F3%A0%80%80%F3%A0%81%BF", {"escaped-unicode-truncation:%F3%A0%80%80", "escaped-invisible*2:%F3%A0%80%80"}},
	{0, "http://h/%F3%9F%BF%BF%F3%A0%82%80", {0}},
	{0, "http://h/%F3%A0%84%80", {"escaped-invisible:%F3%A0%84%80", "escaped-unicode-truncation:%F3%A0%84%80"}},
	{0, "http://h/%F3%A0%87%B0", {0}},
	{0, "http://h/\xe2\x80\xae", {"non-ascii:\xe2\x80\xae", "escaped-bidi:\xe2\x80\xae"}}, {0, "http://h/\xe2\xe2\x80\xae", {"non-ascii:\xe2\xe2\x80\xae", "escaped-bidi:\xe2\x80\xae"}},
	{0, "http://h/a\xe2\x80\xaez\xe2\x81\xa6", {"non-ascii*2:\xe2\x80\xae", "escaped-bidi*2:\xe2\x80\xae"}},
	{0, "http://h/%C4%80", {"escaped-unicode-truncation:%C4%80"}},
	{0, "http://h/%C4%8A", {"escaped-unicode-truncation:%C4%8A"}},
	{0, "http://h/%C4%8D", {"escaped-unicode-truncation:%C4%8D"}}, {0, "http://h/%C4%8C%C4%81%C4%8B", {0}},
	{0, "http://h/%C3%A9%C3%A9", {0}},
	{0, "http://h/%E9", {"invalid-utf8-escape:%E9", "latin1-escape:%E9"}},
	{0, "http://h/%E9%E9", {"invalid-utf8-escape*2:%E9"}},
	{0, "http://h/%80", {"invalid-utf8-escape:%80", "latin1-escape:%80"}},
	{0, "http://h/%C0%AE", {"invalid-utf8-escape*2:%C0", "overlong-utf8:%C0"}},
	{0, "http://h/%ED%A0%80", {"invalid-utf8-escape*3:%ED"}},
	{0, "http://h/%F0%9F%92%A9%2F", {"escape-after-astral:%2F", "escaped-slash:%2F"}},
	{0, "http://h/%F0%9F%92%A9%20%25", {"escaped-percent:%25"}},
	{0, "http://h/%F0%9F%92%A9%2B%F0%9F%92%A9%3D%F0%9F%92%A9%23", {"escaped-delimiter*2:%3D", "path-delimiter-escaped:%23"}},
	{0, "http://h/?%F0%9F%92%A9%26%F0%9F%92%A9%3b", {"escape-after-astral*2:%26", "escaped-delimiter*2:%26", "escape-case:%3b"}},
	{0, "http://h/?%F0%9F%92%A9%2B%F0%9F%92%A9%3D%F0%9F%92%A9%25", {"escape-after-astral*3:%2B", "escaped-delimiter:%3D"}},
	{0, "http://h/?%F0%9F%92%A9%20%F0%9F%92%A9%2F%F0%9F%92%A9%40%F0%9F%92%A9%23", {"escaped-delimiter:%23"}},
	{0, "http://h/#%F0%9F%92%A9%40%F0%9F%92%A9%24%F0%9F%92%A9%2F%F0%9F%92%A9%3F%F0%9F%92%A9%25", {"escape-after-astral*5:%40"}},
	{0, "http://h/#%F0%9F%92%A9%20%F0%9F%92%A9%23%F0%9F%92%A9%5B", {0}},
	{0, "http://h/%F0%9F%92%A9a%20b", {0}},
	{0, "http://h/%F0%9F%92%A9%C3%A9%25", {"escape-after-astral:%25", "escaped-percent:%25"}},
	{0, "http://h/%E2%82%AC%22", {0}}, {0, "http://h/?%c3%A9%C3%a9", {"escape-case*2:%c3"}},
	{0, "http://h/%4A%4a", {"escaped-unreserved*2:%4A", "escape-case:%4a"}},
	/* UAX 15, NFKC: a program that normalises sends ASCII here */
	{0, "http://h/pub/%EF%BC%8E%EF%BC%8E/admin", {"escaped-compatibility*2:%EF%BC%8E"}},
	{0, "http://h/%E2%80%A5/a", {"escaped-compatibility:%E2%80%A5"}},
	{0, "http://h/%EF%BD%81dmin", {"escaped-compatibility:%EF%BD%81"}},
	{0, "http://h/a%ef%bc%8fb", {"escaped-compatibility:%ef%bc%8f", "escape-case*3:%ef"}},
	{0, "http://h/%C3%A9%EF%BC%9B%C3%A9", {"escaped-compatibility:%EF%BC%9B"}},
	{0, "http://h/%C2%A0%EF%BC%88%EF%BC%81%EF%BC%9F%E2%80%A6%E3%80%80", {"escaped-unicode-truncation:%E3%80%80"}},
	{0, "http://h/%C2%BD", {"escaped-compatibility:%C2%BD"}},
	{0, "http://h/%F0%9D%95%8F%25", {"escaped-compatibility:%F0%9D%95%8F", "escape-after-astral:%25", "escaped-percent:%25"}},
	{0, "http://h/%EA%9F%B1%F0%9C%B3%96%F0%9C%B3%B9", {"escaped-compatibility*3:%EA%9F%B1"}}, {0, "http://h/%E9%EF%BC%8E", {"invalid-utf8-escape:%E9", "escaped-compatibility:%EF%BC%8E"}},
	{0, "http://h/%EF%BC", {"invalid-utf8-escape*2:%EF"}},
	{0, "http://h/\xef\xbc\x8e", {"non-ascii:\xef\xbc\x8e"}},
	{0, "http://h/%C3%A9%C2%A1%C2%B5%CC%81%CD%B4", {0}},
	{0, "http://h/%E3%82%A2%E3%83%BB%E3%80%82%E2%89%A0", {0}},
	{0, "http://h/%EF%BD%9F%EF%BC%80%EF%BD%A1", {"escaped-unicode-truncation:%EF%BC%80"}},
	{0, "http://h/?%EF%BC%8E%EF%BC%8E/#%EF%BC%8E%EF%BC%8E", {0}},
	{"-non-ascii", "http://h/\xf0\x9f\x92\xa9%2Fa", {"non-ascii:\xf0\x9f\x92\xa9", "escape-after-astral:%2F", "escaped-slash:%2F"}},
	{"-non-ascii", "http://\xe3\x80\x80@h/", {"non-ascii:\xe3\x80\x80", "userinfo-present:\xe3\x80\x80@"}}, {"-non-ascii", "http://h/%21", {0}}, {"any", "x://h/%C3%A9%21", {0}},
	{"-non-ascii", "http://h/\xc2\xad\xc2\xad", {"non-ascii:\xc2\xad\xc2\xad", "escaped-invisible*2:\xc2\xad"}}, {0, "http://h/%21\xc2\xad", {"non-ascii:\xc2\xad"}},
	{"-non-ascii", "http://h/\xe2\x82\xac%2Fa", {"non-ascii:\xe2\x82\xac", "escaped-slash:%2F"}}, {"-non-ascii", "x://h/\xf0\x9f\x92\xa9%2Fa", {"scheme-not-allowed:x", "non-ascii:\xf0\x9f\x92\xa9"}},
	{"public", "http://h.example.net/%EF%BC%8E", {"escaped-compatibility:%EF%BC%8E"}},
	{"any", "ws://h/%EF%BC%8E", {"escaped-compatibility:%EF%BC%8E"}}, {"any", "git://h/%EF%BC%8E", {0}},
	{"any", "urn:%EF%BC%8E", {0}},
};

/* RFC 3986, 3.2.2 and 7.4; RFC 1034, 3.1; inet_aton(3) */
static const struct row hosts[] = {
	{0, "http://1.2.3/", {"ipv4-short:1.2.3"}}, {0, "http://1.2/", {"ipv4-short:1.2"}},
	{0, "http://1/", {"ipv4-decimal:1"}}, {0, "http://01/", {"ipv4-octal:01"}},
	{0, "http://0x1/", {"ipv4-hex:0x1"}}, {0, "http://0X1.2/", {"ipv4-hex:0X1.2", "ipv4-short:0X1.2", "host-case:X"}},
	{0, "http://0x1.10/", {"ipv4-hex:0x1.10", "ipv4-short:0x1.10", "ipv4-mixed:0x1.10"}},
	{0, "http://012.10.1.1/", {"ipv4-octal:012.10.1.1", "ipv4-mixed:012.10.1.1"}}, {0, "http://012.7.1.1/", {"ipv4-octal:012.7.1.1"}},
	{0, "http://012.8.1.1/", {"ipv4-octal:012.8.1.1", "ipv4-mixed:012.8.1.1"}},
	{0, "http://1.2.3.256/", {"ipv4-overflow:1.2.3.256", "host-numeric-tld:1.2.3.256"}},
	{0, "http://1.2.3.255/", {0}}, {0, "http://x.1.2.3.4../", {"ipv4-too-many-parts:x.1.2.3.4..", "host-embeds-ip:1.2.3.4", "host-numeric-tld:3.`4", "host-empty-label:4.`", "host-trailing-dot:4.`."}},
	{0, "http://256.1/", {"ipv4-short:256.1", "ipv4-overflow:256.1", "host-numeric-tld:256.1"}},
	{0, "http://1.16777215/", {"ipv4-short:1.16777215"}},
	{0, "http://1.16777216/", {"ipv4-short:1.16777216", "ipv4-overflow:1.16777216", "host-numeric-tld:1.16777216"}},
	{0, "http://1.2.65535/", {"ipv4-short:1.2.65535"}},
	{0, "http://1.2.65536/", {"ipv4-short:1.2.65536", "ipv4-overflow:1.2.65536", "host-numeric-tld:1.2.65536"}},
	{0, "http://4294967295/", {"ipv4-decimal:4294967295"}},
	{0, "http://4294967296/", {"ipv4-decimal:4294967296", "ipv4-overflow:4294967296", "host-numeric-tld:4294967296"}},
	{0, "http://99999999999999999999/", {"ipv4-decimal:99999999999999999999", "ipv4-overflow:99999999999999999999", "host-numeric-tld:99999999999999999999"}},
	{0, "http://08.1/", {"ipv4-octal:08.1", "ipv4-short:08.1", "host-numeric-tld:08.1"}},
	{0, "http://1.2.3.4.5/", {"ipv4-too-many-parts:1.2.3.4.5", "host-numeric-tld:1.2.3.4.5"}},
	{0, "http://1..2/", {"host-empty-label:1.`", "ipv4-short:1..2", "ipv4-empty-part:1..2", "host-numeric-tld:1..2"}},
	{0, "http://1.2.3.4./", {"host-trailing-dot:4`.", "ipv4-trailing-dot:1.2.3.4."}},
	{0, "http://1.2./", {"host-trailing-dot:2`.", "ipv4-short:1.2.", "ipv4-trailing-dot:1.2."}},
	{0, "http://a.1/", {"host-numeric-tld:1"}}, {0, "http://a.0x1/", {"host-numeric-tld:0x1"}},
	{0, "http://a.1.2.3/", {"host-numeric-tld:3"}},
	{0, "http://a.1.2.3.4/", {"host-numeric-tld:1.2.3.`4", "ipv4-too-many-parts:a.1.2.3.4", "host-embeds-ip:1.2.3.4"}},
	{0, "http://1.a.2.3.4/", {"host-numeric-tld:2.3.`4"}}, {0, "http://a.1b/", {"host-tld-digit:1b"}},
	{0, "http://a.1b./", {"host-trailing-dot:1b`.", "host-tld-digit:1b"}},
	{0, "http://1a/", {"host-tld-digit:1a"}},
	{0, "http://1.2.3.4a/", {"host-tld-digit:4a", "host-ipv4-prefix:1.2.3.4", "host-embeds-ip:1.2.3.4"}},
	{0, "http://1.2.3.a/", {0}}, {0, "http://1.2.256.4.a/", {0}},
	{0, "http://1.2.3.400.a/", {"host-ipv4-prefix:1.2.3.4"}},
	{0, "http://1-2.3-4.a/", {"host-embeds-ip:1-2.3-4"}},
	{0, "http://x1.2.3.4.5y.a/", {"host-embeds-ip*2:1.2.3.4"}},
	{0, "http://10-0-0-255a.b/", {"host-embeds-ip:10-0-0-255"}}, {0, "http://10-0-0-256.b/", {0}},
	{0, "http://10-0-0.b/", {0}}, {0, "http://10-0-00-1.b/", {0}},
	{0, "http://10_0-0-1.b/", {"host-underscore:_"}},
	{0, "http://+1.2.3.4/", {"host-subdelim:+", "ipv4-signed:+1.2.3.4", "host-numeric-tld:3.`4", "host-embeds-ip:1.2.3.4"}},
	{0, "http://1.-2/", {"host-bad-hyphen:-2", "ipv4-signed:1.-2"}},
	{0, "http://1.2-/", {"host-bad-hyphen:2-", "host-tld-digit:2-"}},
	{0, "http://0o1/", {"host-tld-digit:0o1", "ipv4-other-prefix:0o1"}},
	{0, "http://0o1../", {"host-tld-digit:0o1", "ipv4-other-prefix:0o1..", "host-empty-label:1.`", "host-trailing-dot:1.`."}},
	{0, "http://+1..+2../", {"host-subdelim*2:+", "ipv4-signed:+1..+2..", "host-empty-label*2:1.`", "host-trailing-dot:2.`."}},
	{0, "http://a..1/", {"host-empty-label:a.`", "host-numeric-tld:1"}},
	{0, "http://a.1../", {"host-empty-label:1.`", "host-numeric-tld:1", "host-trailing-dot:1.`."}},
	{0, "http://0b1.2/", {"host-numeric-tld:2", "ipv4-other-prefix:0b1.2"}},
	{0, "http://o1.2/", {"host-numeric-tld:2", "ipv4-other-prefix:o1.2"}},
	{0, "http://q7.2/", {"host-numeric-tld:2", "ipv4-other-prefix:q7.2"}},
	{0, "http://p7.2/", {"host-numeric-tld:2"}},
	{0, "http://1e2/", {"host-tld-digit:1e2", "ipv4-other-prefix:1e2"}},
	{0, "http://1e/", {"host-tld-digit:1e"}}, {0, "http://1e2a/", {"host-tld-digit:1e2a"}},
	{0, "http://1f2/", {"host-tld-digit:1f2"}},
	{0, "http://1_2/", {"host-underscore:_", "host-tld-digit:1_2", "ipv4-other-prefix:1_2"}},
	{0, "http://0o/", {"host-tld-digit:0o"}}, {0, "http://o.2/", {"host-numeric-tld:2"}},
	{0, "http://a..b/", {"host-empty-label:a.`"}},
	{0, "http://a../", {"host-trailing-dot:a.`.", "host-empty-label:a.`"}},
	{0, "http://./", {"host-trailing-dot:.", "host-empty-label:http://`"}},
	{0, "http://.a/", {"host-empty-label:http://`"}}, {0, "http://a.b./", {"host-trailing-dot:b`."}},
	{0, "http://a-.-b/", {"host-bad-hyphen*2:a-"}}, {0, "http://-a-/", {"host-bad-hyphen:-a-"}},
	{0, "http://a-b--c/", {0}}, {0, "http://A.bC/", {"host-case:A"}},
	{0, "http://aBCd.E/", {"host-case:BC"}}, {0, "http://a_b__c/", {"host-underscore*2:_"}},
	{0, "http://a~~b/", {"host-nonldh:~~"}}, {0, "http://a!$b*/", {"host-subdelim*2:!$"}},
	{0, "http://a;b/", {"host-subdelim:;", "path-rootless:;b"}}, {0, "http://;b/", {"host-subdelim:;"}},
	{0, "http://a%20b/", {"host-percent-encoded:%20"}},
	{0, "http://a%2f%3f%23%40%3a%5c%25%00b/", {"host-percent-encoded*8:%2f", "host-encoded-delimiter*8:%2f", "escaped-nul:%00", "escape-case*4:%2f"}}, {0, "http://a%2Fb%2Fc/", {"host-percent-encoded*2:%2F", "host-encoded-delimiter*2:%2F"}},
	{0, "http://a%24b%26c/", {"host-percent-encoded*2:%24"}}, {0, "http://a%zz/", {"bad-escape:%zz"}},
	{0, "http://x:y:80/", {"port-invalid:y:80", "port-default:80"}},
	{0, "http://a:1:2/", {"ipv6-unbracketed:a:1:2", "port-invalid:1:2", "port-nondefault:1:`2"}},
	{0, "http://fe80::1/", {"ipv6-unbracketed:fe80::1", "port-nondefault:::`1", "port-blocked:::`1"}},
	{0, "http://a:2::/", {"ipv6-unbracketed:a:2::", "port-empty:2:`:"}},
};

/* RFC 3986, 3.2.2; RFC 5952, 4; RFC 9844 */
static const struct row literals[] = {
	{0, "http://[::1]/", {0}}, {0, "http://[::A]/", {"ipv4-compatible-ipv6:::A", "host-case:::A"}},
	{0, "http://[0::1]/", {"ipv6-noncanonical:0::1"}}, {0, "http://[2001:db8::1:0:0:1]/", {0}},
	{0, "http://[2001:db8:0:0:1::1]/", {"ipv6-noncanonical:2001:db8:0:0:1::1"}},
	{0, "http://[2001:db8::1:1:1:1:1]/", {"ipv6-noncanonical:2001:db8::1:1:1:1:1"}},
	{0, "http://[::ffff:7f00:1]/", {"ipv4-mapped-ipv6:::ffff:7f00:1"}},
	{0, "http://[::ffff:0:7f00:1]/", {"ipv4-translated-ipv6:::ffff:0:7f00:1"}},
	{0, "http://[2001:db8::5efe:a00:1]/", {"isatap-embedded-ipv4:2001:db8::5efe:a00:1"}},
	{0, "http://[2001:db8::200:5efe:a00:1]/", {"isatap-embedded-ipv4:2001:db8::200:5efe:a00:1"}},
	{0, "http://[64:ff9b::7f00:1]/", {"nat64-embedded-ipv4:64:ff9b::7f00:1"}},
	{0, "http://[2002:7f00:1::1]/", {"6to4-embedded-ipv4:2002:7f00:1::1"}},
	{0, "http://[2001:0:102:304::f5ff:fffe]/", {"teredo-embedded-ipv4:2001:0:102:304::f5ff:fffe"}},
	{0, "http://[v1.a]/", {"ipvfuture:v1.a"}}, {0, "http://[v.a]/", {"bracket-not-ipv6:v.a"}},
	{0, "http://[]/", {"ipv6-malformed:[`"}}, {0, "http://[1:2]/", {"ipv6-malformed:1:2"}},
	{0, "http://[1.2.3.4]/", {"bracket-not-ipv6:1.2.3.4"}},
	{0, "http://[a%20]/", {"bracket-not-ipv6:a%20"}},
	{0, "http://[fe80::1%25eth0]/", {"ipv6-zone:%25eth0"}},
	{0, "http://[fe80::1%eth0]/", {"ipv6-zone:%eth0", "bad-escape:%et"}},
	{0, "http://a[::1]/", {"bracket-garbage:a[::1]"}}, {0, "http://[::1]a/", {"bracket-garbage:[::1]a"}},
	{0, "http://[::1", {"ipv6-malformed:::1", "path-empty:::1`"}},
	{0, "http://[::1]:80:80/", {"port-invalid:80:80", "bracket-garbage:[::1]:80", "port-default:80:`80"}},
	{0, "http://[::1]/+1", {"ipv6-path-digit:+1"}}, {0, "http://[::1]/-", {"ipv6-path-digit:-"}},
	{0, "http://[::1]/90a", {"ipv6-path-digit:90"}}, {0, "http://[::1]/a9", {0}},
	{0, "http://[::1]:80/9", {"port-default:80"}},
	{0, "http://[::1]?a", {"path-empty:]`", "query-after-empty-path:a"}},
	{0, "http://[::1]#a", {"path-empty:]`", "fragment-after-empty-path:a"}},
};

/* RFC 3986, 3.2.3, 6.2.3; Fetch, 2.9 */
static const struct row ports[] = {
	{0, "http://h:/", {"port-empty:h`:"}}, {0, "http://h:80/", {"port-default:80"}},
	{0, "https://h:443/", {"port-default:443"}}, {0, "https://h:80/", {"port-nondefault:80"}},
	{0, "http://h:080/", {"port-leading-zero:080", "port-default:080"}},
	{0, "http://h:0/", {"port-zero:0"}}, {0, "http://h:00/", {"port-zero:00", "port-leading-zero:00"}},
	{0, "http://h:65535/", {"port-nondefault:65535"}}, {0, "http://h:65536/", {"port-overflow:65536"}},
	{0, "http://h:99999999999/", {"port-overflow:99999999999"}},
	{0, "http://h:065536/", {"port-leading-zero:065536", "port-overflow:065536"}},
	{0, "http://h:8a/", {"port-invalid:8a"}}, {0, "http://h:+8/", {"port-invalid:+8"}},
	{0, "http://h:8080?a", {"port-nondefault:8080", "path-empty:8080`", "query-after-empty-path:a"}},
	{"any", "x://h:80/", {0}}, {"any", "x://h:443/", {0}}, {"any", "x://h:25/", {0}},
	{"any", "ftp://h:21/", {"port-default:21"}}, {"any", "ws://h:80/", {"port-default:80"}},
	{"any", "wss://h:443/", {"port-default:443"}}, {"any", "wss://h:80/", {"port-nondefault:80"}},
};

/* Octets that some reader removes from the tail */
static const struct row tails[] = {
	{0, "http://h?a.b", {"path-empty://h`", "query-after-empty-path:a.b"}},
	{0, "http://h?a.b.c", {"path-empty://h`", "query-after-empty-path:a.b.c"}},
	{0, "http://h?a.b#c.d", {"path-empty://h`", "query-after-empty-path:a.b"}},
	{0, "http://h#a.b", {"path-empty://h`", "fragment-after-empty-path:a.b"}},
	{0, "http://h#a.b.", {"path-empty://h`", "fragment-after-empty-path:a.b."}},
	{0, "http://h/x.y.z:80", {"colon-port-in-tail:x.y.z:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y.z:80/a", {"colon-port-in-tail:x.y.z:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y.z.:80?a", {"colon-port-in-tail:x.y.z.:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y.z:80#a", {"colon-port-in-tail:x.y.z:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y.z:80a", {"tail-colon-digits::80"}}, {0, "http://h/x.y.z:a80", {0}},
	{0, "http://h/x.y.z..:80", {"colon-port-in-tail:x.y.z..:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y:80", {"colon-port-in-tail:x.y:80", "tail-colon-digits::80"}},
	{0, "http://h/.y.z:80", {"colon-port-in-tail:.y.z:80", "tail-colon-digits::80"}},
	{0, "http://h/..y.z:80", {"colon-port-in-tail:..y.z:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y..z:80", {"colon-port-in-tail:x.y..z:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y/z:80", {"tail-colon-digits::80"}},
	{0, "http://h/x.y_.z-:80", {"colon-port-in-tail:x.y_.z-:80", "tail-colon-digits::80"}},
	{0, "http://h/x.y+.z:80", {"colon-port-in-tail:.z:80", "tail-colon-digits::80"}},
	{0, "http://h/a:b.c.d:80", {"tail-colon-digits::80"}},
	{0, "http://h/?x.y.z:80", {"colon-port-in-tail:x.y.z:80", "tail-colon-digits::80"}},
	{0, "http://h/#x.y.z:80", {"colon-port-in-tail:x.y.z:80", "tail-colon-digits::80"}},
	{0, "http://192.0.2.1/x.y.z:80", {"colon-port-in-tail:x.y.z:80", "tail-colon-digits::80"}},
	{0, "http://h:80/x.y.z:80", {"port-default:80", "tail-colon-digits:z`:80"}},
	{0, "http://[::1]/x.y.z:80", {"tail-colon-digits:z`:80"}},
	{0, "http://h/:80", {"tail-colon-digits:/`:80"}},
	{0, "http://h/a:1b:2?:34#:5", {"tail-colon-digits*4:a`:1"}},
	{0, "http://h/a:::80", {"tail-colon-digits:a::`:80"}}, {0, "http://h/::a:", {0}},
	{0, "http://h/::?:::1", {"tail-colon-digits:?::`:1"}},
	{0, "http://h?:80", {"path-empty://h`", "query-after-empty-path::80", "tail-colon-digits:?`:80"}},
};

/* Inputs just beside another rule, or where two rules meet. */
static const struct row borders[] = {
	{"+ipv4-compatible-ipv6", "http://[::2]/", {"ipv4-compatible-ipv6:::2"}},
	{0, "http://16868.63.129.1c7/", {"host-tld-digit:1c7"}},
	{0, "http://1127.0.0.1c/", {"host-tld-digit:1c"}},
	{0, "http://127.0.0.11c/", {"host-ipv4-prefix:127.0.0.1", "host-embeds-ip:127.0.0.11", "host-tld-digit:11c"}},
	{0, "http://127.0.0.1c/", {"host-ipv4-prefix:127.0.0.1", "host-embeds-ip:127.0.0.1", "host-tld-digit:1c"}},
	{0, "http://[1:2:3:4:5:6:7:1.2.3.4]/", {"ipv6-malformed:1:2:3:4:5:6:7:1.2.3.4"}},
	{0, "http://x:(0/", {"port-invalid:(0"}}, {0, "http://[::2]/", {"ipv4-compatible-ipv6:::2"}},
	{"public", "http://[::2]/", {"ipv4-compatible-ipv6:::2", "addr-not-global*2:::2", "addr-this-network:::2"}},
	{"any", "%C3\xa9", {"not-absolute:", "invalid-utf8-escape:%C3", "latin1-escape:%C3", "non-ascii:\xa9"}},
	{"any", "\xe2\x80\x8e", {"non-ascii:\xe2\x80\x8e", "not-absolute:", "escaped-bidi:\xe2\x80\x8e"}},
	{"any", "a\xe2\x80\x8e", {"not-absolute:", "non-ascii:\xe2\x80\x8e", "escaped-bidi:\xe2\x80\x8e"}},
	{"any", "%e9%2a?", {"not-absolute:", "invalid-utf8-escape:%e9", "latin1-escape:%e9", "escape-case*2:%e9", "escape-mixed-iri:%2a", "query-empty:?"}},
	{"any", "%e9", {"not-absolute:", "invalid-utf8-escape:%e9", "latin1-escape:%e9", "escape-case:%e9"}},
	{"any", "a:%252E", {"double-escape:%252E", "escaped-percent:%25"}},
	{0, "http://h/%252E", {"double-escape:%252E", "escaped-percent:%25"}},
	{0, "http://u%252E@h/", {"userinfo-present:u%252E@"}},
	{0, "http://a%252Eb/", {"host-percent-encoded:%25", "host-encoded-delimiter:%25", "host-case:E"}},
	{0, "http://::1.2.3.4/", {"ipv6-unbracketed:::1.2.3.4", "port-invalid:1.2.3.4"}},
	{0, "http://::1.2.3/", {"ipv6-unbracketed:::1.2.3", "port-invalid:1.2.3"}},
	{0, "http://g::1/", {"port-invalid::1", "port-nondefault:1", "port-blocked:1"}},
	{0, "http://%::/", {"bad-escape:%:", "port-invalid::`:", "port-empty::`:"}},
	{0, "http://a::b/", {"ipv6-unbracketed:a::b", "port-invalid:b"}},
	{0, "http://a:b:c/", {"ipv6-unbracketed:a:b:c", "port-invalid*2:b:c"}},
	{0, "http://.:0/", {"host-empty-label://`", "host-trailing-dot:.", "port-zero:0"}},
	{0, "http://.::0/", {"host-empty-label://`", "ipv6-unbracketed:.::0", "port-zero:0"}},
	{0, "http://a-;b/", {"path-rootless:;b", "host-subdelim:;"}},
	{0, "http://a.;b/", {"path-rootless:;b", "host-subdelim:;"}},
	{0, "http://-;b/", {"host-bad-hyphen:-;b", "path-rootless:;b", "host-subdelim:;"}},
	{0, "http://1..3.4a/", {"host-empty-label:.`", "host-tld-digit:4a"}},
	{0, "http://1.2.3.4.5o177.0.0.1/", {"host-ipv4-prefix:1.2.3.4", "host-embeds-ip*3:1.2.3.4", "host-numeric-tld:.`1"}},
	{0, "http://0_/", {"ipv4-other-prefix:0_", "host-tld-digit:0_", "host-underscore:_"}},
	{0, "http://0_1/", {"ipv4-other-prefix:0_1", "host-tld-digit:0_1", "host-underscore:_"}},
	{0, "http://0o17/", {"ipv4-other-prefix:0o17", "host-tld-digit:0o17"}},
	{0, "http://0b11/", {"ipv4-other-prefix:0b11", "host-tld-digit:0b11"}},
	{0, "http://1e1/", {"ipv4-other-prefix:1e1", "host-tld-digit:1e1"}},
	{0, "http://1e+1/", {"host-tld-digit:1e+1", "host-subdelim:+"}},
	{0, "http://.1e/", {"host-empty-label://`", "host-tld-digit:1e"}},
	{0, "http://a  4/", {"raw-space:  ", "host-forbidden-char:  "}},
	{0, "http://+4/", {"ipv4-signed:+4", "host-subdelim:+"}},
	{"+host-is-address", "http://a]b/", {"host-forbidden-char:]"}}, /* no reader finds an IP literal in these */
	{"+host-is-address", "http://a[b/", {"host-forbidden-char:["}},
	{"+host-is-address", "http://]a[/", {"host-forbidden-char*2:]"}},
	{"+host-is-address", "http://a[::1]/", {"bracket-garbage:a[::1]", "host-is-address:a[::1]"}},
	{"+host-is-address", "http://[::1]a/", {"bracket-garbage:[::1]a", "host-is-address:[::1]a"}},
	{"+host-is-address", "http://[a.b]/", {"bracket-not-ipv6:a.b", "host-is-address:[a.b]"}},
	{0, "http://0o177...0.1/", {"host-empty-label*2:.`", "ipv4-other-prefix:0o177...0.1", "host-numeric-tld:.`1"}},
	{0, "http://0o177.0.0.1/", {"ipv4-other-prefix:0o177.0.0.1", "host-embeds-ip:177.0.0.1", "host-numeric-tld:.`1"}},
	{0, "http://h:[]/", {"bracket-garbage:h:[]", "port-invalid:[]"}},
	{0, "http://h:[/", {"port-invalid:["}}, {0, "http://h:]/", {"port-invalid:]"}},
	{0, "http://]:/", {"host-forbidden-char:]", "port-empty:]`:"}},
	{0, "http://]:1/", {"host-forbidden-char:]", "port-nondefault:1", "port-blocked:1"}},
	{0, "http://!/", {"host-subdelim:!"}},
	{0, "http://x%2E-/", {"host-bad-hyphen:x%2E-", "host-percent-encoded:%2E", "escaped-unreserved:%2E"}},
	{0, "http://h.de\xe3\x80\x82" "1/", {"host-unicode:\xe3\x80\x82", "idn-dot-variant:\xe3\x80\x82", "idn-readers-disagree:\xe3\x80\x82"}},
	{0, "http://\xef\xbc\x8e\t/", {"host-unicode:\xef\xbc\x8e", "idn-dot-variant:\xef\xbc\x8e", "idn-readers-disagree:\xef\xbc\x8e", "idn-compat-mapping:\xef\xbc\x8e", "raw-tab:\t"}},
	{0, "http://\xe2\x91\xa0" "9/", {"ipv4-alt-digits:\xe2\x91\xa0" "9", "host-unicode:\xe2\x91\xa0", "idn-compat-mapping:\xe2\x91\xa0", "idn-readers-disagree:\xe2\x91\xa0"}},
	{0, "http://\xe2\x91\xa0/", {"ipv4-alt-digits:\xe2\x91\xa0", "host-unicode:\xe2\x91\xa0", "idn-compat-mapping:\xe2\x91\xa0", "idn-readers-disagree:\xe2\x91\xa0"}},
	{0, "http://%32/", {"host-percent-encoded:%32", "escaped-unreserved:%32"}},
	{0, "http://1%32/", {"host-tld-digit:1%32", "host-percent-encoded:%32", "escaped-unreserved:%32"}},
	{0, "http://\xe3\x80%82:/", {"ipv4-alt-digits:\xe3\x80%82", "host-unicode:\xe3\x80", "idn-dot-variant:\xe3\x80%82", "idn-readers-disagree:\xe3\x80%82", "host-percent-encoded:%82", "port-empty:2`:"}},
	{"any", "//\xc3/", {"not-absolute:", "host-unicode:\xc3"}}, {0, "http://\xc3/", {"host-unicode:\xc3"}},
	{0, "http://\xe3\x80\x82.1/", {"ipv4-alt-digits:\xe3\x80\x82.1", "host-unicode:\xe3\x80\x82", "idn-dot-variant:\xe3\x80\x82", "idn-readers-disagree:\xe3\x80\x82", "host-numeric-tld:1"}},
	{0, "http://%c/", {"bad-escape:%c"}},
	{0, "http://h:80[]/", {"bracket-garbage:h:80[]", "port-invalid:80[]"}},
	{0, "http://[::1]:[]/", {"bracket-garbage:[::1]:[]", "port-invalid:[]"}},
	{0, "http://a.b.:0/", {"host-trailing-dot:b`.", "port-zero:0"}},
	{0, "http://h%2E/", {"host-percent-encoded:%2E", "escaped-unreserved:%2E"}},
	{0, "http://0b/", {"host-tld-digit:0b"}}, {0, "http://0x/", {"ipv4-hex:0x"}},
	{0, "http://00b1/", {"host-tld-digit:00b1"}},
	{0, "http://1_/", {"ipv4-other-prefix:1_", "host-tld-digit:1_", "host-underscore:_"}},
	{0, "http://1e05/", {"ipv4-other-prefix:1e05", "host-tld-digit:1e05"}},
	{0, "http://1.2.3.4e1/", {"ipv4-other-prefix:1.2.3.4e1", "host-ipv4-prefix:1.2.3.4", "host-embeds-ip:1.2.3.4", "host-tld-digit:4e1"}},
	{0, "http://e1/", {0}}, {0, "http://ae1/", {0}},
	{0, "http://--4/", {"ipv4-signed:--4", "host-bad-hyphen:--4"}},
	{0, "http://4 /", {"host-tld-digit:4 ", "raw-space: ", "host-forbidden-char: "}},
	{0, "http://h%2EA/", {"host-percent-encoded:%2E", "escaped-unreserved:%2E", "host-case:A"}},
	{0, "http://h%2Aa%AB/", {"host-percent-encoded*2:%2A", "escape-mixed-iri:%2A"}},
	{0, "http://h%AG/", {"bad-escape:%AG", "host-case:AG"}},
	{0, "HTTP://A%2eB/", {"scheme-case:HTTP", "host-case:A", "host-percent-encoded:%2e", "escaped-unreserved:%2e", "escape-case:%2e"}},
	{0, "http://%41Ba/", {"host-percent-encoded:%41", "escaped-unreserved:%41", "host-case:B"}},
	{"+host-single-label", "http://a.b@c/", {"userinfo-present:a.b@", "userinfo-misleading:a.b@", "path-rootless:b`", "host-single-label:c"}},
	{"+host-single-label", "http://x.@cd/", {"userinfo-present:x.@", "host-single-label:cd"}},
	{"public", "http://a_b.org/", {"host-underscore:_"}},
	{"public", "http://a!b.org/", {"addr-unclassified:a!b.org", "host-subdelim:!"}},
	{0, "http://allo^;b/", {"host-forbidden-char:^", "host-subdelim:;"}},
	{0, "http://0B</", {"host-tld-digit:0B<", "host-case:B", "host-forbidden-char:<"}},
	{0, "http:// 0/", {"raw-space: ", "ipv4-signed: 0", "host-forbidden-char: "}},
	{0, "http://a 0/", {"raw-space: ", "host-forbidden-char: "}},
	{0, "http://0b1</", {"host-tld-digit:0b1<", "host-forbidden-char:<"}},
	{0, "http ://a/ http://b/", {"not-absolute:", "scheme-malformed:http ", "raw-space*2: ", "multiple-urls:http://b/", "url-in-path:p`:", "path-double-slash:p:`//"}},
	{0, "http://a/ http ://b/", {"raw-space*2: ", "multiple-urls:://b/", "url-in-path: `:", "path-double-slash: :`//"}},
	{"any", "%C3%28\xa9", {"not-absolute:", "invalid-utf8-escape:%C3", "latin1-escape:%C3", "escape-mixed-iri:%28", "non-ascii:\xa9"}},
	{0, "http://h\xef\xbc\x8e/", {"host-unicode:\xef\xbc\x8e", "idn-dot-variant:\xef\xbc\x8e", "idn-readers-disagree:\xef\xbc\x8e", "idn-compat-mapping:\xef\xbc\x8e"}},
	{0, "http://a\xe2\x91\xa0/", {"host-unicode:\xe2\x91\xa0", "idn-compat-mapping:\xe2\x91\xa0", "idn-readers-disagree:\xe2\x91\xa0"}},
	{0, "http://1\xe2\x91\xa0" "9/", {"ipv4-alt-digits:1\xe2\x91\xa0" "9", "host-tld-digit:1\xe2\x91\xa0" "9", "host-unicode:\xe2\x91\xa0", "idn-compat-mapping:\xe2\x91\xa0", "idn-readers-disagree:\xe2\x91\xa0"}},
	{0, "http://\xef\xbc\x91.\xef\xbc\x92:80/", {"ipv4-alt-digits:\xef\xbc\x91.\xef\xbc\x92", "host-unicode*2:\xef\xbc\x91", "idn-compat-mapping*2:\xef\xbc\x91", "idn-readers-disagree*2:\xef\xbc\x91", "port-default:80"}},
	{0, "http://\xef\xbc\x9a/", {"host-unicode:\xef\xbc\x9a", "idn-compat-mapping:\xef\xbc\x9a", "idn-readers-disagree:\xef\xbc\x9a"}},
	{0, "http://[v1.a]y:80/", {"bracket-garbage:[v1.a]y", "port-default:80"}},
	{0, "http://[v1.a]y/", {"bracket-garbage:[v1.a]y"}}, {"any", "ht://.a@h/", {"userinfo-present:.a@"}},
	{"any", "ht://.a/", {"host-empty-label://`"}}, {"any", "ht://a.b/", {0}},
	{"+host-single-label", "http://h.b/", {0}},
	{"+host-single-label", "http://.a/", {"host-empty-label://`"}},
	{"+host-single-label", "http://a./", {"host-single-label:a", "host-trailing-dot:."}},
	{"+host-single-label", "http://a_b/", {"host-single-label:a_b", "host-underscore:_"}},
	{"+host-single-label", "http://a!/", {"host-single-label:a!", "host-subdelim:!"}},
	{"+host-single-label", "http://a.b.c/", {0}},
	{"+host-single-label", "http:///", {"scheme-slash-excess://`/", "host-empty://`"}},
	{"+host-single-label", "http://.%/", {"host-empty-label://`", "bad-escape:%"}},
	{"+host-single-label", "http://../", {"host-empty-label*2://`", "host-trailing-dot:.`."}},
	{"+host-single-label", "http://_/", {"host-underscore:_", "host-single-label:_"}},
	{"+host-single-label", "http://x.com/", {0}}, {"+host-single-label", "http://abc.d/", {0}},
	{"+host-single-label", "http://abcd/", {"host-single-label:abcd"}},
	{"+host-single-label", "http://a.bcd/", {0}}, {"+host-single-label", "http://a.bc/", {0}},
	{"+host-single-label", "http://a.bcde/", {0}}, {"+host-single-label", "http://abc.bcde/", {0}},
	{"+addr-private", "http://10.0.0.1.org/", {"host-ipv4-prefix:10.0.0.1", "host-embeds-ip:10.0.0.1", "addr-private:10.0.0.1"}},
	{"+addr-private", "http://1.2.3.4.org/", {"host-ipv4-prefix:1.2.3.4", "host-embeds-ip:1.2.3.4"}},
	{"+addr-private", "http://10.0.0.1org/", {"host-ipv4-prefix:10.0.0.1", "host-embeds-ip:10.0.0.1", "addr-private:10.0.0.1", "host-tld-digit:1org"}},
	{"any", "\n[\\\\", {"leading-trailing-space:\n", "raw-crlf:\n", "not-absolute:", "forbidden-char:[\\\\", "backslash-path:\\\\"}},
	{0, "http://a[b\\\\/", {"host-forbidden-char*2:[", "backslash-authority:\\\\"}},
	{0, "http://[b\\\\/", {"ipv6-malformed:b\\\\", "backslash-authority:\\\\", "host-forbidden-char:\\\\"}},
	{"any", "a b", {"not-absolute:", "raw-space: "}},
	{"any", "\x01", {"leading-trailing-space:\x01", "control-char:\x01", "not-absolute:"}},
	{"any", "\x01\x02", {"leading-trailing-space:\x01\x02", "control-char:\x01\x02", "not-absolute:"}},
	{0, "http://h/\x01", {"leading-trailing-space:\x01", "control-char:\x01"}},
	{0, "http://\xff/", {"host-unicode:\xff"}},
	{"any", "[#", {"forbidden-char:[", "quoting-wrapper:[", "not-absolute:", "fragment-empty:#"}},
	{"any", "a[#", {"not-absolute:", "forbidden-char:[", "fragment-empty:#"}},
	{"any", "a|#b", {"not-absolute:", "forbidden-char:|"}},
	{"any", "a|#|", {"not-absolute:", "forbidden-char*2:|"}},
	{"any", "http ://http ://h/", {"not-absolute:", "scheme-malformed:http ", "raw-space*2: ", "host-forbidden-char:/http` ", "multiple-urls:://h/", "port-empty:/http `:", "path-leading-double-slash:/http :`//"}},
	{"any", "{", {"forbidden-char:{", "template-or-glob:{", "not-absolute:"}},
	{"any", "{a}", {"forbidden-char*2:{", "template-or-glob*2:{", "not-absolute:"}},
	{"any", "{a", {"forbidden-char:{", "template-or-glob:{", "not-absolute:"}},
	{"any", "[1-9]", {"forbidden-char*2:[", "quoting-wrapper:[", "template-or-glob:[1-9]", "not-absolute:"}},
	{"any", "[a-9]", {"forbidden-char*2:[", "quoting-wrapper:[", "not-absolute:"}},
	{"any", "[", {"forbidden-char:[", "quoting-wrapper:[", "not-absolute:"}},
	{"any", "//[1-1]", {"not-absolute:", "bracket-not-ipv6:1-1", "path-empty:]`"}},
	{"any", "http://h/[1-1]", {"forbidden-char*2:[", "template-or-glob:[1-1]"}},
	{0, "http://[1-3].h/", {"bracket-garbage:[1-3].h", "bracket-not-ipv6:1-3"}},
	{"any", ".\\\\", {"not-absolute:", "forbidden-char:\\\\", "backslash-path:\\\\"}},
	{"any", "a/.\\\\..", {"not-absolute:", "path-trailing-dot-space:.\\\\..", "forbidden-char:\\\\", "backslash-path:\\\\"}},
	{"any", "a/..%5c", {"not-absolute:", "escaped-slash-dot:..", "encoded-path-rewrite:..", "escape-case:%5c", "path-backslash-escaped:%5c"}},
	{"any", "%2E.", {"not-absolute:", "escaped-unreserved:%2E", "escaped-dot-segment:%2E.", "dot-segment-above-root:%2E."}},
	{"any", "a/%2E.", {"not-absolute:", "escaped-unreserved:%2E", "escaped-dot-segment:%2E."}},
	{"any", "../..", {"not-absolute:", "dot-segment*2:..", "dot-segment-above-root*2:.."}},
	{"any", "a/a/../..", {"not-absolute:", "dot-segment*2:.."}},
	{"any", "a/../..", {"not-absolute:", "dot-segment*2:..", "dot-segment-above-root:./`.."}},
	{"any", "/a/../..", {"not-absolute:", "dot-segment*2:..", "dot-segment-above-root:./`.."}},
	{"any", "p://", {0}},
	{0, "http://h?a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=", {"path-empty:/h`", "query-duplicate-key*31:&`a", "query-after-empty-path:a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a=&a="}},
	{0, "http://h/?a1&a2&a3&a4&a5&a6&a7&a8&a9&b1&b2&b3&b4&b5&b6&b7&b8&b9&c1&c2&c3&c4&c5&c6&c7&c8&c9&d1&d2&d3&d4&d4", {"query-duplicate-key:4&`d4"}},
	{0, "http://h/?a1&a2&a3&a4&a5&a6&a7&a8&a9&b1&b2&b3&b4&b5&b6&b7&b8&b9&c1&c2&c3&c4&c5&c6&c7&c8&c9&d1&d2&d3&d4&d5&d5", {0}},
	{0, "http://h/?a1&a2&a3&a4&a5&a6&a7&a8&a9&b1&b2&b3&b4&b5&b6&b7&b8&b9&c1&c2&c3&c4&c5&c6&c7&c8&c9&d1&d2&d3&d4&d5&d6&d6", {0}},
	{0, "http://h/?&/", {0}}, {0, "http://h/?=?/", {0}}, {0, "http://h/?a=//b", {"query-nested-url://b"}},
	{0, "http://h/?a=/b", {0}}, {0, "http://h/?a=?/b", {0}}, {"any", "ms-:", {"scheme-app-handler:ms-"}},
	{"any", "ms-a:b", {"scheme-app-handler:ms-a"}},
	{"any", "10.0.0-0/8", {"not-absolute:", "scheme-guess:10.0.0-0"}},
	{"any", "10.0.0.0/8", {"not-absolute:", "scheme-guess:10.0.0.0"}},
	{"any", "e.om:2", {"scheme-guess:e.om"}}, {"any", "e.com:2", {"scheme-guess:e.com"}},
	{"any", "e.com:", {0}}, {"any", "a.b:2x", {0}},
	{"any", "ws:\\\\", {"forbidden-char:\\\\", "scheme-slash-missing::`", "backslash-authority:\\\\", "backslash-path:\\\\"}},
	{"any", ".:\\\\", {"not-absolute:", "scheme-malformed:.", "path-colon-first:.", "forbidden-char:\\\\", "backslash-authority:\\\\", "backslash-path:\\\\"}},
	{"any", "ws:\\\\\\\\", {"forbidden-char:\\\\\\\\", "scheme-slash-missing::`", "backslash-authority:\\\\\\\\", "backslash-path:\\\\\\\\", "scheme-slash-excess:\\\\`\\\\"}},
	{"any", "x:\\\\\\\\", {"forbidden-char:\\\\\\\\", "backslash-path:\\\\\\\\"}},
	{"any", "x:\\\\", {"forbidden-char:\\\\", "backslash-path:\\\\"}},
	{"any", "/\\\\/", {"not-absolute:", "forbidden-char:\\\\", "backslash-authority:\\\\", "backslash-path:\\\\"}},
	{"any", "www.example.://com@e.org/", {"scheme-dot:www.example.", "userinfo-present:com@"}},
	{"any", "//a.b:80", {"not-absolute:", "path-empty:0`"}},
	{0, "http://http://a/", {"scheme-malformed:/`http:", "port-empty:/http`:", "path-leading-double-slash:/http:`//"}},
	{0, "http://://0x/", {"scheme-malformed:/`:", "host-empty://`", "port-empty:/`:", "path-leading-double-slash:/:`//"}},
	{0, "http://a://0x/", {"scheme-malformed:a:", "port-empty:a`:", "path-leading-double-slash:a:`//"}},
	{"any", "%68ttp://[4000::1]/", {"not-absolute:", "scheme-malformed:%68ttp", "escaped-unreserved:%68"}},
	{0, "http://[4000::1]/1", {"ipv6-path-digit:/`1"}}, {0, "http://[4000::1]/-", {"ipv6-path-digit:-"}},
	{0, "http://[4000::1]/a", {0}}, {0, "http://[4000::1]:80/1", {"port-default:80"}},
	{"any", ":7?", {"not-absolute:", "scheme-malformed:", "path-colon-first:", "tail-colon-digits::7", "query-empty:?"}},
	{"any", "#:5^", {"not-absolute:", "tail-colon-digits::5", "forbidden-char:^"}},
	{"any", ":0", {"not-absolute:", "scheme-malformed:", "path-colon-first:", "tail-colon-digits::0"}},
	{"any", "a?:5", {"not-absolute:", "tail-colon-digits::5"}},
	{"any", "a#:5", {"not-absolute:", "tail-colon-digits::5"}}, {"any", "#@", {"not-absolute:"}},
	{"any", "?@", {"not-absolute:"}},
	{0, "http://h#@", {"userinfo-delimiter:h#@", "fragment-authority-confusion:h#@", "path-empty:/h`", "fragment-after-empty-path:@"}},
	{0, "http://h?@", {"userinfo-delimiter:h?@", "fragment-authority-confusion:h?@", "path-empty:/h`", "query-after-empty-path:@"}},
	{0, "http:#@", {"scheme-slash-missing::`"}},
	{"any", ":4e", {"not-absolute:", "scheme-malformed:", "path-colon-first:", "tail-colon-digits::4"}},
	{0, "http://h/%E0\xb5%98", {"invalid-utf8-escape*2:%E0", "latin1-escape*2:%E0", "non-ascii:\xb5"}},
	{0, "http://h/%E0%80%98", {"overlong-utf8:%E0", "invalid-utf8-escape*3:%E0"}},
	{0, "http://h/%E0%9F%98", {"overlong-utf8:%E0", "invalid-utf8-escape*3:%E0"}},
	{0, "http://h/%E0%A0%98", {0}}, {0, "http://h/%E1%80%98", {0}},
	{0, "http://h/%F0%8F%92%A9", {"overlong-utf8:%F0", "invalid-utf8-escape*4:%F0"}},
	{0, "http://h/%F0%90%92%A9", {0}}, {0, "http://h/%F1%80%92%A9", {0}},
	{0, "http://h/%f0\x9f%92%a9", {"invalid-utf8-escape*3:%f0", "latin1-escape:%f0", "escape-case*2:%f0", "non-ascii:\x9f"}},
	{0, "http://h/\xe0\x9f\x98", {"non-ascii:\xe0\x9f\x98"}}, {0, "http://h/%7Ex\xa5" "bcdefgh", {"escaped-unreserved:%7E", "non-ascii:\xa5"}}, /* "%" + 0x80 */
	{"any", ".\\", {"not-absolute:", "forbidden-char:\\", "backslash-path:\\"}},
	{"any", "a/.\\..", {"not-absolute:", "path-trailing-dot-space:.\\..", "forbidden-char:\\", "backslash-path:\\"}},
	{"any", "/\\/", {"not-absolute:", "forbidden-char:\\", "backslash-authority:\\", "backslash-path:\\"}},
	{"any", "ws:\\", {"forbidden-char:\\", "scheme-slash-missing::`", "backslash-authority:\\", "backslash-path:\\"}},
	{"any", ".:\\", {"not-absolute:", "scheme-malformed:.", "path-colon-first:.", "forbidden-char:\\", "backslash-path:\\"}},
	{"any", "x:\\", {"forbidden-char:\\", "backslash-path:\\"}},
	{"any", "\n[\\", {"leading-trailing-space:\n", "raw-crlf:\n", "not-absolute:", "forbidden-char:[\\", "backslash-path:\\"}},
	{0, "http://a[b\\/", {"host-forbidden-char*2:[", "backslash-authority:\\"}},
	{"any", "a?\\", {"not-absolute:", "forbidden-char:\\", "backslash-path:\\"}},
	{"any", "a?[", {"not-absolute:", "forbidden-char:[", "query-nested-brackets:["}},
	{0, "http://h/\x7f%0B", {"control-char:\x7f", "escaped-control:%0B"}},
	{0, "http://a.\xc3\xa9/", {"host-unicode:\xc3\xa9"}},
	{0, "http://.\xc3\xa9/", {"host-empty-label://`", "host-unicode:\xc3\xa9"}},
	{0, "http://xn--\\a/", {"idn-invalid-alabel:xn--\\a", "backslash-authority:\\", "host-forbidden-char:\\"}},
	{0, "http://xn--</", {"idn-invalid-alabel:xn--<", "host-forbidden-char:<"}},
	/* A-labels of "a" and U+D7FF, U+1DFFF and U+1FE47, which are unassigned, U+1E000,
	 * U+1F8FF, U+1F900 and U+1FE46: an implementation that keeps only the low 16 bits would
	 * confuse them; of U+007F, which is ASCII; and of U+2F8FF, whose low bits are for private use */
	{0, "http://xn--a-pc4g.org/", {"idn-invalid-alabel:xn--a-pc4g"}},
	{0, "http://xn--a-no4r.org/", {"idn-invalid-alabel:xn--a-no4r"}},
	{0, "http://xn--a-po4r.org/", {"idn-recent-char:xn--a-po4r"}},
	{0, "http://xn--a-d44s.org/", {"idn-invalid-alabel:xn--a-d44s"}},
	{0, "http://xn--a-f44s.org/", {"idn-invalid-alabel:xn--a-f44s"}}, {0, "http://xn--r62n.com/", {"idn-compat-mapping:xn--r62n", "idn-readers-disagree:xn--r62n"}},
	{0, "http://xn--a-kc7s.org/", {"idn-invalid-alabel:xn--a-kc7s"}},
	{0, "http://xn--a-mc7s.org/", {"idn-invalid-alabel:xn--a-mc7s"}},
	{0, "http://xn--\x7f-/", {"host-bad-hyphen:xn--\x7f-", "idn-invalid-alabel:xn--\x7f-", "control-char:\x7f"}},
	/* a colon is never a digit of an address, in any spelling */
	{0, "http://\xd9\xa0%3A1/", {"host-unicode:\xd9\xa0", "idn-readers-disagree:\xd9\xa0", "idn-bidi-rule:\xd9\xa0%3A1", "host-percent-encoded:%3A", "host-encoded-delimiter:%3A"}},
	/* all four octets of an address in hexadecimal digits count */
	{"public", "http://ffffffff.nip.io/", {"host-embeds-ip:ffffffff", "addr-not-global:ffffffff", "addr-broadcast:ffffffff"}},
	{"public", "http://fffff-fe80--1.sslip.io/", {"addr-unclassified:fffff-fe80--1.sslip.io", "host-embeds-ip:fe80--1", "addr-not-global:fe80--1", "addr6-link-local:fe80--1"}}, /* groups have 0 to 4 digits */
	{"public", "http://fe80--.sslip.io/", {"host-bad-hyphen:fe80--", "host-embeds-ip:fe80--", "addr-not-global:fe80--", "addr6-link-local:fe80--"}},
	{"+host-embeds-ip", "http://0a000001.nip.io/", {"host-embeds-ip:0a000001"}}, {"+host-single-label", "http://0a000001.nip.io/", {0}},
	{"+addr-not-global", "http://0a000001.nip.io/", {"host-embeds-ip:0a000001", "addr-not-global:0a000001"}},
	/* a finding that is off is not reported where another rule about names is on */
	{"+host-single-label", "http://localhost/", {"host-single-label:localhost"}},
	{"+host-metadata-name", "http://localhost/a", {0}},
	{"+addr-link-local", "http://169.254.169.254/", {"addr-link-local:169.254.169.254"}},
	{"+addr-metadata", "http://10.0.0.1/", {0}},
	{0, "http://h/%2525ga", {"double-escape:%2525", "escaped-percent:%25"}},
	{0, "http://h/%25250q", {"double-escape:%2525", "escaped-percent:%25"}},
	{0, "http://h/%%80%21", {"bad-escape:%", "invalid-utf8-escape:%80", "latin1-escape:%80", "escape-mixed-iri:%21"}},
	{0, "http://u%%2F@h/", {"userinfo-present:u%%2F@", "userinfo-encoded-delimiter:u%%2F@", "bad-escape:%"}},
	{0, "http://-a]/", {"host-forbidden-char:]"}},
	{0, "://a http://h/", {"not-absolute:", "scheme-malformed:", "path-colon-first:", "url-in-path::", "path-double-slash*2://", "raw-space: ", "multiple-urls:http://h/"}},
	{0, "http://[::1]?5", {"path-empty:]`", "query-after-empty-path:5"}},
	{0, "http://[::1]#-", {"path-empty:]`", "fragment-after-empty-path:-"}},
	{0, "http://h/?a==//x", {"query-nested-url://x"}},
	{0, "http://h/?a=%2F%2Fx", {"query-nested-url:%2F%2Fx"}},
	/* exactly 100 and no fewer; RFC 4648, 4 and 5: "+", "-" and "_" belong to the alphabets
	 * of encoded data */
	{"+query-exfiltration", "https://h/?d=Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0A", {"query-exfiltration:d=Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0A"}},
	{"+query-exfiltration", "https://h/?d=Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0", {0}},
	{"+query-exfiltration", "https://h/?d=.Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0", {0}},
	{"+query-exfiltration", "https://h/#d=Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0A", {0}},
	{"+query-exfiltration", "https://h/?d=-_+Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0A", {"query-exfiltration:d=-_+Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0Aa0A", "plus-vs-space:+"}},
	/* an A-label does not hide a control, not even a raw one */
	{0, "http://xn--\x01-cua/", {"idn-invalid-alabel:xn--\x01-cua", "control-char:\x01"}},
	{0, "http://xn--\x1f-cua/", {"idn-invalid-alabel:xn--\x1f-cua", "control-char:\x1f"}},
	{0, "http://xn--\x7f-cua/", {"idn-invalid-alabel:xn--\x7f-cua", "control-char:\x7f"}},
	{0, "http://xn---manya-kc7s.org/", {"idn-not-everywhere:xn---manya-kc7s"}}, {0, "http://xn--p5b2i.com/", {"idn-not-everywhere:xn--p5b2i"}}, {0, "http://xn--1-zhc.com/", {"idn-not-everywhere:xn--1-zhc"}},
	{0, "http://xn--ll-0ea.com/", {"idn-tld-specific:xn--ll-0ea", "idn-not-everywhere:xn--ll-0ea"}}, {"+idn-mixed-script", "http://a.xn--pple-43d/", {0}},
	{"any", "%3A\xc3", {"not-absolute:", "non-ascii:\xc3"}},
	{"+host-unknown-tld", "http://a..b/", {"host-empty-label:a.`", "host-unknown-tld:b"}},
	{0, "http://xn--~-cua/", {"idn-not-everywhere:xn--~-cua", "host-nonldh:~"}},
	{0, "http://xn-- -cua/", {"idn-not-everywhere:xn-- -cua", "raw-space: ", "host-forbidden-char: "}},
	/* RFC 3492, 6.2: a delimiter with nothing before it is invalid; this decodes to xn--dha */
	{0, "http://xn---dha/", {"idn-invalid-alabel:xn---dha"}},
	{0, "http://xn--dha/", {"idn-readers-disagree:xn--dha", "idn-uppercase:xn--dha"}},
};

Test(exact, borders) { EXPECT(borders); }
Test(exact, userinfo) { EXPECT(userinfos); }
Test(exact, scheme) { EXPECT(schemes); }
Test(exact, path) { EXPECT(paths); }
Test(exact, query_and_fragment) { EXPECT(queries); }
Test(exact, octets) { EXPECT(octets); }
Test(exact, escapes) { EXPECT(escapes); }
Test(exact, host) { EXPECT(hosts); }
Test(exact, literal) { EXPECT(literals); }
Test(exact, port) { EXPECT(ports); }
Test(exact, tail) { EXPECT(tails); }

/* G13 to G16 of the gate, and the notes about triplets in the path that gateway raises. */
static const struct row second_edition[] = {
	{0, "http://h/#!", {"fragment-hashbang:!"}}, {0, "http://h/#!a", {"fragment-hashbang:#`!"}},
	{0, "http://h/#%21a", {"fragment-hashbang:%21"}}, {0, "http://h/#a!", {0}}, {0, "http://h/#%22!", {0}},
	{0, "http://h/?!#a", {0}}, {0, "http://h/#.", {"fragment-dot-segment:."}},
	{0, "http://h/#..", {"fragment-dot-segment:.."}}, {0, "http://h/#...", {0}}, {0, "http://h/#.a", {0}},
	{0, "http://h/#a.", {0}}, {0, "http://h/#..a/b..", {0}},
	{0, "http://h/#/./a", {"fragment-dot-segment:."}},
	{0, "http://h/#/../a/..", {"fragment-dot-segment*2:.."}},
	{0, "http://h/#a/..", {"fragment-dot-segment:.."}},
	{0, "http://h/#..?x", {"fragment-dot-segment:..", "fragment-question:?"}},
	{0, "http://h/#x?..", {"fragment-dot-segment:..", "fragment-question:?"}},
	{0, "http://h/#x%2F..%2Fy", {"fragment-dot-segment:%2F`.."}},
	{0, "http://h/#x%3F..%5Cy", {"fragment-dot-segment:%3F`.."}}, {0, "http://h/#x%3E..%5Dy", {0}},
	{0, "http://h/#..;a", {"fragment-dot-segment:..;a"}}, {0, "http://h/#.;/", {"fragment-dot-segment:.;"}},
	{0, "http://h/#..%3Ba/b", {"fragment-dot-segment:..%3Ba"}}, {0, "http://h/#..%3Aa", {0}},
	{0, "http://h/#...;a", {0}}, {0, "http://h/#a;../", {0}},
	{0, "http://h/#a\\..", {"forbidden-char:\\", "backslash-path:\\"}},
	{0, "http://h/#%2e%2e", {"fragment-dot-segment:%2e%2e", "escaped-unreserved*2:%2e", "escape-case*2:%2e"}},
	{"any", "x:/%5C%3F%25", {"path-backslash-escaped:%5C", "path-delimiter-escaped:%3F", "escaped-percent:%25", "escaped-delimiter:%3F"}},
	{"any", "x:/#../a", {0}}, {"any", "x:/#!a", {0}}, {"any", "ws://h/#!a", {"fragment-hashbang:!"}},
	{0, "http://h/a;", {"path-semicolon:;", "path-final-semicolon:;"}},
	{0, "http://h/;/;", {"path-semicolon*2:;", "path-final-semicolon:;/`;"}},
	{0, "http://h/a;;", {"path-semicolon:;;", "path-final-semicolon:;`;"}},
	{0, "http://h/a;?b", {"path-semicolon:;", "path-final-semicolon:;"}},
	{0, "http://h/a;#b", {"path-semicolon:;", "path-final-semicolon:;"}},
	{0, "http://h/%3B", {"path-semicolon:%3B", "path-final-semicolon:%3B", "escaped-delimiter:%3B"}},
	{0, "http://h/%3b", {"path-semicolon:%3b", "path-final-semicolon:%3b", "escaped-delimiter:%3b", "escape-case:%3b"}},
	{0, "http://h/%3C", {0}}, {0, "http://h/a;b", {"path-semicolon:;"}},
	{0, "http://h/a%3Bb", {"path-semicolon:%3B", "escaped-delimiter:%3B"}},
	{0, "http://h/a;/", {"path-semicolon:;"}}, {0, "http://h/?a;", {"query-separator:;"}},
	{"any", "x:/a;", {"path-semicolon:;"}},
	{"any", "x:%3B", {"path-semicolon:%3B", "escaped-delimiter:%3B"}},
	{0, "http://h/a%2Fb%2F", {"escaped-slash*2:%2F"}}, {0, "http://h/?a%2Fb#c%2Fd", {0}},
	{"any", "x:/a%2Fb", {0}}, {"any", "wss://h/a%2Fb", {"escaped-slash:%2F"}},
	{0, "http://h/%3F%23", {"path-delimiter-escaped*2:%3F", "escaped-delimiter*2:%3F"}},
	{0, "http://h/?%3F%23", {"escaped-delimiter*2:%3F"}},
	{0, "http://h/%25/%25", {"escaped-percent*2:%25"}}, {0, "http://h/?%25#%25", {0}},
	{0, "Http://h/", {"scheme-case:Http"}}, {0, "httpS://h/", {"scheme-case:httpS"}},
	{"any", "Ftp://h/", {"scheme-case:Ftp"}}, {"any", "Ws://h/", {"scheme-case:Ws"}},
	{"any", "X://h/", {0}}, {0, "X://h/", {"scheme-case:X", "scheme-not-allowed:X"}},
	{0, "http://h?a?b", {"path-empty://h`", "query-after-empty-path:a?b"}},
	{0, "http://h?a#b", {"path-empty://h`", "query-after-empty-path:a"}},
	{0, "http://h#a?b", {"path-empty://h`", "fragment-after-empty-path:a?b", "fragment-question:?"}},
	{"any", "ftp://h?a", {"path-empty://h`", "query-after-empty-path:a"}}, {"any", "x://h?a", {0}},
	{0, "http://h/a.b:1", {"colon-port-in-tail:a.b:1", "tail-colon-digits::1"}},
	{0, "http://h/a:1", {"tail-colon-digits::1"}}, {0, "http://h/a.b/c:1", {"tail-colon-digits::1"}},
	{0, "http://h/a.b~c:1", {"tail-colon-digits::1"}},
	{0, "http://h/.:1", {"colon-port-in-tail:.:1", "tail-colon-digits::1"}},
	{0, "http://h/?a.b:1&c", {"tail-colon-digits::1"}}, {0, "http://h/a.b:", {0}},
	{0, "http://h/a.b:c", {0}}, {0, "http://h/:a.b:1", {"tail-colon-digits::1"}},
	{0, "http://xn--a-7m0i.org/", {"idn-ignored-char:xn--a-7m0i", "idn-readers-disagree:xn--a-7m0i"}}, /* a, U+FEFF */
};

Test(exact, second_edition)
{
	EXPECT(second_edition);
}

/* Unicode 17: default ignorable and format characters of no word and no emoji, and separators. */
Test(exact, invisible_characters)
{
	static const uint32_t ranges[][2] = {{0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160}, {0x180e, 0x180e},
		{0x200b, 0x200b}, {0x2028, 0x2029}, {0x2060, 0x2064}, {0x206a, 0x206f}, {0x3164, 0x3164}, {0xfeff, 0xfeff},
		{0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}, {0xe0100, 0xe01ef}};
	const struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_NON_ASCII);
	for (size_t k = 0; k < 60; k++) { /* the ends of each range, and what is beside it */
		struct urivet_report r;
		char uri[20];
		const uint32_t c = ranges[k / 4][k % 4 / 2] - (k % 4 == 0) + (k % 4 == 3);
		judge(&r, uri, (size_t)snprintf(uri, sizeof uri, "http://h/%s", utf8_of(c)), &p);
		cr_expect((finding_in(&r, URIVET_F_ESCAPED_INVISIBLE) != NULL) == (k % 4 % 3 != 0), "U+%04x", (unsigned)c);
	}
}

/* A path may consist of its terminator only. */
Test(exact, paths_of_a_semicolon)
{
	static const char *const ends[] = {";", "%3B"};
	for (size_t k = 0; k < 2; k++) {
		struct urivet_report r;
		urivet_check(&r, at_edge(ends[k], strlen(ends[k])), strlen(ends[k]), NULL);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_PATH_FINAL_SEMICOLON);
		cr_assert(f != NULL, "%s: %s", ends[k], ids_of(&r));
		cr_expect(f->span.offset == 0 && f->span.length == strlen(ends[k]));
	}
}

/* ---- Lists of words ----------------------------------------------------------------- */

static struct urivet_report judged(const struct urivet_policy *policy, const char *format,
				   const char *word)
{
	static char uri[512];
	struct urivet_report r;
	const int length = snprintf(uri, sizeof uri, format, word);
	judge(&r, uri, (size_t)length, policy);
	return r;
}

static void expect_words(const char *const *words, const struct urivet_policy *policy,
			 const char *format, unsigned id)
{
	for (; *words != NULL; words++) {
		const struct urivet_report r = judged(policy, format, *words);
		cr_expect(finding_in(&r, id) != NULL, "%s: %s", *words, ids_of(&r));
	}
}

/* Checks that a word with one more letter, before or after it, is another word. */
static void expect_no_words(const char *const *words, const struct urivet_policy *policy,
			    const char *longer, const char *other, unsigned id)
{
	for (; *words != NULL; words++) {
		struct urivet_report r = judged(policy, longer, *words);
		cr_expect(finding_in(&r, id) == NULL, "%s: %s", *words, ids_of(&r));
		r = judged(policy, other, *words);
		cr_expect(finding_in(&r, id) == NULL, "%s: %s", *words, ids_of(&r));
	}
}

/* IANA's registry of schemes, the wrappers of PHP and Java, and the schemes of Windows and
 * phones. */
Test(exact, families_of_schemes)
{
	static const struct {
		unsigned id;
		const char *schemes[24];
	} families[] = {
		{URIVET_F_SCHEME_SCRIPT, {"javascript", "vbscript", "livescript", "jscript", "mocha", 0}},
		{URIVET_F_SCHEME_DATA, {"data", 0}}, {URIVET_F_SCHEME_FILE, {"file", 0}},
		{URIVET_F_SCHEME_TEXT_PROTOCOL, {"gopher", "gophers", "dict", "tftp", "telnet", "smtp", "smtps",
			"pop3", "pop3s", "imap", "imaps", "rtsp", "redis", "rediss", "memcache", 0}},
		{URIVET_F_SCHEME_LDAP_JNDI, {"ldap", "ldaps", "ldapi", "rmi", "jndi", "iiop", "corbaname",
			"corbaloc", "nis", "nds", 0}},
		{URIVET_F_SCHEME_ARCHIVE_WRAPPER, {"phar", "php", "zip", "rar", "zlib", "compress.zlib",
			"compress.bzip2", "glob", "expect", "ogg", "ssh2", "netdoc", "jar", 0}},
		{URIVET_F_SCHEME_PREFIX_WRAPPER, {"jar", "url", "feed", "view-source", "blob", "filesystem",
			"wyciwyg", "mhtml", 0}},
		{URIVET_F_SCHEME_APP_HANDLER, {"intent", "android-app", "itms-services", "search-ms", "search",
			"shell", "hcp", "mk", "res", "smb", "cifs", "ms-", "ms-msdt", "MS-x", 0}},
	};
	for (unsigned k = 0; k < sizeof families / sizeof families[0]; k++) {
		expect_words(families[k].schemes, BY_ANY, "%s:a", families[k].id);
		expect_words(families[k].schemes, BY_STRICT, "%s://h/", families[k].id);
		expect_words(families[k].schemes, BY_ANY, "a:%s:b", URIVET_F_SCHEME_PREFIX_WRAPPER);
	}
	static const char *const others[] = {"x", "urn", "ms", "m-s", "datas", "xdata", 0};
	for (unsigned k = 0; k < sizeof families / sizeof families[0]; k++)
		for (const char *const *other = others; *other != NULL; other++) {
			const struct urivet_report r = judged(BY_ANY, "%s:a", *other);
			cr_expect(r.count == 0, "%s: %s", *other, ids_of(&r));
		}
}

Test(exact, keys_of_secrets)
{
	static const char *const keys[] = {"access_token", "id_token", "refresh_token", "token", "api_key",
		"apikey", "password", "passwd", "secret", "client_secret", "auth",
		"session", "sessionid", "sid", "jwt", "Access_Token", "access_key", "api-key", "api_token",
		"auth_token", "jsessionid", "PHPSESSID", "private_token", "secret_key", "session_id",
		"session_token", "x-api-key", 0};
	static const char *const shared[] = {"pwd", "signature", "sig", "invite", "invitation",
		"x-amz-signature", "x-amz-credential", "x-amz-security-token", "X-Amz-Signature",
		"X-Goog-Credential", "X-Goog-Signature", 0};
	expect_words(keys, BY_STRICT, "http://h/?a=b&%s=c", URIVET_F_QUERY_SECRET);
	expect_words(keys, BY_STRICT, "http://h/#%s=c", URIVET_F_FRAGMENT_SECRET);
	expect_words(shared, BY_STRICT, "http://h/?a=b&%s=c", URIVET_F_QUERY_SHARED_TOKEN);
	expect_words(shared, BY_STRICT, "http://h/#%s=c", URIVET_F_FRAGMENT_SECRET);
	expect_no_words(shared, BY_STRICT, "http://h/?a=b&%s=c", "http://h/?%sx=c", URIVET_F_QUERY_SECRET);
	expect_no_words(keys, BY_STRICT, "http://h/?a=b&%s=c", "http://h/?%s", URIVET_F_QUERY_SHARED_TOKEN);
	expect_no_words(keys, BY_STRICT, "http://h/?%sx=c", "http://h/?x%s=c", URIVET_F_QUERY_SECRET);
	expect_no_words(keys, BY_STRICT, "http://h/?%s", "http://h/#%s=a", URIVET_F_QUERY_SECRET);
}

/* RFC 6761, 6762, 7686, 8375, 9476 and the lists of cloud providers: a single name (HOST), a
 * name with its subdomains (TREE), or only its subdomains (BELOW). */
Test(exact, known_names)
{
	static const struct lists {
		unsigned id;
		const char *hosts[8], *trees[132], *under[4], *below[16];
	} lists[] = {
		{URIVET_F_HOST_LOCALHOST_NAME, {"ip6-localhost", "ip6-loopback", "localhost4", "localhost6", 0}, {"localhost.localdomain", "localhost6.localdomain6",
			"localhost", 0}, {0}, {0}},
		{URIVET_F_HOST_METADATA_NAME, {"instance-data", "metadata", "rancher-metadata", 0}, {"metadata.exoscale.com", "metadata.cloud.ibm.com",
			"metadata.platformequinix.com", "metadata.tencentyun.com", "metadata.goog", "instance-data.ec2.internal", "metadata.google.internal", "metadata.packet.net",
			"kubernetes.default.svc", 0}, {0}, {0}},
		{URIVET_F_HOST_KNOWN_LOOPBACK_NAME, {0}, {"localhost.localstack.cloud", "42foo.com", "mail.ebc.apple.com", "colasloth.com", "lacolhost.com", "localhost.direct",
			"local.gd", "lcl.host", "fuf.me", "localdev.me", "localtest.me", "lvh.me", "traefik.me", "vcap.me", "spoofed.burpcollaborator.net", "bugbounty.dod.network",
			"rebind.network", "ddev.site", "lndo.site", "localh.st", "localho.st", "smackaho.st", "localhst.co.uk", "127-0-0-1.org.uk", 0}, {"127.ca", "shed.host",
			"localhost.tv", 0}, {0}},
		{URIVET_F_HOST_INTERNAL_SUFFIX, {0}, {"alt", "6tisch.arpa", "eap-noob.arpa", "home.arpa", "10.in-addr.arpa", "254.169.in-addr.arpa", "16.172.in-addr.arpa",
			"17.172.in-addr.arpa", "18.172.in-addr.arpa", "19.172.in-addr.arpa", "20.172.in-addr.arpa", "21.172.in-addr.arpa", "22.172.in-addr.arpa", "23.172.in-addr.arpa",
			"24.172.in-addr.arpa", "25.172.in-addr.arpa", "26.172.in-addr.arpa", "27.172.in-addr.arpa", "28.172.in-addr.arpa", "29.172.in-addr.arpa", "30.172.in-addr.arpa",
			"31.172.in-addr.arpa", "170.0.0.192.in-addr.arpa", "171.0.0.192.in-addr.arpa", "168.192.in-addr.arpa", "8.e.f.ip6.arpa", "9.e.f.ip6.arpa", "a.e.f.ip6.arpa",
			"b.e.f.ip6.arpa", "ipv4only.arpa", "resolver.arpa", "service.arpa", "congstar.box", "connect.box", "easy.box", "fritz.box", "leike.cc", "vpce.amazonaws.com.cn",
			"falogin.cn", "melogin.cn", "tplogin.cn", "vpce.amazonaws.com", "instant.arubanetworks.com", "setmeup.arubanetworks.com", "ap.asus.com", "repeater.asus.com",
			"router.asus.com", "asusap.com", "asusrepeater.com", "asusrouter.com", "asusswitch.com", "console.gl-inet.com", "hiwifi.com", "huaweimobilewifi.com",
			"miwifi.com", "myfiosgateway.com", "mynetworksettings.com", "oraclevcn.com", "orbilogin.com", "peiluyou.com", "routerlogin.com", "tendawifi.com", "consul",
			"corp", "homerouter.cpe", "router.ctc", "giga.cube", "ui.direct", "arcor.easybox", "example", "mafreebox.freebox.fr", "pi.hole", "home", "steamloopback.host",
			"mobile.hotspot", "i2p", "internal", "intranet", "invalid", "speedport.ip", "lan", "hi.link", "local", "localdomain", "localdomain4", "localdomain6", "mail",
			"aterm.me", "phicomm.me", "fritz.nas", "gateway.2wire.net", "asusap.net", "asusnetwork.net", "asusrepeater.net", "asusswitch.net", "attlocal.net",
			"internal.cloudapp.net", "expertwifi.net", "my.keenetic.net", "mshome.net", "myrepeater.net", "mywifiext.net", "orbilogin.net", "routerlogin.net",
			"tendawifi.net", "tplinkap.net", "tplinkdeco.net", "tplinkeap.net", "tplinkextender.net", "tplinklogin.net", "tplinkmodem.net", "tplinkplclogin.net",
			"tplinkrepeater.net", "tplinkwifi.net", "zenwifi.net", "novalocal", "onion", "openstacklocal", "private", "fritz.repeater", "my.router", "samsung.router",
			"ntt.setup", "web.setup", "svc", "test", "p.to", "workgroup", 0}, {0}, {0}},
		{URIVET_F_ADDR_UNCLASSIFIED, {0}, {0}, {"rebind.it", 0}, {"my.local-ip.co", "plex.direct", "backname.io", "nip.io", "sslip.io", "xip.io", "1u.ms", "xip.name",
			"ipv6-literal.net", "local-ip.medicmobile.org", "local-ip.sh", "rbndr.us", 0}},
	};
	for (unsigned k = 0; k < 2 * sizeof lists / sizeof lists[0]; k++) {
		struct urivet_policy policy = built_in(k % 2 == 0 ? URIVET_STRICT : URIVET_ANY); /* which asks for no top-level domain */
		const struct lists *const list = &lists[k / 2];
		cr_expect(urivet_policy_raise(&policy, list->id));
		expect_words(list->hosts, &policy, "http://%s/", list->id);
		expect_words(list->hosts, &policy, "http://%s:80/a", list->id);
		expect_no_words(list->hosts, &policy, "http://a.%s/", "http://x%s/", list->id);
		expect_words(list->trees, &policy, "http://%s/", list->id);
		expect_words(list->trees, &policy, "http://a.%s/", list->id);
		expect_words(list->trees, &policy, "http://A-b.%s:80/", list->id);
		expect_no_words(list->trees, &policy, "http://x%s/", "http://%s.com/", list->id);
		expect_words(list->under, &policy, "http://a.%s/", list->id);
		expect_no_words(list->under, &policy, "http://%s/", "http://x%s/", list->id);
		expect_words(list->below, &policy, "http://a.%s/", list->id);
		expect_no_words(list->below, &policy, "http://%s/", "http://x%s/", list->id);
		expect_no_words(list->below, &policy, "http://7f000001.%s/", "http://127-0-0-1.%s/", list->id);
		expect_words(list->below, &policy, "http://7f00001.%s/", list->id);
		expect_words(list->below, &policy, "http://7f000001x.%s/", list->id);
		expect_words(list->below, &policy, "http://7f0000011.%s/", list->id);
		/* a waived rule still reports */
		policy = built_in(URIVET_STRICT);
		cr_expect(urivet_policy_waive(&policy, list->id));
		expect_words(list->hosts, &policy, "http://%s/", list->id);
		expect_words(list->trees, &policy, "http://a.%s/", list->id);
		expect_words(list->below, &policy, "http://a.%s/", list->id);
		/* with none of them raised these are ordinary names */
		expect_no_words(list->hosts, NULL, "http://%s/", "http://%s:80/", list->id);
		expect_no_words(list->trees, NULL, "http://%s/", "http://a.%s/", list->id);
		expect_no_words(list->below, NULL, "http://a.%s/", "http://%s/", list->id);
	}
}

/* WHATWG Fetch, 2.9, "bad port", and ports through which servers are attacked. */
Test(exact, blocked_ports)
{
	static const unsigned short blocked[] = {
		1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
		103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512,
		513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995,
		1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
		6679, 6697, 10080, /* ports in addition to Fetch */
		2375, 2376, 2379, 2380, 3306, 3389, 4444, 5000, 5432, 5672, 5900, 5984, 6379, 6443, 7001, 8009,
		8086, 8500, 9000, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017, 50070};
	unsigned found = 0;
	for (unsigned port = 0; port < 65536; port++) {
		char digits[8];
		snprintf(digits, sizeof digits, "%u", port);
		const struct urivet_report r = judged(NULL, "http://h:%s/", digits);
		bool listed = false;
		for (unsigned k = 0; k < sizeof blocked / sizeof blocked[0]; k++)
			listed = listed || blocked[k] == port;
		cr_assert((finding_in(&r, URIVET_F_PORT_BLOCKED) != NULL) == listed, "%u", port);
		cr_assert((finding_in(&r, URIVET_F_PORT_NONDEFAULT) != NULL) == (port != 80 && port != 0), "%u", port);
		cr_assert((finding_in(&r, URIVET_F_PORT_ZERO) != NULL) == (port == 0), "%u", port);
		cr_assert((r.verdict == URIVET_ACCEPT) == (port == 80), "%u", port);
		cr_assert((finding_in(&r, URIVET_F_PORT_DEFAULT) != NULL) == (port == 80), "%u", port);
		found += listed;
	}
	cr_expect(found == sizeof blocked / sizeof blocked[0]);
}

/* UTS 46: the findings for each code point in a host, escaped and raw. */
static const struct {
	uint32_t first, last;
	unsigned id;
} mapped[] = {
	{0xdf, 0xdf, URIVET_F_IDN_DEVIATION_CHAR}, {0x3c2, 0x3c2, URIVET_F_IDN_DEVIATION_CHAR},
	{0x200c, 0x200d, URIVET_F_IDN_DEVIATION_CHAR}, {0x3002, 0x3002, URIVET_F_IDN_DOT_VARIANT},
	{0xff0e, 0xff0e, URIVET_F_IDN_DOT_VARIANT}, {0xff61, 0xff61, URIVET_F_IDN_DOT_VARIANT},
	/* digits and dots: a host of nothing else */
	{0xff10, 0xff19, URIVET_F_IPV4_ALT_DIGITS}, {0x660, 0x669, URIVET_F_IPV4_ALT_DIGITS},
	{0x6f0, 0x6f9, URIVET_F_IPV4_ALT_DIGITS}, {0x2460, 0x2468, URIVET_F_IPV4_ALT_DIGITS},
	{0x24ea, 0x24ea, URIVET_F_IPV4_ALT_DIGITS}, {0x3002, 0x3002, URIVET_F_IPV4_ALT_DIGITS},
	{0xff0e, 0xff0e, URIVET_F_IPV4_ALT_DIGITS}, {0xff61, 0xff61, URIVET_F_IPV4_ALT_DIGITS},
};

static bool is_mapped(uint32_t c, unsigned id)
{
	for (unsigned k = 0; k < sizeof mapped / sizeof mapped[0]; k++)
		if (mapped[k].id == id && c >= mapped[k].first && c <= mapped[k].last)
			return true;
	return false;
}

Test(exact, characters_that_mapping_changes)
{
	static const unsigned ids[] = {URIVET_F_IDN_DEVIATION_CHAR, URIVET_F_IDN_DOT_VARIANT,
		URIVET_F_IPV4_ALT_DIGITS};
	for (uint32_t c = 0x80; c < 0x20000; c++) {
		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		const struct urivet_report r = judged(NULL, "http://1.%s/", utf8_of(c));
		const uint32_t length = (uint32_t)strlen(utf8_of(c));
		for (unsigned k = 0; k < sizeof ids / sizeof ids[0]; k++) {
			const struct urivet_finding *f = finding_in(&r, ids[k]);
			cr_assert((f != NULL) == is_mapped(c, ids[k]), "U+%04x: %s", (unsigned)c, ids_of(&r));
			if (f != NULL && k < 2)
				cr_assert(f->span.offset == 9 && f->span.length == length);
			else if (f != NULL)
				cr_assert(f->span.offset == 7 && f->span.length == 2 + length);
		}
	}
	const struct urivet_report r = judged(NULL, "http://%s/", "1.a\xd9\xa0");
	cr_expect(finding_in(&r, URIVET_F_IPV4_ALT_DIGITS) == NULL);
}

/* The first and last digits that mapping changes, and what is beside them. */
Test(exact, digits_that_mapping_changes)
{
	static const char *const others[] = {"\uff0f", "\uff1a", "\u065f", "\u066a", "\u06ef", "\u06fa", "\u245f", "\u2469", 0};
	expect_no_words(others, NULL, "http://1.%s/", "http://%s/", URIVET_F_IPV4_ALT_DIGITS);
	expect_words((const char *const[]){"\uff10\uff19.\u0660\u0669\u06f0\u06f9\u2460\u2468\u24ea", 0}, NULL, "http://%s/", URIVET_F_IPV4_ALT_DIGITS);
}
