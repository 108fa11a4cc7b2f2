# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy diff, which lists what only one of two policies has."""
from __future__ import annotations

import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
import writer  # noqa: E402
from model import bare  # noqa: E402
from helper import HomeCase, Result, run  # noqa: E402

OLD = """base: public
name: before
schemes: [https]
ports: {https: [8443, 9000-9100]}
hosts:
  allow: [Example.com, .example.org]
  deny: [admin.example.org]
urls: {allow: ['https://app.example.net:8443/cb']}
addresses: {allow: [10.1.0.0/16], nat64: ['2001:db8:64::/96']}
allow: [host-trailing-dot]
refuse: [query-empty]
limits: {length: 100}
protect: [example.com]
"""
NEW = """# the same with other words
base: public
mode: observe
schemes: [https, http]
hosts:
  deny:
    - admin.example.org
    - bad.example.org
  allow:
    - .example.org
    - example.com.
ports: {https: [9000-9101, 8443]}
addresses: {allow: [10.1.0.0/17], nat64: ['2001:db8:64::/96']}
urls:
  allow:
    - https://app.example.net:8443/
allow: [host-trailing-dot]
refuse: [query-empty, query-separator]
limits: {length: 200}
opaque_query: true
paths:
  - {prefix: /api/, methods: [GET], allow: [escaped-slash, double-escape]}
strip_prefix: [/app]
"""
LINES = [
    "- name: before",
    "- mode: enforce",
    "+ mode: observe",
    "+ schemes: http",
    "- ports.https: 9000-9100 (a.yaml:4)",
    "+ ports.https: 9000-9101 (b.yaml:12)",
    "+ hosts.deny: bad.example.org (b.yaml:8)",
    "+ urls.allow: https://app.example.net:8443/ (b.yaml:16)",
    "- urls.allow: https://app.example.net:8443/cb (a.yaml:8)",
    "- addresses.allow: 10.1.0.0/16 (a.yaml:9)",
    "+ addresses.allow: 10.1.0.0/17 (b.yaml:13)",
    "+ refuse: query-separator",
    "- limits.length: 100",
    "+ limits.length: 200",
    "- opaque_query: false",
    "+ opaque_query: true",
    "- protect: example.com (a.yaml:13)",
    "+ paths: GET /api/ allow double-escape (b.yaml:22)",
    "+ paths: GET /api/ allow escaped-slash (b.yaml:22)",
    "+ strip_prefix: /app (b.yaml:23)",
]


class Diff(HomeCase):
    def setUp(self) -> None:
        super().setUp()
        for name, text in (("a.yaml", OLD), ("b.yaml", NEW)):
            self.write(text, name)

    def diff(self, *arguments: str) -> Result:
        return run("policy", "diff", *arguments, cwd=self.home)

    def test_lines(self) -> None:
        """Each difference is a line, with the place of the rule; differently written equal rules are no
        difference."""
        result = self.diff("a.yaml", "b.yaml")
        self.assertEqual((result.code, result.err), (1, b""))
        self.assertEqual(result.out.decode().splitlines(), LINES)
        turned = self.diff("b.yaml", "a.yaml").out.decode().splitlines()
        for key in ("mode", "limits", "opaque_query"):
            self.assertEqual([line[0] for line in turned if line[2:].startswith(key)], ["-", "+"], key)
        swapped = {("+-"["+-".index(line[0]) - 1]) + line[1:] for line in LINES}
        self.assertEqual(set(turned), swapped)

    def test_equal(self) -> None:
        """A policy equals itself in any order, style or letter case."""
        for a, b in (("a.yaml", "a.yaml"), ("strict", "strict"), ("gateway", "gateway")):
            result = self.diff(a, b)
            self.assertEqual((result.code, result.out, result.err), (0, b"", b""))
        self.write("hosts: {deny: [a.example, .B.example]}\n", "c.yaml")
        self.write("base: strict\nhosts:\n- no\n".replace("- no\n", "  deny: [.b.example., a.EXAMPLE]\n"), "d.yaml")
        self.assertEqual(self.diff("c.yaml", "d.yaml").code, 0)
        self.write("include: [c.yaml]\n", "e.yaml")
        self.assertEqual(self.diff("c.yaml", "e.yaml").code, 0)

    def test_generated(self) -> None:
        """Two styles of one policy are equal; if a rule is removed, that rule is the difference."""
        rng = random.Random(3)
        rules = 0
        for _ in range(60):
            policy = writer.policy(rng, with_urls=True)
            self.write(writer.written(rng, writer.as_tree(rng, policy)), "c.yaml")
            self.write(writer.written(rng, writer.as_tree(rng, policy)), "d.yaml")
            same = self.diff("c.yaml", "d.yaml")
            self.assertEqual((same.code, same.out, same.err), (0, b"", b""))
            lists = policy.hosts.get("deny", [])
            if len(lists) > 1:
                rules += 1
                gone = lists.pop(rng.randrange(len(lists)))
                self.write(writer.written(rng, writer.as_tree(rng, policy)), "d.yaml")
                rows = self.diff("--format=tsv", "c.yaml", "d.yaml").rows()
                self.assertEqual([row[:3] for row in rows], sorted(
                    ["-", "hosts.deny.except", f"{name}\\x20in\\x20{bare(gone)}".lower()] for name in policy.exceptions.get(gone, ()))
                    + [["-", "hosts.deny", gone.lower()]])
        self.assertGreater(rules, 10)

    def test_bases(self) -> None:
        """With different bases, only the base is listed, not what follows from it."""
        for a, b in (("strict", "public"), ("strict", "any"), ("public", "gateway")):
            self.assertEqual(self.diff(a, b).out.decode(), f"- base: {a}\n+ base: {b}\n")
        self.write("base: gateway\nallow: [path-double-slash]\n", "c.yaml")
        self.assertEqual(self.diff("gateway", "c.yaml").out.decode(),
                         "+ allow: path-double-slash\n- refuse: path-double-slash\n")

    def test_formats(self) -> None:
        rows = self.diff("--format=tsv", "a.yaml", "b.yaml").rows()
        self.assertEqual(rows[0], ["-", "name", "before", "a.yaml", "\\N"])
        self.assertEqual(rows[4], ["-", "ports.https", "9000-9100", "a.yaml", "4"])
        objects = self.diff("--format=json", "a.yaml", "b.yaml").objects()
        self.assertEqual(len(objects), len(LINES))
        self.assertEqual(objects[6], {"only": "b", "key": "hosts.deny", "value": "bad.example.org", "file": "b.yaml",
                                      "line": 8, "column": 7})
        self.assertEqual(objects[1], {"only": "a", "key": "mode", "value": "enforce", "file": "a.yaml", "line": None,
                                      "column": None})
        coloured = self.diff("--colour=always", "a.yaml", "b.yaml").out
        self.assertIn(b"\x1b[", coloured)
        self.assertEqual((self.diff("-q", "a.yaml", "b.yaml").code, self.diff("-q", "a.yaml", "b.yaml").out), (1, b""))

    def test_strange_names(self) -> None:
        """Text of a policy cannot control a terminal or end a line."""
        self.write("name: \"a b\u00e9: \\\\x\"\n", "c.yaml")
        result = self.diff("strict", "c.yaml")
        self.assertEqual(result.out.decode(), "+ name: a b\\xC3\\xA9: \\x5Cx\n")
        self.assertEqual(self.diff("--format=json", "strict", "c.yaml").objects()[0]["value"], "a b\u00e9: \\x")

    def test_trouble(self) -> None:
        self.write("base: publik\n", "bad.yaml")
        self.assertUsage(self.diff("a.yaml", "bad.yaml"), "bad.yaml:1")
        self.assertUsage(self.diff("bad.yaml", "bad.yaml"), "bad.yaml:1")
        self.assertUsage(self.diff("a.yaml", "missing.yaml"), "missing.yaml")
        self.assertUsage(self.diff("a.yaml"), "policy diff: B is missing")
        self.assertUsage(self.diff("-", "-"), "standard input cannot be both")
        self.assertUsage(self.diff("a.yaml", "publik"), "did you mean 'public'?")
        self.assertUsage(self.diff("a.yaml", "b.yaml", "public"), "one argument too many: 'public'")
