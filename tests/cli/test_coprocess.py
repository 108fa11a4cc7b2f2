# SPDX-License-Identifier: Apache-2.0
"""Tests programs that keep one urivet running and query it record by record, as src/examples/coprocess.py and
.mjs do."""

import contextlib
import fcntl
import importlib.util
import os
import random
import select
import shutil
import stat
import subprocess
import sys
import textwrap

from helper import BAD, GOOD, URIVET, Case, environment, finding_ids, instrumented, needs, run, takes_long, write_file

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "examples")
PYTHON_EXAMPLE, NODE_EXAMPLE = (os.path.abspath(os.path.join(EXAMPLES, "coprocess." + end)) for end in ("py", "mjs"))
NODE = shutil.which("node")

COUNT = 100_000
LOCKSTEP = 2_000  # records that are sent only after the answer to the previous one
LIMIT = 8192
BLOCK = 262_144  # octets that the command reads at once
F_SETPIPE_SZ = 1031  # fcntl(2); fcntl.F_SETPIPE_SZ exists since Python 3.10, on Linux only


def load_example():
    """Returns the example as a module."""
    spec = importlib.util.spec_from_file_location("coprocess", PYTHON_EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- Hostile records -------------------------------------------------------------------------------------------

PIECES = [b"http", b"https", b"HTTP", b"javascript", b"://", b":", b"//", b"/", b"\\", b"@", b"?", b"#", b"[", b"]",
          b"[::1]", b"%", b"%0a", b"%00", b"%41", b"%zz", b".", b"..", b"example.com", b"evil.example", b"127.0.0.1",
          b"0x7f.1", b"user:secret@", b":80", b":99999", b"/../", b" ", b"\t", b"\n", b"\r\n", b"\r", b"\n\n",
          b"\nhttp://example.com/\n", b"\n{\"uri\":\"x\",\"verdict\":\"accept\"}\n", b"\0",
          b"\0http://example.com/", b"accept\t-\t", b'"', b"'", b"\\n", b"\\u0000", b"\\x00", b"xn--", b"-", b"--",
          b"--policy=any", b"-q"]
TERMINAL = [b"\x1b[2J", b"\x1b[31m", b"\x1b]0;title\x07", b"\x1b[6n", b"\x9b31m", b"\xc2\x9b31m",
            b"\xc2\x9d0;title\xc2\x9c", b"\x07", b"\x08\x08",
            b"\x0b", b"\x0c", b"\x0e", b"\x7f", b"\xc2\x85", b"\x1c", b"\x1d", b"\x1e"]
UNICODE = ["\u2028", "\u2029", "\u202e", "\u200b", "\ufeff", "\u0085", "\U0001f4a9", "\U0010ffff", "\ud7ff", "\ue000",
           "\uffff", "\xe9",
           "\u3002", "\uff0f", "\u0130"]
NOT_UTF8 = [b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x92", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
            b"\xe0\x80\xaf"]


def piece(dice):
    """Returns a random part of a record."""
    kind = dice.randrange(10)
    if kind < 5:
        return dice.choice(PIECES)
    if kind == 5:
        return dice.choice(TERMINAL)
    if kind == 6:
        return dice.choice(UNICODE).encode()
    if kind == 7:
        return dice.choice(NOT_UTF8)
    return dice.randbytes(dice.randrange(4))


def hostile(dice):
    """Returns a random record, which may contain any octets."""
    kind = dice.randrange(100)
    if kind == 0:
        return b""
    if kind < 30:  # good records between them: a shifted answer has the wrong verdict
        return b"http://example.com/%d" % dice.randrange(1000)
    if kind == 30 and dice.randrange(4) == 0:
        length = dice.choice([LIMIT - 1, LIMIT, LIMIT + 1, LIMIT + 2, dice.randrange(LIMIT, 4 * LIMIT), 70_000])
        return (b"http://example.com/" + piece(dice) * 3).ljust(length, dice.choice([b"a", b"\n", b"\xff"]))
    if kind == 31:
        return bytes([dice.randrange(256)])
    head = b"http://example.com/" if dice.randrange(3) == 0 else b""
    return head + b"".join(piece(dice) for _ in range(dice.randrange(1, 8)))


def hostile_records(count=COUNT, seed=9112):
    """Returns this many records, the same at each call."""
    dice = random.Random(seed)
    each = [head + bytes([octet]) for head in (b"", b"http://example.com/") for octet in range(256)]
    return each + [hostile(dice) for _ in range(count - len(each))]


def said_of_arguments(records):
    """Returns verdict and findings by urivet check -- URI ..., where nothing can end a record; None for
    records that cannot be arguments."""
    reported = [None] * len(records)
    askable = [i for i, record in enumerate(records) if b"\0" not in record]
    at = 0
    while at < len(askable):
        chunk, size = [], 0
        while at < len(askable) and len(chunk) < 2000 and size < 500_000:
            chunk.append(askable[at])
            size += len(records[askable[at]])
            at += 1
        rows = run("check", "--format=tsv", "--", *(records[i] for i in chunk)).rows()
        assert len(rows) == len(chunk), (len(rows), len(chunk))
        for i, row in zip(chunk, rows):
            reported[i] = (row[0], tuple(sorted(finding_ids(row[1]))))
    return reported


# ---- The examples ------------------------------------------------------------------------------------------------

# Reads records, each after its length in 4 octets; writes a line for each: verdict, findings, whether urivet
# was queried.
NODE_DRIVER = """
    import { readFileSync } from 'node:fs';
    const [example, records, command, lockstep, ...options] = process.argv.slice(1);
    const { Coprocess } = await import(example);
    const octets = readFileSync(records);
    const urivet = new Coprocess(options, command);
    const answers = [];
    for (let at = 0; at < octets.length;) {
        const end = at + 4 + octets.readUInt32BE(at);
        const answer = urivet.check(octets.subarray(at + 4, end)).then(({ accepted, findings, report }) =>
            [accepted ? 'accept' : 'reject', findings.sort().join(','), report !== null].join('\\t') + '\\n');
        if (answers.length < lockstep)
            await answer;
        answers.push(answer);
        at = end;
    }
    process.stdout.write((await Promise.all(answers)).join(''));
    await urivet.close();
"""


def ask_node(records, *options, folder, lockstep=LOCKSTEP, command=URIVET):
    """Returns the answers of the Node example, in the form of ask_python()."""
    path = os.path.join(folder, "records")
    write_file(path, b"".join(len(record).to_bytes(4, "big") + record for record in records))
    done = subprocess.run([NODE, "--input-type=module", "-e", NODE_DRIVER, "--", NODE_EXAMPLE, path, command,
                           str(lockstep), *options],
                          capture_output=True, env=environment(), timeout=100, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode("utf-8", "replace")[-2000:])
    rows = [line.split("\t") for line in done.stdout.decode("ascii").splitlines()]
    return [((row[0], tuple(finding_ids(row[1]) if row[1] else ())), row[2] == "true") for row in rows]


def ask_python(records, *options, lockstep=LOCKSTEP):
    """Returns the answers of the Python example for each record: verdict with findings, and whether urivet
    was queried."""
    with load_example().Coprocess(*options, command=URIVET) as urivet:
        answers = [urivet.check(record) for record in records[:lockstep]] + urivet.check_all(records[lockstep:])
    return [(("accept" if a.accepted else "reject", tuple(sorted(a.findings))), a.report is not None) for a in answers]


@takes_long
class Hostile(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.records = hostile_records(COUNT // 5 if instrumented() else COUNT)
        cls.reported = said_of_arguments(cls.records)

    def test_what_is_asked(self):
        """The generated records are as hostile as claimed, and both verdicts occur."""
        for octet in range(256):
            self.assertIn(bytes([octet]), self.records)
        hundredth = len(self.records) // 100
        for mark in (b"\n", b"\r", b"\0", b"\x1b", b"\xff", b"\xc2"):
            self.assertGreater(sum(mark in record for record in self.records), hundredth, mark)
        self.assertGreater(sum(record == b"" for record in self.records), hundredth // 2)
        self.assertGreater(sum(len(record) > LIMIT for record in self.records), hundredth // 10)
        verdicts = [reported and reported[0] for reported in self.reported]
        self.assertGreater(verdicts.count("accept"), 20 * hundredth)
        self.assertGreater(verdicts.count("reject"), 20 * hundredth)

    def check_answers(self, answers):
        self.assertEqual(len(answers), len(self.records))
        for record, reported, (said, asked) in zip(self.records, self.reported, answers):
            if reported is None:
                self.assertEqual((said, asked), (("reject", ("control-char",)), False), record[:200])
            elif (said, asked) != (reported, True):
                self.assertEqual((said, asked), (reported, True), record[:200])

    def test_python(self):
        """The example in Python has the right answer to each record."""
        self.check_answers(ask_python(self.records))

    @needs("nodejs")
    def test_node(self):
        """The example in Node has the right answer too."""
        self.check_answers(ask_node(self.records, folder=self.folder()))

    def test_two_threads(self):
        """With --jobs=2 the answers are right too."""
        part, reported = self.records[-6000:], self.reported[-6000:]
        for (said, asked), expected in zip(ask_python(part, "--jobs=2", lockstep=1000), reported):
            self.assertEqual((said, asked), (expected, True) if expected else (("reject", ("control-char",)), False))


class Naive(Case):
    def naive(self, urls, end, *options):
        """Sends a line or record for each URL, and takes the next line as its answer."""
        result = run("check", "--format=tsv", *options, stdin=b"".join(url + end for url in urls))
        return [row[0] for row in result.rows()][:len(urls)]

    def test_lines(self):
        """Shows why the examples use -0: a line-based program that does not refuse LF gets answers to other
        questions."""
        urls = [GOOD, b"http://user@evil.example/\n" + GOOD, b"http://evil@example.com/", BAD]
        self.assertEqual(self.naive(urls, b"\n"), ["accept", "reject", "accept", "reject"])
        self.assertEqual(self.naive(urls, b"\0", "-0"), ["accept", "reject", "reject", "reject"])

    def test_nul(self):
        """Shows why the examples do not send NUL."""
        self.assertEqual(self.naive([BAD + b"\0" + GOOD, BAD], b"\0", "-0"), ["reject", "accept"])

    def test_belongs(self):
        """JSON answers repeat the input, so a program can check that they belong to it."""
        about = load_example().is_about
        urls = [GOOD, b"", b"http://example.com/\xe2\x80\xa8\xf0\x9f\x92\xa9", b"\xff\xc3\xa9", b"a" * 9000,
                b"b" * 9001]
        reports = run("check", "-0", "--format=json", stdin=b"".join(url + b"\0" for url in urls)).objects()
        for i, url in enumerate(urls):
            for k, report in enumerate(reports):
                self.assertEqual(about(report, url), i == k, (url[:40], k))


class Programs(Case):
    """The examples, run as programs."""

    commands = [("coprocess.py", [sys.executable, "-B", PYTHON_EXAMPLE])]
    if NODE:
        commands.append(("coprocess.mjs", [NODE, NODE_EXAMPLE]))

    def command_of(self, body):
        """Returns a command that replaces urivet."""
        path = self.file(("#!/bin/sh\n" + textwrap.dedent(body)).encode(), "command")
        os.chmod(path, stat.S_IRWXU)
        return path

    def ask(self, command, text, *options, urivet=URIVET):
        done = subprocess.run([*command, *options], input=text, capture_output=True, env=environment(URIVET=urivet),
                              timeout=50, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_lines(self):
        """For each line they print what urivet prints, and exit with the same status."""
        urls = b"\n".join([GOOD, BAD, b"", GOOD + b"\x1b[2J", GOOD + b"\xff", GOOD + b"a" * 9000, GOOD])
        expected = b"".join(b"\t".join(line.split(b"\t")[:2]) + b"\n" for line in run("check", stdin=urls).lines())
        for name, command in self.commands:
            with self.subTest(name):
                self.assertEqual(self.ask(command, urls), (1, expected, b""))
                self.assertEqual(self.ask(command, GOOD + b"\n"), (0, b"accept\t-\n", b""))
                self.assertEqual(self.ask(command, b""), (0, b"", b""))
                self.assertEqual(self.ask(command, b"http://a/\0http://b/\n" + GOOD),
                                 (1, b"reject\tcontrol-char\naccept\t-\n", b""))

    def test_options(self):
        """They take the options of check."""
        for name, command in self.commands:
            with self.subTest(name):
                self.assertEqual(self.ask(command, b"http://127.0.0.1/\n", "--policy=public")[:2],
                                 (1, b"reject\taddr-not-global,addr-loopback\n"))
                code, out, err = self.ask(command, GOOD, "--no-such-option")
                self.assertEqual((code, out), (2, b""))
                self.assertIn(b"no-such-option", err)

    def test_dead_child(self):
        """A child that does not start, dies, or stops within an answer: exit status 2, and nothing is
        accepted."""
        bodies = ["exit 0", "kill -9 $$", "printf '{\"uri\":'",
                  "head -c 20 >/dev/null; printf '{\"uri\":\"http://example.com/\"'"]
        for name, command in self.commands:
            for urivet in ["/no-such-command", *map(self.command_of, bodies)]:
                with self.subTest(name=name, urivet=urivet):
                    code, out, err = self.ask(command, (GOOD + b"\n") * 3, urivet=urivet)
                    self.assertEqual((code, out), (2, b""))
                    self.assertIn(name.encode(), err)

    def test_dies_later(self):
        """The child dies after the first answer."""
        first = run("check", "--format=json", GOOD).out.decode().strip().replace("'", "'\\''")
        urivet = self.command_of("head -c 20 >/dev/null; printf '%%s\\n' '%s'; head -c 20 >/dev/null" % first)
        for name, command in self.commands:
            with self.subTest(name):
                code, out, _ = self.ask(command, (GOOD + b"\n") * 3, urivet=urivet)
                self.assertEqual((code, out), (2, b"accept\t-\n"))

    def test_wrong_answers(self):
        """An answer about another URL, or one that is no report, is rejected."""
        other = run("check", "--format=json", b"http://example.com/other").out.decode().strip().replace("'", "'\\''")
        for said in (other, "null", "[]", "{}", "1", "accept", '{"uri":"http://example.com/"}',
                     '{"uri":"http://example.com/","verdict":"accept"}'):
            urivet = self.command_of("head -c 20 >/dev/null; printf '%%s\\n' '%s'; cat >/dev/null" % said)
            for name, command in self.commands:
                with self.subTest(name=name, said=said):
                    code, out, _ = self.ask(command, GOOD + b"\n", urivet=urivet)
                    self.assertEqual((code, out), (2, b""))

    def test_stays_broken(self):
        """After a wrong answer nothing is answered, not even a record that was right before."""
        coprocess = load_example()
        urivet = coprocess.Coprocess(command=self.command_of("while :; do echo null; done"))
        for ask in (urivet.check, urivet.check, lambda url: urivet.check_all([url])):
            self.assertRaises(coprocess.Broken, ask, GOOD)
        urivet.close()

    def test_killed(self):
        """A killed child is noticed at the next question."""
        coprocess = load_example()
        with coprocess.Coprocess(command=URIVET) as urivet:
            self.assertTrue(urivet.check(GOOD).accepted)
            urivet._child.kill()  # pylint: disable=protected-access
            self.assertRaises(coprocess.Broken, urivet.check, GOOD)
            self.assertRaises(coprocess.Broken, urivet.check_all, [GOOD] * 100_000)


class Waiting(Case):
    """What a program gets that has sent records and waits."""

    @contextlib.contextmanager
    def asked(self, text, *args, err=subprocess.DEVNULL):
        """Starts the command with this text in its pipe, which stays open."""
        reading, writing = os.pipe()
        fcntl.fcntl(writing, F_SETPIPE_SZ, 1 << 20)
        os.write(writing, text)
        try:
            with subprocess.Popen([URIVET, *args], stdin=reading, stdout=subprocess.PIPE, stderr=err,
                                  env=environment()) as child:
                os.close(reading)
                reading = -1
                try:
                    yield child
                finally:
                    os.close(writing)
                    writing = -1
                    child.communicate(timeout=50)
        finally:
            for end in (reading, writing):
                if end >= 0:
                    os.close(end)

    def take(self, pipe, length):
        """Reads this many octets, or fewer if no more come."""
        got = b""
        while len(got) < length and select.select([pipe], [], [], 5)[0]:
            more = os.read(pipe.fileno(), length - len(got))
            if not more:
                break
            got += more
        return got

    def test_part_of_a_record(self):
        """All complete records are answered although part of the next one is there: short, long or over-long."""
        whole = b"http://a.example/\0http://b@b.example/\0"
        first, second = run("check", "-0", stdin=whole).lines()
        for jobs in ("1", "2"):
            for limit in ("8192", "1000000"):
                for part in (b"x", b"x" * 9000, b"x" * (BLOCK - len(whole)), b"x" * (BLOCK - len(whole) + 10),
                             b"x" * 600_000):
                    with self.subTest(jobs=jobs, limit=limit, part=len(part)):
                        with self.asked(whole + part, "check", "-0", "--jobs=" + jobs,
                                        "--max-length=" + limit) as child:
                            answers = first + b"\n" + second + b"\n"
                            self.assertEqual(self.take(child.stdout, len(answers)), answers)

    def test_over_long(self):
        """A record that is too long gets one answer, once its end is there."""
        for jobs in ("1", "2"):
            for octets in (b"x" * 8193, b"\n" * 500_000):
                with self.subTest(jobs=jobs, length=len(octets)):
                    with self.asked(GOOD + b"\0" + octets + b"\0", "check", "-0", "--jobs=" + jobs) as child:
                        expected = run("check", "--format=tsv", GOOD).out
                        expected += b"reject\turl-too-long" + b"\t\\N" * 8 + b"\n"
                        self.assertEqual(self.take(child.stdout, len(expected)), expected)
                    self.assertEqual(child.returncode, 1)

    def test_filter(self):
        """filter writes accepted records to standard output and refused ones to the rejects before it waits
        for more."""
        for jobs in ("1", "2"):
            for part in (b"", b"x" * 9, b"x" * 500_000):
                with self.subTest(jobs=jobs, part=len(part)):
                    options = ("-0", "--jobs=" + jobs, "--rejects=-", "--max-length=1000000")
                    with self.asked(GOOD + b"\0" + BAD + b"\0" + part, "filter", *options,
                                    err=subprocess.PIPE) as child:
                        self.assertEqual(self.take(child.stdout, len(GOOD) + 1), GOOD + b"\0")
                        refused = run("check", "--format=tsv", BAD).out[:-1] + b"\t2\t" + BAD + b"\n"
                        self.assertEqual(self.take(child.stderr, len(refused)), refused)

    def test_target_records(self):
        """--target-records gives one answer for each record, whatever it contains."""
        records = [b"GET example.com /a", b"GET  /\n\n", b"", b"  ", b"GET\nexample.com\n/", b"G\xff e /",
                   b"x" * 20_000]
        with self.asked(b"".join(record + b"\0" for record in records), "check", "-0", "--target-records",
                        "--format=json") as child:
            lines = [child.stdout.readline() for _ in records]
        self.assertEqual([line.endswith(b"}\n") for line in lines], [True] * len(records))
        self.assertIn(b'"uri":"/a"', lines[0])

    def test_other_commands(self):
        """parse, suggest and normalise also give one answer for each record, in TSV and JSON."""
        records = [GOOD, b"a b\n", b"", b"\xff", b"x" * 9000, b"HTTP://example.com/\n"]
        for command in ("parse", "suggest", "normalise"):
            for form in ("tsv", "json"):
                with self.subTest(command=command, form=form):
                    with self.asked(b"".join(record + b"\0" for record in records), command, "-0",
                                    "--format=" + form) as child:
                        self.assertEqual([child.stdout.readline()[-1:] for _ in records], [b"\n"] * len(records))

    def test_quiet(self):
        """-q prints nothing, and the exit status covers all records."""
        with self.asked(GOOD + b"\0" + BAD + b"\0", "check", "-q", "-0") as child:
            self.assertEqual(select.select([child.stdout], [], [], 0.3)[0], [])
        self.assertEqual(child.returncode, 1)

    def test_crlf(self):
        """--crlf and -0 exclude each other: a CR before a NUL is data."""
        self.assertUsage(run("check", "-0", "--crlf", stdin=GOOD + b"\r\0"), "--crlf")
        self.assertIn("raw-crlf", finding_ids(run("check", "-0", stdin=GOOD + b"\r\0").rows()[0][1]))
