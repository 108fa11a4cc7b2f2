# SPDX-License-Identifier: Apache-2.0
"""Tests international URLs: the one ASCII spelling that readers agree on, or the reason why there is none."""

import json

from helper import Case, run

AGREED = "https://müller.de/straße?q=größe".encode()
SPELLING = b"https://xn--mller-kva.de/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe"
SHARP = "https://straße.de/".encode()


class Iri(Case):
    def test_human(self):
        """Prints a line for each input; the reason why there is no spelling goes to standard error."""
        result = run("suggest", "--iri", AGREED, SHARP, b"http://h/%41", b"http://h/\xff")
        self.assertEqual((result.code, result.out), (1, SPELLING + b"\n\nhttp://h/A\n\n"))
        self.assertEqual(result.err.splitlines(), [
            rb"urivet: readers disagree on U+00DF at octet 13, idn-deviation-char: https://stra\xC3\x9Fe.de/",
            rb"urivet: no spelling is accepted, non-ascii: http://h/\xFF"])

    def test_code_points(self):
        """Code points are printed with four to six digits."""
        for text, named in (("\u00ad", b"U+00AD"), ("\ufeff", b"U+FEFF"), ("\U0001f600", b"U+1F600"),
                           ("\U00010000", b"U+10000"), ("\U0010fffd", b"U+10FFFD")):
            with self.subTest(named):
                result = run("suggest", "--iri", f"http://a{text}.b/".encode())
                self.assertIn(b" " + named + b" at octet 9,", result.err)

    def test_tsv(self):
        """The second column is the outcome."""
        result = run("suggest", "--iri", "--format=tsv", AGREED, SHARP, b"http://h/a", b"http://h/\xff")
        self.assertEqual(result.out.splitlines(), [
            b"accept\toffered\t" + SPELLING, b"reject\tdisagree:U+00DF@12\t\\N", b"accept\tascii\thttp://h/a",
            b"reject\tunmappable\t\\N"])

    def test_json(self):
        """JSON has an outcome, and a reason if there is one."""
        result = run("suggest", "--iri", "--format=json", AGREED, SHARP, b"http://h h/")
        agreed, sharp, space = (json.loads(line) for line in result.out.splitlines())
        self.assertEqual((agreed["outcome"], agreed["reason"], agreed["result"].encode()), ("offered", None, SPELLING))
        self.assertEqual((sharp["outcome"], sharp["result"]), ("disagree", None))
        self.assertEqual(sharp["reason"], {"id": "idn-deviation-char", "offset": 12, "length": 2, "code_point": "U+00DF"})
        self.assertEqual((space["outcome"], space["reason"]["code_point"]), ("ascii", None))

    def test_too_long(self):
        """Input that is too long has no spelling."""
        result = run("suggest", "--iri", "--format=tsv", "--max-length=20", AGREED)
        self.assertEqual((result.code, result.out), (1, b"reject\tunmappable\t\\N\n"))
        lengths = [20, 21, 300, 9000, 1 << 20]
        for option in ((), ("--iri",)):
            made = run("suggest", *option, "--format=json", "--max-length=20", stdin=b"\n".join(b"x" * length for length in lengths)).objects()
            self.assertEqual([(o["uri"], o.get("length")) for o in made], [("x" * 20, None), *((None, length) for length in lengths[1:])])

    def test_elsewhere(self):
        """check, explain and suggest without the option, which only suggest has, write the same spelling."""
        self.assertIn(b"write instead: " + SPELLING, run("check", AGREED).out + run("check", AGREED).err)
        self.assertIn(b"write instead: " + SPELLING, run("explain", AGREED).out)
        self.assertEqual(json.loads(run("check", "--format=json", AGREED).out)["suggestion"].encode(), SPELLING)
        self.assertEqual(run("suggest", AGREED).out, SPELLING + b"\n")
        self.assertEqual(run("check", "--iri", AGREED).code, 2)
