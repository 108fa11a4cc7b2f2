# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy explain: which rules are about a URL, and what to add for the other verdict."""
from __future__ import annotations

import json
import pathlib
import random
import sys
from typing import Any

import yaml

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
# A URL, and what to add so that it is accepted, or what is said instead.
ADDITIONS: list[tuple[str, dict[str, Any] | str]] = [
    ("https://admin.example.org/", "host-denied still refuses.\nChange the rule that decided.\n"),
    ("https://www.example.org:8444/", {"urls": {"allow": ["https://www.example.org:8444/$"]}}),
    ("https://www.example.org/", {"hosts": {"deny": ["www.example.org"]}}),
    ("https://b.example.net/", {"urls": {"allow": ["https://b.example.net/$"]}}),
    ("https://b.example.net/a?x=1", {"urls": {"allow": ["https://b.example.net/a"]}}),
    ("https://b.example.net", {"urls": {"allow": ["https://b.example.net"]}}),
    ("https://b.example.net/it's", {"hosts": {"allow": ["b.example.net"]}}),
    ("https://b.example.net/x/../y", {"hosts": {"allow": ["b.example.net"]}, "allow": ["dot-segment"]}),
    ("https://www.example.org/?", "query-empty still refuses.\nRemove query-empty from refuse.\n"),
    ("https://www.example.org/a/../b", {"allow": ["dot-segment"]}),
    ("https://www.example.org/" + 90 * "a", "url-too-long still refuses.\nSet limits.length to 114.\n"),
    ("ftp://www.example.org/", {"urls": {"allow": ["ftp://www.example.org/$"]}}),
    ("https://10.0.0.1/", "host-is-address still refuses.\nRemove host-is-address from refuse.\n"),
    ("https://www.example.org/a b", "raw-space still refuses.\nWrite instead: https://www.example.org/a%20b\n"),
    ("https://www.example.org/%00", "escaped-nul still refuses.\nWrite it otherwise: "),
]


def merged(policy: Any, added: Any) -> Any:
    """Returns the policy with the keys and values that are added."""
    if isinstance(added, list):
        return (policy or []) + added
    if isinstance(added, dict):
        return {**(policy or {}), **{key: merged((policy or {}).get(key), value) for key, value in added.items()}}
    return added


class Explain(Case):
    def explain(self, policy: str, url: str, **files: str) -> tuple[Result, str]:
        """Returns the output for a policy p.yaml, and the folder."""
        folder = str(self.folder())
        for name, text in {"p": policy, **files}.items():
            pathlib.Path(folder, f"{name}.yaml").write_bytes(text.encode("utf-8"))
        return run("policy", "explain", "p.yaml", url, cwd=folder), folder

    def added(self, result: Result) -> Any:
        """Returns what to add; None if there is no such thing."""
        _, found, text = result.out.decode("utf-8").partition("accept it, " if result.code == 1 else "refuse it, ")
        lines = text.split("\n")[1:]
        return yaml.safe_load("\n".join(line for line in lines if line.startswith("  "))) if found else None

    def assertAdded(self, result: Result, folder: str, url: str, others: tuple[str, ...] = ()) -> Any:
        """Checks that the policy with what is added has the other verdict, and accepts none of the others that it
        refused. Returns what is added."""
        added = self.added(result)
        self.assertIsNotNone(added, result.out)
        policy = yaml.safe_load(pathlib.Path(folder, "p.yaml").read_text(encoding="utf-8"))
        pathlib.Path(folder, "with.yaml").write_text(json.dumps(merged(policy, added)), encoding="utf-8")
        after = run("check", "-q", "--policy-file=with.yaml", url, cwd=folder)
        self.assertEqual((after.code, after.err), (1 - result.code, b""), result.out)
        for other in others:
            codes = [run("check", "-q", f"--policy-file={name}.yaml", other, cwd=folder).code for name in ("p", "with")]
            self.assertNotEqual(codes, [1, 0], (result.out, other))
        return added

    def test_additions(self) -> None:
        others = ("https://evil.example/x", "https://admin.example.org/", "https://evil.example:8444/", "ftp://evil.example/",
                  "https://10.0.0.2/", "https://b.example.net:8444/")
        for url, expected in ADDITIONS:
            with self.subTest(url):
                result, folder = self.explain(POLICY, url)
                if isinstance(expected, str):
                    self.assertIsNone(self.added(result))
                    self.assertIn("\nNo addition to the policy accepts it: " + expected, result.out.decode())
                else:
                    self.assertEqual(self.assertAdded(result, folder, url, others if result.code == 1 else ()), expected)

    def test_no_list_is_switched_off(self) -> None:
        """A list of what is allowed is never left out: only the URL that was asked about is added."""
        for policy, url in (("urls: {allow: ['https://app.example.com/cb$']}", "https://app.example.com/cb?x=1"),
                            ("urls: {allow: ['https://app.example.com/cb$']}", "https://app.example.com/cb#f"),
                            ("urls: {allow: ['https://app.example.com/cb$']}", "https://app.example.com/@types%2fnode"),
                            ("urls: {allow: ['https://app.example.com/cb$']}", "/cb"),
                            ("hosts: {allow: [a.example]}\nurls: {allow: ['https://app.example.com/cb$']}", "https://b.example/a%2Fb"),
                            ("hosts: {allow: [a.example]}", "https://u@b.example:8443/"), ("ports: {https: [8443]}", "https://a.example:22/"),
                            ("base: public", "http://169.254.169.254/latest"), ("base: public", "javascript:x"),
                            ("base: public", "http://user@10.0.0.1:6000/"), ("parameters: {next: {rooted: true}}", "https://a.example/?next=x")):
            with self.subTest(url, policy=policy):
                result, folder = self.explain(policy + "\n", url)
                added = self.added(result)
                if added is not None:
                    self.assertAdded(result, folder, url, ("https://evil.example:22/x", "http://10.0.0.2/", "javascript:y", "ftp://a.example/"))
                    self.assertFalse({"host-not-allowed", "url-not-allowed", "port-nondefault", "scheme-not-allowed", "param-refused", "addr-denied",
                                      "host-denied"} & set(added.get("allow", [])))

    def test_dangerous(self) -> None:
        """What is dangerous is opened for one URL or one parameter, and the output says so."""
        result, folder = self.explain("base: gateway\n", "https://a.example/?text=%0A")
        self.assertEqual(self.assertAdded(result, folder, "https://a.example/?text=%0A", ("https://a.example/?x=%0A",)),
                         {"parameters": {"text": {"allow": ["escaped-crlf"]}}})
        self.assertIn(b"\nThis opens what is dangerous: A percent-encoded CR or LF: ", result.out)
        result, folder = self.explain("base: public\n", "https://a.example:8443/x")
        self.assertEqual(self.assertAdded(result, folder, "https://a.example:8443/x", ("https://a.example:8443/", "https://b.example:8443/x")),
                         {"urls": {"also": ["https://a.example:8443/x$"]}})
        self.assertIn(b"\nThis opens what is dangerous: A port other than the scheme's own", result.out)

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

    def test_built_in(self) -> None:
        result = run("policy", "explain", "gateway", "https://a.example/a%2Fb;x")
        self.assertTrue(result.out.endswith(b"\nTo accept it, write a policy file:\n  base: gateway\n  # opens every URL with such a finding\n"
                                            b"  allow: [escaped-slash, path-semicolon]\n"), result.out)
        result = run("policy", "explain", "public", "mailto:a@example.com")
        self.assertTrue(result.out.endswith(b"  schemes: [http, https, mailto]\n"), result.out)
        result, folder = self.explain("schemes: [https]\n", "mailto:a@example.com")
        self.assertEqual(self.assertAdded(result, folder, "mailto:a@example.com", ("ftp://a.example/",)), {"schemes": ["mailto"]})

    def test_paths(self) -> None:
        """A gateway gets a waiver below a prefix, in a list that exists or not."""
        for policy in ("base: gateway\n", "base: gateway\npaths:\n  - prefix: /b\n    allow: [escaped-slash]\n"):
            result, folder = self.explain(policy, "https://a.example/api/x/a%2Fb;c")
            self.assertEqual(self.assertAdded(result, folder, "https://a.example/api/x/a%2Fb;c", ("https://a.example/api/a%2Fb",)),
                             {"paths": [{"prefix": "/api/x/", "allow": ["escaped-slash", "path-semicolon"]}]})
        result, _ = self.explain("base: gateway\npaths:\n  - {prefix: /api/, allow: [escaped-slash]}\n", "https://a.example/api/a%2Fb")
        self.assertEqual(result.code, 0)
        self.assertIn(b'  path decided by: paths "/api/" (p.yaml:3)\n', result.out)
        self.assertIn(b"  * paths: /api/ (p.yaml:3)\n", result.out)

    def test_parameters(self) -> None:
        """Rules for parameters are listed; a finding is allowed in its parameter."""
        policy = "base: gateway\nparameters:\n  next: {rooted: true}\n  url:\n    policy: public\n  body: {allow: [escaped-crlf]}\n"
        result, folder = self.explain(policy, "https://a.example/?body=%0A")
        self.assertEqual((result.code, self.assertAdded(result, folder, "https://a.example/?body=%0A")), (0, {"hosts": {"deny": ["a.example"]}}))
        for url in ("https://a.example/?next=x&url=/", "https://a.example/?url=http://10.0.0.1/"):
            result, _ = self.explain(policy, url)
            self.assertIn(b"param-refused still refuses.\nChange the rule that decided.\n", result.out)
        result, _ = self.explain(policy, "https://a.example/?next=x&url=/")
        self.assertIn(b"  * parameters: next (p.yaml:3)\n    parameters: url (p.yaml:4)\n", result.out)
        self.assertIn(b'decided by: parameters "next" (p.yaml:3)\n', result.out)
        url = "https://a.example/?a=%0A&b=%E9"
        result, folder = self.explain("base: strict\n", url)
        self.assertEqual(self.assertAdded(result, folder, url, ("https://a.example/?a=%E9", "https://a.example/?b=%0A")),
                         {"parameters": {"a": {"allow": ["escaped-crlf"]}, "b": {"allow": ["invalid-utf8-escape", "latin1-escape"]}}})

    def test_targets(self) -> None:
        """A path is judged as the target of a request."""
        result, folder = self.explain("base: gateway\nhosts: {allow: [www.example.com]}\n", "/shop/a;b?token=0123456789abcdef")
        self.assertEqual(result.code, 1)
        self.assertNotIn(b"0123456789abcdef", result.out)
        self.assertEqual(self.added(result), {"paths": [{"prefix": "/shop/", "allow": ["path-semicolon"]}]})
        result, _ = self.explain("base: gateway\n", "/shop/a")
        self.assertEqual((result.code, result.err), (0, b""))
        self.assertIn(b"No addition to the policy refuses it.\n", result.out)
        result, _ = self.explain("base: gateway\n", "/shop/../a;b")
        self.assertEqual(result.code, 1)

    def test_compiled(self) -> None:
        """To a compiled policy nothing can be added."""
        folder = str(self.folder())
        path = pathlib.Path(folder, "p.yaml")
        path.write_text("hosts: {deny: [a.example]}\n", encoding="utf-8")
        self.assertEqual(run("policy", "compile", "p.yaml", "-o", "p.bin", cwd=folder).code, 0)
        path.write_text(" " * 30 + "- x\n", encoding="utf-8")
        result = run("policy", "explain", "p.bin", "http://a.example/", cwd=folder)
        self.assertEqual((result.code, result.err), (1, b""))
        self.assertIn(b'decided by: deny "a.example" (p.yaml:1)', result.out)
        self.assertIn(b"Nothing can be added to a compiled policy: explain the file that it was made from.\n", result.out)

    def test_none(self) -> None:
        """What nothing can accept."""
        result, _ = self.explain("base: strict\n", "http://a b/")
        self.assertEqual(result.code, 1)
        self.assertIn(b"raw-space still refuses.\nWrite it otherwise: ", result.out)

    def test_secrets(self) -> None:
        result, _ = self.explain("base: strict\n", "https://a.example/?access_token=0123456789abcdef")
        self.assertNotIn(b"0123456789abcdef", result.out)

    def test_usage(self) -> None:
        self.assertUsage(run("policy", "explain", "strict"), "policy explain: URL is missing")
        self.assertUsage(run("policy", "explain", "-", "http://a.example/"), "has to be a file")
        self.assertUsage(run("policy", "explain", "--format=json", "strict", "http://a.example/"), "--format")

    def test_random_policies(self) -> None:
        """With random policies the addition does what it promises, and most have one."""
        rng = random.Random(43)
        additions = {0: 0, 1: 0}
        tried = 120
        for _ in range(tried):
            made = writer.policy(rng, with_urls=True)
            files = writer.files(rng, made, includes=True)
            url = str(writer.place(rng, made))
            result, folder = self.explain(files["main.yaml"], url, **{name[:-5]: text for name, text in files.items()})
            self.assertEqual(result.err, b"")
            if self.added(result) is not None:
                self.assertAdded(result, folder, url)
                additions[result.code] += 1
        self.assertGreater(sum(additions.values()), tried // 2, additions)
        self.assertGreater(min(additions.values()), 5, additions)
