# SPDX-License-Identifier: Apache-2.0
"""Tests the sources of inputs, the options, and the exit status."""

import os
import re

from helper import BAD, GOOD, Case, run

NOBODY = 65534  # whom permissions bind


LINES = GOOD + b"\n" + BAD + b"\n"
# The options of each command: name, "=" if it needs a value or "[=" if it may have one, and what it is.
HELP = {command: re.findall(r"(?m)^  (?:-\w, )?(-[-\w]+)(\[?=)?(?:'[^']*'|\S*) +(.*)", run("help", command).out.decode())
        for command in [*re.findall(r"(?m)^  (\w+)  ", run("help").out.decode()), "completion"]}
COMMANDS = ("check", "filter", "parse", "explain", "suggest", "findings")


class Inputs(Case):
    def test_sources(self):
        """Arguments are judged in order, or each line of --input=FILE, or each line of standard input if there is neither."""
        path = self.file(LINES)
        for args, stdin in (((GOOD, BAD), b""), ((GOOD, BAD), BAD + b"\n"), ((), LINES), (("--",), LINES), (("--input=" + path,), b""),
                            (("--input=" + path,), b"https://example.org/\n")):
            with self.subTest(args=args, stdin=stdin):
                result = run("check", "--format=tsv", *args, stdin=stdin)
                self.assertEqual((result.code, [row[0] for row in result.rows()]), (1, ["accept", "reject"]))

    def test_sources_agree(self):
        """An argument, a line of standard input and a line of a file are judged alike."""
        inputs = [GOOD, BAD, b"http://exa mple.com/", b"//example.com/x", b"http://0x7f.1/", b"HTTP://example.com?\xff"]
        lines = b"".join(i + b"\n" for i in inputs)
        expected = run("check", "--format=tsv", "--", *inputs)
        self.assertEqual(len(expected.rows()), len(inputs))
        self.assertEqual(run("check", "--format=tsv", stdin=lines).out, expected.out)
        self.assertEqual(run("check", "--format=tsv", "--input=" + self.file(lines)).out, expected.out)

    def test_references(self):
        """An empty argument is an input, and so is what follows the first --: paths, refused with not-absolute."""
        for args, path in ((("",), ""), (("--", "--version"), "--version"), (("--", "--"), "--")):
            with self.subTest(args=args):
                row, = run("check", "--format=tsv", *args).rows()
                self.assertEqual((row[0], row[6]), ("reject", path))
                self.assertIn("not-absolute", row[1].split(","))

    def test_default_formats(self):
        """The default format is human for arguments, and tsv for lines of standard input and of --input."""
        for args, stdin, form in (((GOOD, BAD), b"", "human"), ((), LINES, "tsv"), (("--input=" + self.file(LINES),), b"", "tsv")):
            made = {name: run("check", "--format=" + name, *args, stdin=stdin).out for name in ("human", "tsv")}
            self.assertEqual(run("check", *args, stdin=stdin).out, made[form])
            self.assertNotEqual(made["human"], made["tsv"])
            self.assertIn(b"userinfo-present", made["human"])


class Status(Case):
    def test_verdicts(self):
        """0: all accepted, also with notes; 1: at least one refused, wherever it stands and in whatever format."""
        for args, stdin, code in (((GOOD, b"https://example.org/"), b"", 0), ((GOOD, BAD, GOOD), b"", 1), ((), GOOD + b"\n" + LINES + GOOD + b"\n", 1),
                                  ((b"http://EXAMPLE.com",), b"", 0)):
            for form in ("human", "tsv", "json"):
                self.assertEqual(run("check", "--format=" + form, *args, stdin=stdin).code, code, (args, form))


class Usage(Case):
    def test_errors(self):
        """A usage error is found before anything is judged: exit status 2, its cause on standard error, nothing on
        standard output."""
        for args, named in (((), ""), (("chekk", GOOD), "chekk"), *(((command, "--no-such-option"), "no-such-option") for command in COMMANDS),
                            (("check", "-Z", GOOD), "Z"), (("check", "--no-such-option", GOOD), "no-such-option"),
                            (("check", "--input=" + self.file(GOOD + b"\n"), GOOD), ""), (("check", "--format=xml", GOOD), ""),
                            *(((command, "--policy=lenient"), "lenient") for command in ("check", "filter", "suggest")),
                            *((("check", option + "no-such-finding", GOOD), "no-such-finding") for option in ("--allow=", "--refuse=")),
                            (("parse", "--reader=netscape", GOOD), "netscape"), (("explain",), ""), (("check", "--colour=blue", GOOD), ""),
                            *((("check", "--jobs=" + value), "") for value in ("", "abc", "-1", "2x"))):
            with self.subTest(args):
                result = run(*args, stdin=GOOD + b"\n")
                self.assertUsage(result, named)
                self.assertEqual(result.out, b"")

    def test_max_length(self):
        """--max-length takes a number from 0 to 1073741824; anything else is a usage error."""
        for value in ("", "abc", "12x", "0x10", "1e3", "8K", "-1", "-0x1", "1.5", "1073741825", "4294967297",
                      "18446744073709551617", "99999999999999999999999"):
            self.assertUsage(run("check", "--max-length=" + value, GOOD))
        self.assertEqual(run("check", "--max-length=1073741824", GOOD).code, 0)

    def test_help(self):
        """--help, alone and of every command, exits 0 and writes to standard output; --version prints a version."""
        result = run("--help")
        self.assertClean(result.out)
        for command in COMMANDS:
            self.assertIn(command.encode(), result.out)
        for args in (("--help",), ("--version",), *((command, "--help") for command in COMMANDS)):
            result = run(*args)
            self.assertEqual((result.code, bool(result.out)), (0, True), args)
        self.assertRegex(run("--version").out, rb"[0-9]+\.[0-9]+")


class Options(Case):
    def test_values(self):
        """An option without the value that it needs, or with one that it does not take, is an error."""
        for command, options in HELP.items():
            for name, mark, _ in options:
                for word in (name,) if mark == "=" else (name + "=x",) if not mark and name[1] == "-" else ():
                    self.assertUsage(run(command, word), name, "' needs a value" if mark else "' takes no value")

    def test_offered(self):
        """Completion offers these options, with what the help says of them. After one that needs a value it offers the same as after
        its "=", and after any other the same as without it."""
        def offered(*words):
            *lines, flags = run("completion", "words", "--", *words).out.decode().splitlines()
            return sorted(line.partition("\t") for line in lines), flags
        for command, options in HELP.items():
            self.assertEqual(offered(command, "-"), (sorted((name + (mark == "=") * "=", "\t", text) for name, mark, text in options), "-"))
            for name, mark, _ in options:
                if mark == "=":
                    values, flags = offered(command, name + "=")
                    self.assertEqual(offered(command, name, ""), ([(value.removeprefix(name + "="), *rest) for value, *rest in values], flags), (command, name))
                else:
                    self.assertEqual(offered(command, name, ""), offered(command, ""), (command, name))

    def test_defaults(self):
        """A default that is given changes nothing, another value does."""
        lines = b"".join(b"http://%s/\n" % host for host in (b"a.example", b"10.0.0.1", b"u@a.example", b"a.example/%41", b"a.example/%2D", b"A.example:80", b"x" * 8184, b"x" * 8185)) + b"x:y\n\\\\h\n"
        rows = b'1,http://h/\n2;x,"y"z\n' + b"".join(b"3,%s\n" % (b"x" * (size - 2)) for size in (1048575, 1048576, 1048577))
        hosts, params = b"".join(b"http://u%d@h%d.example/\n" % (k, k) for k in range(60)), b"http://h/?u=http://10.0.0.1/\nhttp://h/?u=%252F%252F10.0.0.1\n"
        strict, long = ("--policy=strict", "--policy=public", "--policy=any"), ("--max-length=8192", "--max-length=8191", "--max-length=8193")
        for words, text, *options in ((["check"], lines, strict, long, ("--format=tsv", "--format=human", "--format=json"), ("--colour=auto",), ("--jobs=1",), ("--no-progress", "--progress")),
                                      (["filter", "--rejects=-"], lines, strict, long), (["suggest"], lines, strict), (["scan"], lines, strict[:2], long), (["explain", "http://10.0.0.1/"], b"", strict[:2]),
                                      (["check", "--params=*", "--policy=gateway"], params, ("--params-decode=1", "--params-decode=2"), ("--params-policy=public", "--params-policy=strict")),
                                      (["check", "--csv", "--column=2"], rows, ("--on-error=continue", "--on-error=stop"), ("--no-header", "--header"), ("--delimiter=,", "--delimiter=;"),
                                       ("--max-record=1048576", "--max-record=1048575", "--max-record=1048577")),
                                      (["report", "-o", "-"], hosts, ("--top=50", "--top=49", "--top=51"), ("--sample=3", "--sample=2", "--sample=4"), strict[:1]),
                                      (["normalise"], lines, ("--level=syntax", "--level=scheme"), ("--reader=rfc3986", "--reader=uri-2003")), (["parse"], lines, ("--reader=rfc3986", "--reader=browser")),
                                      (["resolve", "http://a/b", "?c"], b"", ("--reader=rfc3986", "--reader=uri-1997")), (["findings"], b"", ("--format=human", "--format=tsv"))):
            def answer(*more, words=words, text=text):
                result = run(*words, *more, stdin=text, env={"SOURCE_DATE_EPOCH": "1"})
                return result.code, result.out, result.err
            for default, *others in options:
                with self.subTest(words, default=default):
                    self.assertEqual(answer(default), answer())
                    for other in others:
                        self.assertNotEqual(answer(other), answer(), other)


class Policies(Case):
    def test_names(self):
        """--policy=NAME names a policy, strict is the default, and JSON says which one judged."""
        for options, name in (((), "strict"), (("--policy=strict",), "strict"), (("--policy=any",), "any")):
            self.assertEqual(self.object(b"http://example.com/", *options)["policy"], name)
        self.assertRefuses(b"ftp://example.com/")
        self.assertAccepts(b"ftp://example.com/", "--policy=any")

    def test_dangerous_schemes(self):
        """Schemes that run code, and similar ones, are refused in every policy."""
        for uri, name in ((b"javascript:alert(1)", "scheme-script"), (b"data:text/html,x", "scheme-data"),
                          (b"file:///etc/passwd", "scheme-file")):
            for policy in ("strict", "any"):
                row = self.row(uri, "--policy=" + policy)
                self.assertEqual((row[0], name in row[1].split(",")), ("reject", True), row)


class Files(Case):
    def test_unreadable(self):
        """An input file that is missing, a directory, or fails when it is read is exit status 2, and standard error names it."""
        folder = self.folder()
        for path in (os.path.join(folder, "no-such-file.txt"), folder, "/proc/self/mem"):
            for command in ("check", "filter"):
                self.assertUsage(run(command, "--input=" + path), path)
        self.assertEqual(run("check", "--input=").code, 2)

    def test_no_permission(self):
        """An input file without permission is exit status 2, and standard error names it."""
        path = self.file(GOOD + b"\n")
        os.chmod(path, 0)
        try:
            result = run("check", "--input=" + path, **({"user": NOBODY} if os.geteuid() == 0 else {}))
        except PermissionError:
            self.skipTest("the command cannot be run by another user")
        self.assertUsage(result, path)

    def test_standard_input(self):
        """Standard input that is closed or cannot be read is exit status 2."""
        handle = os.open(self.folder(), os.O_RDONLY)
        self.addCleanup(os.close, handle)
        self.assertUsage(run("check", stdin=handle))
        self.assertUsage(run("check", stdin=None, preexec_fn=lambda: os.close(0)))
