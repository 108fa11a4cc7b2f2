/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the strict gate: what it accepts, and every octet in every place. Findings and
 * the octets that they point at are those of test_exact.c. */
#include "support.h"

TestSuite(gate, .timeout = 60);

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
		cr_expect(judge(&r, fine[k], strlen(fine[k]), NULL) == URIVET_ACCEPT, "%s: %s", fine[k], ids_of(&r));
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
