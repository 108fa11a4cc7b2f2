# SPDX-License-Identifier: Apache-2.0
"""Tests report: compares its figures with those of an independent script, and checks that hostile input has
no effect on its pages."""

import base64
import datetime
import hashlib
import html
import json
import os
import random
import re
from collections import Counter

from helper import BAD, GOOD, MIB, Case, content, core, escape, instrumented, needs, run, run_measured, write_file
from hostile_markup import hostile_markup
from report_page import Page, faults

CATALOGUE = {row[0]: row for row in run("findings", "--format=tsv").rows()}
WORDS = {row["id"]: row for row in run("findings", "--format=json").objects()}
RANKS = core.ranks()
CLASSES = ["malformed", "ambiguous", "dangerous", "policy", "note"]
ORDER = ["malformed", "dangerous", "ambiguous", "policy", "note"]
REFUSED = {"malformed": "refused: malformed, no URI by RFC 3986", "ambiguous": "refused: ambiguous, readers differ",
           "dangerous": "refused: dangerous, a tool of attacks", "policy": "refused: against a rule of the policy"}
NOW = {"SOURCE_DATE_EPOCH": "1795528536"}
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def report(*options, **keywords):
    return run("report", "-o", "-", *options, env=NOW, **keywords)


def page(*options, **keywords):
    """Returns the page; its exit status must be that of check."""
    made = report(*options, **keywords)
    if made.err or made.code not in (0, 1):
        raise AssertionError(made)
    return Page(made.out)


def records(count, seed):
    rng = random.Random(seed)
    forms = [b"http://h%d.example/", b"HTTP://H%d.EXAMPLE/%%7e", b"https://u@h%d.example/", b"h%d", b"http://h%d.example:080/\xff", b"ftp://[::%x]/", b"http://h%d\t\x1b/",
             b"mailto:h%d@example.com", b"http://h%d.example/?a[]=<b>", b"https://example.com/" + b"x" * 300 + b"%d", b"http://a.h%d.co.uk//x"]
    return [rng.choice(forms) % rng.randrange(90) for _ in range(count)]


def judged(lines, *options):
    return run("check", "--format=json", *options, stdin=b"".join(line + b"\n" for line in lines)).objects()


def lower(text):
    return "" if text is None else "".join(c.lower() if c.isascii() else c for c in text)


def octets_of(made, text):
    """Returns the octets that a string of a JSON object stands for."""
    return text.encode("latin-1") if made.get("raw") else text.encode("utf-8")


class Figures(Case):
    def expect(self, lines, made):
        """Compares the page with the objects that check writes for the same records."""
        objects = judged(lines)
        refused = [o["verdict"] == "reject" for o in objects]
        tiles = made.tiles()
        self.assertEqual((tiles["records"], tiles["accepted"], tiles["refused"]), (len(lines), refused.count(False), refused.count(True)))
        self.assertEqual(tiles["with notes"], sum(1 for o, r in zip(objects, refused) if not r and o["findings"]))
        ids, gravest = Counter(), Counter()
        for o, r in zip(objects, refused):
            ids.update(f["id"] for f in o["findings"])
            if r:
                gravest[min(CLASSES.index(f["class"]) for f in o["findings"])] += 1
        self.assertEqual(tiles["different findings"], len(ids))
        listed = made.findings("refused") + made.findings("noted")
        self.assertEqual({name: count for name, _, count in listed}, dict(ids))
        self.assertTrue(all(CATALOGUE[name][2] == class_ for name, class_, _ in listed))
        self.assertTrue(all(class_ == "note" for _, class_, _ in made.findings("noted")))
        for section in ("refused", "noted"):
            names = [name for name, _, _ in made.findings(section)]
            leaders = [(ORDER.index(CATALOGUE[card[0]][2]), RANKS[card[0]], -ids[card[0]], int(CATALOGUE[card[0]][1])) for card in made.together() if card[0] in names]
            self.assertEqual(leaders, sorted(leaders))
        lists = {}
        for number, o in enumerate(objects):
            for finding in o["findings"]:
                lists.setdefault(finding["id"], []).append((lines[number], finding["offset"], finding["length"]))
        kinds = {name: (refusing, made.examples(name), sorted(records)) for name, records in lists.items() for refusing in [name in {row[0] for row in made.findings("refused")}]}
        for card in made.together():
            self.assertEqual([sorted(line for line, _, _ in lists[name]) for name in card], [sorted(line for line, _, _ in lists[card[0]])] * len(card))
        apart = [kinds[card[0]] for card in made.together()]
        self.assertFalse([one for k, one in enumerate(apart) if one in apart[:k]])
        for name, records in lists.items():
            found = [f for o in objects for f in o["findings"] if f["id"] == name]
            times, refusing = sum(f["count"] for f in found), sum(f["refuses"] for f in found)
            more = ("; found %s times" % format(times, ",") if times > len(found) else "") + ("; it refused %s of these records" % format(refusing, ",") if 0 < refusing < len(found) else "")
            self.assertEqual(made.details()[name], (WORDS[name]["text"], WORDS[name]["reference"] + more))
        key = {words: count for words, count in made.key().items() if words.startswith("refused")}
        self.assertEqual(key, {REFUSED[CLASSES[i]]: count for i, count in gravest.items()})
        self.expect_keys(objects, refused, made)
        lengths = {}
        for line, r in zip(lines, refused):
            low = 0 if len(line) < 16 else 1 << (len(line).bit_length() - 1)
            lengths.setdefault(low, [0, 0])[r] += 1
        self.assertEqual({int(label.split()[0]): [a, r] for label, a, r in made.plot("lengths") if a + r}, lengths)
        begins = [low for low in (0, *(1 << k for k in range(4, 64))) if not lines or min(lengths) <= low <= max(lengths)]
        self.assertEqual([label for label, _, _ in made.plot("lengths")], ["%d to %d octets" % (low, max(15, 2 * low - 1)) for low in begins])
        self.assertEqual(made.ticks("lengths"), [next(f"{low >> k}{unit}" for k, unit in ((20, " Mi"), (10, " Ki"), (0, "")) if low >> k or k == 0) for low in begins])

    def expect_keys(self, objects, refused, made):
        wanted = {"hosts": Counter(), "schemes": Counter(), "ports": Counter()}
        for o, r in zip(objects, refused):
            parts = o["components"] or {"host": None, "scheme": None}
            for section, key in (("hosts", lower(parts["host"])), ("schemes", lower(parts["scheme"])), ("ports", "" if o["port"] is None else str(o["port"]))):
                wanted[section][escape(octets_of(o, key)), r] += 1
        for section, counts in wanted.items():
            keys = {key for key, _ in counts}
            rows = sorted(((key or None, counts[key, False] + counts[key, True], counts[key, True]) for key in keys),
                          key=lambda row: (-row[1], (row[0] or "").encode()))
            top = {"hosts": 50}.get(section, 12)
            rest = [(None, sum(row[1] for row in rows[top:]), sum(row[2] for row in rows[top:]))] if rows[top:] else []
            self.assertEqual(made.keys(section), rows[:top] + rest, section)

    def test_against_check(self):
        """All figures are right, and the page is identical for every number of threads."""
        lines = records(20000, 1)
        pages = [report("--jobs=" + jobs, stdin=b"\n".join(lines)) for jobs in ("1", "2", "4")]
        self.assertEqual({(made.code, made.err) for made in pages}, {(1, b"")})
        self.assertEqual(len({made.out for made in pages}), 1)
        self.expect(lines, Page(pages[0].out))

    def test_small(self):
        """Reports of no record, of one, and of accepted records only."""
        self.assertIn("There are no records", page(stdin=b"").text)
        self.assertEqual(report(stdin=b"").code, 0)
        for lines in ([GOOD], [BAD], [b""], [GOOD, b"http://h//x", GOOD], [GOOD, b"x" * 1023, b"x" * MIB], [b"x" * 1024], [GOOD] * 999 + [BAD], [BAD] * 999 + [GOOD], [GOOD] * 1000 + [BAD], [BAD] * 1000 + [GOOD]):
            self.expect(lines, page(stdin=b"\n".join(lines) + b"\n"))
        self.assertIn("The only record is accepted", page(stdin=GOOD).text)
        for count, head in ((1, "1 of 1 record is refused"), (2, "1 of 2 records is refused"), (3, "2 of 3 records are refused"), (1999, "1,000 of 1,999 records are refused")):
            self.assertIn(head, page(stdin=b"\n".join([BAD, GOOD] * (count // 2) + [BAD] * (count % 2))).text)
        self.assertIn("All 2 records are accepted", page(stdin=GOOD + b"\n" + GOOD).text)

    def test_same_records(self):
        """Findings of the same records, with the same mark, share a card; the more telling one comes first."""
        lines = [b"https://h/%E9", b"http://h/%E9t", b"http://h:8443/", b"http://h:8443/", b"javascript:alert(1)", b"http://user@h/"]
        made = page(stdin=b"\n".join(lines))
        self.assertIn(["latin1-escape", "invalid-utf8-escape"], made.together())
        self.assertEqual(made.together()[0][0], "scheme-script")
        self.assertEqual(made.together()[1], ["port-nondefault"])
        self.expect(lines, made)
        self.assertIn("correct each record as its example suggests", made.text)
        self.assertIn("nothing to correct", page(stdin=GOOD).text)

    @needs("publicsuffix")
    def test_domains(self):
        lines = [b"http://a.b.example.co.uk/", b"http://EXAMPLE.co.uk/", b"http://u@x.example.co.uk/", b"http://10.0.0.1/", b"x", b"http://[::1]/"]
        made = page(stdin=b"\n".join(lines))
        self.assertEqual(made.keys("hosts", -1), [(None, 3, 1), ("example.co.uk", 3, 1)])

    def test_many(self):
        """With many hosts and domains each record counts, including those counted last."""
        lines = [b"http://%s.d%d.co.uk/\n" % (b"u@" * (i % 2) + b"h", i * i % 12000 if i < 9000 else i) for i in range(15000)] + [b"http://d.co.uk/\n"] * 2
        pages = [report("--jobs=" + jobs, stdin=b"".join(lines)) for jobs in ("1", "2")]
        self.assertEqual(pages[0].out, pages[1].out)
        made = Page(pages[0].out)
        self.assertEqual(made.tiles()["hosts"], len(set(line.rsplit(b"@")[-1] for line in lines)))
        for place in (0, -1) if "Domains" in made.text else (0,):
            self.assertEqual([sum(row[k] for row in made.keys("hosts", place)) for k in (1, 2)], [len(lines), 7500])

    def test_top(self):
        rows = page("--top=2", stdin=b"".join(b"http://h%d/\n" % (i * i % 7) for i in range(60))).keys("hosts")
        self.assertEqual(rows, [("h1", 17, 0), ("h2", 17, 0), (None, 26, 0)])
        many = b"".join(b"s%d:x\n" % i for i in [*range(4200), *[1] * 50, 4199])  # the first 4096 are counted apart
        self.assertEqual((rows := page("--policy=any", stdin=many).keys("schemes"))[0][:2] + rows[-1][:2], ("s1", 51, None, 4251 - 51 - 11))

    def test_by_refusals(self):
        """The second table orders hosts by refused records: first those that have some, then the others as
        one row."""
        lines = [b"http://much/"] * 50 + [b"http://u@much/"] + [b"http://u@bad/"] * 3 + [b"http://u@worse/", b"http://worse/"] * 2 + [b"http://good/"]
        made = page("--top=2", stdin=b"\n".join(lines))
        self.assertEqual(made.keys("hosts"), [("much", 51, 1), ("worse", 4, 2), (None, 4, 3)])
        self.assertEqual(made.keys("hosts", 1), [("bad", 3, 3), ("worse", 4, 2), (None, 52, 1)])
        self.assertIn("52113 times the longest bar", made.text)  # 52 records, 1 refused
        self.assertNotIn("Hosts by refusals", page(stdin=GOOD).text)

    def test_policies(self):
        """Records are judged by the options of check, and the page names them."""
        made = page("--policy=public", "--refuse=path-double-slash", "--allow=userinfo-present", stdin=b"http://10.0.0.1/\nhttp://example.com//x//y\n" + BAD)
        self.assertEqual(made.tiles()["refused"], 2)
        refused = {name: count for name, _, count in made.findings("refused")}
        self.assertEqual(refused, {"addr-private": 1, "addr-not-global": 1, "path-leading-double-slash": 1, "path-double-slash": 1})
        self.assertIn("userinfo-present", {name for name, _, _ in made.findings("noted")})
        made = page("--refuse=path-double-slash", stdin=b"http://example.com/x//y")
        self.assertEqual(made.key(), {"refused: for a note that the policy raises": 1})
        made = page("--refuse=path-double-slash", "--allow=userinfo-present", stdin=GOOD)
        policy = [made.section("policy").findall(".//dd")[i] for i in range(6)]
        self.assertEqual(["".join(d.itertext()) for d in policy][-2:], ["userinfo-present", "path-double-slash"])
        self.assertIn("standard input, judged by the policy public on 2026-11-24 13:55 UTC by " + run("--version").out.decode(), page("--policy=public", stdin=GOOD).text)
        policy = self.file("name: own\nbase: strict\nhosts: {allow: [.a.example, b.example]}\naddresses: {deny: [10.0.0.0/8]}\nports: {http: [8080, 8000-8010], https: [8443]}\n"
                           "urls: {allow: ['http://c.example/x']}\nprotect: [paypal.com, apple.com]\n", "p.yaml")
        for options, inputs in (((), "URIs"), (("--target",), "request targets"), (("--target-records", "--observe"), "a method, a Host field and a request target")):
            made = page("--policy-file=" + policy, "--max-length=1234567", *options, stdin=b"x")
            terms = [["".join(one.itertext()) for one in made.section("policy").iterfind(".//" + tag)] for tag in ("dt", "dd")]
            self.assertEqual(dict(zip(*terms, strict=True)), {
                "Name": "own", "File": escape(policy.encode()), "Inputs are": inputs, "Longest input": "1,234,567 octets", "Waives": "nothing", "Refuses beside": "nothing",
                "Rules": "2 rules about hosts, 1 about addresses, 3 about ports, 1 about URLs; 2 protected names", **({"Enforced": "no: refusals are reported only"} if len(options) == 2 else {})})
        files = [self.file(GOOD + b"\n", "%d<" % k) for k in range(10)]
        for count, more in ((1, ""), (8, ""), (9, " and 1 more input"), (10, " and 2 more inputs")):
            self.assertIn(", ".join(files[:min(count, 8)]) + more + ", judged by the policy strict on ", page(*files[:count]).text)

    def test_targets(self):
        made = page("--target-records", stdin=b"GET a.example /x\nGET u@b.example /y\nGET  /z\n")
        self.assertEqual((made.tiles()["accepted"], made.tiles()["refused"]), (1, 2))
        self.assertEqual([row[0] for row in made.keys("hosts")][:2], [None, "a.example"])
        example = made.examples("userinfo-present")[0]
        self.assertEqual(("".join(example[:3]), example[1]), ("Host: *@b.example", "*@"))
        self.assertEqual(page("--target=a.example", stdin=b"/x\n").tiles()["accepted"], 1)

    def test_status(self):
        """The exit status is that of check; with --observe refusals are only reported."""
        self.assertEqual([report(stdin=text).code for text in (GOOD, BAD, b"")], [0, 1, 0])
        made = report("--observe", stdin=BAD)
        self.assertEqual(made.code, 0)
        self.assertIn(b"no: refusals are reported only", made.out)

    def test_null(self):
        self.assertEqual(page("-0", stdin=GOOD + b"\0" + BAD + b"\0").tiles()["records"], 2)
        self.assertEqual(page("--crlf", stdin=GOOD + b"\r\n").tiles()["accepted"], 1)


class Examples(Case):
    def test_marks(self):
        """Lists the first different records of each finding, with the octets of the finding marked and the
        accepted spelling beside them."""
        lines = records(3000, 7)
        for options in ((), ("--allow=scheme-case,host-case,escaped-unreserved,escape-case",)):
            objects = judged(lines, *options)
            made = page(*options, stdin=b"\n".join(lines))
            wanted = {}
            for number, (line, o) in enumerate(zip(lines, objects), 1):
                for finding in o["findings"]:
                    kept = wanted.setdefault(finding["id"], {})
                    if len(kept) < 3 and line not in kept:
                        kept[line] = (number, finding, o)
            for name, kept in wanted.items():
                shown = made.examples(name)
                self.assertEqual(len(shown), len(kept), name)
                for (before, mark, after, where, spelling), (line, (number, finding, o)) in zip(shown, kept.items()):
                    if b"u@" in line:
                        line = line.replace(b"u@", b"*@")
                    if before.startswith("...") or after.endswith("..."):
                        self.assertGreater(len(line), 320)
                        self.assertIn(before.removeprefix("...") + mark + after.removesuffix("..."), escape(line))
                    else:
                        self.assertEqual(before + mark + after, escape(line))
                    start = finding["offset"]
                    self.assertTrue(escape(line[start:start + finding["length"]]).startswith(mark), (name, line))
                    self.assertEqual(bool(mark), bool(finding["length"]))
                    self.assertEqual(where, "<stdin>, record %s, %s" % (format(number, ","), "accepted" if o["verdict"] == "accept" else "refused"))
                    self.assertEqual(spelling, None if o["suggestion"] in (None, o["uri"]) else ("canonical " if o["verdict"] == "accept" else "write instead ") + o["suggestion"])

    def test_window(self):
        """A long record is shown around its fault, wherever that is."""
        for size in (319, 320, 321, 5000, 8193, 8600, 100000):
            for at in (25, size // 2, size - 3):
                line = (b"http://example.com/" + b"".join(b"%05d" % k for k in range(size // 5)))[:size]
                line = line[:at] + b"|" + line[at + 1:]
                before, mark, after, _, _ = page(stdin=line).examples("forbidden-char" if size < 8193 else "url-too-long")[0]
                self.assertEqual(mark == "|", size < 8193)
                shown = before.removeprefix("...") + mark + after.removesuffix("...")
                self.assertEqual(len(shown), min(size, 320))
                self.assertIn(shown, line.decode())
                self.assertEqual((before.startswith("..."), after.endswith("...")), (not line.startswith(shown.encode()), not line.endswith(shown.encode())))

    def test_samples(self):
        lines = b"\n".join([BAD] * 50 + [b"http://u%d@example.com/" % i for i in range(20)])
        for count in (1, 5, 100):
            self.assertEqual(len(page("--sample=%d" % count, stdin=lines).examples("userinfo-present")), min(count, 21))

    def test_secrets(self):
        """Secrets that explain masks are masked everywhere; the negative control shows that the search would
        find them."""
        secret = b"S3cr3tS3cr3t"
        lines = [b"http://alice:%s@example.com/", b"http://%s@example.com/", b"HTTP://Example.com/?token=%s", b"http://example.com:080/a?x=1&api_key=%s&y=2", b"http://example.com/#access_token=%s",
                 b"http:\\\\u:%s@example.com/", b"http://example.com\\:%s@example.net/", b"//u:%s@example.com/", b"http:u:%s@h/", b"https://example.com/?X-Amz-Signature=%s|",
                 b"http://u:%s@example.com/" + b"x" * 9000, b"http://u:%s" + b"x" * 9000 + b"@example.com/", b"http://u:%s" + b"x" * 900000 + b"@example.com/",
                 b"http://example.com/?password=%s" + b"y" * 9000]
        lines = [line % secret for line in lines]
        self.assertNotIn(secret, run("explain", *(line for line in lines if len(line) < 2000)).out)
        for options, before in (([], b""), (["--jobs=4"], b""), (["--max-length=40"], b""), (["--time-prefix"], b"2026-11-24 ")):
            made = report("-0", "--sample=100", *options, stdin=b"\0".join(before + line for line in lines))
            self.assertEqual((made.err, faults(made.out)), (b"", []))
            self.assertNotIn(secret.lower(), made.out.lower(), options)
        for line in (b"GET u:%s@example.com /", b"CONNECT u:%s@example.com:443 u:%s@example.com:443", b"GET example.com /x?token=%s|", b"GET example.com http://u:%s@example.com/", b"GET  u:%s@h",
                     b"GET example.com /?sig=%s" + b"y" * 9000):
            made = report("--target-records", stdin=line.replace(b"%s", secret))
            self.assertEqual((made.code, faults(made.out)), (1, []))
            self.assertNotIn(secret, made.out, line[:80])
        self.assertIn(secret, report(stdin=b"http://example.com/|?other=" + secret).out)


class Hostile(Case):
    COUNT = 100 if instrumented() else 500

    def expect_inert(self, shown, *options, **keywords):
        made = report(*options, **keywords)
        self.assertEqual((made.err, faults(made.out)), (b"", []), (options, made.err[:300]))
        text = Page(made.out).text
        for part in shown:
            self.assertIn(part, text)

    def place(self, form, *options, whole=True):
        """Puts all strings in one place of records, a hundred at a time; if records are shown whole, each
        string must be found again."""
        strings = hostile_markup(self.COUNT)
        self.assertEqual(len(set(strings)), self.COUNT)
        ends_in_lf = [string for string in strings if b"\0" in string]
        ends_in_nul = [string for string in strings if b"\0" not in string]
        for some, end, ending in [(ends_in_lf, b"\n", [])] + [(ends_in_nul[at:at + 100], b"\0", ["-0"]) for at in range(0, len(ends_in_nul), 100)]:
            lines = [form.replace(b"{}", string) for string in some]
            shown = [escape(line) for line in lines if whole and b"@" not in line]
            self.expect_inert(shown, *options, *ending, "--sample=100", stdin=end.join(lines))

    def test_urls(self):
        for form in (b"{}", b"http://example.com/|{}", b"http://example.com/|?q={}", b"http://{}.example/", b"http://{}@example.com/", b"{}:x",
                     b"http://example.com:{}/", b"http://example.com/|#!{}"):
            self.place(form)

    def test_requests(self):
        """Hostile strings in the method, the Host field and the target of a request."""
        for form in (b"{} example.com /", b"GET {} /", b"GET example.com {}"):
            self.place(form, "--target-records", whole=False)

    def test_time(self):
        self.place(b"2026-11-24T12:00:00Z {}", "--time-prefix", whole=False)
        self.place(b"[24/Nov/2026:12:00:00 +0000]{} http://example.com/", "--time-prefix")

    def test_host_as_parsed(self):
        """Hosts and schemes in tables contain only what RFC 3986 allows, which includes some characters of
        markup."""
        self.expect_inert(["a&b'c", "(x)"], stdin=b"http://a&b'c/\nhttp://(x)/\nx+y:z\nhttp://[v1.'&]/\n")

    def test_names(self):
        """Hostile strings in the names of inputs and of their folder."""
        names = list(dict.fromkeys(s.replace(b"\0", b"").replace(b"/", b"|")[:200] for s in hostile_markup(self.COUNT)))
        self.assertGreater(len(names), self.COUNT - 30)
        folder = self.folder()
        for start in range(0, len(names), 60):
            some = names[start:start + 60]
            for number, name in enumerate(some):
                write_file(os.path.join(folder.encode(), name), b"http://u%d@example.com/\n" % (start + number))
            self.expect_inert([escape(name) for name in some], "--sample=100", "--", *some, cwd=folder)
            self.expect_inert([escape(some[-1])], "--", some[-1], cwd=folder)

    def test_policy_name(self):
        """Hostile strings in the name of a policy and of its file."""
        strings = [s.decode() for s in hostile_markup(self.COUNT) if s.isascii() and s.decode().isprintable()]
        tried = 0
        for string in strings[::20]:
            path = self.file("name: %s\n" % json.dumps(string), name=string.replace("/", "|"))
            if run("policy", "check", path).code:
                continue
            tried += 1
            self.expect_inert([], "--policy-file=" + path, stdin=BAD)
        self.assertGreater(tried, 2)

    def test_random_octets(self):
        rng = random.Random(3)
        for size in (1, 40, 4000, 200000):
            self.expect_inert([], "--time-prefix", stdin=bytes(rng.choice(b"<>&\"'/=-:@?#\\\n\0 ab[]%\xc3\x80") if rng.random() < 0.7 else rng.randrange(256) for _ in range(size)))

    def test_teeth(self):
        """Negative control: a page with its character references turned back into markup is detected, for
        nearly every string."""
        found = 0
        strings = [s for s in hostile_markup(self.COUNT) if b"<" in s and b"\0" not in s and b"\n" not in s]
        for string in strings[::10]:
            made = report(stdin=b"http://example.com/|" + string).out
            found += bool(faults(re.sub(rb"(?s)<code class=\"uri\">.*?</code>", lambda m: html.unescape(m[0].decode()).encode(), made)))
        self.assertEqual(found, len(strings[::10]))
        for bad in (b"<p onclick=\"x\">", b"<a href=\"//x\">", b"<p style=\"x\">", b"<script>"):
            tag = bad[1:].split(b" ")[0].strip(b">")
            self.assertTrue(faults(report(stdin=b"").out.replace(b"</main>", bad + b"x</" + tag + b"></main>")))


class Policy(Case):
    def test_digest(self):
        """The digest of the style equals that in the page's security policy; after a change in
        report_sheet.c, update the digest there."""
        made = report(stdin=BAD).out
        style = re.search(rb"<style>(.*)</style>", made, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
        self.assertEqual(re.search(rb"'sha256-(.*?)'", made)[1].decode(), digest)
        self.assertNotIn(b"url(", style)
        self.assertNotIn(b"@import", style)


class Times(Case):
    def timeline(self, stamps, *options):
        made = page("--time-prefix", *options, stdin=b"".join(stamp + b" " + record + b"\n" for stamp, record in stamps))
        return made, made.plot("time") if made.section("time") is not None else None

    @staticmethod
    def stamp(rng, at):
        """Returns a moment in one of the forms, in any zone."""
        minutes = rng.choice((0, 60, -450, rng.randrange(-1439, 1440)))
        local, sign, zone = at + datetime.timedelta(minutes=minutes), "-" if minutes < 0 else "+", "%02d%s%02d"
        zone = sign + zone % (abs(minutes) // 60, rng.choice(("", ":")), abs(minutes) % 60)
        fraction = rng.choice(("", ".5", ",000", ".123456"))
        since = int((at - EPOCH).total_seconds())
        forms = [local.isoformat(rng.choice("Tt "), "seconds")[:19] + fraction + zone, at.isoformat("T")[:19] + fraction + rng.choice(("Z", "z", "")),
                 at.isoformat(" ")[:16] + rng.choice(("", "Z")), local.isoformat("T")[:16] + zone,
                 "[%02d/%s/%04d:%s%s %s]" % (local.day, MONTHS[local.month - 1], local.year, local.isoformat()[11:19], fraction, zone.replace(":", ""))]
        if 10 ** 9 <= since < 10 ** 11:
            forms += ["%d%s" % (since, fraction), "%d%03d" % (since, rng.randrange(1000))]
        return rng.choice(forms).encode()

    def test_forms(self):
        """Every format of a timestamp in every zone gives the moment that Python makes of it, at any time."""
        rng = random.Random(6)
        for first in ("0001-01-03", "1600-02-28T23:30", "1900-02-28T23:30", "1969-12-31T23:00", "2000-02-28T23:30", "2024-12-31T23:00", "2026-11-24T13:00", "9999-12-30T02:00"):
            moments = [datetime.datetime.fromisoformat(first).replace(tzinfo=UTC) + datetime.timedelta(seconds=rng.randrange(90 * 60)) for _ in range(400)]
            made, rows = self.timeline([(self.stamp(rng, at) + rng.choice((b"", b"\t", b"  \t")), GOOD) for at in moments])
            wanted = Counter(at.isoformat(" ")[:16] for at in moments)
            self.assertEqual((made.tiles()["accepted"], {label: count for label, count, _ in rows if count}), (len(moments), wanted))

    def test_none(self):
        """Text that is no timestamp is not cut off: the record is judged as a whole, and counted."""
        forms = [b"2026-02-29T00:00:00Z", b"2026-13-01", b"2026-11-24T24:00:00Z", b"2026-11-24x", b"[24/Nov/2026:13:55 +0000]", b"[24/nov/2026:13:55:36 +0000]", b"x", b"-5", b"1.",
                 b"123456789012345", b"2026-11-24T13:55:36." + b"1" * 80, b"\xc2\xa02026-11-24", b"2026-11-24T13:55:36+2:00"]
        made, rows = self.timeline([(form, GOOD) for form in forms] + [(b"2026-11-24", GOOD)])
        self.assertEqual((made.tiles()["accepted"], made.tiles()["refused"]), (1, len(forms)))
        self.assertIn("%d records without a time stamp." % len(forms), made.text)
        self.assertEqual(rows, [("2026-11-24 00:00", 1, 0)])
        self.assertIsNone(page(stdin=b"2026-11-24 " + GOOD).section("time"))

    def test_fields(self):
        """A column or member of each row has the time; another one is judged."""
        stamps = ["2026-11-24T13:55:36Z", "[24/Nov/2026:13:55:36 +0000]", "x", ""]
        csv = "when,\"url\"\r\n" + "".join('"%s","http://h.example/?a,b"\r\n' % stamp for stamp in stamps)
        tsv = "".join("%s\thttp://h.example/\n" % stamp for stamp in stamps)
        lines = "".join(json.dumps({"a": {"t": stamp}, "u": "http://h.example/"}) + "\n" for stamp in stamps)
        numbers = "".join('{"a":{"t":%s},"u":"http://h.example/"}\n' % number
                          for number in ("1795528536", "1795528536.5", "1795528536001", "1.795528536e9", "-1", "true", "[1795528536]", '"\\u0031795528536"'))
        for options, stdin, timed, timeless in ((["--csv", "--column=url", "--time-field=when"], csv, 2, 2),
                                                (["--csv", "--column=2", "--header", "--time-field=1"], csv, 2, 2),
                                                (["--tsv-in", "--column=2", "--time-field=1"], tsv, 2, 2),
                                                (["--json-field=u", "--time-field=a.t"], lines, 2, 2),
                                                (["--json-field=u", "--time-field=a.t"], numbers, 3, 5)):
            for jobs in ([], ["--jobs=3"]):
                with self.subTest(options + jobs):
                    made = page(*options, *jobs, stdin=stdin.encode())
                    self.assertEqual(made.tiles()["accepted"], timed + timeless)
                    self.assertEqual(made.plot("time"), [("2026-11-24 13:55", timed, 0)])
                    self.assertIn("%d records without a time stamp." % timeless, made.text)

    def test_wrong_fields(self):
        csv = b"when,url,when\nx,http://h.example/,y\n"
        for options, why in ((["--csv", "--column=url", "--time-field=when"], "the name of --time-field twice"),
                             (["--csv", "--column=url", "--time-field=time"], "lacks the name of --time-field"),
                             (["--csv", "--column=2", "--time-field=4"], "fewer columns than --time-field says"),
                             (["--csv", "--column=2", "--no-header", "--time-field=when"], "--time-field takes a number"),
                             (["--time-field=when"], "--time-field needs --csv"),
                             (["--json-field=u", "--time-field=a..b"], "--time-field takes a name"),
                             (["--csv", "--column=2", "--time-prefix"], "--time-prefix and --csv exclude each other")):
            with self.subTest(options):
                made = report(*options, stdin=csv)
                self.assertEqual((made.code, made.out), (2, b""))
                self.assertIn(why, made.err.decode())

    def test_columns(self):
        """The chart has at most 97 columns, with each record in its own, over any span."""
        rng = random.Random(5)
        for span in (30, 3600, 90000, 86400 * 9, 86400 * 400, 86400 * 365 * 30, 86400 * 365 * 3000):
            first = rng.randrange(-10 ** 10, 10 ** 9)
            stamps = [(first + rng.randrange(span), rng.random() < 0.3) for _ in range(2000)]
            _, rows = self.timeline([((EPOCH + datetime.timedelta(seconds=at)).isoformat()[:19].encode(), BAD if bad else GOOD) for at, bad in stamps], "--jobs=2")
            self.assertLessEqual(len(rows), 97)
            self.assertGreater(len(rows), 18 if span > 90 else 0)
            starts = [datetime.datetime.strptime(label, "%Y-%m-%d %H:%M" if ":" in label else "%Y-%m-%d").replace(tzinfo=UTC).timestamp() for label, _, _ in rows]
            wanted = [[0, 0] for _ in rows]
            for at, bad in stamps:
                wanted[sum(1 for start in starts if start <= at) - 1][bad] += 1
            self.assertEqual([[a, r] for _, a, r in rows], wanted)

    def test_far_off(self):
        """A few distant times do not squeeze the others into one column; the page mentions them. A near miss
        is drawn."""
        stamps = [(b"%d" % (1795528536 + i * 30), GOOD) for i in range(400)]
        made, rows = self.timeline(stamps + [(b"0", BAD), (b"9999-12-31", GOOD)])
        self.assertGreater(len(rows), 30)
        self.assertEqual(sum(a + r for _, a, r in rows), 400)
        self.assertIn(" 1 record far before (1 refused) not drawn. 1 record far after (0 refused) not drawn.", made.text)
        made, rows = self.timeline(stamps + [(b"0", BAD)] * 3)
        self.assertEqual(sum(a + r for _, a, r in rows), 403)

    def test_edges(self):
        """The first and the last minute that can be represented, and times before 1970."""
        for stamp, label in ((b"0000-01-01", "0000-01-01 00:00"), (b"9999-12-31T23:59:59Z", "9999-12-31 23:59"), (b"1969-12-31T23:59:30Z", "1969-12-31 23:59"), (b"1970-01-01", "1970-01-01 00:00"),
                             (b"2024-02-29T23:59:60Z", "2024-03-01 00:00")):
            self.assertEqual(self.timeline([(stamp, GOOD)])[1], [(label, 1, 0)])

    def test_limit(self):
        """The timestamp does not count towards the length; the text after it is judged completely or refused
        as too long."""
        for over, refused in ((0, 0), (1, 1), (70, 1), (100000, 1)):
            line = GOOD + b"x" * (100 - len(GOOD) + over)
            for stamp in (b"2026-11-24", b"2026-11-24T13:55:36.12345678+01:00   "):
                made, _ = self.timeline([(stamp, line)], "--max-length=100")
                self.assertEqual(made.tiles()["refused"], refused)
                self.assertEqual([name for name, _, _ in made.findings("refused")], ["url-too-long"] * refused)
        for line, name in ((b"GET a.example /" + b"x" * 100000, "url-too-long"), (b"GET " + b"x" * 100000, "url-too-long"), (b"GET", "field-unreadable"), (b"GET a.example /", None)):
            made, _ = self.timeline([(b"2026-11-24T13:55:36.12345678+01:00   ", line)], "--target-records")
            self.assertEqual([found for found, _, _ in made.findings("refused")], [name] * (name is not None), line[:20])


class Files(Case):
    def test_inputs(self):
        """Several files and standard input form one list; records are named by file and number."""
        one, two = self.file(GOOD + b"\n" + BAD), self.file(b"http://v@example.com/\n", name="two")
        made = report(one, "-", two, stdin=b"http://w@example.com/\n")
        self.assertEqual([e[3] for e in Page(made.out).examples("userinfo-present")], ["%s, record 2, refused" % one, "<stdin>, record 1, refused", "%s, record 1, refused" % two])
        self.assertEqual(Page(made.out).tiles()["records"], 4)

    def test_written(self):
        """-o FILE writes the whole page or nothing; the target of a link is replaced and keeps its
        permissions."""
        path = os.path.join(self.folder(), "report.html")
        self.assertEqual(run("report", "-o", path, stdin=BAD, env=NOW).code, 1)
        self.assertEqual(content(path), report(stdin=BAD).out)
        os.chmod(path, 0o600)
        os.symlink(path, path + ".link")
        self.assertEqual(run("report", "--output=" + path + ".link", stdin=GOOD, env=NOW).out, b"")
        self.assertEqual(content(path), report(stdin=GOOD).out)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertTrue(os.path.islink(path + ".link"))
        self.assertEqual(sorted(os.listdir(os.path.dirname(path))), ["report.html", "report.html.link"])

    def test_not_written(self):
        """If an input cannot be read nothing is written, and an existing file stays."""
        path = self.file(b"old", name="report.html")
        for inputs in ([path + ".missing"], [self.file(GOOD), self.folder()]):
            result = run("report", "-o", path, *inputs)
            self.assertUsage(result, "cannot")
            self.assertEqual(content(path), b"old")
        self.assertEqual(os.listdir(os.path.dirname(path)), ["report.html"])
        self.assertUsage(run("report", "-o", os.path.join(path, "x"), stdin=GOOD), path)
        rows = b"id,url\n1," + GOOD + b'\n2,"x"y\n'
        for where, name in ((path, path), ("-", "standard output")):
            result = run("report", "--csv", "--column=url", "-o", where, stdin=rows)
            self.assertUsage(result, "row 3 (line 3, octet 29), column 2", "%s was not written: a page of some" % name)
            self.assertEqual(result.out, b"")
        self.assertEqual(content(path), b"old")
        self.assertUsage(run("report", "-o", "/dev/full", stdin=GOOD), "/dev/full")
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("report", "-o", "-", stdin=GOOD, stdout=full).code, 2)

    def test_usage(self):
        path = self.file(GOOD)
        self.assertUsage(run("report", path), "-o FILE")
        self.assertUsage(run("report", "-o", path, path), "both input and output")
        with open(path, "rb") as stdin:
            self.assertUsage(run("report", "-o", path, stdin=stdin), "both input and output")
        self.assertUsage(run("report", "-o", "-", "--format=json", stdin=GOOD), "--format")
        self.assertUsage(run("check", "--time-prefix", GOOD), "--time-prefix")
        self.assertUsage(run("report", "-o", "-", "--sample=0", stdin=GOOD), "--sample")
        self.assertEqual(report("-q", stdin=BAD).out, b"")

    def test_clock(self):
        """The page has the time when it was written."""
        self.assertIn("on 2026-11-24 13:55 UTC", page(stdin=GOOD).text)
        text = Page(run("report", "-o", "-", stdin=GOOD, env={"SOURCE_DATE_EPOCH": ""}).out).text
        self.assertRegex(text, r"on 2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC")


class Bounds(Case):
    def test_memory(self):
        """Memory does not grow with the number of records, and with different hosts only up to the limit of
        counts."""
        if instrumented():
            self.skipTest("a sanitizer has memory of its own")
        lines = b"\n".join(records(30000, 9)) + b"\n"
        peaks = [run_measured("report", "-o", "-", "--jobs=2", feed=[lines] * times)[1] for times in (1, 12)]
        self.assertLess(peaks[1], peaks[0] + 4 * MIB)

    def test_schemes(self):
        """If there are too many schemes for the table, the rest is one row."""
        made = page(stdin=b"".join(b"s%d:x\n" % i for i in range(5000)))
        self.assertEqual(sum(row[1] for row in made.keys("schemes")), 5000)
        self.assertEqual(made.keys("schemes")[-1][:2], (None, 4988))
