# SPDX-License-Identifier: Apache-2.0
"""The differential fuzzer's own tests: with misbehaving readers, and with the readers installed here."""
from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "zoo"),
                str(Path(__file__).resolve().parents[2])]

import clusters  # noqa: E402
import differential
import engines
import parsers
import progress
import reports
import rules
import zoo

HERE = Path(__file__).resolve().parent
TROUBLE = {"steady": "n", "reaching": "r", "crashing": "c", "aborting": "a", "hanging": "h", "writing": "w", "garbled": "g",
           "lying": "l"}
RUNS = 20000            # executions of a campaign, on a machine of any speed
GOOD, BAD, LIE = b"http://a.example/", b"http://a.example/~~", b"http://lie.example/"
# Witnesses found by a campaign, and whether a finding names the difference.
RECORDED = {b"x://127.0.0.1.n": True, b"https://127.2.2.2:\t8/": True, b"ws:/4.": True, b"x://@b@c": True,
            b"http://[2001:db8::1]/99": True, b"http://u@127.1.1.1:80\\@127.2.2.2/": True, b"x://[2001:db8::1]/99": False}
# Maps a witness to the parser without which all others agree.
ALONE = {b"ws:/4.": "libwebsockets"}


def quiet(call, *arguments):
    with redirect_stdout(io.StringIO()) as told, redirect_stderr(told):
        return call(*arguments), told.getvalue()


class Trouble(unittest.TestCase):
    """A misbehaving reader is reported, and the others continue."""

    @classmethod
    def setUpClass(cls):
        if shutil.which("clang-19") is None:
            raise unittest.SkipTest("clang-19 is missing")
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        parsers.make("build/readings")
        for name, letter in TROUBLE.items():
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-DREADER={name}", f"-DTROUBLE='{letter}'",
                            str(HERE / "trouble.c"), "-o", str(cls.folder / f"{name}.so")], check=True)

    def setUp(self):
        patch = mock.patch.object(parsers, "OUT", self.folder)
        patch.start()
        self.addCleanup(patch.stop)
        shutil.rmtree(self.folder / "replay", ignore_errors=True)

    def crew(self, *names: str) -> parsers.Crew:
        return parsers.Crew(self.found(*names))

    @staticmethod
    def found(*names: str) -> list[parsers.Parser]:
        return [parsers.Parser(parsers.Row(name, name, "", "", ""), "trouble 1") for name in names]

    def test_kinds(self):
        """Each kind of error: the next record is read, and the reader beside it reads all records."""
        kinds = {"reaching": "over-read", "crashing": "crash", "aborting": "abort", "hanging": "hang", "writing": "write",
                 "garbled": "crash"}
        for name, kind in kinds.items():
            with self.subTest(name), mock.patch.dict(os.environ, {"DIFFERENTIAL_HANG": "1"}):
                crew = self.crew(name, "steady")
                lines = crew.read([GOOD, BAD, GOOD])
                told = [(i.kind, i.reader, i.record) for i in crew.incidents()]
                self.assertEqual(told, [(kind, name, BAD)])
                for number in (0, 2):
                    self.assertEqual(set(lines[number].values()), {zoo_line("a.example")})
                ends = kind in engines.STOPPING     # no reader's answer is known if the process ended
                self.assertEqual(lines[1]["steady"].startswith("reject"), ends)
                shutil.rmtree(self.folder / "replay", ignore_errors=True)

    def test_place(self):
        """The reported place of an incident is in the reader."""
        crew = self.crew("reaching")
        crew.read([BAD])
        self.assertRegex(crew.incidents()[0].place, r"^reaching\.so\+0x[0-9a-f]+ \w+$")

    def test_control_without_guard(self):
        """Negative control: without the guard page the over-read is not detected."""
        with mock.patch.dict(os.environ, {"DIFFERENTIAL_GUARD": "off"}):
            crew = self.crew("reaching", "steady")
            crew.read([GOOD, BAD])
        self.assertEqual(crew.incidents(), [])

    def test_control_without_trouble(self):
        crew = self.crew("steady")
        self.assertEqual(crew.read([BAD])[0]["steady"], zoo_line("a.example", "http://a.example/~~"))
        self.assertEqual(crew.incidents(), [])

    def test_minimised(self):
        """The result is short and plain while the two readers differ; parts that they agree on lose their
        host, scheme and all."""
        crew = self.crew("steady", "lying")
        self.assertEqual(crew.minimised([b"http://u.example:81/x/~~?q#f"]), [b"http://a/~~"])
        self.assertEqual(crew.minimised([b"http://u.example:81/x/?q#f"]), [b"http://a"])
        self.assertEqual(crew.minimised([LIE + b"a/b?c"]), [b"http://lie.example"])

    def test_minimised_beside_trouble(self):
        """A record that ends the process is unchanged."""
        self.assertEqual(self.crew("steady", "crashing").minimised([b"a://b/~~", GOOD]), [b"a://b/~~", b"http://a"])

    # ---- campaigns

    def campaign(self, names, seeds=(), jobs=1):
        made = engines.Campaign(self.found(*names), "libfuzzer", 100, jobs, self.folder / "found", RUNS)
        with mock.patch("engines.corpus_files", lambda: iter([GOOD, *seeds])):
            made.run()
        return made

    def run_with(self, *names):
        """Returns the exit status and output of a whole run over these readers."""
        args = mock.Mock(time=100, runs=RUNS, jobs=1, engine="libfuzzer", alone=True, out=self.folder / "found")
        with mock.patch("parsers.visit_all", lambda: self.found(*names)), mock.patch("zoo.FEWEST", 2), \
                mock.patch("parsers.other_rows", list), mock.patch("parsers.table", dict), \
                mock.patch("engines.corpus_files", lambda: iter([GOOD, LIE])):
            return quiet(differential.run, args)

    def test_goes_on_without(self):
        """A parser that ends the process repeatedly is left out, and the run completes."""
        made = self.campaign(("crashing", "steady"), [BAD])
        self.assertEqual(made.left_out, ["crashing"])
        self.assertGreater(len(made.records()), 2)
        self.assertIn("executions", made.counts())
        kinds = {(i.kind, i.reader) for i in parsers.incidents_of(made.out / "incidents.tsv")}
        self.assertEqual(kinds, {("crash", "crashing")})

    def test_two_jobs(self):
        made = self.campaign(("steady", "reaching"), [BAD], jobs=2)
        self.assertTrue(all((made.out / f"log-{job}").exists() for job in range(2)))
        self.assertEqual({i.kind for i in parsers.incidents_of(made.out / "incidents.tsv")}, {"over-read"})

    def test_hole(self):
        """Status 1 if two readers differ on what strict accepts; 0 if one of them only misbehaves."""
        status, told = self.run_with("steady", "lying")
        self.assertEqual(status, 1, told)
        self.assertIn("ACCEPTED AND READ APART\n  http://lie.example", told)
        status, told = self.run_with("steady", "aborting")
        self.assertEqual(status, 0, told)
        self.assertTrue((self.folder / "found" / "report.html").exists())

    def replayed(self, line: str) -> str:
        """Returns the output of a printed replay command, split as a shell does."""
        words = line.removeprefix("python3 fuzz/lab/differential/differential.py ")
        self.assertNotEqual(words, line)
        split = subprocess.run(["sh", "-c", f"printf '%s\\0' {words}"], capture_output=True, check=True).stdout
        with mock.patch("sys.argv", ["differential.py", *map(os.fsdecode, split.split(b"\0")[:-1])]):
            status, told = quiet(differential.main)
        self.assertEqual(status, 0, told)
        return told

    def test_replay_lines(self):
        """Each printed command runs the readers that disagree, in whichever process they are, and shows
        the difference."""
        program = self.folder / "guest.py"
        program.write_text(Guests.seeing("%"), encoding="ascii")
        row = zoo.Row("guest", (), frozenset(), "", f"/usr/bin/python3 -B {program}", "", "")
        names = ("steady", "lying")
        with mock.patch("parsers.visit_all", lambda: self.found(*names)), mock.patch("parsers.other_rows", lambda: [row]), \
                mock.patch("zoo.visit", zoo.Animal), mock.patch("parsers.table", lambda: dict.fromkeys(names)):
            crew = self.crew(*names)
            result = clusters.of_records([LIE, b"http://a.example/%41~~", b"http://a.example/~~"], crew, [zoo.Animal(row)])
            self.assertGreaterEqual(len(result.readings), 3)
            asked = set()
            for reading in result.readings:
                line = clusters.replay_line(reading.record, clusters.disagreeing(reading))
                told = self.replayed(line)
                self.assertGreaterEqual(told.count("read apart: "), 2, (line, told))
                asked.update(clusters.disagreeing(reading))
            self.assertEqual(asked, {"steady", "lying", "guest"})
            # Near miss: an input read alike shows no difference, and an unknown reader is refused.
            self.assertNotIn("read apart", self.replayed(clusters.replay_line(b"http://a.example/", ["steady", "guest"])))
            with mock.patch("sys.argv", ["differential.py", "replay", "--readers=no-such", "x"]):
                status, told = quiet(differential.main)
            self.assertEqual((status, "no reader no-such" in told), (2, True), told)

    def test_minimal_for_all(self):
        """A difference of a reader in another language is minimised for that reader as well: without a
        slash before it the | would be an octet of the host, which other findings name."""
        program = self.folder / "guest.py"
        program.write_text(Guests.seeing("|"), encoding="ascii")
        row = zoo.Row("guest", (), frozenset(), "", f"/usr/bin/python3 -B {program}", "", "")
        result = clusters.of_records([b"http://a.example:80/a|b?c=d#e"], self.crew("steady"), [zoo.Animal(row)])
        self.assertEqual([cluster.first.record for cluster in result.clusters], [b"http://a/|"])

    def test_unnamed(self):
        """If no finding names the difference: status 1 for web schemes; other schemes are only shown."""
        texts = {"scheme-not-allowed": {"class": "policy"}, "port-zero": {"class": "ambiguous"}}
        for url, finding, status in ((b"http://a/", "scheme-not-allowed", 1), (b"http://a/", "port-zero", 0),
                                     (b"x://a/", "scheme-not-allowed", 0)):
            verdict = zoo_line("a").replace("accept\t-", f"reject\t{finding}", 1)
            told = {rules.Reader("one"): zoo_line("a"), rules.Reader("other"): zoo_line("b")}
            reading = zoo.compared(url, verdict, told)
            result = clusters.result_of([reading], texts, dict.fromkeys(("one", "other"), "1"))
            campaign = mock.Mock(left_out=[], out=self.folder)
            self.assertEqual(quiet(differential.tell, campaign, result, [])[0], status, (url, finding))
            self.assertEqual(len(result.clusters), 1)

    def test_no_engine(self):
        """A missing engine is reported with its packages, and no run is claimed."""
        for engine, package in (("libfuzzer", "libclang-rt-19-dev"), ("afl", "afl++")):
            with mock.patch("shutil.which", return_value=None), self.assertRaisesRegex(RuntimeError, re.escape(package)):
                engines.Campaign(self.found("steady"), engine, 1, 1, self.folder / "found").run()

    def test_too_few(self):
        with mock.patch("parsers.visit_all", lambda: self.found("steady")):
            status, told = quiet(differential.run, mock.Mock())
        self.assertEqual(status, 2)
        self.assertIn("sh fuzz/lab/differential/install.sh", told)


def zoo_line(host: str, url: str = "") -> str:
    return "\t".join(["accept", "-", "http", "\\N", host, *["\\N"] * 4, "80"])


# A stand-in for ada that knows one URL: the functions that ada.cpp calls. ADA= names its folder; ada
# itself is not tested.
STAND_IN = """
#include <optional>
#include <string_view>
#define ADA_VERSION "0.0"
namespace ada {
struct url_aggregator {
	std::string_view get_protocol() const { return "http:"; }
	std::string_view get_username() const { return "u"; }
	std::string_view get_password() const { return "p"; }
	std::string_view get_hostname() const { return "a.example"; }
	std::string_view get_port() const { return ""; }
	std::string_view get_pathname() const { return "/b"; }
	std::string_view get_search() const { return "?c"; }
	std::string_view get_hash() const { return ""; }
};
template <class url> std::optional<url> parse(std::string_view text)
{
	return text == "http://u:p@a.example/b?c" ? std::optional<url>(url()) : std::nullopt;
}
}
"""


class Ada(unittest.TestCase):
    def test_given(self):
        """ada is available if and only if its source is given."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("ada.h", STAND_IN), ("ada.cpp", '#include "ada.h"\n')):
                (Path(folder) / name).write_text(text, encoding="ascii")
            with mock.patch("parsers.OUT", Path(folder)), mock.patch("parsers.table", dict):
                with mock.patch.dict(os.environ, {"ADA": ""}):
                    self.assertEqual(parsers.visit_all(), [])
                with mock.patch.dict(os.environ, {"ADA": folder}):
                    found = parsers.visit_all()
                self.assertEqual([(p.name, p.version, p.lacks) for p in found], [("ada", "ada 0.0", "")])
                lines = parsers.Crew(found).read([b"http://u:p@a.example/b?c", b"x"])
        self.assertEqual([line["ada"] for line in lines],
                         ["\t".join(["accept", "-", "http", "u:p", "a.example", "\\N", "/b", "c", "\\N", "80"]), zoo.REFUSED])


class Guests(unittest.TestCase):
    """Readers in other languages, as processes."""

    HONEST = "import sys\nfor r in sys.stdin.buffer.read().split(b'\\0')[:-1]:\n" \
             "    print('accept','-','http','\\\\N',r.decode(),*['\\\\N']*5,sep='\\t')\n"

    @staticmethod
    def seeing(octet: str) -> str:
        """Returns a reader that reads as trouble.c does, but finds the host b.example where it sees this
        octet."""
        return ("import re, sys\nfor r in sys.stdin.buffer.read().decode('latin-1').split('\\0')[:-1]:\n"
                "    m = re.match('(.*?)://([!-.0-9;->@-~]*)', r)\n    no = '\\\\N'\n"
                "    port = {'http': 80, 'https': 443}.get(m and m[1], no)\n"
                f"    host = 'b.example' if '{octet}' in r else m and m[2]\n"
                "    print(*(('accept', '-', m[1], no, host, no, no, no, no, port) if m else ('reject', '-', *[no] * 8)), sep='\\t')\n")

    def guest(self, program: str) -> parsers.Guest:
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        (Path(folder) / "reader.py").write_text(program, encoding="ascii")
        row = zoo.Row("guest", (), frozenset(), "", f"/usr/bin/python3 -B {folder}/reader.py", "", "")
        return parsers.Guest(zoo.Animal(row))

    def test_honest(self):
        guest = self.guest(self.HONEST)
        lines = guest.ask([b"a", b"bad", b"b"])
        self.assertEqual([line.split("\t")[4] for line in lines], ["a", "bad", "b"])
        self.assertEqual(guest.incidents, [])

    def test_trouble(self):
        """It crashes, hangs, prints garbage, one line too few or too many, or answers the previous record."""
        kinds = {"crash": "    if b'bad' in r: sys.exit(3)\n", "hang": "    if b'bad' in r:\n        import time; time.sleep(60)\n",
                 "garbage": "    if b'bad' in r: print('what?'); continue\n",
                 "out of step": "    if b'bad' in r: continue\n"}
        for kind, line in kinds.items():
            with self.subTest(kind), mock.patch("parsers.PATIENCE", 4 if kind == "hang" else parsers.PATIENCE):
                guest = self.guest(self.HONEST.replace("    print", line + "    print", 1))
                lines = guest.ask([b"a", b"bad", b"b"])
                self.assertEqual([i.record for i in guest.incidents], [b"bad"])
                self.assertEqual(guest.incidents[0].kind, kind)
                self.assertEqual(lines[1], zoo.REFUSED)
                self.assertEqual([lines[i].split("\t")[4] for i in (0, 2)], ["a", "b"])

    def test_one_answer_late(self):
        """It prints as many lines as there are records, each about the previous record."""
        late = self.HONEST.replace("for r in", "before = b'?'\nfor s in").replace(
            "    print", "    r, before = (before, s) if b'http' not in s or before != b'?' else (s, s)\n    print", 1)
        guest = self.guest(late)
        guest.ask([b"a", b"b"])
        self.assertIn("out of step", [i.kind for i in guest.incidents])

    def test_left_alone(self):
        """After a few incidents it is not used any more."""
        guest = self.guest("import sys\nsys.exit(1)\n")
        self.assertEqual(guest.ask([b"%d" % i for i in range(50)]), [zoo.REFUSED] * 50)
        self.assertEqual(len(guest.incidents), parsers.MOST_INCIDENTS)


class Told(unittest.TestCase):
    """A long run reports its progress every few seconds."""

    def test_lines(self):
        for each, told in ((0.02, True), (60, False)):
            with redirect_stderr(io.StringIO()) as out, progress.Progress("differential", lambda: "3 executions", each) as shown:
                shown.phase = "fuzzing"
                deadline = time.monotonic() + 20
                while told and not out.getvalue() and time.monotonic() < deadline:
                    time.sleep(0.01)
            self.assertEqual(bool(re.match(r"differential: (start|fuzzing), \d+ s; 3 executions\n", out.getvalue())), told)

    def test_ten_seconds(self):
        self.assertLessEqual(progress.EACH, 10)


class Naming(unittest.TestCase):
    def test_smallest(self):
        """Sets without another set as a subset; the empty set is a subset of no set."""
        sets = [frozenset(s) for s in ("ab", "a", "bc", "bcd", "d", "")]
        self.assertEqual([sorted(s) for s in clusters.smallest(set(sets))], [["a"], ["d"], ["b", "c"]])

    def test_web(self):
        for record in (b"http://a", b"HTTPS:a", b" \thttp:a", b"http:"):
            self.assertTrue(clusters.is_web(record), record)
        for record in (b"httpx://a", b"ws://a", b"//a", b"a:http:b", b""):
            self.assertFalse(clusters.is_web(record), record)

    def test_known_ways(self):
        """A known deviation on accepted URLs is not a hole; an unknown one is."""
        verdict = "\t".join(["accept", "-", "http", "\\N", "ex.org", "\\N", "/f", "p=107:1", "\\N", "80"])
        right = verdict
        for host, port, hole in (("ex.org/f?p=107", "1", False), ("ev.org", "1", True)):
            other = "\t".join(["accept", "-", "http", "\\N", host, port, "/", "\\N", "\\N", port])
            reading = zoo.compared(b"http://ex.org/f?p=107:1", verdict,
                                   {rules.Reader("neon"): right, rules.Reader("openssl"): other})
            self.assertEqual(clusters.apart(reading), hole)
            # nor, for refused input, what the findings name
            lines = {**reading.lines, rules.Reader(clusters.CUT): right}
            refused = zoo.compared(b"http://ex.org/f?p=107:1", verdict.replace("accept\t-", "reject\tx"), lines)
            self.assertIn("host", refused.differing)
            self.assertEqual(clusters.apart(refused), hole)

    def test_c_strings(self):
        for record in (b"", b"//[]", bytes(range(1, 256)), b"a\\0071\"?"):
            self.assertEqual(reports.from_c_string(reports.c_string(record)), record)
        self.assertEqual(reports.c_string(b'\t1"?a??'), '"\\0111\\042?a?\\077"')


class Here(unittest.TestCase):
    """The parsers installed on this machine."""

    @classmethod
    def setUpClass(cls):
        cls.found = [parser for parser in parsers.visit_all() if not parser.lacks]
        if len(cls.found) < zoo.FEWEST:
            raise unittest.SkipTest("too few parsers are here: sh fuzz/lab/differential/install.sh")

    def test_table(self):
        """Each row is a reader of fuzz/lab/zoo, and cites where its documentation names the standard."""
        rows = {row.name for row in zoo.rows()}
        for row in parsers.table().values():
            self.assertIn(row.name, rows)
            self.assertTrue(row.library and row.call.count("INPUT") == 1, row)
            self.assertTrue(row.says or not row.standard, row)

    def test_as_in_the_zoo(self):
        """In one process and before a guard page, a parser reads the same as it does as a program."""
        batch = [b"http://ex.org/", b"http://u:p@EX.org:81/a?b#c", b"http://ex.org#x", b"x://[::1/", b"a b", b"http://1.2/"]
        crew = parsers.Crew(self.found)
        lines = crew.read(batch)
        for row in zoo.rows():
            if row.name in crew.names:
                animal = zoo.visit(row)
                self.assertEqual([line[row.name] for line in lines], zoo.ask(animal, batch), row.name)

    def test_recorded(self):
        """Differences recorded from earlier campaigns still occur and are named."""
        crew = parsers.Crew(self.found)
        if not {"neon", "apr", "boost", "openssl"} <= set(crew.names):
            self.skipTest("neon, apr, boost and openssl are needed")
        result = clusters.of_records([], crew, [])
        for record, named in RECORDED.items():
            if record in ALONE and ALONE[record] not in crew.names:
                continue
            lines = {rules.Reader(name): line for name, line in crew.read([record])[0].items()}
            reading = zoo.compared(record, zoo.check([record], [])[0], lines)
            with self.subTest(record):
                self.assertTrue(clusters.apart(reading))
                self.assertEqual(bool(clusters.name_of(reading, result.texts)), named)

    def test_report_made(self):
        """A report states the parser's reading and the standard's; an input that is read alike has no
        report."""
        crew = parsers.Crew(self.found)
        if not {"uriparser", "neon"} <= set(crew.names):
            self.skipTest("uriparser and neon are needed")
        standard = [zoo.visit(row) for row in zoo.rows() if row.name == reports.STANDARD]
        made = reports.of_record("neon", b"http://a#", crew, standard)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / made.file_name
            path.write_text(reports.text_of(made, parsers.table()["neon"]), encoding="utf-8")
            facts = reports.facts_of(path)
            self.assertEqual(facts["outcome"], "scheme=http host=a# path=/ effective-port=80")
            self.assertEqual(reports.from_c_string(facts["input"]), b"http://a#")
            self.assertIn("By RFC 3986 it is scheme=http host=a path= fragment= effective-port=80.", path.read_text("utf-8"))
        for record in (b"http://a/", b"http://a"):
            with self.assertRaisesRegex(RuntimeError, "as RFC 3986 does"):
                reports.of_record("uriparser", record, crew, standard)

    def test_reports(self):
        """Recorded reports still describe the behaviour of that version of the parser."""
        crew, checked = parsers.Crew(self.found), 0
        for path in sorted((HERE / "reports").glob("*.md")):
            facts = reports.facts_of(path)
            if crew.versions.get(facts.get("reader")) != facts.get("version"):
                continue
            record = reports.from_c_string(facts["input"])
            again = parsers.Crew([p for p in self.found if p.name == facts["reader"]])
            incidents = [reports.told(incident) for incident in again.incidents_at(record)]
            line = again.read([record])[0][facts["reader"]]
            with self.subTest(path.name):
                self.assertEqual(incidents[0] if incidents else reports.columns(line), facts["outcome"])
                self.assertIn(reports.c_string(record), facts["call"])
            checked += 1
        print(f"{checked} reports hold for the versions that are here", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
