# SPDX-License-Identifier: Apache-2.0
"""Tests normalise, which prints the normal form: the same resource as the input."""


from helper import ABSENT, EDITIONS, MIB, READERS, Case, run

# RFC 3986, 6.2.2: case, percent-encoding, dot segments.
SYNTAX = [
    (b"example://a/b/c/%7Bfoo%7D", b"example://a/b/c/%7Bfoo%7D"),
    (b"eXAMPLE://a/./b/../b/%63/%7bfoo%7d", b"example://a/b/c/%7Bfoo%7D"),
    (b"HTTP://EX.org/a/../%7eb", b"http://ex.org/~b"),
    (b"http://EX.org:80", b"http://ex.org:80"),
    (b"http://ex.org/%c3%a9?%C3%a9#%2d", b"http://ex.org/%C3%A9?%C3%A9#-"),
    (b"http://ex.org/A%2fB", b"http://ex.org/A%2FB"),
    (b"http://User@EX.org/", b"http://User@ex.org/"),
    (b"http://ex.org/../../a", b"http://ex.org/a"),
    (b"urn:A:B", b"urn:A:B"),
]
# RFC 3986, 6.2.3: default port and empty path as well.
SCHEME = [
    (b"http://example.com", b"http://example.com/"),
    (b"http://example.com:/", b"http://example.com/"),
    (b"http://example.com:80/", b"http://example.com/"),
    (b"https://example.com:443", b"https://example.com/"),
    (b"http://example.com:443/", b"http://example.com:443/"),
    (b"HTTP://EX.org:80?q", b"http://ex.org/?q"),
]


class Normalise(Case):
    def normalise(self, uri, *options):
        result = run("normalise", *options, "--", uri)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(result.err, b"")
        return result.out[:-1]

    def test_levels(self):
        """syntax is the default level; scheme does all that and more. TSV has three columns: accept, -, the normal form."""
        for options, rows in (((), SYNTAX), (("--level=syntax",), SYNTAX), (("--level=scheme",), SCHEME)):
            for uri, form in rows:
                self.assertEqual(self.normalise(uri, *options), form, uri)
                self.assertEqual(self.normalise(uri, "--format=tsv", *options), b"accept\t-\t" + form)

    def test_editions(self):
        """The edition decides which octets are unescaped."""
        for reader, uri, form in (("rfc3986", b"http://h/%2D%5F%7e%21", b"http://h/-_~%21"),
                                  ("uri-2003", b"http://h/%41%5F%7e%2D%21", b"http://h/A_~%2D%21"),
                                  ("url-1997", b"http://h/%41%21%2A", b"http://h/A!*")):
            self.assertEqual(self.normalise(uri, "--reader=" + reader), form, reader)
        self.assertNotEqual(self.normalise(b"http://h/%21%2A", "--reader=uri-1997"), b"http://h/!*")

    def test_json(self):
        """JSON has uri, verdict and result, in this order."""
        made = run("normalise", "--format=json", b"HTTP://EX.org").objects()[0]
        self.assertEqual(list(made.items()), [("uri", "HTTP://EX.org"), ("verdict", "accept"), ("result", "http://ex.org")])

    def test_not_read(self):
        r"""Unreadable input gives reject, -, \N and exit status 1; in human format a message."""
        for uri in (b"a b", b"http://[::1", b"%zz", b"\xc3\xa9", b"1a:b", b"\x1b[2J"):
            with self.subTest(uri):
                result = run("normalise", "--format=tsv", uri)
                self.assertEqual((result.code, result.out), (1, b"reject\t-\t\\N\n"))
                made = run("normalise", "--format=json", uri).objects()[0]
                self.assertEqual((made["verdict"], made["result"]), ("reject", None))
                result = run("normalise", uri)
                self.assertEqual((result.code, result.out), (1, b""))
                self.assertTrue(result.err)
                self.assertClean(result.err)

    def test_empty(self):
        """The empty reference is its own normal form; that differs from having none."""
        self.assertEqual(run("normalise", "--format=tsv", b"").out, b"accept\t-\t\n")
        self.assertEqual(run("normalise", b"").out, b"\n")
        self.assertEqual(run("normalise", "--format=json", b"").objects()[0]["result"], "")

    def test_records(self):
        """Records are answered in TSV, one line each, in order; --input, -0, --crlf and --jobs work as for suggest."""
        result = run("normalise", stdin=b"X:a\n\na b\nhttp://H\n")
        self.assertEqual(result.code, 1)
        self.assertEqual(result.rows(), [["accept", "-", "x:a"], ["accept", "-", ""], ["reject", "-", ABSENT], ["accept", "-", "http://h"]])
        path = self.file(b"X:a\0Y:b\0")
        self.assertEqual(run("normalise", "-0", "--input=" + path, "--jobs=2").lines(), [b"accept\t-\tx:a", b"accept\t-\ty:b"])
        self.assertEqual(run("normalise", "--crlf", stdin=b"X:a\r\n").lines(), [b"accept\t-\tx:a"])

    def test_no_limit(self):
        """normalise has no limit of 8192 octets."""
        result = run("normalise", stdin=b"X:/" + b"a" * MIB + b"\n")
        self.assertEqual(result.out, b"accept\t-\tx:/" + b"a" * MIB + b"\n")


class Arguments(Case):
    def test_usage(self):
        """Only editions have a normal form; a level is syntax or scheme; normalise does not judge, so it takes no policy."""
        for reader in EDITIONS:
            self.assertEqual(run("normalise", "--reader=" + reader, b"http://a/").out, b"http://a/\n")
        for option, named in (*(("--reader=" + name, name) for name in (*READERS, "no-such") if name not in EDITIONS), ("--level=protocol", "protocol"),
                              ("--level", ""), ("--input=x", ""), ("--policy=any", "policy")):
            self.assertUsage(run("normalise", option, b"http://a/"), named)
