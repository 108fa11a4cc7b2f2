# SPDX-License-Identifier: Apache-2.0
"""The zoo's own tests: what counts as a disagreement, and what reads and frames the inputs."""
from __future__ import annotations

import io
import unittest
from unittest import mock

import adapter
import inputs
import page
import rules
import zoo
from inputs import core
from rules import Reader

ONE, OTHER, BLIND = Reader("one"), Reader("other"), Reader("blind", frozenset(["path", "query", "fragment"]))


def line(scheme="http", userinfo="\\N", host="ex.org", port="\\N", path="/", query="\\N", fragment="\\N", effective="80",
         verdict="accept"):
    return "\t".join((verdict, "-", scheme, userinfo, host, port, path, query, fragment, effective))


def differing(one: str, other: str, reader: Reader = OTHER) -> list[str]:
    return rules.differing(rules.readings({ONE: one, reader: other}))


class Rules(unittest.TestCase):
    def assertSame(self, one, other, reader=OTHER):
        self.assertEqual(differing(one, other, reader), [], (one, other))

    def assertDiffer(self, one, other, *components):
        self.assertEqual(differing(one, other), list(components), (one, other))

    def test_same(self):
        """Spellings that lead to one place."""
        self.assertSame(line(), line(scheme="HTTP", host="EX.org", port="80", path=""))
        self.assertSame(line(), line(userinfo="", query="", fragment=""))
        self.assertSame(line(host="::1"), line(host="0:0:0:0:0:0:0:1"))
        self.assertSame(line(path="/%c3%a9"), line(path="/%C3%A9"))
        self.assertSame(line(path="/\\xC3\\xA9"), line(path="/%c3%a9"))
        self.assertSame(line(query="'\\x20|"), line(query="%27%20%7C"))
        self.assertSame(line(host="xn--bcher-kva.example"), line(host="b\\xC3\\xBCcher.example"))

    def test_different(self):
        """Other places, and other things asked for there."""
        self.assertDiffer(line(), line(host="ev.org"), "host")
        self.assertDiffer(line(), line(effective="81"), "port")
        self.assertDiffer(line(), line(scheme="https"), "scheme")
        self.assertDiffer(line(), line(userinfo="u"), "userinfo")
        self.assertDiffer(line(), line(path="//"), "path")
        self.assertDiffer(line(path="/%2F"), line(path="//"), "path")
        self.assertDiffer(line(path="/a;b"), line(path="/a%3Bb"), "path")
        self.assertDiffer(line(query="a"), line(fragment="a"), "query", "fragment")
        self.assertDiffer(line(host="0x7f.1"), line(host="127.0.0.1"), "host")
        self.assertDiffer(line(host="::ffff:1.2.3.4"), line(host="1.2.3.4"), "host")
        self.assertDiffer(line(path="/\\x5C"), line(path="/"), "path")

    def test_nowhere(self):
        """Who refuses, or finds nothing to connect to, does not disagree."""
        nowhere = (line(verdict="reject"), line(host="\\N"), line(host=""), line(scheme="\\N"), line(effective="\\N"),
                   line(effective="0"), line(host="ex.org?q"), line(host="a\\x20b"), line(host="-a.org"), line(host="a..b"))
        for other in nowhere:
            self.assertSame(line(), other)
            self.assertIsNone(rules.target(other), other)

    def test_below_a_name(self):
        """What the wildcard of a name answers can be looked up."""
        self.assertDiffer(line(), line(host="ex.org?q=x.ev.org"), "host")
        self.assertDiffer(line(), line(host="ex.org/x.ev.org."), "host")

    def test_blind(self):
        """What a reader does not show as it uses it is not compared; the rest is."""
        self.assertSame(line(path="/a", query="b"), line(path="/c"), BLIND)
        self.assertEqual(differing(line(), line(host="ev.org", path="/c"), BLIND), ["host"])
        targets = rules.readings({ONE: line(path="/a"), BLIND: line(path="/c")})
        self.assertEqual(rules.grouped(targets, ["path"]), {("/a",): [ONE, BLIND]})

    def test_gravest_first(self):
        self.assertDiffer(line(), line(host="ev.org", path="/x", effective="81", fragment="f"),
                          "host", "port", "path", "fragment")

    def test_grouped(self):
        """The many come first."""
        targets = rules.readings({ONE: line(host="ev.org"), OTHER: line(), Reader("third"): line(path="")})
        self.assertEqual(list(rules.grouped(targets, ["host"])), [("ex.org",), ("ev.org",)])


class Quirks(unittest.TestCase):
    def met(self, reader, written, read):
        targets = rules.readings({ONE: written, Reader(reader): read})
        made, quirks = rules.without_quirks(targets, rules.target(written))
        return rules.differing(made), [quirk.name for quirk in quirks]

    def test_only_what_it_says(self):
        """A quirk hides exactly what it says the reader shows, of that reader."""
        written, read = line(path="/a", fragment="b?c"), line(path="/a#b", query="c")
        self.assertEqual(self.met("openssl", written, read), ([], ["openssl-question-in-fragment"]))
        self.assertEqual(self.met("neon", written, read), (["path", "query", "fragment"], []))
        self.assertEqual(self.met("openssl", written, line(path="/a", query="c"))[1], [])

    def test_yarl(self):
        self.assertEqual(self.met("yarl", line(path="/%26%2B"), line(path="/&%2B")), ([], ["yarl-requotes"]))
        self.assertEqual(self.met("yarl", line(path="/..%3B/"), line(path="/..;/")), ([], ["yarl-parameter"]))
        self.assertEqual(self.met("yarl", line(path="/%2Fa"), line(path="//a")), (["path"], []))

    def test_readers_exist(self):
        names = {row.name for row in zoo.rows()}
        self.assertLessEqual({quirk.reader for quirk in rules.QUIRKS}, names)


class Table(unittest.TestCase):
    def test_rows(self):
        """Each reader once, with packages that can be named and files that are there."""
        rows = zoo.rows()
        self.assertEqual(len({row.name for row in rows}), len(rows))
        for row in rows:
            with self.subTest(row.name):
                self.assertTrue(row.run and row.what)
                self.assertTrue(all(package.startswith(("deb:", "npm:")) for package in row.packages))
                self.assertLessEqual(row.blind, set(rules.COMPONENTS))
                self.assertTrue(all(path.is_file() for path in row.sources()))


class Adapter(unittest.TestCase):
    def answers(self, data: bytes, read) -> list[str]:
        out = io.StringIO()
        with mock.patch("sys.stdin", mock.Mock(buffer=io.BytesIO(data))), mock.patch("sys.stdout", out), \
                mock.patch("sys.argv", ["reader"]):
            adapter.serve("v", read)
        return out.getvalue().splitlines()

    def test_one_line_a_record(self):
        """An exception is a refusal; an empty record and one with LF are records."""
        def read(text):
            return ("http", None, f"[{text.encode().decode()}]", "08", "/\\\n", "", None)

        lines = self.answers(b"a\0\xff\0\0b\nc", read)
        self.assertEqual(lines, ["accept\t-\thttp\t\\N\ta\t08\t/\\x5C\\x0A\t\t\\N\t8", zoo.REFUSED,
                                 "accept\t-\thttp\t\\N\t\t08\t/\\x5C\\x0A\t\t\\N\t8",
                                 "accept\t-\thttp\t\\N\tb\\x0Ac\t08\t/\\x5C\\x0A\t\t\\N\t8"])

    def test_ports(self):
        for scheme, port, effective in (("HTTP", None, "80"), ("x", None, "\\N"), ("x", "", "\\N"), ("wss", "", "443"),
                                        ("http", "65536", "\\N"), ("http", "080", "80"), ("http", "8a", "\\N")):
            self.assertEqual(adapter.effective_port(scheme, port), effective, (scheme, port))


class Asking(unittest.TestCase):
    def animals(self, there: int) -> list[zoo.Animal]:
        """So many readers of others, all of urivet's, and one that is not there."""
        rows = [zoo.Row(f"r{i}", (), frozenset(), "", "", "", "") for i in range(there)]
        ours = [zoo.Row(f"urivet-{i}", (), frozenset(), "", "", "", "") for i in range(4)]
        gone = zoo.Animal(zoo.Row("gone", ("deb:x",), frozenset(), "", "", "", ""), lacks="needs deb:x")
        return [*(zoo.Animal(row, version="1") for row in (*rows, *ours)), gone]

    def test_enough(self):
        """urivet's own readers do not count; what is missing is named."""
        self.assertTrue(zoo.enough(self.animals(zoo.FEWEST)))
        with mock.patch("sys.stderr", io.StringIO()) as told:
            self.assertFalse(zoo.enough(self.animals(zoo.FEWEST - 1)))
        self.assertIn("gone: needs deb:x", told.getvalue())

    def test_death(self):
        """A reader that dies of one record answers the others."""
        row = zoo.Row("dies", (), frozenset(), "", "", "", "")

        def shell(_, data):
            records = data.split(b"\0")[:-1]
            code = int(b"bad" in records)
            return mock.Mock(returncode=code, stdout=b"" if code else b"".join(b"<%s>\n" % r for r in records))

        animal = zoo.Animal(row)
        with mock.patch("zoo.shell", shell):
            lines = zoo.ask(animal, [b"a", b"bad", b"b", b"c"])
        self.assertEqual(lines, ["<a>", zoo.REFUSED, "<b>", "<c>"])
        self.assertEqual(animal.deaths, 1)


class Inputs(unittest.TestCase):
    def test_strings(self):
        self.assertEqual(inputs.c_string(r"a\x00\101\n\"{b*3}"), b'a\0A\n"{b*3}')

    def test_repetitions(self):
        """As the test findings/repetitions of tests/unit has them."""
        for pattern, expanded in ((b"{b*3}", b"bbb"), (b"x{ab*3}y{c*2}", b"xabababycc"), (b"{a*b*2}", b"a*ba*b"),
                                  (b"{ab*0}", b""), (b"{ab}{c*2}", b"{ab}cc"), (b"{*3}", b"{*3}"), (b"{a*}", b"{a*}"),
                                  (b"{a*+3}", b"{a*+3}"), (b"{\0\n*2}", b"\0\n\0\n"), (b"{{a*2}", b"{a{a"),
                                  (b"{a*3", b"{a*3")):
            with self.subTest(pattern):
                self.assertEqual(core.expand(pattern), expanded)

    def test_catalogue(self):
        found = list(inputs.catalogue())
        self.assertGreater(len(found), 200)
        self.assertIn(b"http://example.com/%zz", found)
        self.assertIn(b" http://example.com/", found)

    def test_deterministic(self):
        self.assertEqual(list(inputs.records(200, 7)), list(inputs.records(200, 7)))
        self.assertNotEqual(list(inputs.records(200, 7)), list(inputs.records(200, 8)))

    def test_no_nul(self):
        self.assertFalse(any(b"\0" in record for record in (*inputs.corpus(), *inputs.records(3000, 1))))


class Page(unittest.TestCase):
    def test_matrix(self):
        """Counts what both read, and of that what differs."""
        readings = [zoo.compared(b"a", line(verdict="reject"), {ONE: line(), OTHER: line(host=host)})
                    for host in ("ex.org", "ev.org", "-")]
        matrix = page.matrix_of(readings)
        self.assertEqual((matrix.both["one", "other"], matrix.differ["one", "other"]), (2, 1))
        self.assertEqual(matrix.share("other", "one"), 0.5)
        self.assertEqual(matrix.example["one", "other"], 1)
        self.assertEqual(sorted(page.neighbours(matrix)), ["one", "other"])


if __name__ == "__main__":
    unittest.main()
