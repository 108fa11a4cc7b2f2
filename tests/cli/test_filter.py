# SPDX-License-Identifier: Apache-2.0
"""Tests filter, which copies accepted records and reports the others."""

import os
import random

from helper import BAD, GOOD, MIB, NO_COMPONENTS, Case, escape, run

SHOUTED = b"http://EXAMPLE.com"  # accepted, with notes


class Accepted(Case):
    def test_copies(self):
        """Accepted records are copied unchanged, each with its end or without; refused ones are left out and not reported.
        Exit status 0 if all are accepted. With -q nothing is copied."""
        legal = b"http://example.com/caf\xc3\xa9|\n"
        for options, text, out, code in (
                ((), SHOUTED + b"\n" + BAD + b"\n" + GOOD + b"\n", SHOUTED + b"\n" + GOOD + b"\n", 1),
                *((("-q", "--jobs=" + jobs), (GOOD + b"\n") * 50000, b"", 0) for jobs in "123"),
                ((), GOOD + b"\n" + SHOUTED + b"\n", GOOD + b"\n" + SHOUTED + b"\n", 0), ((), BAD + b"\n\n", b"", 1), ((), b"", b"", 0),
                ((), GOOD + b"\n" + SHOUTED, GOOD + b"\n" + SHOUTED, 0), ((), GOOD + b"\n" + BAD, GOOD + b"\n", 1),
                (("-0",), GOOD + b"\0" + BAD + b"\0" + SHOUTED + b"\0", GOOD + b"\0" + SHOUTED + b"\0", 1),
                (("-0",), GOOD + b"\0" + SHOUTED, GOOD + b"\0" + SHOUTED, 0),
                (("--crlf",), GOOD + b"\r\n" + SHOUTED + b"\n", GOOD + b"\r\n" + SHOUTED + b"\n", 0),
                (("--allow=non-ascii,forbidden-char",), legal, legal, 0),
                (("--allow=forbidden-char,port-nondefault",), b"http://h:8080/a|b\n", b"http://h:8080/a|b\n", 0), (("--refuse=host-case",), GOOD + b"\n" + SHOUTED + b"\n", GOOD + b"\n", 1),
                (("--policy=any",), b"mailto:a@example.com\n", b"mailto:a@example.com\n", 0), (("--policy=strict",), b"mailto:a@example.com\n", b"", 1),
                (("--max-length=19",), GOOD + b"\n" + GOOD + b"a\n", GOOD + b"\n", 1),
                ((), GOOD + b"a" * (8192 - len(GOOD)) + b"\n", GOOD + b"a" * (8192 - len(GOOD)) + b"\n", 0)):
            for result in (run("filter", *options, stdin=text), run("filter", *options, "--input=" + self.file(text))):
                self.assertEqual((result.code, result.out, result.err), (code, out, b""), (options, text[:80]))

    def test_as_check(self):
        """filter copies the records that check accepts, and its exit status is that of check."""
        dice = random.Random(9112)
        pieces = [b"http://", b"https://", b"example.com", b"/", b"/a", b"?b", b"#c", b":80", b"@", b"%2F", b"%41", b"\r", b"\xc3\xa9", b" "]
        lines = [b"http://example.com/" + b"".join(dice.choices(pieces, k=dice.randrange(4))) for _ in range(2000)]
        text = b"".join(line + b"\n" for line in lines)
        judged = run("check", stdin=text)
        accepted = b"".join(line + b"\n" for line, row in zip(lines, judged.rows()) if row[0] == "accept")
        self.assertTrue(accepted)
        result = run("filter", stdin=text)
        self.assertEqual(result.out, accepted)
        self.assertEqual(result.code, judged.code)


class Rejects(Case):
    def rejects(self, text, *options):
        result, written = self.filtered(text, *options)
        self.assertTrue(written == b"" or written.endswith(b"\n"))
        self.assertClean(written)
        return result, [line.decode("ascii").split("\t") for line in written.split(b"\n")[:-1]]

    def test_file(self):
        """Refused records go to --rejects=FILE: the ten TSV columns, the record's number from 1, the input."""
        lines = [GOOD, BAD, GOOD, b"//example.com/x", b"", b"http://exa mple.com/"]
        text = b"".join(line + b"\n" for line in lines)
        result, rows = self.rejects(text)
        self.assertEqual((result.code, result.out, result.err), (1, (GOOD + b"\n") * 2, b""))
        self.assertEqual([len(r) for r in rows], [12] * 4)
        self.assertEqual([r[10] for r in rows], ["2", "4", "5", "6"])
        self.assertEqual([r[11] for r in rows], [escape(lines[int(r[10]) - 1]) for r in rows])
        self.assertEqual([r[:10] for r in rows], [r for r in run("check", stdin=text).rows() if r[0] == "reject"])

    def test_standard_error(self):
        """--rejects=- writes them to standard error."""
        result = run("filter", "--rejects=-", stdin=GOOD + b"\n" + BAD + b"\n")
        self.assertEqual((result.code, result.out), (1, GOOD + b"\n"))
        self.assertEqual(result.err, b"reject\tuserinfo-present\thttp\tuser\texample.com\t\\N\t/\t\\N\t\\N\t80\t2\thttp://user@example.com/\n")

    def test_escaped(self):
        r"""The input is escaped as the columns are: outside 0x21-0x7E and the backslash as \xHH."""
        records = [b"http://exa" + bytes([b]) + b"mple.com/" for b in range(1, 256)]
        _, rows = self.rejects(b"".join(r + b"\0" for r in records), "-0")
        self.assertGreater(len(rows), 150)
        for row in rows:
            self.assertEqual(row[11], escape(records[int(row[10]) - 1]))

    def test_rows(self):
        """Each row is complete and ends in LF; the end of the record is not part of the input."""
        for options, text, out, expected in (((), GOOD + b"\n", GOOD + b"\n", []), (("-0",), GOOD + b"\0a\nb\0", GOOD + b"\0", [["2", "a\\x0Ab"]]),
                                             ((), GOOD + b"\n" + BAD, GOOD + b"\n", [["2", BAD.decode()]]),
                                             (("--crlf",), BAD + b"\r\n", b"", [["1", BAD.decode()]]), ((), b"\\N\n", b"", [["1", "\\x5CN"]])):
            result, rows = self.rejects(text, *options)
            self.assertEqual((result.code, result.out, [row[10:] for row in rows]), (int(bool(expected)), out, expected))

    def test_too_long(self):
        r"""An over-long record is refused with url-too-long alone, and records go on after it."""
        long = GOOD + b"a" * (8193 - len(GOOD))
        for text in (long, GOOD + b"a" * MIB):
            with self.subTest(len(text)):
                result, rows = self.rejects(GOOD + b"\n" + text + b"\n" + BAD + b"\n" + GOOD + b"\n")
                self.assertEqual((result.code, result.out), (1, (GOOD + b"\n") * 2))
                self.assertEqual([len(r) for r in rows], [12, 12])
                self.assertEqual(rows[0][:11], ["reject", "url-too-long", *NO_COMPONENTS, "2"])
                self.assertEqual(rows[1][10:], ["3", BAD.decode()])

    def test_cannot_be_written(self):
        """Rejects that cannot be opened or written are exit status 2, and standard error names the file."""
        path = os.path.join(self.folder(), "no-such-folder", "rejects")
        self.assertUsage(run("filter", "--rejects=" + path, stdin=GOOD + b"\n"), path)
        self.assertUsage(run("filter", "--rejects=/dev/full", stdin=BAD + b"\n"), "/dev/full")
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("filter", "--rejects=-", stdin=BAD + b"\n", stderr=full).code, 2)


class Options(Case):
    def test_format(self):
        """--format with filter is exit status 2."""
        for form in ("human", "tsv", "json"):
            with self.subTest(form):
                result = run("filter", "--format=" + form, stdin=GOOD + b"\n")
                self.assertUsage(result)
                self.assertEqual(result.out, b"")

    def test_max_length(self):
        self.assertUsage(run("filter", "--max-length=junk"))


class Repair(Case):
    """The spellings are those that RFC 3986, 6.2.3 (an empty path) and 2.1 (escapes in UTF-8) make equivalent."""
    def repair(self, text, *options):
        return self.filtered(text, "--repair", *options, to="--repaired=")

    def test_records(self):
        """What has a spelling is written in it, each record once; the rest is refused as ever."""
        empty, spelled, accent = b"http://example.com?a=1", b"http://example.com/?a=1", b"http://example.com/\xc3\xa9"
        for options, text, out, code, changed in (
                ((), empty + b"\n" + spelled + b"\n" + empty, spelled + b"\n" + spelled + b"\n" + spelled, 0, [(1, empty, spelled), (3, empty, spelled)]),
                ((), BAD + b"\n" + accent + b"\n" + GOOD + b"\n", b"http://example.com/%C3%A9\n" + GOOD + b"\n", 1, [(2, accent, b"http://example.com/%C3%A9")]),
                (("--crlf",), empty + b"\r\n", spelled + b"\r\n", 0, [(1, empty, spelled)]), (("-0",), empty + b"\0", spelled + b"\0", 0, [(1, empty, spelled)]),
                (("-q",), empty + b"\n", b"", 0, [(1, empty, spelled)]), (("--observe",), BAD + b"\n" + empty + b"\n", BAD + b"\n" + spelled + b"\n", 0, [(2, empty, spelled)]),
                (("--policy=public",), b"http://10.0.0.1?a\n", b"", 1, []), ((), b"example.com\n", b"", 1, [])):
            result, repaired = self.repair(text, *options)
            self.assertEqual((result.code, result.out, result.err), (code, out, b""), (options, text))
            self.assertEqual(repaired.decode().splitlines(), [f"{number}\t{escape(before)}\t{after.decode()}" for number, before, after in changed])

    def test_tables(self):
        """The field alone changes, and keeps its quotes or gets those that it needs."""
        for options, text, out in (
                (("--csv", "--column=2"), b'1,http://example.com?a,"x"\n2,"http://example.com?a,b",\n', b'1,http://example.com/?a,"x"\n2,"http://example.com/?a,b",\n'),
                (("--csv", "--column=u"), b'u,v\r\n"http://example.com/""q""",1\r\n', b'u,v\r\n"http://example.com/%22q%22",1\r\n'),
                (("--csv", "--delimiter=%", "--column=1"), b"http://example.com/\xc3\xa9%1\n", b'"http://example.com/%C3%A9"%1\n'),
                (("--tsv-in", "--column=1"), b"http://example.com?a\t\tx\n", b"http://example.com/?a\t\tx\n"),
                (("--json-field=u.v",), b'{"x":1, "u" : {"v":"http:\\/\\/example.com\\u003fa"} }\n', b'{"x":1, "u" : {"v":"http://example.com/?a"} }\n')):
            result = run("filter", "--repair", *options, stdin=text)
            self.assertEqual((result.code, result.out, result.err), (0, out, b""), options)
        checked = run("check", "--csv", "--column=1", "--with=repaired", stdin=b"http://example.com/\nhttp://example.com?a\nhttp://u@h/\n")
        self.assertEqual([row.split(",")[-1] for row in checked.out.decode().splitlines()], ["http://example.com/", "http://example.com/?a", ""])

    def test_jobs(self):
        """Any number of threads write the same, in order."""
        text = b"".join(b"http://example.com?a=%d\n" % k for k in range(30000))
        result, repaired = self.repair(text, "--jobs=3")
        self.assertTrue(result.out == text.replace(b"?", b"/?"))
        self.assertTrue([line.split(b"\t")[0] for line in repaired.splitlines()] == [b"%d" % k for k in range(1, 30001)])

    def test_options(self):
        path = os.path.join(self.folder(), "both")
        for options in (("--repaired=" + path,), ("--repair", "--target"), ("--repair", "--target-records"), ("--repair", "--repaired=" + path, "--rejects=" + path)):
            self.assertEqual(run("filter", *options, stdin=GOOD + b"\n").code, 2, options)
        self.assertEqual(run("filter", "--repair", "--repaired=/dev/full", stdin=b"http://example.com?a\n").code, 2)
