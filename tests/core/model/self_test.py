#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The model against a table: every example of the grammar's rules, and the examples of RFC 3986.

    python3 tests/core/model/self_test.py
"""
from __future__ import annotations

import re
import unittest

from differ import escaped, expected_columns
from gate import (RFC_URI, Components, cut, ipv6_groups, ipv6_text, judge, keeps_bidi_rule, parse, punycode_decode,
                  punycode_encode, refused_for, sound_alabel)
from generate import generate

# What an input has to be refused with, under the strict policy.  No ids: refused, whatever it is called.
REFUSED = {
    # userinfo
    b"http://u@ex.org/": {"userinfo-present"},
    b"http://@ex.org/": {"userinfo-present"},
    b"http://:@ex.org/": {"userinfo-present", "authority-empty-port-at"},
    b"http://ex.org:@ev.org/": {"userinfo-present", "userinfo-misleading", "authority-empty-port-at"},
    b"http://a@b@c/": {"userinfo-present", "userinfo-multiple-at"},
    b"http://foo@ev.org:80@ex.org/": {"userinfo-present", "userinfo-multiple-at"},
    b"http://cnn.ex.org&story=x@10.0.0.1/top": {"userinfo-present", "userinfo-misleading"},
    b"https://www.ex.org%20@ev.org/": {"userinfo-present", "userinfo-misleading"},
    b"http://127.0.0.1@ex.org/": {"userinfo-present", "userinfo-misleading"},
    b"http://u;x@h/": {"userinfo-present", "userinfo-delimiter"},
    b"http://u[@h/": {"userinfo-present", "userinfo-delimiter"},
    b"http://ex.org%2f@ev.org/": {"userinfo-present", "userinfo-encoded-delimiter", "userinfo-misleading"},
    b"http://ex.org%00@ev.org/": {"userinfo-present", "userinfo-encoded-delimiter", "escaped-nul"},
    b"http://a?@b/": {"userinfo-delimiter", "fragment-authority-confusion", "query-after-empty-path"},
    b"http://a?x#@b/": {"userinfo-delimiter", "fragment-authority-confusion", "query-after-empty-path"},
    b"http://ev.org:80#@ex.org/": {"userinfo-delimiter", "fragment-authority-confusion", "fragment-after-empty-path"},
    b"http://127.1.1.1:80\\@127.2.2.2:80/": {"userinfo-present", "userinfo-delimiter", "backslash-authority"},
    b"http://127.1.1.1:80#\\@127.2.2.2:80/": {"userinfo-delimiter", "fragment-authority-confusion"},
    # port
    b"http://ex.org:/": {"port-empty"},
    b"http://ex.org:?q": {"port-empty"},
    b"http://ex.org:080": {"port-leading-zero"},
    b"http://ex.org:0080/": {"port-leading-zero"},
    b"http://ex.org:0": {"port-zero"},
    b"http://ex.org:00/": {"port-zero", "port-leading-zero"},
    b"http://ex.org:65536/": {"port-overflow"},
    b"http://ex.org:65616/": {"port-overflow"},
    b"http://ex.org:4294967376/": {"port-overflow"},
    b"http://ex.org:065536/": {"port-overflow", "port-leading-zero"},
    b"http://ex.org:+80/": {"port-invalid"},
    b"http://ex.org:80a/": {"port-invalid"},
    b"http://ex.org:%38%30/": {"port-invalid"},
    b"http://ex.org:80:443/": {"port-invalid"},
    # IPv4 in other clothes
    b"http://0x7f.1/": {"ipv4-hex", "ipv4-short"},
    b"http://010.0.0.1/": {"ipv4-octal"},
    b"http://0177.0.0.1/": {"ipv4-octal"},
    b"http://08.0.0.1/": {"ipv4-octal"},
    b"http://017700000001/": {"ipv4-octal"},
    b"http://0xA9FEA9FE/": {"ipv4-hex"},
    b"http://0x/": {"ipv4-hex"},
    b"http://2130706433/": {"ipv4-decimal"},
    b"http://0/": {"ipv4-decimal"},
    b"http://4294967296/": {"ipv4-decimal", "ipv4-overflow"},
    b"http://127.1/": {"ipv4-short"},
    b"http://192.168.257/": {"ipv4-short"},
    b"http://1.2.65536/": {"ipv4-short", "ipv4-overflow"},
    b"http://0251.254.169.254/": {"ipv4-octal", "ipv4-mixed"},
    b"http://0xa9.254.0251.0xfe/": {"ipv4-octal", "ipv4-hex", "ipv4-mixed"},
    b"http://256.256.256.256/": {"ipv4-overflow"},
    b"http://0x41414141A9FEA9FE/": {"ipv4-hex", "ipv4-overflow"},
    b"http://1.2.3.4.5/": {"ipv4-too-many-parts", "host-numeric-tld"},
    b"http://foo.1.2.3.4/": {"ipv4-too-many-parts", "host-numeric-tld"},
    b"http://1.2.3.4./": {"ipv4-trailing-dot", "host-trailing-dot"},
    b"http://127..1/": {"ipv4-empty-part", "host-empty-label"},
    b"http://.1.2.3.4/": {"ipv4-empty-part", "host-empty-label"},
    b"http://+127.0.0.1/": {"ipv4-signed", "host-subdelim"},
    b"http://127.-0.0.1/": {"ipv4-signed", "host-bad-hyphen"},
    b"http://0o177.0.0.1/": {"ipv4-other-prefix"},
    b"http://1_27.0.0.1/": {"ipv4-other-prefix", "host-underscore"},
    b"http://1e2.0.0.1/": {"ipv4-other-prefix"},
    "http://\uff11\uff12\uff17.0.0.1/".encode(): {"ipv4-alt-digits", "host-unicode"},
    "http://127\u30020\u30020\u30021/".encode(): {"ipv4-alt-digits", "host-unicode"},
    "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/".encode(): {"ipv4-alt-digits", "host-unicode"},
    b"http://%EF%BC%91.2.3.4/": {"ipv4-alt-digits", "host-percent-encoded"},
    # names
    b"http://foo.1a/": {"host-tld-digit"},
    b"http://foo.1/": {"host-numeric-tld"},
    b"http://foo.0x4/": {"host-numeric-tld"},
    b"http://a_b.org/": {"host-underscore"},
    b"http://a~b.org/": {"host-nonldh"},
    b"http://a%62c.org/": {"host-percent-encoded"},
    b"http://ex.org%2fev.org/": {"host-percent-encoded", "host-encoded-delimiter"},
    "http://ex\u3002org/".encode(): {"host-unicode"},
    b"http://exa$ple.org/": {"host-subdelim"},
    b"http://exam|ple.org/": {"host-forbidden-char"},
    b"http://-a.org/": {"host-bad-hyphen"},
    b"http://a-.org/": {"host-bad-hyphen"},
    b"http://a..b/": {"host-empty-label"},
    b"http://.ex.org/": {"host-empty-label"},
    b"http://" + b"a" * 64 + b".org/": {"host-label-too-long"},
    b"http://" + b"a." * 127 + b"a/": {"host-too-long"},
    b"http://" + b"a." * 126 + b"aa./": {"host-too-long", "host-trailing-dot"},
    b"http:///path": {"host-empty", "scheme-slash-excess"},
    b"http://?q": {"host-empty"},
    b"http://:80/": {"host-empty"},
    # IP literals
    b"http://[fe80::1%25eth0]/": {"ipv6-zone"},
    b"http://[fe80::1%eth0]/": {"ipv6-zone"},
    b"http://[v1.fe80::abcd]/": {"ipvfuture"},
    b"http://[::ffff:1.2.3.4]": {"ipv6-noncanonical", "ipv4-mapped-ipv6"},
    b"http://[2001:db8::1.2.3.4]/": {"ipv6-noncanonical"},
    b"http://[0:0:0:0:0:0:0:1]/": {"ipv6-noncanonical"},
    b"http://[2001:DB8::0:1]/": {"ipv6-noncanonical"},
    b"http://[2001:0db8::1]/": {"ipv6-noncanonical"},
    b"http://[2001:db8:0:0:0:1::]/": {"ipv6-noncanonical"},
    b"http://[1:2:3:4:5:6:7::]/": {"ipv6-noncanonical"},
    b"http://[::1::]/": {"ipv6-malformed"},
    b"http://[12345::]/": {"ipv6-malformed"},
    b"http://[1:2:3]/": {"ipv6-malformed"},
    b"http://[::1.2.3.256]/": {"ipv6-malformed"},
    b"http://::1/": {"ipv6-unbracketed"},
    b"https://fe80:8080::1/": {"ipv6-unbracketed"},
    b"http://[ex.org]/": {"bracket-not-ipv6"},
    b"http://[127.0.0.1]/": {"bracket-not-ipv6"},
    b"http://[::1]ev.org/": {"bracket-garbage"},
    b"http://ev.org[::1]/": {"bracket-garbage"},
    b"http://[]/": set(),
    b"http://[::1/": set(),
    # tail
    b"http://ex.org\\@ev.org/": {"userinfo-present", "backslash-authority"},
    b"http://ex.org/..\\x": {"backslash-path"},
    b"http://ex.org/?q=a\\b": {"backslash-path"},
    b"http://ex.org/a b": {"raw-space"},
    b"http://ex.org/a\tb": {"raw-tab"},
    b"http://ex.org/a\r\nb": {"raw-crlf"},
    b"http://ex.org/\x1b[31m": {"control-char", "forbidden-char"},
    b"http://ex.org/\x00": {"control-char"},
    b"http://ex.org/caf\xc3\xa9": {"non-ascii"},
    b"http://ex.org/#a#b": {"forbidden-char"},
    b"http://ex.org/?a[]=1": {"forbidden-char"},
    b"http://ex.org/%zz": {"bad-escape"},
    b"http://ex.org/%": {"bad-escape"},
    b"http://ex.org/%41": {"escaped-unreserved"},
    b"http://ex.org/%2e%2e/": {"escaped-unreserved", "escaped-dot-segment"},
    b"http://ex.org/.%2E": {"escaped-unreserved", "escaped-dot-segment"},
    b"http://ex.org//a": {"path-leading-double-slash"},
    **{b"http://ex.org/a" + bytes((c,)): {"forbidden-char"} for c in b"\"<>[]^{}|`"},
    # framing
    b" http://ex.org/": {"leading-trailing-space", "raw-space"},
    b"http://ex.org/\n": {"leading-trailing-space", "raw-crlf"},
    b"\xef\xbb\xbfhttp://ex.org/": {"bom-or-invisible-prefix"},
    b"http://ex.org/ http://ev.org/": {"multiple-urls", "raw-space"},
    b"http://ex.org, http://ev.org": {"multiple-urls", "raw-space"},
    b"<http://ex.org/>": {"quoting-wrapper"},
    b"hxxp://ex.org/": {"quoting-wrapper", "scheme-not-allowed"},
    b"http://ex.org/{a,b}": {"template-or-glob", "forbidden-char"},
    b"http://ex.org/[1-100].png": {"template-or-glob", "forbidden-char"},
    # scheme
    b"http:ex.org": {"scheme-slash-missing"},
    b"http:/ex.org": {"scheme-slash-missing"},
    b"http:////ex.org": {"scheme-slash-excess"},
    b"http:\\\\ex.org/": {"backslash-authority"},
    b"1http://ex.org/": {"scheme-malformed"},
    b"ht%74p://ex.org/": {"scheme-malformed"},
    b"": {"not-absolute"},
    b"/a": {"not-absolute"},
    b"//ex.org/": {"not-absolute"},
    b"ex.org/x": {"not-absolute"},
    b"ftp://ex.org/": {"scheme-not-allowed"},
    b"ws://ex.org/": {"scheme-not-allowed"},
    b"ex.org:80": {"scheme-not-allowed"},
    b"javascript:alert(1)": {"scheme-script", "scheme-not-allowed"},
    b"data:,x": {"scheme-data"},
    b"file:///etc/passwd": {"scheme-file"},
    b"gopher://127.0.0.1:6379/_": {"scheme-text-protocol"},
    b"ldap://127.0.0.1#ev.org:1389/a": {"scheme-ldap-jndi"},
    b"phar://a.jpg": {"scheme-archive-wrapper"},
    b"intent://x": {"scheme-app-handler"},
    b"url:http://ex.org/": {"scheme-prefix-wrapper"},
    b"jar:http://127.0.0.1!/": {"scheme-not-allowed"},
    # G1
    b"http://1.2.3.4.org/": {"host-ipv4-prefix"},
    b"http://1.2.3.45x.org/": {"host-ipv4-prefix"},
    b"http://1.2.3.400.org/": {"host-ipv4-prefix"},
    b"http://1.2.3.04.org/": {"host-ipv4-prefix"},
    # G2
    b"http://xn--0z4.a/": {"idn-invalid-alabel"},
    b"http://xn--ab-r13a.org/": {"idn-invalid-alabel"},
    b"http://XN--ab-r13a.org/": {"idn-invalid-alabel"},
    b"http://xn--a/": {"idn-invalid-alabel"},
    b"http://xn--/": {"idn-invalid-alabel", "host-bad-hyphen"},
    b"http://xn--0.pt/": {"idn-invalid-alabel"},
    b"http://xn--paypal-hk68a.com/": {"idn-readers-disagree"},
    b"http://xn--ls8h-/": {"idn-invalid-alabel", "host-bad-hyphen"},
    # G3
    b"http://[::ffff:102:304]/": {"ipv4-mapped-ipv6"},
    b"http://[::ffff:0:0]/": {"ipv4-mapped-ipv6"},
    b"http://[::2]/": {"ipv4-compatible-ipv6"},
    b"http://[::ffff:ffff]/": {"ipv4-compatible-ipv6"},
    b"http://[::ffff:0:102:304]/": {"ipv4-translated-ipv6"},
    b"http://[2001:db8::5efe:c0a8:101]/": {"isatap-embedded-ipv4"},
    b"http://[2001:db8::200:5efe:c0a8:101]/": {"isatap-embedded-ipv4"},
    # G4
    b"http://ex.org/.": {"dot-segment"},
    b"http://ex.org/a/../b": {"dot-segment"},
    # G5
    b"http://ex.org/%80%2Fx": {"invalid-utf8-escape"},
    b"http://ex.org/%F0%80%AE": set(),
    b"http://ex.org/?q=caf%E9": {"invalid-utf8-escape"},
    b"http://ex.org/#%ed%a0%80": {"invalid-utf8-escape"},
    b"http://ex.org/%f4%90%80%80": {"invalid-utf8-escape"},
    b"http://ex.org/%e2%28%a1": {"invalid-utf8-escape"},
    b"http://ex.org/%c0%ae%c0%ae/": {"overlong-utf8"},
    b"http://ex.org/%e0%80%af": {"overlong-utf8"},
    # G6
    b"http://ex.org/%F0%9F%92%A9%2Fx": {"escape-after-astral"},
    b"http://ex.org/%F0%9F%92%A9%C3%A9%20": {"escape-after-astral"},
    # G7
    **{b"http://ex.org/" + text: {"escaped-bidi"} for text in (
        b"%E2%80%8E", b"%e2%80%8f", b"%E2%80%AA", b"%E2%80%AEgpj.exe", b"%E2%81%A6", b"%e2%81%a9")},
    # G8
    b"http://ex.org/%C3%A9#a%3Ab": {"escape-mixed-iri"},
    **{b"http://ex.org/?%C3%A9#x" + text: {"escape-mixed-iri"} for text in (
        b"%21", b"%27", b"%28", b"%29", b"%2A", b"%3a")},
    # D2: C1 controls
    b"http://ex.org/%C2%80": {"escaped-control"}, b"http://ex.org/?%c2%9f": {"escaped-control"},
    # G9
    b"http://[2001:db8::1]/99": {"ipv6-path-digit"},
    b"http://[2001:db8::1]/+9": {"ipv6-path-digit"},
    b"http://[2001:db8::1]/-": {"ipv6-path-digit"},
    # G10
    b"http://ex.org/".ljust(8193, b"a"): {"url-too-long"},
    # G11
    b"http://ex.org:81?q": {"query-after-empty-path", "port-nondefault"},
    b"http://ex.org:80?q": {"query-after-empty-path"},
    b"http://ex.org:80#q": {"fragment-after-empty-path"},
    b"http://[2001:db8::1]?8": {"query-after-empty-path"},
    b"http://ex.org?@ev.org": {"query-after-empty-path"},
    b"http://ex.org#@ev.org": {"fragment-after-empty-path"},
    b"http://ex.org?q=x.ev.org": {"query-after-empty-path"},
    b"http://ex.org?q.x#y.z": {"query-after-empty-path"},
    b"http://ex.org?": {"query-after-empty-path"},
    b"http://ex.org#": {"fragment-after-empty-path"},
    b"http://ex.org?#": {"query-after-empty-path"},
    b"http://ex.org?q": {"query-after-empty-path"},
    b"http://ex.org?,ev.org": {"query-after-empty-path"},
    b"http://ev.org#x.ex": {"fragment-after-empty-path"},
    b"http://1.2.3.4?q": {"query-after-empty-path"},
    b"http://ex.org?x:80": {"query-after-empty-path"},
    # G12
    b"http://ex.org/x.ev.org:80/": {"colon-port-in-tail"},
    b"http://ex.org/?x.ev.org:80": {"colon-port-in-tail"},
    b"http://ex.org/#x.ev.org.:80?": {"colon-port-in-tail"},
    b"http://ex.org/x.e_v.o-rg:8#": {"colon-port-in-tail"},
    b"http://ex.org/?.a.b:80": {"colon-port-in-tail"},
    b"http://ex.org/a.b:80": {"colon-port-in-tail"},
    b"http://ex.org/.:80": {"colon-port-in-tail"},
    b"http://ex.org/x.good:80": {"colon-port-in-tail"},
    b"http://ex.org/.a_b-:80/": {"colon-port-in-tail"},
    b"http://ex.org/%20.x:1?": {"colon-port-in-tail"},
    # G13
    b"http://ex.org/a%2Fb": {"escaped-slash"},
    b"http://ex.org/%2f": {"escaped-slash"},
    b"http://ex.org/..%2Fa": {"escaped-slash", "escaped-slash-dot"},
    # G14
    b"http://ex.org/a;": {"path-final-semicolon"},
    b"http://ex.org/;?q": {"path-final-semicolon"},
    b"http://ex.org/a%3B": {"path-final-semicolon"},
    b"http://ex.org/a%3b#x": {"path-final-semicolon"},
    b"http://ex.org/a;b;;": {"path-final-semicolon"},
    # G15
    b"http://ex.org/#!": {"fragment-hashbang"},
    b"http://ex.org/#!/a": {"fragment-hashbang"},
    b"http://ex.org/#%21a": {"fragment-hashbang"},
    b"http://ex.org/?a#!b": {"fragment-hashbang"},
    b"http://ex.org/#/../a": {"fragment-dot-segment"},
    b"http://ex.org/#..": {"fragment-dot-segment"},
    b"http://ex.org/#.": {"fragment-dot-segment"},
    b"http://ex.org/a#/..?x": {"fragment-dot-segment"},
    b"http://ex.org/#a?..": {"fragment-dot-segment"},
    b"http://ex.org/#a%3F.": {"fragment-dot-segment"},
    b"http://ex.org/#a%2f..%2Fb": {"fragment-dot-segment"},
    b"http://ex.org/#a%5C..": {"fragment-dot-segment"},
    b"http://ex.org/#..;x": {"fragment-dot-segment"},
    b"http://ex.org/#a/.%3Bx/": {"fragment-dot-segment"},
    b"http://ex.org/#!/..": {"fragment-hashbang", "fragment-dot-segment"},
    b"http://ex.org/#/%2e%2e/": {"escaped-unreserved"},
    # G16
    b"HTTP://ex.org/": {"scheme-case"},
    b"Http://ex.org/": {"scheme-case"},
    b"httpS://ex.org/": {"scheme-case"},
    # G17
    **{b"http://ex.org/" + text: {"escaped-compatibility"} for text in (
        b"pub/%EF%BC%8E%EF%BC%8E/admin/f", b"%E2%80%A5/admin", b"%EF%BD%81dmin", b"a%ef%bc%8fb", b"a%EF%BC%9Bb",
        b"%C3%A9%E2%80%AF%C3%A9", b"%C2%A0", b"%F0%9D%95%8F", b"%EA%9F%B1", b"%F0%9C%B3%96")},
    b"http://ex.org/%F0%9D%95%8F%20": {"escaped-compatibility", "escape-after-astral"},
    # D1
    b"http://ex.org:8080/": {"port-nondefault"},
    b"https://ex.org:80/": {"port-nondefault"},
    b"http://ex.org:443/": {"port-nondefault"},
    # D2
    b"http://ex.org/%0d%0aSet": {"escaped-crlf"},
    b"http://ex.org/a%00.jpg": {"escaped-nul"},
    b"http://ex.org/%1b": {"escaped-control"},
    b"http://ex.org/?%7F": {"escaped-control"},
    b"http://a%00b/": {"escaped-nul", "host-percent-encoded", "host-encoded-delimiter"},
    # D3
    b"http://ex.org/%252e": {"double-escape"},
    b"http://ex.org/%25%32%65": {"double-escape", "escaped-unreserved"},
    b"http://ex.org/%2500": {"double-escape"},
    b"http://ex.org/%2541": {"double-escape"},
    b"http://ex.org/%250d%250a": {"double-escape", "double-escape-crlf"},
    b"http://ex.org/%25%30%61": {"double-escape", "double-escape-crlf"},
    # D4
    b"http://ex.org/..%2f..%2fetc": {"escaped-slash-dot"},
    b"http://ex.org/a%5C..": {"escaped-slash-dot"},
    b"http://ex.org/%2f../": {"escaped-slash-dot"},
    b"http://ex.org/..;/manager": {"path-param-dot-segment"},
    b"http://ex.org/a/..;x=1": {"path-param-dot-segment"},
    b"http://ex.org/.;x": {"path-param-dot-segment"},
    b"http://ex.org/..%3B/admin/f": {"path-param-dot-segment"},
    b"http://ex.org/a/.%3bx": {"path-param-dot-segment"},
    b"http://ex.org/a%5c..;x": {"path-param-dot-segment"},
    # D5
    b"http://ex.org./": {"host-trailing-dot"},
}

ACCEPTED = (
    b"http://ex.org", b"http://ex.org/", b"https://EX.Org/", b"http://ex.org:80", b"https://ex.org:443/a", b"http://a/",
    b"http://localhost/", b"http://1.2.3.4/", b"http://255.255.255.255:80/", b"http://3com.com/",
    b"http://a--b.org/", b"http://256.2.3.4.org/", b"http://01.2.3.4.org/", b"http://a1.2.3.4.org/",
    b"http://1.2.3.org/",
    b"http://" + b"a" * 63 + b".org/", b"http://" + b"a." * 126 + b"a/", b"http://ex.org/".ljust(8192, b"a"),
    b"http://ex.org/a//b/", b"http://ex.org/a%5c", b"http://ex.org/?%2F", b"http://ex.org/#a%2Fb",
    b"http://ex.org/...", b"http://ex.org/a..b/..a/a..",
    b"http://ex.org/a;..",
    b"http://ex.org/?", b"http://ex.org/#", b"http://ex.org/?#",
    b"http://ex.org/?/../.",
    b"http://ex.org/@user", b"http://ex.org/npm/pkg@1.2",
    b"http://ex.org/?@ev.org",
    b"http://ex.org/?u=http://ev.org/", b"http://ex.org/!$&'()*+,;=:@-._~", b"http://ex.org/#a?b/c",
    b"http://[2001:db8::1]/", b"http://[2001:DB8::aB]/a", b"http://[::1]", b"http://[::]:80/", b"http://[::1]:80/99",
    b"http://[2001:db8::1]/?9", b"http://[2001:db8:0:1:1:1:1:1]/", b"http://[1:0:0:2::3]/", b"http://[::1:0:0]/",
    b"http://[2001:db8::100:5efe:1:2]/", b"http://[64:ff9b::a9fe:a9fe]/", b"http://[2002:7f00:1::]/",
    b"http://xn--ls8h.la/", b"http://xn--pple-43d.com/", b"http://XN--80AK6AA92E.com/", b"http://xn--0z4a.a/",
    b"http://ex.org/100%25", b"http://ex.org/50%25-off", b"http://ex.org/%25g1", b"http://ex.org/%C3%A9%20",
    b"http://ex.org/%F0%9F%92%A9x%20", b"http://ex.org/%F0%9F%92%A9?%2F", b"http://ex.org/%21%27%28",
    b"http://ex.org/'%C3%A9",
    b"http://ex.org/%EF%BB%BF", b"http://ex.org/%E2%80%8B", b"http://ex.org/%C2%A1",
    b"http://ex.org/L%27%C3%89t", b"http://ex.org/?%28%C3%A9%29", b"http://ex.org/#%28",
    b"http://ex.org/?%E2%80%AF", b"http://ex.org/%C3%A9", b"http://ex.org/%E3%82%A2%E3%83%BC",
    b"http://ex.org/%EF%BD%9F%EF%BC%80%EF%BD%A1", b"http://ex.org/%E2%89%A0%C4%B0",
    b"http://ex.org/?%EF%BC%8E%EF%BC%8E", b"http://ex.org/#%EF%BC%8E%EF%BC%8E",
    b"http://ex.org/a:80", b"http://ex.org/:80", b"http://ex.org/x.ev.org:80a/", b"http://ex.org/f?p=107:1",
    b"http://ex.org/?t=12:30", b"http://ex.org/10.1000/182:3", b"http://ex.org/.a/b:80", b"http://ex.org/a.b!c:80",
    b"http://ex.org/a.b:x:80", b"http://ex.org/a.b:80&", b"http://ex.org/a.b:", b"http://ex.org/a.b%20:80",
    b"http://ex.org/a;b", b"http://ex.org/a;/", b"http://ex.org/;%20", b"http://ex.org/%3Ba", b"http://ex.org/?a;",
    b"http://ex.org/a..;x", b"http://ex.org/...;x", b"http://ex.org/a..%3Bx", b"http://ex.org/#a;",
    b"http://ex.org/#a!", b"http://ex.org/#/!", b"http://ex.org/#%20!", b"http://ex.org/#...", b"http://ex.org/#/..b",
    b"http://ex.org/#a..", b"http://ex.org/#/..!/", b"http://ex.org/#..%23", b"http://ex.org/#/..&x",
    b"http://ex.org/?!", b"http://ex.org/?/../",
    b"http://ex.org/?a.b.c:8&",
    b"http://ex.org/x:y/x.ev.org:80/", b"http://ex.org:80/x.ev.org:80/", b"http://[::1]/x.ev.org:80/",
)

# policy `any`: input, accepted?, ids
ANY = (
    (b"ws://ex.org:80/", True, set()), (b"wss://ex.org:80/", False, {"port-nondefault"}),
    (b"ftp://ex.org:21/", True, set()),
    (b"ftp://u@ex.org/", False, {"userinfo-present"}), (b"http://ex.org:8080/", False, {"port-nondefault"}),
    (b"ftp://ex.org?a@b", False, {"query-after-empty-path"}),
    (b"ws://ex.org/#!", False, {"fragment-hashbang"}), (b"wss://ex.org/a%2Fb", False, {"escaped-slash"}),
    (b"ftp://ex.org/a;", False, {"path-final-semicolon"}), (b"FTP://ex.org/", False, {"scheme-case"}),
    (b"ftp://ex.org#", False, {"fragment-after-empty-path"}), (b"ws://ex.org/#/..", False, {"fragment-dot-segment"}),
    (b"ws://ex.org/x.good:80", False, {"colon-port-in-tail"}),
    (b"ws://ex.org/..%3B", False, {"path-param-dot-segment"}),
    (b"ws://ex.org/%EF%BC%8E", False, {"escaped-compatibility"}), (b"git://ex.org/%EF%BC%8E", True, set()),
    (b"URN:a", True, set()), (b"x-foo://h?a", True, set()), (b"git://ex.org/a%2Fb", True, set()),
    (b"git://ex.org/a;", True, set()), (b"urn:a#!", True, set()), (b"x-foo:/a#/..", True, set()),
    (b"x-foo://h/x.good:80", True, set()), (b"x-foo:/..%3B", False, {"path-param-dot-segment"}),
    (b"/a", False, {"not-absolute"}),
    (b"urn:isbn:0", True, set()), (b"mailto:a@b.c?subject=%20#x", True, set()), (b"x-foo:", True, set()),
    (b"git://ex.org:9418//a", True, set()), (b"git:///a", True, set()),
    (b"ssh://u@ex.org/", False, {"userinfo-present"}),
    (b"ssh://a_b/", False, {"host-underscore"}), (b"ssh://ex.org./", False, {"host-trailing-dot"}),
    (b"ssh://1.2.3.4.org/", False, {"host-ipv4-prefix"}), (b"ssh://[::2]/", False, {"ipv4-compatible-ipv6"}),
    (b"ssh://ex.org:022/", False, {"port-leading-zero"}), (b"ssh://ex.org:/", False, {"port-empty"}),
    (b"ssh://ex.org:65536/", False, {"port-overflow"}), (b"ssh://[2001:db8::1]/9", True, set()),
    (b"urn:a%41", False, {"escaped-unreserved"}), (b"urn:%0a", False, {"escaped-crlf"}),
    (b"urn:%2541", False, {"double-escape"}),
    (b"urn:%80", False, {"invalid-utf8-escape"}), (b"urn:%E2%80%AE", False, {"escaped-bidi"}),
    (b"urn:%C3%A9%3A", True, set()),
    (b"urn:%F0%9F%92%A9%2F", True, set()), (b"urn:../a", True, set()), (b"urn:/../a", False, {"dot-segment"}),
    (b"urn:/a/..;/", False, {"path-param-dot-segment"}), (b"git://ex.org/a/./", False, {"dot-segment"}),
    (b"x.foo://h/", False, {"scheme-dot"}), (b"x-foo://h?a@b#c", True, set()), (b"mailto:a b", False, {"raw-space"}),
    (b"JavaScript:x", False, {"scheme-script"}), (b"view-source:http://x/", False, {"scheme-prefix-wrapper"}),
    (b"blob:x", False, {"scheme-prefix-wrapper"}), (b"smb://h/s", False, {"scheme-app-handler"}),
    (b"rmi://h/x", False, {"scheme-ldap-jndi"}), (b"php://filter", False, {"scheme-archive-wrapper"}),
)

# RFC 3986, 1.1.2
RFC_EXAMPLES = {
    b"ftp://ftp.is.co.za/rfc/rfc1808.txt": (b"ftp", None, b"ftp.is.co.za", None, b"/rfc/rfc1808.txt", None, None),
    b"http://www.ietf.org/rfc/rfc2396.txt": (b"http", None, b"www.ietf.org", None, b"/rfc/rfc2396.txt", None, None),
    b"ldap://[2001:db8::7]/c=GB?objectClass?one":
        (b"ldap", None, b"2001:db8::7", None, b"/c=GB", b"objectClass?one", None),
    b"mailto:John.Doe@example.com": (b"mailto", None, None, None, b"John.Doe@example.com", None, None),
    b"news:comp.infosystems.www.servers.unix":
        (b"news", None, None, None, b"comp.infosystems.www.servers.unix", None, None),
    b"tel:+1-816-555-1212": (b"tel", None, None, None, b"+1-816-555-1212", None, None),
    b"telnet://192.0.2.16:80/": (b"telnet", None, b"192.0.2.16", b"80", b"/", None, None),
    b"urn:oasis:names:specification:docbook:dtd:xml:4.1.2":
        (b"urn", None, None, None, b"oasis:names:specification:docbook:dtd:xml:4.1.2", None, None),
}

# RFC 3986, 5.4, on the base http://a/b/c/d;p?q
BASE = b"http://a/b/c/d;p?q"
RESOLVED = {
    b"g:h": b"g:h", b"g": b"http://a/b/c/g", b"./g": b"http://a/b/c/g", b"g/": b"http://a/b/c/g/", b"/g": b"http://a/g",
    b"//g": b"http://g", b"?y": b"http://a/b/c/d;p?y", b"g?y": b"http://a/b/c/g?y", b"#s": b"http://a/b/c/d;p?q#s",
    b"g#s": b"http://a/b/c/g#s", b"g?y#s": b"http://a/b/c/g?y#s", b";x": b"http://a/b/c/;x",
    b"g;x": b"http://a/b/c/g;x",
    b"g;x?y#s": b"http://a/b/c/g;x?y#s", b"": b"http://a/b/c/d;p?q", b".": b"http://a/b/c/", b"./": b"http://a/b/c/",
    b"..": b"http://a/b/", b"../": b"http://a/b/", b"../g": b"http://a/b/g", b"../..": b"http://a/",
    b"../../": b"http://a/",
    b"../../g": b"http://a/g", b"../../../g": b"http://a/g", b"../../../../g": b"http://a/g", b"/./g": b"http://a/g",
    b"/../g": b"http://a/g", b"g.": b"http://a/b/c/g.", b".g": b"http://a/b/c/.g", b"g..": b"http://a/b/c/g..",
    b"..g": b"http://a/b/c/..g", b"./../g": b"http://a/b/g", b"./g/.": b"http://a/b/c/g/",
    b"g/./h": b"http://a/b/c/g/h",
    b"g/../h": b"http://a/b/c/h", b"g;x=1/./y": b"http://a/b/c/g;x=1/y", b"g;x=1/../y": b"http://a/b/c/y",
    b"g?y/./x": b"http://a/b/c/g?y/./x", b"g?y/../x": b"http://a/b/c/g?y/../x", b"g#s/./x": b"http://a/b/c/g#s/./x",
    b"g#s/../x": b"http://a/b/c/g#s/../x", b"http:g": b"http:g",
}

# RFC 3492, 7.1: Arabic, simplified Chinese, Czech, Hebrew, Japanese with ASCII in it
PUNYCODE = {
    b"egbpdaj6bu4bxfgehfvwxn":
        "\u0644\u064a\u0647\u0645\u0627\u0628\u062a\u0643"
        "\u0644\u0645\u0648\u0634\u0639\u0631\u0628\u064a\u061f",
    b"ihqwcrb4cv8a8dqg056pqjye": "\u4ed6\u4eec\u4e3a\u4ec0\u4e48\u4e0d\u8bf4\u4e2d\u6587",
    b"proprostnemluvesky-uyb24dma41a": "pro\u010dprost\u011bnemluv\u00ed\u010desky",
    b"4dbcagdahymbxekheh6e0a7fei0b":
        "\u05dc\u05de\u05d4\u05d4\u05dd\u05e4\u05e9\u05d5\u05d8\u05dc\u05d0"
        "\u05de\u05d3\u05d1\u05e8\u05d9\u05dd\u05e2\u05d1\u05e8\u05d9\u05ea",
    b"3b-ww4c5e180e575a65lsy2b": "3\u5e74b\u7d44\u91d1\u516b\u5148\u751f",
}


def remove_dot_segments(path: bytes) -> bytes:
    out: list[bytes] = []
    segments = path.split(b"/")[1:]
    for i, segment in enumerate(segments):
        if segment in (b".", b".."):
            del out[len(out) - (segment == b".."):]
            if i == len(segments) - 1:
                out.append(b"")
        else:
            out.append(segment)
    return b"/" + b"/".join(out)


def resolve(reference: bytes, base: bytes = BASE) -> bytes:
    """Resolves by RFC 3986, 5.2, for a base with an authority; enough to exercise the parser."""
    r, b = parse(reference), parse(base)
    if r.scheme is not None:
        return reference
    if r.host is not None:
        return b.scheme + b":" + reference
    query = r.query
    if r.path == b"":
        path, query = b.path, b.query if r.query is None else r.query
    elif r.path.startswith(b"/"):
        path = remove_dot_segments(r.path)
    else:
        path = remove_dot_segments(b.path.rpartition(b"/")[0] + b"/" + r.path)
    return (b.scheme + b"://" + b.host + path + (b"" if query is None else b"?" + query)
            + (b"" if r.fragment is None else b"#" + r.fragment))


class Gate(unittest.TestCase):
    def test_refused(self) -> None:
        for data, ids in REFUSED.items():
            with self.subTest(data):
                judgement = judge(data)
                self.assertFalse(judgement.accept)
                self.assertLessEqual(ids, judgement.refusing)

    def test_accepted(self) -> None:
        for data in ACCEPTED:
            with self.subTest(data):
                judgement = judge(data)
                self.assertTrue(judgement.accept, judgement)
                self.assertEqual(judgement.refusing, set())
                self.assertTrue(judge(data, "any").accept)

    def test_any(self) -> None:
        for data, accept, ids in ANY:
            with self.subTest(data):
                judgement = judge(data, "any")
                self.assertEqual(judgement.accept, accept, judgement)
                self.assertLessEqual(ids, judgement.refusing)
                self.assertTrue(judgement.decided)
        self.assertFalse(judge(b"never-heard-of:x", "any").decided)
        self.assertTrue(judge(b"never-heard-of:%0a", "any").decided)

    def test_choices(self) -> None:
        one_of = {frozenset(c) for c in judge(b"http://ex.org/%F0%80%AE").one_of}
        self.assertEqual(one_of, {frozenset({"invalid-utf8-escape", "overlong-utf8"})})

    def test_alone(self) -> None:
        """Findings that must not be reported together: one fault has one name."""
        for data, ids in ((b"http://ex.org/a/../b", {"dot-segment"}), (b"http://ex.org/..%5cb", {"escaped-slash-dot"}),
                          (b"http://ex.org/a/..;x", {"path-param-dot-segment"}),
                          (b"http://1.2.3.4.org/", {"host-ipv4-prefix"}),
                          (b"http://0177.0.0.1/", {"ipv4-octal"}),
                          (b"http://ex.org/@a/?@", set()), (b"http://ex.org:80/?x.ev.org:80", set())):
            with self.subTest(data):
                self.assertEqual(judge(data).refusing, ids)

    def test_too_long(self) -> None:
        judgement = judge(b"\xff" * 8193)
        self.assertEqual((judgement.refusing, judgement.components), ({"url-too-long"}, None))

    def test_unknown_policy(self) -> None:
        self.assertRaises(ValueError, judge, b"http://ex.org/", "public")


class Grammar(unittest.TestCase):
    def test_rfc_examples(self) -> None:
        for data, parts in RFC_EXAMPLES.items():
            with self.subTest(data):
                self.assertEqual(parse(data), Components(*parts))
                self.assertTrue(RFC_URI.fullmatch(data))

    def test_resolution(self) -> None:
        for reference, target in RESOLVED.items():
            with self.subTest(reference):
                self.assertEqual(resolve(reference), target)

    def test_presence(self) -> None:
        for data, parts in {
            b"": (None, None, None, None, b"", None, None), b"//": (None, None, b"", None, b"", None, None),
            b"http://@:?#": (b"http", b"", b"", b"", b"", b"", b""), b"x:": (b"x", None, None, None, b"", None, None),
            b"//[v1.x]:1": (None, None, b"v1.x", b"1", b"", None, None),
            b"./a:b": (None, None, None, None, b"./a:b", None, None),
            b"http:///a": (b"http", None, b"", None, b"/a", None, None),
            b"x:/": (b"x", None, None, None, b"/", None, None),
        }.items():
            with self.subTest(data):
                self.assertEqual(parse(data), Components(*parts))
        for data in (b":a", b"1a:b", b"http://[::1", b"http://a:b/", b"a b", b"%", b"a#b#c", b"http://[::1]a",
                     b"http://a@b@c",
                     b"a\n", b"http://ex.org/\n", b"http://[fe80::1%25a]/"):
            with self.subTest(data):
                self.assertIsNone(parse(data))

    def test_effective_port(self) -> None:
        for data, port in {b"http://a/": 80, b"HTTPS://a": 443, b"ws://a": 80, b"wss:x": 443, b"ftp://a": 21,
                           b"http://a:/": 80,
                           b"http://a:00081": 81, b"http://a:65535": 65535, b"http://a:65536": None, b"urn:a": None,
                           b"//a": None,
                           b"//a:0": 0, b"http://a:80a/": None}.items():
            with self.subTest(data):
                self.assertEqual(judge(data).effective_port, port)

    def test_pieces_are_components(self) -> None:
        """For valid URIs, the rough split finds the same components."""
        for data in generate(20000, "pieces"):
            components = parse(data)
            if components is None:
                continue
            p = cut(data)
            host = p.host if p.literal is None else p.literal
            rough = (p.scheme, p.userinfo, host, p.port, p.path, p.query, p.fragment)
            self.assertEqual(Components(*rough), components, data)


class Addresses(unittest.TestCase):
    def test_ipv6_text(self) -> None:
        for text, canonical in {
            b"2001:db8:0:0:1:0:0:1": b"2001:db8::1:0:0:1", b"2001:DB8::0001": b"2001:db8::1", b"::": b"::",
            b"2001:db8:0:1:1:1:1:1": b"2001:db8:0:1:1:1:1:1", b"2001:0:0:1:0:0:0:1": b"2001:0:0:1::1", b"0:0::": b"::",
            b"::ffff:192.0.2.1": b"::ffff:c000:201", b"1:2:3:4:5:6:0:0": b"1:2:3:4:5:6::",
            b"1::3:4:5:6:7:8": b"1:0:3:4:5:6:7:8",
        }.items():
            with self.subTest(text):
                self.assertEqual(ipv6_text(ipv6_groups(text)), canonical)

    def test_ipv6_grammar(self) -> None:
        for text in (b"1:2:3:4:5:6:7", b":::", b"1::2::3", b":1", b"1:", b"1:2:3:4:5:6:7:8:9", b"1:2:3:4:5:6:7:8::",
                     b"::1.2.3",
                     b"::1.2.3.04", b"1.2.3.4::", b"g::", b"", b"12345::", b"1:2:3:4:5:6:7::8:9", b"::1\n"):
            with self.subTest(text):
                self.assertIsNone(ipv6_groups(text))

    def test_punycode(self) -> None:
        for text, plain in PUNYCODE.items():
            with self.subTest(text):
                points = [ord(c) for c in plain]
                self.assertEqual(punycode_decode(text), points)
                self.assertEqual(punycode_encode(points), text)

    def test_punycode_against_the_library(self) -> None:
        """Text that the standard library encodes is decoded and encoded to the same."""
        for data in generate(3000, "punycode"):
            plain = data.decode("utf-8", "replace")
            text = plain.encode("punycode")
            self.assertEqual(punycode_encode([ord(c) for c in plain]), text)
            if plain.isascii():
                continue
            self.assertEqual(punycode_decode(text), [ord(c) for c in plain])

    def test_forbidden_points(self) -> None:
        for point, sound in {0x80: False, 0x9F: False, 0xA0: True, 0xD7FF: True, 0xD800: False, 0xDFFF: False,
                             0xE000: True,
                             0xFDCF: True, 0xFDD0: False, 0xFDEF: False, 0xFDF0: True,
                             0xFEFE: True, 0xFEFF: True, 0xFF00: True, 0xFFFD: True, 0xFFFE: False,
                             0x1FFFF: False, 0x10FFFD: True, 0x10000: False, 0x1DFFF: False, 0x1E000: True,
                             0x1F8FF: True, 0x1F900: False, 0x1FE46: False,
                             0x1FE47: True, 0x2E000: True, 0x10FFFF: False, 0x3001: True, 0x3002: False,
                             0xFF0E: False,
                             0xFF61: False}.items():
            with self.subTest(hex(point)):
                self.assertEqual(sound_alabel(b"xn--" + punycode_encode([97, point])), sound)

    def test_decoded(self) -> None:
        for points, why in {"é": None, "ß": None, "\u04cf": None, "☃": None, "ক\u09c7\u09be": "idn-not-nfc",
                            "É": "idn-readers-disagree", "ª": "idn-readers-disagree", "\u00ad": "idn-readers-disagree",
                            "a\u200c": "idn-readers-disagree", "Ꭰ": "idn-readers-disagree",
                            "a\u0334\u0301": "idn-readers-disagree", "\u0308a": "idn-mark-first",
                            "a\u0308": "idn-not-nfc", "\ud7ff": "idn-invalid-alabel"}.items():
            with self.subTest(points):
                self.assertEqual(refused_for([ord(c) for c in points]), why)

    def test_directions(self) -> None:
        for label, beside, good in (("a1", False, True), ("1a", True, False), ("a1", True, True), ("שלום", False, True),
                                    ("a\u05d0", False, False), ("\u05d01", False, True), ("\u06271\u0661", False, False)):
            with self.subTest(label):
                self.assertEqual(keeps_bidi_rule([ord(c) for c in label], beside), good)


class Harness(unittest.TestCase):
    def test_rules_and_expression_agree(self) -> None:
        """The single ABNF expression and the rules that name its faults refuse the same inputs."""
        named = {"octets", "slashes", "userinfo", "backslash", "host", "port", "path", "trip", "G11", "G16",
                 "RFC 3986"}
        for policy in ("strict", "any"):
            for data in generate(20000, "agree", policy):
                rules = set(judge(data, policy).rules)
                if "ABNF" in rules:
                    self.assertTrue(rules & named - {"RFC 3986"}, (data, rules))
                elif re.match(rb"(?i)https?:", data):
                    self.assertFalse(rules & named, (data, rules))

    def test_share_and_determinism(self) -> None:
        for policy in ("strict", "any"):
            records = list(generate(5000, "share", policy))
            self.assertEqual(records, list(generate(5000, "share", policy)))
            self.assertNotIn(0, b"".join(records))
            share = sum(judge(data, policy).accept for data in records) / len(records)
            self.assertTrue(0.3 < share < 0.6, share)

    def test_every_octet_and_rule(self) -> None:
        seen, rules = set(), set()
        for data in generate(60000, "cover"):
            seen.update(data)
            rules.update(judge(data).rules)
        self.assertEqual(seen, set(range(1, 256)))
        self.assertLessEqual({f"G{n}" for n in range(1, 17)} | {f"D{n}" for n in range(1, 6)}, rules)

    def test_columns(self) -> None:
        self.assertEqual(escaped(b"a\\ \x7f\xff~"), "a\\x5C\\x20\\x7F\\xFF~")
        columns = ["http", "\\N", "::1", "80", "", "", "\\N", "80"]
        self.assertEqual(expected_columns(judge(b"http://[::1]:80?")), columns)
        self.assertEqual(expected_columns(judge(b"a b")), ["\\N"] * 8)


if __name__ == "__main__":
    unittest.main()
