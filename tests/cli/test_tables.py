# SPDX-License-Identifier: Apache-2.0
"""Tests rows of tables: octets are kept, one field is judged, columns are appended. Python's csv and json
read the same rows."""

import csv
import gzip
import io
import json
import os
import random
import re

from helper import BAD, GOOD, MIB, Case, content, core, escape, instrumented, run, run_measured, takes_long

URLS = [b"http://a.example/", b"https://b.example/?q=a,b", b"http://user@c.example/", b"", b"x", b"http://d.example/\"quoted\"",
        b"http://e.example/\r\nHost: f", b"//g.example", b"http://\xc3\xa9.example/", b"http://h.example/\xff", b"http://i.example/'", b"\"",
        b"http://j.example\\@k.example/", b"http://l.example/" + b"x" * 300]


def judged(urls):
    """Returns verdict and findings of each URL, as the command prints them for plain records."""
    result = run("check", "--null", stdin=b"".join(url + b"\0" for url in urls))
    made = [(row[0], [] if row[1] == "-" else row[1].split(",")) for row in result.rows()]
    assert len(made) == len(urls)
    return made


def csv_field(text, always, chance):
    if always or chance.random() < 0.3 or any(octet in text for octet in b",\"\r\n"):
        return b'"' + text.replace(b'"', b'""') + b'"'
    return text


def csv_findings(ids):
    return ('"%s"' if len(ids) > 1 else "%s") % ",".join(ids)


def random_rows(chance, count, columns, column, always=False):
    """Returns random rows of CSV, each without its line end, and the URLs in them."""
    words = [b"", b"a", b"1.10", b"a b", b",", b'"', b'""', b"\n", b"\r\n", b"\r", b"caf\xc3\xa9", b"\xff", b"x,\"y\"\nz", b"=1+1", b"'"]
    rows, urls = [], []
    for _ in range(count):
        fields = [chance.choice(words) for _ in range(columns)]
        fields[column] = chance.choice(URLS)
        urls.append(fields[column])
        rows.append(b",".join(csv_field(field, always, chance) for field in fields))
    return rows, urls


class Csv(Case):
    def test_random(self):
        """Rows are written unchanged, with the verdict for their URL; Python reads the same fields."""
        chance = random.Random(11)
        for turn in range(16):
            columns = chance.randrange(1, 5)
            column = chance.randrange(columns)
            rows, urls = random_rows(chance, chance.choice((1, 20, 3000)), columns, column, turn % 3 == 0)
            end = chance.choice((b"\n", b"\r\n"))
            said = judged(urls)
            expected = [row + ("," + verdict + "," + csv_findings(ids)).encode() for row, (verdict, ids) in zip(rows, said)]
            name = b'"the ""URL"""' if turn % 2 else b"url"
            header = b",".join(name if i == column else b"c%d" % i for i in range(columns))
            by_name = "--column=" + ('the "URL"' if turn % 2 else "url")
            options = ["--jobs=%d" % chance.choice((1, 3))]
            with self.subTest(turn):
                text = end.join(rows) + end * (rows[-1] == b"" or chance.randrange(2))
                tail = text[len(end.join(rows)):]
                result = run("check", "--csv", "--column=%d" % (column + 1), *options, stdin=text)
                self.assertEqual((result.out, result.err), (end.join(expected) + tail, b""))
                self.assertEqual(result.code, int(any(verdict == "reject" for verdict, _ in said)))
                result = run("check", "--csv", by_name, *options, stdin=header + end + text)
                self.assertEqual(result.out, header + b",urivet_verdict,urivet_findings" + end + end.join(expected) + tail)
                self.compare_with_python(result.out, urls, said, column)
                passed = run("filter", "--csv", by_name, *options, stdin=header + end + text)
                kept = [row + end for row, (verdict, _) in zip(rows, said) if verdict == "accept"]
                if not tail and kept and said[-1][0] == "accept":
                    kept[-1] = kept[-1][:-len(end)]
                self.assertEqual(passed.out, header + end + b"".join(kept))

    def compare_with_python(self, out, urls, said, column):
        read = list(csv.reader(io.StringIO(out.decode("latin-1"), newline=""), strict=True))[1:]
        self.assertEqual([(row[column].encode("latin-1"), row[-2], row[-1].split(",") if row[-1] else []) for row in read],
                         [(url, verdict, ids) for url, (verdict, ids) in zip(urls, said)])

    def test_delimiter(self):
        """With another delimiter, rows equal those of Python's reader with that delimiter; fields that
        contain it are quoted."""
        chance = random.Random(15)
        for delimiter, word in ((b";", ";"), (b"|", "|"), (b"\t", "tab"), (b" ", " "), (b"=", "=")):
            fields = [[chance.choice((b"a", b"a,b", b"a" + delimiter + b"b", b'"', b"", b"x\ny")), chance.choice(URLS)] for _ in range(400)]
            stream = io.StringIO()
            csv.writer(stream, delimiter=delimiter.decode(), lineterminator="\n").writerows([[f.decode("latin-1") for f in row] for row in fields])
            text = b"id" + delimiter + b"url\n" + stream.getvalue().encode("latin-1")
            for jobs in ("1", "2"):
                with self.subTest(word, jobs=jobs):
                    result = run("check", "--csv", "--delimiter=" + word, "--column=url", "--with=suggestion", "--jobs=" + jobs, stdin=text)
                    self.assertEqual(result.err, b"")
                    read = list(csv.reader(io.StringIO(result.out.decode("latin-1"), newline=""), delimiter=delimiter.decode(), strict=True))
                    self.assertEqual(read[0], ["id", "url", "urivet_verdict", "urivet_findings", "urivet_suggestion"])
                    self.assertEqual([[f.encode("latin-1") for f in row[:2]] for row in read[1:]], fields)
                    self.assertEqual([(row[2], row[3].split(",") if row[3] else []) for row in read[1:]], judged([url for _, url in fields]))
        for word in ("", ";;", "x", "7", '"', "-", "_", ".", "\u00e9", "\x7f", "\n"):
            self.assertUsage(run("check", "--csv", "--column=1", "--delimiter=" + word), "--delimiter takes one sign")
        self.assertUsage(run("check", "--tsv-in", "--column=1", "--delimiter=;"), "--delimiter and --tsv-in exclude each other")

    def test_missing_column(self):
        """If the column is missing the message lists the columns, and the delimiter that may be meant."""
        for words, header, said in ((["--csv"], b"id,uri", "its columns: 'id', 'uri'\n"), (["--csv"], b"id;url", "'id;url'; did you mean --csv --delimiter=';'?"),
                                    (["--csv"], b"id\turl", "did you mean --tsv-in?"), (["--tsv-in"], b"id,url", "did you mean --csv?"),
                                    (["--csv", "--delimiter=;"], b"id|url", "--delimiter='|'?"), (["--csv"], b'"a""b",x\x1b', "its columns: 'a\"\"b', 'x\\x1B'\n")):
            with self.subTest(words, header=header):
                result = run("check", *words, "--column=url", stdin=header + b"\n")
                self.assertUsage(result, "lacks the name", said)
                self.assertClean(result.err)
        self.assertIn(b"'a', 'b'\n", run("check", "--csv", "--column=3", stdin=b"a,b\n").err)
        self.assertLess(len(run("check", "--csv", "--column=url", stdin=b",".join([b"\xff" * 100] * 1000) + b"\n").err), 3000)

    @takes_long
    def test_any_octets(self):
        """For any octets the rows equal those of a splitter that reads one octet after the other."""
        chance = random.Random(12)
        for turn in range(150):
            text = bytes(chance.choice(b'aa",\r\n\n\n\0') for _ in range(chance.randrange(1, 3000 if turn % 75 else 300000)))
            rows = split(text)
            columns = len(rows[0][1])
            with self.subTest(turn):
                bad = [i + 1 for i, (_, fields, fault) in enumerate(rows) if fault or len(fields) != columns]
                words = ["check", "--csv", "--column=1", "--jobs=%d" % chance.choice((1, 2))]
                if turn % 2:
                    words += ["--input=" + self.file(gzip.compress(text, 1))]
                result = run(*words, stdin=text)
                if b"lacks zlib" in result.err:
                    result = run(*words[:-1], stdin=text)
                self.assertEqual(result.code, 2 if bad else 1)
                for line in result.err.splitlines():
                    row, at_line, octet = map(int, re.search(rb": row (\d+) \(line (\d+), octet (\d+)\)", line).groups())
                    before = b"".join(row for row, _, _ in rows[:row - 1])
                    self.assertEqual((octet, at_line), (len(before), before.count(b"\n") + 1), line)
                listed = [int(line.split(b": row ")[1].split(b" ")[0]) for line in result.err.splitlines() if b": row " in line]
                self.assertEqual(listed, bad)
                good = [row for row, fields, fault in rows if not fault and len(fields) == columns]
                read = split(result.out)
                self.assertEqual(len(read), len(good))
                said = judged([fields[0] for _, fields, fault in rows if not fault and len(fields) == columns])
                self.assertEqual(result.out, b"".join(appended(row, *what) for row, what in zip(good, said)))

    def test_broken(self):
        """A broken row is reported with its number and column, refused, and not written; --on-error decides
        about the rest."""
        faults = {b"1": None, b'a"b': b"a quote stands", b'"1"x': b"octets follow", b"a\rb": b"a CR", b"1\0": b"a NUL", b'"\0"': b"a NUL", b'"\0"x': b"a NUL", b'1\0"': b"a NUL"}
        firsts = [(one + b"," + other, b"column %d: %s" % (1 if faults[one] else 2, faults[one] or faults[other])) for one in faults for other in faults if faults[one] or faults[other]]
        lines = run("check", "--csv", "--column=url", stdin=b"id,url\n" + b"".join(row + b"\n" for row, _ in firsts)).err.splitlines()
        for number, ((row, what), line) in enumerate(zip(firsts, lines, strict=True), 2):
            self.assertRegex(line, b"^urivet: <stdin>: row %d .*, %s" % (number, what), row)
        for row, what in (*firsts[::9], (b"1", b"1, not 2"), (b"1,2,3", b"3, not 2"), (b"", b"1, not 2"), (b"http://x.example/,2,accept,", b"4, not 2")):
            text = b"id,url\n1," + GOOD + b"\n" + row + b"\n2," + GOOD + b"\n"
            for jobs in ("1", "2"):
                words = ["--csv", "--column=url", "--jobs=" + jobs]
                with self.subTest(row, jobs=jobs):
                    result = run("check", *words, stdin=text)
                    self.assertUsage(result, b"<stdin>: row 3", what)
                    self.assertEqual(result.out, b"id,url,urivet_verdict,urivet_findings\n1,%s,accept,\n2,%s,accept,\n" % (GOOD, GOOD))
                    result = run("check", *words, "--on-error=stop", stdin=text)
                    self.assertUsage(result, what)
                    self.assertEqual(result.out, b"id,url,urivet_verdict,urivet_findings\n1,%s,accept,\n" % GOOD)
                    result = run("filter", *words, "--on-error=stop", stdin=text)
                    self.assertEqual((result.code, result.out), (2, b"id,url\n1,%s\n" % GOOD))
                    result = run("filter", *words, "--rejects=-", stdin=text)
                    self.assertEqual((result.code, result.out), (2, b"id,url\n1,%s\n2,%s\n" % (GOOD, GOOD)))
                    self.assertEqual(result.err.splitlines()[1].decode().split("\t")[:2] + result.err.splitlines()[1].decode().split("\t")[10:],
                                     ["reject", "field-unreadable", "3", escape(row)])
        result = run("check", "--csv", "--column=2", stdin=b'1,a\n2,"b\n3,c\n')
        self.assertUsage(result, b"row 2 (line 2, octet 4), column 2: a quote is not closed")
        self.assertEqual(result.out, b"1,a,reject,not-absolute\n")

    def test_rejects_are_rows(self):
        """Messages about broken rows go to standard error; a file of refused rows has exactly twelve columns
        a line."""
        text = b"id,url\n1," + GOOD + b'\n2,"x"y\n3\n4,' + BAD + b"\n"
        long = text + b"x" * 2000 + b"\n" + b"5," + BAD + b"\n"
        listed = [b"urivet: <stdin>: row 3 (line 3, octet 29), column 2: octets follow", b"urivet: <stdin>: row 4 (line 4, octet 36): its number of fields"]
        for words, given, more in ((["--csv"], text, 0), (["--csv", "--observe"], text, 0), (["--csv", "--max-record=1000"], long, 2)):
            for jobs in ("1", "2"):
                with self.subTest(words, jobs=jobs):
                    path = self.file(b"")
                    result = run("filter", *words, "--column=url", "--jobs=" + jobs, "--rejects=" + path, stdin=given)
                    self.assertEqual((result.code, result.err.count(b"\n")), (2, 2 + more // 2))
                    for line, beginning in zip(result.err.splitlines(), listed):
                        self.assertTrue(line.startswith(beginning), line)
                    rows = [line.split(b"\t") for line in content(path).splitlines()]
                    self.assertEqual([len(row) for row in rows], [12] * (3 + more))
                    self.assertEqual([row[10] for row in rows], [b"3", b"4", b"5", b"6", b"7"][:3 + more])

    def test_rejects_are_standard_error(self):
        """If refused rows go to standard error, under any name, each follows its message."""
        text = b"id,url\n" + b"".join(b'%d,"x"y\n' % i for i in range(3000))
        wanted = run("filter", "--csv", "--column=url", "--rejects=-", stdin=text)
        self.assertEqual([line[:7] for line in wanted.err.splitlines()], [b"urivet:", b"reject\t"] * 3000)
        self.assertEqual(run("filter", "--csv", "--column=url", "--rejects=/dev/stderr", stdin=text).err, wanted.err)

    def test_stop_far(self):
        """With several jobs all rows before the broken row that stops are written, and no row after it."""
        rows = [b"%d,%s\n" % (i, GOOD) for i in range(60000)]
        rows[45000] = b'x"y\n'
        for jobs in ("1", "4"):
            result = run("check", "--csv", "--column=2", "--on-error=stop", "--jobs=" + jobs, stdin=b"".join(rows))
            self.assertEqual(result.code, 2)
            self.assertEqual(result.out, b"".join(row[:-1] + b",accept,\n" for row in rows[:45000]))
            place = b"(line 45001, octet %d)" % sum(map(len, rows[:45000]))
            self.assertEqual(result.err, b"urivet: <stdin>: row 45001 " + place + b", column 1: a quote stands in a field that does not begin with one\n")

    def test_cells_that_spreadsheets_run(self):
        """A cell that is added is no formula, in whatever column; other cells begin as in the URL."""
        names = ["scheme", "userinfo", "host", "path", "query", "fragment", "suggestion"]
        urls = [form % octet for octet in b"=+-@!$&'()*,;:~._0aZ\"\\|" for form in (b"//%ca@h/", b"//%cb/", b"%c/c", b"/?%cd", b"/#%ce", b"%cf:g")]
        objects = run("check", "--null", "--format=json", stdin=b"\0".join(urls)).objects()
        wanted = [[(made["components"] or {}).get(name) if name != "suggestion" else made["suggestion"] for name in names] for made in objects]
        for option, absent in (("--csv", ""), ("--tsv-in", "\\N")):
            text = b"\n".join(csv_field(url, option == "--csv", random) for url in urls)
            out = run("check", option, "--column=1", "--with=" + ",".join(names), stdin=text if option == "--csv" else b"\n".join(urls)).out.decode()
            rows = list(csv.reader(io.StringIO(out), strict=True)) if option == "--csv" else [line.split("\t") for line in out.splitlines()]
            self.assertEqual([row[3:] for row in rows], [[absent if cell is None else "\\x%02X" % ord(cell[0]) + cell[1:] if cell[:1] in tuple("=+-@") else cell for cell in row] for row in wanted])

    def test_names_alike(self):
        """Names that Go and others take for one are ambiguous, since both members may be used."""
        for one, other in (("link", "lin\u212a"), ("sku", "\u017fku"), ("stra\xdfe", "stra\u1e9ee"), ("id", "\u0131d"), ("\u03c3", "\u03c2"),
                           ("\U00010428", "\U00010400"), ("url", "uRl")):
            for evil in (other, json.dumps(other)[1:-1].replace("U", "u") if other.isascii() else "".join(
                    json.dumps(letter)[1:-1] for letter in other)):
                row = '{"%s":"http://a/","%s":"http://b/"}\n' % (one, evil)
                with self.subTest(row):
                    made, = run("check", "--json-field=" + one, stdin=row.encode()).objects()
                    self.assertEqual((made["urivet_verdict"], made["urivet_findings"]), ("reject", ["field-unreadable"]))
            result = run("check", "--csv", "--column=" + one, stdin=("%s,%s\nhttp://a/,http://b/\n" % (one, other)).encode())
            self.assertUsage(result, b"twice")
        for one, other in (("link", "lino"), ("na", "\u540d"), ("\u0438\u043c\u044f", "\u043a\u043e\u0434")):
            made, = run("check", "--json-field=" + one, stdin=('{"%s":"http://a/","%s":"http://b/"}\n' % (one, other)).encode()).objects()
            self.assertEqual(made["urivet_verdict"], "accept")

    def test_fold_table(self):
        """The table of letters is that of Unicode."""
        path = "/usr/share/unicode/CaseFolding.txt"
        if not os.path.exists(path):
            self.skipTest("needs unicode-data")
        known = {0x130: 0x69, 0x131: 0x69}
        for point, status, folded in re.findall(r"^([0-9A-F]+); ([CS]); ([0-9A-F]+);", content(path).decode(), re.M):
            known[int(point, 16)] = int(folded, 16)
        source = (core.ROOT / "src/cli/records/names.c").read_text()
        made = {}
        for row in re.findall(r"\{(0x[0-9A-F]+), (0x[0-9A-F]+), (-?\d+), (\d)\}", source):
            first, last, distance, step = (int(word, 0) for word in row)
            made.update({point: point + distance for point in range(first, last + 1, step)})
        self.assertEqual(made, {point: folded for point, folded in known.items() if point >= 0x80})

    def test_headers(self):
        """A header that lacks the column, has it twice or has a reserved name ends this file, not the others."""
        good = self.file(b"id,url\n1,http://a.example/\n")
        for header, what in ((b"id,uri", b"lacks the name"), (b"url,url", b"twice"), (b"URL,url", b"twice"), (b'url," Url "', b"twice"),
                             (b"URL,id", b"lacks the name"), (b"ur\xc4\xb1vet_x,url", b"begins with urivet_"), (b"url,urivet_verdict", b"begins with urivet_"),
                             (b'url,"Urivet_x"', b"begins with urivet_"), (b'url,a"b', b"a quote"), (b'"url', b"not closed"),
                             (b"", b"lacks the name"), (b"url," + b"x" * 1048600, b"longer than --max-record")):
            with self.subTest(header[:30]):
                result = run("check", "--csv", "--column=url", "--input=" + self.file(header + b"\n1,http://a/\n"), "--input=" + good)
                self.assertUsage(result, what, b"row 1")
                self.assertEqual(result.out, b"id,url,urivet_verdict,urivet_findings\n1,http://a.example/,accept,\n")
                result = run("filter", "--csv", "--column=url", "--input=" + self.file(header + b"\n1,http://a/\n"), "--input=" + good,
                             "--on-error=stop")
                self.assertEqual((result.code, result.out), (2, b""))
        self.assertUsage(run("check", "--csv", "--column=3", stdin=b"1,2\n"), "fewer columns")
        self.assertUsage(run("check", "--csv", "--column=3", "--header", stdin=b"1,2\n"), "fewer columns")
        for empty in (b"", b"id,url\n", b"id,url"):
            result = run("check", "--csv", "--column=url", stdin=empty)
            self.assertEqual((result.code, result.out), (0, empty.replace(b"url", b"url,urivet_verdict,urivet_findings")))
        result = run("check", "--csv", "--column=2", "--header", stdin=b"id,url\n1,x\n")
        self.assertEqual(result.lines()[0], b"id,url,urivet_verdict,urivet_findings")

    def test_bom(self):
        """A BOM before a header is not part of its first name; before a row it is data."""
        for header in (b"url,x", b'"url",x'):
            result = run("check", "--csv", "--column=url", stdin=b"\xef\xbb\xbf" + header + b"\nhttp://a.example/,1\n")
            self.assertEqual((result.code, result.out), (0, b"\xef\xbb\xbf" + header + b",urivet_verdict,urivet_findings\nhttp://a.example/,1,accept,\n"))
        self.assertEqual(run("check", "--csv", "--column=1", stdin=b"\xef\xbb\xbfhttp://a.example/,1\n").code, 1)
        self.assertEqual(run("check", "--csv", "--column=1", stdin=b"\xef\xbb\xbf\"http://a.example/\",1\n").code, 2)

    def test_several(self):
        """The header is written once, and must be the same in all files; rows are numbered by file."""
        one, two = self.file(b"id,url\n1,http://a.example/"), self.file(b"\xef\xbb\xbfid,url\r\n2,http://b.example/\r\n3,a\"b\r\n")
        other = self.file(b"url,id\nhttp://c.example/,4\n")
        for jobs in ("1", "2"):
            words = ["--csv", "--column=url", "--jobs=" + jobs, "--input=" + one, "--input=" + two, "--input=" + other]
            result = run("check", *words)
            self.assertEqual(result.out, b"id,url,urivet_verdict,urivet_findings\n1,http://a.example/,accept,\n2,http://b.example/,accept,\r\n")
            self.assertUsage(result, two.encode() + b": row 3 (line 3, octet 32), column 2", other.encode() + b": row 1: its header is not that of the first file")
            self.assertEqual(run("filter", *words).out, b"id,url\n1,http://a.example/\n2,http://b.example/\r\n")
        result = run("check", "--csv", "--column=1", "--input=" + self.file(b"a,b\n"), "--input=" + self.file(b"a,b,c\n"))
        self.assertUsage(result, b"3, not 2")

    def test_long_rows(self):
        """A row above --max-record is refused unread, including quoted line ends; one of exactly that length
        is read."""
        row = b'1,"http://a.example/%s"' % (b"x" * 90)
        for length, code in ((len(row), 0), (len(row) - 1, 2)):
            for end in (b"\n", b"\r\n"):
                text = b"1," + GOOD + end + row + end + b"2," + GOOD + end
                result = run("check", "--csv", "--column=2", "--max-record=%d" % length, stdin=text)
                self.assertEqual(result.code, code, result)
                self.assertEqual(len(result.lines()), 2 if code else 3)
            result = run("check", "--csv", "--column=2", "--max-record=%d" % len(row), stdin=b"1,a\n" + b"x" * 200 + b"\n")
            self.assertEqual(result.err, b"urivet: <stdin>: row 2 (line 2, octet 4): it is longer than --max-record, and was not read\n")
        long = b'1,"' + b'x\n"",' * 100000 + b'",2\n'
        text = b"1,a,2\n" + long + b"2,b,2\n"
        for jobs in ("1", "2"):
            result = run("check", "--csv", "--column=2", "--max-record=1000", "--jobs=" + jobs, stdin=text)
            self.assertUsage(result, b"row 2 (line 2, octet 6): it is longer than --max-record")
            self.assertEqual(result.out, b"1,a,2,reject,not-absolute\n2,b,2,reject,not-absolute\n")
            result = run("filter", "--csv", "--column=2", "--max-record=1000", "--observe", "--rejects=-", "--jobs=" + jobs, stdin=text)
            self.assertEqual((result.code, result.out), (2, text))
            self.assertIn(b"\t2\t" + escape(long[:-1]).encode() + b"\n", result.err)

    def test_memory(self):
        if instrumented():
            self.skipTest("a sanitizer has memory of its own")
        _, least = run_measured("check", "-q", "--input=" + self.file(GOOD))
        for open_quote in (b"", b'"'):
            result, peak = run_measured("check", "-q", "--csv", "--column=1", feed=[open_quote] + [b"x\n" * MIB if open_quote else b"x" * 2 * MIB] * 100)
            self.assertEqual(result.code, 2)
            self.assertLess(peak, least + 16 * MIB)

    def test_tsv(self):
        """Tab-separated fields have no quotes, and a CR is data unless --crlf is given."""
        text = b'url\tx\nhttp://a.example/\t"\n"http://b.example/"\ty\nhttp://c.example/\tz\r\n'
        result = run("check", "--tsv-in", "--column=url", stdin=text)
        self.assertEqual(result.out, b'url\tx\turivet_verdict\turivet_findings\nhttp://a.example/\t"\taccept\t-\n'
                         b'"http://b.example/"\ty\treject\tquoting-wrapper,not-absolute,scheme-malformed,forbidden-char\nhttp://c.example/\tz\r\taccept\t-\n')
        crlf = run("check", "--tsv-in", "--column=2", "--crlf", stdin=b"x\thttp://c.example/\r\n")
        self.assertEqual((crlf.code, crlf.out), (0, b"x\thttp://c.example/\taccept\t-\r\n"))
        self.assertEqual(run("check", "--tsv-in", "--column=2", stdin=b"x\thttp://c.example/\r\n").code, 1)
        self.assertUsage(run("check", "--tsv-in", "--column=1", stdin=b"a\tb\na\n"), "1, not 2")


def split(text):
    """Returns rows with their ends, their fields, and whether something is wrong, by reading one octet after
    the other."""
    rows, at = [], 0
    while at < len(text):
        start, fields, fault = at, [], False
        while True:
            field = b""
            if text[at:at + 1] == b'"':
                at += 1
                while at < len(text) and (text[at:at + 1] != b'"' or text[at + 1:at + 2] == b'"'):
                    field += text[at:at + 1]
                    at += 2 if text[at:at + 1] == b'"' else 1
                fault |= at >= len(text) or b"\0" in field
                at += 1
                first = at
            else:
                first = None
            begin = at
            while at < len(text) and text[at:at + 1] not in (b",", b"\n") and text[at:at + 2] != b"\r\n":
                at += 1
            fault |= first is not None and at > begin or any(octet in text[begin:at] for octet in b'"\r\0')
            fields.append(field + text[begin:at])
            if text[at:at + 1] != b",":
                break
            at += 1
        at = min(len(text), at + (2 if text[at:at + 2] == b"\r\n" else 1))
        rows.append((text[start:at], fields, bool(fault)))
    return rows


def appended(row, verdict, ids):
    end = b"\r\n" if row.endswith(b"\r\n") else b"\n" if row.endswith(b"\n") else b""
    return row[:len(row) - len(end)] + ("," + verdict + "," + csv_findings(ids)).encode() + end


class Json(Case):
    def test_random(self):
        """Objects are written unchanged, with members added before the last brace, for any escapes and spaces."""
        chance = random.Random(13)
        for turn in range(20):
            urls, lines = [], []
            for _ in range(chance.choice((1, 30, 2000))):
                url = chance.choice([u for u in URLS if b"\xff" not in u]).decode()
                urls.append(url.encode())
                lines.append(json_line(chance, url))
            said = judged(urls)
            expected = [line[:line.rindex(b"}")] + b',"urivet_verdict":"%s","urivet_findings":%s}' %
                        (verdict.encode(), json.dumps(ids, separators=(",", ":")).encode()) + line[line.rindex(b"}") + 1:]
                        for line, (verdict, ids) in zip(lines, said)]
            with self.subTest(turn):
                result = run("check", "--json-field=a.url", "--jobs=%d" % chance.choice((1, 2)), stdin=b"\n".join(lines))
                self.assertEqual((result.out, result.err), (b"\n".join(expected), b""))
                for line, before in zip(result.out.split(b"\n"), lines):
                    made = json.loads(line)
                    self.assertEqual((made.pop("urivet_verdict"), made.pop("urivet_findings")) and made, json.loads(before))
                passed = run("filter", "--json-field=a.url", stdin=b"\n".join(lines) + b"\n")
                self.assertEqual(passed.out, b"".join(line + b"\n" for line, (verdict, _) in zip(lines, said) if verdict == "accept"))

    def test_strict(self):
        """Python's reader, made as strict as the standard, decides what is valid JSON."""
        chance = random.Random(14)
        line = b'{"url":"http://a.example/","n":[1.10,-0,2e+5,true,null,{"x":"\\u00e9\\n"}],"s":"caf\xc3\xa9"}'
        lines = [line]
        for _ in range(6000):
            changed = bytearray(chance.choice((line, b'{"url":"a"}', b'{"url" : -1.5E-3 , "b":[ ]}')))
            for _ in range(chance.randrange(1, 3)):
                at = chance.randrange(len(changed))
                changed[at:at + chance.randrange(2)] = bytes([chance.choice(b'{}[]",:\\0123eE+-.utnfalsr \x00\x1f\x7f\x80\xc3\xe2')])
            if b"\n" not in changed:
                lines.append(bytes(changed))
        result = run("check", "--json-field=url", stdin=b"\n".join(lines))
        listed = {int(text.split(b": row ")[1].split(b" ")[0]) for text in result.err.splitlines()}
        self.assertEqual(listed, {i + 1 for i, text in enumerate(lines) if not is_object(text)})
        self.assertGreater(len(listed), 1000)
        self.assertLess(len(listed), len(lines) - 500)

    def test_bom(self):
        """A BOM before the first object is not part of it; elsewhere it breaks a row."""
        lines = b'{"url":"http://a.example/"}\n{"url":"http://u@a.example/"}\n'
        plain = run("check", "--json-field=url", stdin=lines)
        self.assertEqual(run("check", "--json-field=url", stdin=b"\xef\xbb\xbf" + lines).out, plain.out)
        many = run("check", "--json-field=u", stdin=b'\xef\xbb\xbf{"u":"http://h/"}\n' * 100000)  # a mark is one at the begin of a file only
        self.assertEqual((many.out.count(b"\n"), many.err.count(b": row ")), (1, 99999))
        one, two = self.file(b"\xef\xbb\xbf" + lines), self.file(b"\xef\xbb\xbf" + lines + b"\xef\xbb\xbf" + lines)
        result = run("check", "--json-field=url", "--input=" + one, "--input=" + two)
        self.assertUsage(result, "row 3 (line 3, octet 61), its octet 1")
        self.assertEqual(len(result.lines()), 5)

    def test_unreadable(self):
        """A field that is missing, or that JSON readers find differently, is refused; near misses are judged."""
        for member in ('', '"url":null', '"url":1', '"url":["http://a.example/"]', '"url":{"url":"http://a.example/"}', '"x":{"url":"http://a.example/"}',
                       '"url":"http://a.example/","url":"http://a.example/"', '"url":"http://a.example/","\\u0075rl":"x"',
                       '"url":"http://a.example/","URL":"x"', '"url":"http://a.example/","url\\u0000":"x"', '"url":"http://a.example/\\u0000"',
                       '"url":"http://a.example/\\ud800"', '"url":"http://a.example/\\udc00\\ud800"', '"url":"http://a.example/\\ud800\\u0041"',
                       '"url":"http://a.example/","url":null', '"[":0,"u\\u0052l":"x","url":"http://a.example/"'):
            result = run("check", "--json-field=url", stdin="{%s}\n" % member)
            with self.subTest(member):
                self.assertEqual(result.code, 1, result)
                self.assertTrue(result.out.endswith(b'"urivet_verdict":"reject","urivet_findings":["field-unreadable"]}\n'), result)
                self.assertEqual(json.loads(result.out)["urivet_verdict"], "reject")
                self.assertEqual(run("filter", "--json-field=url", stdin="{%s}\n" % member).out, b"")
                self.assertEqual(run("check", "-q", "--json-field=url", stdin="{%s}\n" % member).code, 1)
                self.assertEqual(run("check", "--count-by=finding", "--json-field=url", stdin="{%s}\n" % member).out, b"field-unreadable\t1\n")
        for member in ('"url":"http://a.example/","x":{"url":"x"}', '"url":"http://a.example/","urls":"x","ur":"y","\\ud800":"z"', '"\\u0075rl":"http:\\/\\/a.example\\u002f"',
                       '"x":[{"url":1},"url"],"url":"http://a.example/"', '"x":"\\ud83d\\ude00\\ud800","url":"http://a.example/"'):
            result = run("check", "--json-field=url", stdin="{%s}\n" % member)
            self.assertEqual((result.code, result.err), (0, b""), member)

    def test_every_escape(self):
        """A member is the text that its escapes stand for, at each border of their kinds."""
        borders = [0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FE, 0xE001, 0xFFFE, *range(0x10000, 0x110000, 0x400)]
        points = [point for border in borders for point in (border - 1, border, border + 1) if point < 0xD800 or 0xDFFF < point]
        texts = ["http://h/" + "".join(map(chr, [*points[at:at + 200], 0x10FFFF, 0x22, 0x5C])) for at in range(0, len(points), 200)]
        lines = [json.dumps({"u": text}) for text in texts]
        for given in (lines, [re.sub(r"\\u\w{4}", lambda match: "\\u" + match[0][2:].upper(), line) for line in lines], [json.dumps({"u": text}, ensure_ascii=False) for text in texts]):
            made, = run("check", "--json-field=u", "--count-by=verdict", "--sample=100", "--format=json", stdin="\n".join(given)).objects()
            self.assertEqual(made["examples"], texts)

    def test_paths(self):
        for text, path, code in (('{"a":{"b":{"c":"http://a.example/"}}}', "a.b.c", 0), ('{"a":[{"b":"http://a.example/"}]}', "a.b", 1),
                                 ('{"a":{"b":"http://a.example/"},"a":{"b":"http://a.example/"}}', "a.b", 1), ('{"b":"http://a.example/","a":{}}', "a.b", 1),
                                 ('{"a":{"b":"http://a.example/"},"A":1}', "a.b", 1), ('{"a":{"b":"http://a.example/","x":{"b":1}},"b":2}', "a.b", 0),
                                 ('{"x":{"a":{"b":1}},"a":{"b":"http://a.example/"}}', "a.b", 0), ('{"a":1,"x":{"b":"http://a.example/"}}', "a.b", 1)):
            self.assertEqual(run("check", "--json-field=" + path, stdin=text).code, code, (text, path))

    def test_reserved(self):
        """A reserved name in a row is an error: otherwise the author of the row could write the verdict."""
        for name in ("urivet_verdict", "urivet_", "Urivet_X", "\\u0075rivet_verdict"):
            result = run("check", "--json-field=url", stdin='{"url":"http://user@a/","%s":"accept"}\n{"url":"http://a.example/"}\n' % name)
            self.assertUsage(result, "row 1 (line 1, octet 0), its octet 25: a name that begins with urivet_")
            self.assertEqual(len(result.lines()), 1)
        self.assertEqual(run("check", "--json-field=url", stdin='{"url":"http://a.example/","x":{"urivet_verdict":1},"urivet":2}').code, 0)

    def test_depth(self):
        for depth, code in ((255, 0), (256, 2), (100000, 2)):
            text = b'{"url":"http://a.example/","x":' + b"[" * depth + b"]" * depth + b"}"
            self.assertEqual(run("check", "--json-field=url", stdin=text).code, code, depth)


def json_line(chance, url):
    """Returns an object that contains the URL, in a random spelling."""
    spelled = "".join("\\u%04X" % ord(c) if c in "\r\n" or (ord(c) < 0x10000 and chance.random() < 0.05) else "\\" + c if c in '"\\' or (c == "/" and chance.random() < 0.2) else c
                      for c in url)
    key = chance.choice(("url", "u\\u0072l"))
    space = chance.choice(("", " ", "\t"))
    inner = '{"x":[{"url":1}],%s"%s"%s:%s"%s"}' % (space, key, space, space, spelled)
    members = ['"a"%s:%s%s' % (space, space, inner), '"n":1.10', '"big":123456789012345678901234567890', '"url":"no"', '"e":"}\\u007d\\""']
    chance.shuffle(members)
    return ("%s{%s%s%s}%s" % (space, space, ("," + space).join(members), space, chance.choice(("", space, "\r")))).encode("utf-8")


def is_object(text):
    def refuse(word):
        raise ValueError(word)
    try:
        made = json.loads(text.decode("utf-8"), parse_constant=refuse)
    except ValueError:
        return False
    return isinstance(made, dict)


class Appended(Case):
    def test_with(self):
        """--with appends what JSON has for the plain record, in the format of the table."""
        urls = [b"http://a.example:81/p?q=a,b#f", b"HTTP://B.example/%7Ea", b"http://u,v@c.example/", b"x", b"http://[::1]/", b"", b"mailto:x",
                b"http://d.example/\"", b"https://\xc3\xa9.example/"]
        objects = [json.loads(line) for line in run("check", "--null", "--format=json", stdin=b"".join(url + b"\0" for url in urls)).lines()]
        names = ["number", "scheme", "userinfo", "host", "port", "path", "query", "fragment", "class", "suggestion"]
        text = b"".join(b'"%s"\n' % url.replace(b'"', b'""') for url in urls)
        lines = b"".join(json.dumps({"url": url.decode()}).encode() + b"\n" for url in urls)
        read = list(csv.reader(io.StringIO(run("check", "--csv", "--column=1", "--with=" + ",".join(names), stdin=text).out.decode(), newline=""), strict=True))
        made = [json.loads(line) for line in run("check", "--json-field=url", "--with=" + ",".join(names), stdin=lines).lines()]
        for i, (row, one, whole) in enumerate(zip(read, made, objects)):
            parts = whole["components"] or {}
            classes = list(dict.fromkeys(finding["class"] for finding in whole["findings"]))
            expected = [i + 1] + [parts.get(name) for name in names[1:4]] + [whole["port"]] + [parts.get(name) for name in names[5:8]] + [
                classes, whole["suggestion"]]
            self.assertEqual([one["urivet_" + name] for name in names], expected, urls[i])
            self.assertEqual(row[3:], [",".join(value) if isinstance(value, list) else "" if value is None else str(value) for value in expected])
        header = run("check", "--tsv-in", "--column=url", "--with=port,host", stdin=b"url\nhttp://a.example/\nx\n")
        self.assertEqual(header.out, b"url\turivet_verdict\turivet_findings\turivet_port\turivet_host\n"
                         b"http://a.example/\taccept\t-\t80\ta.example\nx\treject\tnot-absolute\t\\N\t\\N\n")

    def test_registrable(self):
        result = run("check", "--json-field=u", "--with=registrable", stdin=b'{"u":"http://a.b.co.uk/"}\n{"u":"http://127.0.0.1/"}\n')
        self.assertEqual([made["urivet_registrable"] for made in result.objects()], ["b.co.uk", None])

    def test_other_modes(self):
        """Policies, --target, --observe, -q and --count-by judge the field."""
        text = b"m,t\n1,/a\n2,/../b\n"
        self.assertEqual(run("check", "--csv", "--column=t", "--target=a.example", stdin=text).lines()[1:], [b"1,/a,accept,", b'2,/../b,reject,"dot-segment,dot-segment-above-root"'])
        text = b"id,url\n1,http://10.0.0.1/\n2,%s\n" % GOOD
        words = ["--csv", "--column=url", "--policy=public"]
        self.assertEqual(run("filter", *words, stdin=text).out, b"id,url\n2,%s\n" % GOOD)
        result = run("filter", *words, "--observe", "--rejects=-", stdin=text)
        self.assertEqual((result.code, result.out, result.err.count(b"\n")), (0, text, 1))
        self.assertEqual((run("check", *words, "-q", stdin=text).code, run("filter", "-q", *words, stdin=text).out), (1, b""))
        result = run("check", *words, "--count-by=host", "--sample=1", "--jobs=2", stdin=text)
        self.assertEqual(sorted(result.rows()), [["10.0.0.1", "1", "http://10.0.0.1/"], ["example.com", "1", GOOD.decode()]])
        self.assertEqual(run("check", "--csv", "--column=url", "--count-by=verdict", "--format=json", stdin=text).code, 0)
        result = run("check", "--csv", "--column=url", "--count-by=finding", stdin=text + b'3,"x"y\n4\n')
        self.assertEqual((result.code, result.rows()), (2, [["\\N", "2"], ["field-unreadable", "2"]]))

    def test_progress(self):
        result = run("check", "--csv", "--column=1", "--progress", stdin=GOOD + b"\n" + BAD + b"\n")
        self.assertRegex(result.err, rb"2 records, .*1 accepted, 1 refused")

    def test_usage(self):
        for words, named in ((["--csv"], "--column"), (["--column=1"], "--csv"), (["--csv", "--tsv-in", "--column=1"], "exclude"),
                             (["--csv", "--column=url", "--no-header"], "--no-header"), (["--csv", "--column=1", "--header", "--no-header"], "exclude"),
                             (["--csv", "--column=0"], "--column"), (["--csv", "--column="], None), (["--csv", "--column=1", "--format=json"], "--format"),
                             (["--csv", "--column=1", "--readings"], "--readings"), (["--csv", "--column=1", "--null"], "--null"),
                             (["--csv", "--column=1", "--crlf"], "--crlf"), (["--csv", "--column=1", "--target-records"], "--target-records"),
                             (["--csv", "--column=1", GOOD], "exclude"), (["--json-field="], "--json-field"), (["--json-field=a..b"], "--json-field"),
                             (["--json-field=a", "--column=1"], "--column"), (["--json-field=a", "--header"], "--header"), (["--with=host"], "--csv"),
                             (["--csv", "--column=1", "--column=2"], "--column is given twice"), (["--json-field=a", "--json-field=b"], "--json-field is given twice"),
                             (["--csv", "--column=1", "--with=hosts"], "host"), (["--csv", "--column=1", "--with=host,host"], "twice"),
                             (["--csv", "--column=1", "--with="], "--with"), (["--csv", "--column=1", "--on-error=ignore"], "--on-error"),
                             (["--on-error=stop"], "--csv"), (["--max-record=5"], "--csv"), (["--csv", "--column=1", "--max-record=0"], "--max-record"),
                             (["--csv", "--column=1", "--with=host", "--count-by=host"], "--with")):
            with self.subTest(words):
                result = run("check", *words)
                if named is None:
                    self.assertEqual((result.code, result.out), (0, b""))
                else:
                    self.assertUsage(result, named)
        self.assertUsage(run("filter", "--csv", "--column=1", "--with=host"), "--with")
