# SPDX-License-Identifier: Apache-2.0
"""Tests the human output of check, and that hostile octets are never printed raw."""

import re

from helper import BAD, GOOD, Case, core, run

HOSTILE = [b"\x1b[2J", b"\x1b]0;owned\x07", b"\xc2\x9b31m", b"\x9b31m", b"\xff", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\r", b"\n", b"\x08\x08", b"\x7f",
           b"\x0b\x0c", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\xad"]


class Human(Case):
    def test_reason_first(self):
        """The first two lines say what matters most, and what to write or do instead."""
        for uri, reason in ((b"https://example.com?utm=1", b"query-after-empty-path; write https://example.com/?utm=1"),
                            (b"http://127.0.0.1\nSLAVEOF x", b"raw-crlf. Remove the line break"), (b"https://a_b.example/", b"host-underscore. Rename"),
                            (b"http://h:1,h:2/", b"port-invalid. "), (b"http://example.com/a\x1bb", b"control-char. Remove"), (b"https://${imp_tracker_1}/", b"host-forbidden-char. "), (b"https://40.2\"n/", b"host-forbidden-char. ")):
            for command in ("check", "explain"):
                lines = run(command, uri).lines()
                self.assertRegex(lines[0], rb"^reject  http")
                self.assertEqual(lines[1][:len(reason) + 19], b"refused by strict: " + reason)

    def test_order(self):
        """Those that refuse come before notes, then malformed, dangerous, ambiguous, policy, then the more telling;
        JSON names the first of them."""
        classes, ranks = ["malformed", "dangerous", "ambiguous", "policy", "note"], core.ranks()
        for uri in (b"http://127.0.0.1\nSLAVEOF x", b"https://${imp_tracker_1}/", b"https://40.2\"n/", b"HTTP://u:p@0x7f.1:081/%41/../%00?a[]=%zz#!", b"x://10.0.0.1/"):
            for policy in ("strict", "public", "gateway"):
                made = self.object(uri, "--policy=" + policy)
                wanted = sorted(made["findings"], key=lambda f: (not f["refuses"], classes.index(f["class"]), ranks[f["id"]]))
                shown = re.findall(r"(?m)^1:\d+: (?:refused: )?\w+: ([a-z0-9-]+)", run("check", "--policy=" + policy, uri).out.decode())
                self.assertEqual(shown, [f["id"] for f in wanted])
                self.assertEqual(made["reason"], wanted[0]["id"])
        self.assertIsNone(self.object(b"http://EXAMPLE.com/")["reason"])

    def test_next(self):
        """Each finding that refuses says what to do, if no spelling is offered."""
        steps = {row[0]: row[6] for row in run("findings", "--format=tsv").rows()}
        for uri in (b"http://u@a_b.example:8080/", b"https://blog.example/%EF%BC%A1"):
            words = " ".join(run("check", uri).out.decode().split())
            for finding in self.object(uri)["findings"]:
                self.assertEqual(finding["refuses"], steps[finding["id"]] in words, finding["id"])
        self.assertIn("the character is U+FF21", words)

    def test_carets(self):
        """Carets stand under the octets at fault."""
        for uri, fault in ((BAD, b"user@"), (b"http://example.com:081/", b"081"), (b"http://example.com/a/../b", b".."),
                           (b"http://example.com/x%41y", b"%41"), (b"http://ex_ample.com/", b"ex_ample.com")):
            with self.subTest(uri):
                lines = run("check", "--colour=never", uri).out.split(b"\n")
                marked, shown = [], b""
                for line in lines:
                    if uri in line:
                        shown = line
                    elif shown:
                        marked += [(run.start(), run.end()) for run in re.finditer(rb"\^+", line)]
                start = shown.find(uri) + uri.index(fault)
                self.assertTrue(marked, lines)
                for first, last in marked:
                    self.assertGreaterEqual(first, start, lines)
                    self.assertLessEqual(last, start + len(fault), lines)

    def test_carets_in_long_inputs(self):
        """Carets stand under the octets at fault if the text is cut at its left, at its right, or at both."""
        for before, after in ((300, 0), (0, 300), (300, 300), (61, 300), (300, 61)):
            with self.subTest((before, after)):
                lines = run("check", "--colour=never", b"http://example.com/" + b"a" * before + b"%7E" + b"b" * after).out.split(b"\n")
                shown, marked = next((line, under) for line, under in zip(lines, lines[1:]) if under.lstrip(b" ").startswith(b"^"))
                self.assertIn(b"...", shown)
                self.assertEqual([match.span() for match in re.finditer(rb"\^~*", marked)], [match.span() for match in re.finditer(b"%7E", shown)])

    def test_guess(self):
        """A host without a scheme gets the URL that may be meant; other references get no guess."""
        for uri, guess in ((b"webhookserver:5001/", b"webhookserver:5001/"), (b"example.com", b"example.com/"), (b"example.com?a=/", b"example.com/?a=/"),
                           (b"localhost:3000", b"localhost:3000/"), (b"10.0.0.1:80/x", b"10.0.0.1:80/x")):
            self.assertIn(b"    write: https://" + guess + b" (or http://)\n", run("check", "--", uri).out)
        for uri in (b"//example.com/", b"/example.com", b"jdbc:x", b"http:example.com", b"example.com/" + b"a" * 200):
            self.assertNotIn(b"write: ", run("check", "--", uri).out)

    def test_never_raw(self):
        """A hostile octet is never printed raw."""
        for octets in HOSTILE:
            for uri in (b"http://example.com/" + octets, b"http://exa" + octets + b"mple.com/", octets + b"http://example.com/", octets):
                with self.subTest(uri):
                    result = run("check", "--", uri)
                    self.assertEqual(result.code, 1)
                    self.assertIn(b"^", result.out)
                    self.assertClean(result.out)
                    self.assertClean(result.err)

    def test_each_input(self):
        """Every input is reported, in order."""
        out = run("check", b"http://user@one.example/", b"http://user@two.example/", b"http://user@three.example/").out
        places = [out.find(name) for name in (b"one.example", b"two.example", b"three.example")]
        self.assertNotIn(-1, places)
        self.assertEqual(places, sorted(places))

    def test_too_long(self):
        """An over-long input is named as such and not printed in full."""
        result = run("check", "--format=human", stdin=GOOD + b"a" * 100000 + b"\n")
        self.assertEqual(result.code, 1)
        self.assertIn(b"url-too-long", result.out)
        self.assertNotIn(b"a" * 8193, result.out)


class Messages(Case):
    """Standard error is as clean as standard output."""

    def test_arguments(self):
        """Hostile commands, options, values, and names of files, readers and findings are not printed raw."""
        for octet in (b"\x1b", b"\xff", b"\x07"):
            self.hostile(lambda _, octet=octet: run("check", b"-" + octet, GOOD))
        for option in (b"--option", b"--policy=", b"--format=", b"--allow=", b"--refuse=", b"--max-length=", b"--colour=", b"--jobs="):
            self.hostile(lambda text, option=option: run("check", option + text, GOOD))
        self.hostile(lambda text: run(b"check" + text))
        self.hostile(lambda text: run("check", b"--input=/no-such-folder/" + text))
        self.hostile(lambda text: run("filter", b"--rejects=/no-such-folder/" + text, stdin=BAD + b"\n"))
        self.hostile(lambda text: run("parse", b"--reader=" + text, GOOD))
        self.hostile(lambda text: run("findings", b"x" + text))

    def hostile(self, start):
        for text in (b"\x1b[31m", b"\xc2\x9b", b"\xff\r", b"\x07\x08", b"\xe2\x80\xae"):
            with self.subTest(text):
                result = start(text)
                self.assertEqual(result.code, 2, result)
                self.assertTrue(result.err)
                self.assertClean(result.err)
                self.assertClean(result.out)
