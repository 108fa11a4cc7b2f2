# SPDX-License-Identifier: Apache-2.0
"""Tests parse, which splits a URI reference into its components."""


from helper import ABSENT, COMPONENTS, GOOD, JSON_KEYS, MIB, NO_COMPONENTS, Case, run


class Parse(Case):
    def parse(self, uri, *options):
        rows = run("parse", "--format=tsv", *options, "--", uri).rows()
        self.assertEqual(len(rows), 1)
        return rows[0]

    def test_all_components(self):
        """The ten columns: accept, -, the seven components, the effective port."""
        self.assertEqual(run("parse", "--format=tsv", b"foo://u:p@h:81/a/b?q=1#f").out, b"accept\t-\tfoo\tu:p\th\t81\t/a/b\tq=1\tf\t81\n")

    def test_not_read(self):
        r"""Input that is no URI reference gives reject, -, and \N eight times; exit status 1."""
        for uri in (b"http://a b/", b"1a:b", b":a", b":", b"http://[::1/", b"http://[::1", b"http://::1/", b"http://[::g]/", b"/%zz", b"/%4",
                    b"a%", b"http://h:8o/", b"http://a@b@c/", b"\\", b"/a|b", b"/a^b", b"/[", b"?[", b"#a#b", b"\xc3\xa9", b"/\x01", b"<a>",
                    b"http://[::1]a/", b"http://[1:2:3:4:5:6:7]/", b"http://[1:2:3:4:5:6:7:8:9]/", b"http://[::1.2.3.256]/", b"http://[fe80::1%25a]/"):
            with self.subTest(uri):
                result = run("parse", "--format=tsv", "--", uri)
                self.assertEqual(result.code, 1)
                self.assertEqual(result.rows(), [["reject", "-", *NO_COMPONENTS]])

    def test_any(self):
        """Column 2 is -, whatever findings check would report; the default of --reader is rfc3986."""
        for uri in (b"HTTP://u@0x7f.1:080/../%41", b"http://[::ffff:1.2.3.4]:99999//", b"a b", b"http://u@h:81/a?b#c", b""):
            self.assertEqual(self.parse(uri)[1], "-")
            self.assertEqual(self.parse(uri, "--reader=rfc3986"), self.parse(uri))

    def test_records(self):
        """Arguments, or else lines or NUL records, are answered by one row each, in order; exit status 1 if any is not parsed.
        For lines the default format is tsv, for arguments human."""
        for args, stdin, paths in ((("--format=tsv", GOOD, b"a b", b"x"), b"", ["/", ABSENT, "x"]), ((), b"a\n\nb c\n//h", ["a", "", ABSENT, ""]),
                                   (("-0",), b"a\0b\0", ["a", "b"])):
            result = run("parse", *args, stdin=stdin)
            self.assertEqual(([row[6] for row in result.rows()], result.code), (paths, int(ABSENT in paths)))
        self.assertEqual(run("parse", stdin=GOOD + b"\n").out, run("parse", "--format=tsv", GOOD).out)
        self.assertEqual(run("parse", GOOD).out, run("parse", "--format=human", GOOD).out)

    def test_no_limit(self):
        """parse has no limit of 8192 octets."""
        for length in (8192, 8193, MIB):
            result = run("parse", stdin=b"/" + b"a" * (length - 1) + b"\n")
            self.assertEqual((result.code, len(result.rows()[0][6])), (0, length))
        self.assertEqual(self.parse(b"/" + b"a" * 99999)[6], "/" + "a" * 99999)

    def test_json(self):
        """JSON has the same keys as for check; components is null for input that is not parsed."""
        for uri, verdict, port, components in (("//u@h:81/a?b#c", "accept", 81, [None, "u", "h", "81", "/a", "b", "c"]), ("a b", "reject", None, None)):
            made = run("parse", "--format=json", uri).objects()[0]
            self.assertEqual(list(made), JSON_KEYS)
            self.assertEqual((made["uri"], made["verdict"], made["port"], made["components"]), (uri, verdict, port, components and dict(zip(COMPONENTS, components))))

    def test_human(self):
        """human shows the components, and no hostile octet raw."""
        result = run("parse", b"http://u@example.com:81/a?b#c")
        for text in (b"http", b"example.com", b"81", b"/a"):
            self.assertIn(text, result.out)
        result = run("parse", b"http://example.com/\x1b]0;x\x07\xc2\x9b\xff")
        self.assertEqual(result.code, 1)
        self.assertClean(result.out)
        self.assertClean(result.err)
