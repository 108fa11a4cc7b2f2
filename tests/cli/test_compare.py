# SPDX-License-Identifier: Apache-2.0
"""Tests compare, which prints the lowest level of the comparison ladder on which two URIs are equal."""


from helper import Case, run

PAIRS = [
    (b"http://example.com/", b"http://example.com/", b"identical"),
    (b"", b"", b"identical"),
    (b"a b", b"a b", b"identical"),  # unreadable, and still identical
    (b"HTTP://EXAMPLE.com/", b"http://example.com/", b"syntax"),
    (b"http://example.com/%7Ea", b"http://example.com/~a", b"syntax"),
    (b"http://example.com/a/../b", b"http://example.com/./b", b"syntax"),
    (b"http://example.com/%c3%a9", b"http://example.com/%C3%A9", b"syntax"),
    (b"http://example.com", b"http://example.com/", b"scheme"),
    (b"http://example.com:80/", b"http://example.com/", b"scheme"),
    (b"http://example.com:/", b"http://example.com:80/", b"scheme"),
    (b"HTTPS://EXAMPLE.com:443", b"https://example.com/", b"scheme"),
    (b"http://example.com/", b"https://example.com/", b"different"),
    (b"http://example.com/a", b"http://example.com/A", b"different"),
    (b"http://example.com/%2F", b"http://example.com//", b"different"),
    (b"http://example.com/?", b"http://example.com/", b"different"),
    (b"http://example.com:443/", b"http://example.com/", b"different"),
    (b"a b", b"a%20b", b"different"),
    (b"http://example.com/#a", b"http://example.com/#b", b"different"),
]


class Compare(Case):
    def compare(self, a, b, *options):
        result = run("compare", *options, "--", a, b)
        self.assertEqual(result.err, b"")
        self.assertEqual(result.code, 1 if result.out == b"different\n" else 0)
        return result.out[:-1]

    def test_rungs(self):
        """Prints the lowest level at which both are equal; exit status 1 for different, else 0."""
        for a, b, rung in PAIRS:
            self.assertEqual(self.compare(a, b), rung, (a, b))

    def test_no_fragment(self):
        """With --no-fragment only requests are compared."""
        self.assertNotEqual(self.compare(b"http://example.com/#a", b"http://example.com/#b", "--no-fragment"), b"different")
        self.assertEqual(self.compare(b"HTTP://example.com/#a", b"http://example.com/", "--no-fragment"), b"syntax")
        self.assertEqual(self.compare(b"http://example.com/a#x", b"http://example.com/b#x", "--no-fragment"), b"different")

    def test_quiet(self):
        """-q prints nothing; the exit status remains."""
        self.assertEqual((run("compare", "-q", b"x:a", b"x:b").code, run("compare", "-q", b"x:a", b"x:a").code), (1, 0))
        self.assertEqual(run("compare", "-q", b"x:a", b"x:a").out, b"")


class Redirects(Case):
    A, B, C, D = b"http://a.example/", b"http://b.example/", b"http://c.example/", b"http://d.example/"

    def compare(self, content, a, b):
        return run("compare", "--redirects=" + self.file(content), "--", a, b)

    def test_redirects(self):
        """A URI that redirects to another, in one step or several, either way, equals it by protocol; a result that needs no
        redirects is the same without them. Any white space separates; # begins a comment, but not within a URI; lines may be
        empty, and the last needs no end."""
        line = self.A + b" " + self.B + b"\n"
        for content, a, b, rung in (
                (line, self.A, self.B, b"protocol"), (line, self.B, self.A, b"protocol"), (line + self.B + b" " + self.C + b"\n", self.A, self.C, b"protocol"),
                (line + self.B + b" " + self.C + b"\n", self.A, self.D, b"different"), (self.A + b" " + self.A + b"\n", self.A, self.A, b"identical"),
                (b"# from to\n\n" + self.A + b"\t" + self.B, self.A, self.B, b"protocol"), (b"  " + self.A + b" \t " + self.B + b"  \r\n", self.A, self.B, b"protocol"),
                (b" # " + self.C + b"\n" + self.A + b" " + self.B + b" # moved\n", self.A, self.B, b"protocol"),
                *((empty, self.A, self.B, b"different") for empty in (b"", b"\n\n", b"#\n")), (self.A + b"#x " + self.B + b"\n", self.A + b"#x", self.B, b"protocol")):
            with self.subTest(content=content, a=a, b=b):
                result = self.compare(content, a, b)
                self.assertEqual((result.code, result.out), (int(rung == b"different"), rung + b"\n"))

    def test_errors(self):
        """An error names file, line and column; nothing is printed."""
        for content, place in ((self.A + b"\n", b":1:1:"), (b"#\n" + self.A + b" " + self.B + b" " + self.C + b"\n", b":2:37:"),
                               (self.A + b" " + self.B + b"\nx y\n", b":2:1:"), (self.A + b" b c\n", b":1:19:"),
                               (self.A + b" http://\xff/\n", b":1:19:"), (self.A + b" x:\x00\n", b":1:19:")):
            with self.subTest(content):
                path = self.file(content)
                result = run("compare", "--redirects=" + path, self.A, self.B)
                self.assertUsage(result, path.encode() + place)
                self.assertEqual(result.out, b"")
                self.assertClean(result.err)

    def test_missing(self):
        """A file that cannot be read is an error too."""
        self.assertUsage(run("compare", "--redirects=/no/such", self.A, self.B), "/no/such")
        self.assertUsage(run("compare", "--redirects=/", self.A, self.B))

    def test_many(self):
        """1024 redirects are read; more are an error, because the rest would be ignored."""
        content = b"".join(b"http://h/%d http://h/%d\n" % (i, i + 1) for i in range(1024))
        self.assertEqual(self.compare(content, b"http://h/0", b"http://h/1024").out, b"protocol\n")
        self.assertUsage(self.compare(content + b"\n" + self.A + b" " + self.B + b"\n", self.A, self.B), b":1026:1:")


class Arguments(Case):
    def test_usage(self):
        """compare takes exactly two arguments, and no options of other commands."""
        for arguments in ((), (b"x:a",), (b"x:a", b"x:b", b"x:c"), *((option, b"x:a", b"x:b") for option in ("--format=tsv", "--policy=any", "--reader=regex", "--input=x"))):
            self.assertUsage(run("compare", *arguments))
