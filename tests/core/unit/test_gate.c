/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the strict gate: what it accepts, what it refuses and by which findings, and the octets
 * that each finding points at. */
#include "support.h"

TestSuite(gate, .timeout = 60);

static bool names(const char *ids, const char *id)
{
	const size_t length = strlen(id);
	for (const char *p = ids; (p = strstr(p, id)) != NULL; p++)
		if ((p == ids || p[-1] == ',') && (p[length] == ',' || p[length] == '\0'))
			return true;
	return false;
}

/* Acceptable URLs, some of them unusual. */
static const char *const fine[] = {
	"http://a/", "https://example.com", "http://EXAMPLE.COM/", "http://example.com:80/",
	"https://example.com:443", "http://1.2.3.4/", "http://255.255.255.255:80",
	"http://localhost/", "http://a.b.c.d.e.f/", "http://1a.2b.c3/", "http://a--b.example/",
	"http://xn--exmple-cua.com/", "http://XN--EXMPLE-CUA.com/", "http://[::1]/", "http://[::]/",
	"http://[2001:db8::1]/a9", "http://[2001:DB8::A]:80/99", "http://[64:ff9b::7f00:1]/",
	"http://[fe80::1]/", "http://0.example/", "http://123.example/", "http://1.2.3.org/",
	"http://a.1.2.3.4.org/", "http://example.com/a//b", "http://example.com/a/",
	"http://example.com/.a/..b/...", "http://example.com/a:b@c", "http://example.com/@user",
	"http://example.com/npm/pkg@1.2", "http://example.com/~a/-._!$&'()*+,;=:@",
	"http://example.com/?a?b/c", "http://example.com/#a?b/c", "http://example.com/?a",
	"http://example.com/#a", "http://example.com/?a#b.c", "http://1.2.3.4/?q", "http://example.com/?",
	"http://example.com/#", "http://example.com/#a!", "http://example.com/?#a!?/..x/.../;..",
	"http://example.com/#...;/a.", "http://example.com/?../.;/%2F", "http://example.com/100%25", "http://example.com/50%25-off",
	"http://example.com/%20%21%22%23", "http://example.com/%C3%A9/%e2%82%ac",
	"http://example.com/%F0%9F%92%A9/x", "http://example.com/%F0%9F%92%A9%C3%A9",
	"http://example.com/a%5Cb?c%2Fd#e%2Ff", "http://example.com/a:80", "http://example.com/:80",
	"http://example.com/x.y/:80/", "http://example.com/f?p=107:1", "http://example.com/?t=12:30",
	"http://example.com:80/x.y.z:80/",
	"http://example.com/x.y.z:a80/", "http://example.com/x.y.z:80a",
	"http://example.com/a:b/x.y.z:80", "http://[::1]/x.y.z:80", "http://example.com/%3A",
	"http://example.com/?u=http://example.net/", "http://example.com/a;b", "http://example.com/a;/",
	"http://example.com/a%3B/b?c;#d;",
	"http://example.com/a..;/b", "http://example.com/...;/b", "http://example.com/%E2%80%9C",
	"http://example.com/%21", "http://example.com/%C3%A9!", "https://example.com:443/?#",
};

Test(gate, takes_what_is_fine)
{
	for (size_t k = 0; k < sizeof fine / sizeof fine[0]; k++) {
		struct urivet_report r;
		judge(&r, fine[k], strlen(fine[k]), NULL);
		cr_expect(r.verdict == URIVET_ACCEPT, "%s: %s", fine[k], ids_of(&r));
		cr_expect(urivet_ok(fine[k], strlen(fine[k])));
	}
}

/* Attacks and oddities, with a finding that each must have. */
static const struct {
	const char *uri, *id;
} refused[] = {
	{"http://u@ex.org/", "userinfo-present"},
	{"http://@ex.org/", "userinfo-present"},
	{"http://a@b@c/", "userinfo-multiple-at"},
	{"http://ex.org:/", "port-empty"},
	{"http://ex.org:080/", "port-leading-zero"},
	{"http://ex.org:0/", "port-zero"},
	{"http://ex.org:00/", "port-zero"},
	{"http://ex.org:00/", "port-leading-zero"},
	{"http://ex.org:65616/", "port-overflow"},
	{"http://ex.org:4294967376/", "port-overflow"},
	{"http://ex.org:99999999999999999999/", "port-overflow"},
	{"http://ex.org:443/", "port-nondefault"},
	{"https://ex.org:80/", "port-nondefault"},
	{"http://ex.org:6379/", "port-blocked"},
	{"http://ex.org:80:80/", "port-invalid"},
	{"http://[::1]:80:80/", "port-invalid"},
	{"http://0x7f.1/", "ipv4-hex"},
	{"http://0x7f.1/", "ipv4-short"},
	{"http://0x7f.10/", "ipv4-mixed"},
	{"http://010.0.0.1/", "ipv4-octal"},
	{"http://08.0.0.1/", "ipv4-octal"},
	{"http://0/", "ipv4-decimal"},
	{"http://0x/", "ipv4-hex"},
	{"http://7147006462/", "ipv4-overflow"},
	{"http://1.2.3.4./", "ipv4-trailing-dot"},
	{"http://1.2.3.4./", "host-trailing-dot"},
	{"http://foo.1.2.3.4/", "ipv4-too-many-parts"},
	{"http://.1.2.3.4/", "ipv4-empty-part"},
	{"http://127.-0.0.1/", "ipv4-signed"},
	{"http://o177.0.0.1/", "ipv4-other-prefix"},
	{"http://1_27.0.0.1/", "ipv4-other-prefix"},
	{"http://1e2.0.0.1/", "ipv4-other-prefix"},
	{"http://127\xe3\x80\x82" "0\xe3\x80\x82" "0\xe3\x80\x82" "1/", "ipv4-alt-digits"},
	{"http://foo.1a/", "host-tld-digit"},
	{"http://foo.1/", "host-numeric-tld"},
	{"http://foo.0x4/", "host-numeric-tld"},
	{"http://1.2.3.4.org/", "host-ipv4-prefix"},
	{"http://1.2.3.456.org/", "host-ipv4-prefix"},
	{"http://a_b.org/", "host-underscore"},
	{"http://a%62c.org/", "host-percent-encoded"},
	{"http://ex\xe3\x80\x82org/", "host-unicode"},
	{"http://ex\xe3\x80\x82org/", "idn-dot-variant"},
	{"http://-a.org/", "host-bad-hyphen"},
	{"http://a-/", "host-bad-hyphen"},
	{"http://a..b/", "host-empty-label"},
	{"http://./", "host-empty-label"},
	{"http://[fe80::1%25eth0]/", "ipv6-zone"},
	{"http://[fe80::1%eth0]/", "ipv6-zone"},
	{"http://[::ffff:1.2.3.4]/", "ipv4-mapped-ipv6"},
	{"http://[::2]/", "ipv4-compatible-ipv6"},
	{"http://[2001:db8::200:5efe:a00:1]/", "isatap-embedded-ipv4"},
	{"http://[2001:0db8::1]/", "ipv6-noncanonical"},
	{"http://[2001:db8::1:1:1:1:1]/", "ipv6-noncanonical"},
	{"http://ex.org\\@ev.org/", "backslash-authority"},
	{"http:\\\\ex.org/", "backslash-authority"},
	{"http:/\\ex.org/", "backslash-authority"},
	{"http:///\\ex.org/", "backslash-authority"},
	{"/\\ex.org/", "backslash-authority"},
	{"http://ex.org/a b", "raw-space"},
	{"http://ex.org/%zz", "bad-escape"},
	{"http://ex.org/%", "bad-escape"},
	{"http://ex.org/%u002e", "bad-escape"},
	{"http://ex.org/%41", "escaped-unreserved"},
	{"http://ex.org/%2e%2e/", "escaped-dot-segment"},
	{"http://ex.org/.%2E", "escaped-dot-segment"},
	{"http://ex.org//a", "path-leading-double-slash"},
	{"http://xn--0z4.a/", "idn-invalid-alabel"},
	{"http://xn--ab-r13a.org/", "idn-invalid-alabel"},
	{"http://xn--/", "idn-invalid-alabel"},
	{"http://xn--a-w10i.org/", "idn-invalid-alabel"},
	{"http://xn--a-je2i.org/", "idn-invalid-alabel"},
	{"http://ex.org/./", "dot-segment"},
	{"http://ex.org/..", "dot-segment"},
	{"http://ex.org/..", "dot-segment-above-root"},
	{"http://ex.org/%80%2Fx", "invalid-utf8-escape"},
	{"http://ex.org/%F0%80%AE", "overlong-utf8"},
	{"http://ex.org/%C3", "latin1-escape"},
	{"http://ex.org/%C3x%A9", "invalid-utf8-escape"},
	{"http://ex.org/%C3/%A9", "invalid-utf8-escape"},
	{"http://ex.org/%C3?%A9", "invalid-utf8-escape"},
	{"http://ex.org/%F0%9F%92%A9%2Fx", "escape-after-astral"},
	{"http://ex.org/%F0%9F%92%A9%C3%A9%2Fx", "escape-after-astral"},
	{"http://ex.org/%E2%80%8E", "escaped-bidi"},
	{"http://ex.org/%E2%81%A6", "escaped-bidi"},
	{"http://ex.org/%C3%A9#a%3Ab", "escape-mixed-iri"},
	{"http://ex.org/#%C3%A9%27", "escape-mixed-iri"},
	{"http://ex.org/%C2%9B2Jx", "escaped-control"},
	{"http://ex.org/?q=%c2%85", "escaped-control"},
	{"http://ex.org/pub/%EF%BC%8E%EF%BC%8E/admin/f", "escaped-compatibility"},
	{"http://ex.org/%E2%80%A5/admin/f", "escaped-compatibility"},
	{"http://[2001:db8::1]/99", "ipv6-path-digit"},
	{"http://[2001:db8::1]/+", "ipv6-path-digit"},
	{"http://ex.org:80?q", "query-after-empty-path"},
	{"http://[2001:db8::1]?8", "query-after-empty-path"},
	{"http://ex.org?@ev.org", "query-after-empty-path"},
	{"http://ex.org?a/@b", "query-after-empty-path"},
	{"http://ex.org#@ev.org", "fragment-after-empty-path"},
	{"http://ex.org?q=x.ev.org", "query-after-empty-path"},
	{"http://ex.org?q#a.b.c", "query-after-empty-path"},
	{"http://ex.org/x.ev.org:80/", "colon-port-in-tail"},
	{"http://ex.org/x.ev.org.:80", "colon-port-in-tail"},
	{"http://ex.org/.a_b.c-d:1#", "colon-port-in-tail"},
	{"http://ex.org/?x.ev.org:80", "colon-port-in-tail"},
	{"http://ex.org/#x.ev.org:80", "colon-port-in-tail"},
	{"http://ex.org/%0d", "escaped-crlf"},
	{"http://ex.org/?%0A", "escaped-crlf"},
	{"http://ex.org/#%00", "escaped-nul"},
	{"http://ex.org/%1B", "escaped-control"},
	{"http://ex.org/%7f", "escaped-control"},
	{"http://ex.org/%252e", "double-escape"},
	{"http://ex.org/%25%32%65", "double-escape"},
	{"http://ex.org/%2541", "double-escape"},
	{"http://ex.org/%%34%31", "double-escape"},
	{"http://ex.org/%250a", "double-escape-crlf"},
	{"http://ex.org/%25250a", "double-escape-crlf"},
	{"http://ex.org/..%2f", "escaped-slash-dot"},
	{"http://ex.org/a%5c..", "escaped-slash-dot"},
	{"http://ex.org/a%2F.%2Fb", "escaped-slash-dot"},
	{"http://ex.org/..;x=1/", "path-param-dot-segment"},
	{"http://ex.org/.;", "path-param-dot-segment"},
	{"http://ex.org./", "host-trailing-dot"},
	{"http:ex.org", "scheme-slash-missing"},
	{"http:/ex.org", "scheme-slash-missing"},
	{"http:///ex.org", "scheme-slash-excess"},
	{"http:///ex.org", "host-empty"},
	{"ftp://ex.org/", "scheme-not-allowed"},
	{"ws://ex.org/", "scheme-not-allowed"},
	{"javascript:alert(1)", "scheme-script"},
	{"JaVaScRiPt:alert(1)", "scheme-script"},
	{"http::://ex.org/", "scheme-malformed"},
	{"http://http://ex.org/", "scheme-malformed"},
	{"ht%74p://ex.org/", "scheme-malformed"},
	{"", "not-absolute"},
	{"example.com:80", "scheme-guess"},
	{"http://ex.org:%38%30/", "port-invalid"},
	{"http://a:b/", "port-invalid"},
	{"http://fe80:8080::1/", "ipv6-unbracketed"},
	{"http://[127.0.0.1]/", "bracket-not-ipv6"},
	{"http://ex.org[::1]/", "bracket-garbage"},
	{"http://[::1", "ipv6-malformed"},
	{"http://ex.org/#a#b", "forbidden-char"},
	{"http://exa]mple.com/", "host-forbidden-char"},
	{"http://foo@ev.org:80 @ex.org/", "raw-space"},
	{"http://example.com%00.ev.org/", "host-encoded-delimiter"},
	{"http://example.com%2f@ev.org/", "userinfo-encoded-delimiter"},
	{"http://ex.org:@ev.org/", "authority-empty-port-at"},
	{"http://:80@/", "authority-empty-port-at"},
	{"http://u;x@h/", "userinfo-delimiter"},
	{"http://ex.org:@b@c/", "authority-empty-port-at"},
	{"http://exa][.org/", "host-forbidden-char"},
	{"http://][/", "host-forbidden-char"},
	{"http://b2:80:80/", "port-invalid"},
	{"http://127.1.1.1:80#\\@127.2.2.2:80/", "fragment-authority-confusion"},
	{"http://a\nhttp://b", "multiple-urls"},
	{"http://a/, http://b/", "multiple-urls"},
	{"[https://ex.org/](x)", "quoting-wrapper"},
	{"hxxps://ex.org/", "quoting-wrapper"},
	{"http://ex.org/[1-100].png", "template-or-glob"},
};

Test(gate, refuses_attacks_by_name)
{
	for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
		struct urivet_report r;
		judge(&r, refused[k].uri, strlen(refused[k].uri), NULL);
		cr_expect(r.verdict == URIVET_REJECT, "%s accepted", refused[k].uri);
		cr_expect(names(ids_of(&r), refused[k].id), "%s: no %s in %s", refused[k].uri,
		          refused[k].id, ids_of(&r));
	}
}

static const struct {
	const char *uri;
	unsigned id;
	uint32_t offset, length, count;
	enum urivet_component component;
} spans[] = {
	{"http://user:pw@h/", URIVET_F_USERINFO_PRESENT, 7, 8, 1, URIVET_USERINFO},
	{"http://h:/", URIVET_F_PORT_EMPTY, 8, 1, 1, URIVET_PORT},
	{"http://h:080/", URIVET_F_PORT_LEADING_ZERO, 9, 3, 1, URIVET_PORT},
	{"http://h/a/../b/./c", URIVET_F_DOT_SEGMENT, 11, 2, 2, URIVET_PATH},
	{"http://h/%2e%2e/", URIVET_F_ESCAPED_DOT_SEGMENT, 9, 6, 1, URIVET_PATH},
	{"http://h/a  b c", URIVET_F_RAW_SPACE, 10, 2, 2, URIVET_PATH},
	{"http://h/\r\n\r\nx", URIVET_F_RAW_CRLF, 9, 4, 1, URIVET_PATH},
	{"http://h/a\\\\b", URIVET_F_BACKSLASH_PATH, 10, 2, 1, URIVET_PATH},
	{"http://h\\\\@g/", URIVET_F_BACKSLASH_AUTHORITY, 8, 2, 1, URIVET_AUTHORITY},
	{"http:///p", URIVET_F_HOST_EMPTY, 7, 0, 1, URIVET_HOST},
	{"//h/", URIVET_F_NOT_ABSOLUTE, 0, 0, 1, URIVET_SCHEME},
	{"http:////h/", URIVET_F_SCHEME_SLASH_EXCESS, 7, 2, 1, URIVET_SCHEME},
	{"http:/h/", URIVET_F_SCHEME_SLASH_MISSING, 6, 0, 1, URIVET_SCHEME},
	{"http://h//a", URIVET_F_PATH_LEADING_DOUBLE_SLASH, 8, 2, 1, URIVET_PATH},
	{"http://h/a//b///c", URIVET_F_PATH_DOUBLE_SLASH, 10, 2, 2, URIVET_PATH},
	{"http://h/%41%42", URIVET_F_ESCAPED_UNRESERVED, 9, 3, 2, URIVET_PATH},
	{"http://h/a%zzb", URIVET_F_BAD_ESCAPE, 10, 3, 1, URIVET_PATH},
	{"http://h/%%20", URIVET_F_BAD_ESCAPE, 9, 1, 1, URIVET_PATH},
	{"http://h/%4", URIVET_F_BAD_ESCAPE, 9, 2, 1, URIVET_PATH},
	{"http://h/%4?q", URIVET_F_BAD_ESCAPE, 9, 2, 1, URIVET_PATH},
	{"http://h/?a|b|c", URIVET_F_FORBIDDEN_CHAR, 11, 1, 2, URIVET_QUERY},
	{"http://h/#a#b", URIVET_F_FORBIDDEN_CHAR, 11, 1, 1, URIVET_FRAGMENT},
	{"http://a_b.c_d/", URIVET_F_HOST_UNDERSCORE, 8, 1, 2, URIVET_HOST},
	{"http://0177.1/", URIVET_F_IPV4_OCTAL, 7, 6, 1, URIVET_HOST},
	{"http://a..b..c/", URIVET_F_HOST_EMPTY_LABEL, 9, 0, 2, URIVET_HOST},
	{"http://a.-b/", URIVET_F_HOST_BAD_HYPHEN, 9, 2, 1, URIVET_HOST},
	{"http://h./", URIVET_F_HOST_TRAILING_DOT, 8, 1, 1, URIVET_HOST},
	{"http://[2001:DB8::0]/", URIVET_F_IPV6_NONCANONICAL, 8, 11, 1, URIVET_HOST},
	{"http://[::1]x/", URIVET_F_BRACKET_GARBAGE, 7, 6, 1, URIVET_HOST},
	{"http://h?a.b.c", URIVET_F_QUERY_AFTER_EMPTY_PATH, 9, 5, 1, URIVET_QUERY},
	{"http://h/x.y.z:80/", URIVET_F_COLON_PORT_IN_TAIL, 9, 8, 1, URIVET_PATH},
	{" http://h/ ", URIVET_F_LEADING_TRAILING_SPACE, 0, 1, 2, URIVET_WHOLE},
	{"http://h/\t", URIVET_F_LEADING_TRAILING_SPACE, 9, 1, 1, URIVET_WHOLE},
	{"http://h/%C3%28", URIVET_F_INVALID_UTF8_ESCAPE, 9, 3, 1, URIVET_PATH},
	{"http://h/%2541", URIVET_F_DOUBLE_ESCAPE, 9, 5, 1, URIVET_PATH},
	{"HtTp://h/", URIVET_F_SCHEME_CASE, 0, 4, 1, URIVET_SCHEME},
	{"http://h", URIVET_F_PATH_EMPTY, 8, 0, 1, URIVET_PATH},
	{"http://h/?", URIVET_F_QUERY_EMPTY, 9, 1, 1, URIVET_QUERY},
	{"http://a@b@c/", URIVET_F_USERINFO_MULTIPLE_AT, 7, 4, 1, URIVET_USERINFO},
};

Test(gate, points_at_the_octets_at_fault)
{
	for (size_t k = 0; k < sizeof spans / sizeof spans[0]; k++) {
		struct urivet_report r;
		const struct urivet_finding *f;
		judge(&r, spans[k].uri, strlen(spans[k].uri), NULL);
		f = finding_in(&r, spans[k].id);
		cr_assert(f != NULL, "%s: %s", spans[k].uri, ids_of(&r));
		cr_expect(f->span.offset == spans[k].offset && f->span.length == spans[k].length,
		          "%s %s: %u+%u", spans[k].uri, urivet_finding_info(f->id)->name,
		          f->span.offset, f->span.length);
		cr_expect(f->count == spans[k].count && f->component == spans[k].component,
		          "%s %s: %u times in %s", spans[k].uri, urivet_finding_info(f->id)->name,
		          f->count, urivet_component_name(f->component));
	}
}

/* Labels of 63 and names of 253 octets are the longest; 8192 for the whole. */
Test(gate, lengths_at_their_borders)
{
	static const struct {
		const char *pattern;
		enum urivet_verdict verdict;
	} rows[] = {
		{"http://{a*63}/", URIVET_ACCEPT},
		{"http://{a*64}/", URIVET_REJECT},
		{"http://{a*63}.{b*63}.{c*63}.{d*61}/", URIVET_ACCEPT},
		{"http://{a*63}.{b*63}.{c*63}.{d*62}/", URIVET_REJECT},
		{"http://h/{a*8183}", URIVET_ACCEPT},
		{"http://h/{a*8184}", URIVET_REJECT},
		{"http://1{a.*125}aa/", URIVET_ACCEPT},
		{"http://1{a.*126}aa/", URIVET_REJECT},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		size_t length;
		const char *uri = expand(rows[k].pattern, strlen(rows[k].pattern), &length);
		judge(&r, uri, length, NULL);
		cr_expect(r.verdict == rows[k].verdict, "%s (%zu): %s", rows[k].pattern, length,
		          ids_of(&r));
	}
}

/* Every octet in every component: only octets of the class are accepted, and every malformed
 * input has a finding. */
Test(gate, every_octet_in_every_place)
{
	static const char *const frames[] = {"%cttp://h/", "h%ctp://h/", "http:%c/h/",
	                                     "http://%c/",  "http://a%cb/", "http://a%c/",
	                                     "http://u%c@h/", "http://h:8%c/", "http://h%c80/",
	                                     "http://h/%c",   "http://h/?%c",  "http://h/#%c",
	                                     "http://[%c]/",  "http://[::%c]/", "%c", "//%c",
	                                     "http://h/%%%c0", "http://h/%%2%c", "http://h%c"};
	for (size_t k = 0; k < sizeof frames / sizeof frames[0]; k++)
		for (int c = 0; c < 256; c++) {
			char uri[32];
			struct urivet_report r;
			struct urivet_uri parsed;
			const int length = snprintf(uri, sizeof uri, frames[k], c);
			bool malformed = false;
			const void *edge = at_edge(uri, (size_t)length);
			const bool rfc = urivet_parse(&parsed, edge, (size_t)length, NULL);
			urivet_check(&r, edge, (size_t)length, NULL);
			for (uint32_t j = 0; j < r.count; j++)
				malformed = malformed || (r.finding[j].class_ == URIVET_MALFORMED &&
				                          r.finding[j].id != URIVET_F_NOT_ABSOLUTE);
			cr_expect(rfc == r.parsed);
			cr_expect(rfc == !malformed || (!rfc && finding_in(&r, URIVET_F_NOT_ABSOLUTE)),
			          "%s: %s", shown(uri, (size_t)length), ids_of(&r));
			cr_expect(rfc || r.verdict == URIVET_REJECT);
		}
}
