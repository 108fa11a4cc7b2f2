# SPDX-License-Identifier: Apache-2.0
"""Tests how the input is split into records, and the limit on their length."""

import re

from helper import ABSENT, BAD, GOOD, MIB, NO_COMPONENTS, Case, escape, finding_ids, instrumented, run, run_measured

EMPTY = [ABSENT] * 4 + ["", ABSENT, ABSENT, ABSENT]


class Ends(Case):
    def test_records(self):
        """Which octets end a record, by the option; a last record needs no end, and an empty record is an input: it parses with
        an empty path and is refused with not-absolute."""
        good, lf, crlf = "accept", ["raw-crlf"], ["raw-crlf", "leading-trailing-space"]
        for options, text, expected in (
                ((), GOOD + b"\n" + BAD, [good, ["userinfo-present"]]), ((), GOOD + b"\n", [good]), ((), b"\n\n\n", [EMPTY] * 3),
                ((), GOOD + b"\n\n" + GOOD + b"\n", [good, EMPTY, good]), ((), b"", []),
                ((), GOOD + b"\r\n", [crlf]), ((), GOOD + b"\0\n" + GOOD + b"\n", [["control-char"], good]),
                (("--crlf",), (GOOD + b"\r\n") * 3, [good] * 3), (("--crlf",), GOOD + b"\n" + GOOD + b"\r\n", [good, good]),
                (("--crlf",), GOOD + b"\r\r\n", [crlf]), (("--crlf",), b"http://example.com/\rx\r\n" + GOOD + b"\r\n", [lf, good]),
                (("--crlf",), b"\r\n", [EMPTY]), (("--crlf",), GOOD + b"\r", [crlf]),
                (("-0",), GOOD + b"\0" + BAD + b"\0", [good, ["userinfo-present"]]), (("--null",), GOOD + b"\0" + GOOD, [good, good]),
                (("-0",), b"http://example.com/a\nb\0" + GOOD + b"\0", [lf, good]), (("-0",), b"\0\0", [EMPTY] * 2)):
            path = self.file(text)
            for result in (run("check", *options, stdin=text), run("check", *options, "--input=" + path)):
                with self.subTest(options=options, text=text):
                    self.assertNotIn(b"\0", result.out)
                    rows = result.rows()
                    self.assertEqual(len(rows), len(expected))
                    self.assertEqual(result.code, int(any(one != good for one in expected)))
                    for row, one in zip(rows, expected):
                        self.assertEqual(row[0] == "accept", one == good, row)
                        self.assertLessEqual({"not-absolute"} if one == EMPTY else set(one) if one != good else set(), set(finding_ids(row[1])))
                        self.assertEqual(row[2:] == EMPTY, one == EMPTY)
        for form in ("human", "json"):
            self.assertEqual((run("check", "--format=" + form).code, run("check", "--format=" + form).out), (0, b""))

    def test_hint(self):
        """If most lines end in CR a hint is printed on standard error, once, but not with --crlf."""
        few = run("check", stdin=(GOOD + b"\r\n") * 5)
        many = run("check", stdin=(GOOD + b"\r\n") * 500)
        self.assertEqual((few.code, many.code), (1, 1))
        self.assertIn(b"cr", few.err.lower())
        self.assertEqual(len(few.err.splitlines()), len(many.err.splitlines()))
        self.assertClean(few.err)
        for args, text, hint in ((("check",), (GOOD + b"\r\n") * 8 + (GOOD + b"\n") * 2, True), (("filter",), (GOOD + b"\r\n") * 5, True),
                                 (("check",), GOOD + b"\r\n" + (GOOD + b"\n") * 9, False), (("check", "--crlf"), (GOOD + b"\r\n") * 10, False)):
            self.assertEqual(bool(run(*args, stdin=text).err), hint, (args, text))


class Octets(Case):
    def test_every_octet(self):
        """Every octet value may occur: one line each, with only LF, TAB and printable ASCII in the output of any format. Truncated UTF-8 at
        the end of a record stays with it."""
        records = [form % bytes([b]) for form in (b"http://example.com/a%sb", b"http://exa%smple.com/", b"%s") for b in range(256)]
        records += [GOOD + cut for cut in (b"\xc3", b"\xe2\x82", b"\xf0\x9f\x92")]
        for end, *options in ((b"\n",), (b"\0", "-0")):
            given = [record for record in records if end not in record]
            text = b"".join(record + end for record in given)
            human, lines, objects = (run("check", "--input=" + self.file(text), "--format=" + form, *options) for form in ("human", "tsv", "json"))
            self.assertEqual((human.code, [len(row) for row in lines.rows()], len(objects.objects())), (1, [10] * len(given), len(given)))
            self.assertEqual([row[0] for row in lines.rows()[-3:]], ["reject"] * 3)
            self.assertEqual(len(re.findall(b"^(?:accept|reject)  ", human.out, re.M)), len(given))
            for result in (human, lines, objects):
                self.assertClean(result.out + result.err)


class Limit(Case):
    def line(self, length):
        return GOOD + b"a" * (length - len(GOOD))

    def test_default(self):
        r"""The limit is 8192 octets by default, without the end of the record, for lines, records and arguments; what is longer
        counts as not parsed: columns 3 to 10 are \N."""
        for options, end in (((), b"\n"), (("--crlf",), b"\r\n"), (("-0",), b"\0"), ((), None)):
            for length in (8192, 8193, 100000):
                line = self.line(length)
                for stdin in (line,) if end is None else (line + end, line):
                    with self.subTest(options=options, length=length):
                        row, = (run("check", *options, stdin=stdin) if end else run("check", "--format=tsv", line)).rows()
                        if length > 8192:
                            self.assertEqual(row, ["reject", "url-too-long", *NO_COMPONENTS])
                        else:
                            self.assertEqual((row[0], row[6]), ("accept", "/" + "a" * (8192 - len(GOOD))))
        # whatever else is wrong with it
        self.assertEqual(self.row(b"HTTP://u@[:0/\\ \xff" * 1000)[1], "url-too-long")

    def test_option(self):
        """--max-length=N moves the limit down and up."""
        for limit in (19, 20, 100, 4095, 4096, 4097, 65535, 65536, 65537, 200000):
            with self.subTest(limit):
                rows = run("check", "--max-length=%d" % limit, stdin=self.line(limit) + b"\n" + self.line(limit + 1) + b"\n").rows()
                self.assertEqual([r[:2] for r in rows], [["accept", "-"], ["reject", "url-too-long"]])

    def test_ends(self):
        """The end of a record is no part of it, however long the record is: it is not counted, and is copied as it is."""
        for end, *options in ((b"\n",), (b"\r\n", "--crlf"), (b"\n", "--crlf"), (b"\0", "-0"), (b"\r\n",)):
            for length in (29, 30, 31, 32, 33, 100, 70000, 300000):
                for last in (end, b""):
                    lines, more = [self.line(length), GOOD, self.line(length)], b"\r" * (end == b"\r\n" and not options)
                    text = end.join(lines) + last
                    with self.subTest(end=end, options=options, length=length, last=last):
                        result, rejects = self.filtered(text, "--observe", "--max-length=30", *options)
                        self.assertEqual(result.out, text)
                        wanted = [(str(k), line + (more if last or k < 3 else b"")) for k, line in enumerate(lines, 1)]
                        self.assertEqual([tuple(row.split("\t")[10:]) for row in rejects.decode().splitlines()],
                                         [(k, escape(line)) for k, line in wanted if len(line) > 30 or more and line.endswith(more)])
                        made = run("check", "--format=json", "--max-length=30", *options, stdin=text).objects()
                        self.assertEqual([one.get("length", len(line)) for one, (_, line) in zip(made, wanted)], [len(line) for _, line in wanted])

    def test_lengths_around_blocks(self):
        """Lines of any length in a row stay apart."""
        lengths = [*range(19, 400), *range(4000, 4200), *range(8150, 8230), 65535, 65536, 65537, 131072, 19]
        rows = run("check", stdin=b"".join(self.line(n) + b"\n" for n in lengths)).rows()
        self.assertEqual([r[1] for r in rows], ["-" if n <= 8192 else "url-too-long" for n in lengths])
        self.assertEqual([len(r[6]) for r in rows], [n - 18 if n <= 8192 else 2 for n in lengths])

    def test_one_mebibyte(self):
        """A line of 1 MiB is one refused input, and the next one is judged; with a higher limit it is accepted."""
        result = run("check", stdin=GOOD + b"\n" + b"a" * MIB + b"\n" + GOOD + b"\n")
        self.assertEqual([r[1] for r in result.rows()], ["-", "url-too-long", "-"])
        self.assertEqual(run("check", "--max-length=1048576", stdin=self.line(MIB) + b"\n").code, 0)


class Memory(Case):
    def blocks(self, end=b"\n" + BAD + b"\n"):
        yield GOOD + b"\n"
        yield from [b"a" * MIB] * 64
        yield end

    def test_long(self):
        """A line of 64 MiB is never held in memory, from a pipe or a file, with one job or several, in any format; nor does filter hold
        one, and memory does not grow with the number of lines."""
        if instrumented():
            self.skipTest("a sanitizer needs memory of its own")
        path = self.file()
        with open(path, "wb") as made:
            made.writelines(self.blocks())
        rows = [["accept", "-"], ["reject", "url-too-long"], ["reject", "userinfo-present"]]
        for words, feed, wanted in ((["check"], self.blocks(), rows), (["check", "--input=" + path], None, rows), (["check", "--jobs=2"], self.blocks(), rows),
                                    (["check"], self.blocks(b""), rows[:2]), (["check", "--format=json"], self.blocks(), 64 * MIB), (["filter"], self.blocks(), GOOD + b"\n"),
                                    (["check", "-q"], ((GOOD + b"x" * 1000 + b"\n") * 1000 for _ in range(70)), b"")):
            with self.subTest(words):
                result, peak = run_measured(*words, feed=feed)
                self.assertEqual(result.code, int("-q" not in words), result)
                self.assertEqual(result.out if isinstance(wanted, bytes) else result.objects()[1]["length"] if "--format=json" in words else [row[:2] for row in result.rows()], wanted)
                self.assertLess(peak, 64 * MIB)
