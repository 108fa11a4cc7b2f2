# SPDX-License-Identifier: Apache-2.0
"""Tests --params and the options beside it: parameters of queries are decoded and judged."""

import random
import re
from urllib.parse import quote, quote_plus

from helper import JSON_KEYS, MIB, Case, finding_ids, run

PARAMETER_KEYS = ["name", "occurrence", "value", "verdict", "report"]
REPORT_KEYS = ["uri", "verdict", "policy", "components", "host", "port", "findings"]
HERE = "https://app.example.com/x?"

# Values that a redirect or a fetch must not follow, as they stand in a query.
ATTACKS = [
    "http%3A%2F%2F10.0.0.1%2F", "http://10.0.0.1/", "http%3a%2f%2f169.254.169.254%2flatest%2fmeta-data%2f", "javascript:alert(1)",
    "%6Aavascript:alert(1)", "%2F%5Cevil.com", "/%5Cevil.com", "%5C%5Cevil.com", "%09//evil.com", "+https://u@evil.com/",
    "http:%2F%2F127.0.0.1", "https%3A%2F%2F%5B::1%5D%2F", "%2F%2F10.0.0.1%2F", "file:///etc/passwd", "http%3A10.0.0.1",
    "%01javascript:alert(1)", "http%3A%2F%2Fpublic.com%5C@10.0.0.1%2F", "/a%0D%0ASet-Cookie:x", "/..%252f..%252f", "data:text/html,x",
]
# Values of harmless queries.
HONEST = ["/account", "%2Faccount", "/account?tab=1%26x%3D2", "https%3A%2F%2Fwww.python.org%2F", "1", "", "a+b", "12:30", "caf%C3%A9"]
TWICE = ["http%253A%252F%252F10.0.0.1%252F", "%252F%252F10.0.0.1%252F", "%252F%255Cevil.com"]

# ---- An access log -------------------------------------------------------------------------

COMMON = '203.0.113.7 - - [24/Nov/2026:10:00:%02d +0000] "%s" 302 154'
COMBINED = COMMON + ' "%s" "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)"'

# Requests as nginx logs them ("$request"); each target is decoded up to twice before it is judged.
LOGGED_ATTACKS = [
    "GET /go?url=http%3A%2F%2F10.0.0.1%2Fadmin HTTP/1.1",
    "GET /login?next=//evil.example/ HTTP/1.1",
    "GET /login?next=%2F%2Fevil.example HTTP/2.0",
    "GET /login?next=%2F%5Cevil.example HTTP/1.1",
    "POST /fetch?u=https%3A%2F%2F169.254.169.254%2Flatest%2F HTTP/1.1",
    "GET /go?to=http:%2F%2F127.0.0.1:6379%2F HTTP/1.1",
    "GET /go?a=1&to=javascript:alert(1) HTTP/1.1",
    "HEAD /go?to=http%253A%252F%252F10.0.0.1%252F HTTP/1.1",
    "GET /go?to=%252F%252Fevil.example%252F HTTP/1.1",
    "GET /go?to=%20%09//evil.example HTTP/1.0",
]
# Lines with no refused target: harmless requests, and lines that are no request.
LOGGED_HONEST = [
    "GET / HTTP/1.1", "GET /login?next=/account HTTP/1.1", "GET /login?next=%2Faccount%3Ftab%3D2 HTTP/2.0",
    "GET /go?url=https%3A%2F%2Fwww.python.org%2F HTTP/1.1", "POST /form?q=a+b&lang=en HTTP/1.1", "GET /go?time=12%3A30 HTTP/1.1",
    "GET /s?q=1%2F2 HTTP/1.1", "OPTIONS * HTTP/1.0", "CONNECT www.python.org:443 HTTP/1.1", "GET /feed HTTP/1.1",
]
NO_TARGETS = [
    "-", "GET /login?next=//evil.example/", "GET HTTP/1.1", r"GET \/x?u=http%3A%2F%2F10.0.0.1%2F HTTP\/1.1", "the GET and HTTP/1.1",
    "GET /x?u=http%3A%2F%2F10.0.0.1%2F HTTP/", "/x?u=http%3A%2F%2F10.0.0.1%2F HTTP/1.1", "GET /x?u=%2F%2F10.0.0.1 http/1.1",
    "GET\t/x?u=http%3A%2F%2F10.0.0.1%2F HTTP/1.1", r"\x16\x03\x01\x00",
]

# Targets of GET that name internal hosts, lead to other sites, run code, climb above the root or split lines.
LOGGED_KINDS = [
    "/go?url=http%3A%2F%2F10.0.0.1%2Fadmin", "/go?url=http://169.254.169.254/latest/meta-data/", "/go?u=http%3A%2F%2F0x7f.1%2F",
    "/go?u=http%3A%2F%2F2130706433%2F", "/go?u=https%3A%2F%2Flocalhost%3A8080%2F", "/go?u=http%3A%2F%2F%5B%3A%3A1%5D%2F",
    "/go?u=gopher%3A%2F%2F127.0.0.1%3A6379%2F_INFO", "/go?u=file%3A%2F%2F%2Fetc%2Fpasswd", "/go?u=dict://127.0.0.1:11211/stat",
    "/go?u=jar:http%3A%2F%2Fevil.example%2Fx!%2F", "/login?next=//evil.example/", "/login?next=%2F%2Fevil.example",
    "/login?next=%2F%5Cevil.example", "/login?next=%5C%5Cevil.example", "/login?next=https:%2F%2Fwww.python.org%40evil.example%2F",
    "/login?next=http%3A%5C%5Cevil.example", "/login?next=javascript:alert(1)", "/login?next=java%0Ascript:alert(1)",
    "/login?next=data:text/html,%3Cscript%3E", "/login?next=%09//evil.example", "/login?next=%252F%252Fevil.example",
    "/go?u=http%253A%252F%252F10.0.0.1%252F", "/x?file=../../etc/passwd", "/x?file=..%2F..%2Fetc%2Fpasswd",
    "/x?file=%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/x?file=%252e%252e%252fetc%252fpasswd", "/x?file=..%5C..%5Cwindows%5Cwin.ini",
    "/x?file=/etc/passwd", "/x?file=C:%5CWindows%5Cwin.ini", "/x?q=a%E5%98%8A%E5%98%8DSet-Cookie:x", "/x?q=a%0D%0ASet-Cookie:x=1",
    "/x?q=a%00.php", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/..;/admin", "//evil.example/%2e%2e",
    "/a/%252e%252e/%252e%252e/etc/passwd", "/%0d%0aSet-Cookie:x", "/cgi-bin/.%2e/.%2e/bin/sh",
    "/x?page=php%3A%2F%2Ffilter%2Fconvert.base64-encode%2Fresource%3Dindex",
]
# Attacks that look like ordinary values: a path that begins with a slash; two characters that some server
# truncates to eight bits.
NOT_TOLD = ["/x?file=/etc/passwd", "/x?q=a%E5%98%8A%E5%98%8DSet-Cookie:x"]

# Values of ordinary parameters: words before a colon, times, prefixes of searches, paths within a site.
ORDINARY_NAMES = "q s search query utm_campaign utm_content title subject n tag filter sort tz type page lang ref date range v id[] f.x".split()
ORDINARY_VALUES = [
    "Feed: semicomplete/main", "Feed: x/y", "Re: hello", "RE:hello there", "Fwd: minutes of 24/11", "AW: Termin", "Star Wars: A New Hope",
    "TypeError: x is not a function", "std::vector", "Foo::Bar", "site:x", "site:example.com", "site:example.com/docs", "author:jim", "is:open",
    'label:"good first issue"', "in:title", "after:2024-01-01", "inurl:login", "intitle:index of", "filetype:pdf", "define:gateway", "price:asc",
    "brand:acme,color:red", "tel: 030 1234567", "data: what we know", "file: report.pdf", "note: see below", "http: the protocol",
    "16:9", "12:30", "10:00-12:00", "2026-11-24T10:00:00Z", "24/11/2026", "1/2", "Europe/Berlin", "text/html", "docs/guide", "a/b/c", "/account", "/account?tab=1",
    "report.pdf", "1.2.3", "0..10", "wait...", "...and more", "c++", "c#", "100%", "#fff", "a=b", "a&b", "a;b", "jim@example.com", "@jim", "~jim", "$5", "(none)",
    "[1,2]", '{"a":1}', "<b>", "x|y", "caf\u00e9", "\u6771\u4eac: \u5929\u6c17", "\u043f\u0440\u0438\u0432\u0435\u0442: \u043c\u0438\u0440", "", "0", "true",
    "d2e1b9f0-1c2d-4e5f-8a9b-0c1d2e3f4a5b", "dGVzdA==", "jQuery1102_1732", "https://www.python.org/", "https://www.example.org/a?b=c#d",
]


def ordinary_log(count):
    """Returns requests as browsers write them, with values of `ORDINARY_VALUES` in one to four parameters."""
    chance = random.Random(20)
    lines = []
    for _ in range(count):
        query = "&".join("%s=%s" % (chance.choice(ORDINARY_NAMES), chance.choice((quote, quote_plus))(chance.choice(ORDINARY_VALUES), safe=chance.choice(("", "/:"))))
                         for _ in range(chance.randrange(1, 5)))
        lines.append("GET /%s?%s HTTP/1.1" % (chance.choice(("", "search", "blog/feed", "a/b/c.html")), query))
    return lines


def log_of(requests):
    return "\n".join(COMBINED % (k % 60, request, "-") for k, request in enumerate(requests)) + "\n"


class Options(Case):
    def test_usage(self):
        for options, said in ((["--params-policy=public"], "--params-policy needs --params"), (["--params-decode=2"], "needs --params"),
                              (["--same-origin"], "--same-origin needs --params"), (["--params="], "names with commas"),
                              (["--params=,"], "names with commas"), (["--params=a,"], "names with commas"), (["--params=a,,b"], "names with commas"),
                              (["--params=*,a"], "names with commas"), (["--params=a,*"], "names with commas"),
                              (["--params=a, b"], "' b' begins or ends with a blank"), (["--params=a ,b"], "'a ' begins or ends with a blank"),
                              (["--params=a\t"], "blank"), (["--params=a", "--params=b"], "--params is given twice"),
                              (["--params=*", "--params=b"], "--params is given twice"),
                              (["--params=a", "--params-decode=3"], "1 to 2"),
                              (["--params=a", "--params-decode=0"], "1 to 2"), (["--params=a", "--params-policy=-"], "standard input"),
                              (["--params=a", "--params-policy=/nowhere.yaml"], "/nowhere.yaml")):
            for command in ("check", "filter", "scan"):
                self.assertUsage(run(command, *options), said)

    def test_names(self):
        """A blank or an asterisk inside a name is part of the name."""
        for name, query in (("a b", "a+b"), ("a*", "a*"), ("*a", "%2Aa")):
            self.assertEqual(self.row("https://a.example/?" + query + "=//10.0.0.1/", "--params=x," + name)[0], "reject")
            self.assertEqual(self.row("https://a.example/?" + query + "x=//10.0.0.1/", "--params=x," + name)[0], "accept")

    def test_who_takes_it(self):
        for command in (["suggest"], ["parse"], ["resolve", "http://a/", "b"], ["normalise"]):
            self.assertUsage(run(*command, "--params=a"), "takes no option")


class Judged(Case):
    def judge(self, query, *options):
        row = self.row(HERE + query, *options)
        return row[0], "param-refused" in finding_ids(row[1])

    def judge_all(self, queries, *options):
        """Returns for each query the verdict of its row, and whether a parameter is refused."""
        rows = run("check", "--format=tsv", *options, "--", *(HERE + query for query in queries)).rows()
        return {query: (row[0], "param-refused" in finding_ids(row[1])) for query, row in zip(queries, rows, strict=True)}

    def test_attacks(self):
        """Each attack is found by the parameter's name and by the form of its value; without --params it is
        not."""
        queries = ["a=1&u=" + value for value in ATTACKS]
        for option in ("--params=u", "--params=*", "--params=a,u"):
            self.assertEqual(self.judge_all(queries, option), dict.fromkeys(queries, ("reject", True)), option)
        for options in ([], ["--params=v"]):
            self.assertFalse(any(found for _, found in self.judge_all(queries, *options).values()), options)

    def test_honest(self):
        for option in ("--params=u", "--params=*"):
            queries = ["u=" + value for value in HONEST  # some are no references
                       if option == "--params=*" or value not in ("a+b", "caf%C3%A9", "12:30")]
            self.assertEqual(self.judge_all(queries, option), dict.fromkeys(queries, ("accept", False)), option)

    def test_each_occurrence(self):
        """The faulty occurrence may be the first, the last, or spelled otherwise."""
        for query in ("u=//10.0.0.1&u=/a", "u=/a&u=//10.0.0.1", "u=/a&%75=//10.0.0.1", "u=/a&u&u=//10.0.0.1"):
            self.assertEqual(self.judge(query, "--params=u"), ("reject", True))

    def test_decoded_twice(self):
        """Attacks found after two decodings are not found after one, except those that strict finds itself."""
        for value in TWICE:
            once = self.row(HERE + "u=" + value, "--params=*", "--policy=gateway")
            twice = self.row(HERE + "u=" + value, "--params=*", "--policy=gateway", "--params-decode=2")
            self.assertNotIn("param-refused", once[1])
            self.assertEqual(twice[0], "reject")
            self.assertIn("param-refused", twice[1])
        for value in HONEST:
            self.assertEqual(self.judge("u=" + value, "--params=*", "--params-decode=2"), ("accept", False))

    def test_policy_of_values(self):
        """Values have a policy of their own; options that change the policy of the input do not change it."""
        query = "u=http%3A%2F%2F10.0.0.1%2F"
        self.assertEqual(self.judge(query, "--params=u", "--params-policy=strict"), ("accept", False))
        self.assertEqual(self.judge(query, "--params=u", "--policy=any"), ("reject", True))
        self.assertEqual(self.judge(query, "--params=u", "--allow=addr-private,addr-not-global"), ("reject", True))
        self.assertEqual(self.judge(query, "--params=u", "--allow=param-refused"), ("accept", True))
        policy = self.file("base: strict\nhosts:\n  allow: [good.example]\n", "values.yaml")
        for value, refused in (("http://good.example/", False), ("http://evil.com/", True)):
            made = self.judge("u=" + quote_plus(value), "--params=u", "--params-policy=" + policy)
            self.assertEqual(made[1], refused)

    def test_same_origin(self):
        for value, leaves in (("/a", False), ("https://app.example.com/b", False), ("https://APP.example.com:443/b", False),
                              ("https://www.python.org/", True), ("//www.python.org/", True), ("http://app.example.com/", True),
                              ("https://app.example.com.evil.com/", True)):
            verdict, refused = self.judge("u=" + quote_plus(value), "--params=u", "--same-origin", "--params-policy=strict")
            self.assertEqual(refused, leaves, value)
        self.assertEqual(self.judge("u=//www.python.org/", "--params=u"), ("accept", False))

    def test_too_many(self):
        """Parameters after the first 256 are refused unread."""
        self.assertEqual(self.judge("&".join(["u=/a"] * 256), "--params=u"), ("accept", False))
        self.assertEqual(self.judge("&".join(["u=/a"] * 257), "--params=u"), ("reject", True))
        human = run("check", "--params=u", "--", HERE + "&".join(["u=/a"] * 257)).out
        self.assertIn(b"after the 256th are refused unread", human)

    def test_suffixes(self):
        """A policy of values that needs the public suffix list gets it."""
        policy = self.file("base: strict\nrefuse: [host-public-suffix]\n", "values.yaml")
        result = run("check", "--format=tsv", "--params=u", "--params-policy=" + policy, "--", HERE + "u=https://co.uk/")
        self.assertIn("param-refused", result.rows()[0][1])
        self.assertEqual(self.judge("u=https://bbc.co.uk/", "--params=u", "--params-policy=" + policy), ("accept", False))
        made = self.object(HERE + "u=/a&v=x&u=https://co.uk/&u=//co.uk", "--params=u", "--params-policy=" + policy)
        self.assertEqual([p["verdict"] for p in made["parameters"]], ["accept", "reject", "reject"])
        self.assertEqual([f["id"] for f in made["parameters"][1]["report"]["findings"]], ["host-public-suffix"])
        self.assertEqual([(f["offset"], f["length"], f["count"]) for f in made["findings"] if f["id"] == "param-refused"],
                         [(len(HERE) + 11, len("https://co.uk/"), 2)])


class Ways(Case):
    """Every mode of the command judges the parameters."""

    LINES = [HERE + "u=/a", HERE + "u=//10.0.0.1/", "http://example.com/", HERE + "u=%2Fa", HERE + "u=http%3A%2F%2F10.0.0.1"]
    VERDICTS = ["accept", "reject", "accept", "accept", "reject"]
    INPUT = "".join(line + "\n" for line in LINES)

    def test_formats_and_jobs(self):
        for jobs in ("1", "4"):
            rows = run("check", "--params=u", "--jobs=" + jobs, stdin=self.INPUT).rows()
            self.assertEqual([row[0] for row in rows], self.VERDICTS)
            objects = run("check", "--params=u", "--format=json", "--jobs=" + jobs, stdin=self.INPUT).objects()
            self.assertEqual([made["verdict"] for made in objects], self.VERDICTS)
        big = self.INPUT * 20000
        self.assertEqual(run("check", "--params=*", "--jobs=4", stdin=big).out, run("check", "--params=*", stdin=big).out)

    def test_quiet(self):
        """No fast path skips them."""
        for line, verdict in zip(self.LINES, self.VERDICTS):
            self.assertEqual(run("check", "-q", "--params=u", "--", line).code, int(verdict == "reject"))
            self.assertEqual(run("check", "-q", "--", line).code, 0)
        self.assertEqual(run("filter", "-q", "--params=u", stdin=self.INPUT).code, 1)

    def test_filter(self):
        refused = self.file()
        result = run("filter", "--params=u", "--rejects=" + refused, stdin=self.INPUT)
        self.assertEqual(result.code, 1)
        self.assertEqual(result.out.decode().split(), [line for line, verdict in zip(self.LINES, self.VERDICTS) if verdict == "accept"])
        with open(refused, encoding="ascii") as rows:
            self.assertEqual([row.split("\t")[10] for row in rows], ["2", "5"])
        self.assertEqual(run("filter", stdin=self.INPUT).out.decode(), self.INPUT)

    def test_observe(self):
        result = run("filter", "--params=u", "--observe", stdin=self.INPUT)
        self.assertEqual((result.code, result.out.decode()), (0, self.INPUT))
        made = run("check", "--params=u", "--observe", "--format=json", stdin=self.INPUT)
        self.assertEqual((made.code, [o["verdict"] for o in made.objects()]), (0, self.VERDICTS))
        self.assertEqual(list(made.objects()[0])[-1], "enforced")

    def test_count(self):
        rows = run("check", "--params=u", "--count-by=finding", stdin=self.INPUT).rows()
        self.assertIn(["param-refused", "2"], rows)

    def test_targets(self):
        """The query of the target is judged; its origin comes from the Host field, if the scheme is given."""
        for target, code in (("/x?u=/a", 0), ("/x?u=http://10.0.0.1/", 1), ("/x?u=https://app.example.com/a", 0), ("/x?u=//www.python.org/", 1)):
            result = run("check", "--target=app.example.com", "--scheme=https", "--params=u", "--same-origin", "--params-policy=strict", "--", target)
            self.assertEqual(result.code, code, target)
        records = "GET app.example.com /x?u=/a\nGET app.example.com /x?u=//www.python.org/\nGET www.python.org /x?u=//www.python.org/\n"
        for jobs in ("1", "2"):
            rows = run("check", "--target-records", "--scheme=https", "--params=u", "--same-origin", "--params-policy=strict", "--jobs=" + jobs,
                       stdin=records).rows()
            self.assertEqual([row[0] for row in rows], ["accept", "reject", "accept"])
        # without the scheme the origin is unknown, and "//" leads to an unknown place
        result = run("check", "--target=app.example.com", "--params=u", "--same-origin", "--params-policy=strict", "--format=tsv",
                     "/x?u=https://app.example.com/a", "/x?u=/a", "/x?u=//app.example.com/")
        self.assertEqual([row[0] for row in result.rows()], ["reject", "accept", "reject"])

    def test_suggestion(self):
        """A suggestion is offered only if its parameters are accepted."""
        self.assertEqual(self.object("HTTPS://app.example.com/?u=/a", "--params=u")["suggestion"], "https://app.example.com/?u=/a")
        self.assertIsNone(self.object("HTTPS://app.example.com/?u=//10.0.0.1", "--params=u")["suggestion"])
        self.assertEqual(self.object("HTTPS://app.example.com/?u=//10.0.0.1")["suggestion"], "https://app.example.com/?u=//10.0.0.1")


class Shown(Case):
    def test_json(self):
        """JSON has the key with --params only: name, occurrence, value, verdict and report."""
        self.assertEqual(list(self.object(HERE + "u=/a")), JSON_KEYS)
        made = self.object(HERE + "u=/a&%75=http%3A%2F%2F10.0.0.1%2F&v=//x&u=%25", "--params=u")
        keys = list(JSON_KEYS)
        keys.insert(keys.index("registrable"), "parameters")
        self.assertEqual(list(made), keys)
        parameters = made["parameters"]
        self.assertEqual([list(p) for p in parameters], [PARAMETER_KEYS] * 3)
        self.assertEqual([[p[key] for key in PARAMETER_KEYS[:4]] for p in parameters],
                         [["u", 1, "/a", "accept"], ["u", 2, "http://10.0.0.1/", "reject"], ["u", 3, "%", "reject"]])
        self.assertEqual(list(parameters[1]["report"]), REPORT_KEYS)
        self.assertEqual(parameters[1]["report"]["policy"], "public")
        self.assertEqual([f["id"] for f in parameters[1]["report"]["findings"]], ["addr-not-global", "addr-private"])
        self.assertEqual(parameters[1]["report"]["host"], {"kind": "ipv4", "address": "10.0.0.1"})
        spans = [(f["offset"], f["length"], f["count"]) for f in made["findings"] if f["id"] == "param-refused"]
        self.assertEqual(spans, [((HERE + "u=/a&%75=").__len__(), len("http%3A%2F%2F10.0.0.1%2F"), 2)])

    def test_json_none(self):
        """Without parameters the list is empty; input without components has null."""
        self.assertEqual(self.object("http://example.com/", "--params=u")["parameters"], [])
        self.assertIsNone(self.object("http://exa mple.com/?u=//x", "--params=u")["parameters"])
        self.assertIsNone(self.object(HERE + "u=" + "a" * 9000, "--params=u")["parameters"])

    def test_occurrences(self):
        """Occurrences are counted for each decoded name, among the judged parameters."""
        query = "u=/a&v=/b&%75=/c&v=1&v=/d&a%00=/e&a%00=/f&w=/g&u=/h"
        made = self.object(HERE + query, "--params=*", "--policy=gateway")["parameters"]
        self.assertEqual([(p["name"], p["occurrence"]) for p in made],
                         [("u", 1), ("v", 1), ("u", 2), ("v", 2), ("a%00", 1), ("a%00", 2), ("w", 1), ("u", 3)])
        many = self.object(HERE + "&".join("n%d=/" % k for k in range(300)) + "&n0=/", "--params=*", "--max-length=9000")["parameters"]
        self.assertEqual([(p["name"], p["occurrence"]) for p in many], [("n%d" % k, 1) for k in range(256)])

    def test_json_unreadable(self):
        """A record without a target has the key too, and the next record has its own parameters."""
        made = run("check", "--target-records", "--params=u", "--format=json", stdin="x\nGET a.com /?u=/a\n \n").objects()
        self.assertEqual([[p["value"] for p in o["parameters"] or []] for o in made], [[], ["/a"], []])
        self.assertEqual([o["parameters"] is None for o in made], [True, False, True])

    def test_json_undecoded(self):
        made = self.object(HERE + "u=%00&u=%FF&u=%C3%A9", "--params=u", "--policy=gateway")["parameters"]
        self.assertEqual([(p["value"], p["verdict"], p["report"] is None) for p in made],
                         [(None, "reject", True), (None, "reject", True), ("é", "reject", False)])

    def test_human(self):
        """Human output names the parameter, shows its decoded value, and sets a caret under the fault."""
        out = run("check", "--params=u,v", "--", HERE + "u=/a&u=http%3A%2F%2F10.0.0.1%2F&v=%00").out.decode()
        self.assertIn("parameter u (2): refused: http://10.0.0.1/\nrefused by public: addr-private. Give a public address; "
                      "for a service of your own list it in addresses.allow, which lets links reach it.\nu:8: refused: policy: addr-private\n"
                      "    http://10.0.0.1/\n           ^~~~~~~~\n", out)
        self.assertIn("parameter v: refused: the octet NUL is in it\n", out)
        self.assertNotIn("parameter u: ", out)
        self.assertClean(out.encode())
        hostile = run("check", "--params=*", "--policy=gateway", "--", HERE + "%1B%5B31m=//%1B%5B31m")
        self.assertIn(rb"\x1B[31m", hostile.out)
        self.assertClean(hostile.out)

    def test_explain(self):
        """explain lists all judged parameters; secrets are masked in decoded values as well."""
        uri = HERE + "u=/a&token=%2F%2F10.0.0.1%2Fhush&v=https%3A%2F%2Fjim:hush@example.net%2F%3Fsid%3Dhush%26a%3D1"
        out = run("explain", "--params=*", "--", uri).out.decode()
        self.assertIn("parameter u: accepted: /a\n", out)
        self.assertIn("parameter token: refused: (masked) addr-not-global,addr-private\n", out)
        self.assertIn("parameter v: refused: https://jim:****@example.net/?sid=****&a=1\n", out)
        shown = run("explain", "--params=*", "--show-secrets", "--", uri).out.decode()
        self.assertIn("parameter v: refused: https://jim:hush@example.net/?sid=hush&a=1\n", shown)
        self.assertNotIn("hush", out.partition("parameter u: ")[2])


class Logs(Case):
    def scan(self, text, *options):
        return run("scan", "--format=tsv", "--policy=gateway", *options, stdin=text).rows()

    def targets(self, text, *options):
        return [row for row in self.scan(text, *options) if row[14] == "target"]

    def test_attacks(self):
        """All ten attacks are found; without --params none is found."""
        rows = self.targets(log_of(LOGGED_ATTACKS), "--params=*", "--params-decode=2")
        self.assertEqual([row[0] for row in rows], ["reject"] * 10, rows)
        self.assertEqual([row[11] for row in rows], [str(line + 1) for line in range(10)])
        for row in rows:
            self.assertIn("param-refused", row[1])
        self.assertFalse([row for row in self.scan(log_of(LOGGED_ATTACKS)) if row[0] == "reject" and row[2] != "javascript"])

    def test_near_misses(self):
        """Twenty lines in which nothing is refused: harmless requests, and lines that are no request."""
        rows = self.targets(log_of(LOGGED_HONEST), "--params=*", "--params-decode=2")
        self.assertEqual([row[0] for row in rows], ["accept"] * 9, rows)  # all except OPTIONS *
        self.assertEqual(self.targets(log_of(NO_TARGETS), "--params=*", "--params-decode=2"), [])

    def test_kinds(self):
        """Of forty targets, all but two are rejected."""
        rows = self.targets(log_of("GET %s HTTP/1.1" % target for target in LOGGED_KINDS), "--params=*", "--params-decode=2")
        self.assertEqual([row[13] for row in rows], LOGGED_KINDS)
        self.assertEqual([row[13] for row in rows if row[0] == "accept"], NOT_TOLD)

    def test_ordinary(self):
        """In ten thousand ordinary lines no parameter is refused."""
        for decode in ("1", "2"):
            rows = self.targets(log_of(ordinary_log(10000)), "--params=*", "--params-decode=" + decode)
            self.assertEqual(len(rows), 10000)
            self.assertEqual([row[13] for row in rows if "param-refused" in row[1]][:20], [])

    def test_columns(self):
        """The target is found in the common and the combined format, and after a tab or at the start of the
        line."""
        for before in ('10.0.0.1 - - [x] "', "", "x\t", "'", "(", '{"request":"'):
            row, = self.targets(b"\n" + before.encode() + b"GET /x?u=//10.0.0.1  HTTP/1.1", "--params=u")
            self.assertEqual(row[10:], ["-", "2", str(len(before) + 5), "/x?u=//10.0.0.1", "target"])
            self.assertEqual(row[2:10], ["\\N", "\\N", "\\N", "\\N", "/x", "u=//10.0.0.1", "\\N", "\\N"])
        made = run("scan", "--format=json", "--params=u", stdin="GET /x?u=//10.0.0.1 HTTP/1.1").objects()
        self.assertEqual((made[0]["kind"], made[0]["uri"], made[0]["text"]), ("target", "/x?u=//10.0.0.1", "/x?u=//10.0.0.1"))
        self.assertEqual(made[0]["parameters"][0]["value"], "//10.0.0.1")
        human = run("scan", "--format=human", "--params=u", stdin="GET /x?u=//10.0.0.1 HTTP/1.1").out
        self.assertTrue(human.startswith(b"-:1:5: reject  /x?u=//10.0.0.1\n"), human)

    def test_origin_unknown(self):
        """A log does not contain the origin: a value that names a host leads to another origin."""
        requests = ["GET /?u=/a HTTP/1.1", "GET /?u=a HTTP/1.1", "GET /?u=https://app.example.com/ HTTP/1.1", "GET /?u=//app.example.com HTTP/1.1",
                    "GET https://app.example.com/?u=https://app.example.com/b HTTP/1.1"]
        rows = self.targets("\n".join(requests), "--params=u", "--same-origin", "--params-policy=strict")
        self.assertEqual([row[0] for row in rows], ["accept", "accept", "reject", "reject", "accept"])

    def test_referer(self):
        """URIs elsewhere in the line are found as usual, in order, and their parameters are judged; a target
        that is a URI is shown once."""
        line = COMBINED % (1, "GET https://a.com/?u=//10.0.0.1 HTTP/1.1", "https://b.com/?u=//10.0.0.1")
        rows = self.scan(line + "\n" + COMBINED % (2, "GET /?u=/a HTTP/1.1", "https://c.com/"), "--params=u")
        self.assertEqual([(row[0], row[14], row[13]) for row in rows], [
            ("reject", "target", "https://a.com/?u=//10.0.0.1"), ("reject", "uri", "https://b.com/?u=//10.0.0.1"),
            ("accept", "target", "/?u=/a"), ("accept", "uri", "https://c.com/")])

    def test_without_params(self):
        """Without --params nothing changes."""
        self.assertEqual(self.scan("GET /x?u=//10.0.0.1 HTTP/1.1"), [])

    def test_html(self):
        result = run("scan", "--html", "--format=tsv", "--params=u", stdin='<a href="https://a.com/?u=//10.0.0.1">x</a>')
        if result.code != 2:
            self.assertEqual([row[0] for row in result.rows()], ["reject"])

    def test_windows(self):
        """On text larger than the buffer, finds, lines and columns equal those of a regular expression."""
        rng = random.Random(5)
        words = ["GET", "POST", "x-y_1", "/a", "/b?u=//10.0.0.1", "HTTP/1.1", "HTTP/2", "HTTP/", "http://a.com/", "?", "-", "'", '"', "x:"]
        lines = []
        size = 0
        while size < 5 * MIB // 2:
            line = rng.choice((" ", " ", "  ")).join(rng.choice(words) for _ in range(rng.randrange(1, 9)))
            if rng.random() < 0.0005:
                line += "GET /" + "a" * rng.randrange(20000, 200000) + "?u=b HTTP/1.1"
            elif rng.random() < 0.3:
                line = 'x "GET /%d?u=/a HTTP/1.1" z' % rng.randrange(1000)
            lines.append(line)
            size += len(line) + 1
        text = "\n".join(lines)
        expected = []
        for number, line in enumerate(lines, 1):
            at = 0
            for end in re.finditer(r"(?<= )HTTP/[0-9]", line):
                match = re.search(r"([A-Za-z0-9_-]{1,32}) +([^\x00-\x20]+) +\Z", line[at:end.start()])
                if not match or not re.match(r"[/\\]|.*[:?]", match[2]):
                    continue
                expected.append((number, at + match.start(2) + 1, len(match[2])))
                at += match.end(2)
        rows = self.targets(text, "--params=u", "--max-length=1000000")
        self.assertGreater(len(expected), 5000)
        found = [(int(row[11]), int(row[12]), len(row[13])) for row in rows]
        self.assertEqual(sorted(found), expected)
        self.assertLess(sum(a > b for a, b in zip(found, found[1:])), 20)  # only long ones are reported late

    def test_same_place_in_two_windows(self):
        """A URI at the buffer offset where a target stood earlier is no target: no find is lost."""
        for pad in range(260, 274):  # the first octets of a window were searched in the one before; see SCAN_BEFORE in scan.h
            uris = 6000
            text = " " * pad + "GET /?u=/a HTTP/1.1\n" + "x" * 13 + "\n" + ("x" * 13 + "\n") * 81000 + "http://a.com/\n" * uris
            self.assertEqual(len(self.scan(text, "--params=u")), uris + 1)

    def test_too_long(self):
        """A target longer than the limit is refused unread."""
        row, = self.targets("GET /" + "a" * 9000 + "?u=/a HTTP/1.1", "--params=u")
        self.assertEqual((row[0], row[1]), ("reject", "url-too-long"))
