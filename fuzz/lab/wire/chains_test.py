# SPDX-License-Identifier: Apache-2.0
"""Tests of the code that judges chains; no server is started."""
from __future__ import annotations

import io
import subprocess
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import bypasses
import by_clients
import reached
import routing
import stage
import tables
import targets
from by_clients import Sent
from classes import classes
from reached import Judge, Reached, Tally, Verdict
from stage import Answer, Chain, Running
from targets import Target

YES, NO = Verdict(True, "-"), Verdict(False, "dot-segment")
SECRET, PUBLIC, NONE = Answer(200, "secret"), Answer(200, "public"), Answer(404, "")
CLASSES = {one.id: one for one in classes()}


class Targets(unittest.TestCase):
    def test_enough(self):
        some = targets.all_targets()
        self.assertGreaterEqual(len(some), 400)
        self.assertEqual(len({target.octets for target in some}), len(some))
        self.assertGreaterEqual(len(targets.quick_targets()), 100)
        self.assertEqual({t.technique for t in some}, {t.technique for t in targets.quick_targets()})

    def test_records(self):
        """Each target fits into a record of urivet check, and no placeholder is left."""
        for target in targets.all_targets():
            self.assertNotIn(b"\0", target.octets)
            self.assertNotIn(b"{}", target.octets.replace(b"/a{}b", b""))

    def test_spellings(self):
        octets = {target.octets for target in targets.all_targets()}
        self.assertLess({b"/pub/..%3B/admin/f", b"/admin%3Bx/f", b"/%2Fadmin/f", b"/config.inc%3Fx", b"//admin/f",
                         b"?admin/f", b"https://www.example.com/admin/f", b"/pub/x#/../../admin/f",
                         b"/pub\\..\\admin/f"}, octets)

    def test_urls(self):
        self.assertEqual(targets.urls([Target("", b"?a"), Target("", b"http://x/"), Target("", b"/a#b")]),
                         [b"http://www.example.com?a", b"http://www.example.com/a#b"])


class Filters(unittest.TestCase):
    def test_target(self):
        for target in (b"/admin/f", b"/administer", b"/config.inc", b"/config.inc?x", b"http://h/admin/f"):
            self.assertTrue(reached.refused_by_filter(target), target)
        for target in (b"/pub/f", b"/pub/../admin/f", b"//admin/f", b"/config.inc/", b"?/config.inc", b"/x/admin"):
            self.assertFalse(reached.refused_by_filter(target), target)

    def test_url(self):
        for url in (b"http://h/admin/f", b"http://h/config.inc#x", b"http://h/config.inc?x"):
            self.assertTrue(reached.refused_before_client(url), url)
        for url in (b"http://h?/admin", b"http://h/x#/../admin", b"http://h/pub/../admin"):
            self.assertFalse(reached.refused_before_client(url), url)


class Answers(unittest.TestCase):
    def test_answer(self):
        self.assertEqual(stage.answer(b""), Answer(0, "", "", 0))
        self.assertEqual(stage.answer(b"HTTP/1.1 301 x\r\nlocation: /a\r\n\r\n"), Answer(301, "", "/a"))
        two = stage.answer(b"HTTP/1.1 200 x\r\n\r\nPUBLIC\nHTTP/1.1 200 x\r\n\r\nSECRET\n")
        self.assertEqual((two.shows, two.responses), ("secret", 2))
        self.assertEqual(stage.answer(b'HTTP/1.0 404 x\r\n\r\n<!DOCTYPE html PUBLIC "x">').shows, "")
        self.assertEqual(stage.answer(b"HTTP/1.0 200 x\r\n\r\nFILE 2f613b\n").shows, "file /a;")
        self.assertEqual(stage.answer(b"SECRET\n").status, 0)

    def test_last_line(self):
        with TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            running = Running("x", 1, mock.Mock(), log)
            self.assertEqual(running.last_line(), "it has no log")
            log.write_bytes(b"one\n\xfftwo\n\n")
            self.assertEqual(running.last_line(), "\ufffdtwo")


class Tallies(unittest.TestCase):
    octets, verdicts = [b"/pub/f", b"/admin/f", b"//admin/f"], [YES, YES, NO]

    def tally(self, *chains):
        tally = Tally()
        tally.add(chains, self.octets, self.verdicts)
        return tally

    def test_refused(self):
        tally = self.tally(Chain("p", "s", (PUBLIC, NONE, SECRET)), Chain("q", "s", (), "it has no log"))
        self.assertEqual((tally.chains, len(tally.accepted), len(tally.refused), len(tally.left_out)), (1, 0, 1, 1))
        self.assertEqual(tally.refused[0].chain, "p > s")
        self.assertEqual(tally.silent, 0)
        self.assertEqual(self.tally(Chain("p", "s", (PUBLIC, stage.answer(b""), NONE))).silent, 1)

    def test_accepted(self):
        tally = self.tally(Chain("p", "s", (PUBLIC, SECRET, NONE)))
        self.assertEqual([r.octets for r in tally.accepted], [b"/admin/f"])

    def test_alone(self):
        """A server denies nothing: what the filter refuses is not a bypass."""
        tally = self.tally(Chain("", "s", (PUBLIC, SECRET, SECRET)))
        self.assertEqual([(r.chain, r.octets) for r in tally.found], [("(filter) > s", b"//admin/f")])

    def test_open(self):
        """A row of open.tsv is about its programs and its targets, and excuses nothing else."""
        self.octets, self.verdicts = [b"/ADMIN/f", b"//admin/f", b"/ADMIN/f"], [YES, YES, NO]
        tally = self.tally(Chain("p", "express", (SECRET, SECRET, SECRET)), Chain("p", "s", (SECRET, NONE, NONE)))
        self.assertEqual([(r.chain, r.octets) for r in tally.accepted],
                         [("p > express", b"//admin/f"), ("p > s", b"/ADMIN/f")])
        self.assertEqual([(r.chain, r.octets) for r in tally.open], [("p > express", b"/ADMIN/f")])
        self.assertEqual(len(tally.refused), 1)

    def test_facts(self):
        tally = self.tally(Chain("p", "s", (PUBLIC, NONE, SECRET)), Chain("", "s", (PUBLIC, SECRET, NONE)))
        tally.found.append(Reached("c > s", b"http://h//admin/f", NO, "c"))
        self.assertEqual(tally.facts("told"), {"summary": "told", "chains": [
            {"proxy": "p", "server": "s", "accepted": 0, "open": 0, "refused": 1, "examples": ["//admin/f"]},
            {"proxy": "(filter)", "server": "s", "accepted": 0, "open": 0, "refused": 0, "examples": []}]})

    def test_printed(self):
        out = io.StringIO()
        with redirect_stdout(out):
            reached.print_reached([Reached("p > s", b"/a'%\\\r", YES), Reached("q > s", b"/a'%\\\r", YES)])
            reached.print_left_out([Chain("p", "s", (), "no word"), Chain("p", "t", (), "no word"),
                                    Chain("", "u", (), "x")])
        self.assertIn("through p > s, q > s", out.getvalue())
        self.assertIn("left out: p (before s, t): no word", out.getvalue())
        self.assertIn("left out: u: x", out.getvalue())

    def test_command(self):
        """The printed command sends the same octets again."""
        octets = bytes(range(1, 256))
        done = subprocess.run(["sh", "-c", Reached("p > s", octets, YES).command()], capture_output=True, check=True)
        self.assertTrue(done.stdout.startswith(b"GET " + octets + b" HTTP/1.1\r\nHost: "))
        self.assertIn("--client=c ", Reached("c > s", b"http://h/", YES, "c").command())


class Clients(unittest.TestCase):
    shown = {"s": {b"/admin/f": "secret", b"/pub/f": "public"}, "t": {}}
    url = b"http://www.example.com?admin/f"

    def test_reached(self):
        sent = [Sent("c", self.url, (b"/robots.txt", b"/admin/f")),
                Sent("c", b"http://www.example.com/admin/f", (b"/admin/f",))]
        found = list(by_clients.reached_by(sent, {self.url: NO}, self.shown))
        self.assertEqual([(r.chain, r.octets, r.client) for r in found], [("c > s", self.url, "c")])

    def test_counted(self):
        public = b"http://www.example.com/pub/f"
        sent = [Sent("c", public, (b"/pub/f",)), Sent("d", public, ()), Sent("c", self.url, (b"/admin/f",))]
        self.assertEqual(by_clients.counted(sent, self.shown), (1, ["d"]))
        self.assertEqual(by_clients.distinct(sent), [b"/pub/f", b"/admin/f"])

    def test_given(self):
        """A fast client gets all URLs, a slow one the first of each technique."""
        some = targets.all_targets()
        self.assertGreater(len(by_clients.given(some, "stream")), 400)
        slow = by_clients.given(some, "each")
        self.assertEqual(len(slow), by_clients.MOST["each"])
        self.assertEqual(slow[0], b"http://www.example.com/pub/f")
        self.assertTrue(any(b"#" in url for url in slow))


class Facts(unittest.TestCase):
    def passed(self, id, *lines, status=200):
        return routing.passed(CLASSES[id], Answer(status, "", "", 1, lines))

    def test_passed(self):
        for got, outcome in (("/a%2Fb", "same"), ("/a%2fb", "allowed"), ("/a/b", "changed")):
            self.assertEqual(self.passed("path %2F", f"GET {got} HTTP/1.0"),
                             {"outcome": outcome, "sent": "/a%2Fb", "got": got, "status": 200})
        self.assertEqual(self.passed("path %2F", status=404)["outcome"], "refused")
        self.assertEqual(self.passed("path %2F", status=0),
                         {"outcome": "nothing", "sent": "/a%2Fb", "got": "", "status": None})
        self.assertEqual(self.passed("path %3B", "GET /a;b HTTP/1.1")["outcome"], "allowed")
        self.assertEqual(self.passed("path %0A", "GET /a HTTP/1.1", "b HTTP/1.1")["got"], "/a and 1 more")

    def routed(self, id, answer):
        return routing.routed_to(CLASSES[id], answer)

    def test_routed(self):
        self.assertEqual(self.routed("path %24", Answer(200, "file a$b"))["outcome"], "served")
        self.assertEqual(self.routed("path %24", Answer(200, "file a%24b"))["outcome"], "elsewhere")
        self.assertEqual(self.routed(";x=1", Answer(200, "file a/b")),
                         {"outcome": "elsewhere", "sent": "/a;x=1/b", "got": "/a/b", "status": 200})
        for answer, outcome in ((Answer(301, "", "/a/b"), "elsewhere"), (Answer(404, ""), "missing"),
                                (Answer(400, ""), "refused"), (Answer(0, ""), "nothing")):
            self.assertEqual(self.routed("//", answer)["outcome"], outcome)

    def test_files(self):
        """There are files for the path as written and as decoded, but none for directories."""
        names = routing.files(routing.of_targets(classes()))
        self.assertLess({b"a/b", b"b", b"a$b", b"a%24b", b"a;b", b"a%3Bb", b"a b", b"b;", b"a\xc3\xa9b", b"a;x=1/b",
                         b"a:81/b", b"http:/v.test/b"}, set(names))
        self.assertNotIn(b"a", names)
        self.assertFalse([name for name in names if b"\0" in name or b".." in name.split(b"/")])
        self.assertEqual(routing.asked(CLASSES["final ;"]), b"/b;")
        self.assertEqual(routing.asked(CLASSES["same key"]), b"/b?c=1&b=2&c=3")


class Tables(unittest.TestCase):
    def test_rows(self):
        """Each row has its program, and each program its row."""
        for kind in ("servers", "proxies"):
            rows = tables.rows(kind)
            files = {path.stem for path in (tables.HERE / kind).iterdir() if path.suffix and path.stem != "adapter"}
            self.assertEqual(files, {row.name for row in rows})
            self.assertTrue(all(row["what"] for row in rows))

    def test_bypasses(self):
        """Each bypass is refused by the rule that its row names, according to urivet alone."""
        urivet = tables.ROOT / "build" / "urivet"
        if not urivet.exists():
            self.skipTest("urivet is not built")
        clients = {row.name for row in tables.rows("clients")} - {row.name for row in tables.rows("proxies")}
        for bypass in bypasses.rows():
            self.assertEqual(bypasses.stopped("gateway", bypass, bypass.first in clients), (True, True), bypass.told())

    def test_verdicts(self):
        judge = Judge("gateway")
        with mock.patch("subprocess.run") as run:
            run.return_value = mock.Mock(returncode=1, stdout=b"accept\t-\t\nreject\tdot-segment\t\n", stderr=b"")
            self.assertEqual(judge.targets([b"/", b"/.."]), [YES, NO])
            self.assertIn(b"GET www.example.com /..\0", run.call_args.kwargs["input"])
            with self.assertRaises(RuntimeError):
                judge.targets([b"/"])


if __name__ == "__main__":
    unittest.main()
