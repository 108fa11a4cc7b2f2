# SPDX-License-Identifier: Apache-2.0
"""Tests of the parser comparison: which readings disagree, and how inputs are read and split."""
from __future__ import annotations

import io
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import adapter
import inputs
import page
import rules
import zoo
from inputs import core, gate
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
        """Each difference that the table allows."""
        self.assertSame(line(), line(scheme="HTTP", host="EX.org", port="80", path=""))
        self.assertSame(line(), line(userinfo="", query="", fragment=""))
        self.assertSame(line(path="/%c3%a9%cA"), line(path="/%C3%A9%Ca"))
        self.assertSame(line(path="/\\xC3\\xA9"), line(path="/%c3%a9"))
        self.assertSame(line(query="'\\x20|\\x5C"), line(query="%27%20%7C%5c"))
        self.assertSame(line(fragment="'"), line(fragment="%27"))
        self.assertSame(line(path="/!$&'()*+,;=:@"), line(path="/%21%24%26%27%28%29%2a%2b%2c%3b%3d%3a%40"))
        self.assertSame(line(query="!$'()*,:@/?"), line(query="%21%24%27%28%29%2A%2C%3A%40%2f%3F"))

    def test_different(self):
        """Other places, and other requests there, count as differences."""
        self.assertDiffer(line(), line(host="ev.org"), "host")
        self.assertDiffer(line(), line(effective="81"), "port")
        self.assertDiffer(line(), line(effective="0"), "port")
        self.assertDiffer(line(), line(port="65616", effective="\\N"), "port")
        self.assertDiffer(line(), line(scheme="https"), "scheme")
        self.assertDiffer(line(), line(userinfo="u"), "userinfo")
        self.assertDiffer(line(), line(path="//"), "path")
        self.assertDiffer(line(query="a"), line(fragment="a"), "query", "fragment")
        self.assertDiffer(line(host="0x7f.1"), line(host="127.0.0.1"), "host")
        self.assertDiffer(line(host="::ffff:1.2.3.4"), line(host="1.2.3.4"), "host")
        self.assertDiffer(line(host="::1"), line(host="0:0:0:0:0:0:0:1"), "host")
        self.assertDiffer(line(path="/\\x5C"), line(path="/"), "path")

    def test_triplets(self):
        """In each component, all octets except those of the table differ between raw and escaped."""
        for part, allowed in (("path", b"!$&'()*+,;=:@"), ("query", b"!$'()*,:@/?"), ("fragment", b"'")):
            for octet in b"!#$%&'()*+,-./:;=?@AZaz09_~":
                one, other = line(**{part: f"/{octet:c}x"}), line(**{part: f"/%{octet:02x}x"})
                with self.subTest(part=part, octet=chr(octet)):
                    self.assertEqual(differing(one, other), [] if octet in allowed else [part])

    def test_any_host(self):
        """Hosts that no DNS query can find are compared like all others."""
        for host in ("ex.org?q", "ex.org#x.good", "ex.org/x.ev.org", "a\\x20b", "-a.org", "a..b", "ex.org.",
                     "b\\xC3\\xBCcher"):
            self.assertDiffer(line(), line(host=host), "host")

    def test_silent(self):
        """A refusal does not disagree; nor does a reading without scheme or host, unless the URL is
        accepted."""
        self.assertSame(line(), line(verdict="reject"))
        for other in (line(host="\\N"), line(host=""), line(scheme="\\N")):
            self.assertSame(line(), other)
            self.assertIsNone(rules.target(other), other)
            targets = rules.readings({ONE: line(), OTHER: other}, hostless=True)
            self.assertEqual(len(rules.differing(targets)), 1, other)

    def test_blind(self):
        """A component that a reader does not show is not compared; the others are."""
        self.assertSame(line(path="/a", query="b"), line(path="/c"), BLIND)
        self.assertEqual(differing(line(), line(host="ev.org", path="/c"), BLIND), ["host"])
        targets = rules.readings({ONE: line(path="/a"), BLIND: line(path="/c")})
        self.assertEqual(rules.grouped(targets, ["path"]), {("/a",): [ONE, BLIND]})

    def test_gravest_first(self):
        self.assertDiffer(line(), line(host="ev.org", path="/x", effective="81", fragment="f"),
                          "host", "port", "path", "fragment")

    def test_grouped(self):
        """The largest group comes first."""
        targets = rules.readings({ONE: line(host="ev.org"), OTHER: line(), Reader("third"): line(path="")})
        self.assertEqual(list(rules.grouped(targets, ["host"])), [("ex.org",), ("ev.org",)])


class Allowed(unittest.TestCase):
    """The table of differences that do not count, and of known ones."""

    def tearDown(self):
        rules.leave_out(())

    def test_rows(self):
        readers = {row.name for row in zoo.rows()}
        self.assertEqual(len({row.name for row in rules.TABLE}), len(rules.TABLE))
        for row in rules.TABLE:
            with self.subTest(row.name):
                self.assertIn(row.state, ("allowed", "excused", "open"))
                self.assertLessEqual(set(row.parts), {*rules.COMPONENTS, "Host field", "form"})
                self.assertTrue(row.kind in {*rules.KINDS, *rules.WAYS} or row.kind.startswith(rules.SENT))
                self.assertEqual(row.octets != "", row.kind == "triplet" or row.name == "empty-path")
                self.assertTrue(row.who and row.why)
                # a deviation of one reader or client is not a spelling
                self.assertEqual(row.state == "allowed", row.kind in rules.KINDS)
                if row.kind in rules.WAYS:
                    self.assertLessEqual(set(row.names()), readers)

    def test_one_excuse(self):
        """G12 of the gate, for OpenSSL, is the only exception; any other must become a rule of the gate
        first."""
        self.assertEqual([row.name for row in rules.TABLE if row.state == "excused"], ["openssl-colon"])
        self.assertEqual([row.name for row in rules.TABLE if row.kind in rules.WAYS],
                         ["openssl-colon", "openssl-question", "yarl-fragment"])

    def test_each_is_needed(self):
        """Without its row a difference counts."""
        pairs = {"letter-case": ("ex.org", "EX.org"), "default-port": ("\\N", "80"), "empty-path": ("/", ""),
                 "empty-query": ("\\N", ""), "empty-fragment": ("\\N", ""), "raw-octet": ("\\x20", "%20"),
                 "hex-case": ("%2f", "%2F"), "path-delimiter": (";", "%3B"), "query-delimiter": ("/", "%2F"),
                 "apostrophe": ("'", "%27")}
        for row in rules.TABLE:
            if row.state != "allowed":
                continue
            with self.subTest(row.name):
                one, other = (line(**{row.parts[-1]: text}) for text in pairs[row.name])
                self.assertEqual(differing(one, other), [])
                rules.leave_out([row.name])
                self.assertNotEqual(differing(one, other), [])
                rules.leave_out(())

    def test_no_such_row(self):
        with self.assertRaises(RuntimeError):
            rules.leave_out(["letter-cases"])

    def met(self, reader, written, read):
        targets = rules.readings({ONE: written, Reader(reader): read}, hostless=True)
        made, rows = rules.without_ways(targets, rules.target(written))
        return rules.differing(made), [row.name for row in rows]

    def test_question(self):
        """A deviation excuses exactly what it describes, for its reader only."""
        written, read = line(path="/a", fragment="b?c%3a"), line(path="/a#b", query="c%3a")
        self.assertEqual(self.met("openssl", written, read), ([], ["openssl-question"]))
        self.assertEqual(self.met("neon", written, read), (["path", "query", "fragment"], []))
        self.assertEqual(self.met("openssl", written, line(path="/a", query="c"))[1], [])
        self.assertEqual(self.met("openssl", line(path="/a", query="q", fragment="b?c"), read)[1], [])

    def test_fragment(self):
        written = line(fragment="%3a%2F%41%25")
        self.assertEqual(self.met("yarl", written, line(fragment=":/A%25")), ([], ["yarl-fragment"]))
        self.assertEqual(self.met("yarl", written, line(fragment=":/A%"))[1], [])
        self.assertEqual(self.met("yarl", written, line(path="/x", fragment=":/A%25"))[1], [])
        self.assertEqual(self.met("neon", written, line(fragment=":/A%25")), (["fragment"], []))

    def test_colon(self):
        """The host may be longer than written if it does not end in a dotted name, and for OpenSSL alone."""
        written = line(path="/f", query="p=107:1")
        for host in ("ex.org/f?p=107", "EX.org/f?p=107", "ex.org/", "ex.org/a.b/", "ex.org/a.b-/x_y-1",
                     "ex.org/x.y%3Bz"):
            read = line(host=host, effective="1")
            self.assertEqual(self.met("openssl", written, read), ([], ["openssl-colon"]), host)
            self.assertEqual(self.met("neon", written, read), (["host", "port", "path", "query"], []), host)
        for host in ("ex.org/x.good", "ex.org/a.", "ex.org/a_b.c-d", "ev.org/f", "ex.orgx", "ex.org?x",
                     "ex.org/f\\x0A.org"):
            self.assertEqual(self.met("openssl", written, line(host=host, effective="1"))[1], [], host)

    def test_spellings(self):
        """Equivalent spellings: the path or the query with its delimiters escaped, or raw."""
        self.assertEqual(rules.spellings(b"http://ex.org:80/a;%2Fb%3a?c=/%2c&d#;%3B"),
                         [b"http://ex.org:80/a%3B%2Fb%3a?c=/%2c&d#;%3B", b"http://ex.org:80/a;%2Fb:?c=/%2c&d#;%3B",
                          b"http://ex.org:80/a;%2Fb%3a?c=%2F%2c&d#;%3B", b"http://ex.org:80/a;%2Fb%3a?c=/,&d#;%3B"])
        self.assertEqual(rules.spellings(b"http://[2001:db8::1]"), [])

    def test_spellings_of_the_model(self):
        """The model of the gate gives equivalent spellings the same verdict, as the command must."""
        tried = 0
        for url in filter(lambda record: gate.judge(record).accept, inputs.records(4000, "spellings")):
            for other in rules.spellings(url):
                judgement = gate.judge(other)
                tried += 1
                self.assertTrue(judgement.accept or judgement.refusing & rules.OF_SPELLING, (url, other, judgement.rules))
        self.assertGreater(tried, 500)

    def test_spellings_judged_apart(self):
        """A spelling that is refused is reported, except for the rules about spelling."""
        verdicts = {b"/;": "accept\tpath-semicolon\t", b"/%3B": "reject\tx\t", b"/!": "reject\tescape-mixed-iri\t"}

        def check(batch, _):
            return [verdicts[url.removeprefix(b"http://a")] for url in batch]

        with mock.patch("zoo.check", check):
            self.assertEqual(zoo.judged_apart([b"http://a/;"], []), ["http://a/; is accepted, http://a/%3B is not: x"])
            self.assertEqual(zoo.judged_apart([b"http://a/%21"], []), [])


class Table(unittest.TestCase):
    def test_rows(self):
        """Each reader occurs once, with valid package names and existing files."""
        rows = zoo.rows()
        self.assertEqual(len({row.name for row in rows}), len(rows))
        for row in rows:
            with self.subTest(row.name):
                self.assertTrue(row.run and row.what)
                self.assertTrue(all(package.startswith(("deb:", "npm:")) for package in row.packages))
                self.assertLessEqual(row.blind, set(rules.COMPONENTS))
                self.assertTrue(all(path.is_file() for path in row.program.sources))


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
        """Returns this many third-party readers, all of urivet's own, and one that is missing."""
        rows = [zoo.Row(f"r{i}", (), frozenset(), "", "", "", "") for i in range(there)]
        ours = [zoo.Row(f"urivet-{i}", (), frozenset(), "", "", "", "") for i in range(4)]
        gone = zoo.Animal(zoo.Row("gone", ("deb:x",), frozenset(), "", "", "", ""), lacks="needs deb:x")
        return [*(zoo.Animal(row, version="1") for row in (*rows, *ours)), gone]

    def test_enough(self):
        """urivet's own readers do not count; missing readers are named."""
        self.assertTrue(zoo.enough(self.animals(zoo.FEWEST)))
        with mock.patch("sys.stderr", io.StringIO()) as told:
            self.assertFalse(zoo.enough(self.animals(zoo.FEWEST - 1)))
        self.assertIn("gone: needs deb:x", told.getvalue())

    def test_invited(self):
        """A single reader is compared with the URL as written; a missing one is named."""
        def visit(row):
            return zoo.Animal(row, **({"version": "1"} if row.name == "urllib" else {"lacks": "needs deb:x"}))

        with mock.patch("zoo.visit", visit), mock.patch("sys.stderr", io.StringIO()) as told:
            self.assertEqual([animal.row.name for animal in zoo.invited("urllib")], ["urllib", zoo.WRITTEN])
            self.assertIsNone(zoo.invited("go"))
            self.assertIsNone(zoo.invited(None))
        self.assertIn("go: needs deb:x", told.getvalue())
        with self.assertRaisesRegex(RuntimeError, "no reader 'nobody'"):
            zoo.invited("nobody")

    def test_death(self):
        """A reader that crashes on one record answers the others."""
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
        """The same cases as in the test findings/repetitions of tests/core/unit."""
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

    def test_shapes(self):
        """Each shape that a rule of the gate is about occurs many times."""
        made = list(inputs.records(6000, 3))
        for shape in (rb"://[^/?#]*[?#]", rb"://[^/?#]*[?#],", rb"://[^/?#]*[?#][^/]*@", rb"://[^/?#]*[?#][^/:]*\.[a-z]",
                      rb"/[^?#]*%2[Ff]", rb"/[^?#]*;(?=[?#]|\Z)", rb"/[^?#]*%3[Bb](?=[?#]|\Z)", rb"\.\.(;|%3[Bb])",
                      rb"#(!|%21)", rb"#([^#]*/)?\.\.?([/?]|\Z)", rb"/[^:]*\.[a-z]+:[0-9]+([/?#]|\Z)",
                      rb"/[^:.]*:[0-9]+([/?#]|\Z)", rb"\A[a-z]*[A-Z]"):
            with self.subTest(shape):
                self.assertGreater(sum(re.search(shape, record) is not None for record in made), 20)

    def given(self, *names) -> tuple[list[bytes], str]:
        with mock.patch("sys.stderr", io.StringIO()) as told:
            return inputs.given(list(map(str, names))), told.getvalue()

    def test_folder(self):
        """A folder is read file by file: an input each, lists by lines, without tables and descriptions."""
        files = {"one": b"http://a/\r\nb", "list.txt": b"http://b/\n\nhttp://c/\n", "sub/two": b"http://d/",
                 "nul": b"\0", "README.md": b"# words", "verdicts.tsv": b"input\tstrict", "facts.json": b"{}",
                 "sub/notes.md": b"words", ".git/HEAD": b"ref", ".gitignore": b"x"}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for path, octets in files.items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_bytes(octets)
            found = [b"http://b/", b"http://c/", b"http://a/\r\nb", b"http://d/"]
            self.assertEqual(self.given(folder), (found, ""))
            every, told = self.given(*sorted(folder.iterdir()))     # as a shell expands *
            found[2:3] = [b"http://a/\r", b"b", b"ref", b"x"]      # a file named directly is read by lines
            self.assertEqual(sorted(every), sorted(found))
            for left_out in ("README.md", "verdicts.tsv", "facts.json"):
                self.assertIn(f"{left_out} holds no inputs: left out", told)

    def test_corpus_as_folder(self):
        """The corpus is read without its tables and files for other harnesses."""
        def octets(*names) -> set[bytes]:
            return {path.read_bytes() for name in names for path in (inputs.CORPUS / name).rglob("*") if path.is_file()}

        found, told = self.given(inputs.CORPUS)
        self.assertEqual(told, "")
        missing = [record for record in inputs.corpus_files() if record and b"\0" not in record and record not in found]
        self.assertEqual(missing, [])
        uris = octets("uri", "regress", "cover", "findings", "gate") | set(inputs.lines(inputs.CORPUS / "sample.txt"))
        self.assertEqual([record for record in found if record not in uris], [])
        self.assertFalse([record for record in found if record.startswith((b"# ", b"input\t", b"GET "))])
        self.assertEqual(self.given(inputs.CORPUS / "policy", inputs.CORPUS / "verdicts.tsv")[0], [])

    def test_corpus_files(self):
        """Each is a file of the corpus that holds one input, or a line of its list."""
        named = {path.name for folder in ("uri", "regress", "cover") for path in (inputs.CORPUS / folder).iterdir()}
        self.assertFalse([name for name in named if "." in name])
        files = sum(len(list((inputs.CORPUS / folder).iterdir())) for folder in ("uri", "regress", "cover"))
        listed = len(list(inputs.lines(inputs.CORPUS / "sample.txt")))
        self.assertEqual(len(list(inputs.corpus_files())), files + listed)

    def test_nothing_given(self):
        """Files without inputs are an error; the corpus is not used instead."""
        args = mock.Mock(files=[str(inputs.CORPUS / "README.md")])
        with mock.patch("zoo.visit_all", list), mock.patch("zoo.enough", return_value=True), \
                mock.patch("sys.stderr", io.StringIO()), self.assertRaisesRegex(RuntimeError, "no inputs"):
            zoo.report(args)

    def test_no_nul(self):
        self.assertFalse(any(b"\0" in record for record in (*inputs.corpus(), *inputs.records(3000, 1))))


class Page(unittest.TestCase):
    def test_matrix(self):
        """Counts inputs that both read, and those of them that differ."""
        readings = [zoo.compared(b"a", line(verdict="reject"), {ONE: line(), OTHER: line(host=host)})
                    for host in ("ex.org", "ev.org", "")]
        matrix = page.matrix_of(readings)
        self.assertEqual((matrix.both["one", "other"], matrix.differ["one", "other"]), (2, 1))
        self.assertEqual(matrix.share("other", "one"), 0.5)
        self.assertEqual(matrix.example["one", "other"], 1)
        self.assertEqual(sorted(page.neighbours(matrix)), ["one", "other"])


if __name__ == "__main__":
    unittest.main()
