# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy learn: the rules that a log needs, and attacks in the log, which are not learned."""
from __future__ import annotations

import pathlib
import random
import re
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
from helper import Case, Result, run  # noqa: E402

# What attackers send, as scanners and the reports of the last years have it.
ATTACKS = [
    "/..;/admin", "/%2e%2e/etc/passwd", "//evil.example/", "/static/..%5c..%5cwin.ini", "/api/v4/projects/..%2f..%2fadmin",
    "/wiki/..;/admin", "/admin;.js", "/admin%2fusers", "/x%00.jpg", "/a%0d%0aSet-Cookie:x", "/wiki/%252e%252e%252fadmin",
    "/cgi-bin/.%2e/.%2e/bin/sh", "/?x=%0d%0aa", "/./admin", "/admin/.", "/api//admin", "/admin//", "/..%c0%af..", "/%ff/..",
    "/wiki/;/../admin", "/api/v4/projects/%2e%2e;/admin", "/static/%2e%2e%5cadmin", "/%61dmin", "/admin%20", "/admin%09",
    "/admin..;/", "/api/..%00/admin", "/api./admin", "/;/admin", "/%3b/admin", "/%5c%5cevil.example", "/admin#", "/admin%23",
    "/index.php%3Fx=1", "/a|b/../../c", "/\\evil.example", "/wiki/a\\..\\admin", "/x/%u002e%u002e/", "/%2f%2fevil.example", "/a%25%32%66",
]


def line(target: str, status: int = 200, client: str = "192.0.2.7") -> str:
    return f'{client} - - [24/Nov/2026:10:00:00 +0000] "GET {target} HTTP/1.1" {status} 12 "-" "x"'


def needs() -> list[str]:
    """What three applications need, and plain requests."""
    rng = random.Random(3)
    made = [f"/static/app{rng.randrange(50)}.js" for _ in range(4000)]
    made += [f"/api/v4/projects/group%2Fname{rng.randrange(40)}/issues?page=1" for _ in range(300)]
    made += [f"/wiki/{rng.choice('abcdefgh')};v={rng.randrange(9)}" for _ in range(200)]
    return made + [f"/team/u{n % 7}/files/a%2Fb{n}" for n in range(100)]


class Learn(Case):
    def learn(self, records: list[str], *options: str) -> tuple[Result, str]:
        """Returns the policy that is learned, and its path: of any number of clients, unless an option says it.
        It accepts as many of the requests as it says."""
        result = run("policy", "learn", "--input=-", *(options if "--min-clients=3" in options else ("--min-clients=0", *options)), stdin="".join(f"{record}\n" for record in records))
        self.assertEqual((result.code, result.err), (0, b""), result)
        path = self.file(result.out, "learned.yaml")
        self.assertEqual(run("policy", "check", path).code, 0, result.out)
        targets = [found[1] for record in records if (found := re.fullmatch(r'(?:.*"GET )?(/[^ \\]*)(?: HTTP/1.1" [123].*)?', record))]
        if len(targets) == len(records):
            self.assertEqual(int(re.search(rb"this policy (\d+) ", result.out)[1]), len(self.accepted(path, targets)), result.out)
        uncommented = self.file(re.sub(rb"(?m)^#(paths:|  - prefix: .*|    allow: .*)$", rb"\1", re.sub(rb"(?m)^# Add .*\n.*\n.*\n", b"", result.out)), "all.yaml")
        self.assertEqual(run("policy", "check", uncommented).code, 0, result.out)
        return result, path

    def rules(self, result: Result) -> dict[str, list[str]]:
        return {rule["prefix"]: rule["allow"] for rule in yaml.safe_load(result.out)["paths"]}

    def accepted(self, path: str, targets: list[str]) -> list[str]:
        rows = run("check", "--target", "--method=GET", "--format=tsv", f"--policy-file={path}",
                   stdin="".join(f"{target}\n" for target in targets)).rows()
        return [target for target, row in zip(targets, rows, strict=True) if row[0] == "accept"]

    def test_attacks(self) -> None:
        """Of attacks in a log, by 1 to 10 clients, each answered with 200, none is accepted, and all else is."""
        rng = random.Random(5)
        base = self.file(b"base: gateway\n", "base.yaml")
        attacks = [target for target in ATTACKS if target not in self.accepted(base, ATTACKS)]
        self.assertGreater(len(attacks), 35)
        good = needs()
        for clients in (1, 3, 10):
            records = [line(target, client=f"198.51.100.{rng.randrange(99)}") for target in good]
            records += [line(rng.choice(attacks), client=f"192.0.2.{rng.randrange(clients)}") for _ in range(240)]
            rng.shuffle(records)
            result, path = self.learn(records, "--min-clients=3")
            self.assertEqual(self.rules(result), {"/api/v4/projects/": ["escaped-slash"], "/wiki/": ["path-semicolon"], "/team/": ["escaped-slash"]})
            self.assertEqual(self.accepted(path, attacks), [])
            self.assertEqual(self.accepted(path, good), good)

    def test_records(self) -> None:
        """Paths, URLs, request lines and lines of logs; what was answered with an error, and what is no request."""
        forms = ["/wiki/a;1", "https://www.example.com/wiki/a;2", "GET /wiki/a;3 HTTP/1.1", line("/wiki/a;4"),
                 line("/wiki/a;5").replace('" 200 ', '" 302 '), line("/wiki/\\x61;6"), line("/x;1", 404), line("/x;2", 500),
                 "garbage", "", '"GET"', '1.2.3.4 "\\x16\\x03" 400 0', "\x00"]
        result, _ = self.learn(forms + forms[:2])
        self.assertEqual(self.rules(result), {"/wiki/": ["path-semicolon"]})
        self.assertIn(b"# Learned from 8 requests. gateway accepts 0 of them (0.00 %), this policy 8 (100.00 %).\n", result.out)
        self.assertIn(b"# 2 others were answered with an error, and not looked at.\n", result.out)
        self.assertIn(b"# 5 records are no requests, or too long.\n", result.out)
        rows, _ = self.learn(["id,request", '1,"GET /wiki/a;1 HTTP/1.1"', "2,/wiki/b;2", "3,/wiki/c;3"], "--csv", "--column=request")
        self.assertEqual(self.rules(rows), {"/wiki/": ["path-semicolon"]})
        objects, _ = self.learn(['{"path":"/wiki/%s;1"}' % name for name in "abc"] + ['{"path":"/wiki/d;1","path":"/x"}'], "--json-field=path")
        self.assertEqual(self.rules(objects), {"/wiki/": ["path-semicolon"]})
        self.assertIn(b"# Learned from 3 requests. ", objects.out)

    def test_support(self) -> None:
        """Fewer than three targets are not learned; the rule that they need is a comment."""
        result, _ = self.learn(["/wiki/a;1", "/wiki/b;1", "/wiki/b;1", *(f"/{n}" for n in range(9))])
        self.assertNotIn(b"\npaths:", result.out)
        self.assertIn(b"\n# 3 requests, 2 different, of 0 clients: few different requests, such as /wiki/a;1\n"
                      b"#paths:\n#  - prefix: '/wiki/'\n#    allow: [path-semicolon]\n", result.out)
        many, _ = self.learn([f"/{n}/{k};x" for n in range(30) for k in range(2)] + [f"/{n}" for n in range(900)])
        self.assertEqual(many.out.count(b"\n#  - prefix: "), 20)
        self.assertIn(b"\n# 20 requests below 10 more prefixes.\n", many.out)

    def test_applications(self) -> None:
        """npm, Docker, Java and Elasticsearch pass by what is learned, and by the rule that is proposed for the whole server."""
        asked = [target.replace("N", str(n)) for n in range(9) for target in ("/@types%2fN", "/v2/lib%2Fapp/manifests/N", "/shop/N;v=1", "/%3Clog-%7Bnow%2Fd%7D%3E/N")]
        rules = re.sub(rb"(?m)^#(paths:|  - prefix: .*|    allow: .*)$", rb"\1", self.learn(asked + [f"/{n}" for n in range(900)])[0].out)
        self.assertEqual(self.accepted(self.file(rules, "whole.yaml"), asked), asked)

    def test_server(self) -> None:
        """The whole server needs ten times the share of requests, and of clients."""
        scoped = [line(f"/@types%2f{n}", client=f"192.0.2.{n}") for n in range(30)]
        plain = [line(f"/x{n}", client=f"192.0.2.{n % 200}") for n in range(280)]
        self.assertNotIn(b"\npaths:", self.learn(scoped + plain, "--min-clients=3")[0].out)
        self.assertEqual(self.rules(self.learn(scoped + plain[:270], "--min-clients=3")[0]), {"/": ["escaped-slash"]})
        few = [line(f"/@types%2f{n}", client=f"192.0.2.{n % 9}") for n in range(30)]
        self.assertNotIn(b"\npaths:", self.learn(few + plain, "--min-clients=3")[0].out)
        result, _ = self.learn([f"/idx/_doc/http%3A%2F%2Fwww.example.com%2F{n}" for n in range(5)])  # Elasticsearch
        self.assertEqual(self.rules(result), {"/idx/_doc/": ["escaped-slash", "path-double-slash"]})

    def test_merged(self) -> None:
        """Four prefixes below one become that one, the narrowest such first; a rule above takes up those below."""
        below = [f"/d/{name}/{n};x" for name in "abce" for n in range(3)]
        self.assertEqual(self.rules(self.learn(below)[0]), {"/d/": ["path-semicolon"]})
        self.assertEqual(self.rules(self.learn(below[:9])[0]), {f"/d/{name}/": ["path-semicolon"] for name in "abc"})
        self.assertEqual(self.rules(self.learn(below[:9] + [f"/d/{n};x" for n in range(3)])[0]), {"/d/": ["path-semicolon"]})
        one = [f"/d/A/x/{n};x" for n in range(3)] + [f"/d/b/{name}/{n};x" for name in "abce" for n in range(3)]
        self.assertEqual(self.rules(self.learn(one)[0]), {"/d/A/x/": ["path-semicolon"], "/d/b/": ["path-semicolon"]})

    def test_share(self) -> None:
        """A rule needs its share of all requests, and of the clients below its prefix."""
        records = [f"/a/{n}" for n in range(90)] + [f"/b/{n};x" for n in range(7)] + [f"/c/{n}//x" for n in range(3)]
        self.assertEqual(self.rules(self.learn(records, "--min-share=3%")[0]), {"/b/": ["path-semicolon"], "/c/": ["path-double-slash"]})
        self.assertEqual(self.rules(self.learn(records, "--min-share=7")[0]), {"/b/": ["path-semicolon"]})
        for least, server in (("7", "70.00"), ("9.99", "99.90"), ("10", "100.00"), ("60%", "100.00")):
            self.assertIn(f"\n# of all requests and of the clients below its prefix (--min-share); for the whole server by {server} %.\n",
                          self.learn(records, f"--min-share={least}")[0].out.decode())
        self.assertIn(b": a small share, such as /b/0;x\n#paths:\n#  - prefix: '/b/'\n", self.learn(records, "--min-share=7.01")[0].out)
        few = [line(f"/s/{n};x", client=f"192.0.2.{n % 3}") for n in range(40)]
        others = [line(f"/s/{n}", client=f"198.51.100.{n}") for n in range(198)] + [line(f"/s/{n}", client=f"192.0.2.{n}") for n in range(3)]
        self.assertEqual(self.rules(self.learn(few + others[:97] + others[-3:], "--min-clients=3", "--min-share=3")[0]), {"/s/": ["path-semicolon"]})
        self.assertNotIn(b"\npaths:", self.learn(few + others, "--min-clients=3", "--min-share=3")[0].out)

    def test_clients(self) -> None:
        """A rule needs three clients, whatever their requests are; a record that names none is an error."""
        many = [line(f"/wiki/{n};x", client=f"192.0.2.{n % 3}") for n in range(9)]
        few = [line(f"/blog/{n};x", client=f"192.0.2.{n % 2}") for n in range(9)]
        result, _ = self.learn(many + few, "--min-clients=3")
        self.assertEqual(self.rules(result), {"/wiki/": ["path-semicolon"]})
        self.assertIn(b"# A rule is needed by 3 different requests, by 3 clients (--min-clients), and by 1.00 %\n", result.out)
        self.assertIn(b"# 9 requests, 9 different, of 2 clients: few clients, such as /blog/0;x\n#  - prefix: '/blog/'\n", result.out)
        self.assertEqual(set(self.rules(self.learn(many + few)[0])), {"/wiki/", "/blog/"})
        spread = [line(f"/u/{n}/{k};x", client=f"192.0.2.{n}") for n in range(3) for k in range(3)]
        self.assertEqual(self.rules(self.learn(spread, "--min-clients=3")[0]), {"/u/": ["path-semicolon"]})
        self.assertUsage(run("policy", "learn", "--input=-", stdin="/wiki/a;1\n"), "--min-clients=0")
        network = [line(f"/wiki/{n};x", client=f"2001:db8:{n % 2}::{n}") for n in range(9)]  # two networks are two clients
        self.assertNotIn(b"\npaths:", self.learn(network, "--min-clients=3")[0].out)
        self.assertIn(b"\npaths:", self.learn([*network, line("/wiki/z;x", client="2001:db8:2::")], "--min-clients=3")[0].out)

    def test_attackers(self) -> None:
        """Clients that send more attacks than what is accepted are not learned from, nor is a rule proposed for them; what
        would accept an attack of the log is not learned from anybody."""
        ordinary = [line(f"/wiki/{n}", client=f"198.51.100.{n % 99}") for n in range(500)]
        poison = [line(f"/wiki/{n};x", client=f"192.0.2.{n % 9}") for n in range(27)]
        attacks = [line(f"/wiki/%2e%2e/{n}", client=f"192.0.2.{n % 9}") for n in range(9)]
        self.assertEqual(self.rules(self.learn(ordinary + poison, "--min-clients=3")[0]), {"/wiki/": ["path-semicolon"]})
        result, _ = self.learn(ordinary + poison + attacks, "--min-clients=3")
        self.assertNotIn(b"prefix: ", result.out)
        self.assertIn(b"# 9 clients are not learned from", result.out)
        self.assertIn(b"# 27 requests, 27 different, of 0 clients: attackers alone, such as /wiki/0;x\n", result.out)
        honest = [line(f"/wiki/{n}", client=f"192.0.2.{n % 9}") for n in range(18)]
        self.assertEqual(self.rules(self.learn(ordinary + poison + attacks + honest, "--min-clients=3")[0]), {"/wiki/": ["path-semicolon"]})
        fetched = [f"/fetch/http://example.com/{n}" for n in range(9)]
        self.assertEqual(self.rules(self.learn(fetched)[0]), {"/fetch/http:/": ["path-double-slash"]})
        result, _ = self.learn([*fetched, "/fetch/http://10.0.0.1/"])
        self.assertNotIn(b"prefix: ", result.out)
        self.assertIn(b"# 9 requests, 9 different, of 0 clients: a rule would accept attacks, such as /fetch/http://example.com/0\n", result.out)

    def test_urls_in_paths(self) -> None:
        """A path with a URL that public refuses is not learned from, however it is written; one with another URL is."""
        inner = ("http://169.254.169.254/latest/", "http:/10.0.0.5/admin//", "HTTP:%2F%2F127.0.0.1//", "http%3A%2F%2F[::1]//",
                 "gopher://a.example//", "x/http://localhost//", "https:////10.0.0.5//")
        for url in inner:
            result, _ = self.learn([f"/fetch/{url}{n}" for n in range(5)])
            self.assertNotIn(b"\npaths:", result.out, url)
            self.assertIn(b"# 5 requests: url-in-path (note), such as /fetch/", result.out, url)
        for url, prefix in (("http://example.com/", "http:/"), ("https://example.com/x//", "https:/"), ("x:y//", "x:y/"), ("C:/x//", "C:/x/")):
            self.assertEqual(self.rules(self.learn([f"/fetch/{url}{n}" for n in range(5)])[0]), {f"/fetch/{prefix}": ["path-double-slash"]})

    def test_never(self) -> None:
        """What is dangerous, an escaped backslash, and what becomes a dot segment behind a prefix, are listed without a rule."""
        for attack, finding in (("/static/a%5C", "path-backslash-escaped (note)"), ("/static/api./", "encoded-path-rewrite (note)"), ("/job/x%252F", "double-escape (dangerous)")):
            result, _ = self.learn([f"{attack}{n}" for n in range(5)])
            self.assertNotIn(b"prefix: ", result.out)
            self.assertIn(f"# 5 requests: {finding}, such as {attack}0\n".encode(), result.out)

    def test_secrets(self) -> None:
        """Examples of what is learned, left out and never learned have no secrets."""
        for part in ("%00", "%2Fx", ";b", "/x", "/..;/x", "#", ""):
            for least in ("0", "100"):
                result, _ = self.learn([f"/said/x;token=hush{n}/said{part}?code=hush&a={n}" for n in range(4)], f"--min-share={least}")
                self.assertNotIn(b"hush", result.out)
                self.assertIn(b"said", result.out)

    def test_empty_segments(self) -> None:
        """Empty segments are learned for the prefix before them."""
        for prefix in ("/x/", "/x/y/"):
            self.assertEqual(self.rules(self.learn([f"{prefix}/{n}" for n in range(3)])[0]), {prefix: ["path-double-slash"]})

    def test_no_requests(self) -> None:
        """A log in which nothing is a request is an error with the place of the first record."""
        for log, place in (("1732 120 192.0.2.1 TCP_MISS/200 GET http://a.example/\n", ":1:1: this is no request"), ('{"level":"info"}\n', "--json-field=NAME"),
                           (2 * ("/" + 10**6 * "a" + "\n"), ":1:1: this is no request, or too long")):
            self.assertUsage(run("policy", "learn", "--input=-", stdin=log), place)
        self.assertUsage(run("policy", "learn", "--input=-", "--csv", "--column=1", stdin="x\ny\n"), ": row 1: this is no request")

    def test_hostile_text(self) -> None:
        """What a log has cannot end a comment, nor a quoted text."""
        result, _ = self.learn([line(f"/it's/\\x0abase: any\\x0d{n};x") for n in range(4)] + [line(f"/it's/a{n};'x", client="192.0.2.8") for n in range(4)])
        self.assertEqual(self.rules(result), {"/it's/": ["path-semicolon"]})

    def test_usage(self) -> None:
        self.assertUsage(run("policy", "learn"), "say what to learn from")
        self.assertUsage(run("policy", "learn", "--input=-", "--base=publik"), "--base takes strict, public, any or gateway")
        self.assertUsage(run("policy", "learn", "--input=-", "--min-share=101"), "--min-share takes a share such as 2.5")
        self.assertUsage(run("policy", "learn", "--input=-", "--min-share=x"), "--min-share takes a share such as 2.5")
        self.assertUsage(run("policy", "learn", "--input=/nowhere/x"), "/nowhere/x")
