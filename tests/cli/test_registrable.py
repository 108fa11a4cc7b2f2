# SPDX-License-Identifier: Apache-2.0
"""Tests how the registrable domain of a host is shown, by the rules of publicsuffix.org."""

import json
import re
import subprocess

from helper import URIVET, Case, environment, lacks, needs, run

COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
HAVE_LIST = not lacks("publicsuffix")

# URIs and their registrable domains by the public suffix algorithm; some are its own test data.
DOMAINS = [
    (b"http://paypal.com.evil.example/", "evil.example"),
    (b"https://WWW.Example.CO.UK/", "example.co.uk"),
    (b"http://www.example.com./", "example.com"),
    (b"http://b.test.kyoto.jp/", "test.kyoto.jp"),
    (b"http://www.www.ck/", "www.ck"),
    (b"http://x.alice.github.io/", "alice.github.io"),
    (b"http://www.xn--85x722f.xn--55qx5d.cn/", "xn--85x722f.xn--55qx5d.cn"),
    (b"http://u:p@www.example.com:81/?q", "example.com"),
    (b"//www.example.com/", "example.com"),
    (b"ftp://ftp.example.org", "example.org"),
    (b"http://www.ex%61mple.com/", "example.com"),
    (b"http://www.example.co%6D/", "example.com"), (b"http://www.%65xample.%63om%2e/", "example.com"), (b"http://a-z_09.eXample.Com", "example.com"),
    (b"http://x.9.zz/", "9.zz"), (b"http://a.b.9z/", None), (b"http://.example.com/", None), (b"http://example.com../", None),
    (b"http://x.city.kawasaki.jp/", "city.kawasaki.jp"), (b"http://x.a.b.kawasaki.jp/", "a.b.kawasaki.jp"), (b"http://b.kawasaki.jp/", None),
    (b"http://co.uk/", None),
    (b"http://github.io/", None),
    (b"http://localhost/", None),
    (b"http://192.0.2.1/", None),
    (b"http://[2001:db8::1]/", None),
    (b"http://0x7f.1/", None),
    (b"http://a..example.com/", None),
    (b"mailto:a@example.com", None),
    (b"/path", None),
    (b"http:///www.example.com/", None),
    (b"http://exa mple.com/", None),
    ("http://müller.example/".encode(), None),
    (b"", None),
]


class Json(Case):
    def shown(self, command, *uris, options=()):
        return [made["registrable"] for made in run(command, "--format=json", *options, "--", *uris).objects()]

    def test_domains(self):
        """registrable is a string or null; in check, with and without the rule about suffixes, which showing it does not enable, and in parse."""
        uris = [uri for uri, _ in DOMAINS]
        expected = [domain if HAVE_LIST else None for _, domain in DOMAINS]
        self.assertEqual(self.shown("check", *uris), expected)
        self.assertEqual(self.shown("parse", *uris), expected)
        self.assertEqual(self.shown("check", *uris, options=["--readings"]), expected)
        if HAVE_LIST:
            self.assertEqual(self.shown("check", *uris, options=["--refuse=host-public-suffix"]), expected)
        self.assertEqual([self.object("http://co.uk/")[key] for key in ("verdict", "findings")], ["accept", []])

    @needs("publicsuffix")
    def test_hosts(self):
        """The domain is that of the host in the reader's output, of the Host field, or of what scan finds; an over-long input has none."""
        for words, stdin, domains in ((("check", "--max-length=9", "http://www.example.com/"), b"", [None]), (("parse", "--reader=browser", "http:\\\\WWW.EXAMPLE.com"), b"", ["example.com"]),
                                      (("parse", "--reader=browser", "http://a.0x7f.1/"), b"", [None]), (("check", "--target=www.example.com", "/a"), b"", ["example.com"]),
                                      (("check", "--target-records"), b"GET b.example.net /a\n", ["example.net"]),
                                      (("scan",), b"see http://www.example.com/ and www.b.co.uk", ["example.com", "b.co.uk"])):
            self.assertEqual([made["registrable"] for made in run(*words, "--format=json", stdin=stdin).objects()], domains, words)

    def test_threads(self):
        """The result is the same in several threads, in order."""
        lines = b"".join(b"http://a%d.b.co.uk/\nhttp://1.2.3.4/\n" % i for i in range(20000))
        one = run("check", "--format=json", stdin=lines)
        self.assertEqual(run("check", "--format=json", "--jobs=4", stdin=lines).out, one.out)
        found = {json.loads(line)["registrable"] for line in one.lines()}
        self.assertEqual(found, {"b.co.uk", None} if HAVE_LIST else {None})


class Human(Case):
    def lines(self, uri, *options):
        out = run("explain", *options, "--", uri).out
        return [line for line in out.split(b"\n") if line.startswith(b"  domain ")]

    def test_explain(self):
        """explain has a line for the part of the host that decides."""
        for uri, domain in DOMAINS:
            with self.subTest(uri):
                lines = self.lines(uri)
                self.assertEqual(len(lines), int(HAVE_LIST and domain is not None))
                if lines:
                    self.assertEqual(lines[0].split()[1].decode(), domain)

    @needs("publicsuffix")
    def test_colour(self):
        """The domain is bold in the host, and the labels before it are not; the text stays the same."""
        uri = b"http://paypal.com.Evil.example./"
        coloured = run("explain", "--colour=always", uri).out
        self.assertEqual(coloured.count(b"\x1b[32mpaypal.com.\x1b[0m\x1b[1;32mEvil.example.\x1b[0m"), 2)
        self.assertEqual(COLOUR.sub(b"", coloured), run("explain", "--colour=never", uri).out)
        for host in (b"co.uk", b"example.com", b"192.0.2.1", b"www.ex%61mple.com"):
            self.assertIn(b"\x1b[1;32m" + host + b"\x1b[0m", run("explain", "--colour=always", b"http://%s/" % host).out, host)


@needs("publicsuffix")
class Cost(Case):
    """The list is opened only where the domain is shown or judged, because opening it costs time."""

    def opens_list(self, *args):
        done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=file", URIVET, *args], env=environment(),
                              capture_output=True, check=False, stdin=subprocess.DEVNULL)
        return b"public_suffix_list" in done.stderr

    @needs("strace")
    def test_opened_where_shown(self):
        try:
            subprocess.run(["strace", "-qq", "true"], check=True, capture_output=True)
        except subprocess.CalledProcessError:
            self.skipTest("strace may not trace here")
        if not self.opens_list("check", "-q", "--refuse=host-public-suffix", "http://a.example/"):
            self.skipTest("no list is read here")
        for shown, args in [(True, ("check", "--format=json")), (True, ("explain",)), (True, ("parse", "--format=json")),
                            (False, ("check",)), (False, ("check", "-q", "--format=json")), (False, ("explain", "-q")),
                            (False, ("parse",)), (False, ("suggest", "--format=json")), (False, ("check", "--format=tsv"))]:
            self.assertEqual(self.opens_list(*args, "http://a.example/"), shown, args)
