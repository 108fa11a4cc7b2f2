# SPDX-License-Identifier: Apache-2.0
"""Tests resolve, which prints the target of a reference by the chosen edition."""

import itertools
import re

from helper import EDITIONS, Case, run

BASE = b"http://a/b/c/d;p?q"

# Targets that differ between the editions; the tests of the library use all examples.
EXPECTED = {
    "rfc3986": {b"?y": b"http://a/b/c/d;p?y", b"": BASE},
    "uri-2003": {b"?y": b"http://a/b/c/d;p?y", b"": b"(current document)"},
    "uri-1997": {b"?y": b"http://a/b/c/?y", b"http:": b"http:"},
    "url-1997": {b"?y": b"http://a/b/c/?y", b"": b"(current document)"},
    "url-1996": {b"?y": b"http://a/b/c/d;p?y", b";x": b"http://a/b/c/d;x"},
}


class Resolve(Case):
    def resolve(self, reference, *options, base=BASE):
        return run("resolve", *options, "--", base, reference)

    def test_reader(self):
        """--reader selects the edition by whose algorithm the reference is resolved; rfc3986 is the default."""
        for reader, examples in EXPECTED.items():
            for reference, target in examples.items():
                self.assertEqual(self.resolve(reference, "--reader=" + reader).out, target + b"\n", (reader, reference))
        for reference, target in EXPECTED["rfc3986"].items():
            self.assertEqual(self.resolve(reference).out, target + b"\n")

    def test_new_request(self):
        """With --new-request an empty reference gives the base."""
        for reader in EDITIONS:
            with self.subTest(reader):
                self.assertEqual(self.resolve(b"", "--new-request", "--reader=" + reader).out, BASE + b"\n")
                self.assertEqual(self.resolve(b"g", "--new-request", "--reader=" + reader).out, b"http://a/b/c/g\n")

    def test_not_read(self):
        """Exit status 1 and nothing printed if base or reference cannot be read; a URI without a scheme, and one that has no
        hierarchical form, is no base."""
        for base, reference in ((BASE, b"a b"), (BASE, b"%zz"), (b"http://a b/", b"g"), (b"http://[::1", b"g"), (BASE, b"\xff"),
                                *((base, b"g") for base in (b"a/b", b"//a/b", b"", b"mailto:a@example.com", b"news:comp.lang.c", b"telnet://h/"))):
            with self.subTest(base=base, reference=reference):
                result = self.resolve(reference, base=base)
                self.assertEqual((result.code, result.out), (1, b""))
                self.assertTrue(result.err)
                self.assertClean(result.err)

    def test_long(self):
        """There is no limit of 8192 octets. -q prints nothing; the exit status remains."""
        result = self.resolve(b"../" * 20000 + b"g", base=b"http://a/" + b"x/" * 20001)
        self.assertEqual((result.code, result.out), (0, b"http://a/x/g\n"))
        self.assertEqual((self.resolve(b"g", "-q").code, self.resolve(b"g", "-q").out), (0, b""))


class Judged(Case):
    BASE = b"http://example.com/a/b"

    def resolve(self, reference, *options):
        return run("resolve", *options, "--", self.BASE, reference)

    def test_refused(self):
        """A refused target is printed, its findings go to standard error, exit status 1; an accepted one is printed without anything else."""
        result = self.resolve(b"../c", "--policy=strict")
        self.assertEqual((result.code, result.out, result.err), (0, b"http://example.com/c\n", b""))
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
        """A reference that editions resolve differently has resolution-ambiguous, which can be allowed; the result of each
        edition is shown: what it prints alone, without --new-request, since who reads it need not know of that."""
        for reference in (b"?y", b"", b";x", b"http:c", b"http:", b"?"):
            for options, base in itertools.product(((), ("--new-request",)), (self.BASE, self.BASE + b"#f")):
                alone = {reader: run("resolve", "--reader=" + reader, "--", base, reference).out.rstrip(b"\n") for reader in EDITIONS}
                result = run("resolve", "--policy=strict", *options, "--", base, reference)
                if len(set(alone.values())) > 1:
                    self.assertEqual((result.code, b"resolution-ambiguous" in result.err), (1, True), (reference, options, alone))
                self.assertEqual(dict(re.findall(rb"(?m)^    ([a-z]+[0-9-]*[0-9]) +(.*)$", result.err)), {name.encode(): target for name, target in alone.items() if result.code})
        self.assertEqual(self.resolve(b"?y", "--allow=resolution-ambiguous").code, 0)

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
    def test_usage(self):
        """resolve takes exactly two arguments, the readers that can resolve, and no options about records and formats. An unknown
        reader gets a suggestion."""
        for arguments, named in (((), ""), ((BASE,), ""), ((BASE, b"g", b"h"), ""), (("--reader=rfc3987", BASE, b"g"), "rfc3986"),
                                 *((("--reader=" + reader, BASE, b"g"), reader) for reader in ("rfc3987", "regex", "browser", "resolver")),
                                 *(((option, BASE, b"g"), "") for option in ("--format=tsv", "--input=x", "-0", "--readings", "--no-such"))):
            self.assertUsage(run("resolve", *arguments), named)


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
        for reference in (b"/c", b"c", b"../c?x=1", b"https://app.example.com/c", b"//app.example.com:443/"):
            self.assertEqual(self.status(reference, "--same-origin"), (0, False), reference)

    def test_edition_that_leaves(self):
        """The printed result must stay on the origin, whatever the result by RFC 3986 is."""
        options = ("--allow=resolution-ambiguous", "--reader=uri-1997")
        self.assertEqual(self.status(b"g", *options, base=b"http://a.com"), (0, False))
        self.assertEqual(self.status(b"g", "--same-origin", *options, base=b"http://a.com"), (1, True))
        self.assertEqual(self.status(b"g", "--same-origin", *options, base=b"http://a.com/"), (0, False))

    def test_what_is_printed_is_judged(self):
        """Whichever option selects another result than that by RFC 3986, the policy judges that result."""
        for base, reference, option, code in ((b"x://u@h/a", b"x:g", "--reader=rfc3986", 0), (b"x://u@h/a", b"x:g", "--compatible", 1),
                                              (b"x://h/a", b"x:g", "--compatible", 0), (b"http://h/a", b"../g", "--reader=rfc3986", 0),
                                              (b"http://h/a", b"../g", "--reader=uri-1997", 1), (b"http://h/a/b", b"../g", "--reader=uri-1997", 0)):
            self.assertEqual(self.status(reference, "--policy=any", "--allow=resolution-ambiguous", option, base=base)[0], code, (reference, option))
