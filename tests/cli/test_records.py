# SPDX-License-Identifier: Apache-2.0
"""Tests how the input is split into records, and the limit on their length."""


from helper import ABSENT, BAD, GOOD, MIB, NO_COMPONENTS, Case, finding_ids, instrumented, run, run_measured

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

    def test_json_and_human(self):
        """Output lines end in LF with -0 too, and without inputs there are none."""
        self.assertEqual(len(run("check", "-0", "--format=json", stdin=GOOD + b"\0" + b"a\nb\0").objects()), 2)
        for form in ("human", "json"):
            result = run("check", "--format=" + form)
            self.assertEqual((result.code, result.out), (0, b""))

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
        """Every octet value may occur in a file: one line each, with only LF, TAB and printable ASCII in the
        output."""
        lines = [b"http://example.com/a" + bytes([b]) + b"b" for b in range(256) if b != 0x0A]
        lines += [b"http://exa" + bytes([b]) + b"mple.com/" for b in range(256) if b != 0x0A]
        lines += [bytes([b]) for b in range(256) if b != 0x0A]
        result = run("check", "--input=" + self.file(b"".join(line + b"\n" for line in lines)))
        self.assertEqual(result.code, 1)
        rows = result.rows()
        self.assertEqual(len(rows), len(lines))
        self.assertEqual({len(r) for r in rows}, {10})
        self.assertClean(result.out)
        self.assertClean(result.err)

    def test_every_octet_in_nul_records(self):
        """Every octet value but NUL may occur in a NUL record."""
        records = [b"http://example.com/a" + bytes([b]) + b"b" for b in range(1, 256)]
        result = run("check", "-0", stdin=b"".join(r + b"\0" for r in records))
        self.assertEqual(len(result.rows()), 255)
        self.assertClean(result.out)

    def test_every_octet_human(self):
        """The human format shows no octet raw either."""
        lines = b"".join(b"http://example.com/a" + bytes([b]) + b"b\0" for b in range(1, 256))
        result = run("check", "-0", "--format=human", stdin=lines)
        self.assertIn(b"control-char", result.out)
        self.assertClean(result.out)
        self.assertClean(result.err)

    def test_truncated_utf8(self):
        """Truncated UTF-8 at the end of a line stays with its line."""
        for octets in (b"\xc3", b"\xe2\x82", b"\xf0\x9f\x92"):
            with self.subTest(octets):
                rows = run("check", stdin=GOOD + octets + b"\n" + GOOD + b"\n").rows()
                self.assertEqual([r[0] for r in rows], ["reject", "accept"])


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
    def setUp(self):
        if instrumented():
            self.skipTest("a sanitizer needs memory of its own")

    def blocks(self):
        yield GOOD + b"\n"
        for _ in range(64):
            yield b"a" * MIB
        yield b"\n" + BAD + b"\n"

    def check(self, result, peak):
        self.assertEqual(result.code, 1, result)
        self.assertEqual([r[1] for r in result.rows()][:2], ["-", "url-too-long"])
        self.assertEqual(len(result.rows()), 3)
        self.assertLess(peak, 64 * MIB)

    def test_standard_input(self):
        """A line of 64 MiB is never held in memory when it comes from a pipe."""
        self.check(*run_measured("check", feed=self.blocks()))

    def test_file(self):
        """A line of 64 MiB is never held in memory when it comes from a file."""
        path = self.file()
        with open(path, "wb") as made:
            made.writelines(self.blocks())
        self.check(*run_measured("check", "--input=" + path))

    def test_without_end(self):
        """A line that the end of the file cuts off is not held in memory either."""
        result, peak = run_measured("check", feed=(b"a" * MIB for _ in range(64)))
        self.assertEqual([r[1] for r in result.rows()], ["url-too-long"])
        self.assertLess(peak, 64 * MIB)

    def test_json(self):
        """JSON reports the length of such a line without holding it in memory."""
        result, peak = run_measured("check", "--format=json", feed=self.blocks())
        made = result.objects()
        self.assertEqual((made[1]["uri"], made[1]["length"]), (None, 64 * MIB))
        self.assertLess(peak, 64 * MIB)

    def test_jobs(self):
        """Memory is bounded with several jobs, too."""
        self.check(*run_measured("check", "--jobs=2", feed=self.blocks()))

    def test_many_lines(self):
        """Memory does not grow with the number of lines."""
        result, peak = run_measured("check", "-q", feed=((GOOD + b"x" * 1000 + b"\n") * 1000 for _ in range(70)))
        self.assertEqual(result.code, 0, result)
        self.assertLess(peak, 64 * MIB)

    def test_filter(self):
        """filter does not hold such a record in memory either."""
        result, peak = run_measured("filter", feed=self.blocks())
        self.assertEqual((result.code, result.out), (1, GOOD + b"\n"))
        self.assertLess(peak, 64 * MIB)
