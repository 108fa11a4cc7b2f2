# SPDX-License-Identifier: Apache-2.0
"""Tests --target-records: each input is a method, a Host field and a request target, separated by spaces."""

import random
import re
import unittest

from helper import MIB, NO_COMPONENTS, Case, escape, finding_ids, instrumented, run, run_measured

OPTION = "--target-records"
ROOM = 1024  # octets that a record may have beside its target

# A record, and its findings.
ACCEPTED = [b"GET h.example /", b"POST h.example /a?b=c", b"OPTIONS h.example *", b"OPTIONS h.example /a", b"CONNECT h.example:443 h.example:443",
            b"GET h.example http://h.example/a", b"GET h.example:443 /", b"M-SEARCH h.example /", b"get h.example /", b"GET [2001:db8::1] /a"]
REFUSED = [
    (b"GET h.example *", ["target-form"]),
    (b"GET h.example h.example:443", ["target-form"]),
    (b"CONNECT h.example /", ["target-form"]),
    (b"options h.example *", ["target-form"]),
    (b"GET h.example /a#b", ["fragment-in-target"]),
    (b"GET h.example ", ["target-malformed"]),
    (b"GET h.example a", ["target-malformed"]),
    (b"GET h.example /a b", ["raw-space"]),
    (b"GET h.example  /a", ["target-malformed", "leading-trailing-space"]),
    (b"GET h.example /a HTTP/1.1", ["raw-space"]),
    (b"GET h.example /\r", ["raw-crlf"]),
    (b"GET u@h.example /", ["userinfo-present"]),
    (b"GET h_x.example /", ["host-underscore"]),
    (b"GET h.example:8080 /", ["port-nondefault"]),
    (b"GET h.example http://other.example/", ["host-header-mismatch"]),
    (b"GET h.example:80\t /", ["port-invalid"]),
    (b"GET  /", ["host-empty", "host-missing"]),
    (b"CONNECT  h.example:443", ["host-missing"]),
]
# Records without a readable target: method, Host field or target is missing, or the method is no token.
UNREADABLE = [b"", b" ", b"  ", b"   ", b"GET", b"GET ", b"GET h.example", b"/", b" h.example /", b"  /", b"/a?b", b"http://h.example/",
              b"GET\th.example\t/", b"GET\th.example /", b"G\tT h.example /", b"GET\r h.example /", b"G\xc3\x89T h.example /", b"G\xffT h.example /",
              b"GET: h.example /", b"G,T h.example /", b"(GET) h.example /", b'"GET" h.example /', b"GET/1 h.example /", b"G\0T h.example /",
              b"G\x7fT h.example /", b"\r", b"\0", b"{GET} h.example /"]


class Records(Case):
    def records(self, *records, options=(), command="check"):
        """Returns the result for records in lines."""
        return run(command, OPTION, *options, stdin=b"".join(record + b"\n" for record in records))

    def test_verdicts(self):
        """Records that have their fields are accepted or refused, but never for field-unreadable."""
        self.assertEqual([row[0] for row in self.records(*ACCEPTED).rows() if row[1] != "field-unreadable"], ["accept"] * len(ACCEPTED))
        result = self.records(*(record for record, _ in REFUSED))
        self.assertEqual(result.code, 1)
        for (record, ids), row in zip(REFUSED, result.rows(), strict=True):
            with self.subTest(record):
                self.assertEqual(row[0], "reject")
                self.assertLessEqual(set(ids), set(finding_ids(row[1])) - {"field-unreadable"})

    def test_unreadable(self):
        """An empty or invalid method, or fewer than two spaces: one finding, and nothing is parsed."""
        for record in UNREADABLE:
            with self.subTest(record):
                result = run("check", OPTION, "-0", stdin=record + b"\0") if b"\0" not in record else self.records(record)
                self.assertEqual((result.code, result.rows()), (1, [["reject", "field-unreadable"] + NO_COMPONENTS]))

    def test_not_waivable(self):
        self.assertUsage(run("check", OPTION, "--allow=field-unreadable"), "field-unreadable cannot be allowed")
        self.assertUsage(run("check", OPTION, "--allow=host-missing"), "host-missing cannot be allowed")

    def test_like_target(self):
        """The answer for a record equals that with --method and --target, except for the place."""
        targets = [b"/", b"/a?b#c", b"*", b"http://h.example/", b"h.example:443", b"/a b", b"", b"//x/", b"/\xff", b"/..%2f", b"http://u@x/"]
        def records(method, host):
            return b"".join(method.encode() + b" " + host + b" " + t + b"\n" for t in targets)
        contexts = [(method, host) for method in ("GET", "CONNECT", "OPTIONS") for host in (b"h.example", b"", b"h.example:8443", b"u@h", b"\xe9")]
        # the human format has line numbers: a run for each context
        for policy, form, groups in (("strict", "tsv", [contexts]), ("public", "json", [contexts]), ("gateway", "json", [contexts]),
                                     ("any", "human", [[context] for context in contexts])):
            options = ["--policy=" + policy, "--format=" + form, "--port=8443", "--scheme=https"]
            for group in groups:
                whole = run("check", OPTION, *options, stdin=b"".join(records(*context) for context in group))
                apart = [run("check", b"--target=" + host, "--method=" + method, *options, stdin=b"".join(t + b"\n" for t in targets))
                         for method, host in group]
                self.assertEqual((whole.code, whole.out), (max(one.code for one in apart), b"".join(one.out for one in apart)), (options, group))

    def test_arguments(self):
        """Arguments are records as well."""
        result = run("check", OPTION, "--format=tsv", "--", b"GET h.example /a", b"", b"GET /", b"CONNECT h.example:443 h.example:443")
        self.assertEqual((result.code, [row[:2] for row in result.rows()]),
                         (1, [["accept", "-"], ["reject", "field-unreadable"], ["reject", "field-unreadable"], ["accept", "-"]]))

    def test_json(self):
        """uri and offsets are those of the target; if a record cannot be read, uri is the record."""
        made = self.records(b"GET h.example /a/../b", b"GET h_x.example /a", b"GET /a", b" h /", b"G\tT h /", b"G\xffT h /",
                            options=["--format=json"]).objects()
        self.assertEqual([o["uri"] for o in made], ["/a/../b", "/a", "GET /a", " h /", "G\tT h /", "G\xffT h /"])
        self.assertEqual(["raw" in o for o in made], [False] * 5 + [True])
        self.assertEqual([(f["id"], f["offset"], f["length"]) for f in made[0]["findings"]], [("dot-segment", 3, 2)])
        self.assertEqual(made[0]["components"]["host"], "h.example")
        self.assertEqual([(f["id"], f["component"], f["offset"]) for f in made[1]["findings"]], [("host-underscore", "host", 1)])
        for one, place in zip(made[2:], [(6, 0), (0, 0), (0, 3), (0, 3)]):
            self.assertEqual((one["verdict"], one["components"], one["port"], one["suggestion"]), ("reject", None, None, None))
            self.assertEqual(one["host"], {"kind": "none", "address": None})
            finding, = one["findings"]
            self.assertEqual((finding["id"], finding["class"], finding["component"]), ("field-unreadable", "malformed", "uri"))
            self.assertEqual((finding["offset"], finding["length"], finding["count"]), (*place, 1))

    def test_human(self):
        """Columns are those of the target, counted from 1; faults of the Host field are shown in that field."""
        out = self.records(b"GET h.example /a", b"GET h.example /a/../b", b"GET h_x.example /", b"GET /a", options=["--format=human"]).out
        self.assertIn(b"accept  /a\n", out)
        self.assertIn(b"<stdin>:2:4: refused: ambiguous: dot-segment\n    /a/../b\n       ^~\n", out)
        self.assertIn(b"<stdin>:3:2: refused: ambiguous: host-underscore\n    Host: h_x.example\n           ^\n", out)
        self.assertIn(b"<stdin>:4:7: refused: malformed: field-unreadable\n    GET\\x20/a\n             ^\n", out)
        self.assertClean(out)

    def test_suggestion(self):
        """Only absolute targets have a suggestion; unreadable records never have one."""
        made = self.records(b"GET h.example http://h.example:80/%41", b"GET h.example /%41", b"GET", options=["--format=json"]).objects()
        self.assertEqual([o["suggestion"] for o in made], ["http://h.example/A", None, None])

    def test_suggestion_everywhere(self):
        """Records, tables, reports and text print the same suggestion for a target, also beyond ASCII."""
        targets = ["http://h.example:80/%41", "http://h.example/", "http://H.example/stra\xdfe", "http://m\xfcller.de/?q=gr\xf6\xdfe", "http://\u200b.example/", "/%41", "http://u@h.example/"]
        spelt = ["http://h.example/A", "http://h.example/", "http://h.example/stra%C3%9Fe", "http://xn--mller-kva.de/?q=gr%C3%B6%C3%9Fe", None, None, None]
        lines = "\n".join(targets).encode()
        made = run("check", "--target=h.example", "--format=json", stdin=lines).objects()
        self.assertEqual([o["suggestion"] for o in made], spelt)
        rows = run("check", "--target=h.example", "--csv", "--column=url", "--with=suggestion", stdin=b"url\n" + lines + b"\n").lines()[1:]
        self.assertEqual([row.rpartition(b",")[2].decode() or None for row in rows], spelt)
        page = run("report", "--target=h.example", "--sample=9", "-o", "-", stdin=lines).out.decode()
        self.assertEqual(set(re.findall(r"(?:write instead|canonical) <code>([^<]*)</code>", page)),
                         {spelling for target, spelling in zip(targets, spelt) if spelling not in (None, target)})
        log = b"".join(b"\"GET " + target.encode() + b" HTTP/1.1\"\n" for target in targets)
        found = run("scan", "--params=*", "--format=json", stdin=log).objects()
        known = {"http://h.example:80/%41": "http://h.example/A", "http://h.example/": "http://h.example/"}
        self.assertEqual({o["uri"]: o["suggestion"] for o in found if o["uri"] in known}, known)

    def test_context(self):
        """--scheme and --port describe the listener for all records."""
        record = b"GET h.example:8443 /"
        self.assertEqual(self.records(record).rows()[0][:2], ["reject", "port-nondefault"])
        self.assertEqual(self.records(record, options=["--port=8443", "--scheme=https"]).rows()[0][:2], ["accept", "-"])
        self.assertIn("host-header-mismatch", self.records(b"GET h.example http://h.example/", options=["--scheme=https"]).rows()[0][1])

    def test_policy_file(self):
        """A policy file judges records, and the deciding rule is reported."""
        path = self.file(b'base: "gateway"\nhosts: {allow: [".h.example"]}', "p.yaml")
        result = self.records(b"GET a.h.example /", b"GET x.example /", options=["--policy-file=" + path, "--format=human"])
        self.assertEqual(result.code, 1)
        self.assertIn(b"host-not-allowed", result.out)
        self.assertIn(b"p.yaml:2", result.out)

    def test_usage(self):
        """--method and a host are errors here, because the records contain them."""
        for command in ("check", "filter"):
            for option in ("--target", "--target=", "--target=h.example"):
                self.assertUsage(run(command, OPTION, option), "--target-records and --target exclude each other")
            self.assertUsage(run(command, OPTION, "--method=GET"), "--target-records and --method exclude each other")
            self.assertUsage(run(command, OPTION, "--port=0"), "--port takes")
            self.assertUsage(run(command, OPTION, "--scheme=ws"), "--scheme takes")
            self.assertUsage(run(command, OPTION + "=x"), "takes no value")
        self.assertUsage(run("check", OPTION, "--readings"), "--readings and --target-records exclude each other")

    def test_quiet(self):
        """With -q only the exit status shows the verdict."""
        for record, code in ((b"GET h.example /", 0), (b"GET /", 1), (b"http://h.example/", 1)):
            result = self.records(record, options=["-q"])
            self.assertEqual((result.code, result.out, result.err), (code, b"", b""))


class Input(Case):
    def test_ends(self):
        """With -0 records end in NUL, and a LF is an octet of the target; a CR is data, unless --crlf makes it part of the line
        end. An empty line is a record without any field; an empty file has no records."""
        for options, text, findings in ((("-0",), b"GET h.example /\0GET h.example /\n\0GET h.example /", ["-", "raw-crlf", "-"]),
                                        (("--crlf",), b"GET h.example /\r\nGET /\r\n", ["-", "field-unreadable"]),
                                        ((), b"GET h.example /\r\nGET /\r\n", ["raw-crlf", "field-unreadable"]),
                                        ((), b"\n\n", ["field-unreadable"] * 2), ((), b"", []), ((), b"GET h.example /\nGET h.example *", ["-", "target-form"])):
            for result in (run("check", OPTION, *options, stdin=text), run("check", OPTION, *options, "--input=" + self.file(text))):
                rows = result.rows()
                self.assertEqual((result.code, len(rows)), (int(any(one != "-" for one in findings)), len(findings)))
                self.assertTrue(all(one in row[1].split(",") for row, one in zip(rows, findings)), rows)
        self.assertIn(b"--crlf", run("check", OPTION, stdin=b"GET h.example /\r\nGET /\r\n").err)

    def test_jobs(self):
        """Several threads answer in the order of the records, like one thread."""
        dice = random.Random(9110)
        kinds = ACCEPTED + [record for record, _ in REFUSED] + [record for record in UNREADABLE if b"\n" not in record]
        lines = [dice.choice(kinds) for _ in range(60000)]
        for k in range(0, len(lines), 4000):
            lines[k] = b"GET h.example /" + b"a" * dice.choice((5000, 8191, 8192, 9300, 70000))
        text = b"".join(line + b"\n" for line in lines)
        for options in (["--format=tsv"], ["--format=human"], ["--format=json"]):
            one, four = (run("check", OPTION, "--jobs=%d" % jobs, *options, stdin=text) for jobs in (1, 4))
            self.assertEqual((one.code, one.err), (four.code, four.err))
            self.assertEqual(one.out, four.out, options)
        one, four = (self.filtered(text, OPTION, "--jobs=%d" % jobs) for jobs in (1, 4))
        self.assertEqual((one[0].code, one[0].out, one[1]), (four[0].code, four[0].out, four[1]))


class Filter(Case):
    def filtered(self, text, *options):
        """Returns the accepted records, and the lines about the refused ones."""
        result, rejects = super().filtered(text, OPTION, *options)
        self.assertEqual(result.err, b"")
        return result, [line.decode("ascii").split("\t") for line in rejects.splitlines()]

    def test_whole_records(self):
        """Accepted records are copied whole; refused ones are reported with their number, and whole."""
        records = ACCEPTED + [record for record, _ in REFUSED] + [b"", b"GET /", b" h /", b"G\xffT h /"]
        text = b"\n".join(records)
        result, written = self.filtered(text)
        self.assertEqual((result.code, result.out), (1, b"".join(record + b"\n" for record in ACCEPTED)))
        checked = run("check", OPTION, stdin=text + b"\n").rows()
        self.assertEqual([row[:10] for row in written], checked[len(ACCEPTED):])
        self.assertEqual([row[10:] for row in written], [[str(k), escape(record)] for k, record in enumerate(records, 1) if k > len(ACCEPTED)])

    def test_ends(self):
        """Records keep their ends: a NUL, a CR with --crlf, or no end for the last one."""
        self.assertEqual(self.filtered(b"GET h.example /\0GET /\0GET h.example /b", "-0")[0].out, b"GET h.example /\0GET h.example /b")
        self.assertEqual(self.filtered(b"GET h.example /\r\nGET /\r\nGET h.example /b\n", "--crlf")[0].out, b"GET h.example /\r\nGET h.example /b\n")
        result, written = self.filtered(b"GET h.example /")
        self.assertEqual((result.code, result.out, written), (0, b"GET h.example /", []))

    def test_quiet(self):
        result, written = self.filtered(b"GET h.example /\nGET /\n", "-q")
        self.assertEqual((result.code, result.out, len(written)), (1, b"", 1))

    def test_urls_are_no_records(self):
        """A list of URLs is refused line by line, because a URL is no record."""
        self.assertEqual(self.filtered(b"http://h.example/\nhttps://h.example/\n")[0].out, b"")
        self.assertEqual(run("filter", stdin=b"GET h.example /\n").out, b"")

    def test_as_check(self):
        """For any octets, filter copies exactly what check accepts."""
        dice = random.Random(9112)
        pieces = [b"GET", b"CONNECT", b"OPTIONS", b" ", b" ", b" ", b"h.example", b":443", b":8443", b"/", b"*", b"http://h.example/", b"?a", b"#", b"%41", b"\t", b"\r", b"\xff"]
        records = [b"GET h.example /" + b"".join(dice.choices(pieces, k=dice.randrange(3))) for _ in range(500)]
        records += [b"".join(dice.choices(pieces, k=dice.randrange(9))) for _ in range(3000)]
        text = b"".join(record + b"\n" for record in records)
        for options in ((), ("--port=8443", "--scheme=https"), ("--policy=gateway",)):
            rows = run("check", OPTION, *options, stdin=text).rows()
            passed = [record for record, row in zip(records, rows, strict=True) if row[0] == "accept"]
            self.assertTrue(passed)
            result, written = self.filtered(text, *options)
            self.assertEqual(result.out, b"".join(record + b"\n" for record in passed))
            self.assertEqual([row[:10] for row in written], [row for row in rows if row[0] == "reject"])


class Length(Case):
    """The length limit is for the target and the Host field; the record may be longer by the room for the
    others."""

    def row(self, record, *options):
        """Returns the row of check, which must be the same from a line, an argument and a slow pipe."""
        line = run("check", OPTION, *options, stdin=record + b"\n")
        self.assertEqual(line.out, run("check", OPTION, "--format=tsv", *options, "--", record).out)
        self.assertEqual(line.out, run("check", OPTION, *options, stdin=b"GET h.example /" + b"\n" * 300_000 + record + b"\n").out[-len(line.out):])
        return line.rows()[0]

    def test_of_the_target(self):
        """The target may be as long as the policy allows, whatever precedes it."""
        for most, options in ((8192, ()), (100, ("--max-length=100",)), (2000, ("--max-length=2000",))):
            for before in (b"GET h.example ", b"A" * 50 + b" [2001:db8::1] "):
                self.assertEqual(self.row(before + b"/" + b"a" * (most - 1), *options)[0], "accept")
                self.assertEqual(self.row(before + b"/" + b"a" * most, *options), ["reject", "url-too-long"] + NO_COMPONENTS)
                self.assertEqual(self.row(before + b"/" + b"a" * (most + 2000), *options), ["reject", "url-too-long"] + NO_COMPONENTS)

    def test_json(self):
        """For an over-long target the length is that of the target; if no target can be read, that of the
        record."""
        for record, length in ((b"GET h.example /" + b"a" * 8192, 8193), (b"GET h.example /" + b"a" * 99999, 100000), (b"GET " + b"h" * 20000, 20004),
                               (b"G" * 99999, 99999), (b"GET " + b"h" * 2000 + b" /" + b"a" * 99998, 102004)):
            with self.subTest(record[:20]):
                for made in (run("check", OPTION, "--format=json", stdin=record + b"\n").objects()[0], run("check", OPTION, "--format=json", record).objects()[0]):
                    self.assertEqual((made["uri"], made["length"], made["components"]), (None, length, None))
                    self.assertEqual([f["id"] for f in made["findings"]], ["url-too-long"])

    def test_human(self):
        """The display of an over-long target does not depend on where blocks end."""
        for length in (8193, 9000, 9217, 99999, 600_000):
            record = b"GET h.example /" + b"a" * (length - 1)
            shown = [run("check", OPTION, "--format=human", stdin=text).out
                     for text in (record, record + b"\n", record + b"\nGET h.example /\n")]
            self.assertEqual(len(set(out.split(b"accept")[0] for out in shown)), 1)
            self.assertIn(b":1:8193: refused: policy: url-too-long\n    ...aaaa", shown[0])

    def test_other_fields(self):
        """A long Host field or method is judged if it fits into the room; otherwise the record is too long."""
        self.assertIn("host-label-too-long", self.row(b"GET " + b"h" * 900 + b" /")[1])
        self.assertEqual(self.row(b"G" * 990 + b" h.example /" + b"a" * 8191)[0], "accept")
        self.assertEqual(self.row(b"G" * 9300 + b" h.example /")[1], "url-too-long")
        self.assertEqual(self.row(b"GET " + b"h" * 9300 + b" /")[1], "url-too-long")
        self.assertEqual(self.row(b"GET " + b"h" * 9300)[1], "url-too-long")
        self.assertEqual(self.row(b"GET " + b"h" * 9000)[1], "field-unreadable")
        self.assertEqual(self.row(b"\t" * 9300)[1], "url-too-long")

    def test_never_accepted(self):
        """Around each limit, a record is accepted only if its target is."""
        records = []
        for method in (3, 500, 1010):
            for length in range(1, 9400, 61):
                wanted = length <= 8192
                if method + len(b" h.example ") + length > 8192 + ROOM:
                    self.assertFalse(wanted and method + len(b" h.example ") <= ROOM)
                    wanted = False
                records.append((b"G" * method + b" h.example /" + b"a" * (length - 1), wanted))
        rows = run("check", OPTION, "--format=tsv", stdin=b"\n".join(record for record, _ in records)).rows()
        for (record, wanted), row in zip(records, rows, strict=True):
            self.assertEqual(row[0], "accept" if wanted else "reject", record[:600])

    def test_filter(self):
        """Over-long records are reported whole, and the records around them pass."""
        for record in (b"GET h.example /" + b"a" * 8192, b"GET h.example /" + b"a" * 600_000, b"G" * 600_000, b" " * 600_000):
            result = run("filter", OPTION, "--rejects=-", stdin=b"GET h.example /\n" + record + b"\nGET h.example /b")
            self.assertEqual((result.code, result.out), (1, b"GET h.example /\nGET h.example /b"))
            self.assertEqual(result.err, b"reject\turl-too-long" + b"\t\\N" * 8 + b"\t2\t" + escape(record).encode() + b"\n")

    @unittest.skipIf(instrumented(), "a sanitizer's own memory hides the command's")
    def test_memory(self):
        """Memory is bounded for records of any length."""
        for command in ("check", "filter"):
            result, peak = run_measured(command, OPTION, "-q", feed=(b"GET h.example /" + b"a" * MIB if k == 0 else b"a" * MIB for k in range(64)))
            self.assertEqual(result.code, 1)
            self.assertLess(peak, 16 * MIB)
