# SPDX-License-Identifier: Apache-2.0
"""Tests that --jobs=N changes nothing but the time."""

import fcntl
import os
import random
import re
import subprocess
import tempfile
import threading

from helper import BAD, GOOD, MIB, NO_COMPONENTS, TIMEOUT, URIVET, Case, content, escape, instrumented, run, takes_long

LINES = 100_000


def mixed():
    """Returns many lines of all kinds and lengths, accepted and refused."""
    dice = random.Random(8192)
    kinds = [GOOD, BAD, b"HTTP://EXAMPLE.com", b"", b"//h/x", b"http://exa mple.com/", b"http://example.com/%41", b"a\xff\xc3", b"http://0x7f.1:99999/"]
    lines = [dice.choice(kinds) + b"%d" % i for i in range(LINES)]
    for i in range(0, LINES, 5000):
        lines[i] = GOOD + b"x" * dice.choice((5000, 8173, 8174, 70000))
    return b"".join(line + b"\n" for line in lines)


class Jobs(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = mixed()

    def test_alike(self):
        """Any number of jobs gives the same in the same order: each format, filter and its rejects, from a file, without a last LF,
        and with progress."""
        part, path = self.text[:self.text.index(b"\n", 2_000_000) + 1], self.file(self.text)
        for words, text in ((["check"], self.text), (["check"], self.text[:-1]), (["check", "--input=" + path], b""), (["check", "--format=json"], part), (["check", "--format=human"], part),
                            (["filter"], self.text), (["filter", "--rejects=-"], self.text)):
            one = run(*words, stdin=text)
            self.assertEqual((one.code, one.err == b""), (1, "--rejects=-" not in words))
            if words[0] == "check" and "--format=human" not in words:
                self.assertEqual(one.out.count(b"\n"), part.count(b"\n") if text == part else LINES)
            for jobs, *more in ((1,), (2, "--progress"), (4,)):
                with self.subTest(words, jobs=jobs, more=more):
                    result = run(*words, "--jobs=%d" % jobs, *more, stdin=text)
                    self.assertTrue((result.code, result.out) == (1, one.out), "the output differs")
                    self.assertTrue(more or result.err == one.err, "the messages differ")

    def test_more_jobs_than_lines(self):
        """There may be more jobs than lines."""
        self.assertEqual([r[0] for r in run("check", "--jobs=4", stdin=GOOD + b"\n" + BAD + b"\n").rows()], ["accept", "reject"])
        self.assertEqual(run("check", "--jobs=4").out, b"")

    def rejects(self, text, jobs, *options):
        result, rejects = self.filtered(text, "--jobs=%d" % jobs, *options)
        return result, [line.decode("ascii").split("\t") for line in rejects.split(b"\n")[:-1]]

    @takes_long
    def test_numbers_of_rejects(self):
        """Refused records have the numbers of their places, with any number of threads."""
        lines = self.text.split(b"\n")[:-1]
        for jobs in (1, 2, 3, 8):
            with self.subTest(jobs):
                result, rows = self.rejects(self.text, jobs)
                kept = [escape(line) for line in result.out.split(b"\n")[:-1]]
                refused = {int(row[10]): row for row in rows}
                self.assertEqual([int(row[10]) for row in rows], sorted(refused))
                self.assertEqual(len(kept) + len(refused), LINES)
                places = iter(kept)
                for number, line in enumerate(lines, 1):
                    if number not in refused:
                        self.assertEqual(next(places), escape(line))
                    elif len(line) > 8192:
                        self.assertEqual(refused[number][:10], ["reject", "url-too-long", *NO_COMPONENTS])
                    self.assertTrue(number not in refused or escape(line).startswith(refused[number][11]), number)

    def test_each_answer_in_time(self):
        """A program that queries over a pipe gets each answer before its next question, with several jobs,
        too."""
        for jobs in ("1", "2", "4"):
            for args in (("filter",), ("check", "--format=tsv"), ("filter", "--rejects=-")):
                with self.subTest(args=args, jobs=jobs), subprocess.Popen(
                        [URIVET, *args, "--jobs=" + jobs], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, bufsize=0) as child:
                    killer = threading.Timer(TIMEOUT, child.kill)
                    killer.start()
                    for i in range(20):
                        child.stdin.write(GOOD + b"%d\n" % i)
                        line = child.stdout.readline()
                        self.assertIn(b"%d" % i, line)
                        if "--rejects=-" in args:
                            child.stdin.write(BAD + b"%d\n" % i)
                            self.assertIn(b"\t%d\t" % (2 * i + 2), child.stderr.readline())
                    child.stdin.close()
                    child.wait(TIMEOUT)
                    killer.cancel()

    def test_slow_reader(self):
        """A pipe that is read slowly, in small segments, gets all of the output."""
        text = self.text[:self.text.index(b"\n", 600_000) + 1]
        wanted = run("filter", stdin=text).out
        for jobs in ("1", "3"):
            with self.subTest(jobs), tempfile.TemporaryFile() as given:
                given.write(text)
                given.seek(0)
                taken, handed = os.pipe()
                fcntl.fcntl(handed, fcntl.F_SETPIPE_SZ, 4096)  # before it is written to: a full pipe refuses to shrink
                with subprocess.Popen([URIVET, "filter", "--jobs=" + jobs], stdin=given, stdout=handed) as child:
                    os.close(handed)
                    got = b""
                    while piece := os.read(taken, 1500):
                        got += piece
                    os.close(taken)
                    child.wait(TIMEOUT)
                self.assertTrue(got == wanted, "the output differs")

    def test_runs(self):
        """Accepted records are copied unchanged whatever lies between them, in runs from one octet to several
        blocks."""
        dice = random.Random(16384)
        lines = []
        for run_length in (1, 2, 300, 380, 390, 400, 800, 3000, 20000, *(dice.randrange(1, 1000) for _ in range(60))):
            lines += [b"%s%0*d\n" % (GOOD, dice.randrange(1, 60), i) for i in range(run_length)]
            lines += [BAD + b"\n"] * dice.choice((1, 1, 1, 2, 500))
        accepted = b"".join(line for line in lines if not line.startswith(BAD))
        text = b"".join(lines)
        for jobs in ("1", "2"):
            with self.subTest(jobs):
                result = run("filter", "--jobs=" + jobs, stdin=text)
                self.assertTrue(result.out == accepted, "the output differs")
                waived = run("filter", "--jobs=" + jobs, "--allow=path-empty", stdin=text)
                self.assertTrue(waived.out == accepted, "the output differs with a policy")

    def test_ends_at_every_place(self):
        """Records may end at every place of a window of 64 octets, and after it, with each line end."""
        for end, options in ((b"\n", ()), (b"\0", ("-0",)), (b"\r\n", ("--crlf",))):
            lines = [GOOD + b"a" * (n % 131) for n in range(3000)]
            with self.subTest(end):
                text = end.join(lines)
                for last in (b"", end):
                    result = run("filter", *options, stdin=text + last)
                    self.assertEqual((result.code, result.out == text + last), (0, True))
                empty = end.join(b"" if n % 3 else line for n, line in enumerate(lines))
                result, rows = self.rejects(empty + end, 2, *options)
                self.assertEqual([int(r[10]) for r in rows], [n + 1 for n in range(3000) if n % 3])
                self.assertEqual(result.out, b"".join(line + end for line in lines[::3]))

    def test_cr_at_the_end(self):
        """With --crlf a CR that no LF follows is data for every number of jobs."""
        for jobs in ("1", "2"):
            self.assertEqual(run("filter", "--crlf", "--jobs=" + jobs, stdin=GOOD + b"\r\n" + GOOD + b"\r").out, GOOD + b"\r\n")

    @takes_long
    def test_long_lines_across_blocks(self):
        """Lines of a block and more, allowed or not, stay complete and in order."""
        lines = [GOOD + bytes([97 + n % 26]) * n for n in (1, 262_100, 262_144, 5, 300_000, 700_000, 1, 1, MIB, 9)] * 2
        text = b"".join(line + b"\n" for line in lines)
        for jobs in ("1", "2", "4"):
            with self.subTest(jobs):
                result = run("filter", "--max-length=2000000", "--jobs=" + jobs, stdin=text)
                self.assertTrue((result.code, result.out) == (0, text), "the output differs")
                result, rows = self.rejects(text, int(jobs), "--max-length=300000")
                self.assertEqual([int(r[10]) for r in rows], [5, 6, 9, 15, 16, 19])
                self.assertTrue(all(escape(lines[int(r[10]) - 1]) == r[11] for r in rows))

    def test_full(self):
        """After a failed write nothing more is written, and the exit status reports it."""
        for args in (("filter",), ("check", "--format=tsv")):
            for jobs in ("1", "2", "4"):
                with self.subTest(args=args, jobs=jobs), open("/dev/full", "wb") as full:
                    result = run(*args, "--jobs=" + jobs, stdin=self.text, stdout=full)
                    self.assertUsage(result, "standard output")
                    self.assertEqual(result.err.count(b"\n"), 1)

    def test_errors(self):
        """A failed write to the rejects, and an input that cannot be read, are exit status 2 with any number of jobs."""
        for jobs in ("1", "2", "4"):
            self.assertUsage(run("filter", "--jobs=" + jobs, "--rejects=/dev/full", stdin=self.text), "/dev/full")
            self.assertUsage(run("filter", "--jobs=" + jobs, "--input=" + self.folder()), "cannot read")

    def test_memory(self):
        """filter needs little memory, and no more for more lines."""
        if instrumented():
            self.skipTest("a sanitizer needs memory of its own")
        for jobs, most in (("1", 4 * MIB), ("2", 8 * MIB)):
            with self.subTest(jobs), subprocess.Popen(
                    [URIVET, "filter", "--jobs=" + jobs], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
                for _ in range(8):
                    child.stdin.write(self.text)
                child.stdin.flush()
                peak = int(re.search(rb"VmHWM:\s*(\d+) kB", content("/proc/%d/status" % child.pid))[1]) * 1024
                child.stdin.close()
                self.assertEqual(child.wait(TIMEOUT), 1)
                self.assertGreater(peak, MIB // 2)
                self.assertLess(peak, most)
