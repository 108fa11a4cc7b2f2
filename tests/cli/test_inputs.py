# SPDX-License-Identifier: Apache-2.0
"""Tests several inputs, and inputs compressed by Python's gzip and by zstd(1)."""

import bz2
import gzip
import io
import lzma
import os
import random
import re
import shutil
import struct
import subprocess
import threading
import unittest
import zipfile
import zlib

from helper import BAD, GOOD, MIB, URIVET, Case, content, instrumented, lacks, needs, run, run_measured, skip_if_lacking, takes_long

MANY = b"".join(b"http://h%d.example/%s\n" % (i, b"x" * (i % 90)) if i % 7 else BAD + b"\n" for i in range(12000))
ZSTD = shutil.which("zstd")


def zstd(data, *options):
    return subprocess.run([ZSTD, "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True, timeout=50).stdout


def skippable(kind, length):
    """Returns a skippable frame (RFC 8878, 3.1.2); pzstd(1) begins each of its frames with one."""
    return struct.pack("<II", 0x184D2A50 + kind, length) + b"\n" * length


@needs("zlib1g-dev")
class Packed(Case):
    def setUp(self):
        self.plain = run("check", stdin=MANY)

    def packings(self, text=MANY):
        yield "gzip", gzip.compress(text, 1)
        yield "members", gzip.compress(text[:5000]) + gzip.compress(b"") + gzip.compress(text[5000:])
        yield "padded", gzip.compress(text) + b"\0" * 1000
        if ZSTD and not lacks("libzstd-dev"):
            yield "zstd", zstd(text)
            yield "frames", zstd(text[:70000]) + zstd(b"") + zstd(text[70000:], "-9")
            yield "skippable", skippable(0, 4) + zstd(text[:70000]) + skippable(7, 100000) + zstd(text[70000:]) + skippable(15, 0)

    def test_like_plain(self):
        """A compressed file is recognised by its magic, standard input needs the option; the output equals
        that of the plain text."""
        for name, packed in self.packings():
            for jobs in ("1", "3"):
                with self.subTest(name, jobs=jobs):
                    result = run("check", "--jobs=" + jobs, "--input=" + self.file(packed, "no-such-suffix"))
                    self.assertEqual((result.code, result.out, result.err), (1, self.plain.out, b""))
                    result = run("check", "--jobs=" + jobs, "--decompress", stdin=packed)
                    self.assertEqual((result.code, result.out, result.err), (1, self.plain.out, b""))
            self.assertNotEqual(run("check", stdin=packed).out, self.plain.out, name)  # negative control

    def test_asked_for_plain(self):
        """--decompress leaves text as it is."""
        result = run("check", "--decompress", stdin=MANY)
        self.assertEqual((result.code, result.out), (1, self.plain.out))
        self.assertEqual(run("check", "--decompress", stdin=b"").code, 0)

    def test_empty(self):
        for name, packed in self.packings(b""):
            result = run("check", "--input=" + self.file(packed))
            self.assertEqual((result.code, result.out, result.err), (0, b"", b""), name)

    def test_scan(self):
        """scan decompresses files, and standard input with the option; for text, HTML and mail, line numbers
        are those of the decompressed text."""
        mail = b"From: a@b.example\n\nhttp://a.example/ http://u@b.example/\n"
        page = b"<p>\n<a href='http://u@b.example/'>b</a>\n"
        for option, text in ((None, MANY), ("--html", page), ("--mail", mail), ("--mail", b"From x\n" + mail + b"\nFrom y\n" + mail)):
            words = ["scan", "--format=tsv"] + ([option] if option else [])
            plain = run(*words, stdin=text)
            if b"this build reads no" in plain.err:
                continue
            self.assertEqual(plain.code, 1)
            for name, packed in self.packings(text):
                with self.subTest(name, option=option):
                    path = self.file(packed)
                    result = run(*words, path)
                    self.assertEqual((result.code, result.out.replace(path.encode(), b"-"), result.err), (1, plain.out, b""))
                    result = run(*words, "--decompress", stdin=packed)
                    self.assertEqual((result.code, result.out, result.err), (1, plain.out, b""))
                    with open(path, "rb") as stdin:
                        self.assertEqual(run(*words, "--decompress", "-", stdin=stdin).out, plain.out)
                    self.assertIn(b"urivet: hint: '<stdin>' seems to be compressed", run(*words, stdin=packed).err)
                    with open(path, "rb") as stdin:
                        self.assertIn(b"urivet: hint: '<stdin>' seems to be compressed", run(*words, stdin=stdin).err)

    def test_scan_cut_off(self):
        """Files that scan cannot read, or not to their end, are reported; the other files are judged."""
        good = self.file(b"http://u@good.example/\n")
        text = b"".join(b"http://h%d.example/%s\n" % (i, os.urandom(9).hex().encode()) for i in range(9000))
        result = run("scan", "--format=tsv", self.file(gzip.compress(text)[:-50000]), good)
        self.assertUsage(result, "it is cut off")
        self.assertIn(b"\th0.example\t", result.out)
        self.assertIn(b"\tgood.example\t", result.out)
        for option in ([], ["--html"], ["--mail"]):
            for start, what in ((b"BZh91AY&SY", "bzip2"), (b"PK\x03\x04", "ZIP"), ("\ufeffhttp://a.example/".encode("utf-16-le"), "UTF-16"),
                                ("http://a.example/".encode("utf-16-be"), "UTF-16")):
                result = run("scan", "--format=tsv", *option, self.file(start), good)
                if b"this build reads no" not in result.err:
                    self.assertUsage(result, what, "makes text of it")
                    self.assertEqual(b"good.example" in result.out, option == [])

    def test_cut_off(self):
        """If the input is cut off anywhere, all complete records are judged, no record is invented, and the
        status is 2."""
        chance = random.Random(3)
        for name, packed in self.packings(MANY[:9000]):
            whole = run("check", stdin=MANY[:9000]).out
            least = 700 if name in ("members", "frames") else 1
            for cut in [len(packed) - 1 - (1000 if name == "padded" else 0)] + [chance.randrange(least, len(packed) - 1001 if name == "padded" else len(packed)) for _ in range(5)]:
                with self.subTest(name, cut=cut):
                    path = self.file(packed[:cut])
                    result = run("check", "--input=" + path)
                    if result.code != 2:  # a cut between two members is a regular end of file
                        self.assertIn(name, ("members", "frames"))
                        continue
                    self.assertTrue(whole.startswith(result.out), result)
                    if cut > 16:
                        self.assertIn(b"cut off", result.err)
                    passed = run("filter", "--input=" + path)
                    self.assertEqual(passed.code, 2)
                    self.assertTrue(all(line + b"\n" in MANY for line in passed.lines()))

    def test_damaged(self):
        """A changed octet is always detected, because these formats have checksums."""
        chance = random.Random(4)
        packings = [("gzip", gzip.compress(MANY[:9000]))] + ([("zstd", zstd(MANY[:9000], "--check"))] if ZSTD else [])
        for name, packed in packings:
            for _ in range(25):
                at = chance.randrange(10, len(packed))
                broken = bytearray(packed)
                broken[at] ^= 1 << chance.randrange(8)
                result = run("check", "--decompress", stdin=bytes(broken))
                with self.subTest(name, at=at):
                    self.assertEqual(result.code, 2, result)

    def test_what_follows(self):
        """Octets after the end that are no further member are not ignored silently."""
        for name, packed in self.packings(GOOD + b"\n"):
            result = run("check", "--decompress", stdin=packed + b"http://evil@example/\n")
            self.assertUsage(result, b"cannot read '<stdin>'")
            self.assertEqual(len(result.lines()), 1, name)

    @takes_long
    def test_bomb(self):
        """Input that expands to a lot, in many records or in one, takes no more memory than plain text."""
        if instrumented():
            self.skipTest("a sanitizer has memory of its own")
        for text in ((GOOD + b"\n") * 1000000, b"http://a/" + b"x" * (100 * MIB)):
            for name, packed in (("gzip", gzip.compress(text, 1)),) + ((("zstd", zstd(text)),) if ZSTD else ()):
                with self.subTest(name):
                    self.assertLess(len(packed), 2 * MIB)
                    _, least = run_measured("check", "-q", "--input=" + self.file(GOOD))
                    result, peak = run_measured("check", "-q", "--input=" + self.file(packed))
                    self.assertIn(result.code, (0, 1))
                    self.assertLess(peak, least + 16 * MIB)

    def test_answers_come(self):
        """A program that sends a compressed record and waits gets its answer, and so does one that sends
        three octets."""
        path = os.path.join(self.folder(), "pipe")
        os.mkfifo(path)
        stream = gzip.compress(b"")[:10]  # a header
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        for first in (stream + packer.compress(GOOD + b"\n") + packer.flush(zlib.Z_SYNC_FLUSH), b"a:\n"):
            with subprocess.Popen([URIVET, "check", "--input=" + path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as child, open(path, "wb", buffering=0) as pipe:
                pipe.write(first)
                timer = threading.Timer(20, child.kill)
                timer.start()
                self.assertRegex(child.stdout.readline(), rb"^(accept|reject)\t")
                timer.cancel()
                pipe.close()
                child.wait(20)


class NoText(Case):
    @needs("zstd")
    def test_skippable_alone(self):
        """A skippable frame of any kind is recognised alone, and is empty; text that only begins like one is
        text."""
        for kind in range(16):
            result = run("check", "--input=" + self.file(skippable(kind, 9)))
            self.assertEqual((result.code, result.out, result.err), (0, b"", b""))
            self.assertUsage(run("check", "--input=" + self.file(skippable(kind, 9)[:-1])), "cut off")
        for start in (b"\x4f\x2a\x4d\x18", b"\x60\x2a\x4d\x18", b"P*M", b"P*M\x19", b"Q"):
            self.assertEqual(run("check", "--input=" + self.file(start)).code, 1, start)

    def test_said(self):
        """A file that is no text is not read, and the message names its format and a command that makes the text of it, which does."""
        text, archive = "http://a.example/\n", io.BytesIO()
        with zipfile.ZipFile(archive, "w") as made:
            made.writestr("a", text)
        for octets, word in ((bz2.compress(text.encode()), "bzip2"), (lzma.compress(text.encode()), "xz"), (archive.getvalue(), "ZIP"),
                             *((mark + text.encode(code), "UTF-16") for code, mark in (("utf-16", b""), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""), ("utf-16-be", b"")))):
            with self.subTest(octets):
                path = self.file(octets)
                result = run("check", "--input=" + path)
                self.assertUsage(result, word)
                self.assertEqual(result.out, b"")
                command = re.search(r"'([^']*)' makes text", result.err.decode())[1]
                if shutil.which(command.split()[0]):
                    self.assertEqual(subprocess.run([*command.split(), path], capture_output=True, check=True).stdout.decode(), text)
                if word != "UTF-16" or octets[:1] > b"\xf0":
                    self.assertIn("'%s' makes text" % command, run("check", stdin=octets).err.decode())
        for near in (b"BZh9.example/", b"PK\x03", b"\xff", b"h\0t\0t\0p\0:/", b"\0\0http://a.example/"):
            self.assertEqual(run("check", "--input=" + self.file(near)).code, 1, near)
        self.assertEqual(run("check", "--null", "--input=" + self.file(b"a\0" * 12)).code, 1)

    def test_directory(self):
        self.assertUsage(run("check", "--input=" + self.folder()), b"is a directory")
        self.assertEqual(run("check", "--input=/dev/null").code, 0)


class Several(Case):
    @needs("zlib1g-dev")
    def test_in_order(self):
        """Files are read in order; the end of a file ends its last record."""
        for jobs in ("1", "2"):
            parts = [self.file(MANY), self.file(GOOD), self.file(b""), self.file(b"x:y\nhttp://b.example/"), self.file(gzip.compress(BAD))]
            words = ["--input=" + part for part in parts]
            text = MANY + GOOD + b"\nx:y\nhttp://b.example/\n" + BAD
            self.assertEqual(run("check", "--jobs=" + jobs, *words).out, run("check", stdin=text).out)
            self.assertEqual(run("filter", "--jobs=" + jobs, *words).out, run("filter", stdin=text).out)
            self.assertEqual(run("check", "--jobs=" + jobs, "--input=-", words[0], stdin=GOOD).out, run("check", stdin=GOOD + b"\n" + MANY).out)

    def test_a_cr_at_the_end_of_a_file(self):
        """Without a LF it is data, whether another file follows or not."""
        for end, first in ((b"\r", "reject"), (b"\r\n", "accept"), (b"", "accept")):
            file, other = self.file(GOOD + end, "first"), self.file(GOOD + b"\r\n", "second")
            for files, verdicts in (((file, other), [first, "accept"]), ((other, file), ["accept", first])):
                result = run("check", "--crlf", *("--input=" + name for name in files))
                self.assertEqual([row[0] for row in result.rows()], verdicts, (end, files))
        for size in range(MIB - 3, MIB + 2):  # where the buffer is full, as no record is cut by a block
            lines = (GOOD.ljust(63, b"x") + b"\n") * (size // 64 - 1)
            file = self.file(lines + GOOD.ljust(size - len(lines) - 1, b"x") + b"\r")
            result = run("check", "--crlf", "--input=" + file, "--input=" + other)
            self.assertEqual([row[0] for row in result.rows()[-2:]], ["reject", "accept"], size)

    def test_numbers(self):
        """Messages number records by file, rejects through all files."""
        first, second = self.file(GOOD + b"\n" + GOOD, "first"), self.file(GOOD + b"\n" + BAD + b"\n", "second")
        for jobs in ("1", "2"):
            words = ("--input=" + first, "--input=" + second, "--jobs=" + jobs)
            self.assertIn(second.encode() + b":2:8: ", run("check", "--format=human", *words).out)
            self.assertEqual(run("filter", "--rejects=-", *words).err.split(b"\t")[10], b"4")

    def test_missing(self):
        """Missing files are reported before the first one is read."""
        result = run("check", "--input=" + self.file(GOOD), "--input=/no/such", "--input=/nor/this")
        self.assertUsage(result, "'/no/such'", "'/nor/this'")
        self.assertEqual(result.out, b"")

    def test_one_is_broken(self):
        """The other files are read all the same."""
        broken = self.file(gzip.compress(MANY)[:-9])
        result = run("check", "--input=" + broken, "--input=" + self.file(GOOD + b"\n"))
        self.assertEqual(result.code, 2)
        self.assertEqual(result.rows()[-1][2:5], ["http", "\\N", "example.com"])

    def test_usage(self):
        self.assertUsage(run("check", "--input=-", "--input=-"), "given twice")
        path = self.file(GOOD + b"\n")
        with open(path, "ab") as out:
            self.assertUsage(run("check", "--input=/dev/null", "--input=" + path, stdout=out), "both input and output")
        result = run("filter", "--input=/dev/null", "--input=" + path, "--rejects=" + path)
        self.assertUsage(result, "is given for two of")
        self.assertEqual(content(path), GOOD + b"\n")


@unittest.skipUnless(instrumented(), "needs a build with AddressSanitizer")
class ExactBuffers(Case):
    """Each input is in a block of its size, so that AddressSanitizer notices a read of one octet beyond it. The command
    makes such a read on request."""

    def test_overread(self):
        policy = self.file(b"base: public\n")
        for kind, words, given in (("record", ["check"], b"http://h/\nx"), ("record", ["check", "-0"], b"http://h/\0x"), ("record", ["filter"], b"http://h/\n"),
                                   ("record", ["check", "http://h/"], b""), ("record", ["check", "--csv", "--column=1"], b'"http://h/",a\n'),
                                   ("record", ["scan"], b"http://h/"), ("row", ["check", "--csv", "--column=1"], b"http://h/,a\n"),
                                   ("row", ["check", "--tsv-in", "--column=1"], b"http://h/\ta\n"), ("row", ["check", "--json-field=a"], b'{"a":"http://h/"}\n'),
                                   ("window", ["scan"], b"http://h/"), ("file", ["scan", "--html"], b"<a href=x>"), ("window", ["scan", "--mail"], b"A: b\n\nhttp://h/\n"),
                                   ("markup", ["scan", "--markup=markdown"], b"[a](http://h/)"), ("file", ["policy", "check", policy], b""),
                                   ("file", ["check", "--policy-file=" + policy, "http://h/"], b"")):
            with self.subTest(words):
                made = subprocess.run([URIVET, *words], input=given, capture_output=True, check=False, env=dict(os.environ, URIVET_OVERREAD=kind))
                skip_if_lacking(made.returncode, made.stderr)
                self.assertIn(b"heap-buffer-overflow", made.stderr)
