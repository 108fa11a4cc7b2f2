# SPDX-License-Identifier: Apache-2.0
"""Tests that the same octets give the same output in whatever pieces they are read: with the border of a block at each
octet, octet by octet through a pipe, in several files, and in members and frames of compressed input."""

import gzip
import subprocess
import tempfile
import time
from typing import NamedTuple

from helper import GOOD, MIB, TIMEOUT, URIVET, Case, Result, lacks, needs, run

WINDOW, AHEAD = MIB, 131072  # of text; see src/cli/scan/scan.h
BLOCK = 65536  # that the command reads at once; records are judged in blocks of four times as many


class Sample(NamedTuple):
    words: tuple         # of the command
    head: bytes          # first in the text
    judged: bytes        # whose output is compared; ends at the end of a record or line
    row: tuple           # beginning and end of a filler, with any number of "a" between
    scans: bool = False  # the filler has no output, and the output names lines


ROW = (b"http://example.com/", b"\n")
LINES = b"http://example.com/c\nhttp://u@example.com/b\nHTTP://EXAMPLE.com/%2f?q#f\n\nhttp://x\xc3\xa9\xff.example/\r\nhttp://example.com/\n"
JSON = b'{"a":["\\ud83d\\ude00","}\\\\\\""],"u":"http:\\/\\/u@example.com\\u002Fb","b":{"u":1.5e3}} \n{"u":"http:\\u002f/\xc3\xa9\\n.example/"}\n'
CSV = b'"a ""q"",\r\n\n","http://u@example.com/""\n""x"""\r\n2,http://exam\xffple.com/\n3,"http://example.com/"\n'
MAIL = (b"--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"http://u@a.example/=\n=62\">\n"
        b"--b\nContent-Transfer-Encoding: base64\n\naHR0cDovL3VAYi5leGFtcGxlLw==\n--b\n\nhttp://u@c.example/\n")
HTML = b"<p\n><a title='>' href=\"http://u@a.example/&amp;&#x41;\">x</a><style>a{b:url(http://u@b.example/)}/**/</style>\n"
SAMPLES = {
    "lines": Sample(("check", "--format=tsv"), b"", LINES, ROW),
    "crlf": Sample(("check", "--crlf"), b"", LINES.replace(b"\n", b"\r\n"), (ROW[0], b"\r\n")),
    "null": Sample(("check", "--null"), b"", LINES.replace(b"\n", b"\0"), (ROW[0], b"\0")),
    "json": Sample(("check", "--format=json"), b"", LINES, ROW),
    "filter": Sample(("filter",), b"", LINES, ROW),
    "rejects": Sample(("filter", "--rejects=-"), b"", LINES, ROW),
    "filter-long": Sample(("filter", "--max-length=30"), b"", LINES, ROW),
    "csv": Sample(("check", "--csv", "--column=u"), b"i,u\n", CSV, (b"1,http://example.com/", b"\n")),
    "csv-filter": Sample(("filter", "--csv", "--column=u"), b"i,u\n", CSV, (b"1,http://example.com/", b"\n")),
    "tsv": Sample(("check", "--tsv-in", "--column=u"), b"u\ti\n", LINES.replace(b"\n", b"\t1\n"), (ROW[0], b"\t1\n")),
    "rows": Sample(("check", "--json-field=u"), b"", JSON, (b'{"u":"http://example.com/', b'"}\n')),
    "long": Sample(("check", "--crlf", "--max-length=30", "--format=json"), b"", LINES.replace(b"\n", b"\r\n"), (ROW[0], b"\r\n")),
    "long-rows": Sample(("filter", "--csv", "--column=u", "--max-length=30"), b"i,u\n", CSV, (b"1,http://example.com/", b"\n")),
    "text": Sample(("scan", "--format=tsv"), b"", b"<http://u@a.example/b>, www.b.example/\xc3\xa9 (http://u@c.example/d).\n\"x:/y\"\n 1www.no.example \xc3\xa9www.no.example\n", (b"", b"\n"), True),
    "targets": Sample(("scan", "--params=u", "--format=tsv"), b"", b'1.2.3.4 - - [1] "GET /a?u=http://10.0.0.1/ HTTP/1.1" 200 "http://u@r.example/"\n',
                      (b"", b"\n"), True),
    "html": Sample(("scan", "--html", "--format=tsv"), b"", HTML, (b"<!-- ", b"-->\n"), True),
    "markdown": Sample(("scan", "--markup=markdown", "--format=tsv"), b"",
                       b"\n[a](<http://u@a.example/&amp;>) <http://u@b.example/>\n[c]: http://u@c.example/\n\n`http://no.example/`\n\n", (b"", b"\n"), True),
    "mail": Sample(("scan", "--mail", "--format=tsv"), b"Content-Type: multipart/mixed; boundary=b\n\n", MAIL, (b"", b"\n"), True),
    "mailbox": Sample(("scan", "--mail", "--format=tsv"), b"From w\n\n",
                      b"\nFrom x\nSubject: =?utf-8?q?http=3A//u=40a.example/?=\n\n>From http://u@b.example/\n\nFrom y\nA: b\n\nhttp://u@c.example/\n", (b"", b"\n"), True),
}


def filler(sample, length):
    """Returns rows of this many octets, at least 200."""
    start, end = sample.row
    rows = []
    while length > 0:
        size = length if length < 1000 else 500
        rows.append(start + b"a" * (size - len(start + end)) + end)
        length -= size
    return b"".join(rows)


def findings(sample, result):
    """Returns the output, without the numbers of lines, messages and parts."""
    if not sample.scans:
        return result.out
    return [row[:10] + row[13:15] + row[17:] for row in result.rows()]


def frame(octets):
    """Returns a frame of zstd (RFC 8878) with the octets in one raw block."""
    return b"\x28\xb5\x2f\xfd\x20" + bytes([len(octets)]) + (1 | len(octets) << 3).to_bytes(3, "little") + octets


def fed(pieces, *args, pause=0.0):
    """Runs the command on input that comes in segments, with a pause after each."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with subprocess.Popen([URIVET, *args], stdin=subprocess.PIPE, stdout=out, stderr=err, bufsize=0) as child:
            for number, piece in enumerate(pieces):
                child.stdin.write(piece)
                time.sleep(pause if number > 3 else 30 * pause)  # at first the command starts
            child.stdin.close()
            code = child.wait(TIMEOUT)
        out.seek(0)
        err.seek(0)
        return Result(code, out.read(), err.read())


def cut(text, sizes):
    """Cuts the text into segments of these sizes, which are repeated."""
    at, turn = 0, 0
    while at < len(text):
        yield text[at:at + sizes[turn % len(sizes)]]
        at += sizes[turn % len(sizes)]
        turn += 1


class Pieces(Case):
    def test_borders(self):
        """A block may end at each octet of a record, of a tag and of a part of a message."""
        for name, sample in SAMPLES.items():
            period = sample.judged + filler(sample, BLOCK - 1 - len(sample.judged))
            for first in range(1 if sample.scans else 4):  # so that each octet is at the border of four blocks, too
                start = sample.head + filler(sample, 200 + first)
                periods = len(start + sample.judged) + 2
                with self.subTest(name, first=first):
                    jobs = [] if sample.scans else ["--jobs=%d" % (1 + first)]
                    begun = run(*sample.words, stdin=start)
                    one = run(*sample.words, stdin=start + period)
                    with open(self.file(start + period * periods), "rb") as file:  # whose blocks are full
                        many = run(*sample.words, *jobs, stdin=file)
                    self.assertEqual((many.code, many.err.count(b"\n")), (one.code, one.err.count(b"\n") * periods))
                    before, once = findings(sample, begun), findings(sample, one)
                    self.assertGreater(len(once), len(before))
                    self.assertTrue(findings(sample, many) == before + once[len(before):] * periods, "the output differs")

    def test_windows(self):
        """Text is searched in windows; each may end, and the next one begin, at each octet."""
        for name in ("text", "targets"):
            sample = SAMPLES[name]
            begun = run(*sample.words, stdin=sample.judged + b"\n").rows()
            for border in (WINDOW, WINDOW + AHEAD):
                text = filler(sample, border)
                for shift in range(len(sample.judged) + 2):
                    many = run(*sample.words, stdin=text[:border - shift - 1] + b"\n" + sample.judged + text[:5000])
                    self.assertEqual([row[:10] + row[12:] for row in many.rows()], [row[:10] + row[12:] for row in begun], (name, border, shift))

    def texts(self):
        for name, sample in SAMPLES.items():
            text = sample.head + sample.judged * 2
            yield name, sample, text, run(*sample.words, stdin=text)

    def test_octet_by_octet(self):
        """Each octet may come alone through a pipe."""
        for name, sample, text, whole in self.texts():
            for sizes, jobs in (((1,), ()), ((1,), ("--jobs=2",)), ((2, 3, 7), ()), ((3, 50, 64, 63, 65), ("--jobs=4",))):
                if not (jobs and sample.scans):
                    with self.subTest(name, sizes=sizes, jobs=jobs):
                        result = fed(cut(text, sizes), *sample.words, *jobs, pause=0.0002)
                        self.assertEqual((result.code, result.out, result.err), (whole.code, whole.out, whole.err))

    @needs("zlib1g-dev")
    def test_members(self):
        """Compressed input may consist of members or frames of one octet, or of none, and come octet by octet."""
        for name, sample, text, whole in self.texts():
            packings = [[gzip.compress(piece) for piece in cut(text, sizes)] for sizes in ((1,), (2, 3, 7), (len(text),))]
            packings.append([piece for octet in cut(text, (1,)) for piece in (gzip.compress(octet), gzip.compress(b""))])
            if not lacks("libzstd-dev"):
                packings += [[frame(piece) for piece in cut(text, sizes)] for sizes in ((1,), (2, 3, 7), (1, 255))]
            for number, packed in enumerate(packings):
                with self.subTest(name, packing=number):
                    result = run(*sample.words, "--decompress", stdin=b"".join(packed))
                    self.assertEqual((result.code, result.out, result.err), (whole.code, whole.out, whole.err))
            for packed in (gzip.compress(text), *([] if lacks("libzstd-dev") else [b"".join(map(frame, cut(text, (200,))))])):
                result = fed(cut(packed, (1,)), *sample.words, "--decompress", pause=0.0002)
                self.assertEqual((name, result.code, result.out, result.err), (name, whole.code, whole.out, whole.err))

    @needs("zlib1g-dev")
    def test_much_of_little(self):
        """A few compressed octets may be more text than is read at once."""
        sample, many = SAMPLES["lines"], 600_000
        text = sample.judged + b"a" * many
        whole = run(*sample.words, stdin=text)
        repeated = b"\x28\xb5\x2f\xfd\xa0" + many.to_bytes(4, "little") + b"".join(
            (last | 1 << 1 | 100_000 << 3).to_bytes(3, "little") + b"a" for last in (0, 0, 0, 0, 0, 1))
        packings = [gzip.compress(text)] + ([] if lacks("libzstd-dev") else [frame(sample.judged) + repeated])
        for packed in packings:
            for jobs in ("--jobs=1", "--jobs=2"):
                result = run(*sample.words, jobs, "--decompress", stdin=packed)
                self.assertEqual((result.code, result.out, result.err), (whole.code, whole.out, whole.err))

    def test_files(self):
        """Records in several files are judged as in one."""
        for name in ("lines", "crlf", "null", "json", "filter"):
            sample = SAMPLES[name]
            end = sample.row[1]
            records = [record + end for record in sample.judged.split(end)[:-1]]
            for cut_off in (b"", end):  # the end of a file ends its last record, too
                inputs = ["--input=" + self.file(record if record == end else record.removesuffix(cut_off)) for record in records[:-1]]
                inputs.append("--input=" + self.file(records[-1]))
                for more in (["--jobs=1"], ["--jobs=2"], ["--observe"], ["--observe", "--max-length=3"]):
                    self.assertEqual(run(*sample.words, *more, *inputs).out.replace(end, b"\n"),
                                     run(*sample.words, *more, stdin=sample.judged).out.replace(end, b"\n"), (name, more))

    def test_longest(self):
        """A block may end in the line end of a record that is as long as the limit."""
        record = GOOD.ljust(8192, b"b") + b"\r\n"
        for shift in range(4):
            text = filler(SAMPLES["crlf"], 4 * BLOCK - len(record) + shift) + record * 2
            with open(self.file(text), "rb") as file:
                self.assertEqual({row[1] for row in run("check", "--crlf", stdin=file).rows()}, {"-"}, shift)
