# SPDX-License-Identifier: Apache-2.0
"""Tests the ten columns of the TSV output of check."""

import unittest

from helper import ABSENT, BAD, GOOD, NO_COMPONENTS, Case, finding_ids, run, unescape

# Inputs with several findings, including notes, whose order by place differs from the order of their numbers.
TELLING = [
    b"HTTP://EXAMPLE.com",
    b"HTTP://EXAMPLE.com:80/a%2fb//c?#",
    b"http://127.1.1.1:80\\@127.2.2.2/",
    b"http://a@b@c:080/../%41%zz",
    b"http://user:pass@EXA_MPLE.com.:0/./x/%2e%2E/%00%0d%0A?a[]=%252e#a?b'c:80",
    b" http://0x7f.1:99999//a b\tc\xc3\xa9\xff ",
    b"http:example.com",
    b"http:////example.com/%zz",
    b"//EXAMPLE.com/%2f",
    b"http://[::ffff:1.2.3.4]:/%E2%80%AE",
    b"http://example.com/%F0%9F%92%A9%2Fx%80%3A",
    b"ftp://u@-a..b:22/..;x/..%2f",
]


class Columns(Case):
    def test_plain(self):
        """verdict, findings or -, scheme, userinfo, host, port, path, query, fragment, effective port."""
        result = run("check", "--format=tsv", GOOD)
        self.assertEqual(result.out, b"accept\t-\thttp\t\\N\texample.com\t\\N\t/\t\\N\t\\N\t80\n")

    def test_every_component(self):
        """Columns 3 to 9 are the octets as written."""
        row = self.row(b"HtTpS://u:p@EXAMPLE.com:0443/a/../%7Eb?q=%2f#Fr")
        self.assertEqual(row[2:], ["HtTpS", "u:p", "EXAMPLE.com", "0443", "/a/../%7Eb", "q=%2f", "Fr", "443"])

    def test_ten_columns_for_anything(self):
        """Each line has ten columns, whatever the input."""
        for uri in TELLING:
            with self.subTest(uri):
                self.row(uri)

    def test_one_line_each_in_order(self):
        """Exactly one line per input, in order."""
        lines = b"".join(b"http://example.com/%d\n" % i for i in range(1000))
        rows = run("check", stdin=lines).rows()
        self.assertEqual([r[6] for r in rows], ["/%d" % i for i in range(1000)])

    def test_refused_and_parsed(self):
        """A refused input that parses shows its components."""
        row = self.row(BAD)
        self.assertEqual([row[0], *row[2:]], ["reject", "http", "user", "example.com", ABSENT, "/", ABSENT, ABSENT, "80"])

    def test_absent_is_not_empty(self):
        r"""Absent is \N, empty is empty."""
        self.assertEqual(self.row(b"http://@example.com:?#")[2:9], ["http", "", "example.com", "", "", "", ""])
        self.assertEqual(self.row(b"http://example.com")[2:9],
                         ["http", ABSENT, "example.com", ABSENT, "", ABSENT, ABSENT])

    def test_no_authority(self):
        r"""Without an authority there is no userinfo, host or port, but always a path."""
        self.assertEqual(self.row(b"mailto:a@example.com")[2:9],
                         ["mailto", ABSENT, ABSENT, ABSENT, "a@example.com", ABSENT, ABSENT])

    def test_ip_literal(self):
        """The host comes without the brackets of an IP literal."""
        self.assertEqual(self.row(b"http://[2001:db8::1]/")[4], "2001:db8::1")
        self.assertEqual(self.row(b"http://[v1.a]/")[4], "v1.a")

    def test_escapes(self):
        r"""Octets outside 0x21-0x7E are \xHH with two upper-case digits."""
        row = self.row(b"http://example.com/caf\xc3\xa9?\xc3\xaf#\xe2\x82\xac", "--allow=non-ascii")
        self.assertEqual(row[6:9], ["/caf\\xC3\\xA9", "\\xC3\\xAF", "\\xE2\\x82\\xAC"])

    def test_does_not_parse(self):
        r"""For input that does not parse, columns 3 to 10 are \N."""
        for uri in (b"http://exa mple.com/", b"http://example.com/%zz", b"http://[::1/", b"http://a@b@c/", b"1http://h/",
                    b"http://example.com/\xff", b"http://example.com:8o/", b"http://example.com/\\"):
            with self.subTest(uri):
                row = self.row(uri)
                self.assertEqual(row[0], "reject")
                self.assertEqual(row[2:], NO_COMPONENTS)

    def test_not_absolute(self):
        """A relative reference is refused with not-absolute, and its components are shown."""
        for uri, columns in ((b"//h.example:8080/a?b#c", [ABSENT, ABSENT, "h.example", "8080", "/a", "b", "c", "8080"]),
                             (b"/a/b", [ABSENT] * 4 + ["/a/b", ABSENT, ABSENT, ABSENT]),
                             (b"example.com", [ABSENT] * 4 + ["example.com", ABSENT, ABSENT, ABSENT]),
                             (b"?q", [ABSENT] * 4 + ["", "q", ABSENT, ABSENT]),
                             (b"#f", [ABSENT] * 4 + ["", ABSENT, "f", ABSENT]),
                             (b"", [ABSENT] * 4 + ["", ABSENT, ABSENT, ABSENT])):
            with self.subTest(uri):
                row = self.row(uri)
                self.assertEqual(row[0], "reject")
                self.assertIn("not-absolute", finding_ids(row[1]))
                self.assertEqual(row[2:], columns)


class EffectivePort(Case):
    def check(self, uri, port):
        with self.subTest(uri):
            self.assertEqual(self.row(uri)[9], port)

    def test_explicit(self):
        """Column 10 is the port as a number."""
        for text, port in ((b"80", "80"), (b"8080", "8080"), (b"0", "0"), (b"00080", "80"), (b"1", "1"), (b"65535", "65535")):
            self.check(b"http://example.com:" + text + b"/", port)

    def test_defaults(self):
        """Without a port, column 10 is the default of the scheme, in any letter case."""
        for scheme, port in ((b"http", "80"), (b"ws", "80"), (b"https", "443"), (b"wss", "443"), (b"ftp", "21"), (b"HtTp", "80"),
                             (b"WSS", "443"), (b"FTP", "21")):
            self.check(scheme + b"://example.com/", port)

    def test_empty(self):
        """An empty port has no number, so the default applies."""
        self.check(b"https://example.com:/", "443")

    def test_no_default(self):
        r"""Another scheme has no default: \N, unless the port is given."""
        self.check(b"gopher://example.com/", ABSENT)
        self.check(b"gopher://example.com:70/", "70")
        self.check(b"httpx://example.com/", ABSENT)
        self.check(b"mailto:a@example.com", ABSENT)

    def test_too_big(self):
        r"""Above 65535 column 10 is \N, and no arithmetic overflows."""
        for text in (b"65536", b"65616", b"99999", b"4294967376", b"18446744073709551696", b"9" * 400):
            self.check(b"http://example.com:" + text + b"/", ABSENT)

    def test_too_big_as_written(self):
        """Column 6 is the port as written even then."""
        self.assertEqual(self.row(b"http://example.com:0065616/")[5], "0065616")

    def test_many_zeros(self):
        """Leading zeros do not count."""
        self.check(b"http://example.com:" + b"0" * 300 + b"81/", "81")


class Findings(Case):
    def test_none(self):
        """A row without findings has -."""
        self.assertEqual(self.row(GOOD)[1], "-")

    def test_notes_included(self):
        """Notes are among the findings of an accepted input."""
        self.assertEqual(self.row(b"http://EXAMPLE.com")[:2], ["accept", "host-case,path-empty"])

    def test_once(self):
        """Each finding is named once."""
        for uri in TELLING + [b"http://example.com/a%2Fb%2Fc//d//e"]:
            with self.subTest(uri):
                ids = finding_ids(self.row(uri)[1])
                self.assertEqual(len(ids), len(set(ids)))

    def test_order(self):
        """Findings come by their first offset and then their number."""
        numbers = {row[0]: int(row[1]) for row in run("findings", "--format=tsv").rows()}
        several = 0
        for uri in TELLING:
            with self.subTest(uri):
                ids = finding_ids(self.row(uri)[1])
                offsets = {f["id"]: f["offset"] for f in self.object(uri)["findings"]}
                self.assertEqual(ids, sorted(ids, key=lambda name: (offsets[name], numbers[name])))
                several += len(ids) > 2
        self.assertGreater(several, len(TELLING) // 2)

    def test_known(self):
        """Every id that check prints is in the catalogue."""
        known = {row[0] for row in run("findings", "--format=tsv").rows()}
        for uri in TELLING:
            with self.subTest(uri):
                self.assertLessEqual(set(finding_ids(self.row(uri)[1])), known)

    def test_general_and_telling(self):
        """Every applicable finding is reported, both the general and the specific ones."""
        for uri, ids in ((b"http://127.1.1.1:80\\@127.2.2.2/", {"backslash-authority", "userinfo-present"}),
                         (b"http://a@b@c/", {"userinfo-present", "userinfo-multiple-at"}),
                         (b"http://example.com:00/", {"port-zero", "port-leading-zero"}),
                         (b"http://example.com/%25%30%61", {"double-escape", "double-escape-crlf"})):
            with self.subTest(uri):
                self.assertLessEqual(ids, set(finding_ids(self.row(uri)[1])))

    def test_gate(self):
        """Input outside the strict grammar is refused with the specific id."""
        for uri, name in ((b"http://u@ex.org/", "userinfo-present"), (b"http://ex.org:/", "port-empty"),
                          (b"http://ex.org:080/", "port-leading-zero"), (b"http://ex.org:0/", "port-zero"),
                          (b"http://ex.org:65616/", "port-overflow"), (b"http://ex.org:8o/", "port-invalid"),
                          (b"http://0x7f.1/", "ipv4-hex"), (b"http://010.0.0.1/", "ipv4-octal"),
                          (b"http://2130706433/", "ipv4-decimal"), (b"http://127.1/", "ipv4-short"),
                          (b"http://1.2.3.4./", "ipv4-trailing-dot"), (b"http://1.2.3.256/", "ipv4-overflow"),
                          (b"http://foo.1/", "host-numeric-tld"), (b"http://foo.1a/", "host-tld-digit"),
                          (b"http://a_b.org/", "host-underscore"), (b"http://a%62c.org/", "host-percent-encoded"),
                          (b"http://ex\xe3\x80\x82org/", "host-unicode"), (b"http://-a.org/", "host-bad-hyphen"),
                          (b"http://a..b/", "host-empty-label"), (b"http://%s.org/" % (b"a" * 64), "host-label-too-long"),
                          (b"http://%sorg/" % (b"a." * 126), "host-too-long"), (b"http:///x", "host-empty"),
                          (b"http://[fe80::1%25eth0]/", "ipv6-zone"), (b"http://[v1.a]/", "ipvfuture"),
                          (b"http://[::ffff:1.2.3.4]/", "ipv4-mapped-ipv6"), (b"http://[::102:304]/", "ipv4-compatible-ipv6"),
                          (b"http://[2001:DB8:0:0:0:0:0:1]/", "ipv6-noncanonical"), (b"http://[::1]x/", "bracket-garbage"),
                          (b"http://[1:2:3]/", "ipv6-malformed"), (b"http://[example.com]/", "bracket-not-ipv6"),
                          (b"http://ex.org/a\\b", "backslash-path"), (b"http://ex.org/a b", "raw-space"),
                          (b"http://ex.org/a\tb", "raw-tab"), (b"http://ex.org/a\rb", "raw-crlf"),
                          (b"http://ex.org/a\x1bb", "control-char"), (b"http://ex.org/a\xc3\xa9", "non-ascii"),
                          (b"http://ex.org/a|b", "forbidden-char"), (b"http://ex.org/%zz", "bad-escape"),
                          (b"http://ex.org/%41", "escaped-unreserved"), (b"http://ex.org//a", "path-leading-double-slash"),
                          (b"http:ex.org", "scheme-slash-missing"), (b"http:///ex.org/", "scheme-slash-excess"),
                          (b"1http://ex.org/", "scheme-malformed"), (b"ftp://ex.org/", "scheme-not-allowed"),
                          (b"http://1.2.3.4.org/", "host-ipv4-prefix"), (b"http://xn--0.org/", "idn-invalid-alabel"),
                          (b"http://[::ffff:0:102:304]/", "ipv4-translated-ipv6"),
                          (b"http://[2001:db8::5efe:102:304]/", "isatap-embedded-ipv4"), (b"http://ex.org/a/../b", "dot-segment"),
                          (b"http://ex.org/%2e%2e/", "escaped-dot-segment"), (b"http://ex.org/%80%2Fx", "invalid-utf8-escape"),
                          (b"http://ex.org/%C0%AE", "overlong-utf8"), (b"http://ex.org/%F0%9F%92%A9%2Fx", "escape-after-astral"),
                          (b"http://ex.org/%E2%80%AE", "escaped-bidi"), (b"http://ex.org/%E2%81%A6", "escaped-bidi"),
                          (b"http://ex.org/%C3%A9#a%3Ab", "escape-mixed-iri"), (b"http://ex.org/%C2%9B", "escaped-control"), (b"http://[2001:db8::1]/99", "ipv6-path-digit"),
                          (b"http://ex.org:80?q", "query-after-empty-path"), (b"http://ex.org#@ev.org", "fragment-after-empty-path"),
                          (b"http://ex.org/x.ev.org:80/", "colon-port-in-tail"), (b"http://ex.org:81/", "port-nondefault"),
                          (b"http://ex.org/%0d", "escaped-crlf"), (b"http://ex.org/%00", "escaped-nul"),
                          (b"http://ex.org/%1B", "escaped-control"), (b"http://ex.org/%252e", "double-escape"),
                          (b"http://ex.org/%250a", "double-escape-crlf"), (b"http://ex.org/..%2f", "escaped-slash-dot"),
                          (b"http://ex.org/..;x=1/", "path-param-dot-segment"), (b"http://ex.org./", "host-trailing-dot"),
                          (b"http://ex.org?a", "query-after-empty-path"), (b"http://ex.org#a", "fragment-after-empty-path"),
                          (b"http://ex.org/x.good:80", "colon-port-in-tail"), (b"http://ex.org/a%2fb", "escaped-slash"),
                          (b"http://ex.org/a;", "path-final-semicolon"), (b"http://ex.org/a%3b?b", "path-final-semicolon"),
                          (b"http://ex.org/#!a", "fragment-hashbang"), (b"http://ex.org/#/../a", "fragment-dot-segment"),
                          (b"HTTP://ex.org/", "scheme-case"), (b"http://ex.org/..%3B/a", "path-param-dot-segment"),
                          (b"http://ex.org/pub/%EF%BC%8E%EF%BC%8E/a", "escaped-compatibility")):
            with self.subTest(uri):
                row = self.row(uri)
                self.assertEqual(row[0], "reject")
                self.assertIn(name, finding_ids(row[1]))

    def test_gate_accepts(self):
        """Input inside the strict grammar is accepted."""
        for uri in (b"http://ex.org", b"https://ex.org/", b"https://ex.org:443/", b"http://ex.org:80/", b"http://192.0.2.1/",
                    b"http://[2001:db8::1]/", b"http://[2001:DB8::1]/x", b"http://ex.org/?q=1", b"http://ex.org/#f",
                    b"http://ex.org/a//b", b"http://ex.org/100%25", b"http://ex.org/50%25-off", b"http://ex.org/a:80",
                    b"http://ex.org/@user", b"http://ex.org/npm/pkg@1.2", b"http://ex.org/%C3%A9", b"http://ex.org/?a%2Fb",
                    b"http://xn--bcher-kva.example/", b"http://a/", b"http://%s.org/" % (b"a" * 63),
                    b"http://%sorg/" % (b"a." * 125), b"http://ex.org/?a=/?#/?"):
            with self.subTest(uri):
                self.assertAccepts(uri)

    def test_gate_notes(self):
        """Accepted input with a peculiarity gets its note."""
        for uri, name in ((b"http://EX.org/", "host-case"), (b"http://ex.org/%c3%A9", "escape-case"),
                          (b"http://ex.org:80/", "port-default"), (b"http://ex.org", "path-empty"),
                          (b"http://ex.org/it's", "tail-apostrophe"), (b"http://ex.org/#a?b", "fragment-question"),
                          (b"http://ex.org/a:80", "tail-colon-digits"), (b"http://ex.org/a%25", "escaped-percent"),
                          (b"http://ex.org/a%3Fb", "path-delimiter-escaped"), (b"http://ex.org/a;b", "path-semicolon"),
                          (b"http://ex.org/a%5Cb", "path-backslash-escaped"), (b"http://ex.org/a//b", "path-double-slash"),
                          (b"http://ex.org/?", "query-empty"), (b"http://ex.org/#", "fragment-empty")):
            with self.subTest(uri):
                row = self.row(uri)
                self.assertEqual(row[0], "accept")
                self.assertIn(name, finding_ids(row[1]))


class Octets(Case):
    def test_unescape_gives_the_input_back(self):
        """The columns of a parsed input, joined, give the input."""
        for uri in (b"http://u:p@example.com:81/a/b?c=d&e#f", b"foo:bar?", b"//h/#", b"http://example.com/caf\xc3\xa9#\xc3\xa9"):
            with self.subTest(uri):
                scheme, userinfo, host, port, path, query, fragment = map(unescape, self.row(uri, "--allow=non-ascii")[2:9])
                made = b"" if scheme is None else scheme + b":"
                if host is not None:
                    made += b"//" + (b"" if userinfo is None else userinfo + b"@") + host
                    made += b"" if port is None else b":" + port
                made += path + (b"" if query is None else b"?" + query) + (b"" if fragment is None else b"#" + fragment)
                self.assertEqual(made, uri)


if __name__ == "__main__":
    unittest.main()
