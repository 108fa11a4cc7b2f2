# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy test, which judges the cases of a file."""
from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
from helper import Case, run  # noqa: E402

POLICY = """base: public
ports: {https: [8443]}
hosts: {deny: [admin.example.org, b.example.org]}
"""
CASES = """policy: p.yaml
accept: [https://example.org/, 'https://example.org/{ab*1000}']
refuse:
  host-denied: [https://admin.example.org/]
cases:
  - name: ports
    accept: ['https://example.org:8443/', https://example.org:8444/]
    refuse: {port-nondefault: ['https://example.org:8444/', 'https://example.org:8443/'], host-denied: ['https://[::1]/']}
  - name: requests
    request: {method: OPTIONS, host: example.org, scheme: https, port: 8443}
    accept: ['*', /a]
    refuse: {dot-segment: [/a/../b]}
"""
# The content of a file of cases, and the error that is reported.
PROBLEMS = [
    ("", "1:1: nothing is set here"),
    ("policy: p.yaml\n", "1:1: there are no cases"),
    ("accept: [x]\n", '1:1: "policy" is missing'),
    ("policy: p.yaml\naccpt: [x]\n", '2:1: unknown key "accpt"; did you mean "accept"?'),
    ("policy: p.yaml\nname: x\n", '2:1: unknown key "name"'),
    ("policy: p.yaml\naccept: x\n", '2:9: "accept" takes a list'),
    ("policy: p.yaml\naccept: [[x]]\n", '2:10: "accept" takes a list: a line with "- " for each value; a text that begins with ['),
    ("policy: p.yaml\nrefuse: [x]\n", '2:9: "refuse" takes a group'),
    ("policy: p.yaml\nrefuse: {host-deniedd: [x]}\n", '2:10: no such finding: "host-deniedd"; did you mean "host-denied"?'),
    ("policy: p.yaml\nrefuse: {xyzzy: [x]}\n", '2:10: no such finding: "xyzzy"'),
    ("policy: p.yaml\nrefuse: {host-denied: x}\n", '2:23: "host-denied" takes a list'),
    ("policy: p.yaml\nrequest: {methd: GET}\naccept: [x]\n", '2:11: unknown key "request.methd"; did you mean "request.method"?'),
    ("policy: p.yaml\nrequest: {method: GET,\n method: POST}\naccept: [x]\n", '3:2: "request.method" is there for the second time: it stands in line 2'),
    ("policy: p.yaml\nrequest: {port: 0}\naccept: [x]\n", '2:17: "port" takes a number from 1 to 65535'),
    ("policy: p.yaml\nrequest: {scheme: ftp}\naccept: [x]\n", '2:19: "scheme" takes http or https'),
    ("policy: p.yaml\nrequest: {method: 'G T'}\naccept: [x]\n", "is no method"),
    ("policy: p.yaml\ncases: [x]\n", '2:9: "cases" takes a list of groups'),
    ("policy: p.yaml\ncases: [{policy: x}]\n", '2:10: unknown key "policy"'),
    ("policy: p.yaml\npolicy: p.yaml\naccept: [x]\n", '2:1: "policy" is there for the second time: it stands in line 1'),
    ("policy: p.yaml\naccept: ['{a*67108863}', b, c]\n", "2:29: the inputs have more than 67108864 octets"),
    ("policy: p.yaml\naccept: [*x]\n", "2:10:"),
    ("policy: q.yaml\naccept: [x]\n", "cannot open 'q.yaml'"),
]


class Cases(Case):
    def files(self, **content: str) -> str:
        """Returns a new folder with the files NAME.yaml."""
        folder = str(self.folder())
        for name, text in content.items():
            pathlib.Path(folder, f"{name}.yaml").write_text(text, encoding="utf-8")
        return folder

    def test_verdicts(self) -> None:
        folder = self.files(p=POLICY, c=CASES)
        result = run("policy", "test", "c.yaml", cwd=folder)
        self.assertEqual(result.code, 1)
        self.assertEqual(result.out.decode().splitlines(), [
            "ok         2 accepted     1 refused  (no name)",
            "failed     2 accepted     3 refused  ports",
            "    c.yaml:7:43: https://example.org:8444/: expected accept, but it is refused for port-nondefault",
            "    c.yaml:8:61: https://example.org:8443/: expected port-nondefault, but it is accepted",
            "    c.yaml:8:105: https://[::1]/: expected host-denied, but it is refused for "
            "addr-not-global,addr6-loopback",
            "ok         2 accepted     1 refused  requests",
            "not tested: hosts.deny: b.example.org (p.yaml:3)",
            "c.yaml: 11 cases, 3 not as expected"])
        rows = run("policy", "test", "--format=tsv", "c.yaml", cwd=folder).rows()
        self.assertEqual([row[0] for row in rows], ["ok"] * 4 + ["failed", "ok", "failed", "failed"] + ["ok"] * 3)
        self.assertEqual(rows[4], ["failed", "accept", "reject", "port-nondefault", "ports", "c.yaml", "7",
                                   "https://example.org:8444/"])
        objects = run("policy", "test", "--format=json", "c.yaml", cwd=folder).objects()
        self.assertEqual(len(objects[1]["uri"]), len("https://example.org/") + 2000)
        self.assertEqual(objects[4], {
            "ok": False, "uri": "https://example.org:8444/", "expected": "accept", "verdict": "reject",
            "findings": ["port-nondefault"], "group": "ports", "file": "c.yaml", "line": 7, "column": 43})
        quiet = run("policy", "test", "-q", "c.yaml", cwd=folder)
        self.assertEqual((quiet.code, quiet.out, quiet.err), (1, b"", b""))

    def test_order(self) -> None:
        """The order of keys and lists makes no difference."""
        def turned(value: Any) -> Any:
            return {key: turned(value[key]) for key in reversed(value)} if isinstance(value, dict) else [turned(one) for one in reversed(value)] if isinstance(value, list) else value

        folder = self.files(p=POLICY, c=CASES, d=json.dumps(turned(yaml.safe_load(CASES))))
        rows = [run("policy", "test", "--format=tsv", f"{name}.yaml", cwd=folder).rows() for name in "cd"]
        self.assertEqual(*(sorted(row[:5] + row[7:] for row in each) for each in rows))

    def test_good(self) -> None:
        """Status 0; the policy is looked for beside the file of cases, and may be built in. Inputs may have 64 MiB."""
        folder = self.files(p=POLICY, long="policy: public\nrefuse: {url-too-long: ['{a*67108864}']}\n")
        self.assertEqual(run("policy", "test", "-q", "long.yaml", cwd=folder).code, 0)
        os.mkdir(os.path.join(folder, "t"))
        for policy in ("../p.yaml", "public", os.path.join(folder, "p.yaml")):
            pathlib.Path(folder, "t", "c.yaml").write_text(f"policy: {policy}\naccept: [https://example.org/]\n",
                                                           encoding="utf-8")
            result = run("policy", "test", "t/c.yaml", cwd=folder)
            self.assertEqual((result.code, result.err), (0, b""))
            self.assertTrue(result.out.endswith(b"t/c.yaml: 1 case, all as expected\n"), result.out)

    def test_repetitions(self) -> None:
        """{TEXT*N} is the text so often; other braces and stars stand for themselves."""
        texts = {"{ab*2}c": "ababc", "{a}{b*2}": "{a}bb", "x{a*0}y{a*1}": "xya", "{*2}": "{*2}", "{a*}": "{a*}", "{a*2": "{a*2", "{a*x}": "{a*x}", "{a*2}}": "aa}", "a*2": "a*2"}
        folder = self.files(c=json.dumps({"policy": "public", "refuse": {"not-absolute": list(texts)}}))
        self.assertEqual([one["uri"] for one in run("policy", "test", "--format=json", "c.yaml", cwd=folder).objects()], list(texts.values()))

    def test_parameters(self) -> None:
        """Rules for parameters decide cases; of one that decides none, one line is shown."""
        policy = "base: gateway\nparameters:\n  next: {rooted: true}\n  body: {allow: [escaped-crlf]}\n  url: {same_origin: true}\n"
        cases = ("policy: p.yaml\naccept: ['https://a.example/?body=%0A', 'https://a.example/?next=/x&url=/']\n"
                 "refuse: {param-refused: ['https://a.example/?next=x'], escaped-crlf: ['https://a.example/?text=%0A&body=%0A']}\n"
                 "cases: [{name: targets, request: {method: GET, host: a.example}, accept: [/?body=%0A], refuse: {param-refused: [/?next=x]}}]\n")
        result = run("policy", "test", "c.yaml", cwd=self.files(p=policy, c=cases))
        self.assertEqual(result.out.decode().splitlines(), [
            "ok         2 accepted     2 refused  (no name)", "ok         1 accepted     1 refused  targets",
            "not tested: parameters: url policy public (p.yaml:5)", "c.yaml: 6 cases, all as expected"])

    def test_problems(self) -> None:
        for content, message in PROBLEMS:
            with self.subTest(content):
                result = run("policy", "test", "c.yaml", cwd=self.files(p=POLICY, c=content))
                self.assertEqual((result.code, result.out), (2, b""))
                self.assertIn(message, result.err.decode())
