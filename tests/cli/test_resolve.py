# SPDX-License-Identifier: Apache-2.0
"""Tests resolve, which prints the target of a reference by the chosen edition."""

import unittest

from helper import EDITIONS, Case, run

BASE = b"http://a/b/c/d;p?q"
HERE = b"(current document)"

# RFC 3986, 5.4.1 and 5.4.2: examples with the same result in all editions.
COMMON = {
    b"g:h": b"g:h", b"g": b"http://a/b/c/g", b"./g": b"http://a/b/c/g", b"g/": b"http://a/b/c/g/", b"/g": b"http://a/g",
    b"//g": b"http://g", b"g?y": b"http://a/b/c/g?y", b"g#s": b"http://a/b/c/g#s", b"g?y#s": b"http://a/b/c/g?y#s",
    b"g;x": b"http://a/b/c/g;x", b"g;x?y#s": b"http://a/b/c/g;x?y#s", b".": b"http://a/b/c/", b"./": b"http://a/b/c/",
    b"..": b"http://a/b/", b"../": b"http://a/b/", b"../g": b"http://a/b/g", b"../..": b"http://a/", b"../../": b"http://a/",
    b"../../g": b"http://a/g", b"g.": b"http://a/b/c/g.", b".g": b"http://a/b/c/.g", b"g..": b"http://a/b/c/g..",
    b"..g": b"http://a/b/c/..g", b"./../g": b"http://a/b/g", b"./g/.": b"http://a/b/c/g/", b"g/./h": b"http://a/b/c/g/h",
    b"g/../h": b"http://a/b/c/h", b"g?y/./x": b"http://a/b/c/g?y/./x", b"g?y/../x": b"http://a/b/c/g?y/../x",
    b"g#s/./x": b"http://a/b/c/g#s/./x", b"g#s/../x": b"http://a/b/c/g#s/../x", b"http:g": b"http:g",
}
# Results of the drafts before RFC 3986 for dot segments that climb above the root or follow a slash.
CLIMBING = {b"../../../g": b"http://a/../g", b"../../../../g": b"http://a/../../g", b"/./g": b"http://a/./g", b"/../g": b"http://a/../g"}
# Parameters within a segment are no component.
SEGMENTS = {b"g;x=1/./y": b"http://a/b/c/g;x=1/y", b"g;x=1/../y": b"http://a/b/c/y", b";x": b"http://a/b/c/;x"}
SAME_DOCUMENT = {b"": HERE, b"#s": HERE + b"#s"}
FOLDER_QUERY = {b"?y": b"http://a/b/c/?y"}
PATH_QUERY = {b"?y": b"http://a/b/c/d;p?y"}

EXPECTED = {
    "rfc3986": {**COMMON, **SEGMENTS, **PATH_QUERY, b"": BASE, b"#s": BASE + b"#s", b"../../../g": b"http://a/g",
                b"../../../../g": b"http://a/g", b"/./g": b"http://a/g", b"/../g": b"http://a/g"},
    "uri-2003": {**COMMON, **SEGMENTS, **PATH_QUERY, **CLIMBING, **SAME_DOCUMENT},
    "uri-1997": {**COMMON, **SEGMENTS, **FOLDER_QUERY, **CLIMBING, **SAME_DOCUMENT, b"http:": b"http:"},
    "url-1997": {**COMMON, **SEGMENTS, **FOLDER_QUERY, **CLIMBING, **SAME_DOCUMENT},
    "url-1996": {**COMMON, **PATH_QUERY, **CLIMBING, b"": BASE, b"#s": BASE + b"#s", b";x": b"http://a/b/c/d;x",
                 b"g;x=1/./y": b"http://a/b/c/g;x=1/./y", b"g;x=1/../y": b"http://a/b/c/g;x=1/../y"},
}


class Resolve(Case):
    def resolve(self, reference, *options, base=BASE):
        return run("resolve", *options, "--", base, reference)

    def test_examples(self):
        """A sample of each edition's examples, by its own algorithm; the tests of the library use all of them."""
        for reader, examples in EXPECTED.items():
            for reference, target in list(examples.items())[::6]:
                with self.subTest(reader=reader, reference=reference):
                    result = self.resolve(reference, "--reader=" + reader)
                    self.assertEqual((result.code, result.out, result.err), (0, target + b"\n", b""))

    def test_default(self):
        """rfc3986 is the default."""
        for reference in (b"", b"?y", b"../../../g"):
            self.assertEqual(self.resolve(reference).out, EXPECTED["rfc3986"][reference] + b"\n")

    def test_bare_authority(self):
        """Base http://a with reference g: uri-1997 omits the slash, RFC 3986 does not."""
        self.assertEqual(self.resolve(b"g", base=b"http://a").out, b"http://a/g\n")
        self.assertEqual(self.resolve(b"g", "--reader=uri-1997", base=b"http://a").out, b"http://ag\n")

    def test_whole_base(self):
        """The empty reference inherits the fragment of the base in url-1996 only."""
        self.assertEqual(self.resolve(b"", "--reader=url-1996", base=BASE + b"#f").out, BASE + b"#f\n")
        self.assertEqual(self.resolve(b"", base=BASE + b"#f").out, BASE + b"\n")

    def test_new_request(self):
        """With --new-request an empty reference gives the base."""
        for reader in EDITIONS:
            with self.subTest(reader):
                self.assertEqual(self.resolve(b"", "--new-request", "--reader=" + reader).out, BASE + b"\n")
                self.assertEqual(self.resolve(b"g", "--new-request", "--reader=" + reader).out, b"http://a/b/c/g\n")

    def test_scheme_trap(self):
        """A path that begins with two slashes is not turned into an authority."""
        for reference in (b"/.//evil", b"x/..//evil", b"..//evil"):
            with self.subTest(reference):
                target = self.resolve(reference, base=b"x:/a").out.rstrip(b"\n")
                row = run("parse", "--format=tsv", target).rows()[0]
                self.assertEqual((row[2], row[4]), ("x", "\\N"))

    def test_not_read(self):
        """Exit status 1 and nothing printed if base or reference cannot be read."""
        for base, reference in ((BASE, b"a b"), (BASE, b"%zz"), (b"http://a b/", b"g"), (b"http://[::1", b"g"), (BASE, b"\xff")):
            with self.subTest(base=base, reference=reference):
                result = self.resolve(reference, base=base)
                self.assertEqual((result.code, result.out), (1, b""))
                self.assertTrue(result.err)
                self.assertClean(result.err)

    def test_no_base(self):
        """A URI without a scheme, and one that has no hierarchical form, is no base."""
        for base in (b"a/b", b"//a/b", b"", b"mailto:a@example.com", b"news:comp.lang.c", b"telnet://h/"):
            with self.subTest(base):
                result = self.resolve(b"g", base=base)
                self.assertEqual((result.code, result.out), (1, b""))
                self.assertTrue(result.err)

    def test_long(self):
        """There is no limit of 8192 octets."""
        result = self.resolve(b"../" * 20000 + b"g", base=b"http://a/" + b"x/" * 20001)
        self.assertEqual((result.code, result.out), (0, b"http://a/x/g\n"))

    def test_quiet(self):
        """-q prints nothing; the exit status remains."""
        self.assertEqual((self.resolve(b"g", "-q").code, self.resolve(b"g", "-q").out), (0, b""))


class Judged(Case):
    BASE = b"http://example.com/a/b"

    def resolve(self, reference, *options):
        return run("resolve", *options, "--", self.BASE, reference)

    def test_accepted(self):
        """With --policy an accepted target is printed without anything else."""
        result = self.resolve(b"../c", "--policy=strict")
        self.assertEqual((result.code, result.out, result.err), (0, b"http://example.com/c\n", b""))

    def test_refused(self):
        """A refused target is printed, its findings go to standard error, exit status 1."""
        for reference, target, finding in ((b"//u@example.net/", b"http://u@example.net/", b"userinfo-present"),
                                           (b"//127.1/", b"http://127.1/", b"host-odd-ipv4"),
                                           (b"javascript:alert(1)", b"javascript:alert(1)", b"scheme-script"),
                                           (b"/..%2f", b"http://example.com/..%2f", b"escaped-slash-dot")):
            with self.subTest(reference):
                result = self.resolve(reference, "--policy=strict")
                self.assertEqual((result.code, result.out), (1, target + b"\n"))
                if finding != b"host-odd-ipv4":
                    self.assertIn(finding, result.err)
                self.assertIn(b"^", result.err)
                self.assertClean(result.err)

    def test_ambiguous(self):
        """A reference that editions resolve differently has resolution-ambiguous, which can be allowed."""
        for reference in (b"?y", b"", b";x", b"http:c"):
            with self.subTest(reference):
                result = self.resolve(reference, "--policy=strict")
                self.assertEqual(result.code, 1)
                self.assertIn(b"resolution-ambiguous", result.err)
        self.assertEqual(self.resolve(b"?y", "--allow=resolution-ambiguous").code, 0)

    def test_ambiguous_shows_editions(self):
        """The result of each edition is shown."""
        err = self.resolve(b"?y", "--policy=strict").err
        self.assertRegex(err, rb"(?m)^ +rfc3986 +http://example\.com/a/b\?y$")
        self.assertRegex(err, rb"(?m)^ +uri-1997 +http://example\.com/a/\?y$")
        self.assertRegex(self.resolve(b"", "--policy=strict").err, rb"(?m)^ +uri-2003 +\(current document\)$")

    def test_ambiguous_by_any_edition(self):
        """The chosen edition does not matter: other editions may differ from it."""
        for reader in EDITIONS:
            with self.subTest(reader):
                self.assertEqual(self.resolve(b"?y", "--policy=strict", "--reader=" + reader).code, 1)
                self.assertEqual(self.resolve(b"c", "--policy=strict", "--reader=" + reader).code, 0)

    def test_any_option_of_policy(self):
        """--allow, --refuse and --max-length also cause the target to be judged."""
        self.assertEqual(self.resolve(b"//u@h/").code, 0)
        self.assertEqual(self.resolve(b"//u@h/", "--refuse=path-semicolon").code, 1)
        self.assertEqual(self.resolve(b"c", "--max-length=10").code, 1)
        self.assertEqual(self.resolve(b"c;d", "--refuse=path-semicolon").code, 1)

    def test_clean(self):
        """Nothing hostile is printed raw."""
        for reference in (b"\x1b[2J", b"\xc2\x9b", b"//\x07/"):
            with self.subTest(reference):
                result = self.resolve(reference, "--policy=strict")
                self.assertEqual(result.code, 1)
                self.assertClean(result.out)
                self.assertClean(result.err)


class Arguments(Case):
    def test_unknown_reader(self):
        """An unknown reader is a usage error, with a suggestion."""
        self.assertUsage(run("resolve", "--reader=rfc3987", BASE, b"g"), "rfc3987", "rfc3986")

    def test_other_readers(self):
        """A reader that cannot resolve is a usage error too."""
        for reader in ("regex", "browser", "resolver"):
            with self.subTest(reader):
                self.assertUsage(run("resolve", "--reader=" + reader, BASE, b"g"), reader)

    def test_number(self):
        """resolve takes exactly two arguments."""
        for arguments in ((), (BASE,), (BASE, b"g", b"h")):
            self.assertUsage(run("resolve", *arguments))

    def test_options(self):
        """resolve rejects options about records and formats."""
        for option in ("--format=tsv", "--input=x", "-0", "--readings", "--no-such"):
            self.assertUsage(run("resolve", option, BASE, b"g"))

    def test_full_disk(self):
        """A failed write is exit status 2."""
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("resolve", BASE, b"g", stdout=full).code, 2)


class Compatible(Case):
    def test_scheme_of_the_base_is_ignored(self):
        """--compatible prints the other result that RFC 3986, 5.2.2 allows if the reference has the scheme of
        the base."""
        for reference, target in [(b"http:g", b"http://a/b/c/g"), (b"HTTP:../g", b"http://a/b/g"), (b"http:", BASE),
                                  (b"http://h/g", b"http://h/g"), (b"https:g", b"https:g"), (b"g", b"http://a/b/c/g"),
                                  (b"http:x:g", b"http:x:g")]:
            with self.subTest(reference):
                result = run("resolve", "--compatible", BASE, reference)
                self.assertEqual((result.code, result.out), (0, target + b"\n"))


class SameOrigin(Case):
    BASE = b"https://app.example.com/a/b"

    def status(self, reference, *options, base=BASE):
        result = run("resolve", *options, "--", base, reference)
        return result.code, b"cross-origin" in result.err

    def test_leaves(self):
        """A target with another scheme, host or port is refused; other findings of the policy are reported,
        too."""
        for reference in (b"//evil.example/", b"https://evil.example/", b"http://app.example.com/", b"//app.example.com:8443/",
                          b"https://app.example.com.evil.example/", b"/\\evil.example/"):
            code, named = self.status(reference, "--same-origin")
            with self.subTest(reference=reference):
                self.assertEqual(code, 1)
                self.assertEqual(named, b"\\" not in reference)  # this one has no target at all
        self.assertEqual(self.status(b"//evil.example.com/", "--policy=public"), (0, False))
        self.assertEqual(self.status(b"//evil.example.com/", "--policy=public", "--same-origin"), (1, True))
        self.assertEqual(self.status(b"//evil.example.com/", "--same-origin", "--observe"), (0, True))

    def test_stays(self):
        for reference in (b"/c", b"c", b"../c?x=1", b"https://app.example.com/c", b"//app.example.com:443/"):
            with self.subTest(reference=reference):
                self.assertEqual(self.status(reference, "--same-origin"), (0, False))

    def test_edition_that_leaves(self):
        """The printed result must stay on the origin, whatever the result by RFC 3986 is."""
        options = ("--allow=resolution-ambiguous", "--reader=uri-1997")
        self.assertEqual(self.status(b"g", *options, base=b"http://a.com"), (0, False))
        self.assertEqual(self.status(b"g", "--same-origin", *options, base=b"http://a.com"), (1, True))
        self.assertEqual(self.status(b"g", "--same-origin", *options, base=b"http://a.com/"), (0, False))


if __name__ == "__main__":
    unittest.main()
