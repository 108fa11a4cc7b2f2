# SPDX-License-Identifier: Apache-2.0
"""Tests how the input is split into records, and the limit on their length."""

import unittest

from helper import ABSENT, BAD, GOOD, MIB, NO_COMPONENTS, Case, finding_ids, instrumented, run, run_measured

EMPTY = [ABSENT] * 4 + ["", ABSENT, ABSENT, ABSENT]


class Lines(Case):
    def test_last_without_lf(self):
        """A last line without LF is an input."""
        self.assertEqual([r[0] for r in run("check", stdin=GOOD + b"\n" + BAD).rows()], ["accept", "reject"])

    def test_lf_ends_a_line(self):
        """LF ends a line and does not begin another one."""
        self.assertEqual(len(run("check", stdin=GOOD + b"\n").rows()), 1)

    def test_empty_line(self):
        """An empty line is an input: it parses with an empty path and is refused with not-absolute."""
        result = run("check", stdin=GOOD + b"\n\n" + GOOD + b"\n")
        self.assertEqual(result.code, 1)
        rows = result.rows()
        self.assertEqual([r[0] for r in rows], ["accept", "reject", "accept"])
        self.assertIn("not-absolute", finding_ids(rows[1][1]))
        self.assertEqual(rows[1][2:], EMPTY)

    def test_only_empty_lines(self):
        """Three LF are three inputs."""
        self.assertEqual(len(run("check", stdin=b"\n\n\n").rows()), 3)

    def test_empty_input(self):
        """Empty standard input has no inputs: exit status 0."""
        for form in ("human", "tsv", "json"):
            with self.subTest(form):
                result = run("check", "--format=" + form)
                self.assertEqual((result.code, result.out), (0, b""))

    def test_cr_is_data(self):
        """Without --crlf a CR is data, and so a finding."""
        row = run("check", stdin=GOOD + b"\r\n").rows()[0]
        self.assertEqual(row[0], "reject")
        self.assertIn("raw-crlf", finding_ids(row[1]))

    def test_nul_is_data(self):
        """In lines a NUL is data, and so a finding."""
        rows = run("check", stdin=GOOD + b"\0\n" + GOOD + b"\n").rows()
        self.assertEqual([r[0] for r in rows], ["reject", "accept"])

    def test_hint(self):
        """If most lines end in CR a hint is printed on standard error, once."""
        few = run("check", stdin=(GOOD + b"\r\n") * 5)
        many = run("check", stdin=(GOOD + b"\r\n") * 500)
        self.assertEqual((few.code, many.code), (1, 1))
        self.assertIn(b"cr", few.err.lower())
        self.assertEqual(len(few.err.splitlines()), len(many.err.splitlines()))
        self.assertClean(few.err)

    def test_hint_with_most(self):
        """The hint needs most lines to end in CR, not all."""
        result = run("check", stdin=(GOOD + b"\r\n") * 8 + (GOOD + b"\n") * 2)
        self.assertEqual(result.code, 1)
        self.assertTrue(result.err)

    def test_no_hint(self):
        """No hint if few lines end in CR, or with --crlf."""
        self.assertEqual(run("check", stdin=GOOD + b"\r\n" + (GOOD + b"\n") * 9).err, b"")
        self.assertEqual(run("check", "--crlf", stdin=(GOOD + b"\r\n") * 10).err, b"")

    def test_hint_of_filter(self):
        """filter gives the hint too."""
        result = run("filter", stdin=(GOOD + b"\r\n") * 5)
        self.assertEqual((result.code, result.out), (1, b""))
        self.assertTrue(result.err)


class CrLf(Case):
    def test_crlf(self):
        """With --crlf one CR before LF ends the line too."""
        result = run("check", "--crlf", stdin=(GOOD + b"\r\n") * 3)
        self.assertEqual(result.code, 0)
        self.assertEqual(result.out, run("check", stdin=(GOOD + b"\n") * 3).out)

    def test_lf_alone(self):
        """With --crlf a line may end in LF alone."""
        self.assertEqual([r[0] for r in run("check", "--crlf", stdin=GOOD + b"\n" + GOOD + b"\r\n").rows()], ["accept", "accept"])

    def test_one_cr(self):
        """Only one CR belongs to the line end."""
        row = run("check", "--crlf", stdin=GOOD + b"\r\r\n").rows()[0]
        self.assertIn("raw-crlf", finding_ids(row[1]))

    def test_cr_inside(self):
        """A CR elsewhere is data with --crlf too."""
        rows = run("check", "--crlf", stdin=b"http://example.com/\rx\r\n" + GOOD + b"\r\n").rows()
        self.assertEqual([r[0] for r in rows], ["reject", "accept"])

    def test_empty(self):
        """With --crlf a line of CR LF is an empty line."""
        self.assertEqual(run("check", "--crlf", stdin=b"\r\n").rows()[0][2:], EMPTY)

    def test_no_lf_at_the_end(self):
        """A CR that no LF follows is data."""
        self.assertIn("raw-crlf", finding_ids(run("check", "--crlf", stdin=GOOD + b"\r").rows()[0][1]))

    def test_not_in_the_length(self):
        """The line end does not count in the length of the line."""
        line = GOOD + b"a" * (8192 - len(GOOD))
        self.assertEqual(run("check", "--crlf", stdin=line + b"\r\n").code, 0)
        self.assertEqual(run("check", "--crlf", stdin=line + b"a\r\n").rows()[0][1], "url-too-long")


class Nul(Case):
    def test_records(self):
        """With -0 or --null records end in NUL; output lines still end in LF."""
        for option in ("-0", "--null"):
            with self.subTest(option):
                result = run("check", option, stdin=GOOD + b"\0" + BAD + b"\0")
                self.assertEqual([r[0] for r in result.rows()], ["accept", "reject"])
                self.assertNotIn(b"\0", result.out)
                self.assertEqual(result.out.count(b"\n"), 2)

    def test_last_without_nul(self):
        """A last record without NUL is an input."""
        self.assertEqual(len(run("check", "-0", stdin=GOOD + b"\0" + GOOD).rows()), 2)

    def test_lf_is_data(self):
        """With -0 a LF is data, and so a finding; the output still has one line."""
        rows = run("check", "-0", stdin=b"http://example.com/a\nb\0" + GOOD + b"\0").rows()
        self.assertEqual([r[0] for r in rows], ["reject", "accept"])
        self.assertIn("raw-crlf", finding_ids(rows[0][1]))

    def test_empty(self):
        """An empty record is an input."""
        rows = run("check", "-0", stdin=b"\0\0").rows()
        self.assertEqual([r[2:] for r in rows], [EMPTY, EMPTY])

    def test_file(self):
        """-0 applies to --input."""
        self.assertEqual(len(run("check", "-0", "--input=" + self.file(GOOD + b"\0" + GOOD + b"\0")).rows()), 2)

    def test_json(self):
        """With -0 JSON lines end in LF too."""
        self.assertEqual(len(run("check", "-0", "--format=json", stdin=GOOD + b"\0" + b"a\nb\0").objects()), 2)


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

    def test_every_octet_of_the_path(self):
        """Only pchar, slash, ? and # are accepted after the start of a path; ? and # end it."""
        lines = [b"http://example.com/a" + bytes([b]) + b"b" for b in range(256)]
        rows = run("check", "-0", stdin=b"\0".join(lines[1:]) + b"\0").rows()
        accepted = bytes(b for b, row in zip(range(1, 256), rows) if row[0] == "accept")
        legal = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?#"
        self.assertEqual(accepted, bytes(sorted(legal)))

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
        """The limit is 8192 octets by default: 8192 are fine, 8193 are url-too-long."""
        rows = run("check", stdin=self.line(8192) + b"\n" + self.line(8193) + b"\n").rows()
        self.assertEqual([r[0] for r in rows], ["accept", "reject"])
        self.assertEqual(rows[0][6], "/" + "a" * (8192 - len(GOOD)))
        self.assertEqual(rows[1][1], "url-too-long")

    def test_columns(self):
        r"""An input longer than the limit counts as not parsed: columns 3 to 10 are \N."""
        self.assertEqual(run("check", stdin=self.line(8193) + b"\n").rows()[0], ["reject", "url-too-long", *NO_COMPONENTS])

    def test_argument(self):
        """The limit holds for arguments too."""
        self.assertEqual(self.row(self.line(8192))[0], "accept")
        self.assertEqual(self.row(self.line(8193)), ["reject", "url-too-long", *NO_COMPONENTS])
        self.assertEqual(self.row(self.line(100000)), ["reject", "url-too-long", *NO_COMPONENTS])

    def test_only_finding(self):
        """url-too-long is the only finding of such an input, whatever else is wrong with it."""
        self.assertEqual(self.row(b"HTTP://u@[:0/\\ \xff" * 1000)[1], "url-too-long")

    def test_last_line(self):
        """A last line without LF can be too long."""
        self.assertEqual(run("check", stdin=self.line(8193)).rows()[0][1], "url-too-long")
        self.assertEqual(run("check", stdin=self.line(8192)).rows()[0][0], "accept")

    def test_records(self):
        """The limit holds for NUL records."""
        rows = run("check", "-0", stdin=self.line(8192) + b"\0" + self.line(8193) + b"\0").rows()
        self.assertEqual([r[1] for r in rows], ["-", "url-too-long"])

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
        """A line of 1 MiB is one refused input, and the next one is judged."""
        result = run("check", stdin=GOOD + b"\n" + b"a" * MIB + b"\n" + GOOD + b"\n")
        self.assertEqual([r[1] for r in result.rows()], ["-", "url-too-long", "-"])

    def test_one_mebibyte_allowed(self):
        """With a higher limit a line of 1 MiB is accepted."""
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


if __name__ == "__main__":
    unittest.main()
