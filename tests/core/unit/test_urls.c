/* SPDX-License-Identifier: Apache-2.0 */
/* Tests rules about whole URLs: valid rules, the URLs that they cover, and the effects. */
#include <sys/socket.h>
#include <netinet/in.h>
#include <urivet/spelling.h>

#include "support.h"

TestSuite(urls, .timeout = 60);

static struct urivet_url_rule rule_of(const char *text)
{
	struct urivet_url_rule rule;
	memset(&rule, 0x5a, sizeof rule);
	cr_assert(urivet_url_rule_from(&rule, text, strlen(text)), "%s", text);
	return rule;
}

/* Returns a policy with one rule about URLs. */
static struct urivet_policy allowing(int base, const struct urivet_url_rule *rule)
{
	struct urivet_policy p = built_in(base);
	p.urls = rule;
	p.url_count = 1;
	cr_assert(is_valid(&p));
	return p;
}

/* Returns the findings by a policy with that one rule. */
static const char *found_by(int base, const char *text, const char *url)
{
	static struct urivet_report r;
	struct urivet_url_rule rule = rule_of(text);
	struct urivet_policy p = allowing(base, &rule);
	judge(&r, url, strlen(url), &p);
	cr_expect((r.url_rule == &rule) == (finding_in(&r, URIVET_F_URL_NOT_ALLOWED) == NULL), "%s: %s", text, url);
	return ids_of(&r);
}

Test(urls, texts_that_are_rules)
{
	static const struct {
		const char *text;
		unsigned scheme, kind, scope, port, last_port;
		bool exact;
		const char *host, *path;
	} rows[] = {
	    {"https://app.example.com:8443/cb", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 8443, 8443, false, "app.example.com", "/cb"},
	    {"https://app.example.com/cb$", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 443, 443, true, "app.example.com", "/cb"},
	    {"http://h", URIVET_SCHEME_HTTP, URIVET_URL_NAME, URIVET_SCOPE_HOST, 80, 80, false, "h", ""},
	    {"https://*.tenants.example.net/oauth/", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_BELOW, 443, 443, false, "tenants.example.net", "/oauth/"},
	    {"https://.example.org/", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_TREE, 443, 443, false, "example.org", "/"},
	    {"http://127.0.0.1:*/cb", URIVET_SCHEME_HTTP, URIVET_URL_IPV4, URIVET_SCOPE_HOST, 1, 65535, false, "127.0.0.1", "/cb"},
	    {"http://127.255.3.4:*", URIVET_SCHEME_HTTP, URIVET_URL_IPV4, URIVET_SCOPE_HOST, 1, 65535, false, "127.255.3.4", ""},
	    {"http://[::1]:*/", URIVET_SCHEME_HTTP, URIVET_URL_IPV6, URIVET_SCOPE_HOST, 1, 65535, false, "::1", "/"},
	    {"http://[0:0:0:0:0:0:0:1]:*/", URIVET_SCHEME_HTTP, URIVET_URL_IPV6, URIVET_SCOPE_HOST, 1, 65535, false, "0:0:0:0:0:0:0:1", "/"},
	    {"http://localhost:*/$", URIVET_SCHEME_HTTP, URIVET_URL_NAME, URIVET_SCOPE_HOST, 1, 65535, true, "localhost", "/"},
	    {"http://LOCALHOST:*/", URIVET_SCHEME_HTTP, URIVET_URL_NAME, URIVET_SCOPE_HOST, 1, 65535, false, "LOCALHOST", "/"},
	    {"ws://h:1/", URIVET_SCHEME_WS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 1, 1, false, "h", "/"},
	    {"wss://h:65535/", URIVET_SCHEME_WSS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 65535, 65535, false, "h", "/"},
	    {"ftp://h/a%2Fb/$c;d=e,f!'()+&@:~", URIVET_SCHEME_FTP, URIVET_URL_NAME, URIVET_SCOPE_HOST, 21, 21, false, "h", "/a%2Fb/$c;d=e,f!'()+&@:~"},
	    {"http://192.0.2.1:6379", URIVET_SCHEME_HTTP, URIVET_URL_IPV4, URIVET_SCOPE_HOST, 6379, 6379, false, "192.0.2.1", ""},
	    {"http://h/..../%2e%2E./.a/a.", URIVET_SCHEME_HTTP, URIVET_URL_NAME, URIVET_SCOPE_HOST, 80, 80, false, "h", "/..../%2e%2E./.a/a."},
	    {"com.example.app:/cb", URIVET_SCHEME_OTHER, URIVET_URL_NO_HOST, 0, URIVET_NO_PORT, URIVET_NO_PORT, false, "", "/cb"},
	    {"myapp:/", URIVET_SCHEME_OTHER, URIVET_URL_NO_HOST, 0, URIVET_NO_PORT, URIVET_NO_PORT, false, "", "/"},
	    {"myapp://oauth/cb", URIVET_SCHEME_OTHER, URIVET_URL_NAME, URIVET_SCOPE_HOST, URIVET_NO_PORT, URIVET_NO_PORT, false, "oauth", "/cb"},
	    {"https://+.apps.example.net/", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_LABEL, 443, 443, false, "apps.example.net", "/"},
	    {"https://h:8000-8099/x", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 8000, 8099, false, "h", "/x"},
	    {"https://h:*", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 1, 65535, false, "h", ""},
	    {"http://128.0.0.1:1-2$", URIVET_SCHEME_HTTP, URIVET_URL_IPV4, URIVET_SCOPE_HOST, 1, 2, true, "128.0.0.1", ""},
	    {"https://app.example.com$", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 443, 443, true, "app.example.com", ""},
	    {"https://app.example.com:1$", URIVET_SCHEME_HTTPS, URIVET_URL_NAME, URIVET_SCOPE_HOST, 1, 1, true, "app.example.com", ""},
	    {"com.example.app://h/cb", URIVET_SCHEME_OTHER, URIVET_URL_NAME, URIVET_SCOPE_HOST, URIVET_NO_PORT, URIVET_NO_PORT, false, "h", "/cb"},
	    {"my-app+1://oauth:9/cb/...", URIVET_SCHEME_OTHER, URIVET_URL_NAME, URIVET_SCOPE_HOST, 9, 9, false, "oauth", "/cb/..."},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const size_t length = strlen(rows[k].text);
		const char *text = at_edge(rows[k].text, length);
		struct urivet_url_rule r;
		memset(&r, 0x5a, sizeof r);
		cr_assert(urivet_url_rule_from(&r, text, length), "%s", rows[k].text);
		cr_expect(r.text == text && r.length == length && r.tag == 0, "%s", rows[k].text);
		cr_expect(r.scheme == rows[k].scheme && r.kind == rows[k].kind && r.scope == rows[k].scope, "%s", rows[k].text);
		cr_expect(r.port == rows[k].port && r.last_port == rows[k].last_port && r.exact == rows[k].exact, "%s: %u", rows[k].text, r.port);
		cr_expect(r.host_length == strlen(rows[k].host) && memcmp(text + r.host, rows[k].host, r.host_length) == 0, "%s", rows[k].text);
		cr_expect(r.path_length == strlen(rows[k].path) && memcmp(text + r.path, rows[k].path, r.path_length) == 0, "%s", rows[k].text);
		const struct urivet_text back = urivet_url_rule_text(&r);
		cr_expect(back.data == text && back.length == length);
		struct urivet_policy p = allowing(URIVET_STRICT, &r);
		cr_expect(urivet_policy_finish(&p, NULL, 0));
	}
}

Test(urls, queries_of_rules)
{
	static const struct {
		const char *text;
		unsigned query, length;
		bool exact;
	} rows[] = {
	    {"https://h/cb", URIVET_URL_NO_QUERY, 0, false},
	    {"https://h/cb?*", URIVET_URL_ANY_QUERY, 0, false},
	    {"https://h/?*$", URIVET_URL_ANY_QUERY, 0, true},
	    {"https://h/cb?a=1", URIVET_URL_THIS_QUERY, 3, false},
	    {"https://h/cb?a=1$&b=/?%2F:@$", URIVET_URL_THIS_QUERY, 14, true},
	    {"myapp:/cb?a", URIVET_URL_THIS_QUERY, 1, false},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct urivet_url_rule r = rule_of(rows[k].text);
		cr_expect(r.query == rows[k].query && r.query_length == rows[k].length && r.exact == rows[k].exact, "%s", rows[k].text);
	}
}

Test(urls, texts_that_are_none)
{
	static const char *const texts[] = {
	    "", "https", "https:", "https://", "https:///cb", "https:/cb", "https:cb", "://h/", "HTTPS://h/", "httpS://h/",
	    "1a://h/", "-://h/", "ht tp://h/", "http://h:/", "http://h:0/", "http://h:080/", "http://h:65536/", "http://h:655350/", "http://h:4294967376/", "http://h:99999999999/",
	   
	    "http://h:8o/", "http://*.localhost:*/", "http://.localhost:*/", 
	    "http://127.0.0.1:**/", "http://+.h:1-2/", "http://h:2-1/", "http://h:2-2/", "http://h:1-/", "http://h:-2/", "http://h:1-65536/", "http://h:0-2/", "http://h:1-2-3/",
	    "http://h:1-*/", "http://+h/", "http://+./", "http://a.+.h/", "http://+.127.0.0.1/", "http://.h:*/", "http://+.h:*/",
	    "http://127.0.0.1:*1/", "http://127.0.0.1:1*/", "http://127.1/", "http://0x7f.0.0.1/", "http://127.0.0.1./", "http://1/",
	    "http://h./", "http://h../", "http://..h/", "http://*/", "http://*.*.h/", "http://*h/", "http://u@h/", "http://u:p@h/",
	    "http://a b/", "http://a%41/", "http://[::1/", "http://[::1]x/", "http://[::1%25eth0]/", "http://[v1.a]/", "http://[]/", "http://::1/",
	    "http://h/?", "http://h/?$", "http://h/?*x", "http://h/?x*", "http://h/?**", "http://h/?\xc3\xa9", "http://h/?[a]", "http://h/?%4", "http://h/?a#b", "http://h/#x",
	    "http://h?x", "http://h?*", "http://h#x", "http://h$$", "http://h$/", "http://h/a*b", "http://h/*", "http://h/%4", "http://h/%zz",
	    "http://h/a b", "http://h/\xc3\xa9", "http://h/\\", "http://h/.", "http://h/..", "http://h/a/./b", "http://h/a/../b", "http://h/a/..$",
	    "http://h/%2e", "http://h/%2E%2e/b", "http://h/.%2e", "http://h//", "http://h//a", "http://h/a//b", "http://h/a//$", "http://h/[a]",
	    "javascript:/a", "file:///a", "file://h/a", "data:/a", "jar:/a", "ms-settings:/a", "intent://h/a", "gopher://h/",
	    "myapp:cb", "myapp:", "myapp:$", "myapp:/a*b", "myapp:/a/../b", "myapp:/a//b",
	    "myapp:///cb", "mailto:a@example.com", " http://h/", "http://h/ ",
	};
	struct urivet_url_rule r, before;
	memset(&before, 0x5a, sizeof before);
	for (unsigned k = 0; k < sizeof texts / sizeof texts[0]; k++) {
		const size_t length = strlen(texts[k]);
		r = before;
		cr_expect(!urivet_url_rule_from(&r, at_edge(texts[k], length), length), "%s", texts[k]);
		cr_expect(memcmp(&r, &before, sizeof r) == 0, "%s", texts[k]);
	}
	cr_expect(!urivet_url_rule_from(&r, "http://h/\0", 10));
	cr_expect(!urivet_url_rule_from(&r, NULL, 0) && !urivet_url_rule_from(&r, NULL, 8));
	static char longest[URIVET_URL_RULE_MOST + 2];
	memset(longest, 'a', sizeof longest);
	memcpy(longest, "http://h/", 9);
	cr_expect(urivet_url_rule_from(&r, longest, URIVET_URL_RULE_MOST));
	cr_expect(!urivet_url_rule_from(&r, longest, URIVET_URL_RULE_MOST + 1));
	cr_expect(!urivet_url_rule_from(&r, longest, SIZE_MAX));
}

Test(urls, what_a_rule_covers)
{
	static const struct {
		const char *rule;
		struct {
			const char *url, *found;
		} of[12];
	} rows[] = {
	    /* whole segments of the path */
	    {"https://a.example:8443/cb", {{"https://a.example:8443/cb", "-"}, {"https://a.example:8443/cb/", "-"}, {"https://a.example:8443/cb/x", "-"},
	      {"https://a.example:8443/cb?x=1", "-"}, {"https://a.example:8443/cb#x", "-"}, {"https://a.example:8443/cbx", "url-not-allowed,port-nondefault"},
	      {"https://a.example:8443/c", "url-not-allowed,port-nondefault"}, {"https://a.example:8443/cB", "url-not-allowed,port-nondefault"},
	      {"https://a.example:8443/x/cb", "url-not-allowed,port-nondefault"}, {"https://a.example:8443/cb;x", "url-not-allowed,port-nondefault,path-semicolon"}}},
	    {"https://a.example/cb/", {{"https://a.example/cb/", "-"}, {"https://a.example/cb/x", "-"}, {"https://a.example/cb", "url-not-allowed"}}},
	    {"https://a.example/cb$", {{"https://a.example/cb", "-"}, {"https://a.example/cb/", "url-not-allowed"}, {"https://a.example/cb?", "url-not-allowed,query-empty"},
	      {"https://a.example/cb#", "url-not-allowed,fragment-empty"}, {"https://a.example/cb$", "url-not-allowed"}}},
	    {"https://a.example/a%41", {{"https://a.example/aA", "url-not-allowed"}}},
	    {"https://a.example/a%2F", {{"https://a.example/a%2f", "url-not-allowed,escaped-slash,escape-case"}}},
	    {"https://a.example/$", {{"https://a.example/", "-"}, {"https://a.example", "url-not-allowed,path-empty"}}},
	    /* no path, and "/": any path */
	    {"https://a.example", {{"https://a.example", "path-empty"}, {"https://a.example/", "-"}, {"https://a.example/x?y#z", "-"}}},
	    {"https://a.example/", {{"https://a.example", "path-empty"}}},
	    {"https://a.example", {{"https://a.example?y", "url-not-allowed,path-empty,query-after-empty-path"},
	      {"https://a.example#y", "url-not-allowed,path-empty,fragment-after-empty-path"}, {"https://a.example/?y", "-"}, {"https://a.example/#y", "-"}}},
	    {"https://a.example/c", {{"https://a.example/c", "-"}, {"https://a.example/x", "url-not-allowed"}}},
	    /* scheme, host and port */
	    {"https://a.example/", {{"http://a.example/", "url-not-allowed"}, {"HTTPS://a.example/", "scheme-case,url-not-allowed"}, {"https://b.a.example/", "url-not-allowed"},
	      {"https://a.exampl/", "url-not-allowed"}, {"https://xa.example/", "url-not-allowed"}, {"https://A.Example/", "host-case"}}},
	    {"https://A.EXAMPLE/", {{"https://a.example/", "-"}}}, {"https://a.example/", {{"https://a.example:443/", "port-default"}}},
	    {"https://a.example:443/", {{"https://a.example/", "-"}}}, {"https://a.example/", {{"https://a.example:444/", "url-not-allowed,port-nondefault"}}},
	    {"https://a.example:6379/", {{"https://a.example:6379/", "-"}, {"https://a.example/", "url-not-allowed"}}},
	    {"https://*.a.example/", {{"https://x.a.example/", "-"}, {"https://x.y.a.example/", "-"}, {"https://x.b.example/", "url-not-allowed"},
	      {"https://X.A.Example/", "host-case"}}}, {"https://my-app.a_b.example/", {{"https://my-app.a_b.example/", "host-underscore"}}},
	    {"https://*.a.example/", {{"https://a.example/", "url-not-allowed"}, {"https://xa.example/", "url-not-allowed"}}},
	    {"https://.a.example/", {{"https://x.a.example/", "-"}, {"https://a.example/", "-"}, {"https://xa.example/", "url-not-allowed"}}},
	    {"http://127.0.0.1:*/cb", {{"http://127.0.0.1:1/cb", "-"}, {"http://127.0.0.1:65535/cb", "-"}, {"http://127.0.0.1/cb", "-"},
	      {"http://127.0.0.1:80/cb", "port-default"}, {"http://127.0.0.1:0/cb", "url-not-allowed,port-zero"}, {"http://127.0.0.1:65536/cb", "url-not-allowed,port-overflow"},
	      {"http://127.0.0.1:655350/cb", "url-not-allowed,port-overflow"}, {"http://127.0.0.1:08080/cb", "url-not-allowed,port-nondefault,port-leading-zero"},
	      {"http://127.0.0.1:/cb", "url-not-allowed,port-empty"}, {"http://127.0.0.2/cb", "url-not-allowed"}, {"http://localhost/cb", "url-not-allowed"}}},
	    {"http://10.1.2.3/", {{"http://11.1.2.3/", "url-not-allowed"}, {"http://10.1.2.4/", "url-not-allowed"}}},
	    {"http://0.0.0.0/", {{"http://a.example/", "url-not-allowed"}, {"http://[0:0:8::]/", "url-not-allowed"}}},
	    {"http://[::]/", {{"http://a.example/", "url-not-allowed"}, {"http://0.0.0.0/", "url-not-allowed"}}},
	    {"http://127.0.0.1/", {{"http://[7f00:1::]/", "url-not-allowed"}}}, {"http://[::1]/", {{"http://[2001:db8::1]/", "url-not-allowed"}}},
	    {"http://[2001:db8::1]/", {{"http://[2001:db8::2]/", "url-not-allowed"}, {"http://[2001:db9::1]/", "url-not-allowed"}, {"http://[3001:db8::1]/", "url-not-allowed"}}},
	    {"http://[::1]:*/", {{"http://[::1]:3000/x", "-"}}}, {"http://[0:0::1]:*/", {{"http://[::1]:3000/x", "-"}}},
	    {"http://[::1]:*/", {{"http://[0:0::1]:3000/x", "url-not-allowed,ipv6-noncanonical,port-nondefault"}}},
	    {"http://localhost:*/", {{"http://localhost:9000/", "-"}, {"http://x.localhost:9000/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    /* exactly one label */
	    {"https://+.a.example/", {{"https://x.a.example/", "-"}, {"https://x.y.a.example/", "url-not-allowed"}, {"https://a.example/", "url-not-allowed"},
	      {"https://xa.example/", "url-not-allowed"}, {"https://X.A.Example/", "host-case"}}},
	    /* ports: a range has no blocked ones, but for this machine */
	    {"http://a.example:8000-8010/", {{"http://a.example:8000/", "-"}, {"http://a.example:8010/", "-"}, {"http://a.example:7999/", "url-not-allowed,port-nondefault"},
	      {"http://a.example:8011/", "url-not-allowed,port-nondefault"}, {"http://a.example:8009/", "url-not-allowed,port-nondefault,port-blocked"},
	      {"http://a.example/", "url-not-allowed"}}},
	    {"http://a.example:*/", {{"http://a.example:8010/", "-"}, {"http://a.example/", "-"}, {"http://a.example:6379/", "url-not-allowed,port-nondefault,port-blocked"},
	      {"http://b.a.example:8010/", "url-not-allowed,port-nondefault"}}},
	    {"http://10.0.0.1:6379-6380/", {{"http://10.0.0.1:6379/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    {"http://127.0.0.1:6379-6380/", {{"http://127.0.0.1:6379/", "-"}}}, {"http://localhost:6379-6380/", {{"http://localhost:6379/", "-"}}},
	    {"http://localhost.example:6379-6380/", {{"http://localhost.example:6379/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    {"http://xlocalhost:*/", {{"http://xlocalhost:6379/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    {"http://128.0.0.1:*/", {{"http://128.0.0.1:6379/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    {"http://[::2]:*/", {{"http://[::2]:6379/", "url-not-allowed,ipv4-compatible-ipv6,port-nondefault,port-blocked"}}},
	    {"http://[1::1]:*/", {{"http://[1::1]:6379/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    {"http://[100::1]:*/", {{"http://[100::1]:6379/", "url-not-allowed,port-nondefault,port-blocked"}}},
	    {"http://[::101]:*/", {{"http://[::101]:6379/", "url-not-allowed,ipv4-compatible-ipv6,port-nondefault,port-blocked"}}},
	    {"http://[::1]:*/", {{"http://[::1]:6379/", "-"}}},
	    /* this path, with a query */
	    {"https://a.example/cb?*", {{"https://a.example/cb", "-"}, {"https://a.example/cb?", "query-empty"}, {"https://a.example/cb?x=1#y", "-"},
	      {"https://a.example/cb/", "url-not-allowed"}, {"https://a.example/cb/x?x=1", "url-not-allowed"}, {"https://a.example/cbx", "url-not-allowed"}}},
	    {"https://a.example/cb?*$", {{"https://a.example/cb?x=1", "-"}, {"https://a.example/cb", "-"}, {"https://a.example/cb?x=1#y", "url-not-allowed"}}},
	    {"https://a.example/?*", {{"https://a.example/?x", "-"}, {"https://a.example/x", "url-not-allowed"}}},
	    {"https://a.example/cb?x=1", {{"https://a.example/cb?x=1", "-"}, {"https://a.example/cb?x=1#y", "-"}, {"https://a.example/cb", "url-not-allowed"},
	      {"https://a.example/cb?x=2", "url-not-allowed"}, {"https://a.example/cb?X=1", "url-not-allowed"}, {"https://a.example/cb?x=1&y", "url-not-allowed"},
	      {"https://a.example/cb?x=", "url-not-allowed"}, {"https://a.example/cb/?x=1", "url-not-allowed"}}},
	    {"https://a.example/cb?x=1$", {{"https://a.example/cb?x=1", "-"}, {"https://a.example/cb?x=1#y", "url-not-allowed"},
	      {"https://a.example/cb?x=1$", "url-not-allowed"}}},
	    /* an origin */
	    {"https://a.example$", {{"https://a.example", "path-empty"}, {"https://a.example/", "-"}, {"https://a.example/x", "url-not-allowed"},
	      {"https://a.example/?x", "url-not-allowed"}, {"https://a.example/#x", "url-not-allowed"},
	      {"https://a.example?x", "url-not-allowed,path-empty,query-after-empty-path"}}}, {"https://a.example:8443$", {{"https://a.example:8443", "path-empty"}}},
	    /* a scheme with a dot */
	    {"com.example.app://h/cb", {{"com.example.app://h/cb/x", "-"}, {"com.example.app://h/x", "scheme-not-allowed,scheme-dot,url-not-allowed"},
	      {"com.example.ap://h/cb", "scheme-not-allowed,scheme-dot,url-not-allowed"}, {"com.example.app://i/cb", "scheme-not-allowed,scheme-dot,url-not-allowed"}}},
	    /* text that some reader interprets differently */
	    {"https://a.example/cb", {{"https://a.example/cb/../x", "url-not-allowed,dot-segment"},
	      {"https://a.example/cb/%2e%2e/x", "url-not-allowed,escaped-unreserved,escaped-dot-segment,escape-case"},
	      {"https://a.example/cb/..;/x", "url-not-allowed,path-param-dot-segment,path-semicolon"},
	      {"https://a.example/cb\\x", "url-not-allowed,forbidden-char,backslash-path"}}},
	    {"https://a.example/", {{"https://u@a.example/", "url-not-allowed,userinfo-present"}, {"https://@a.example/", "url-not-allowed,userinfo-present"},
	      {"https://a.example./", "url-not-allowed,host-trailing-dot"}}},
	    {"https://.a.example/", {{"https://x!y.a.example/", "url-not-allowed,host-subdelim"}, {"https://x..a.example/", "url-not-allowed,host-empty-label"},
	      {"https://.a.example/", "url-not-allowed,host-empty-label"}, {"https:///", "url-not-allowed,scheme-slash-excess,host-empty"}}},
	    {"https://a.example/", {{"https://a.ex%61mple/", "url-not-allowed,host-percent-encoded,escaped-unreserved"},
	      {"https:/a.example/", "url-not-allowed,scheme-slash-missing"}, {"//a.example/", "not-absolute,url-not-allowed"}}},
	    /* malformed text refuses everywhere; after the path nothing else makes a URL lead
	     * elsewhere */
	    {"https://a.example/cb", {{"https://a.example/cb?\"", "url-not-allowed,forbidden-char"}, {"https://a.example/cb#\"", "url-not-allowed,forbidden-char"},
	      {"https://a.example/cb?x=%00", "escaped-nul"}, {"https://a.example/cb#%00", "escaped-nul"}, {"https://a.example/cb%00", "url-not-allowed,escaped-nul"},
	      {"https://a.example/cb/%00", "url-not-allowed,escaped-nul"}}},
	    /* private schemes */
	    {"com.example.app:/cb", {{"com.example.app:/cb", "-"}, {"com.example.app:/cb?code=1", "-"}, {"com.example.app:/cbx", "scheme-not-allowed,url-not-allowed"},
	      {"com.example.app:cb", "scheme-not-allowed,url-not-allowed"}, {"com.example.app:///cb", "scheme-not-allowed,scheme-dot,url-not-allowed"},
	      {"com.example.ap:/cb", "scheme-not-allowed,url-not-allowed"}}},
	    {"myapp:/", {{"myapp:/x", "-"}, {"myapp:x", "scheme-not-allowed,url-not-allowed"}, {"myapp:", "scheme-not-allowed,url-not-allowed"},
	      {"myapp://h/x", "scheme-not-allowed,url-not-allowed"}}},
	    {"myapp://oauth/cb", {{"myapp://oauth/cb/1", "-"}, {"myapp://oauth:1/cb/1", "scheme-not-allowed,url-not-allowed"},
	      {"myapp://oauth:65536/cb/1", "scheme-not-allowed,url-not-allowed,port-overflow"},
	      {"myapp://oauth:01/cb/1", "scheme-not-allowed,url-not-allowed,port-leading-zero"}}}, {"myapp://oauth:65535/cb", {{"myapp://oauth:65535/cb/1", "-"}}},
	    {"myapp://localhost:*/cb", {{"myapp://localhost:9/cb", "-"}, {"myapp://localhost/cb", "scheme-not-allowed,url-not-allowed"}}},
	    {"myapp:/cb", {{"myapq:/cb", "scheme-not-allowed,url-not-allowed"}}}, {"x:/cb", {{"x:/cb", "-"}}},
	    {"myapp://oauth/cb", {{"myapp:/oauth/cb/1", "scheme-not-allowed,url-not-allowed"}}},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (unsigned n = 0; rows[k].of[n].url != NULL; n++)
			cr_expect_str_eq(found_by(URIVET_STRICT, rows[k].rule, rows[k].of[n].url), rows[k].of[n].found, "%s: %s", rows[k].rule, rows[k].of[n].url);
}

/* A waiver does not make a rule cover text that some reader interprets differently. */
Test(urls, waivers_cover_nothing_more)
{
	static const char *const urls[] = {"https://a.example/cb/../x", "https://a.example/cb/..;/x", "https://u@a.example/cb",
	                                   "https://a.example./cb", "https://a.example:0443/cb", "https://a.example/cb/%2e%2e/x",
	                                   "https://a.example/cb\\x", "https://a_b.a.example/cb%2f..", "HTTPS://a.example/cb"};
	const struct urivet_url_rule rule = rule_of("https://.a.example/cb");
	struct urivet_policy p = allowing(URIVET_STRICT, &rule);
	struct urivet_report r;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_URL_NOT_ALLOWED)
			(void)urivet_policy_waive(&p, id);
	for (unsigned k = 0; k < sizeof urls / sizeof urls[0]; k++) {
		cr_expect(judge(&r, urls[k], strlen(urls[k]), &p) == URIVET_REJECT, "%s", urls[k]);
		cr_expect(finding_in(&r, URIVET_F_URL_NOT_ALLOWED) != NULL && r.url_rule == NULL, "%s: %s", urls[k], ids_of(&r));
	}
	cr_expect(judge(&r, LITERAL("https://a_b.a.example/cb"), &p) == URIVET_ACCEPT && r.url_rule == &rule);
}

/* A covered URL need not be public; denials still apply. */
Test(urls, by_public_and_lists)
{
	static const char *const rules[] = {"http://localhost:*/cb", "http://127.0.0.1:*/cb", "http://[::1]:*/cb", "http://10.1.2.3:6379/cb", "http://printer.internal/cb"};
	static const char *const urls[] = {"http://localhost:6000/cb", "http://127.0.0.1:6000/cb", "http://[::1]:6000/cb", "http://10.1.2.3:6379/cb", "http://printer.internal/cb"};
	struct urivet_report r;
	for (unsigned k = 0; k < 5; k++)
		cr_expect_str_eq(found_by(URIVET_PUBLIC, rules[k], urls[k]), "-", "%s", urls[k]);
	/* as with a rule about addresses, the embedded address is not allowed */
	cr_expect_str_eq(found_by(URIVET_PUBLIC, "http://[::ffff:10.1.2.3]/cb", "http://[::ffff:a01:203]/cb"), "ipv4-mapped-ipv6,addr-not-global,addr-private");
	cr_expect_str_eq(found_by(URIVET_PUBLIC, "http://[64:ff9b::a01:203]/cb", "http://[64:ff9b::a01:203]/cb"), "nat64-embedded-ipv4,addr-not-global,addr-private");
	struct urivet_host_rule host = host_rule_of("localhost", URIVET_DENY);
	struct urivet_address_rule address = address_rule_of("127.0.0.0/8", URIVET_DENY);
	for (unsigned only = 0; only < 2; only++) {
		const struct urivet_url_rule list[] = {rule_of(rules[0]), rule_of(rules[1])};
		struct urivet_policy p = allowing(URIVET_PUBLIC, list);
		p.url_count = 2;
		p.hosts = (struct urivet_host_list){&host, 1, false, only};
		p.addresses = (struct urivet_address_list){&address, 1, false};
		cr_expect(judge(&r, urls[0], strlen(urls[0]), &p) == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_DENIED) != NULL && r.url_rule == &list[0]);
		cr_expect(judge(&r, urls[1], strlen(urls[1]), &p) == URIVET_REJECT && finding_in(&r, URIVET_F_ADDR_DENIED) != NULL && r.url_rule == &list[1]);
	}
}

/* With hosts.only the two lists are a union; otherwise only the URLs are allowed. */
Test(urls, beside_hosts)
{
	const struct urivet_url_rule rule = rule_of("https://a.example:8443/cb");
	struct urivet_policy p = allowing(URIVET_STRICT, &rule);
	struct urivet_host_rule host = host_rule_of("b.example", URIVET_ALLOW);
	struct urivet_report r;
	p.hosts = (struct urivet_host_list){&host, 1, false, true};
	cr_expect(judge(&r, LITERAL("https://b.example/x"), &p) == URIVET_ACCEPT && r.url_rule == NULL && r.host_rule == &host);
	cr_expect(judge(&r, LITERAL("https://a.example:8443/cb"), &p) == URIVET_ACCEPT && r.url_rule == &rule && r.host_rule == NULL);
	judge(&r, LITERAL("https://a.example/cb"), &p);
	cr_expect_str_eq(ids_of(&r), "host-not-allowed");
	p.hosts.only = false;
	judge(&r, LITERAL("https://b.example/x"), &p);
	cr_expect_str_eq(ids_of(&r), "url-not-allowed");
	cr_expect(r.finding[0].span.offset == 0 && r.finding[0].span.length == sizeof "https://b.example/x" - 1);
	judge(&r, LITERAL("https://b.example/x?y#z"), &p);
	cr_expect(finding_in(&r, URIVET_F_URL_NOT_ALLOWED)->span.length == sizeof "https://b.example/x" - 1);
	cr_assert(urivet_policy_waive(&p, URIVET_F_URL_NOT_ALLOWED));
	cr_expect(judge(&r, LITERAL("https://b.example/x"), &p) == URIVET_ACCEPT);
}

/* The list of hosts does not apply to a URL without a host. */
Test(urls, without_a_host)
{
	const struct urivet_url_rule rule = rule_of("com.example.app:/cb");
	struct urivet_policy p = allowing(URIVET_ANY, &rule);
	struct urivet_host_rule host = host_rule_of("b.example", URIVET_ALLOW);
	struct urivet_report r;
	p.hosts = (struct urivet_host_list){&host, 1, false, true};
	cr_expect(judge(&r, LITERAL("com.example.app:/cb"), &p) == URIVET_ACCEPT && r.url_rule == &rule);
	cr_expect(judge(&r, LITERAL("https://b.example/"), &p) == URIVET_ACCEPT && r.url_rule == NULL);
	judge(&r, LITERAL("com.evil.app:/x"), &p);
	cr_expect_str_eq(ids_of(&r), "url-not-allowed");
	judge(&r, LITERAL("evil:///x"), &p);
	cr_expect_str_eq(ids_of(&r), "host-not-allowed");
}

/* A port that a rule names is allowed for peers; a rule for any port does not allow every port. */
Test(urls, ports_of_peers)
{
	static const uint8_t out[4] = {8, 8, 8, 8}, here[4] = {127, 0, 0, 9};
	static const uint8_t here6[16] = {[15] = 1}, out6[16] = {0x20, 1, 4, 0x70, [15] = 1};
	static const struct {
		const char *rule;
		uint32_t port;
		bool good;
	} rows[] = {
	    {"https://a.example:8443/cb", 8443, true}, {"https://a.example:8443/cb", 443, true},
	    {"https://a.example:8443/cb", 8444, false}, {"http://127.0.0.1:*/cb", 8443, false},
	    {"com.example.app:/cb", 8443, false}, {"https://a.example:22/", 22, true},
	    {"https://a.example:8000-8010/", 8005, true}, {"https://a.example:8000-8010/", 8009, false},
	    {"https://a.example:*/", 8443, true}, {"https://a.example:*/", 6379, false},
	    {"http://127.0.0.1:8443/cb", 8443, true},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		/* each rule behind one that has no port */
		const struct urivet_url_rule rules[] = {rule_of("com.example.app:/cb"), rule_of(rows[k].rule)};
		struct urivet_policy p = allowing(URIVET_STRICT, rules);
		p.url_count = 2;
		const bool any = strstr(rows[k].rule, "127.0.0.1:*") != NULL;
		struct urivet_report r;
		cr_expect((urivet_check_address(&r, out, 4, rows[k].port, &p) == URIVET_ACCEPT) == rows[k].good,
			  "%s, %u: %s", rows[k].rule, rows[k].port, ids_of(&r));
		cr_expect((urivet_check_address(&r, out6, 16, rows[k].port, &p) == URIVET_ACCEPT) == rows[k].good,
			  "%s, %u: %s", rows[k].rule, rows[k].port, ids_of(&r));
		cr_expect((urivet_check_address(&r, here, 4, rows[k].port, &p) == URIVET_ACCEPT) == (rows[k].good || any));
		cr_expect((urivet_check_address(&r, here6, 16, rows[k].port, &p) == URIVET_ACCEPT) == (rows[k].good || any));
	}
}

/* A rule whose parts were overwritten after the policy was sealed names no host. */
Test(urls, overwritten_after_sealing)
{
	static const uint8_t here[4] = {127, 0, 0, 1};
	struct urivet_url_rule rule = rule_of("http://localhost:6379-6380/");
	struct urivet_policy p = allowing(URIVET_STRICT, &rule);
	struct urivet_report r;
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	cr_expect(urivet_check_address(&r, here, 4, 6379, &p) == URIVET_ACCEPT);
	rule.host = UINT32_MAX;
	cr_expect(urivet_check_address(&r, here, 4, 6379, &p) == URIVET_REJECT);
}

/* Targets contain no URL; peers are judged by addresses and ports alone. */
Test(urls, targets_and_peers)
{
	const struct urivet_url_rule rule = rule_of("http://a.example/");
	struct urivet_policy p = allowing(URIVET_STRICT, &rule);
	struct urivet_host_rule host = host_rule_of("b.example", URIVET_ALLOW);
	struct urivet_report r;
	const struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = 0x08080808};
	memset(&r, 0x5a, sizeof r);
	cr_expect(check_target(&r, TEXT("/"), TEXT("a.example"), &p, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "url-not-allowed");
	cr_expect(r.url_rule == NULL);
	cr_expect(check_target(&r, TEXT("http://a.example/"), TEXT("a.example"), &p, NULL) == URIVET_REJECT && r.url_rule == NULL);
	cr_expect_str_eq(ids_of(&r), "url-not-allowed");
	p.hosts = (struct urivet_host_list){&host, 1, false, true};
	cr_expect(check_target(&r, TEXT("/"), TEXT("b.example"), &p, NULL) == URIVET_ACCEPT);
	cr_expect(check_target(&r, TEXT("/"), TEXT("a.example"), &p, NULL) == URIVET_REJECT);
	memset(&r, 0x5a, sizeof r);
	cr_expect(urivet_check_peer(&r, (const struct sockaddr *)&in, sizeof in, &p) == URIVET_ACCEPT && r.url_rule == NULL);
	char out[64];
	cr_expect(urivet_suggest(out, sizeof out, LITERAL("http://a.example/x/../y"), &p) > 0);
	cr_expect_str_eq(out, "http://a.example/y");
	cr_expect(urivet_suggest(out, sizeof out, LITERAL("http://c.example/x/../y"), &p) == 0);
}

/* A finding that did not fit the report may concern the authority or the path. */
Test(urls, findings_without_room)
{
	static const char many[] =
	    "http://a.b:@a.example/../%2e/a..%2f.;/..;/a;b//c%5cd/%5c/x%3fy%23/:80/x@y/%2523:%3bx/%2f..?\"\\[]{}|^`<>"
	    "%00%0a%01%250a%41%e9%c0%ae%ef%bf%be%e2%80%ae%f0%9f%92%a9%21%zz%\xff\xc3\xa9%uff0e";
	const struct urivet_url_rule rule = rule_of("http://a.example/");
	struct urivet_policy p = allowing(URIVET_ANY, &rule);
	struct urivet_report r;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_URL_NOT_ALLOWED)
			(void)urivet_policy_waive(&p, id);
	cr_expect(judge(&r, LITERAL(many), &p) == URIVET_REJECT);
	cr_expect(r.parsed && r.dropped > 0 && r.url_rule == NULL, "%u, %s", (unsigned)r.dropped, ids_of(&r));
	cr_expect(finding_in(&r, URIVET_F_URL_NOT_ALLOWED) == NULL); /* it did not fit either */
}

/* A rule without a text, and one with a length above the maximum. */
Test(urls, rules_without_a_text)
{
	static char longest[URIVET_URL_RULE_MOST + 8];
	struct urivet_url_rule rule;
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	p.urls = &rule;
	p.url_count = 1;
	memset(&rule, 0, sizeof rule);
	for (unsigned k = 0; k < 2; k++) {
		cr_expect(urivet_url_rule_text(&rule).length == 0 && !is_valid(&p) && !urivet_policy_finish(&p, NULL, 0));
		cr_expect(judge(&r, LITERAL("http://h/"), &p) == URIVET_REJECT && r.url_rule == NULL);
		rule = rule_of("http://h/");
		rule.text = NULL;
	}
	memset(longest, 'a', sizeof longest);
	memcpy(longest, "http://h/", 9);
	cr_assert(urivet_url_rule_from(&rule, longest, URIVET_URL_RULE_MOST));
	cr_expect(urivet_url_rule_text(&rule).length == URIVET_URL_RULE_MOST && is_valid(&p));
	rule.length++;
	cr_expect(urivet_url_rule_text(&rule).length == URIVET_URL_RULE_MOST && !is_valid(&p));
	/* nor after a valid rule */
	struct urivet_url_rule both[] = {rule_of("http://h/"), rule};
	p.urls = both;
	cr_expect(is_valid(&p));
	p.url_count = 2;
	cr_expect(!is_valid(&p));
}

/* Each changed octet of a rule gives another rule, or an invalid one. */
Test(urls, rules_never_made)
{
	static const char *const texts[] = {"https://a.example:8443/cb$", "http://127.0.0.1:*/", "com.example.app:/cb", "http://[::1]/x"};
	struct urivet_report r;
	for (unsigned n = 0; n < 4; n++)
		for (size_t k = offsetof(struct urivet_url_rule, length); k < sizeof(struct urivet_url_rule); k++) {
			struct urivet_url_rule rule = rule_of(texts[n]);
			struct urivet_policy p = allowing(URIVET_STRICT, &rule);
			if (k >= offsetof(struct urivet_url_rule, tag) && k < offsetof(struct urivet_url_rule, tag) + 4)
				continue;
			for (unsigned bit = 0; bit < 8; bit++) {
				((uint8_t *)&rule)[k] ^= (uint8_t)(1u << bit);
				if (rule.length <= strlen(texts[n])) { /* the caller is responsible for the contents */
					cr_expect(!is_valid(&p) && !urivet_policy_finish(&p, NULL, 0), "%s, octet %zu", texts[n], k);
					judge(&r, texts[n], strlen(texts[n]), &p);
				}
				((uint8_t *)&rule)[k] ^= (uint8_t)(1u << bit);
			}
			cr_expect(is_valid(&p));
		}
}

/* ---- A rule about other URLs changes nothing for an input ----------------------------------- */

static size_t random_url(char *out)
{
	static const char *const heads[] = {"http://", "https://", "http:/", "https:", "1http://", "view-source:http://",
					    "jar:http://", "HTTP://", "x://", "a.b://", "", "//", "http:\\\\"};
	static const char *const words[] = {"bugzilla.tp", "evil.example", "h", "a.bugzilla.tp", "10.0.0.1", "0x7f.1", "[::1]", "xn--a",
					    ":", ":80", ":8443", "@", "/", "//", "?", "#", "://", "%2e", "..", "\\", ",", "&", "http://",
					    ".", "%2F", "\xc3\xa9", " ", "u:p@", ":/", "/h"};
	size_t length = (size_t)sprintf(out, "%s", heads[random_below(random_below(3) == 0 ? 13 : 2)]);
	for (uint32_t n = 1 + random_below(7); n > 0; n--)
		length += (size_t)sprintf(out + length, "%s", words[random_below(sizeof words / sizeof *words)]);
	return length;
}

Test(urls, an_unrelated_rule_changes_nothing)
{
	static const char rule[] = "https://other.example:8443/";
	struct urivet_url_rule url;
	const struct urivet_host_rule hosts[] = {host_rule_of("bugzilla.tp", URIVET_ALLOW),
						 host_rule_of("*.bugzilla.tp", URIVET_DENY)};
	unsigned accepted = 0, refused = 0;
	cr_assert(urivet_url_rule_from(&url, LITERAL(rule)));
	for (unsigned round = 0; round < 200000 / sample(); round++) {
		char text[400];
		const size_t length = random_url(text);
		struct urivet_policy p = with_hosts((int)random_below(URIVET_BASES), hosts, 2,
						    false, true);
		struct urivet_report without, with;
		for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
			if (urivet_finding_info(id) != NULL && random_below(3) == 0)
				(void)urivet_policy_waive(&p, id);
		urivet_check(&without, text, length, &p);
		p.urls = &url;
		p.url_count = 1;
		urivet_check(&with, text, length, &p);
		if (!urivet_has(&with.uri, URIVET_AUTHORITY))
			continue; /* a URL without a host needs a rule */
		cr_assert(with.verdict == without.verdict && with.count == without.count && with.dropped == without.dropped &&
			      memcmp(with.finding, without.finding, with.count * sizeof with.finding[0]) == 0,
			  "%s: %s", shown(text, length), ids_of(&with));
		accepted += with.verdict == URIVET_ACCEPT;
		refused += with.verdict == URIVET_REJECT;
	}
	cr_expect(accepted > 1000 / sample() && refused > 10000 / sample(), "%u accepted, %u refused", accepted, refused);
}

/* Rules that only add: a URL that none covers is judged as if there were none. */
Test(urls, rules_that_only_add)
{
	static const struct {
		const char *url, *ids;
	} rows[] = {{"https://partner.example.com:8443/a", "-"}, {"https://partner.example.com:8444/", "port-nondefault"}, {"https://other.example.com:8443/", "port-nondefault"}, {"https://other.example.com/", "-"}, {"http://partner.example.com/", "-"}, {"https://10.0.0.1/", "addr-not-global,addr-private"}, {"myapp:/x", "scheme-not-allowed"}};
	struct urivet_url_rule rule = rule_of("https://partner.example.com:8443/");
	struct urivet_policy p = allowing(URIVET_PUBLIC, &rule);
	p.urls_also = true;
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		judge(&r, rows[k].url, strlen(rows[k].url), &p);
		cr_expect_str_eq(ids_of(&r), rows[k].ids, "%s: %s", rows[k].url, ids_of(&r));
		cr_expect((r.url_rule == &rule) == (k == 0));
	}
	/* targets, which such rules cannot cover, are not refused for that */
	struct urivet_report r;
	cr_expect(check_target(&r, TEXT("/"), TEXT("www.example.com"), &p, NULL) == URIVET_ACCEPT);
	cr_expect(check_target(&r, urivet_text_of(rows[0].url, strlen(rows[0].url)), TEXT("partner.example.com:8443"), &p, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "port-nondefault");
	cr_expect(check_target(&r, urivet_text_of(rows[0].url, strlen(rows[0].url)), (struct urivet_text){NULL, 0}, &p, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "port-nondefault");
	p.size = offsetof(struct urivet_policy, paths);
	cr_expect(check_target(&r, TEXT("/"), TEXT("www.example.com"), &p, NULL) == URIVET_REJECT);
}

/* Parameters that a policy forbids, by the names that forms give them. */
Test(urls, forbidden_parameters)
{
	static const struct {
		const char *query;
		bool forbidden;
	} rows[] = {{"code=1", true}, {"a=1&code=1", true}, {"code", true}, {"code&a", true}, {"CODE=1", true}, {"%63ode=1", true}, {"c%6Fd%65=1", true}, {"+code=1", true}, {"%20code=1", true}, {"code%5B%5D=1", true}, {"a;code=1", true}, {"state=", true}, {"sstate=", false}, {"codex=1", false}, {"xcode=1", false}, {"cod=1", false}, {"a=code", false}, {"co%2564e=1", false}, {"", false}, {"=code", false}, {"code%20=1", false}, {"a=1&&b", false}, {"!code", false}, {"code+state", false}, {"xy=1", true}, {"xy[]", true}};
	struct urivet_url_rule rule = rule_of("https://app.example.com/cb");
	struct urivet_policy p = allowing(URIVET_GATEWAY, &rule);
	memcpy(p.forbidden_parameters, "code state xy ", 14);
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char url[100];
		struct urivet_report r;
		const size_t length = (size_t)snprintf(url, sizeof url, "https://app.example.com/cb?%s", rows[k].query);
		judge(&r, url, length, &p);
		cr_expect((finding_in(&r, URIVET_F_PARAM_REFUSED) != NULL) == rows[k].forbidden, "%s: %s", url, ids_of(&r));
		cr_expect(!rows[k].forbidden || r.verdict == URIVET_REJECT);
		/* without rules about URLs they mean nothing, nor in a policy that ends before them */
		struct urivet_policy q = p;
		q.url_count = 0;
		judge(&r, url, length, &q);
		cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED) == NULL);
		q = p;
		q.size = offsetof(struct urivet_policy, paths);
		judge(&r, url, length, &q);
		cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED) == NULL);
	}
	/* a list without its final mark is read to its end */
	memset(p.forbidden_parameters, 'a', sizeof p.forbidden_parameters);
	struct urivet_report r;
	judge(&r, LITERAL("https://app.example.com/cb?aaaa"), &p);
	cr_expect(r.verdict == URIVET_ACCEPT);
}
