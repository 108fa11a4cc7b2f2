/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the browser reader: the results of the rules of the URL Standard for each input. */
#include "readers/browser.h"
#include "support.h"

#include <stdlib.h>

TestSuite(browser, .timeout = 60);

/* ---- Inputs and their components ------------------------------------------------- */

/* `want`: scheme, userinfo, host, port, path, query and fragment that are present, with their
 * delimiters, separated by spaces; NULL for a refusal. */
struct row {
	const char *in;
	size_t length;
	const char *want;
};

static const struct row schemes[] = {
    {LITERAL("http://h/"), "http h /"},       {LITERAL("https://h/"), "https h /"},
    {LITERAL("ws://h/"), "ws h /"},           {LITERAL("wss://h/"), "wss h /"},
    {LITERAL("ftp://h/"), "ftp h /"},         {LITERAL("HTTP://h/"), "http h /"},
    {LITERAL("hTtPs://h/"), "https h /"},     {LITERAL("h\tt\nt\rp://h/"), "http h /"},
    {LITERAL("http\t:\n//h/"), "http h /"},   {LITERAL("HTTP:\0/H(99/"), NULL},
    {LITERAL("HTTP:/H:99/"), "http h :99 /"},
};

static const struct row edges[] = {
    {LITERAL("https:g!"), "https g! /"},
    {LITERAL("https:g! "), "https g! /"},
    {LITERAL(" http://h/ "), "http h /"},
    {LITERAL("\t\n\r\f\v http://h/"), "http h /"},
    {LITERAL("\0\x01\x1fhttp://h/\x1f\x01\0"), "http h /"},
    {LITERAL("http://h\n"), "http h /"},
    {LITERAL("http://h/a \t"), "http h /a"},
    {LITERAL("http://h/#a \0"), "http h / #a"},
    {LITERAL("http://h/?a \t\n"), "http h / ?a"},
    {LITERAL("http://h/\x7f"), "http h /%7F"},
    {LITERAL("http://h/\xc2\xa0"), "http h /%C2%A0"},
    {LITERAL("\0"), NULL},
    {LITERAL("h\tttp://e\nx.o\rrg:8\t0\n8\r0/a\t/b?\nc#\rd"), "http ex.org :8080 /a/b ?c #d"},
};

static const struct row slashes[] = {
    {LITERAL("http:h"), "http h /"},          {LITERAL("http:/h"), "http h /"},
    {LITERAL("http:///h"), "http h /"},       {LITERAL("http:///////h/"), "http h /"},
    {LITERAL("http:\\\\h\\p"), "http h /p"},  {LITERAL("http:\\h"), "http h /"},
    {LITERAL("http:/\\h/"), "http h /"},      {LITERAL("http:\\/\\/h/"), "http h /"},
    {LITERAL("http:\t/\n/\rh/"), "http h /"}, {LITERAL("ws:h/p"), "ws h /p"},
    {LITERAL("http:a/b"), "http a /b"},       {LITERAL("http:http://h/"), "http http //h/"},
};

static const struct row credentials[] = {
    {LITERAL("http://u@h/"), "http u@ h /"},
    {LITERAL("http://u:p@h/"), "http u:p@ h /"},
    {LITERAL("http://u:@h/"), "http u@ h /"},
    {LITERAL("http://:p@h/"), "http :p@ h /"},
    {LITERAL("http://:@h/"), "http h /"},
    {LITERAL("http://@h/"), "http h /"},
    {LITERAL("http://\t:\n@h/"), "http h /"},
    {LITERAL("http://u:p:q@h/"), "http u:p%3Aq@ h /"},
    {LITERAL("http://::@h/"), "http :%3A@ h /"},
    {LITERAL("http://a@b@h/"), "http a%40b@ h /"},
    {LITERAL("http://@@h/"), "http %40@ h /"},
    {LITERAL("http://a:b@c:d@h/"), "http a:b%40c%3Ad@ h /"},
    {LITERAL("http://foo:-80@h/"), "http foo:-80@ h /"},
    {LITERAL("http:u:p@h"), "http u:p@ h /"},
    {LITERAL("http:/u:p@h"), "http u:p@ h /"},
    {LITERAL("http://u%40:%2F@h/"), "http u%40:%2F@ h /"},
    {LITERAL("http://a;b=c@h/"), "http a%3Bb%3Dc@ h /"},
    {LITERAL("http://a\"<>^`{|}[]b@h/"), "http a%22%3C%3E%5E%60%7B%7C%7D%5B%5Db@ h /"},
    {LITERAL("http://!$&'()*+,-._~@h/"), "http !$&'()*+,-._~@ h /"},
    {LITERAL("http://a b\0\x7f@h/"), "http a%20b%00%7F@ h /"},
    {LITERAL("http://\xc3\xa4:\xff@h/"), "http %C3%A4:%EF%BF%BD@ h /"},
    {LITERAL("http://a%b%@h/"), "http a%b%@ h /"},
    {LITERAL("http://a/@h/"), "http a /@h/"},
    {LITERAL("http://a\\@h/"), "http a /@h/"},
    {LITERAL("http://a?@h/"), "http a / ?@h/"},
    {LITERAL("http://a#@h/"), "http a / #@h/"},
    {LITERAL("http://a:80@b:81/"), "http a:80@ b :81 /"},
    {LITERAL("http://127.1.1.1:80\\@127.2.2.2:80/"), "http 127.1.1.1 /@127.2.2.2:80/"},
    {LITERAL("http://1.1.1.1 &@2.2.2.2# @3.3.3.3/"), "http 1.1.1.1%20&@ 2.2.2.2 / #%20@3.3.3.3/"},
};

static const struct row names[] = {
    {LITERAL("http://EXAMPLE.org"), "http example.org /"},
    {LITERAL("http://ex%41mple%2eORG"), "http example.org /"},
    {LITERAL("http://%65%78"), "http ex /"},
    {LITERAL("http://ex.org./"), "http ex.org. /"},
    {LITERAL("http://./"), "http . /"},
    {LITERAL("http://../"), "http .. /"},
    {LITERAL("http://a..b/"), "http a..b /"},
    {LITERAL("http://.a/"), "http .a /"},
    {LITERAL("http://a_b-.c~/"), "http a_b-.c~ /"},
    {LITERAL("http://!\"$&'()*+,;=`{}~_-/"), "http !\"$&'()*+,;=`{}~_- /"},
    {LITERAL("http://a\tb\n.c\r/"), "http ab.c /"},
    {LITERAL("http://%\t6\n1/"), "http a /"},
    {LITERAL("http://a\0b/"), NULL},
};

static const struct row ipv4[] = {
    {LITERAL("http://127.0.0.1/"), "http 127.0.0.1 /"},
    {LITERAL("http://127.1/"), "http 127.0.0.1 /"},
    {LITERAL("http://127.0.1/"), "http 127.0.0.1 /"},
    {LITERAL("http://2130706433/"), "http 127.0.0.1 /"},
    {LITERAL("http://0x7f000001/"), "http 127.0.0.1 /"},
    {LITERAL("http://0X7F.0x1/"), "http 127.0.0.1 /"},
    {LITERAL("http://017700000001/"), "http 127.0.0.1 /"},
    {LITERAL("http://0177.0.0.01/"), "http 127.0.0.1 /"},
    {LITERAL("http://192.168.257/"), "http 192.168.1.1 /"},
    {LITERAL("http://0/"), "http 0.0.0.0 /"},
    {LITERAL("http://0x/"), "http 0.0.0.0 /"},
    {LITERAL("http://00/"), "http 0.0.0.0 /"},
    {LITERAL("http://0x.0x.0/"), "http 0.0.0.0 /"},
    {LITERAL("http://256/"), "http 0.0.1.0 /"},
    {LITERAL("http://4294967295/"), "http 255.255.255.255 /"},
    {LITERAL("http://1.16777215/"), "http 1.255.255.255 /"},
    {LITERAL("http://1.2.65535/"), "http 1.2.255.255 /"},
    {LITERAL("http://1.2.3.255/"), "http 1.2.3.255 /"},
    {LITERAL("http://1.2.3.4./"), "http 1.2.3.4 /"},
    {LITERAL("http://0x7f.1./"), "http 127.0.0.1 /"},
    {LITERAL("http://1.2.3.4../"), "http 1.2.3.4.. /"},
    {LITERAL("http://foo.0xg/"), "http foo.0xg /"},
    {LITERAL("http://foo.1a/"), "http foo.1a /"},
    {LITERAL("http://1.2.3.4a/"), "http 1.2.3.4a /"},
    {LITERAL("http://+1/"), "http +1 /"},
    {LITERAL("http://1.2.3.-4/"), "http 1.2.3.-4 /"},
    {LITERAL("http://%31%32%37.%30x%30%31/"), "http 127.0.0.1 /"},
    {LITERAL("http://1\t.2\n.3\r.4/"), "http 1.2.3.4 /"},
};

static const struct row ipv6[] = {
    {LITERAL("http://[::1]/"), "http ::1 /"},
    {LITERAL("http://[::]/"), "http :: /"},
    {LITERAL("http://[1:2:3:4:5:6:7:8]/"), "http 1:2:3:4:5:6:7:8 /"},
    {LITERAL("http://[2001:DB8:0:0:0:0:0:1]/"), "http 2001:db8::1 /"},
    {LITERAL("http://[0:0:1:0:0:0:1:0]/"), "http 0:0:1::1:0 /"},
    {LITERAL("http://[1:0:0:2:0:0:3:4]/"), "http 1::2:0:0:3:4 /"},
    {LITERAL("http://[1:2:3:4:5:6:7::]/"), "http 1:2:3:4:5:6:7:0 /"},
    {LITERAL("http://[::2:3:4:5:6:7:8]/"), "http 0:2:3:4:5:6:7:8 /"},
    {LITERAL("http://[0001::000a]/"), "http 1::a /"},
    {LITERAL("http://[::ffff:127.0.0.1]/"), "http ::ffff:7f00:1 /"},
    {LITERAL("http://[::127.0.0.1]:81/"), "http ::7f00:1 :81 /"},
    {LITERAL("http://[1:2:3:4:5:6:255.255.255.255]/"), "http 1:2:3:4:5:6:ffff:ffff /"},
    {LITERAL("http://u@[::1]:8080/"), "http u@ ::1 :8080 /"},
    {LITERAL("http://[\t:\n:\r1]\t/"), "http ::1 /"},
    {LITERAL("http://\t[::1]\n:80/"), "http ::1 /"},
};

static const struct row ports[] = {
    {LITERAL("ws:/h:9"), "ws h :9 /"}, {LITERAL("ws:/h:10"), "ws h :10 /"},
    {LITERAL("ws:/h:11"), "ws h :11 /"}, {LITERAL("ws:/h:99"), "ws h :99 /"},
    {LITERAL("ws:/h:100"), "ws h :100 /"}, {LITERAL("http://h:80/"), "http h /"},
    {LITERAL("https://h:443/"), "https h /"}, {LITERAL("ws://h:80/"), "ws h /"},
    {LITERAL("wss://h:443/"), "wss h /"}, {LITERAL("ftp://h:21/"), "ftp h /"},
    {LITERAL("http://h:443/"), "http h :443 /"}, {LITERAL("https://h:80/"), "https h :80 /"},
    {LITERAL("http://h:/"), "http h /"}, {LITERAL("http://h:"), "http h /"},
    {LITERAL("http://h:\t/"), "http h /"}, {LITERAL("http://h:?q"), "http h / ?q"},
    {LITERAL("http://h:0/"), "http h :0 /"}, {LITERAL("http://h:000/"), "http h :0 /"},
    {LITERAL("http://h:0080/"), "http h /"},
    {LITERAL("http://h:000000000000000000008080/"), "http h :8080 /"},
    {LITERAL("http://h:65535/"), "http h :65535 /"},
    {LITERAL("http://h:8\t0\n8\r0/"), "http h :8080 /"},
    {LITERAL("http://h:8080\\p"), "http h :8080 /p"},
    {LITERAL("http://h:8080#f"), "http h :8080 / #f"},
};

static const struct row paths[] = {
    {LITERAL("http://h"), "http h /"}, {LITERAL("http://h?"), "http h / ?"},
    {LITERAL("http://h#"), "http h / #"}, {LITERAL("http://h//"), "http h //"},
    {LITERAL("http://h\\a\\b"), "http h /a/b"}, {LITERAL("http://h/."), "http h /"},
    {LITERAL("http://h/./"), "http h /"}, {LITERAL("http://h/.."), "http h /"},
    {LITERAL("http://h/../"), "http h /"}, {LITERAL("http://h/../../.."), "http h /"},
    {LITERAL("http://h/a/."), "http h /a/"}, {LITERAL("http://h/a/.."), "http h /"},
    {LITERAL("http://h/a/b/.."), "http h /a/"}, {LITERAL("http://h/a/b/../"), "http h /a/"},
    {LITERAL("http://h/a/./b"), "http h /a/b"}, {LITERAL("http://h/a/../b"), "http h /b"},
    {LITERAL("http://h/a/../../b"), "http h /b"}, {LITERAL("http://h/a//../b"), "http h /a/b"},
    {LITERAL("http://h//.."), "http h /"}, {LITERAL("http://h//../.."), "http h /"},
    {LITERAL("http://h/a/..//"), "http h //"}, {LITERAL("http://h/a\\..\\b"), "http h /b"},
    {LITERAL("http://h/..."), "http h /..."},
    {LITERAL("http://h/.a/..b/c.."), "http h /.a/..b/c.."},
    {LITERAL("http://h/.a/../b"), "http h /b"}, {LITERAL("http://h/%2e"), "http h /"},
    {LITERAL("http://h/a/%2E%2e"), "http h /"}, {LITERAL("http://h/a/.%2e/b"), "http h /b"},
    {LITERAL("http://h/a/%2e./b"), "http h /b"},
    {LITERAL("http://h/a/%2e%2e%2e"), "http h /a/%2e%2e%2e"},
    {LITERAL("http://h/a/%252e"), "http h /a/%252e"},
    {LITERAL("http://h/a/..%2fb"), "http h /a/..%2fb"},
    {LITERAL("http://h/a/.\t./b"), "http h /b"},
    {LITERAL("http://h/a/%\n2\re/b"), "http h /a/b"},
    {LITERAL("http://h/a/..?q"), "http h / ?q"},
    {LITERAL("http://h/a/.#f"), "http h /a/ #f"},
    {LITERAL("http://h/%41%7a%zz%%2"), "http h /%41%7a%zz%%2"},
    {LITERAL("http://h/ \"<>^`{}"), "http h /%20%22%3C%3E%5E%60%7B%7D"},
    {LITERAL("http://h/!$&'()*+,-.:;=@[]_|~"), "http h /!$&'()*+,-.:;=@[]_|~"},
    {LITERAL("http://h/\0\x01\x1f\x7f"), "http h /%00%01%1F%7F"},
    {LITERAL("http://h/\u00e4\u20ac\U0001f600"), "http h /%C3%A4%E2%82%AC%F0%9F%98%80"},
    {LITERAL("http://h/C|/a"), "http h /C|/a"},
    {LITERAL("http://h/;a;b=c"), "http h /;a;b=c"},
    {LITERAL("http://h/http://i/"), "http h /http://i/"},
};

static const struct row tails[] = {
    {LITERAL("http://h/?"), "http h / ?"},
    {LITERAL("http://h/#"), "http h / #"},
    {LITERAL("http://h/?#"), "http h / ? #"},
    {LITERAL("http://h/?a?b"), "http h / ?a?b"},
    {LITERAL("http://h/#a#b?c"), "http h / #a#b?c"},
    {LITERAL("http://h/#?a"), "http h / #?a"},
    {LITERAL("http://h/? \"<>'"), "http h / ?%20%22%3C%3E%27"},
    {LITERAL("http://h/?^`{|}\\/[]@:"), "http h / ?^`{|}\\/[]@:"},
    {LITERAL("http://h/# \"<>`"), "http h / #%20%22%3C%3E%60"},
    {LITERAL("http://h/#^'{|}\\/[]@:"), "http h / #^'{|}\\/[]@:"},
    {LITERAL("http://h/?\0\x7f\xc3\xa4#\0\x7f\xc3\xa4"), "http h / ?%00%7F%C3%A4 #%00%7F%C3%A4"},
    {LITERAL("http://h/?a/../b#a/../b"), "http h / ?a/../b #a/../b"},
    {LITERAL("http://h/?%27%zz%#%27%zz%"), "http h / ?%27%zz% #%27%zz%"},
    {LITERAL("http://h/?a\tb\n#c\rd"), "http h / ?ab #cd"},
    {LITERAL("http://h?a@b"), "http h / ?a@b"},
};

/* One U+FFFD for each maximal subpart, like the decoder of the Encoding Standard. */
static const struct row decoding[] = {
    {LITERAL("http://h/\xc3\xa9\xa9z\xc3"), "http h /%C3%A9%EF%BF%BDz%EF%BF%BD"},
    {LITERAL("http://h/\x80"), "http h /%EF%BF%BD"},
    {LITERAL("http://h/\xff\xfe"), "http h /%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xc0\x80"), "http h /%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xc3"), "http h /%EF%BF%BD"},
    {LITERAL("http://h/\xc3/"), "http h /%EF%BF%BD/"},
    {LITERAL("http://h/\xc3?a"), "http h /%EF%BF%BD ?a"},
    {LITERAL("http://h/\xe2\x82"), "http h /%EF%BF%BD"},
    {LITERAL("http://h/\xe2\x82z"), "http h /%EF%BF%BDz"},
    {LITERAL("http://h/\xe2\x82\xe2\x82\xac"), "http h /%EF%BF%BD%E2%82%AC"},
    {LITERAL("http://h/\xe0\x80\x80"), "http h /%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xed\xa0\x80"), "http h /%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xf0\x9f\x98"), "http h /%EF%BF%BD"},
    {LITERAL("http://h/\xf0\x9fz"), "http h /%EF%BF%BDz"},
    {LITERAL("http://h/\xf0\x80\x80"), "http h /%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xf4\x8f\xbf\xbf"), "http h /%F4%8F%BF%BF"},
    {LITERAL("http://h/\xf4\x90\x80\x80"), "http h /%EF%BF%BD%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xf1\x80\x80\xe1\x80\xc2"), "http h /%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xe1\x80\x7f"), "http h /%EF%BF%BD%7F"},
    {LITERAL("http://h/\xe1\x80\xc0"), "http h /%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xc3\t\xa4"), "http h /%EF%BF%BD%EF%BF%BD"},
    {LITERAL("http://h/\xc3%a4"), "http h /%EF%BF%BD%a4"},
    {LITERAL("http://h/\xef\xbb\xbf"), "http h /%EF%BB%BF"},
};

/* A host that is not ASCII, or has a label that begins with "xn--"; test_uts46.c has more. */
static const struct row idna[] = {
    {LITERAL("ws:@\n\xc3\xaa"), "ws xn--bda /"},
    {LITERAL("http://b\u00fccher.de"), "http xn--bcher-kva.de /"},
    {LITERAL("http://B%c3%9ccher.de:81"), "http xn--bcher-kva.de :81 /"},
    {LITERAL("http://%C3\t%BC/"), "http xn--tda /"},
    {LITERAL("http://u@\xef\xbc\x91.2.3.4/p?q#f"), "http u@ 1.2.3.4 /p ?q #f"},
    {LITERAL("http://a\u3002b/"), "http a.b /"},
    {LITERAL("http://a\xc2\xad\tb/"), "http ab /"},
    {LITERAL("http://a.XN--bcHer-kva.c/"), "http a.xn--bcher-kva.c /"},
    {LITERAL("http://x%6e--bcher-kva/"), "http xn--bcher-kva /"},
    {LITERAL("http://x\tn--bcher-kva/"), "http xn--bcher-kva /"},
    {LITERAL("http://axn--b/"), "http axn--b /"},
    {LITERAL("http://xn-a/"), "http xn-a /"},
    {LITERAL("http://a<\u0338b/"), "http xn--ab-tjv /"},
};

/* Inputs that a browser refuses. */
static const char *const refused[] = {
    /* schemes */
    "", "h", "http", "://h/", "//h/", "/p", "httpx://h/", "xhttp://h/", "htt://h/", "ht tp://h/",
    "http ://h/", "http%3a//h/", "file://h/", "ftps://h/", "javascript:alert(1)", "mailto:a@b",
    "x:y", "data:,x", "view-source:http://h/", "\xef\xbb\xbfhttp://h/",
    /* edges */
    "!http://h/", "\xc2\xa0http://h/", "\x7fhttp://h/", " ",
    /* slashes */
    "http:", "http:/", "http://", "http:///", "http://?q", "http://#f", "http:\\\\\\",
    /* credentials */
    "http://u@", "http://u@/", "http://u@?q", "http://u:p@:80/", "http:@/h", "http://@:80",
    /* names */
    "http://h%m1/", "http://h%6m/", /* neither m is a hexadecimal digit */
    "http://a b/", "http:// /", "http://a%20b/", "http://a%00b/", "http://a%09b/", "http://a%0ab/",
    "http://a\001b/", "http://a\177b/", "http://a%7fb/", "http://a%b/", "http://a%/",
    "http://a%zz/", "http://a%25b/", "http://a%2541/", "http://a%23b/", "http://a%2fb/",
    "http://a%5cb/", "http://a%3ab/", "http://a%3fb/", "http://a%40b/", "http://a<b/",
    "http://a>b/", "http://a%3Cb/", "http://a^b/", "http://a|b/", "http://a[b/", "http://a]b/",
    "http://a%5bb/",
    /* ipv4 */
    "http://192.168.0.257/", "http://4294967296/", "http://0xffffffff1/",
    "http://99999999999999999999999999/", "http://1.16777216/", "http://1.2.65536/",
    "http://256.256.256.256/", "http://256.1/", "http://1.2.3.4.5/", "http://1.2.3.4.5./",
    "http://1.2.3.08/", "http://1.2.3.09/", "http://08/", "http://foo.09/", "http://foo.2.3/",
    "http://foo.0x4/", "http://foo.0x/", "http://1..2/", "http://.1/", "http://0o177.0.0.1/",
    /* ipv6 */
    "http://[]/", "http://[/", "http://]/", "http://[::1", "http://::1]", "http://[::1]a/",
    "http://a[::1]/", "http://[::1][::2]/", "http://[[::1]]/", "http://[:1]/", "http://[1:]/",
    "http://[:::]/", "http://[1::2::3]/", "http://[1:2:3:4:5:6:7]/", "http://[1:2:3:4:5:6:7:8:9]/",
    "http://[1::2:3:4:5:6:7:8]/", "http://[12345::]/", "http://[::g]/", "http://[::1.2.3]/",
    "http://[::1.2.3.4.5]/", "http://[::1.2.3.04]/", "http://[::1.2.3.256]/", "http://[::1.2.3.]/",
    "http://[::.1.2.3]/", "http://[::0x1.2.3.4]/", "http://[1.2.3.4::]/",
    "http://[1:2:3:4:5:6:7:1.2.3.4]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/",
    "http://[v1.a]/", "http://[127.0.0.1]/", "http://[h]/", "http://[%3a%3a1]/",
    "http://%5b::1%5d/", "http://[::\xff]/",
    /* ports */
    "http://h:65536/", "http://h:99999999999999999999/", "http://h:4294967376/", "http://h:a/",
    "http://h:80a/", "http://h:-80/", "http://h:+80/", "http://h: 80/", "http://h:80 /",
    "http://h:%38/", "http://h:0x50/", "http://h:80:80/", "http://h::80/", "http://:80/",
    "http://:/", "http://::1/", "http://h:\xd9\xa1/", "http://u:p@h:99999/", "http://[::1]:a/",
    "http://1.2.3.4:x",
    /* decoding */
    "ws:h%-d/", "ws:h%d-/",
    /* idna */
    "http://\xef\xbc\x91.2.3.256/", "http://\xc3\xa4.0x7f/", "http://\xff/", "http://%ff/",
    "http://%e2%82/", "http://%c3\xa4/", "http://\xc3%a4/", "http://\xc3\t\xa4/",
    "http://\xc2\xad/", "http://xn--a/", "http://a.xn--a/", "http://xn--/", "http://a<b\xcc\xb8/",
    "http://xn--bcher-kva.1/", "http://xn--bcher-kva%2f/", "http://xn--bcher-kva</",
    "http://\xc3\xa4 b/", "http://\xc3\xa4%00/", "http://\xc3\xa4%25/", "http://\xc3\xa4^/",
    "http://\xc3\xa4:80a/", "http://[\xc3\xa4]/"};

/* ---- Reading ---------------------------------------------------------------------- */

static char text[1 << 16];

/* Reads at the edge of a page, into a buffer of exactly the documented size. */
static bool read_browser(struct urivet_reading *reading, const void *in, size_t length)
{
	const struct text t = {at_edge(in, length), (uint32_t)length};
	struct out o = {text, URIVET_READING_CAPACITY(length), 0};
	cr_assert(o.capacity + 64 < sizeof text);
	memset(text + o.capacity, '#', 64);
	const bool reads = urivet_read_as_browser(reading, t, &o);
	cr_assert_eq(reads, reading->reads);
	for (size_t k = 0; k < 64; k++)
		if (text[o.capacity + k] != '#')
			cr_assert_fail("%s: writes too much", shown(in, length));
	return reads;
}

static const char printable[] =
    "!\"#$%&'()*+,-./"
    "0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

static void append(char *line, const struct urivet_reading *r, enum urivet_component c,
		   const char *before, const char *after)
{
	const struct urivet_span s = r->uri.part[c];
	if (urivet_has(&r->uri, c))
		sprintf(line + strlen(line), "%s%.*s%s", before, (int)s.length, text + s.offset,
			after);
}

static const char *components(const struct urivet_reading *r)
{
	static char line[1 << 16];
	line[0] = '\0';
	append(line, r, URIVET_SCHEME, "", " ");
	append(line, r, URIVET_USERINFO, "", "@ ");
	append(line, r, URIVET_HOST, "", " ");
	append(line, r, URIVET_PORT, ":", " ");
	append(line, r, URIVET_PATH, "", " ");
	append(line, r, URIVET_QUERY, "?", " ");
	append(line, r, URIVET_FRAGMENT, "#", " ");
	line[strlen(line) - 1] = '\0';
	return line;
}

/* Checks that the text is the components joined, is ASCII, ends in a NUL, and that a browser
 * reads it back unchanged. */
static void expect_whole(const struct urivet_reading *r, const char *shown_input)
{
	char whole[1 << 12] = "", again[1 << 12];
	const bool literal = r->uri.host_kind == URIVET_HOST_IPV6;
	struct urivet_reading second;
	append(whole, r, URIVET_SCHEME, "", "://");
	append(whole, r, URIVET_USERINFO, "", "@");
	append(whole, r, URIVET_HOST, literal ? "[" : "", literal ? "]" : "");
	append(whole, r, URIVET_PORT, ":", "");
	append(whole, r, URIVET_PATH, "", "");
	append(whole, r, URIVET_QUERY, "?", "");
	append(whole, r, URIVET_FRAGMENT, "#", "");
	cr_expect_str_eq(whole, text, "%s: %s, not %s", shown_input, text, whole);
	cr_expect_eq(r->written, strlen(text));
	cr_expect_eq(r->uri.part[URIVET_WHOLE].length, r->written);
	cr_expect_eq(strspn(text, printable), r->written, "%s", shown_input);
	strcpy(again, text);
	cr_expect(read_browser(&second, again, strlen(again)) && strcmp(text, again) == 0, "%s",
		  again);
}

static void expect_rows(const struct row *rows, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		struct urivet_reading r;
		const char *const in = shown(rows[k].in, rows[k].length);
		if (!read_browser(&r, rows[k].in, rows[k].length)) {
			cr_expect(rows[k].want == NULL, "%s: not read", in);
			continue;
		}
		cr_expect(rows[k].want != NULL, "%s: read as %s", in, components(&r));
		if (rows[k].want != NULL)
			cr_expect_str_eq(components(&r), rows[k].want, "%s: %s", in,
					 components(&r));
		expect_whole(&r, in);
	}
}

#define EXPECT_ROWS(name)                                                                          \
	Test(browser, name)                                                                        \
	{                                                                                          \
		expect_rows(name, sizeof name / sizeof name[0]);                                   \
	}

EXPECT_ROWS(schemes)
EXPECT_ROWS(edges)
EXPECT_ROWS(slashes)
EXPECT_ROWS(credentials)
EXPECT_ROWS(names)
EXPECT_ROWS(ipv4)
EXPECT_ROWS(ipv6)
EXPECT_ROWS(ports)
EXPECT_ROWS(paths)
EXPECT_ROWS(tails)
EXPECT_ROWS(decoding)
EXPECT_ROWS(idna)

/* ---- Other members of a reading ----------------------------------------------------- */

Test(browser, kinds_and_addresses)
{
	static const struct {
		const char *in;
		unsigned kind;
		bool has_ipv4;
		uint8_t address[16];
	} rows[] = {
	    {"http://h/", URIVET_HOST_NAME, false, {0}},
	    {"http://\xc3\xa4/", URIVET_HOST_NAME, false, {0}},
	    {"http://xn--bcher-kva/", URIVET_HOST_NAME, false, {0}},
	    {"http://\xef\xbc\x91/", URIVET_HOST_IPV4, true, {0, 0, 0, 1}},
	    {"http://0x7f.1/", URIVET_HOST_IPV4, true, {127, 0, 0, 1}},
	    {"http://10.20.30.40/", URIVET_HOST_IPV4, true, {10, 20, 30, 40}},
	    {"http://[fe80::1.2.3.4]/",
	     URIVET_HOST_IPV6,
	     false,
	     {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_reading r;
		cr_assert(read_browser(&r, rows[k].in, strlen(rows[k].in)));
		cr_expect_eq(r.uri.host_kind, rows[k].kind, "%s", rows[k].in);
		cr_expect_eq(r.uri.has_ipv4, rows[k].has_ipv4, "%s", rows[k].in);
		cr_expect_arr_eq(r.uri.address, rows[k].address, 16, "%s", rows[k].in);
	}
}

Test(browser, effective_port_and_scheme)
{
	static const struct {
		const char *in;
		unsigned scheme, port;
	} rows[] = {
	    {"http://h", URIVET_SCHEME_HTTP, 80},
	    {"https://h:", URIVET_SCHEME_HTTPS, 443},
	    {"ws:h:80", URIVET_SCHEME_WS, 80},
	    {"wss:h:0", URIVET_SCHEME_WSS, 0},
	    {"ftp://h:21", URIVET_SCHEME_FTP, 21},
	    {"FTP://h", URIVET_SCHEME_FTP, 21},
	    {"http://h:65535", URIVET_SCHEME_HTTP, 65535},
	    {"https://h:00080", URIVET_SCHEME_HTTPS, 80},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_reading r;
		cr_assert(read_browser(&r, rows[k].in, strlen(rows[k].in)));
		cr_expect_eq(r.uri.scheme, rows[k].scheme, "%s", rows[k].in);
		cr_expect_eq(r.uri.port, rows[k].port, "%s", rows[k].in);
	}
}

Test(browser, spans)
{
	static const char in[] = " hTTps:u:p@[::0001]:0081/a/../b?c#d";
	static const struct {
		enum urivet_component c;
		struct urivet_span span;
	} rows[] = {
	    {URIVET_WHOLE, {0, 26}},   {URIVET_SCHEME, {0, 5}}, {URIVET_AUTHORITY, {8, 12}},
	    {URIVET_USERINFO, {8, 3}}, {URIVET_HOST, {13, 3}},  {URIVET_PORT, {18, 2}},
	    {URIVET_PATH, {20, 2}},    {URIVET_QUERY, {23, 1}}, {URIVET_FRAGMENT, {25, 1}},
	};
	struct urivet_reading r;
	cr_assert(read_browser(&r, in, sizeof in - 1));
	cr_expect_str_eq(text, "https://u:p@[::1]:81/b?c#d");
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct urivet_span s = r.uri.part[rows[k].c];
		cr_expect(s.offset == rows[k].span.offset && s.length == rows[k].span.length,
			  "%s: %u+%u", urivet_component_name(rows[k].c), s.offset, s.length);
	}
}

/* With a buffer below the documented size nothing is read or written. */
Test(browser, too_little_room)
{
	static const char in[] = "http://h/";
	const struct text t = {(const uint8_t *)in, sizeof in - 1};
	for (size_t capacity = 0; capacity < URIVET_READING_CAPACITY(sizeof in - 1); capacity++) {
		struct urivet_reading r;
		struct out o = {text, capacity, 0};
		memset(&r, 0xff, sizeof r);
		memset(text, '#', 256);
		cr_expect(!urivet_read_as_browser(&r, t, &o));
		cr_expect(!r.reads && o.length == 0 && r.written == 0);
		for (size_t k = 0; k < 256; k++)
			cr_assert_eq(text[k], '#');
	}
}

/* After a refusal the reading is zeroed. */
Test(browser, refusals)
{
	static const struct urivet_reading unread;
	for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
		struct urivet_reading r;
		memset(&r, 0xff, sizeof r);
		cr_expect(!read_browser(&r, refused[k], strlen(refused[k])), "%s: read",
			  refused[k]);
		cr_expect(!r.reads && r.written == 0, "%s", refused[k]);
		cr_expect(memcmp(&r.uri, &unread.uri, sizeof r.uri) == 0, "%s", refused[k]);
	}
}

/* The greatest growth of an octet, in each component, fits the documented size. */
Test(browser, growth)
{
	static const char *const patterns[] = {
	    "http:{\xff*1000}@h", "http:{\xe3\x8c\x96*160}", "http:{\xe3\x8e\xaf*160}",
	    "http:{\xe3\x8c\x96.*300}h", "http:{\xc5\x89.*300}h", "http:h/{\xff*1000}",
	    "http:h?{\xff*1000}", "http:h#{\xff*1000}", "http:{@*1000}h", "http:h/{\xc3*1000}",
	    "ws:0", "ws:[::]",
	};
	for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
		size_t length;
		const void *in = expand(patterns[k], strlen(patterns[k]), &length);
		struct urivet_reading r;
		cr_expect(read_browser(&r, in, length), "%s", patterns[k]);
		cr_expect(r.written < URIVET_READING_CAPACITY(length));
	}
}

/* Long runs of input that a careless parser would scan more than once. */
Test(browser, linear)
{
	static const char *const patterns[] = {
	    "http://h/{a/*200000}{../*200000}", "http://h/{./*400000}", "http://h/{/..*200000}",
	    "http://h/{aaaaaaaa/../*80000}", "http://{a@*400000}h/", "http://{a.*400000}/",
	    "http://{0.*400000}/", "http://h:{0*400000}/", "{\t*400000}http://h/{ *400000}",
	    "h{\t*200000}ttp{\n*200000}://h/", "http:{/*400000}h/", "http://h/{.\t*200000}",
	    "http://h/%{\t*200000}2{\n*200000}e", "http://{%\t*200000}", "http://h/{%*400000}",
	    "http://h/{\xf0\x9f\x98*300000}", "http://{xn-.*200000}", "http://[{:*400000}]/",
	    "http://{\xcc\xa3\xcc\x81*100000}/", "http://a{\xcc\x81*100000}{\xcc\xa3*100000}/",
	    "http://{\xc3\xa4.*100000}/",
	    "http://{\xc3\xa4*1000}.{\xc3\xa5*1000}.{\xc3\xa6*1000}/", "http://{xn--4ca.*50000}/",
	    "http://{\xe3\x8c\x96*50000}/", "http://a{\xe2\x80\x8c*100000}/",
	    "http://{a*200000}\xc3\xa4/",
	};
	for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
		size_t length;
		const void *in = expand(patterns[k], strlen(patterns[k]), &length);
		const struct text t = {in, (uint32_t)length};
		const size_t capacity = URIVET_READING_CAPACITY(length);
		struct out o = {malloc(capacity), capacity, 0};
		struct urivet_reading r;
		urivet_read_as_browser(&r, t, &o);
		cr_expect(o.length < capacity, "%s", patterns[k]);
		free(o.data);
	}
}

/* Random octets: nothing beyond the input is read, and the result is stable. */
Test(browser, any_octets)
{
	static const char alphabet[] = "htps:/\\@[].%0x1aA?#\t\n \x80\xc3\xa4\xe2\xff^<";
	uint32_t state = 1;
	unsigned read = 0;
	for (unsigned k = 0; k < 300000 / sample(); k++) {
		char in[40] = "http:";
		size_t length = 5;
		state = state * 1664525 + 1013904223;
		for (unsigned n = state >> 27; n > 0; n--) {
			state = state * 1664525 + 1013904223;
			in[length++] = state >> 31 ? alphabet[(state >> 20) % (sizeof alphabet - 1)]
						   : (char)(state >> 8);
		}
		struct urivet_reading r;
		if (!read_browser(&r, in, length))
			continue;
		read++;
		expect_whole(&r, "");
	}
	cr_expect(read > 10000 / sample(), "%u", read);
}
