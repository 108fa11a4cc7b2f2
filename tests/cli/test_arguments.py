# SPDX-License-Identifier: Apache-2.0
"""Tests the sources of inputs, the options, and the exit status."""

import os
import unittest

from helper import BAD, GOOD, Case, run

NOBODY = 65534  # whom permissions bind


class Inputs(Case):
    def test_arguments(self):
        """check judges each URI that is an argument, in order."""
        rows = run("check", "--format=tsv", GOOD, BAD, "https://example.org/x").rows()
        self.assertEqual([r[0] for r in rows], ["accept", "reject", "accept"])
        self.assertEqual([r[2] for r in rows], ["http", "http", "https"])

    def test_standard_input(self):
        """Without arguments, each line of standard input is judged."""
        rows = run("check", stdin=GOOD + b"\n" + BAD + b"\n").rows()
        self.assertEqual([r[0] for r in rows], ["accept", "reject"])

    def test_input_file(self):
        """--input=FILE takes the lines of that file."""
        path = self.file(GOOD + b"\n" + BAD + b"\n")
        rows = run("check", "--input=" + path, stdin=b"https://example.org/\n").rows()
        self.assertEqual([r[0] for r in rows], ["accept", "reject"])

    def test_arguments_leave_standard_input_alone(self):
        """Standard input is read only where there are no arguments."""
        self.assertEqual(len(run("check", "--format=tsv", GOOD, stdin=BAD + b"\n").rows()), 1)

    def test_sources_agree(self):
        """An argument, a line of standard input and a line of a file are judged alike."""
        inputs = [GOOD, BAD, b"http://exa mple.com/", b"//example.com/x", b"http://0x7f.1/", b"HTTP://example.com?\xff"]
        lines = b"".join(i + b"\n" for i in inputs)
        expected = run("check", "--format=tsv", "--", *inputs)
        self.assertEqual(len(expected.rows()), len(inputs))
        self.assertEqual(run("check", "--format=tsv", stdin=lines).out, expected.out)
        self.assertEqual(run("check", "--format=tsv", "--input=" + self.file(lines)).out, expected.out)

    def test_empty_argument(self):
        """An empty argument is an input: it parses with an empty path and is refused with not-absolute."""
        row = self.row(b"")
        self.assertEqual(row[0], "reject")
        self.assertIn("not-absolute", row[1].split(","))
        self.assertEqual(row[6], "")


class Formats(Case):
    def test_default_for_arguments(self):
        """The default format is human for arguments."""
        result = run("check", GOOD, BAD)
        self.assertEqual(result.out, run("check", "--format=human", GOOD, BAD).out)
        self.assertNotEqual(result.out, run("check", "--format=tsv", GOOD, BAD).out)

    def test_default_for_lines(self):
        """The default format is tsv for lines of standard input."""
        lines = GOOD + b"\n" + BAD + b"\n"
        self.assertEqual([len(r) for r in run("check", stdin=lines).rows()], [10, 10])
        self.assertEqual(run("check", stdin=lines).out, run("check", "--format=tsv", stdin=lines).out)

    def test_default_for_file(self):
        """The default format is tsv for lines of --input."""
        path = self.file(GOOD + b"\n" + BAD + b"\n")
        self.assertEqual([len(r) for r in run("check", "--input=" + path).rows()], [10, 10])
        self.assertEqual(run("check", "--input=" + path).out, run("check", "--format=tsv", "--input=" + path).out)

    def test_lines_as_human(self):
        """--format=human applies to lines too."""
        out = run("check", "--format=human", stdin=BAD + b"\n").out
        self.assertNotEqual(out, run("check", stdin=BAD + b"\n").out)
        self.assertIn(b"userinfo-present", out)

    def test_unknown_format(self):
        """The formats are human, tsv and json; another one is a usage error."""
        self.assertUsage(run("check", "--format=xml", GOOD))


class Status(Case):
    def test_all_accepted(self):
        """Exit status 0: all accepted."""
        self.assertEqual(run("check", GOOD, b"https://example.org/").code, 0)

    def test_one_refused(self):
        """Exit status 1: at least one refused."""
        self.assertEqual(run("check", GOOD, BAD, GOOD).code, 1)

    def test_refused_line(self):
        """Exit status 1 also if the refused input is a line in the middle."""
        self.assertEqual(run("check", stdin=GOOD + b"\n" + BAD + b"\n" + GOOD + b"\n").code, 1)

    def test_notes_alone(self):
        """A note does not refuse by itself: exit status 0."""
        row = self.row(b"http://EXAMPLE.com")
        self.assertEqual(row[0], "accept")
        self.assertNotEqual(row[1], "-")
        self.assertEqual(run("check", b"http://EXAMPLE.com").code, 0)

    def test_same_status_in_every_format(self):
        """The exit status does not depend on the format."""
        for form in ("human", "tsv", "json"):
            with self.subTest(form):
                self.assertEqual(run("check", "--format=" + form, GOOD).code, 0)
                self.assertEqual(run("check", "--format=" + form, BAD).code, 1)

    def test_two_beats_one(self):
        """Exit status 2 beats 1: a refused input and a failed write are 2."""
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("check", BAD, stdout=full).code, 2)


class Usage(Case):
    def test_no_command(self):
        """No command is a usage error."""
        self.assertUsage(run())

    def test_unknown_command(self):
        """An unknown command is a usage error, and standard error names it."""
        self.assertUsage(run("chekk", GOOD), "chekk")

    def test_unknown_option(self):
        """An unknown option is a usage error, and standard error names it."""
        for command in ("check", "filter", "parse", "explain", "suggest", "findings"):
            with self.subTest(command):
                self.assertUsage(run(command, "--no-such-option"), "no-such-option")

    def test_unknown_short_option(self):
        """An unknown short option is a usage error."""
        self.assertUsage(run("check", "-Z", GOOD), "Z")

    def test_no_verdict_beside_a_usage_error(self):
        """A usage error is found before anything is judged: nothing on standard output."""
        result = run("check", "--no-such-option", GOOD)
        self.assertEqual((result.code, result.out), (2, b""))

    def test_uris_with_input(self):
        """URIs together with --input are a usage error."""
        self.assertUsage(run("check", "--input=" + self.file(GOOD + b"\n"), GOOD))

    def test_unknown_policy(self):
        """An unknown policy is a usage error, and standard error names it."""
        for command in ("check", "filter", "suggest"):
            with self.subTest(command):
                self.assertUsage(run(command, "--policy=lenient"), "lenient")

    def test_unknown_id(self):
        """An unknown id in --allow or --refuse is a usage error, and standard error names it."""
        for option in ("--allow=", "--refuse="):
            with self.subTest(option):
                self.assertUsage(run("check", option + "no-such-finding", GOOD), "no-such-finding")

    def test_unknown_reader(self):
        """An unknown reader is a usage error, and standard error names it."""
        self.assertUsage(run("parse", "--reader=netscape", GOOD), "netscape")

    def test_explain_takes_some(self):
        """explain requires at least one URI, and does not read standard input."""
        self.assertEqual(run("explain", stdin=GOOD).code, 2)
        self.assertEqual(run("explain", GOOD, GOOD).code, 0)

    def test_double_dash(self):
        """-- ends the options: what follows is a URI."""
        result = run("check", "--format=tsv", "--", "--version")
        self.assertEqual(result.code, 1)
        row = result.rows()[0]
        self.assertIn("not-absolute", row[1].split(","))
        self.assertEqual(row[6], "--version")

    def test_double_dash_alone(self):
        """-- without anything after it leaves no arguments: standard input is read."""
        self.assertEqual(len(run("check", "--", stdin=GOOD + b"\n").rows()), 1)

    def test_double_dash_once(self):
        """Only the first -- ends options, a second one is a URI."""
        self.assertEqual(run("check", "--format=tsv", "--", "--").rows()[0][6], "--")

    def test_help(self):
        """--help exits 0 and writes to standard output."""
        result = run("--help")
        self.assertEqual(result.code, 0, result)
        for command in (b"check", b"filter", b"parse", b"explain", b"suggest", b"findings"):
            self.assertIn(command, result.out)
        self.assertClean(result.out)

    def test_help_of_a_command(self):
        """--help is an option of every command."""
        for command in ("check", "filter", "parse", "explain", "suggest", "findings"):
            with self.subTest(command):
                result = run(command, "--help")
                self.assertEqual(result.code, 0, result)
                self.assertTrue(result.out)

    def test_version(self):
        """--version exits 0 and prints a version."""
        result = run("--version")
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.out, rb"[0-9]+\.[0-9]+")

    def test_max_length_junk(self):
        """--max-length takes a number from 0 to 1073741824; anything else is a usage error."""
        for value in ("", "abc", "12x", "0x10", "1e3", "8K", "-1", "-0x1", "1.5", "1073741825", "4294967297",
                      "18446744073709551617", "99999999999999999999999"):
            with self.subTest(value):
                self.assertUsage(run("check", "--max-length=" + value, GOOD))

    def test_max_length_largest(self):
        """--max-length=1073741824 is the largest one taken."""
        self.assertEqual(run("check", "--max-length=1073741824", GOOD).code, 0)

    def test_jobs_junk(self):
        """--jobs=N takes a number."""
        for value in ("", "abc", "-1", "2x"):
            with self.subTest(value):
                self.assertUsage(run("check", "--jobs=" + value, stdin=GOOD + b"\n"))

    def test_colour_junk(self):
        """--colour takes auto, always or never."""
        self.assertUsage(run("check", "--colour=blue", GOOD))


class Policies(Case):
    def test_names(self):
        """--policy=NAME names a policy, and JSON says which one judged."""
        for name in ("strict", "any"):
            with self.subTest(name):
                self.assertEqual(self.object(b"http://example.com/", "--policy=" + name)["policy"], name)

    def test_default(self):
        """strict is the default."""
        self.assertEqual(self.object(GOOD)["policy"], "strict")
        self.assertRefuses(b"ftp://example.com/")
        self.assertAccepts(b"http://localhost/")
        self.assertAccepts(b"http://127.0.0.1/")

    def test_any(self):
        """any accepts ftp with port 21, and absolute URIs of other schemes by RFC 3986."""
        for uri in (b"ftp://example.com/", b"ftp://example.com:21/", b"ws://example.com/", b"wss://example.com/x",
                    b"mailto:someone@example.com", b"urn:isbn:0451450523"):
            with self.subTest(uri):
                self.assertAccepts(uri, "--policy=any")

    def test_dangerous_schemes(self):
        """Schemes that run code, and similar ones, are refused in every policy."""
        for uri, name in ((b"javascript:alert(1)", "scheme-script"), (b"data:text/html,x", "scheme-data"),
                          (b"file:///etc/passwd", "scheme-file")):
            for policy in ("strict", "any"):
                with self.subTest(uri=uri, policy=policy):
                    row = self.row(uri, "--policy=" + policy)
                    self.assertEqual(row[0], "reject")
                    self.assertIn(name, row[1].split(","))


class Files(Case):
    def test_missing(self):
        """A missing input file is exit status 2, and standard error names it."""
        path = os.path.join(self.folder(), "no-such-file.txt")
        for command in ("check", "filter"):
            with self.subTest(command):
                self.assertUsage(run(command, "--input=" + path), path)

    def test_directory(self):
        """A directory as input file is exit status 2, and standard error names it."""
        path = self.folder()
        for command in ("check", "filter"):
            with self.subTest(command):
                self.assertUsage(run(command, "--input=" + path), path)

    def test_fails_when_read(self):
        """An input file that can be opened but not read is exit status 2, and standard error names it."""
        path = "/proc/self/mem"
        if not os.path.exists(path):
            self.skipTest("no " + path)
        for command in ("check", "filter"):
            with self.subTest(command):
                self.assertUsage(run(command, "--input=" + path), path)

    def test_no_permission(self):
        """An input file without permission is exit status 2, and standard error names it."""
        path = self.file(GOOD + b"\n")
        os.chmod(path, 0)
        try:
            result = run("check", "--input=" + path, **({"user": NOBODY} if os.geteuid() == 0 else {}))
        except PermissionError:
            self.skipTest("the command cannot be run by another user")
        self.assertUsage(result, path)

    def test_empty_name(self):
        """--input= has an empty file name: exit status 2."""
        self.assertEqual(run("check", "--input=").code, 2)

    def test_directory_as_standard_input(self):
        """Standard input that cannot be read is exit status 2."""
        handle = os.open(self.folder(), os.O_RDONLY)
        self.addCleanup(os.close, handle)
        self.assertUsage(run("check", stdin=handle))

    def test_closed_standard_input(self):
        """A closed standard input is exit status 2."""
        self.assertUsage(run("check", stdin=None, preexec_fn=lambda: os.close(0)))

    def test_empty_file(self):
        """An empty file has no inputs: no output, exit status 0."""
        result = run("check", "--input=" + self.file(b""))
        self.assertEqual((result.code, result.out), (0, b""))


if __name__ == "__main__":
    unittest.main()
