# SPDX-License-Identifier: Apache-2.0
"""Tests hints and options that correct habits: hints go to standard error, and change neither output nor
status."""

import gzip
import os

from helper import BAD, GOOD, Case, run

FINDINGS = [row[0] for row in run("findings", "--format=tsv").rows()]


class Hints(Case):
    def test_bare_uri(self):
        """A URI or a file in place of a command gets a hint; a misspelled command does not."""
        for word in ("http://example.com/", "mailto:a@example.com", "http://exa mple.com/"):
            result = run(word)
            self.assertUsage(result, b"hint: urivet check '" + word.encode() + b"'")
            self.assertEqual(result.out, b"")
        path = self.file(GOOD + b"\n")
        self.assertUsage(run(path), "--input='" + path + "'")
        for word in ("chekk", self.folder()):
            self.assertNotIn(b"hint", run(word).err)

    def test_file_as_uri(self):
        """check FILE gets a hint, and the name is judged as a URI all the same."""
        path = self.file(GOOD + b"\n")
        for command in ("check", "parse", "suggest", "normalise", "explain"):
            for guard in ([], ["--"]):
                with self.subTest(command=command, guard=guard):
                    result = run(command, *guard, path)
                    self.assertEqual(b"hint: '" + path.encode() in result.err, not guard)
                    self.assertEqual(b"--input=" in result.err, not guard and command != "explain")
            self.assertEqual((run(command, path).code, run(command, path).out), (result.code, result.out))
        self.assertEqual(run("check", path, path).err.count(b"hint"), 1)

    def test_no_file(self):
        """No hint for a URI, a path that does not exist, a folder, or a request target."""
        home = self.folder()
        with open(os.path.join(home, "a:b"), "wb"):
            pass
        for words in (["check", "a:b"], ["check", "/no/such"], ["check", home], ["check", "--target", "/etc/passwd"],
                      ["compare", "/etc/passwd", "/etc/passwd"]):
            self.assertNotIn(b"hint", run(*words, cwd=home).err, words)

    def test_dash(self):
        """- is judged as a URI, with a hint."""
        result = run("check", "-", stdin=GOOD)
        self.assertEqual(result.code, 1)
        self.assertIn(b"hint: '-' was taken for a URI", result.err)
        self.assertNotIn(b"hint", run("check", "--", "-").err)

    def test_policy(self):
        """--policy=FILE gets a hint to use --policy-file."""
        for value in ("proxy.yaml", "./proxy", "proxy.conf"):
            self.assertUsage(run("check", "--policy=" + value, GOOD), "hint: --policy-file=" + value)
        self.assertNotIn(b"hint", run("check", "--policy=strikt", GOOD).err)

    def test_findings(self):
        """findings PREFIX lists all findings that begin with it, in full, and is still an error."""
        for prefix in ("addr6-", *sorted({name[0] for name in FINDINGS})):
            result = run("findings", prefix)
            self.assertUsage(result)
            self.assertEqual(result.out, b"")
            line = [line for line in result.err.decode().splitlines() if "hint" in line][0]
            self.assertEqual(line.split(": ")[-1].split(", "), [name for name in FINDINGS if name.startswith(prefix)])
        for prefix in ("", "zzz"):
            self.assertNotIn(b"hint", run("findings", prefix).err)

    def test_packed(self):
        """Compressed or UTF-16 standard input is judged as it is, with a hint; similar plain text gets no
        hint."""
        packed = gzip.compress(GOOD + b"\n")
        for start, word in ((packed, b"--decompress"), (b"\x28\xb5\x2f\xfdxx", b"--decompress"), (b"BZh91AY&SY", b"bzip2 -dc"), (b"\xfd7zXZ\0", b"xz -dc"),
                            (b"PK\x03\x04", b"ZIP"), ("http://a/\n".encode("utf-16"), b"iconv"), (b"\xfe\xff\0h", b"iconv")):
            for options in ([], ["--jobs=2"], ["--max-length=%d" % min(len(start), 10)]):
                with self.subTest(start=start, options=options):
                    result = run("check", *options, stdin=start)
                    self.assertEqual((result.code, result.err.count(b"hint")), (1, 1))
                    self.assertIn(word, result.err)
                    result = run("check", "--csv", "--column=url", *[option for option in options if "jobs" in option], stdin=start)
                    self.assertEqual((result.code, result.out, result.err.count(b"hint")), (2, b"", 1), "a table without the column")
                    self.assertIn(word, result.err)
        self.assertNotIn(b"hint", run("filter", "--input=" + self.file(packed)).err)
        for start in (b"\x1f", b"\x28\xb5\x2f", b"BZ", b"BZh9.example/", b"PK\x03", b"\xff", b"", GOOD):
            self.assertNotIn(b"hint", run("check", stdin=start).err)

    def test_header_with_cr(self):
        """In tab-separated input a CR may end the last field: if the header lacks the column for that reason,
        the message says so."""
        text = b"id\turl\r\n1\t" + GOOD + b"\r\n"
        result = run("check", "--tsv-in", "--column=url", stdin=text)
        self.assertUsage(result, "lacks the name", "hint: most lines end in CR LF; --crlf")
        self.assertEqual(run("check", "--tsv-in", "--column=url", "--crlf", stdin=text).code, 0)
        for words, given in ((["--tsv-in", "--column=uri"], text.replace(b"\r", b"")), (["--csv", "--column=uri"], text),
                             (["--tsv-in", "--column=uri", "--crlf"], text), (["--tsv-in", "--column=uri"], b"\n\r\n")):
            self.assertNotIn(b"hint", run("check", *words, stdin=given).err)


class Habits(Case):
    def test_spellings(self):
        """--color, normalize and canonicalize are accepted."""
        for name in ("normalize", "canonicalize"):
            self.assertEqual(run(name, "HTTP://a").out, run("normalise", "HTTP://a").out)
            self.assertEqual(run("help", name).out, run("help", "normalise").out)
        for form in (["--color=always"], ["--color", "always"]):
            self.assertEqual(run("check", *form, BAD).out, run("check", "--colour=always", BAD).out)
        self.assertUsage(run("check", "--color=blue", GOOD), "blue")
        self.assertUsage(run("check", "--colors=always", GOOD), "colour")

    def test_explain_several(self):
        """explain shows several URIs with a line between them; the exit status covers all."""
        one, other = run("explain", GOOD).out, run("explain", BAD).out
        for uris, status in (([GOOD, BAD], 1), ([BAD, GOOD], 1), ([GOOD, GOOD], 0)):
            parts = {GOOD: one, BAD: other}
            result = run("explain", *uris)
            self.assertEqual((result.code, result.out), (status, b"\n".join(parts[uri] for uri in uris)))
        self.assertEqual(run("explain", "-q", GOOD, BAD).out, b"")
        self.assertEqual(run("explain").code, 2)

    def test_totals(self):
        """Progress ends with totals; without progress there are no totals."""
        lines = GOOD + b"\n" + BAD + b"\n" + GOOD + b"\n"
        for jobs in ("1", "3"):
            result = run("check", "--progress", "--jobs=" + jobs, stdin=lines)
            self.assertRegex(result.err, rb"urivet: 3 records, [0-9]+/s, 2 accepted, 1 refused\n$")
        self.assertEqual(run("check", "--no-progress", stdin=lines).err, b"")


class Observe(Case):
    """--observe has the effect of `mode: observe` in a policy file."""

    def test_status(self):
        for words in (["check"], ["explain"], ["resolve", "--policy=strict", BAD]):
            self.assertEqual(run(*words, BAD).code, 1)
            self.assertEqual(run(words[0], "--observe", *words[1:], BAD).code, 0)
        self.assertEqual(run("scan", "--observe", stdin=BAD).code, 0)
        self.assertEqual(run("check", "--observe", "--input=/no/such").code, 2)
        self.assertEqual(run("check", "--observe", BAD).out, run("check", BAD).out)

    def test_json(self):
        """The last key is enforced, with the value false."""
        for extra in ([], ["--target=h"]):
            made = run("check", "--format=json", "--observe", *extra, BAD).objects()[0]
            self.assertEqual((list(made)[-1], made["enforced"], made["verdict"]), ("enforced", False, "reject"))
        self.assertNotIn("enforced", run("check", "--format=json", BAD).objects()[0])

    def test_filter(self):
        """Every record is copied, and refused ones are also written to --rejects."""
        lines = GOOD + b"\n" + BAD
        result = run("filter", "--observe", "--rejects=-", stdin=lines)
        self.assertEqual((result.code, result.out, result.err.count(b"\n")), (0, lines, 1))
        self.assertEqual(run("filter", stdin=lines).out, GOOD + b"\n")


class DiffRecords(Case):
    """policy diff --input lists the records that only one of two policies accepts."""

    RECORDS = [GOOD, b"http://10.0.0.1/", BAD, b"http://\xff\x1b[2J/", b"http://a\\b/", b"https://10.0.0.2/\"x", b"http://EXAMPLE.com/"]

    def diff(self, *words, records=None, ending=b"\n", **keywords):
        text = ending.join(self.RECORDS if records is None else records)
        return run("policy", "diff", "--input=-", *words, stdin=text, **keywords)

    def test_against_check(self):
        """It lists exactly the records on which check gives different verdicts by the two policies."""
        for a, b in (("public", "strict"), ("strict", "public"), ("gateway", "any"), ("strict", "strict")):
            rows = [run("check", "--policy=" + name, stdin=b"\n".join(self.RECORDS)).rows() for name in (a, b)]
            expected = [["+" if two[0] == "accept" else "-", one[1], two[1], str(number)]
                        for number, (one, two) in enumerate(zip(*rows), 1) if one[0] != two[0]]
            for jobs in ("1", "4"):
                result = self.diff("--format=tsv", "--jobs=" + jobs, a, b)
                self.assertEqual([row[:4] for row in result.rows()], expected)
                self.assertEqual(result.code, 1 if expected else 0)
        self.assertTrue(self.diff("public", "strict").out)

    def test_many(self):
        """Numbers and order are the same for any number of threads."""
        records = [b"http://10.%d.%d.1/" % (i >> 8 & 255, i & 255) if i % 3 else GOOD for i in range(60000)]
        made = [self.diff("--format=tsv", "--jobs=" + jobs, "public", "strict", records=records) for jobs in ("1", "4")]
        self.assertEqual(made[0].out, made[1].out)
        self.assertEqual([int(row[3]) for row in made[0].rows()], [i + 1 for i in range(60000) if i % 3])

    def test_formats(self):
        result = self.diff("--colour=never", "public", "strict", records=[b"http://10.0.0.1/", GOOD])
        self.assertEqual(result.out, b"+ http://10.0.0.1/ (addr-not-global,addr-private; record 1)\n")
        result = self.diff("--colour=never", "strict", "public", records=[b"http://10.0.0.1/", GOOD])
        self.assertEqual(result.out, b"- http://10.0.0.1/ (addr-not-global,addr-private; record 1)\n")
        made = self.diff("--format=json", "strict", "public", records=[GOOD, b"http://10.0.0.1/"]).objects()
        self.assertEqual(made, [{"only": "a", "uri": "http://10.0.0.1/", "number": 2, "length": 16, "a": [],
                                 "b": ["addr-not-global", "addr-private"]}])
        self.assertEqual(self.diff("-q", "strict", "public").out, b"")
        self.assertEqual(self.diff("-q", "strict", "public").code, 1)

    def test_hostile(self):
        """The octets of a record cannot break out of their field."""
        self.write_limits()
        for form in ("human", "tsv", "json"):
            result = self.diff("--format=" + form, "--colour=never", "--null", self.short, self.other, ending=b"\0",
                               records=[b"http://a/" + b"x" * 20, b"http://\xff\n\x1b/", b"urn:\xff\xfe\t\"\n" + b"x" * 2000])
            self.assertClean(result.out)
            self.assertEqual(result.out.count(b"\n"), 1, result)

    def write_limits(self):
        """Writes two policies that differ only in lengths."""
        self.short = self.file("limits: {length: 20}", "short.yaml")
        self.other = self.file("limits: {length: 40}", "other.yaml")

    def test_lengths(self):
        """A record too long for one policy is read for the other; one too long for both is not read."""
        self.write_limits()
        records = [b"http://a/" + b"x" * n for n in (11, 12, 31, 32, 5000)]
        for policies, sign, findings in (((self.short, self.other), "+", ["url-too-long", "-"]), ((self.other, self.short), "-", ["-", "url-too-long"])):
            rows = self.diff("--format=tsv", *policies, records=records).rows()
            self.assertEqual(rows, [[sign, *findings, str(n), records[n - 1].decode()] for n in (2, 3)])

    def test_public_suffix(self):
        """A rule that needs the public suffix list counts as well."""
        policy = self.file("refuse: [host-public-suffix]", "suffix.yaml")
        rows = self.diff("--format=tsv", "strict", policy, records=[b"http://co.uk/", b"http://a.co.uk/"]).rows()
        self.assertEqual([row[:4] for row in rows], [["-", "-", "host-public-suffix", "1"]])

    def test_usage(self):
        for words, named in ((["diff", "--jobs=2", "strict", "any"], "--input"), (["diff", "-0", "strict", "any"], "--null"),
                             (["diff", "--crlf", "strict", "any"], "--crlf"), (["diff", "--progress", "strict", "any"], "--progress"),
                             (["show", "--input=-", "strict"], "policy diff"), (["diff", "--input=-", "-", "any"], "more than one thing"),
                             (["diff", "--input=-", "strict"], "missing"), (["diff", "--input=/no/such", "strict", "any"], "/no/such"),
                             (["diff", "--input=-", "strict", "anny"], "any")):
            self.assertUsage(run("policy", *words), named)
