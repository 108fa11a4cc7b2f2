# SPDX-License-Identifier: Apache-2.0
"""The cases that every binding answers alike (tests/bindings/conformance), octet for octet."""
from __future__ import annotations

import collections
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


def written(text: str | None) -> str | None:
    """A str of the package as the cases write octets."""
    return None if text is None else text.encode("utf-8", "surrogateescape").decode("latin-1")


def report_of(report: urivet.Report) -> dict:
    return {"verdict": report.verdict, "reason": report.public_reason, "parsed": report.parsed, "findings": [
        {"id": one.id, "class": one.class_, "component": one.component, "in": one.source, "offset": one.start,
         "length": one.end - one.start, "count": one.count, "refuses": one.refuses} for one in report.findings]}


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
            self.policies[case["name"]] = urivet.Policy.compiled(bytes.fromhex(case["compiled"]))
        except urivet.PolicyError as error:
            return {"opens": False, "fault": str(error)}
        return {"opens": True, "fault": case["fault"]}

    def check(self, case: dict) -> dict:
        report = self.policies[case["policy"]].check(octets(case["input"]))
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
        return report_of(report) | {"components": components_of(report), "form": report.form}

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
        return {"result": written(urivet.normalise(octets(case["input"]), case["level"]))}

    def parameters(self, case: dict) -> dict:
        request = {"target": True, "method": "GET", "host": "app.example.com", "scheme": "https", "port": 443}
        report = self.policies[case["policy"]].parameters(
            octets(case["input"]), [octets(name) for name in case["names"]],
            policy=self.policies[case["parameter_policy"]], decode=case["times"], same_origin=case["same_origin"],
            absolute=case["absolute"], **(request if case["is_target"] else {}))
        return report_of(report) | {"parameters": [
            {"name": written(one.name), "raw": written(one.raw), "result": one.result, "value": written(one.value),
             "judged": written(one.judged), "ids": ",".join(one.ids)} for one in report.parameters]}

    def address(self, case: dict) -> dict:
        return report_of(self.policies[case["policy"]].check_address(bytes.fromhex(case["address"]), case["port"]))

    def batch(self, case: dict) -> dict:
        offsets, policy = case["offsets"], self.policies[case["policy"]]
        many = [policy.check_many(octets(case["data"]), struct.pack(f"={len(offsets)}{form}", *offsets), large=large)
                for form, large in (("i", False), ("q", True))]
        assert many[0].bitmap == many[1].bitmap
        return {"bitmap": many[0].bitmap.hex(), "accepted": many[0].accepted}

    def scan(self, case: dict) -> dict:
        return {"found": [{"offset": one.start, "length": one.end - one.start, "kind": one.kind,
                           "uri": written(one.uri)} for one in urivet.scan(octets(case["text"]))]}

    def iri(self, case: dict) -> dict:
        iri = self.policies[case["policy"]].suggest_iri(octets(case["input"]))
        return {"outcome": iri.outcome, "finding": iri.finding, "code_point": iri.code_point, "offset": iri.start,
                "length": iri.end - iri.start, "result": written(iri.result)}

    def display(self, case: dict) -> dict:
        return {"html": written(urivet.display(octets(case["input"]), html=True))}


@unittest.skipUnless(sys.byteorder == "little", "the compiled policies are of little-endian machines")
class Conformance(unittest.TestCase):
    def test_every_case(self) -> None:
        asked, counts = Asked(), collections.Counter()
        for line in CASES.read_text(encoding="ascii").splitlines():
            case = json.loads(line)
            answer = getattr(asked, case["kind"])(case)
            with self.subTest(line[:120]):
                self.assertLess(set(answer), set(case))
                self.assertEqual(answer, {key: case[key] for key in answer})
            counts[case["kind"]] += 1
        self.assertGreater(sum(counts.values()), 900)
        print(f"conformance: {', '.join(f'{count} {kind}' for kind, count in sorted(counts.items()))}")
