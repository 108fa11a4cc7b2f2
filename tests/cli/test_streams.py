# SPDX-License-Identifier: Apache-2.0
"""Tests output: the stream of each message, and write errors."""

import ctypes
import mmap
import os
import re
import subprocess
import time
import unittest

from helper import BAD, GOOD, URIVET, Case, content, run, run_on_terminal

COMMANDS = [
    (("check", "--format=tsv", GOOD), b""),
    (("check", "--format=human", GOOD), b""),
    (("check", "--format=json", GOOD), b""),
    (("check",), (GOOD + b"\n") * 5),
    (("check",), (GOOD + b"\n") * 50000),
    (("check", "--jobs=2"), (GOOD + b"\n") * 50000),
    (("filter",), GOOD + b"\n"),
    (("filter",), (GOOD + b"\n") * 50000),
    (("parse", "--format=tsv", GOOD), b""),
    (("explain", GOOD), b""),
    (("suggest", GOOD), b""),
    (("compare", b"x:a", b"x:b"), b""),
    (("resolve", b"http://a/b/c/d;p?q", b"g"), b""),
    (("check", "--count-by=host", GOOD), b""),
    (("scan",), b"http://h/ " * 100000),
    (("findings",), b""),
    (("--help",), b""),
    (("--version",), b""),
]


class Failing(Case):
    def test_failing(self):
        """A failed write is exit status 2: to a closed descriptor, to what is full, and to a pipe without a reader, since SIGPIPE is
        ignored."""
        for args, text in COMMANDS:
            self.assertUsage(run(*args, stdin=text, stdout=None, preexec_fn=lambda: os.close(1)))
            reading, writing = os.pipe()
            os.close(reading)
            with self.subTest(args=args, length=len(text)), open("/dev/full", "wb") as full, open(writing, "wb") as pipe:
                self.assertUsage(run(*args, stdin=text, stdout=full))
                self.assertEqual(run(*args, stdin=text, stdout=pipe).code, 2)

    def test_endless_input(self):
        """After a failed write nothing more is read."""
        for args in (("check", "-0"), ("check", "-0", "--jobs=2"), ("check", "-0", "--format=json"), ("parse", "-0"), ("filter", "-0", "--observe"), ("suggest", "-0"), ("normalise", "-0")):
            with open("/dev/zero", "rb") as endless, open("/dev/full", "wb") as full:
                self.assertUsage(run(*args, stdin=endless, stdout=full))

    @unittest.skipUnless(os.path.exists("/proc/self/mem"), "no file to fail in reading")
    def test_torn_input(self):
        """An input that fails after some octets is named and gives status 2, whatever reads it; complete records before that are answered."""
        libc = ctypes.CDLL(None)
        size, most, word = 64 * mmap.PAGESIZE, mmap.PAGESIZE, ctypes.c_size_t
        libc.mmap.restype = word
        begin = libc.mmap(None, word(size + most), mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, word(0))
        libc.munmap(word(begin + size), word(most))
        content = b"http://h/1\nhttp://u@h/2\n" * (size // 24 - 1)
        for args in (("check",), ("check", "--jobs=2"), ("check", "--format=json"), ("check", "--csv", "--column=1", "--no-header"), ("check", "--count-by=host"), ("filter",), ("parse",), ("suggest",),
                     ("normalise",), ("scan",), ("scan", "--html"), ("scan", "--mail"), ("scan", "--markup=markdown"), ("report", "-o", "-")):
            for lines in (content[:24], content):
                ctypes.memmove(begin + size - len(lines) - 3, lines + b"x:y", len(lines) + 3)
                with self.subTest(args), open("/proc/self/mem", "rb", buffering=0) as torn:
                    torn.seek(begin + size - len(lines) - 3)
                    result = run(*args, stdin=torn)
                    self.assertEqual((result.code, b"urivet: cannot read '" in result.err), (2, True), result.err[:300])
                    self.assertEqual(result.out, b"" if {"report", "--mail"} & {*args} else run(*args, stdin=lines).out)

    def test_beats_a_refusal(self):
        """A failed write beats a refused input."""
        for args, text in ((("check", BAD), b""), (("check",), BAD + b"\n"), (("filter",), GOOD + b"\n" + BAD + b"\n"), (("explain", BAD), b""),
                           (("help",), b""), (("check", "--help"), b""), (("--version",), b""), (("findings",), b"")):
            with self.subTest(args), open("/dev/full", "wb") as full:
                self.assertEqual(run(*args, stdin=text, stdout=full).code, 2)

    def test_closed_output_and_input_file(self):
        """An input file that gets the descriptor of a closed standard output is not written to."""
        path = self.file(GOOD + b"\n")
        self.assertEqual(run("check", "--input=" + path, stdout=None, preexec_fn=lambda: os.close(1)).code, 2)
        self.assertEqual(content(path), GOOD + b"\n")

    def test_closed_output_and_rejects(self):
        """If standard output is closed, accepted records are not written to the rejects."""
        path = os.path.join(self.folder(), "rejects")
        result = run("filter", "--rejects=" + path, stdin=GOOD + b"\n", stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(result.code, 2)
        if os.path.exists(path):
            self.assertEqual(content(path), b"")


class Quiet(Case):
    def test_quiet(self):
        """-q writes nothing to standard output; the exit status remains, and errors are printed."""
        for args, stdin, code in (*((("check", "-q", "--format=" + form, uri), b"", code) for form in ("human", "tsv", "json")
                                    for uri, code in ((GOOD, 0), (BAD, 1), (b"http://exa mple.com/", 1))),
                                  (("check", "-q"), GOOD + b"\n" + BAD + b"\n" + GOOD + b"\n", 1), (("parse", "-q", GOOD), b"", 0),
                                  (("suggest", "-q", GOOD), b"", 0), (("explain", "-q", GOOD), b"", 0), (("parse", "-q", b"a b"), b"", 1)):
            with self.subTest(args):
                result = run(*args, stdin=stdin)
                self.assertEqual((result.code, result.out), (code, b""))
        self.assertUsage(run("check", "-q", "--input=/no-such-file"), "/no-such-file")


class Separate(Case):
    def test_nothing_on_standard_error(self):
        """Verdicts go to standard output, and standard error stays empty."""
        for form in ("human", "tsv", "json"):
            with self.subTest(form):
                result = run("check", "--format=" + form, GOOD, BAD)
                self.assertIn(b"userinfo-present", result.out)
                self.assertEqual(result.err, b"")

    def test_progress(self):
        """--progress writes to standard error only."""
        path = self.file((GOOD + b"\n" + BAD + b"\n") * 50000)
        plain = run("check", "--no-progress", "--input=" + path)
        shown = run("check", "--progress", "--input=" + path)
        self.assertEqual((plain.err, run("check", "--input=" + path).err), (b"", b""))  # the default without a terminal
        self.assertEqual(plain.out.count(b"\n"), 100000)
        self.assertEqual((shown.code, shown.out), (plain.code, plain.out))

    def test_progress_is_shown(self):
        """--progress writes to standard error while it reads the input, with the share of all files if their sizes are known."""
        lines = (GOOD + b"\n") * 10000
        path = self.file(lines)
        for files, share in (([path], b", 100 %"), ([path, path], b", 50 %"), ([path] * 4, b", 25 %"), ([path, "-"], b""), ([path, "-", path], b"")):
            with subprocess.Popen([URIVET, "check", "--progress", "--jobs=1", *("--input=" + file for file in files)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as child:
                begun = child.stdout.read(1)
                time.sleep(0.6)  # it waits in the first file, since its output is not read
                out, err = child.communicate()
            self.assertRegex(err, rb"\r[0-9]+ records, [0-9]+/s, [0-9]+ accepted, 0 refused" + share + rb" *\r", files)
            self.assertTrue(all(len(line) <= len(blank) for line, blank in re.findall(rb"\r([0-9]+ records[^\r]*)\r( +)\r", err)), err)
            self.assertEqual((child.returncode, begun + out), (0, run("check", stdin=lines * files.count(path)).out))

    def test_terminal_does_not_change_the_format(self):
        """The default format never depends on a terminal: tsv for lines, human for arguments. tsv and json have no escape codes."""
        lines = GOOD + b"\n" + BAD + b"\n"
        self.assertEqual(run_on_terminal("check", stdin=lines, env={"NO_COLOR": "1"}).out.expandtabs(1),
                         run("check", stdin=lines).out.expandtabs(1))
        self.assertEqual(run_on_terminal("check", BAD, env={"NO_COLOR": "1"}).out.expandtabs(1), run("check", BAD).out.expandtabs(1))
        for form in ("tsv", "json"):
            with self.subTest(form):
                out = run_on_terminal("check", "--format=" + form, BAD).out
                self.assertIn(b"userinfo-present", out)
                self.assertNotIn(b"\x1b", out)
