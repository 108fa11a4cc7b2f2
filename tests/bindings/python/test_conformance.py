# SPDX-License-Identifier: Apache-2.0
"""The cases that every binding answers alike (tests/bindings/conformance), octet for octet."""
from __future__ import annotations

import ast
import collections
import ipaddress
import json
import struct
import sys
import unittest
from pathlib import Path

import urivet

CASES = Path(__file__).resolve().parent.parent / "conformance" / "cases.jsonl"
BUILT_IN = {policy.name: policy for policy in (urivet.STRICT, urivet.PUBLIC, urivet.ANY, urivet.GATEWAY)}


def octets(text: str | None) -> bytes | None:
    return None if text is None else text.encode("latin-1")


def written_back(text: bytes) -> str | bytes:
    """The text as a str, if it is UTF-8."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text


def written(text: str | None) -> str | None:
    """A str of the package as the cases write octets."""
    return None if text is None else text.encode("utf-8", "surrogateescape").decode("latin-1")


def same(*values: object) -> None:
    """Raises AssertionError unless all values are the same: what the package offers in several ways."""
    assert all(value == values[0] for value in values), values


def report_of(report: urivet.Report, host: bytes | None = None) -> dict:
    same(report.verdict == "accept", report.ok, bool(report))
    same(report.ids, tuple(one.id for one in report.findings))
    same(report.enforced, not report.policy.observes)
    same(report.octets, None if report.uri is None else report.uri.encode("utf-8", "surrogateescape"))
    for one in report.findings:
        same((one.number, one.class_, one.reference, one.text), urivet.catalogue()[one.id])
        assert f"{one.start}: " in urivet.explain(report) and one.text in urivet.explain(report)
        text = report.octets if one.source == "input" else host
        if text is not None:
            same(one.octets, text[one.start:one.end])
    return {"verdict": report.verdict, "reason": report.public_reason, "parsed": report.parsed,
            "effective_port": report.port, "dropped": report.dropped, "findings": [
        {"id": one.id, "class": one.class_, "component": one.component, "in": one.source, "offset": one.start,
         "length": one.end - one.start, "count": one.count, "refuses": one.refuses} for one in report.findings]}


def comparable(found: list[urivet.Found]) -> list[tuple]:
    return [(*one[:4], None if one.report is None else report_of(one.report)) for one in found]


def components_of(report: urivet.Report) -> dict:
    pieces = report.components
    names = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
    return {name: written(piece) for name, piece in zip(names, pieces or ()) if piece is not None}


def endpoint_of(report: urivet.Report) -> dict | None:
    to = report.endpoint
    if to is None:
        return None
    return {"scheme": to.scheme, "host": to.host, "port": to.port, "tls": to.tls, "address": (to.address or b"").hex(),
            "host_field": to.host_field, "tls_name": to.tls_name, "target": to.target, "url": to.url}


class Asked:
    """A method for each kind: what the package answers."""

    def __init__(self) -> None:
        self.policies = dict(BUILT_IN)

    def catalogue(self, case: dict) -> dict:
        return {"version": urivet.__version__,
                "findings": {name: row[0] for name, row in urivet.catalogue().items()}}

    def policy(self, case: dict) -> dict:
        try:
            policy = urivet.Policy.compiled(bytes.fromhex(case["compiled"]))
        except urivet.PolicyError as error:
            return {"opens": False, "fault": str(error)}
        same(policy.compile().hex(), case["compiled"])
        same((policy.name, policy.base, policy.observes), (case["name"], None, False))
        self.policies[case["name"]] = policy
        return {"opens": True, "fault": case["fault"]}

    def check(self, case: dict) -> dict:
        policy, given = self.policies[case["policy"]], octets(case["input"])
        report = policy.check(given)
        same(report.octets, given)
        same(report.policy, policy)
        same(report_of(report), report_of(policy.check(written_back(given))))
        same(report.ok, policy.ok(given), policy.ok(written_back(given)))
        if policy is urivet.STRICT:
            same(report.ok, urivet.ok(given))
            same(report_of(report), report_of(urivet.check(given)))
        return report_of(report) | {"components": components_of(report), "suggestion": written(report.suggestion),
                                    "endpoint": endpoint_of(report)}

    def verdicts(self, case: dict) -> dict:
        return {"accepted_by": [name for name, policy in self.policies.items() if policy.ok(octets(case["input"]))]}

    def json(self, case: dict) -> dict:
        return {"json": self.policies[case["policy"]].check(octets(case["input"])).to_json()}

    def request(self, case: dict) -> dict:
        report = self.policies[case["policy"]].check_target(
            octets(case["target"]), octets(case["method"]), octets(case["host"]), scheme=case["scheme"],
            port=case["port"], host_unknown=case["host_unknown"])
        return report_of(report, octets(case["host"])) | {"components": components_of(report), "form": report.form}

    def resolve(self, case: dict) -> dict:
        return {"target": written(urivet.resolve(octets(case["base"]), octets(case["reference"])))}

    def reference(self, case: dict) -> dict:
        report = self.policies[case["policy"]].check_redirect(
            octets(case["reference"]), octets(case["base"]), same_origin=case["same_origin"])
        if case["target"] == "":  # the package reports what is wrong with the reference
            return {"verdict": report.verdict, "endpoint": endpoint_of(report)}
        return report_of(report) | {"target": written(report.uri), "endpoint": endpoint_of(report)}

    def compare(self, case: dict) -> dict:
        return {"rung": urivet.compare(octets(case["a"]), octets(case["b"]), case["no_fragment"])}

    def normalise(self, case: dict) -> dict:
        same(urivet.normalise, urivet.normalize)
        return {"result": written(urivet.normalise(octets(case["input"]), case["level"]))}

    def parameters(self, case: dict) -> dict:
        request = {"target": True, "method": "GET", "host": "app.example.com", "scheme": "https", "port": 443}
        judge = self.policies[case["policy"]]
        report = (urivet if judge is urivet.STRICT else judge).parameters(
            octets(case["input"]), [octets(name) for name in case["names"]],
            policy=self.policies[case["parameter_policy"]], decode=case["times"], same_origin=case["same_origin"],
            absolute=case["absolute"], **(request if case["is_target"] else {}))
        for one in report.parameters:
            same(one.ok, one.result in ("accepted", "not-asked"))
        return report_of(report) | {"parameters": [
            {"name": written(one.name), "raw": written(one.raw), "result": one.result, "value": written(one.value),
             "judged": written(one.judged), "ids": ",".join(one.ids)} for one in report.parameters]}

    def address(self, case: dict) -> dict:
        address, policy = bytes.fromhex(case["address"]), self.policies[case["policy"]]
        if len(address) in (4, 16):
            text = str(ipaddress.ip_address(address))
            same(*(report_of(policy.check_address(one, case["port"])) for one in (address, text)))
            same(policy.check_address(address, case["port"], scope=1).ok, case["verdict"] == "accept" and len(address) == 4)
        return report_of(policy.check_address(address, case["port"]))

    def batch(self, case: dict) -> dict:
        offsets, policy = case["offsets"], self.policies[case["policy"]]
        many = [policy.check_many(octets(case["data"]), struct.pack(f"={len(offsets)}{form}", *offsets), large=large)
                for form, large in (("i", False), ("q", True))]
        rows = [many[0].bitmap[row >> 3] >> (row & 7) & 1 == 1 for row in range(len(offsets) - 1)]
        same(many[0].bitmap, many[1].bitmap)
        same(rows, list(many[0]), many[0].tolist(), [many[0][row] for row in range(len(many[0]))])
        same(many[0].all_accepted, all(rows))
        if offsets == sorted(offsets) and offsets[0] >= 0 and offsets[-1] <= len(case["data"]):
            texts = [octets(case["data"])[start:end] for start, end in zip(offsets, offsets[1:])]
            same(rows, policy.check_many(texts).tolist())
            same(rows, policy.check_many(b"".join(text + b"\n" for text in texts)).tolist())
            if policy is urivet.STRICT:
                same(rows, urivet.check_many(texts).tolist())
        return {"bitmap": many[0].bitmap.hex(), "accepted": many[0].accepted}

    def scan(self, case: dict) -> dict:
        octet_text = octets(case["text"])
        for text in {octet_text, written_back(octet_text)}:
            for policy in (None, "public", urivet.ANY):
                whole = comparable(urivet.scan(text, policy))
                for size in range(1, len(text) + 1):
                    stream, got, fed = urivet.ScanStream(policy), [], 0
                    for piece in (text[at:at + size] for at in range(0, len(text), size)):
                        got += stream.feed(piece) + stream.feed(piece[:0])
                        fed += len(piece.encode() if isinstance(piece, str) else piece)
                        assert stream.decided <= fed
                    same(comparable(got + stream.close()), whole)
                    same(stream.decided, len(octet_text))
        return {"found": [{"offset": one.start, "length": one.end - one.start, "kind": one.kind,
                           "uri": written(one.uri)} for one in urivet.scan(octet_text)]}

    def iri(self, case: dict) -> dict:
        iri = self.policies[case["policy"]].suggest_iri(octets(case["input"]))
        return {"outcome": iri.outcome, "finding": iri.finding, "code_point": iri.code_point, "offset": iri.start,
                "length": iri.end - iri.start, "result": written(iri.result)}

    def display(self, case: dict) -> dict:
        return {"html": written(urivet.display(octets(case["input"]), html=True))}


def names_in(source: str) -> set[str]:
    """Every name, attribute and keyword of a program, and the texts in its tuples."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        found |= {getattr(node, key) for key in ("id", "attr", "arg") if isinstance(getattr(node, key, None), str)}
        if isinstance(node, ast.Tuple):
            found |= {one.value for one in node.elts if isinstance(one, ast.Constant)}
    return found


@unittest.skipUnless(sys.byteorder == "little", "the compiled policies are of little-endian machines")
class Conformance(unittest.TestCase):
    def test_every_case(self) -> None:
        asked, counts = Asked(), collections.Counter()
        for line in CASES.read_text(encoding="ascii").splitlines():
            case = json.loads(line)
            with self.subTest(line[:120]):
                answer = getattr(asked, case["kind"])(case)
                self.assertLess(set(answer), set(case))
                self.assertEqual(answer, {key: case[key] for key in answer})
            counts[case["kind"]] += 1
        self.assertGreater(sum(counts.values()), 900)
        print(f"conformance: {', '.join(f'{count} {kind}' for kind, count in sorted(counts.items()))}")

    def test_built_in(self) -> None:
        """Each built-in policy is the same however it is made."""
        cases = [json.loads(line) for line in CASES.read_text(encoding="ascii").splitlines()]
        for name in ("strict", "public", "any", "gateway"):
            policy = BUILT_IN[name]
            self.assertEqual(policy.name, name)
            for one in (getattr(urivet.Policy, name)(), urivet.Policy.build(base=name), urivet.Policy.compiled(policy.compile()),
                        urivet.Policy.from_yaml(policy.to_yaml())):
                self.assertEqual((one.base, one.observes), (name, False))
                for case in cases:
                    if case["kind"] == "verdicts":
                        self.assertEqual(one.ok(octets(case["input"])), name in case["accepted_by"])

    def test_complete(self) -> None:
        """Each public function and field is in a case above, or in the test that is named here."""
        elsewhere = {"load": "test_urivet", "problems": "test_urivet"}
        here = Path(__file__)
        used = names_in(here.read_text())
        stub = ast.parse((Path(urivet.__file__).parent / "__init__.pyi").read_text())
        for node in ast.walk(stub):
            name = node.name if isinstance(node, ast.FunctionDef) else node.target.id if isinstance(node, ast.AnnAssign) else "_"
            if not name.startswith("_") and name not in used:
                with self.subTest(name):
                    self.assertIn(name, elsewhere)
                    self.assertIn(name, names_in((here.parent / f"{elsewhere[name]}.py").read_text()))
