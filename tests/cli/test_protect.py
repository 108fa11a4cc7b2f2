# SPDX-License-Identifier: Apache-2.0
"""Tests names that look like others: --protect, its messages, and the display of URLs."""

import os

from helper import Case, run

LOOKS = b"idn-brand-confusable"


class Protect(Case):
    def judged(self, path, *urls, options=()):
        done = run("check", "--format=tsv", f"--protect={path}", *options, *urls)
        self.assertEqual(done.err, b"")
        return [line.split(b"\t")[:2] for line in done.lines()]

    def test_names(self):
        path = self.file(b"# ours\npaypal.com\n\n  apple.com\t# fruit\r\nBank.Example.\npaypal.com\n\xc3\xa9"[:-2])
        self.assertEqual(self.judged(path, "http://paypa1.com/", "http://xn--pple-koa.net/", "http://vvv.bank.example/", "http://bank.example/", "http://b4nk.example/"),
                         [[b"reject", LOOKS], [b"reject", LOOKS], [b"accept", b"-"], [b"accept", b"-"], [b"accept", b"-"]])
        self.assertEqual(self.judged(path, "http://paypa1.com/", options=("--policy=any",)), [[b"reject", LOOKS]])
        self.assertEqual(self.judged(path, "http://paypa1.com/", options=(f"--allow={LOOKS.decode()}",)), [[b"accept", LOOKS]])
        self.assertEqual(self.judged(self.file(b""), "http://paypa1.com/"), [[b"accept", b"-"]])
        self.assertEqual(self.judged(self.file(b"paypal.com"), "http://paypa1.com/"), [[b"reject", LOOKS]])

    def test_brand(self):
        """The brand's own name in a host of another owner is a note that can be raised."""
        path = self.file(b"paypal.com\n")
        urls = ("http://paypal.com.evil.example/", "http://paypal-login.example/", "http://paypalace.example/", "http://www.paypal.com/")
        self.assertEqual(self.judged(path, *urls), [[b"accept", b"brand-as-label"]] * 2 + [[b"accept", b"-"]] * 2)
        raised = self.judged(path, *urls, options=("--refuse=brand-as-label",))
        self.assertEqual(raised, [[b"reject", b"brand-as-label"]] * 2 + [[b"accept", b"-"]] * 2)

    def test_lines_of_input(self):
        path = self.file(b"paypal.com\n")
        done = run("filter", f"--protect={path}", stdin=b"http://paypa1.com/\nhttp://paypal.com/\nhttp://www.xn--pypal-4ve.org/a?b\n")
        self.assertEqual(done.out, b"http://paypal.com/\n")
        self.assertEqual(done.code, 1)

    def test_faults(self):
        for octets, why in ((b"a.example\nx y\n", b":2:1: "), (b"  .a.example\n", b":1:3: only names can be protected"),
                            (b"10.0.0.1\n", b":1:1: "), (b"a.example\0", b"NUL"), (b"b\xc3\xa4nk.example\n", b":1:1: ")):
            done = run("check", f"--protect={self.file(octets)}", "http://h/")
            self.assertEqual((done.code, done.out), (2, b""), octets)
            self.assertIn(why, done.err)
        done = run("check", f"--protect={self.file(b'- -' + bytes([10]) + (b'x y' + bytes([10])) * 122)}", "http://h/")
        self.assertEqual(done.err.count(b"\n"), 101)
        self.assertIn(b": 23 more lines", done.err)
        for options in (("--protect=-",), ("--protect=/dev/zero",), (f"--protect={self.folder()}/none",), (f"--protect={self.folder()}",)):
            done = run("check", *options, "http://h/")
            self.assertEqual((done.code, done.out), (2, b""))
            self.assertNotEqual(done.err, b"")

    def test_what_is_imitated(self):
        path = self.file(b"paypal.com\n")
        done = run("explain", f"--protect={path}", "http://a.paypa1.com/")
        self.assertIn(b'it looks like "paypal.com"\n', done.out)
        self.assertNotIn(b"it looks like", run("explain", f"--protect={path}", "http://paypal.com/").out)

    def test_with_a_policy_file(self):
        policy = self.file(b"base: public\nprotect:\n  - apple.com\nhosts:\n  deny: [evil.example.com]\n", "p.yaml")
        path = self.file(b"paypal.com\n")
        options = (f"--policy-file={policy}",)
        rows = self.judged(path, "http://app1e.com/", "http://paypa1.com/", "http://evil.example.com/", options=options)
        self.assertEqual(rows, [[b"reject", LOOKS], [b"reject", LOOKS], [b"reject", b"host-denied"]])
        done = run("check", f"--policy-file={policy}", "http://app1e.com/")
        self.assertIn(f'it looks like "apple.com" ({policy}:3)'.encode(), done.out)
        blob = os.path.join(self.folder(), "p.bin")
        self.assertEqual(run("policy", "compile", policy, "-o", blob).code, 0)
        rows = self.judged(path, "http://app1e.com/", "http://paypa1.com/", options=(f"--policy-file={blob}",))
        self.assertEqual(rows, [[b"reject", LOOKS], [b"reject", LOOKS]])
        done = run("check", f"--policy-file={blob}", "http://app1e.com/")
        self.assertIn(f'it looks like "apple.com" ({policy}:3)'.encode(), done.out)

    def test_public(self):
        done = run("check", "--format=tsv", "--policy=public", "http://xn--80ak6aa92e.com/", "http://xn--80ak6aa92e.ru/", "http://xn--80adxhks.com/")
        rows = [line.split(b"\t")[:2] for line in done.lines()]
        self.assertEqual(rows, [[b"reject", b"idn-whole-script-confusable,idn-recent-char"], [b"accept", b"idn-recent-char"], [b"accept", b"-"]])
        done = run("suggest", "--iri", "--policy=public", "http://аррӏе.com/")
        self.assertEqual(done.code, 1)


class Shown(Case):
    def shown(self, url, *options):
        lines = [line for line in run("explain", *options, url).lines() if line.startswith(b"  shown as   ")]
        return lines[0][len(b"  shown as   "):].decode() if lines else None

    def test_explain(self):
        self.assertEqual(self.shown("https://xn--mller-kva.de/stra%C3%9Fe"), "https://müller.de/straße")
        self.assertIsNone(self.shown("https://example.com/a%20b"))
        self.assertIsNone(self.shown("https://xn--80ak6aa92e.com/"))
        self.assertIsNone(self.shown("https://example.com/%E2%80%AE"))
        self.assertEqual(self.shown("https://u:s%C3%A9cret@example.com/%C3%A9"), "https://u:***********@example.com/é")
