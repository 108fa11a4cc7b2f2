# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy explain: which rules are about a URL, and an edit by which the verdict is the other one."""
from __future__ import annotations

import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
import writer  # noqa: E402
from helper import Case, Result, run  # noqa: E402

POLICY = """# of ours
base: public
ports: {https: [8443]}   # a partner
hosts:
  allow:
    - .example.org
    - a.example.net
  deny:
    - admin.example.org   # closed
    - bad.example.org
urls:
  allow:
    - https://app.example.net:9443/cb
refuse: [query-empty, host-is-address]
limits: {length: 100}
"""
# A URL, and the lines that its edit adds and removes.
EDITS = [
    ("https://admin.example.org/", ["-    - admin.example.org   # closed"]),
    ("https://www.example.org:8444/", ["-ports: {https: [8443]}   # a partner", "+ports: {https: [8443, 8444]}   # a partner"]),
    ("https://www.example.org/", ["+    - www.example.org"]),
    ("https://app.example.net:9443/cb/x", ["-urls:", "-  allow:", "-    - https://app.example.net:9443/cb"]),
    ("https://b.example.net/", ["+    - https://b.example.net/$", "+    - b.example.net"]),
    ("https://www.example.org/?", ["-refuse: [query-empty, host-is-address]", "+refuse: [host-is-address]"]),
    ("https://www.example.org/a/../b", ["+allow: [dot-segment]"]),
    ("https://www.example.org/" + 90 * "a", ["-limits: {length: 100}", "+limits: {length: 114}"]),
    ("ftp://www.example.org/", ["+schemes: [http, https, ftp]"]),
    ("https://10.0.0.1/", ["-refuse: [query-empty, host-is-address]", "+refuse: [query-empty]", "+addresses:",
                           "+  allow: [10.0.0.1]"]),
]


class Explain(Case):
    def explain(self, policy: str, url: str, **files: str) -> tuple[Result, str]:
        """Returns the output for a policy p.yaml, and the folder."""
        folder = str(self.folder())
        for name, text in {"p": policy, **files}.items():
            pathlib.Path(folder, f"{name}.yaml").write_bytes(text.encode("utf-8"))
        return run("policy", "explain", "p.yaml", url, cwd=folder), folder

    def assertEdit(self, result: Result, folder: str, url: str) -> list[str]:
        """Applies the diff by patch(1); returns its changed lines."""
        text = result.out.decode("utf-8")
        diff = text[text.index("--- "):]
        if shutil.which("patch"):
            done = subprocess.run(["patch", "-p0", "--batch"], input=diff, text=True, capture_output=True, cwd=folder, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + diff)
            after = run("check", "-q", "--policy-file=p.yaml", url, cwd=folder)
            self.assertEqual((after.code, after.err), (1 - result.code, b""), diff)
        return [line for line in diff.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]

    def test_edits(self) -> None:
        for url, lines in EDITS:
            with self.subTest(url):
                result, folder = self.explain(POLICY, url)
                made = self.assertEdit(result, folder, url)
                self.assertTrue(made)
                self.assertLessEqual(set(made), set(lines), result.out)

    def test_rules(self) -> None:
        """Rules that would have decided are listed beside the one that did."""
        result, _ = self.explain(POLICY, "https://admin.example.org/")
        self.assertEqual(result.code, 1)
        self.assertIn(b"  * hosts.deny: admin.example.org (p.yaml:9)\n    hosts.allow: .example.org (p.yaml:6)\n", result.out)
        result, _ = self.explain("base: strict\naddresses: {allow: [10.0.0.0/8], deny: [10.1.0.0/16]}\n", "http://10.1.2.3/")
        self.assertIn(b"  * addresses.deny: 10.1.0.0/16 (p.yaml:2)\n", result.out)
        self.assertIn(b"    addresses.allow: 10.0.0.0/8 (p.yaml:2)\n", result.out)
        result, _ = self.explain("base: strict\n", "http://a.example/")
        self.assertIn(b"No rule of the policy names it.\n", result.out)

    def test_included(self) -> None:
        """The edit is one of the file that has the rule."""
        result, folder = self.explain("include: [more.yaml]\n", "http://a.example/", more="hosts:\n  deny:\n  - a.example\n  - b.example\n")
        self.assertIn(b"--- more.yaml\n", result.out)
        self.assertEqual(self.assertEdit(result, folder, "http://a.example/"), ["-  - a.example"])

    def test_built_in(self) -> None:
        result = run("policy", "explain", "gateway", "https://a.example/a%2Fb;x")
        self.assertTrue(result.out.endswith(b"@@ -1,1 +1,2 @@\n base: gateway\n+allow: [escaped-slash, path-semicolon]\n"), result.out)

    def test_paths(self) -> None:
        """A gateway gets a waiver below a prefix, in a list that exists or not."""
        for policy, lines in (("base: gateway\n", ["+paths:", "+  - {prefix: /api/x/, allow: [escaped-slash, path-semicolon]}"]),
                              ("base: gateway\npaths:\n  - prefix: /b\n    allow: [escaped-slash]\n",
                               ["+  - {prefix: /api/x/, allow: [escaped-slash, path-semicolon]}"])):
            result, folder = self.explain(policy, "https://a.example/api/x/a%2Fb;c")
            self.assertEqual(self.assertEdit(result, folder, "https://a.example/api/x/a%2Fb;c"), lines)
        result, _ = self.explain("base: gateway\npaths:\n  - {prefix: /api/, allow: [escaped-slash]}\n", "https://a.example/api/a%2Fb")
        self.assertEqual(result.code, 0)
        self.assertIn(b'  path decided by: paths "/api/" (p.yaml:3)\n', result.out)
        self.assertIn(b"  * paths: /api/ (p.yaml:3)\n", result.out)

    def test_parameters(self) -> None:
        """Rules for parameters are listed; one that refuses, or lets pass, is removed; a finding is allowed in its parameter."""
        policy = "base: gateway\nparameters:\n  next: {rooted: true}\n  url:\n    policy: public\n  body: {allow: [escaped-crlf]}\n"
        for url, code, lines in (("https://a.example/?next=x&url=/", 1, ["-  next: {rooted: true}"]),
                                 ("https://a.example/?url=http://10.0.0.1/", 1, ["-  url:", "-    policy: public"]),
                                 ("https://a.example/?body=%0A", 0, ["-  body: {allow: [escaped-crlf]}"]),
                                 ("https://a.example/?text=%0A", 1, ["+  text: {allow: [escaped-crlf]}"])):
            result, folder = self.explain(policy, url)
            self.assertEqual((result.code, self.assertEdit(result, folder, url)), (code, lines), result.out)
        result, _ = self.explain(policy, "https://a.example/?next=x&url=/")
        self.assertIn(b"  * parameters: next (p.yaml:3)\n    parameters: url (p.yaml:4)\n", result.out)
        self.assertIn(b'decided by: parameters "next" (p.yaml:3)\n', result.out)
        result, folder = self.explain("parameters: {next: {rooted: true}}\n", "https://a.example/?next=x")
        self.assertIn(b"No edit of a few lines accepts it.\n", result.out)    # not: allow: [param-refused]
        result, folder = self.explain("base: strict\n", "/x?text=%0A")
        self.assertTrue(result.out.endswith(b"+parameters:\n+  text: {allow: [escaped-crlf]}\n"), result.out)

    def test_refused_twice(self) -> None:
        """A word of `refuse` that would refuse without it is moved to `allow`."""
        result, folder = self.explain("base: public\nrefuse: [userinfo-present]\n", "https://u@example.org/")
        self.assertEqual(self.assertEdit(result, folder, "https://u@example.org/"),
                         ["-refuse: [userinfo-present]", "+allow: [userinfo-present]"])

    def test_targets(self) -> None:
        """A path is judged as the target of a request."""
        result, folder = self.explain("base: gateway\nhosts: {allow: [www.example.com]}\n", "/shop/a;b?token=0123456789abcdef")
        self.assertEqual(result.code, 1)
        self.assertNotIn(b"0123456789abcdef", result.out)
        self.assertTrue(result.out.endswith(b"+paths:\n+  - {prefix: /shop/, allow: [path-semicolon]}\n"), result.out)
        result, _ = self.explain("base: gateway\n", "/shop/a")
        self.assertEqual((result.code, result.err), (0, b""))
        self.assertIn(b"No edit of a few lines refuses it.\n", result.out)
        policy = "base: gateway\npaths:\n  - {prefix: /shop/, allow: [escaped-slash, path-semicolon]}\n"
        result, folder = self.explain(policy, "https://a.example/shop/a;b")
        self.assertEqual(self.assertEdit(result, folder, "https://a.example/shop/a;b"),
                         ["-  - {prefix: /shop/, allow: [escaped-slash, path-semicolon]}", "+  - {prefix: /shop/, allow: [escaped-slash]}"])
        result, _ = self.explain("base: gateway\n", "/shop/../a;b")
        self.assertEqual(result.code, 1)

    def test_compiled(self) -> None:
        """Of a compiled policy there is no edit; its file may have other lines by now."""
        folder = str(self.folder())
        path = pathlib.Path(folder, "p.yaml")
        path.write_text("hosts: {deny: [a.example]}\n", encoding="utf-8")
        self.assertEqual(run("policy", "compile", "p.yaml", "-o", "p.bin", cwd=folder).code, 0)
        path.write_text(" " * 30 + "- x\n", encoding="utf-8")
        result = run("policy", "explain", "p.bin", "http://a.example/", cwd=folder)
        self.assertEqual((result.code, result.err), (1, b""))
        self.assertIn(b'decided by: deny "a.example" (p.yaml:1)', result.out)
        self.assertIn(b"No edit of a few lines accepts it.\n", result.out)

    def test_none(self) -> None:
        """What no edit can accept."""
        result, _ = self.explain("base: strict\n", "http://a b/")
        self.assertEqual(result.code, 1)
        self.assertIn(b"No edit of a few lines accepts it.\n", result.out)

    def test_secrets(self) -> None:
        result, _ = self.explain("base: strict\n", "https://a.example/?access_token=0123456789abcdef")
        self.assertNotIn(b"0123456789abcdef", result.out)

    def test_usage(self) -> None:
        self.assertUsage(run("policy", "explain", "strict"), "policy explain: URL is missing")
        self.assertUsage(run("policy", "explain", "-", "http://a.example/"), "has to be a file")
        self.assertUsage(run("policy", "explain", "--format=json", "strict", "http://a.example/"), "--format")

    def test_layouts(self) -> None:
        """In every layout of YAML the edit does what it promises, and most have one."""
        rng = random.Random(43)
        edits = {0: 0, 1: 0}
        tried = 120
        for _ in range(tried):
            made = writer.policy(rng, with_urls=True)
            files = writer.files(rng, made, includes=True)
            url = str(writer.place(rng, made))
            result, folder = self.explain(files["main.yaml"], url, **{name[:-5]: text for name, text in files.items()})
            self.assertEqual(result.err, b"")
            if b"\n--- " in result.out:
                self.assertEdit(result, folder, url)
                edits[result.code] += 1
        self.assertGreater(sum(edits.values()), tried // 2, edits)
        self.assertGreater(min(edits.values()), 5, edits)


if __name__ == "__main__":
    unittest.main()
