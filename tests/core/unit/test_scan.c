/* SPDX-License-Identifier: Apache-2.0 */
/* Tests URIs in text: RFC 3986, appendix C; draft-fielding-uri-syntax-01, appendices E and F;
 * "Uniform Resource Locators (URL)", November 1996, section 12. */
#include "support.h"

#include <stdlib.h>
#include <urivet/scan.h>

TestSuite(scan, .timeout = 60);

/* Returns all finds, a line each: U or A, flags d(elimited) b(roken) h(yphen), space, text. */
static const char *finds_in(const char *text, size_t length)
{
	static char all[8192];
	struct urivet_scan scan = {at_edge(text, length), length, 0};
	struct urivet_found found;
	char out[512];
	size_t n = 0, used = 0;
	all[0] = '\0';
	while (urivet_scan_next(&scan, SIZE_MAX, &found, out, sizeof out, &n)) {
		cr_assert(n == strlen(out) && n < sizeof out);
		cr_assert(found.offset + found.length <= scan.position && scan.position <= length);
		used += (size_t)snprintf(all + used, sizeof all - used, "%s%c%s%s%s %s",
		                         used > 0 ? "\n" : "", "UA"[found.kind],
		                         found.delimited ? "d" : "", found.broken ? "b" : "",
		                         found.hyphen_at_break ? "h" : "", out);
		cr_assert(used < sizeof all);
	}
	cr_assert(n == 0 && out[0] == '\0');
	return all;
}

/* A full-width comma does not end a host if a label of at most 63 octets and a dot follow. */
Test(scan, label_after_a_mark)
{
	for (int length = 62; length <= 65; length++) {
		char text[128], want[160];
		snprintf(text, sizeof text, "http://h.example\xef\xbc\x8c%0*d.org", length, 0);
		snprintf(want, sizeof want, "U %s", length <= 63 ? text : "http://h.example");
		cr_expect_str_eq(finds_in(text, strlen(text)), want, "%d: %s", length,
				 finds_in(text, strlen(text)));
	}
}

static const struct {
	const char *text, *finds;
} rows[] = {
	/* white space, punctuation and words of other scripts after a host */
	{"http://h.de\xc2\xa0", "U http://h.de"},
	{"http://h.de\xc2\xab", "U http://h.de"},
	{"http://h.de\xc2\xbb", "U http://h.de"},
	{"http://h.de\xe3\x80\x82", "U http://h.de"},
	{"http://h\xef\xbc\x8e" "de", "U http://h\xef\xbc\x8e" "de"},
	{"http://h\xef\xbd\xa1" "de", "U http://h\xef\xbd\xa1" "de"},
	{"http://h.de\xe3\x80\x91", "U http://h.de"},
	{"http://h.de\xe3\x80\x92", "U http://h.de\xe3\x80\x92"},
	{"http://h.de\xc2\xa1", "U http://h.de\xc2\xa1"},
	{"http://h.de\xe2\x80\x80", "U http://h.de"},
	{"http://h.de\xe3\x80\x80", "U http://h.de"},
	/* schemes of Windows follow the rules of others */
	{"ms-settings:display/a", "U ms-settings:display/a"},
	{"ms-x: y, ms-x", ""},
	{"ms-word:ofe|u|a", "U ms-word:ofe|u|a"},
	{"ms-x:abx", ""},
	/* two URIs in one pair of brackets are not joined, wherever they stand */
	{"<http://a.de/\nhttp://b.de/>", "U http://a.de/\nU http://b.de/"},
	{"x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x "
	 "x x x x x x x x x x x x x x x x x x x x x x x x x <http://a.de/\nhttp://b.de/>",
	 "U http://a.de/\nU http://b.de/"},
	/* RFC 3986, appendix C */
	{"Yes, Jim, I found it under \"http://www.w3.org/Addressing/\",\n"
	 "but you can probably pick it up from <ftp://foo.example.\n"
	 "com/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/\n"
	 "ietf/uri/historical.html#WARNING>.\n",
	 "Ud http://www.w3.org/Addressing/\n"
	 "Udb ftp://foo.example.com/rfc/\n"
	 "Udb http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING"},
	/* draft-fielding-uri-syntax-01, appendix E, with its indentation */
	{"   Yes, Jim, I found it under \"http://www.w3.org/Addressing/\",\n"
	 "      but you can probably pick it up from <ftp://ds.internic.\n"
	 "      net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/\r\n"
	 "      ietf/uri/historical.html#WARNING>.\n",
	 "Ud http://www.w3.org/Addressing/\n"
	 "Udb ftp://ds.internic.net/rfc/\n"
	 "Udb http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING"},
	{"usually within double-quotes \"http://test.com/\", angle brackets\n"
	 "   <http://test.com/>, or just using whitespace\n\n                  http://test.com/\n",
	 "Ud http://test.com/\nUd http://test.com/\nU http://test.com/"},
	/* November 1996, section 12, with the brackets that are missing in its text */
	{"Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n"
	 "type=d> but you can probably pick it up from <URL:ftp://ds.in\n"
	 "ternic.net/rfc>. Note the warning in <URL:http://ds.internic.\n"
	 "net/instructions/overview.html#WARNING>.\n",
	 "Udb ftp://info.cern.ch/pub/www/doc;type=d\n"
	 "Udb ftp://ds.internic.net/rfc\n"
	 "Udb http://ds.internic.net/instructions/overview.html#WARNING"},
	/* the prefix, in any letter case, with and without a space */
	{"<URL:http://h/>", "Ud http://h/"},
	{"<url: http://h/ >", "Ud http://h/"},
	{"Url:http://h/", "U http://h/"},
	{"URL: http://h/", "U http://h/"},
	{"URL:\n\thttp://h/.", "U http://h/"},
	{"URL: foo:bar, foo:bar", "U foo:bar"},
	{"URL:www.example.com/", "A http://www.example.com/"},
	{"URL: www.example.com:80/x", "A http://www.example.com:80/x"},
	{"<URL:foo:bar> <foo:bar>", "Ud foo:bar"},
	{"URL://h/", "U URL://h/"},
	{"URL: none. curl:x", ""},
	{"URL:foo:;x", "U foo:;x"},
	/* two colons belong to a C++ name, not to a scheme; a known scheme is one whatever
	 * follows */
	{"URL:std::string", ""},
	{"<URL:std::string> URL: std::string URL:std:string", "U std:string"},
	{"URL:data:,std::string URL:javascript:x::y", "U data:,std::string\nU javascript:x::y"},
	{"URL:http:/u]@h/x", "U http:/u]@h/x"},
	{"<URL:foo:> \"URL:foo:\" <URL: none: >", ""},
	/* white space and line breaks inside */
	{"< http://h/a b\tc >", "Udb http://h/abc"},
	{"<http:\n//h/>", "Udb http://h/"},
	{"<http://h/a-\nb>", "Udbh http://h/a-b"},
	{"<http://h/a- \r\n  b->", "Udbh http://h/a-b-"},
	{"<http://h/a- b-\n>", "Udb http://h/a-b-"},
	{"<http://h/a-\nb\nc>", "Udbh http://h/a-bc"},
	{"\"http://h/a\n b\"", "Udb http://h/ab"},
	{"\"http://h/a is down\"", "U http://h/a"},
	{"<www.a.org is down>", "A http://www.a.org"},
	{"\" http://h/\"", "U http://h/"},
	/* white space before the slashes is allowed in brackets only */
	{"www.a.org: //x URL:www.a.org: //x", "A http://www.a.org\nA http://www.a.org"},
	{"<http://h/a\nhttp://i/b>", "U http://h/a\nU http://i/b"},
	{"\"http://h/\" \"http://i/\"", "Ud http://h/\nUd http://i/"},
	{"<http://h/\"x>", "Ud http://h/\"x"},
	{"\"http://h/<x>\"", "Ud http://h/<x>"},
	/* brackets around other text */
	{"<b>http://h/</b> a < b http://i/ > c", "U http://h/\nU http://i/"},
	{"<a href=\"http://h/\">x</a>", "Ud http://h/"},
	{"<http://h/ <http://i/>", "U http://h/\nUd http://i/"},
	{"<http://h/\x01>", "U http://h/"},
	{"<http://h/", "U http://h/"},
	{"\"http://h/", "U http://h/"},
	/* a scheme in prose, which leads nowhere */
	{"\"http://\" or \"https://\" <ftp://> <URL:http://> \"http:/\\\" \"http://h\"", "Ud http://h"},
	{"<file:///> <http:// h> \"data:,\"", "Ud file:///\nUdb http://h\nUd data:,"},
	{"<std::string> <joe@example.com> <>\"\"<<>>", ""},
	{"<mailto:joe@example.com>", "Ud mailto:joe@example.com"},
	{"<urn:isbn:0451450523>", "Ud urn:isbn:0451450523"},
	/* punctuation after a URI, and brackets around it */
	{"http://h/.", "U http://h/"},
	{"http://h/a?b, http://h/;: http://h/!?' http://h/...", "U http://h/a?b\nU http://h/\n"
	                                                       "U http://h/\nU http://h/"},
	{"(http://h/a) [http://h/b]. {http://h/c}", "U http://h/a\nU http://h/b\nU http://h/c"},
	{"(see http://h/a_(b)).", "U http://h/a_(b)"},
	/* brackets that nest do not close the one before the URI (cmark-gfm, extensions.txt) */
	{"(http://h/a_(b)) [http://h/a[b]c] {http://h/{a}}",
	 "U http://h/a_(b)\nU http://h/a[b]c\nU http://h/{a}"},
	{"(http://h/a)b) (http://h/a_(b))+ok (http://h) (http://h)/a)",
	 "U http://h/a\nU http://h/a_(b)\nU http://h\nU http://h"},
	{"http://h/a_(b) http://h/(a]", "U http://h/a_(b)\nU http://h/(a"},
	{"[![Build](https://a/b.svg)](https://c/d)", "U https://a/b.svg\nU https://c/d"},
	{"`http://h/` 'http://h/', http://h/(", "U http://h/\nU http://h/\nU http://h/"},
	{"http://[2001:db8::1]/x]", "U http://[2001:db8::1]/x"},
	{"\xe2\x80\x9chttp://h/\xe2\x80\x9d \xc2\xabhttp://h/\xc2\xbb \xe3\x80\x8chttp://h/"
	 "\xe3\x80\x8d\xe3\x80\x82",
	 "U http://h/\nU http://h/\nU http://h/"},
	{"http://h/\xc2\xa0is http://h/a\xe2\x80\x93z\xe2\x80\x9d, http://h\xe3\x80\x82x http://h\xe3\x80\x82/x",
	 "U http://h/\nU http://h/a\xe2\x80\x93z\nU http://h\xe3\x80\x82x\nU http://h"},
	{"http://h\xc2\xa0@i/ http://h/\xc2%a0b", "U http://h\xc2\xa0@i/\nU http://h/\xc2%a0b"},
	/* octets that a tolerant reader accepts are part of the find */
	{"http://h\\@i/", "U http://h\\@i/"},
	{"http://h)@i/ http://h`@i/", "U http://h)@i/\nU http://h`@i/"},
	{"http://h).i/ http://h`i/x)", "U http://h).i/\nU http://h`i/x"},
	{"http://h]i http://h)] http://u]@h)/x http://[::1] http://[::1]]",
	 "U http://h\nU http://h\nU http://u]@h)/x\nU http://[::1]\nU http://[::1]"},
	{"http://u:p@h/ http://h/a|b^c", "U http://u:p@h/\nU http://h/a|b^c"},
	{"http://h/\xc3\xa9\xff!", "U http://h/\xc3\xa9\xff"},
	{"http:/h http:\\\\h/ HTTP:example.com", "U http:/h\nU http:\\\\h/\nU HTTP:example.com"},
	{"javascript:alert(1) data:text/html,<b>", "U javascript:alert(1)\nU data:text/html"},
	{"view-source:http://h/ jar:http://h!/", "U view-source:http://h/\nU jar:http://h!/"},
	{"ms-word:ofe|u|http://h/", "U ms-word:ofe|u|http://h/"},
	{"x-y.z+1://h/ 1http://h/", "U x-y.z+1://h/\nU http://h/"},
	{"foo:http://h/", "U http://h/"},
	/* prose without URIs */
	{"http:// http://... (https://) data: none, news: e.g.: std::x a:b 10:30 c:\\x", ""},
	{"file: x mailto: you javascript: x HTTP::Request tel: 5", ""},
	{"<javascript:> <javascript: > \"javascript:\" http://} http://)} x", ""},
	{"tel:+1-816-555-1212 news:comp.lang.c file:/etc/passwd",
	 "U tel:+1-816-555-1212\nU news:comp.lang.c\nU file:/etc/passwd"},
	/* abbreviated: draft-fielding-uri-syntax-01, appendix F */
	{"such as\n\n      www.w3.org/Addressing/\n\n   or", "A http://www.w3.org/Addressing/"},
	{"www.example.com. WWW.Example.ORG, www2.a.fr", "A http://www.example.com\n"
	                                               "A http://WWW.Example.ORG\n"
	                                               "A http://www2.a.fr"},
	{"ftp.example.com (ftp.a.org/x)", "A ftp://ftp.example.com\nA ftp://ftp.a.org/x"},
	{"<www.w3.org/Addres\n sing/> \"www.a.org\"", "Adb http://www.w3.org/Addressing/\n"
	                                            "Ad http://www.a.org"},
	{"example.com/path example.org:8080/x", "A http://example.com/path\n"
	                                        "A http://example.org:8080/x"},
	{"www.example.com@evil.org/ www.a.com\\@b/", "A http://www.example.com@evil.org/\n"
	                                            "A http://www.a.com\\@b/"},
	{"x=www.a.com/", "A http://www.a.com/"},
	{"(www.a.com) [www.a.com/(x)] (www.a.com/x)", "A http://www.a.com\n"
	                                              "A http://www.a.com/(x)\nA http://www.a.com/x"},
	{"www.a.com)@b.org/", "A http://www.a.com)@b.org/"},
	{"[www.a.com](http://www.b.com)", "A http://www.a.com\nU http://www.b.com"},
	{"example.com and/or foo.c/x www.x joe@www.example.com a/www.a.com -www.a.com", ""},
	{"www.a.12/ www.a.b1/ www.1.org2/x www.a.c", ""},
	{"usr.so/x Makefile.in/y 192.0.2.0/24 ftp.x example.com:80 www..a.com", ""},
	{"http:/-h.de\xc2\xbb" "0 http://]#|www.b.de/ http://]#| www.b.de/",
	 "U http:/-h.de\nU http://]#|www.b.de/\nU http://]#\nA http://www.b.de/"},
	/* schemes that browsers accept without slashes, and those that need one */
	{"https:0/ hTtPs:/h/ https:a:b", "U https:0/\nU hTtPs:/h/"},
	{"ws:/a ws:h/p wss:/h/ wss:h/p ws:/ EWS:/a", "U ws:/a\nU ws:h/p\nU wss:/h/\nU wss:h/p"},
	{"ftp:h/ ftp:/h/ gopher:/a gopher:a", "U ftp:h/\nU ftp:/h/\nU gopher:/a"},
	{"ldap:/h/ ldaps:/h/ itms-services:?a itms-services:/a ms-msdt:/id",
	 "U ldap:/h/\nU ldaps:/h/\nU itms-services:?a\nU itms-services:/a\nU ms-msdt:/id"},
	{"%78:///a 1:///a T:6/ N:/@", ""},
	{"URL:Q:E URL:q:e", "U Q:E\nU q:e"},
	{"<t:// > <t: //a> <t:  //a>", "Ud t://\nUdb t://a\nUdb t://a"},
	/* hosts with a path, or with "www." or "ftp." before a name of two labels */
	{"com/ a-e.com/0( e.net: / de.de:/ e.net:9/ URL:e.net:9/ URL:e.net: /",
	 "A http://a-e.com/0\nA http://e.net:9/\nA http://e.net:9/"},
	{"E.p.io wwww.a.dpm] ftp.hi www.hi ftp.hi.de", "A ftp://ftp.hi.de"},
	{"'db8.org/a x'db8.org/a http//{a.com/", "A http://db8.org/a\nA http://db8.org/a\nA http://a.com/"},
	{"_www.a.org/ +www.a.org/ .www.a.org/", ""},
	{"see `www.a.org` and www.a_b.org", "A http://www.a.org\nA http://www.a_b.org"},
	{"example.com:000080/x", "A http://example.com:000080/x"},
	{"1.org/](..2 a/http://h/ /ftp:///a\"b", "A http://1.org/\nU http://h/\nU ftp:///a"},
	/* balanced brackets in path and query belong to the URI; a host contains no brackets */
	{"http://h/?[]] http://h/[] http://h/[a]]", "U http://h/?[]\nU http://h/[]\nU http://h/[a]"},
	{"x://g/{a}{ x://g/{a}} x://?`a x://?a`b", "U x://g/{a}\nU x://g/{a}\nU x://?`a\nU x://?a"},
	{"http://h[#]/ http://h[?]/ http://h[/]/", "U http://h[#\nU http://h\nU http://h[/"},
	{"http://[u@1::1]/]/ http://u]@h]/a http://@] http://a]b]c",
	 "U http://[u@1::1\nU http://u]@h\nU http://@\nU http://a"},
	{"x://h?q)a x://h#a)b x://h#a.b] http://]] http://]#| http://]/a",
	 "U x://h?q\nU x://h#a\nU x://h#a.b\nU http://]#\nU http://]/a"},
	/* a quote or bracket directly before closes the URI, also in the host */
	{"('https://a.example/x','https://b.example/y')", "U https://a.example/x\nU https://b.example/y"},
	{"a='https://a.example';b='https://b.example'", "U https://a.example\nU https://b.example"},
	{"'http://h/it's' 'http://h'@i/ http://h'i", "U http://h/it's\nU http://h'@i/\nU http://h'i"},
	{"'http://h'+x 'http://h/a'+x http://h/a'+x", "U http://h\nU http://h/a\nU http://h/a'+x"},
	{"`http://h`i http://h`i", "U http://h\nU http://h`i"},
	{"(http://h)i. (http://h)@i/ [http://h]i {http://h}i http://h}i",
	 "U http://h\nU http://h)@i/\nU http://h\nU http://h\nU http://h}i"},
	{"(http://h)x@i/ [http://h]x:%40,@i/ (http://h)'x@y' (http://h)(x@y) link:http://h[x@y]",
	 "U http://h)x@i/\nU http://h]x:%40,@i/\nU http://h\nU http://h\nU http://h"},
	{"[x](https://h.com)\xe6\x98\xaf y](http://h)z", "U https://h.com\nU http://h"},
	{"[x](https://a.example)[y](https://b.example)", "U https://a.example\nU https://b.example"},
	{"**[x](https://h.com)** **http://h/x**y **http://h**y *http://h/x**y",
	 "U https://h.com\nU http://h/x\nU http://h\nU http://h/x**y"},
	{"~~http://h/x~~y ~~http://h~~ ~http://h/x~~y", "U http://h/x\nU http://h\nU http://h/x~~y"},
	{"link:https://h/x[text] link:https://h[text] image::https://h/x[] image:https://h/x[a]",
	 "U https://h/x\nU https://h\nU https://h/x\nU https://h/x"},
	{"alink:https://h/x[a] unlike:https://h/x[a] https://h/x[a] https://h/x[ab]",
	 "U https://h/x\nU https://h/x[a]\nU https://h/x[a]\nU https://h/x[ab]"},
	{"link:http://[2001:db8::1]/x[t] image:http://u@[::1] [http://[::1]/x] [http://[::1]] link:http://[::1][t] link:http://[t] link:http://a[:]",
	 "U http://[2001:db8::1]/x\nU http://u@[::1]\nU http://[::1]/x\nU http://[::1]\nU http://[::1]\nU http://a"},
	{"[url]https://h/x[/url] [b]https://h[/b]x https://h/x[/1]",
	 "U https://h/x\nU https://h\nU https://h/x[/1]"},
	{"http://h/x[/] http://h/x[/b c", "U http://h/x[/]\nU http://h/x[/b"},
	/* a bracket around more than the URI, at the end of the sentence */
	{"(see http://h.com)? (see http://h.com)?! (see http://h.com?)",
	 "U http://h.com\nU http://h.com\nU http://h.com"},
	{"(see http://h.com)?x (see http://h.com)#!x", "U http://h.com)?x\nU http://h.com)#!x"},
	/* a delimiter before another scheme with slashes */
	{"http://a.example,http://b.example", "U http://a.example\nU http://b.example"},
	{"http://a/x;http://b/y|http://c/z*http://d", "U http://a/x\nU http://b/y\nU http://c/z\n"
	                                            "U http://d"},
	{"|https://a|https://b|", "U https://a\nU https://b"},
	{"http://a/x(http://b) http://a/x{ftp://b}", "U http://a/x\nU http://b\nU http://a/x\nU ftp://b"},
	{"http://a/x,http:/b http://a/x,1http://b", "U http://a/x,http:/b\nU http://a/x,1http://b"},
	{"http://a/http://b http://a/?u=http://b&v=http://c",
	 "U http://a/http://b\nU http://a/?u=http://b&v=http://c"},
	{"jar:a,http://b:c 'http://','http://h/'", "U jar:a,http://b:c\nU http://h/"},
	/* marks of other scripts, also after a host */
	{"https://h.com/g\xef\xbc\x8c\xe8\xaf\xa6 https://h.com\xef\xbc\x8c\xe8\xaf\xa6",
	 "U https://h.com/g\nU https://h.com"},
	{"https://h.com/d\xef\xbc\x88\xe8\xaf\xb4\xef\xbc\x89\xe4\xba\x86", "U https://h.com/d"},
	{"https://h.com\xe3\x80\x82\xe6\xac\xa1 https://h.com\xe3\x80\x82See", "U https://h.com\nU https://h.com"},
	{"\xef\xbd\x9chttp://h.com\xef\xbd\x9c" "bar", "U http://h.com"},
	{"\xe2\x80\x98https://h.com/x\xe2\x80\x99, https://h/it\xe2\x80\x99s",
	 "U https://h.com/x\nU https://h/it\xe2\x80\x99s"},
	{"https://h/a\xe2\x80\xa6" "b https://h/a\xd8\x8c https://h/a\xd8\x8c" "b",
	 "U https://h/a\nU https://h/a\nU https://h/a\xd8\x8c" "b"},
	/* ... but what follows may be a part of the host */
	{"https://h.com\xe3\x80\x82" "evil.com/ https://h.com\xef\xbc\x8cx.evil.com/",
	 "U https://h.com\xe3\x80\x82" "evil.com/\nU https://h.com\xef\xbc\x8cx.evil.com/"},
	{"http://\xe4\xbe\x8b\xe3\x80\x82jp/ http://\xe4\xbe\x8b.jp\xe3\x80\x82jp/",
	 "U http://\xe4\xbe\x8b\xe3\x80\x82jp/\nU http://\xe4\xbe\x8b.jp"},
	{"https://h.com\xef\xbc\x8cx@evil.com/", "U https://h.com\xef\xbc\x8cx@evil.com/"},
	{"https://h.com\xef\xbc\x8cx.1 https://h.com\xef\xbc\x8c.com", "U https://h.com\nU https://h.com"},
	/* emphasis at the end */
	{"*http://h/x* _http://h/x_ ~http://h/x~ http://h/x_y http://h/*/x",
	 "U http://h/x\nU http://h/x\nU http://h/x\nU http://h/x_y\nU http://h/*/x"},
	/* the text of a link in chat, unless the "|" may be userinfo */
	{"<https://h/x|the text> <https://h|text> <mailto:a@b.c|a@b.c> <www.a.org/x|a>",
	 "Ud https://h/x\nUd https://h\nUd mailto:a@b.c\nAd http://www.a.org/x"},
	{"<https://h|a@evil.com/> <https://h/x|a@b> <https://h/x|a <https://i/|\n>",
	 "Ud https://h|a@evil.com/\nUd https://h/x\nU https://h/x|a\nUd https://i/"},
	/* nothing to find */
	{"", ""},
	{":", ""},
	{"<", ""},
	{"\"", ""},
	{"://", ""},
	{"http://", ""},
	{"\xff\xfe", ""},
};

Test(scan, finds)
{
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const char *got = finds_in(rows[k].text, strlen(rows[k].text));
		cr_expect(strcmp(got, rows[k].finds) == 0, "%s\ngives\n%s\nnot\n%s", rows[k].text,
		          got, rows[k].finds);
	}
}

/* The authority of an abbreviated reference ends at a closing bracket if it is short; that of
 * any other URI always does. After "URL:" up to 16 octets of white space are skipped. For a
 * scheme without slashes, the required octet must stand within 128 octets. */
Test(scan, long_authorities)
{
	static const struct {
		const char *pattern, *finds;
	} longer[] = {
	    {"http://{a*300}]x y", "U http://{a*300}"},
	    {"www.{a*251}.de]x y", "A http://www.{a*251}.de]x"},
	    {"www.{a*240}.de]x y", "A http://www.{a*240}.de"},
	    {"www.{a*247}.de]x y", "A http://www.{a*247}.de"},
	    {"www.{a*248}.de]x y", "A http://www.{a*248}.de]x"},
	    {"{ *300}www.a.de]x y", "A http://www.a.de"},
	    {"URL:{ *16}foo:bar", "U foo:bar"},
	    {"URL:{ *17}foo:bar", ""},
	    {"mailto:{a*127}@b", "U mailto:{a*127}@b"},
	    {"mailto:{a*128}@b", ""},
	    {"{ *300}mailto:a@b", "U mailto:a@b"},
	};
	for (size_t k = 0; k < sizeof longer / sizeof longer[0]; k++) {
		char want[512];
		size_t n;
		const char *text = expand(longer[k].finds, strlen(longer[k].finds), &n);
		memcpy(want, text, n);
		want[n] = '\0';
		text = expand(longer[k].pattern, strlen(longer[k].pattern), &n);
		cr_expect_str_eq(finds_in(text, n), want, "%s", longer[k].pattern);
	}
}

Test(scan, nul_separates)
{
	static const char text[] = "http://h/a\0http://h/b\0\0<http://h/c\0d>";
	cr_expect_str_eq(finds_in(text, sizeof text - 1),
	                 "U http://h/a\nU http://h/b\nU http://h/c");
	cr_expect_str_eq(finds_in(NULL, 0), "");
}

Test(scan, places)
{
	static const char text[] = "x <URL: http://h/a\n b > y";
	struct urivet_scan scan = {text, sizeof text - 1, 0};
	struct urivet_found found;
	size_t n;
	cr_assert(urivet_scan_next(&scan, SIZE_MAX, &found, NULL, 0, &n));
	cr_expect(found.offset == 8 && found.length == 13 && n == 11);
	cr_expect(scan.position == 23);
	cr_expect(!urivet_scan_next(&scan, SIZE_MAX, &found, NULL, 0, &n) && n == 0);
	cr_expect(scan.position == sizeof text - 1);
	cr_expect(!urivet_scan_next(&scan, SIZE_MAX, &found, NULL, 0, &n));
	/* and after an undelimited URI, to which the punctuation does not belong */
	scan = (struct urivet_scan){LITERAL("http://]#| x"), 0};
	cr_assert(urivet_scan_next(&scan, SIZE_MAX, &found, NULL, 0, &n));
	cr_expect(found.length == 9 && scan.position == 9);
	/* a text that is continued within a word: no host begins there */
	scan = (struct urivet_scan){LITERAL("xwww.a.org"), 1};
	cr_expect(!urivet_scan_next(&scan, SIZE_MAX, &found, NULL, 0, &n));
}

/* After "<" the scan looks for ">" up to a limit; a longer text counts as undelimited. */
Test(scan, look_ahead)
{
	static char text[40000];
	struct urivet_found found;
	size_t n;
	for (size_t length = 16300; length < 16500; length++) {
		struct urivet_scan scan = {text, length + 2, 0};
		memset(text, 'a', sizeof text);
		memcpy(text, "<http://h/", 10);
		text[length + 1] = '>';
		cr_assert(urivet_scan_next(&scan, SIZE_MAX, &found, NULL, 0, &n));
		cr_expect(n == length && found.length == length && found.offset == 1);
		cr_expect(found.delimited == (length + 2 <= 16384), "%zu", length);
	}
}

/* Capacities follow snprintf: never an octet beyond, always the length, a NUL if there is room. */
Test(scan, every_capacity)
{
	static const char *const texts[] = {"<http://h/a\n b>", "www.example.com", "x http://h/."};
	static const char *const wanted[] = {"http://h/ab", "http://www.example.com", "http://h/"};
	for (size_t k = 0; k < 3; k++) {
		const size_t whole = strlen(wanted[k]);
		for (size_t capacity = 0; capacity < whole + 3; capacity++) {
			struct urivet_scan scan = {texts[k], strlen(texts[k]), 0};
			struct urivet_found found;
			char out[64];
			size_t n = 0;
			const size_t written = capacity > whole ? whole : capacity > 0 ? capacity - 1 : 0;
			memset(out, '#', sizeof out);
			cr_assert(urivet_scan_next(&scan, SIZE_MAX, &found, out, capacity, &n));
			cr_expect(n == whole);
			cr_expect(memcmp(out, wanted[k], written) == 0);
			cr_expect(capacity == 0 || out[written] == '\0');
			for (size_t i = capacity; i < sizeof out; i++)
				cr_assert(out[i] == '#');
		}
	}
}

/* Random texts of relevant octets: each find matches the text, and a scan that begins at it
 * finds it again. */
Test(scan, random_texts)
{
	static const char *const pieces[] = {
		"http", "://", ":", "/", "<", ">", "\"", " ", "\n", "-", "URL:", "www.", "a", "b.com",
		"@", "(", ")", "]", "`", ".", "\xc2\xbb", "\xff", "\0", "mailto", "ftp.", "\\", "?", "#",
	};
	srand(1);
	for (unsigned round = 0; round < 20000 / sample(); round++) {
		char text[400], out[512], again[512];
		size_t length = 0, n = 0, m = 0, before = 0;
		struct urivet_found found, same;
		for (unsigned k = rand() % 40; k > 0; k--) {
			const char *piece = pieces[rand() % (sizeof pieces / sizeof pieces[0])];
			const size_t size = *piece == '\0' ? 1 : strlen(piece);
			memcpy(text + length, piece, size);
			length += size;
		}
		struct urivet_scan scan = {at_edge(text, length), length, 0};
		while (urivet_scan_next(&scan, SIZE_MAX, &found, out, sizeof out, &n)) {
			size_t at = 0;
			cr_assert(found.offset >= before && found.length > 0);
			before = scan.position;
			if (found.kind == URIVET_FOUND_ABBREVIATED)
				at = out[0] == 'h' ? 7 : 6;
			for (size_t i = 0; i < found.length; i++) {
				const char c = text[found.offset + i];
				if (c == ' ' || c == '\n')
					cr_assert(found.broken);
				else
					cr_assert(at < n && out[at++] == c);
			}
			cr_assert(at == n, "%s", shown(text, length));
			if (found.delimited)
				continue;
			struct urivet_scan second = {text, length, found.offset};
			if (urivet_scan_next(&second, SIZE_MAX, &same, again, sizeof again, &m) &&
			    same.offset == found.offset)
				cr_assert_str_eq(again, out);
		}
	}
}

static const char *const hostile[] = {
	"<", "\"", "<a:", "\"http://a\n", "<http://a ", "http://)", "javascript:)", "URL:", "URL: ",
	"mailto:", "data:a", "www.", "a.", "<www.a.com\n", "x:", "://", "http://a.com/(", "'", "-",
	" ", "<http://a -\n", "\"http:", "<URL:", "ms-a:", "(", "a@", "http://@", "\xc2\xa0", ")",
	"http://(", "<http:\n", "<URL: \n", "http://h`", "javascript:a)", "www.a.com)", "http:a.b)", "http://]", "www.a.com]", "http://a]", "http://h/)", "http://@)",
	"\xff", "urn:a", "www.a.co", "a_", "ms-", "",
	"http://h,", "http://h\xe3\x80\x82", "'http://h'", "<http://h|", "[/a", "http://h/[/a",
	"http://h/a,a", "link:http://h[", "**http://h**", "www.a.org\xef\xbc\x8c",
};

Test(scan, hostile_is_linear, .timeout = 60)
{
	const size_t size = (4u << 20) / sample();
	char *text = malloc(size);
	char *out = malloc(size + 16);
	cr_assert(text != NULL && out != NULL);
	for (size_t k = 0; k < sizeof hostile / sizeof hostile[0]; k++) {
		const size_t length = strlen(hostile[k]) + (hostile[k][0] == '\0');
		struct urivet_scan scan = {text, size, 0};
		struct urivet_found found;
		size_t n = 0, total = 0;
		for (size_t i = 0; i < size; i++)
			text[i] = hostile[k][i % length];
		while (urivet_scan_next(&scan, SIZE_MAX, &found, out, size + 16, &n))
			total += n;
		cr_expect(total <= size + size, "%s", hostile[k]);
	}
	free(text);
	free(out);
}

/* By the charts of Unicode: white space, quotation marks, brackets and the punctuation of CJK end a
 * URI (s), an apostrophe unless a letter follows (q), other punctuation if nothing follows (l). */
Test(scan, marks_of_other_scripts)
{
	static const unsigned charts[][2] = {{0x80, 0xff},     {0x600, 0x6ff},   {0x900, 0x97f},
					     {0x1fd0, 0x209f}, {0x2fd0, 0x303f}, {0xfe00, 0xffef}};
	static const struct {
		unsigned first, last;
		char how;
	} marks[] = {
	    {0xa0, 0xa0, 's'}, {0xab, 0xab, 's'}, {0xbb, 0xbb, 's'}, {0x60c, 0x60c, 'l'}, {0x61b, 0x61b, 'l'},
	    {0x61f, 0x61f, 'l'}, {0x6d4, 0x6d4, 'l'}, {0x964, 0x965, 'l'}, {0x2018, 0x2019, 'q'}, {0x2000, 0x200b, 's'},
	    {0x201c, 0x201f, 's'}, {0x2026, 0x2026, 's'}, {0x2028, 0x2029, 's'}, {0x202f, 0x202f, 's'}, {0x2039, 0x203a, 's'},
	    {0x205f, 0x205f, 's'}, {0x2000, 0x206f, 'l'}, {0x3000, 0x3002, 's'}, {0x3003, 0x3003, 'l'}, {0x3008, 0x3011, 's'},
	    {0x3014, 0x301b, 's'}, {0x301d, 0x301f, 's'}, {0xfe10, 0xfe19, 's'}, {0xfe35, 0xfe44, 's'}, {0xfe50, 0xfe5e, 's'},
	    {0xff01, 0xff02, 's'}, {0xff08, 0xff09, 's'}, {0xff0c, 0xff0c, 's'}, {0xff0e, 0xff0e, 's'}, {0xff01, 0xff0f, 'l'},
	    {0xff1a, 0xff1c, 's'}, {0xff1e, 0xff1f, 's'}, {0xff3b, 0xff3b, 's'}, {0xff3d, 0xff3d, 's'}, {0xff5b, 0xff5d, 's'},
	    {0xff5f, 0xff64, 's'},
	};
	static const char *const after[] = {"", ",b", "b"}, *const ends[] = {"slq", "sq", "s"};
	for (size_t n = 0; n < sizeof charts / sizeof charts[0]; n++)
		for (unsigned c = charts[n][0]; c <= charts[n][1]; c++) {
			size_t k = 0;
			while (k < sizeof marks / sizeof marks[0] && (c < marks[k].first || c > marks[k].last))
				k++;
			const char how = k < sizeof marks / sizeof marks[0] ? marks[k].how : '-';
			for (unsigned a = 0; a < 3; a++) {
				char text[64], want[64];
				snprintf(text, sizeof text, "http://h.org/a%s%s c", utf8_of(c), after[a]);
				snprintf(want, sizeof want, "U http://h.org/a%s%s", utf8_of(c), after[a]);
				if (strchr(ends[a], how) != NULL)
					strcpy(want, "U http://h.org/a");
				cr_expect_str_eq(finds_in(text, strlen(text)), want, "%x%s", c, after[a]);
			}
		}
}

/* Schemes without "//": RFC 6068, 2392, 7852 and similar, and what distinguishes each from
 * prose. */
Test(scan, schemes_by_their_names)
{
	static const char *const found[] = {
	    "mailto:a@b.org", "mid:a@b.org", "cid:a@b.org", "sip:a@b.org", "sips:a@b.org",
	    "xmpp:a@b.org", "tag:b.org,2026:a", "tel:+4930", "tel:110", "sms:+4930", "sms:110",
	    "geo:1.5,2.5", "geo:-1.5,2", "urn:isbn:0", "data:,a", "data:;base64,a",
	    "data:text/plain,a", "javascript:alert(1)", "vbscript:a", "view-source:http://h/",
	    "feed:http://h/", "blob:http://h/", "filesystem:http://h/", "jar:http://h/!/a",
	    "jdbc:a:b", "jndi:ldap://h/", "mhtml:http://h/", "magnet:?xt=a",
	    "itms-services://?a", "search-ms:query=a", "livescript:a", "intent:#Intent;end",
	    "intent:/a#Intent;end",
	};
	static const char *const prose[] = {
	    "mailto:a", "mid:a", "tel:x", "sms:x", "geo:a", "geo:15", "urn:a", "data:a",
	    "filesystem:a", "blob:a", "magnet:a", "jar:a", "nothing:a@b.org",
	};
	char text[64], want[64];
	for (size_t k = 0; k < sizeof found / sizeof found[0]; k++) {
		snprintf(text, sizeof text, "see %s now", found[k]);
		snprintf(want, sizeof want, "U %s", found[k]);
		cr_expect_str_eq(finds_in(text, strlen(text)), want, "%s", found[k]);
	}
	for (size_t k = 0; k < sizeof prose / sizeof prose[0]; k++) {
		snprintf(text, sizeof text, "see %s now", prose[k]);
		cr_expect_str_eq(finds_in(text, strlen(text)), "", "%s", prose[k]);
	}
}

/* A host with a path is a reference if people usually write that top-level domain so, and a file
 * if it is a file name extension. */
Test(scan, hosts_by_their_last_labels)
{
	static const char known[] =
	    "com org net edu gov mil int info biz arpa io dev app eu uk de fr nl be lu ch at it es "
	    "pt ie dk se no fi ee lv lt cz sk hu si hr ro bg gr tr ru ua by ca us mx br ar cl au nz "
	    "jp kr cn tw hk sg th vn id my il ir za tv me";
	static const char files[] = "txt tar gz html c o exe pdf doc jpg png xyz";
	char text[64], want[64];
	for (unsigned list = 0; list < 2; list++)
		for (const char *p = list == 0 ? known : files; *p != '\0'; p += *p == ' ') {
			const int n = (int)strcspn(p, " ");
			snprintf(text, sizeof text, "see h.%.*s/a now", n, p);
			snprintf(want, sizeof want, list == 0 ? "A http://h.%.*s/a" : "", n, p);
			cr_expect_str_eq(finds_in(text, strlen(text)), want, "%s", text);
			p += n;
		}
}

/* Octets that may precede an abbreviated reference, and those that may not. */
Test(scan, borders)
{
	for (int c = 1; c < 256; c++) {
		const bool border = c < 0x20 || c >= 0x7f || strchr(" !$()*,';=:<>\"[]{}|`", c) != NULL;
		const char text[] = {'x', (char)c, 'w', 'w', 'w', '.', 'a', '.', 'o', 'r', 'g'};
		if (strchr("<\"'([{`", c) == NULL) /* these may enclose it */
			cr_expect_str_eq(finds_in(text, sizeof text), border ? "A http://www.a.org" : "",
			                 "0x%02x", (unsigned)c);
	}
}

/* ---- Texts in pieces ------------------------------------------------------------------ */

/* A text that comes in pieces, the octets of it that are kept, and its finds, a line each. */
struct stream {
	char kept[70000];
	size_t length;
	size_t position;
	size_t before; /* octets of the text that are not kept any more */
	size_t most;
	size_t longest; /* the most octets that were held back */
	char finds[20000];
	size_t used;
};

static void add_find(struct stream *s, const struct urivet_found *found, const char *out)
{
	s->used += (size_t)snprintf(s->finds + s->used, sizeof s->finds - s->used,
	                            "%zu+%zu %c%s%s%s %.200s\n", s->before + found->offset,
	                            found->length, "UA"[found->kind], found->delimited ? "d" : "",
	                            found->broken ? "b" : "", found->hyphen_at_break ? "h" : "", out);
	cr_assert(s->used < sizeof s->finds);
}

/* Adds a piece; `last`: nothing follows. */
static void feed(struct stream *s, const char *piece, size_t length, bool last)
{
	static char out[70000];
	struct urivet_found found;
	size_t n, gone;
	cr_assert(s->length + length <= sizeof s->kept);
	memcpy(s->kept + s->length, piece, length);
	s->length += length;
	struct urivet_scan scan = {at_edge(s->kept, s->length), s->length, s->position};
	while (urivet_scan_next(&scan, last ? SIZE_MAX : s->most, &found, out, sizeof out, &n))
		add_find(s, &found, out);
	cr_assert(n == 0 && out[0] == '\0');
	if (s->length - scan.position > s->longest)
		s->longest = s->length - scan.position;
	gone = scan.position > URIVET_SCAN_BEFORE ? scan.position - URIVET_SCAN_BEFORE : 0;
	memmove(s->kept, s->kept + gone, s->length - gone);
	s->length -= gone;
	s->position = scan.position - gone;
	s->before += gone;
}

/* Returns the finds in a text that comes whole (size 0), in two pieces of which the first has `size`
 * octets, or in pieces of that size (`even`). */
static const char *finds_by(struct stream *s, const char *text, size_t length, size_t size, bool even)
{
	size_t at = 0;
	*s = (struct stream){.most = 30000};
	while (size > 0 && length - at > size && (even || at == 0)) {
		feed(s, text + at, size, false);
		at += size;
	}
	feed(s, text + at, length - at, true);
	return s->finds;
}

static void expect_same_in_pieces(const char *text, size_t length, size_t step)
{
	static struct stream whole, pieces;
	finds_by(&whole, text, length, 0, false);
	for (size_t at = 1; at < length; at += step)
		cr_assert_str_eq(finds_by(&pieces, text, length, at, false), whole.finds,
		                 "%s split at %zu", shown(text, length), at);
	cr_assert_str_eq(finds_by(&pieces, text, length, 1, true), whole.finds, "%s by octets",
	                 shown(text, length));
	cr_assert_str_eq(finds_by(&pieces, text, length, 3, true), whole.finds, "%s by threes",
	                 shown(text, length));
}

/* Each text of this suite gives the same finds whole and split anywhere, also if it stands in
 * another text. */
Test(scan, pieces, .timeout = 300)
{
	static const char *const around[][2] = {
		{"", ""}, {"", "\n"}, {"x ", " y"}, {"(", ")"}, {"\"", "\""}, {"<", ">"}, {"URL:", " //b.de/"},
		{"", "://b.de/"}, {"", "@b.de/"}, {"", "\xef\xbc\x8c"}, {"URL: ", "|b>"}, {"'", "'"},
	};
	char text[8192];
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (size_t a = 0; a < sizeof around / sizeof around[0]; a += sample()) {
			const int n = snprintf(text, sizeof text, "%s%s%s", around[a][0], rows[k].text,
			                       around[a][1]);
			cr_assert(n >= 0 && (size_t)n < sizeof text);
			expect_same_in_pieces(text, (size_t)n, 1);
		}
}

Test(scan, pieces_of_random_texts, .timeout = 300)
{
	static const char *const parts[] = {
		"http", "://", ":", "/", "<", ">", "\"", " ", "\n", "-", "URL:", "www.", "a", "b.com", "@",
		"(", ")", "]", "`", ".", "\xef\xbc\x8c", "\xe3\x80\x82", "\xff", "\x01", "mailto", "ftp.",
		"\\", "?", "#", "|", "'", "**", "[/a]", "link:", "[", "_", ",http", "80", "data:", "\xe2\x80\x99",
	};
	srand(7);
	for (unsigned round = 0; round < 20000 / sample(); round++) {
		char text[400];
		size_t length = 0;
		for (unsigned k = rand() % 24; k > 0; k--) {
			const char *part = parts[rand() % (sizeof parts / sizeof parts[0])];
			memcpy(text + length, part, strlen(part));
			length += strlen(part);
		}
		expect_same_in_pieces(text, length, 1);
	}
}

/* Text in brackets and after "URL:" ends at limits, and the rest of a text may decide late. */
Test(scan, pieces_at_limits)
{
	static const char *const patterns[] = {
		"<http://h/{a*16372}> x", "<http://h/{a*16373}> x", "<http://h/ {a*16371}> x",
		"\"http://h/{a*16371}\" x", "URL:{ *16}foo:bar x", "URL:{ *17}foo:bar x",
		"mailto:{a*127}@b x", "mailto:{a*128}@b x", "www.{a*247}.de]x y", "www.{a*248}.de]x y",
		"http://h.example\xef\xbc\x8c{d*63}.org x", "http://h.example\xef\xbc\x8c{d*64}.org x",
		"http://h\xef\xbc\x8c{d*300}@b.de x", "<http://h/|{a *8000}> x", "ms-x:{a*126}:b ms-x:{a*127}:b", "{a *70}mailto:a@b x",
	};
	for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
		size_t n;
		const char *text = expand(patterns[k], strlen(patterns[k]), &n);
		expect_same_in_pieces(text, n, n > 1000 ? 997 : 1);
	}
}

/* A sentence in another script has no white space: its URL is found before the sentence ends, and
 * ordinary words are not held back. */
Test(scan, pieces_are_found_early)
{
	static const struct {
		const char *text;
		size_t held;
		const char *finds;
	} early[] = {
		{"see http://h/a ", 0, "4+10 U http://h/a\n"},
		{"see http://h/a. ", 0, "4+10 U http://h/a\n"},
		{"see http://h/a.", 11, ""},
		{"see http://h/a\xef\xbc\x8c\xe8\xaf\xa6\xe8\xa7\x81", 0, "4+10 U http://h/a\n"},
		{"\xe8\xaf\xa6\xe8\xa7\x81", 0, ""},
		{"one, two; three", 5, ""},
		{"\"one", 4, ""},
		{"\"one two", 3, ""},
		{"<b", 2, ""},
		{"<b>", 0, ""},
		{"a: b", 1, ""}, {"a: ", 0, ""}, {"<a:>b", 1, ""},
		{"<http://h/", 10, ""},
		{"<http://h/ b", 12, ""},
		{"\"http://h/ b", 1, "1+9 U http://h/\n"},
		{"\"http://h/ ", 11, ""},
		{"<http://h/|b", 12, ""},
		{"<http://h/|see http://i", 23, ""},
		{"<http://h/|see http://i>", 0, "1+9 Ud http://h/\n"},
		{"<http://h/|see http://i<", 1, "1+13 U http://h/|see\n15+8 U http://i\n"},
		{"'http://h/'", 10, ""},
		{"'http://h/' a ", 0, "1+9 U http://h/\n"},
		{"'http://h/'b", 11, ""},
		{"<http://h/>", 0, "1+9 Ud http://h/\n"},
		{"<url:/", 6, ""},
	};
	for (size_t k = 0; k < sizeof early / sizeof early[0]; k++) {
		static struct stream s;
		s = (struct stream){.most = 1000};
		feed(&s, early[k].text, strlen(early[k].text), false);
		cr_expect_str_eq(s.finds, early[k].finds, "%s: %s", early[k].text, s.finds);
		cr_expect(s.length - s.position == early[k].held, "%s: %zu", early[k].text,
		          s.length - s.position);
	}
}

/* What takes more than `most` octets is found as far as it goes, and refused as too long. Whatever
 * comes, no more than `most` octets are held back. */
Test(scan, pieces_are_bounded)
{
	static const struct {
		const char *before, *again;
		size_t length; /* from the URL on */
		const char *finds; /* their beginning */
	} texts[] = {
		{"x http://h/", "a", 999, ""},
		{"x http://h/", "a", 1000, ""},
		{"x http://h/", "a", 1001, "2+1001 U "},
		{"x http://h\xef\xbc\x8c", "a", 1001, "2+1001 U "},
		{"x www.h.de/", "a", 1001, "2+1001 A "},
		{"x (http://h/", ".", 1002, "3+1001 U "},
		{"x ", "a", 3000, ""},
		{"x <http://h/", "a ", 1000, ""},
		{"x <http://h/", "a ", 1001, "3+10 U http://h/a\n"},
	};
	static struct stream s;
	static char text[4000];
	for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
		const size_t begin = 2, first = strlen(texts[k].before);
		for (size_t i = 0; i < texts[k].length; i++)
			text[i] = texts[k].again[i % strlen(texts[k].again)];
		s = (struct stream){.most = 1000};
		feed(&s, texts[k].before, first, false);
		feed(&s, text, texts[k].length - (first - begin), false);
		cr_expect(strncmp(s.finds, texts[k].finds, strlen(texts[k].finds)) == 0, "%zu: %s", k,
		          s.finds);
		cr_expect((s.used > 0) == (texts[k].finds[0] != '\0'), "%zu: %s", k, s.finds);
		cr_expect(s.longest <= 1000 && s.length <= 1000 + URIVET_SCAN_BEFORE);
	}
	for (size_t k = 0; k < sizeof hostile / sizeof hostile[0]; k++)
		for (size_t piece = 1; piece <= 4096; piece *= 8) {
			const size_t length = strlen(hostile[k]) + (hostile[k][0] == '\0');
			s = (struct stream){.most = 300};
			for (size_t i = 0; i < sizeof text; i++)
				text[i] = hostile[k][i % length];
			for (size_t at = 0; at < sizeof text; at += piece) {
				feed(&s, text + at, at + piece < sizeof text ? piece : sizeof text - at, false);
				s.used = 0;
				cr_assert(s.longest <= 300 && s.length <= 300 + URIVET_SCAN_BEFORE);
			}
		}
	/* nothing is held back without room, and never more than any URI has */
	s = (struct stream){.most = 0};
	feed(&s, LITERAL("http://h"), false);
	cr_expect_str_eq(s.finds, "0+8 U http://h\n");
	s = (struct stream){.most = SIZE_MAX - 1};
	feed(&s, LITERAL("http://h"), false);
	cr_expect(s.used == 0 && s.longest == 8);
}
