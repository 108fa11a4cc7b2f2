# SPDX-License-Identifier: Apache-2.0
"""Tests link-text-mismatch: compares the site that a link's text names with the site that the link leads to."""

import html
import os
import re
import subprocess

from helper import URIVET, Case, content, environment, finding_ids, lacks, run, takes_long

NAME = "link-text-mismatch"
REFUSE = "--refuse=" + NAME
HAVE_LIST = not lacks("publicsuffix")

# Where a link leads, and texts that name another site.
MISLEADING = [
    ("https://evil.example.net/login", ["www.paypal.com", "paypal.com", "paypal.com/login", "paypal.com?x", "paypal.com:443/login", "paypal.com:9876543210", "paypal.com:",
        "https://www.paypal.com/login", "HTTP://www.paypal.com", "//paypal.com/login", "https://user@www.paypal.com:8443/", "PayPal.com.",
        "(www.paypal.com),", "<https://www.paypal.com/>", "'www.paypal.co.uk'!", "https://müller.de/straße", "www.müller.de", "müller.de/x",
        "www.example.net.md", "http://localhost:8080/", "https://192.0.2.1/", "http://[2001:db8::1]/"]),
    ("https://paypal.com.evil.example.net/", ["paypal.com", "https://paypal.com"]),
    ("https://notpaypal.com/", ["paypal.com"]),
    ("https://paypal.de/", ["www.paypal.com"]),
    ("https://mallory.github.io/", ["alice.github.io/x"]),
    ("https://b.co.uk/", ["www.a.co.uk"]),
    ("https://192.0.2.2/", ["http://192.0.2.1/", "www.paypal.com"]),
    ("https://[2001:db8::2]/", ["http://[2001:db8::1]/"]),
    ("https://www.net/", ["https://www.org/"]),
    # as people read it: before an @, look-alikes of ASCII, text that is turned around
    ("https://evil.example.net/", ["https://paypal.com@evil.example.net/", "https://www.paypal.com:443@evil.example.net/", "www\u2024paypal\u2024com",
        "www\u3002paypal\uff61com", "\uff57\uff57\uff57\uff0e\uff50\uff41\uff59\uff50\uff41\uff4c\uff0e\uff43\uff4f\uff4d",
        "https:\u2044\u2044paypal.com\u2215login", "\u202emoc.lapyap.www", "www.\u202elapyap\u202c.com", "\u202ewww.paypal.com"]),
    ("https://xn--pypal-4ve.com/", ["p\u0430ypal.com"]),
    ("https://evil.example.net/", ["\u0440\u0430\u0443\u0440\u0430l.com", "\U0001d429\U0001d41a\U0001d432\U0001d429\U0001d41a\U0001d425.com"]),
    # in the order in which ICU's ubidi_getVisualMap() shows them
    ("https://evil.example.net/", ["\u202bcom\u200f.\u200fpaypal\u200f.\u200fwww", "\u2067com\u200f.\u200fpaypal\u2069",
        "\u2068\u200fcom\u200f.\u200fpaypal\u2069", "\u202e\u202dcom\u202c.\u202dpaypal\u202c",
        "com\u200f.\u200fpaypal",  # in a paragraph from right to left
        "com\u061c.\u061cpaypal", "\u2066\u202emoc.lapyap\u202c\u2069", "\u05d0\u05d1\u05d2.com"]),
    # an override holds for both ends of an isolate (UAX 9, X5a, X6a), which ICU 72 does not do
    ("https://evil.example.net/", ["\u202b\u202elapyap\u202c\u202d\u2069\u202emoc.", "\u202b\u202elapyap\u202c\u202d\u2066\u2069\u202emoc."]),
    # a neutral character at the end of an isolate before another, which FriBidi 1.0.8 alone would not turn around
    ("https://evil.example.net/", ["paypal\u2067com.\u2069\u2066/x\u2069"]),
    # mail addresses and telephone numbers
    ("mailto:bob@example.net", ["bob@paypal.com"]),
    ("mailto:bob@example.net?subject=x@paypal.com", ["mailto:bob@paypal.com"]),
    ("mailto:paypal.com@example.net", ["service@paypal.com"]),
    ("tel:+19005550100", ["+1 800 555 0100", "(800) 555-0100"]),
]
# Texts that name the same site, or no site.
FINE = [
    ("https://example.com/a", ["example.com", "www.example.com"]),
    ("https://www.example.com/a", ["example.com/b", "HTTPS://EXAMPLE.COM./b"]),
    ("https://EXAMPLE.com/a", ["//www.Example.com"]),
    ("https://example.com./a", ["http://example.com/b"]),
    ("https://example.com:8443/a", ["example.com:443/a"]),
    ("http://evil@example.com/", ["example.com"]),
    ("https://192.0.2.1/", ["http://192.0.2.1:80/"]),
    ("https://[2001:db8::1]/", ["http://[2001:DB8::1]/"]),
    ("https://xn--mller-kva.de/", ["müller.de"]),
    ("https://www.xn--mller-kva.de/", ["https://müller.de/straße"]),
    ("https://xn--mller-kva.de/", ["www.xn--mller-kva.de"]),
    # no host
    ("https://other.example.net/", ["click here", "version 1.2", "1.2", "1.2.3.4", "paypal", "see www.paypal.com", "www.paypal.com or www.paypal.de",
        "www.paypal.com\u00a0or so", "bob@paypal.com", "mailto:bob@paypal.com", "/a/b.c", "a/b/paypal.com", "www.paypal", "www.nosuchtoplevel",
        "//a.nosuchtoplevel/x", "// comment", "//x/y", "https://", "https://www.exam...", "https://www.exam\u2026", "https://a..b.com/",
        "https://a_b|c.com/", "https://paypal.com:x/", "paypal.com:x", "*.paypal.com", "", " \u00a0 ", "."]),
    # readers disagree about its name
    ("https://other.example.net/", ["https://Müßig.de/"]),
    # the text before an @ is no host, or the same one
    ("https://other.example.net/", ["https://user:x@other.example.net/"]),
    ("https://www.example.com/", ["https://example.com@example.com/"]),
    ("https://other.example.net/", ["https://readme.nosuchtoplevel@other.example.net/"]),
    # look-alikes that name the same site, or none
    ("https://example.com/", ["\uff45xample\u2024com", "\u202emoc.elpmaxe"]),
    ("https://other.example.net/", ["\u202ewww si siht"]),
    ("https://example.com/", ["\u202bcom\u200f.\u200fexample", "\u200fexample.com\u200f", "\u202a\u2066example.com\u2069\u202c"]),
    ("https://other.example.net/", ["com\u200e.\u200epaypal", "\u202bcom.paypal"]),
    ("https://xn--4dbcd.com/", ["\u05d0\u05d1\u05d2.com"]),
    ("https://other.example.net/", ["\u05d0\u05d1\u05d2.\u05d3\u05d4", "version 1\u20242"]),
    ("https://xn--80a1acny.com/", ["\u043f\u043e\u0447\u0442\u0430.com"]),
    ("mailto:bob@shop.paypal.com", ["bob@shop.paypal.com"]),
    ("mailto:bob@paypal.com", ["alice@paypal.com"]),
    ("mailto:bob@example.net", ["bob", "@paypal.com", "bob@nosuchtoplevel"]),
    ("tel:+18005550100", ["+1 (800) 555-0100", "800/555.0100"]),
    ("tel:+4930123456", ["030 123456"]),
    ("tel:+18005550100", ["1 800 call now"]),
    ("tel:+18005550100;ext=5", ["+1 800 555 0100"]),
    ("tel:110", ["110"]),
    ("https://other.example.net/", ["+1 800 555 0100"]),
    # files, programs and products, whose last part is a top-level domain
    ("https://other.example.net/", ["readme.md", "script.sh", "main.rs", "setup.py", "src/main.rs", "archive.zip", "com.example.app", "ASP.NET",
        "Socket.io", "index.html", "setup.py/x"]),
    # the text names no site, or the link leads to no host
    ("mailto:bob@example.net", ["www.paypal.com"]),
    ("tel:1234", ["www.paypal.com"]),
    ("https://exa mple.net/", ["www.paypal.com"]),
    ("/relative", ["www.paypal.com"]),
]
# The same site only by the registrable domain.
SAME_DOMAIN = [
    ("https://shop.example.com/", "example.com"),
    ("https://example.com/", "shop.example.com/x"),
    ("https://a.b.example.co.uk/", "https://www.example.co.uk"),
    ("https://x.alice.github.io/", "http://alice.github.io"),
    ("https://shop.xn--mller-kva.de/", "müller.de/"),
]


def link(target, text):
    return ('<a href="%s">%s</a>' % (html.escape(target), html.escape(text))).encode()


class Links(Case):
    def misleads(self, document, *options):
        """Returns for each URL of a document whether it has the finding."""
        rows = run("scan", "--html", "--format=tsv", *(options or (REFUSE,)), stdin=document).rows()
        return [NAME in finding_ids(row[1]) for row in rows]

    def test_misleading(self):
        for target, texts in MISLEADING:
            for text in texts:
                with self.subTest(target=target, text=text):
                    self.assertEqual(self.misleads(link(target, text)), [True])

    def test_fine(self):
        for target, texts in FINE:
            for text in texts:
                with self.subTest(target=target, text=text):
                    self.assertEqual(self.misleads(link(target, text)), [False])

    def test_without_fribidi(self):
        """Without FriBidi a link is refused if the order of its text is unknown, and the status is 2. Other texts do not need it."""
        turned = [link("https://example.com/", text) for text in ("\u202emoc.elpmaxe", "\u2068example.com\u2069", "\uff45xample.com/")]
        plain = [link("https://example.com/", text) for text in ("example.com", "\uff45xample.com", "\uff11\uff10", "(\uff46aq)", "\u05d0. 1.", "\xe9.")]
        self.assertEqual(self.misleads(b"".join(turned + plain)), [False] * 9)
        folder = self.folder()
        other = re.search(rb"/\S*/libc\.so\.6", content("/proc/self/maps"))[0].decode()
        for library, said in ((self.file(), "needs libfribidi.so.0: install the Debian package libfribidi0"),
                              (other, "libfribidi.so.0 lacks fribidi_get_bidi_types, which FriBidi 1.0 has")):
            os.symlink(library, folder + "/libfribidi.so.0")
            for links, code in ((plain, 0), (turned + plain, 2)):
                done = subprocess.run([URIVET, "scan", "--html", "--format=tsv", REFUSE], input=b"".join(links), capture_output=True, check=False,
                                      env=environment(LD_LIBRARY_PATH=folder))
                self.assertEqual(done.returncode, code, done)
                self.assertEqual([NAME in line for line in done.stdout.decode().splitlines()], [link in turned for link in links])
                self.assertEqual([line.endswith(said) for line in done.stderr.decode().splitlines()], [True] if code == 2 else [])
            os.remove(folder + "/libfribidi.so.0")

    def test_same_domain(self):
        """With the public suffix list a site is a registrable domain, without it a host name."""
        for target, text in SAME_DOMAIN:
            self.assertEqual(self.misleads(link(target, text)), [not HAVE_LIST], (target, text))

    def test_its_row(self):
        """The examples in the catalogue's row give the results that it states."""
        shown = run("findings", NAME).out.decode()
        for label, expected in (("fires on", True), ("not on", not HAVE_LIST)):
            target, text = re.search(r"%s +(.*)" % label, shown)[1].replace("\\x20", " ").split(" ")
            self.assertEqual(self.misleads(link(target, text)), [expected])

    def test_text_as_it_is_seen(self):
        """All text in the link counts, in order; invisible text is left out, and a line break ends a word."""
        for inside, seen in [(b"www.<b>pay<i>pal</i></b>.com", True), (b"\n  www.paypal.com\t<span> </span>\n", True),
                             (b"pay&shy;pal&#8203;.com", True), (b"&#65279;&#8238;&#8296;paypal.com", True),
                             (b"www<!-- x -->.paypal<wbr>.com", True), (b"<script>a b</script>paypal.com<style>x y</style>", True),
                             (b"<template>a b</template>paypal.com", True), (b"www&#46;paypal&period;com", True),
                             (b"<svg><![CDATA[paypal.com]]></svg>", True),
                             (b"&nbsp;paypal.com&nbsp;", True), (b"<h3>paypal.com</h3>", True), (b"<br>paypal.com<br>", True),
                             (b"<h3>paypal.com</h3><p>pays</p>", False), (b"paypal<br>.com", False), (b"paypal.c<div></div>om", False),
                             (b"<div>paypal.com</div>x", False), (b"paypal.com <b>pays</b>", False), (b"paypal.c&nbsp;om", False),
                             (b"<img alt=paypal.com src=http://h.example/>", False), (b"<title>paypal.com</title>", True),
                             (b"<script>paypal.com</script>", False), (b"<p>see</p>paypal.com", False)]:
            self.assertEqual(self.misleads(b"<a href=http://evil.example.net/>%s</a>" % inside)[0], seen, inside)

    def test_long_text(self):
        """Only the beginning of a long text is read, after white space is trimmed."""
        for text, expected in [("www.paypal.com/" + "a" * 5000, True), (" " * 5000 + "paypal.com" + " \n" * 5000, True),
                               ("a" * 5000 + ".paypal.com", False), ("www.paypal.com/" + "é" * 5000, True),
                               ("www." + "a" * 63 + ".com", True), ("www." + "a" * 64 + ".com", False)]:
            self.assertEqual(self.misleads(link("http://evil.example.net/", text)), [expected], (text[:20], len(text)))

    def test_links_alone(self):
        """Only the first href of <a> counts; text beside a link does not."""
        for document, expected in [(b"<a href=http://a.example/ ping=http://b.example/>paypal.com</a>", [True, False]),
                                   (b"<a HREF=http://a.example/ href=http://b.example/>paypal.com</a>", [True]),
                                   (b"<area href=http://a.example/>paypal.com", [False]),
                                   (b"<q cite=http://a.example/>paypal.com</q>", [False]),
                                   (b"<a name=x>paypal.com</a><a href=http://a.example/></a>paypal.com", [False]),
                                   (b"<a href=http://a.example/>x<a href=http://b.example/>paypal.com", [False, True]),
                                   (b"<a href=/x>paypal.com", [False])]:
            self.assertEqual(self.misleads(document), expected, document)

    def test_resolved(self):
        """A reference leads to the host that it resolves to."""
        document = b"<a href=/x>www.paypal.com</a>"
        self.assertEqual(self.misleads(document, REFUSE, "--base=https://evil.example.net/"), [True])
        self.assertEqual(self.misleads(document, REFUSE, "--base=https://www.paypal.com/"), [False])
        self.assertEqual(self.misleads(b"<base href=//evil.example.net/>" + document, REFUSE, "--base=https://paypal.com/")[1:], [True])

    def test_which_policy(self):
        """public has the rule, other policies have it with --refuse, and a policy file can have it. It can be waived."""
        document = link("https://www.wikipedia.org/", "www.paypal.com")
        for options, verdict, found in [(("--policy=public",), "reject", NAME), (("--policy=strict",), "accept", "-"),
                                        (("--policy=any",), "accept", "-"), (("--policy=gateway",), "accept", "-"),
                                        (("--policy=any", REFUSE), "reject", NAME),
                                        (("--policy=public", "--allow=" + NAME), "accept", NAME)]:
            with self.subTest(options):
                result = run("scan", "--html", "--format=tsv", *options, stdin=document)
                self.assertEqual([row[:2] for row in result.rows()], [[verdict, found]])
                self.assertEqual(result.code, int(verdict == "reject"))
        for text, expected in [(b"base: public", True), (b"refuse: [link-text-mismatch]", True), (b"base: strict", False)]:
            self.assertEqual(self.misleads(document, "--policy-file=" + self.file(text)), [expected], text)

    def test_nothing_else_has_it(self):
        """URLs outside HTML do not have it, and other commands do not."""
        self.assertEqual(run("check", REFUSE, "https://www.wikipedia.org/").code, 0)
        result = run("scan", REFUSE, "--format=tsv", stdin=link("https://www.wikipedia.org/", "www.paypal.com"))
        self.assertEqual(result.code, 0, result)

    def test_json(self):
        """The finding is about the host; the misleading text comes after the kind, and there is no suggestion."""
        document = link("HTTPS://evil.example.net/", "www.paypal.com/é") + link("https://example.com/", "example.com")
        made = run("scan", "--html", "--format=json", REFUSE, "--allow=scheme-case", stdin=document).objects()
        found = [f for f in made[0]["findings"] if f["id"] == NAME]
        self.assertEqual([(f["number"], f["class"], f["component"], f["offset"], f["length"]) for f in found], [(178, "policy", "host", 8, 16)])
        self.assertEqual((list(made[0])[-2:], made[0]["shown"]), (["kind", "shown"], "www.paypal.com/é"))
        self.assertIsNone(made[0]["suggestion"])
        self.assertEqual(list(made[1])[-1], "kind")
        made = run("scan", "--html", "--format=json", "--allow=scheme-case," + NAME, stdin=document).objects()
        self.assertEqual((made[0]["verdict"], made[0]["suggestion"]), ("accept", "https://evil.example.net/"))
        self.assertEqual(made[0]["shown"], "www.paypal.com/é")

    def test_human(self):
        """Human output shows the text that a reader would see, with no raw octet."""
        out = run("scan", "--html", REFUSE, "--format=human", stdin=link("https://evil.example.net/", "www.paypal.com/\u202d\x1b[2J")).out
        self.assertIn(b"\n    the link reads: www.paypal.com/", out)
        self.assertNotIn(b"\x1b", out)
        self.assertNotIn(b"write instead", out)
        self.assertNotIn(b"the link reads", run("scan", "--html", REFUSE, "--format=human", stdin=link("https://a.example/", "click")).out)

    @takes_long
    def test_deep_and_many(self):
        """Nested links and white space in all of them take linear time."""
        document = b"<a href=http://h.example/><object>" * 3000 + b" " * 100000 + b"www.paypal.com"
        result = run("scan", "--html", "--format=tsv", REFUSE, stdin=document)
        self.assertIn(result.code, (1, 2))
        if result.code == 1:
            self.assertEqual([NAME in row[1] for row in result.rows()], [True] * 3000)
        many = link("http://evil.example.net/", "www.paypal.com") * 20000
        self.assertEqual(self.misleads(many), [True] * 20000)
