# SPDX-License-Identifier: Apache-2.0
"""Tests of the comparison: planted bugs are named, and misbehaving readers are detected."""
from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import candidate
import cutting
import judging
import planted
import telling
import versus
from candidate import Candidate, Run
from judging import ALONE, APART, DIVIDED, REFUSED, minimal, rules, zoo

HERE = Path(__file__).resolve().parent
ROOT = zoo.ROOT
PARTNERS = [animal for animal in versus.partners("urllib", "") if not animal.lacks]
CATALOGUE = versus.catalogue(zoo.environment()["URIVET"])
ODD = b"http://ex.org/{x}"


class Inside(Candidate):
    """A planted reader, called without a process."""

    def __init__(self, bug: str) -> None:
        super().__init__(bug, ROOT)
        self.bug = bug

    def run(self, batch):
        return Run([planted.answer(record, self.bug).encode("ascii") for record in batch], None)


def held_against(mine: Candidate, records, blind=()) -> versus.Contest:
    held = versus.Contest(judging.Judge(mine, PARTNERS, blind, CATALOGUE), versus.Progress(time.monotonic(), False))
    held.run("table", records)
    return held


def names(held: versus.Contest, kinds=(APART, ALONE, REFUSED, DIVIDED)) -> set[str]:
    return {name for (kind, _, told), group in held.groups.groups.items() if kind in kinds
            for name in (told, *group.findings)}


class Planted(unittest.TestCase):
    def test_no_bug(self):
        """Negative control: the reader without a bug is compared on as many inputs, and no difference is
        found."""
        held = held_against(Inside(""), versus.table())
        held.run("generated", versus.usable(versus.generated(3000, "1")))
        found = {group.name: group.witness for group in held.groups.ranked() if group.witness.kind in (APART, ALONE, REFUSED)}
        self.assertEqual(found, {})
        self.assertGreater(held.judge.taken, 1000)

    def test_each_is_named(self):
        """Each bug is named, by the table or by a few thousand generated URLs."""
        for bug, wanted in planted.NAMED.items():
            with self.subTest(bug):
                held = held_against(Inside(bug), versus.table())
                if not names(held).intersection(wanted):
                    held.run("generated", versus.usable(versus.generated(4000, "1")))
                self.assertTrue(names(held).intersection(wanted), (bug, sorted(names(held))))

    def test_witness(self):
        """The witness is as small as possible, of the most severe kind, and shows the different readings."""
        held = held_against(Inside("last-at"), [b"http://www.example.com/index/@ev.org/x?y=z#t", b"http://ex.org/"])
        group = held.groups.ranked()[0]
        self.assertEqual((group.witness.kind, group.witness.component, group.count), (APART, "host", 1))
        self.assertLessEqual(len(group.witness.record), len(b"http://ex/@"))
        self.assertEqual(group.name, "@ in the path")

    def test_cutting_brings_nothing(self):
        """A minimised input gains no feature that could name it, even if it would be shorter: a digit as
        host."""
        held = held_against(Inside("backslash-is-slash"), [b"http://e0x\\.org/a"])
        self.assertEqual([(group.name, group.witness.record) for group in held.groups.ranked()], [("backslash-authority", b"http://a\\")])

    def test_one_bug_one_group(self):
        """An input that needs more features than another group is not a bug of its own, in either order."""
        records = [b"http://(\\", b"http://e\\x/"]
        for phases in ([records], [records[:1], records[1:]], [records[1:], records[:1]]):
            held = versus.Contest(judging.Judge(Inside("backslash-is-slash"), PARTNERS, (), CATALOGUE), versus.Progress(time.monotonic(), False))
            for phase in phases:
                held.run("table", phase)
            self.assertEqual([(group.name, group.count) for group in held.groups.ranked()], [("backslash-authority", 2)], phases)

    def test_each_octet(self):
        """Each octet occurs in each component, raw and as a triplet, so a reader that fails on a rare one
        is detected."""
        tried = versus.octets()
        for place in (b"u%s@", b"a%sb.org", b"/a%sb", b"?a%sb", b"#a%sb"):
            for octet in range(1, 256):
                for text in (bytes([octet]), b"%%%02X" % octet, b"%%%02x" % octet):
                    self.assertTrue(any(place % text in record for record in tried), (place, text))
        self.assertIn("invalid-utf8-escape", names(held_against(Inside("rare-octet"), tried)))
        self.assertNotIn("invalid-utf8-escape", names(held_against(Inside(""), tried), (APART, ALONE, REFUSED)))

    def test_causes(self):
        """A refused URL that shows the bug of an accepted one has that cause; one that needs no @ in its
        path has its own."""
        held = held_against(Inside("last-at,port-wraps"), [b"http://h/x@y", b"HTTP://a/@b", b"http://h:65561/"])
        ranked = held.groups.ranked()
        self.assertEqual([(group.name, cause) for group, cause in zip(ranked, telling.causes_of(ranked))],
                         [("@ in the path", "@ in the path"), ("scheme-case", "@ in the path"), ("port-overflow", "port-overflow")])
        held = held_against(Inside("first-at"), [b"http://a@b@c/"])
        self.assertEqual(telling.causes_of(held.groups.ranked()), ["userinfo-multiple-at and userinfo-present"])

    def test_empty_and_absent(self):
        """RFC 3986 distinguishes an empty query (5.3) from none. The report does so too, but not the
        comparison."""
        line = "accept\t-\thttp\t\\N\ta\t\\N\t/\t\t\\N\t80"
        read = telling.told(line)
        self.assertEqual((read["query"], read["fragment"], read["userinfo"]), ("", None, None))
        self.assertEqual(telling.in_line(read, ["query", "fragment"]), "query=(empty)  fragment=(absent)")

    def test_refusals(self):
        held = held_against(Inside("no-ipv6"), [b"https://[2001:db8::1]:443/a/b?c", b"http://ex.org/"])
        self.assertEqual([(g.witness.kind, g.witness.component) for g in held.groups.ranked()], [(REFUSED, "")])

    def test_blind(self):
        """A component that a reader does not show is not counted as a difference."""
        records = [b"http://ex.org/a?b+c"]
        self.assertTrue(names(held_against(Inside("plus-is-space"), records)))
        self.assertFalse(names(held_against(Inside("plus-is-space"), records, blind=["query"])))


class Minimal(unittest.TestCase):
    """Minimisation, with properties whose smallest inputs are known."""

    def test_smallest(self):
        """An @ before a backslash: http://@\\ if the scheme is kept, @\\ alone otherwise."""
        long = b"http://example.@ev.org\\@evi/v1/users/42/posts?limit=10" * 3
        made = minimal.minimised([long, b"x\\y@z\\"], lambda batch: [0 <= one.find(b"@") < one.rfind(b"\\") for _, one in batch],
                                 lambda record: 7 if record.startswith(b"http://") else 0)
        self.assertEqual(made, [b"http://@\\", b"@\\"])

    def test_plain_octets(self):
        """Octets that must be there become plain ones, in the order a, 1, /; the rest of the property is
        kept."""
        def holds(batch):
            return [len(one) == 4 and one[1:2].isdigit() and one[3:] == b"?" for _, one in batch]
        self.assertEqual(minimal.minimised([b"z9z?"], holds), [b"a1a?"])

    def test_no_two_octets_can_go(self):
        """Octets that can be removed only in pairs are removed; an input of which nothing can be removed
        is unchanged."""
        made = minimal.minimised([b"?xxxxxx?", b"a"], lambda batch: [len(one) % 2 == number and b"?" in one if number == 0 else one == b"a"
                                                                    for number, one in batch])
        self.assertEqual((len(made[0]), made[1]), (2, b"a"))

    def test_nothing_smaller(self):
        """A property that no candidate has, and no input at all."""
        self.assertEqual(minimal.minimised([b"abc"], lambda batch: [False] * len(batch)), [b"abc"])
        self.assertEqual(minimal.minimised([], lambda batch: []), [])

    def test_batches(self):
        """Many inputs take as many rounds as the longest of them."""
        rounds = []

        def holds(batch):
            rounds.append(len({number for number, _ in batch}))
            return [b"@" in one for _, one in batch]
        self.assertEqual(minimal.minimised([b"x" * 100 + b"@"] * 50, holds), [b"@"] * 50)
        self.assertEqual((rounds[0], len(rounds) < 12), (50, True), rounds)


class Misbehaving(unittest.TestCase):
    def candidate(self, way: str, *options: str, limit: float = 60) -> Candidate:
        return Candidate(f"{sys.executable} -B {HERE / 'bad_reader.py'} {way} {' '.join(options)}", ROOT, limit, size=8)

    def check(self, way: str, kind: str, *options: str, limit: float = 60) -> Candidate:
        """The error is reported with the record that causes it, and the other records are answered."""
        mine = self.candidate(way, *options, limit=limit)
        records = [b"http://ex.org/%d" % number for number in range(5)] + [ODD] + [b"http://ex.org/%d" % number for number in range(5, 7)]
        lines = mine.ask(records)
        self.assertEqual([record for record, line in zip(records, lines) if line is None], [ODD], way)
        self.assertEqual({(record, trouble.kind) for record, trouble in mine.blamed}, {(ODD, kind)}, way)
        self.assertEqual([line for line in lines if line], [planted.answer(record) for record in records if record != ODD])
        return mine

    def test_crash(self):
        for options in ((), ("buffered",)):
            mine = self.check("crash", "crash", *options)
            self.assertIn("SIGSEGV", mine.blamed[0][1].how)
        self.assertIn("exit status 3", self.check("status", "crash").blamed[0][1].how)
        self.assertIn("LookupError", self.check("raise", "crash", "buffered").blamed[0][1].how)

    def test_hang(self):
        """The timeout is long enough for a busy machine to answer in, and far below the reader's sleep."""
        self.check("hang", "hang", limit=2.5)
        mine = self.candidate("close", limit=2.5)
        self.assertEqual(mine.ask([ODD]), [None])
        self.assertEqual(mine.blamed[0][1].kind, "hang")

    def test_slow_start(self):
        """A reader whose start takes longer than the timeout is judged as well, and gets that time."""
        mine = Candidate(f"sleep 2; {sys.executable} -B {HERE / 'planted.py'}", ROOT, 0.7)
        versus.introduced(mine)
        self.assertGreater(mine.limit, 2)
        self.assertEqual(mine.ask([ODD, b"http://ex.org/"]), [planted.answer(ODD), planted.answer(b"http://ex.org/")])

    def test_out_of_step(self):
        for way, kind in (("silent", "early"), ("twice", "extra"), ("quit", "early")):
            self.check(way, kind)

    def test_garbage(self):
        for way in ("garbage", "columns", "prose"):
            self.check(way, "unreadable")

    def test_late(self):
        """Misaligned answers have the right number, but differ in reverse order."""
        mine = self.candidate("late")
        records = [b"http://ex.org/%d" % number for number in range(6)]
        self.assertGreater(mine.unsteady(records, mine.ask(records)), 0)
        self.assertEqual(mine.blamed[0][1].kind, "unsteady")
        control = Inside("")
        self.assertEqual(control.unsteady(records, control.ask(records)), 0)

    def test_endless(self):
        mine = self.candidate("endless")
        self.assertEqual(mine.ask([ODD]), [None])
        self.assertEqual(mine.blamed[0][1].kind, "endless")

    def test_patience(self):
        """A reader that fails on every record is given up, and the skipped records are counted."""
        mine = Candidate("exit 3", ROOT)
        records = [b"http://ex.org/%d" % number for number in range(400)]
        self.assertEqual(mine.ask(records), [None] * 400)
        self.assertGreater(mine.unasked, 0)
        self.assertEqual(len({record for record, _ in mine.blamed}) + mine.unasked, 400)

    def test_cut_down(self):
        mine = self.candidate("raise")
        mine.ask([b"http://example.com/a{b}"])
        broken = cutting.broken(mine)
        self.assertEqual([(one.trouble.kind, one.count) for one in broken], [("crash", 1)])
        self.assertLess(len(broken[0].record), len(b"http://example.com/a{b}"))
        self.assertIn(b"{", broken[0].record)

    def test_lines(self):
        good = b"accept\t-\thttp\t\\N\tex.org\t\\N\t/\\xC3\t\\N\t\t80"
        self.assertEqual(candidate.unreadable(good), "")
        for line in (b"", good + b"\r", good + b"\tx", b"maybe" + good[6:], good.replace(b"\\xC3", b"\\xc3"),
                     good.replace(b"\\xC3", b"\xc3"), good[:-2] + b"65536", good[:-2] + b"x"):
            self.assertNotEqual(candidate.unreadable(line), "", line)


class Command(unittest.TestCase):
    """The command as a user types it."""

    def versus(self, *words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-B", str(HERE / "versus.py"), *words], capture_output=True, text=True,
                              cwd=cwd, check=False, timeout=300)

    def test_templates(self):
        """Each installed language: its template reads records, answers with valid lines and never fails."""
        tried = []
        for name, needs in (("mine.py", "python3"), ("mine.c", "cc"), ("mine.js", "node"), ("mine.go", "go")):
            if shutil.which(needs) is None:
                continue
            command = versus.command_of(str(HERE / "templates" / name), ROOT)
            mine = Candidate(command, ROOT, 60)
            lines = mine.ask([b"http://u:p@EXAMPLE.com:8080/a?b#c", b"https://example.com/", b"http://[::1]/\xff \\", b"", b"http://["])
            self.assertEqual(mine.blamed, [], name)
            read = rules.target(lines[0])
            self.assertEqual(read, ("http", "u:p", "example.com", "8080", "/a", "b", "c"), name)
            self.assertEqual(rules.target(lines[1])[3], "443", name)
            tried.append(name)
        self.assertIn("mine.py", tried)

    def test_reports(self):
        with tempfile.TemporaryDirectory() as name:
            page, table, urls = (Path(name) / file for file in ("r.html", "r.tsv", "urls.txt"))
            urls.write_text("http://ex.org/\nhttp://a@b@c/\nhttp://[::1]/\n", encoding="ascii")
            done = self.versus(f"{sys.executable} -B {HERE / 'planted.py'} first-at no-ipv6", "--against=urllib", "--count=0", "--time=0",
                               "--files", str(urls), "-o", str(page), "-o", str(table))
            self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
            self.assertIn("connects to another host", done.stdout.splitlines()[0])
            rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
            self.assertEqual({len(row) for row in rows}, {len(telling.TABLE)})
            self.assertEqual((rows[1][:2], "userinfo-multiple-at" in rows[1][4]), (["alone", "host"], True))
            self.assertEqual(rows[2][:4], ["refused", "-", "an IPv6 address", "an IPv6 address"])
            self.assertIn('"userinfo-multiple-at"', page.read_text(encoding="utf-8"))
            again = subprocess.run(["sh", "-c", rows[1][-1]], capture_output=True, text=True, cwd=ROOT, check=True)
            self.assertRegex(again.stdout, r"\Aaccept\t-\thttp\t")

    def test_missing_readers(self):
        """The report names missing readers and the packages they need, and nothing if none is missing."""
        with tempfile.TemporaryDirectory() as name:
            urls, page = Path(name) / "urls.txt", Path(name) / "r.html"
            urls.write_text("http://ex.org/\n", encoding="ascii")
            missing = zoo.Animal(zoo.row_of("qt6"), lacks="needs deb:qt6-base-dev")
            for animals, told in ((PARTNERS + [missing], True), (PARTNERS, False)):
                with mock.patch("versus.partners", lambda *_, animals=animals: animals), redirect_stdout(io.StringIO()) as out, \
                        mock.patch("sys.argv", ["versus.py", str(HERE / "templates/mine.py"), "--count=0", "--time=0",
                                                f"--files={urls}", f"--output={page}"]):
                    self.assertEqual(versus.main(), 0)
                self.assertEqual("not compared with: qt6 needs deb:qt6-base-dev" in out.getvalue(), told)
                self.assertEqual('"lacks":"needs deb:qt6-base-dev"' in page.read_text(encoding="utf-8"), told)

    def test_status(self):
        """Status 0 without differences; 2 for a reader that cannot run or whose output is unreadable, with
        the expected format."""
        with tempfile.TemporaryDirectory() as name:
            urls = Path(name) / "urls.txt"
            urls.write_text("http://ex.org/\n", encoding="ascii")
            few = ("--against=urllib", "--count=0", "--time=0", "--files", str(urls))
            done = self.versus(str(HERE / "templates/mine.py"), *few)
            self.assertEqual((done.returncode, "no difference" in done.stdout), (0, True), done.stdout + done.stderr)
            for mine, told in (("./no-such-program", "crash"), ("cat", "ended by LF"), ("true", "nothing readable")):
                done = self.versus(mine, *few)
                self.assertEqual((done.returncode, told in done.stderr), (2, True), done.stderr)
            script = Path(name) / "mine.pl"
            script.write_text("print 1;\n", encoding="ascii")
            done = self.versus(str(script), *few)
            self.assertEqual((done.returncode, "name the command that runs it" in done.stderr), (2, True), done.stderr)
        self.assertEqual(self.versus("true", "--blind=hosts").returncode, 2)
        self.assertEqual(self.versus("--reader=no-such").returncode, 2)
        self.assertEqual(self.versus().returncode, 2)

    def test_quotes(self):
        """make passes the command on as it was typed."""
        done = subprocess.run(["make", "-s", "versus", "MINE=sh -c 'echo \"it is\"'", "N=0", "TIME=0", "AGAINST=urllib"],
                              capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)
        self.assertIn("it printed: it\\x20is", done.stderr)

    def test_reader_of_the_zoo(self):
        done = self.versus("--reader=urllib", "--against=urllib", "--count=0", "--time=0", "--with-most")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("exit status 1: differences", done.stdout.splitlines()[-1])
        folded = [line for line in done.stdout.splitlines() if "others read apart, as most of them do" in line]
        self.assertRegex(folded[0], r"do: \d+ kinds, listed in -o report.html")
        self.assertIn("$ZOO/py_urllib.py", done.stdout)


class Shell(unittest.TestCase):
    def test_replay(self):
        """The shell makes the original octets from the replay line."""
        for record in (b"http://ex.org/'%41$x", b"http://ex.org/\xff\x01 %'\\9", b"\n\n"):
            line = telling.replay(record, "cat")
            done = subprocess.run(["sh", "-c", line], capture_output=True, check=True)
            self.assertEqual(done.stdout, record + b"\0", line)


if __name__ == "__main__":
    unittest.main()
