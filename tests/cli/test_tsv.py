# SPDX-License-Identifier: Apache-2.0
"""Tests the ten columns of the TSV output of check."""


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
    def test_components(self):
        r"""Columns 3 to 9 are scheme, userinfo, host without brackets, port, path, query and fragment as written; \N is absent, and
        column 10 the effective port. Octets outside 0x21-0x7E are \xHH with two upper-case digits."""
        no = ABSENT
        for uri, *columns in ((GOOD, "accept", "http", no, "example.com", no, "/", no, no, "80"),
                              (BAD, "reject", "http", "user", "example.com", no, "/", no, no, "80"),
                              (b"HtTpS://u:p@EXAMPLE.com:0443/a/../%7Eb?q=%2f#Fr", "reject", "HtTpS", "u:p", "EXAMPLE.com", "0443", "/a/../%7Eb", "q=%2f", "Fr", "443"),
                              (b"http://@example.com:?#", "reject", "http", "", "example.com", "", "", "", "", "80"),
                              (b"http://example.com", "accept", "http", no, "example.com", no, "", no, no, "80"),
                              (b"mailto:a@example.com", "reject", "mailto", no, no, no, "a@example.com", no, no, no),
                              (b"http://[2001:db8::1]/", "accept", "http", no, "2001:db8::1", no, "/", no, no, "80"),
                              (b"http://[v1.a]/", "reject", "http", no, "v1.a", no, "/", no, no, "80"),
                              (b"http://example.com:0065616/", "reject", "http", no, "example.com", "0065616", "/", no, no, no),
                              (b"http://example.com/caf\xc3\xa9?\xc3\xaf#\xe2\x82\xac", "accept", "http", no, "example.com", no, "/caf\\xC3\\xA9",
                               "\\xC3\\xAF", "\\xE2\\x82\\xAC", "80")):
            row = self.row(uri, *(["--allow=non-ascii"] if b"\xc3" in uri else []))
            self.assertEqual([row[0], *row[2:]], columns, uri)

    def test_does_not_parse(self):
        r"""For input that does not parse, columns 3 to 10 are \N."""
        for uri in (b"http://exa mple.com/", b"http://example.com/%zz", b"http://[::1/", b"http://a@b@c/", b"1http://h/",
                    b"http://example.com/\xff", b"http://example.com:8o/", b"http://example.com/\\"):
            row = self.row(uri)
            self.assertEqual([row[0], *row[2:]], ["reject", *NO_COMPONENTS], uri)

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
    def test_effective_port(self):
        """Column 10 is the port as a number, or the default of the scheme, in any letter case."""
        for uri, port in ((b"http://h.example:80/", "80"), (b"http://h.example:8080/", "8080"), (b"http://h.example:0/", "0"), (b"http://h.example:00080/", "80"),
                          (b"http://h.example:1/", "1"), (b"http://h.example:65535/", "65535"), (b"http://h/", "80"), (b"ws://h/", "80"),
                          (b"https://h/", "443"), (b"wss://h/", "443"), (b"ftp://h/", "21"), (b"HtTp://h/", "80"), (b"WSS://h/", "443"), (b"FTP://h/", "21")):
            self.assertEqual(self.row(uri)[9], port, uri)


class Findings(Case):
    def test_order(self):
        """Findings are those of the catalogue, each once, by their first offset and then their number, with notes; a row without findings has -."""
        self.assertEqual((self.row(b"http://EXAMPLE.com")[:2], self.row(GOOD)[1]), (["accept", "host-case,path-empty"], "-"))
        numbers = {row[0]: int(row[1]) for row in run("findings", "--format=tsv").rows()}
        several = 0
        for uri in TELLING + [b"http://example.com/a%2Fb%2Fc//d//e"]:
            with self.subTest(uri):
                ids = finding_ids(self.row(uri)[1])
                offsets = {f["id"]: f["offset"] for f in self.object(uri)["findings"]}
                self.assertEqual(ids, sorted(set(ids), key=lambda name: (offsets[name], numbers[name])))
                several += len(ids) > 2
        self.assertGreater(several, len(TELLING) // 2)


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
