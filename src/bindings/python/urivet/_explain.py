# SPDX-License-Identifier: Apache-2.0
"""Formats reports for people."""
from __future__ import annotations

from ._policies import policy_of
from ._urivet import STRICT, Policy, Report

_PRINTABLE = frozenset(range(0x21, 0x7F)) - {0x5C}


def _visible(octets: bytes) -> str:
    return "".join(chr(octet) if octet in _PRINTABLE else f"\\x{octet:02X}" for octet in octets)


def _one(finding) -> list[str]:
    refuses = "refused" if finding.refuses else "note" if finding.class_ == "note" else "waived"
    secret = finding.component == "userinfo" or finding.id in ("query-secret", "query-shared-token")
    lines = [f"{finding.start}: {refuses}: {finding.class_}: {finding.id}"]
    if finding.octets:
        lines.append("    " + ("(a secret)" if secret else _visible(finding.octets[:120])))
    return [*lines, f"    {finding.text}", f"    [{finding.reference}]"]


def explain(uri, policy: Policy | str = STRICT) -> str:
    """Returns the findings and their explanations in printable ASCII, for a log or a terminal.
    `uri` is a URI or a Report. Userinfo is not shown, nor the octets of `query-secret` and
    `query-shared-token`."""
    report = uri if isinstance(uri, Report) else policy_of(policy).check(uri)
    lines = [f"{report.verdict} by the policy " + _visible(str(report.policy.name).encode("utf-8", "replace"))]
    for finding in report.findings:
        lines += ["", *_one(finding)]
    suggestion = report.suggestion
    if suggestion is not None and not report.ok:
        lines += ["", "write " + _visible(suggestion.encode("utf-8", "surrogateescape"))]
    return "\n".join(lines) + "\n"
