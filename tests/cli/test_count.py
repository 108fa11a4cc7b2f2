# SPDX-License-Identifier: Apache-2.0
"""Tests check --count-by: compares its counts with those that an independent script makes of the TSV columns."""

import functools
import random
from collections import Counter

from helper import ABSENT, BAD, GOOD, Case, escape, instrumented, run, takes_long, unescape
from report_page import Page

KINDS = ["finding", "host", "class", "verdict", "scheme"]


def records(count, seed):
    rng = random.Random(seed)
    forms = [b"http://h%d.example/", b"HTTP://H%d.EXAMPLE/%%7e", b"https://u@h%d.example/", b"h%d", b"http://h%d.example:080/\xff", b"ftp://[::%x]/",
             b"http://h%d\t\x1b/", b"mailto:h%d@example.com", b"http://u@h%d:081/%%41", b"HTTP://h%d/a//"]
    return [rng.choice(forms) % rng.randrange(90) for _ in range(count)]


def lower(column):
    """Returns a column in lower case; escapes are kept."""
    return ABSENT if column in (ABSENT, "") else escape(unescape(column).lower())


def keys(kind, row, made):
    """Returns the keys that a record counts for, by its row and its object: each finding, the classes that refuse it."""
    ids = [] if row[1] == "-" else row[1].split(",")
    return {"finding": ids or [ABSENT], "class": sorted({f["class"] for f in made["findings"] if f["refuses"]}) or [ABSENT], "verdict": [row[0]],
            "host": [lower(row[4])], "scheme": [lower(row[2])]}[kind]


@functools.lru_cache(maxsize=1)
def judged(lines, *options):
    """Returns the row and the object of each line."""
    text = b"\n".join(lines) + b"\n"
    return dict(zip(lines, zip(run("check", *options, stdin=text).rows(), run("check", "--format=json", *options, stdin=text).objects(), strict=True), strict=True))


def expected(kind, lines, samples=0, *options):
    counts, examples, answers = Counter(), {}, judged(tuple(sorted(set(lines))), *options)
    for line in lines:
        for key in keys(kind, *answers[line]):
            counts[key] += 1
            examples.setdefault(key, []).append(escape(line[:1024]))
    order = sorted(counts, key=lambda key: (-counts[key], b"" if key == ABSENT else unescape(key)))
    return [[key, str(counts[key]), *(examples[key][:samples] + [ABSENT] * samples)[:samples]] for key in order]


class Count(Case):
    def test_against_columns(self):
        """Every kind, for every number of threads, with and without examples, by any policy."""
        lines = records(12000, 1)
        for samples, *options in ((0,), (3,), (3, "--allow=userinfo-present,port-leading-zero"), (1, "--policy=any", "--refuse=host-case,path-double-slash")):
            for kind in KINDS:
                wanted = expected(kind, lines, samples, *options)
                for jobs in ("1", "4") if samples else ("4",):
                    with self.subTest(kind=kind, samples=samples, options=options, jobs=jobs):
                        sample = ["--sample=%d" % samples] if samples else []
                        result = run("check", "--count-by=" + kind, "--jobs=" + jobs, *sample, *options, stdin=b"\n".join(lines))
                        self.assertEqual((result.code, result.err), (1, b""))
                        self.assertEqual(result.rows(), wanted)

    def expect_hosts(self, lines, samples=0):
        wanted = expected("host", lines, samples)
        sample = ["--sample=%d" % samples] if samples else []
        for jobs in ("1", "4"):
            self.assertEqual(run("check", "--count-by=host", "--jobs=" + jobs, *sample, stdin=b"\n".join(lines)).rows(), wanted, (samples, jobs))

    @takes_long
    def test_many(self):
        """Many hosts, and hosts and examples of every length among them: each counts, in every order, accepted and refused."""
        rng = random.Random(3)
        forms = [b"https://h%d.example.com/", b"HTTPS://H%d.Example.COM/", b"ftp://[2001:db8::%x]/", b"//%d", b"x %d"]
        lines = [rng.choice(forms) % (rng.randrange(12000) if i % 3 else i) for i in range(40000)] + [b"http://h%d/" % i for i in range(5000)]
        for i in range(6000):
            size = rng.choice([1, 20, 1000, 1023, 1024, 2047, 2048, 3071, 3072, 4095, 4096, 4097, 5000])
            lines.append(b"http://h%d%s/" % (rng.randrange(9000), b"" if i % 3 else b"x" * size))
        for samples in (0, 1, 2):
            self.expect_hosts(lines, samples)

    def test_letters(self):
        """Letters are folded to lower case at any place, and nothing else changes."""
        octets = bytes(range(0x30, 0x3A)) + bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B)) + b"-._~!$&'()*+,;="
        self.expect_hosts([b"http://%s%c%s/" % (b"Zz"[:before], octet, b"A0z-Z9aM"[:after])
                           for octet in octets for before in range(3) for after in range(9)])

    def test_top(self):
        lines = records(3000, 2)
        for top in (1, 3, 1000000):
            self.assertEqual(run("check", "--count-by=host", "--top=%d" % top, stdin=b"\n".join(lines)).rows(), expected("host", lines)[:top])

    def test_registrable(self):
        result = run("check", "--count-by=registrable", stdin=b"http://a.b.example.co.uk/\nhttp://EXAMPLE.co.uk/\nhttp://10.0.0.1/\nx\n")
        self.assertEqual(result.rows(), [[ABSENT, "2"], ["example.co.uk", "2"]])

    def test_options_of_judging(self):
        """Counts follow the policy and --target."""
        self.assertEqual(run("check", "--count-by=finding", "--policy=public", stdin=b"http://10.0.0.1/").rows(),
                         expected("finding", [b"http://10.0.0.1/"], 0, "--policy=public"))
        self.assertEqual(run("check", "--count-by=verdict", "--target-records", stdin=b"GET a.example /\nGET  /").rows(), [["accept", "1"], ["reject", "1"]])

    def test_formats(self):
        """Arguments get the human format; in no format does output act on an octet of the input."""
        self.assertEqual(run("check", "--count-by=verdict", "--sample=1", GOOD, BAD, GOOD).out,
                         b"%12d  accept\n%s%s\n%12d  reject\n%s%s\n" % (2, b" " * 18, GOOD, 1, b" " * 18, BAD))
        made = run("check", "--count-by=host", "--format=json", "--sample=2", stdin=GOOD + b"\nx\n" + GOOD).objects()
        self.assertEqual(made, [{"host": "example.com", "count": 2, "examples": [GOOD.decode()] * 2}, {"host": None, "count": 1, "examples": ["x"]}])
        self.assertEqual(run("check", "--count-by=scheme", "--format=json", GOOD).objects(), [{"scheme": "http", "count": 1}])
        hostile = b"http://\xff\x1b[2J\t/\x00\xc2\x9b\nhttp://\xe2\x80\xae/\n" * 3
        for form in ("human", "tsv", "json"):
            self.assertClean(run("check", "--count-by=host", "--sample=2", "--format=" + form, stdin=hostile).out)
        self.assertIn(b"(none)", run("check", "--count-by=finding", GOOD).out)

    def test_status(self):
        """The exit status is that of check; -q writes nothing; without records there are no rows."""
        self.assertEqual(run("check", "--count-by=verdict", GOOD).code, 0)
        self.assertEqual(run("check", "--count-by=verdict", "-q", BAD).out, b"")
        self.assertEqual(run("check", "--count-by=verdict", "--observe", BAD).code, 0)
        self.assertEqual((run("check", "--count-by=host").code, run("check", "--count-by=host").out), (0, b""))

    def test_long(self):
        """An over-long record counts, and its beginning is the example."""
        line = b"http://a.example/" + b"x" * 3000
        for options in ([], ["--max-length=2000"]):
            rows = run("check", "--count-by=verdict", "--sample=1", *options, stdin=line).rows()
            self.assertEqual(rows, [["reject" if options else "accept", "1", line[:1024].decode()]])

    @takes_long
    def test_bound(self):
        """Memory is bounded: the first 1048576 hosts are counted exactly, and the rest is reported as one
        number."""
        if instrumented():
            self.skipTest("the release build counts a million faster")
        count = 1 << 20
        lines = b"".join(b"http://%x/\n" % i for i in range(count + 5)) + b"http://0/\nhttp://%x/\n" % (count + 7)
        made = [run("check", "--count-by=host", "--top=1", "--jobs=" + jobs, stdin=lines) for jobs in ("1", "4")]
        self.assertEqual(made[0].rows(), [["0", "2"], ["\\*", "6"]])
        self.assertEqual(made[1].out, made[0].out)
        self.assertIn(b"more than 1048576 keys: 6", made[0].err)
        exact = run("check", "--count-by=host", "--top=1", stdin=lines[:lines.index(b"http://100000/\n")])
        self.assertEqual((exact.rows()[-1][1], exact.err), ("1", b""))

    def test_octets_bound(self):
        """Long hosts reach the memory limit before that number. A report counts all records, and those refused."""
        if instrumented():
            self.skipTest("as above")
        hosts = b"".join(b"http://%05d%s/\n" % (i, b"a" * 8000) for i in range(8500))
        result = run("check", "--count-by=host", "--top=1", stdin=hosts)
        kept = (64 << 20) // 8005
        self.assertEqual(result.rows()[-1], ["\\*", str(8500 - kept)])
        made = Page(run("report", "-o", "-", "--jobs=2", stdin=hosts).out)
        self.assertEqual([sum(row[k] for row in made.keys("hosts")) for k in (1, 2)], [8500, made.tiles()["refused"]])

    def test_usage(self):
        for words in (["--top=3"], ["--sample=3"], ["--count-by=hots"], ["--count-by=host", "--top=0"], ["--count-by=host", "--sample=101"],
                      ["--count-by=host", "--readings", "--format=json"]):
            self.assertUsage(run("check", *words, GOOD))
        self.assertUsage(run("check", "--count-by=hots", GOOD), "host")
        self.assertUsage(run("filter", "--count-by=host"))
