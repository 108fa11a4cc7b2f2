#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares rules for parameters with a naive model: a value is judged as by --params with the policy of the rule, and
findings are allowed pair by pair.

    parameters.py --urivet build/urivet --policies 250

The model judges each pair of a query alone, with the findings waived that a rule for its name allows.
"""
from __future__ import annotations

import json
import random
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from naive import Command, compare

HTTPS = "--scheme=https"
FINDINGS = ["escaped-crlf", "double-escape", "escaped-unreserved", "invalid-utf8-escape", "latin1-escape", "escaped-bidi",
            "escaped-slash", "forbidden-char", "query-nested-brackets"]
OF_PATHS = ["escaped-slash"]    # only where the value is judged as a URL
NAMES = ["next", "url", "body", "text", "m[*]", "m[x]", "c.d", "*"]
PLAIN = ["next", "url", "body", "text", "m[]", "m%5B%5D", "m%5bx%5D", "m[x]", "c.d"]
SPELLED = PLAIN + ["Next", "URL", "n%65xt", "body%20", "+url", "bodyx", "c_d", "m%5B", "m[x", "", "%", "b%6Fdy", "a;url", "body%00"]
VALUES = ["/a", "/", "a", "", "//evil.com", "https%3A%2F%2Fgithub.com%2F", "https://github.com/a?b", "http://127.0.0.1/", "%0A", "a%0D%0Ab",
          "%2541", "%252Fa", "%2F%2Fevil.com", "/%5Cevil.com", "/%09/evil.com", "/%C3%BC", "%E2%80%AE", "/..%2Fx", "a;url=http://127.0.0.1/",
          "%00", "%", "%2", "+/x", "javascript:alert(1)", "@evil.com", ".evil.com", "/%E9", "x%7Ey", "http%253A%252F%252F10.0.0.1%252F",
          "/a%252Fb", "/a%20b", "https://h.example/x", "https%3A%2F%2Fh.example%2Fa%252Fb", "[1]", "a|b", "1", "%25250A"]
LISTED = ["/a", "a", "", "/", "1", "a|b", "//evil.com", "/a b", "[1]", "A", "/.."]


def rule_of(rng: random.Random, name: str) -> dict[str, Any]:
    """Returns the options of a rule that a policy file can have."""
    rule: dict[str, Any] = {}
    judges = name == "*" or rng.random() < 0.5
    if judges:
        if rng.random() < 0.6:
            rule["policy"] = rng.choice(("strict", "public", "any", "gateway"))
        for flag in ("same_origin", "rooted", "semicolons"):
            if rng.random() < 0.3:
                rule[flag] = True
        if rng.random() < 0.3:
            rule["decode"] = 2
    if name != "*" and (not judges or rng.random() < 0.3):
        those = [finding for finding in FINDINGS if judges or finding not in OF_PATHS]
        rule["allow"] = sorted(rng.sample(those, rng.randrange(1, 5)))
        if judges and not {"policy", "same_origin", "rooted", "decode"} & set(rule):
            rule["policy"] = "public"
    if name != "*" and rng.random() < 0.25:
        rule["values"] = rng.sample(LISTED, rng.randrange(1, 5))
    if name != "*" and rng.random() < 0.2:
        rule["required"] = True
    return rule or {"policy": "public"}


def judges(rule: dict[str, Any]) -> bool:
    asks = {"policy", "same_origin", "rooted"} | ({"decode"} if "values" not in rule else set())
    return not {"allow", "values", "required"} & set(rule) or bool(asks & set(rule))


def is_written(name: str, written: str) -> bool:
    """Returns true if a name in a query is that of the rule, before any decoding but that of brackets."""
    pattern = re.escape(name).replace(r"\[\*\]", r"\[.*\]").replace(r"\[", r"(?:\[|%5[Bb])").replace(r"\]", r"(?:\]|%5[Dd])")
    return re.fullmatch(pattern, written) is not None


def is_rooted(value: str) -> bool:
    return value == "/" or (value[:1] == "/" and "!" <= value[1:2] <= "~" and value[1] not in "/\\")


def refused(command: Command, base: Path, name: str, rule: dict[str, Any], targets: list[str]) -> list[bool]:
    """Returns whether --params refuses a value, one that has to be rooted or listed is not, or it is missing."""
    inner = command.file("inner.yaml", f"base: {rule.get('policy', 'public')}\n" + allow(rule.get("allow", [])))
    options = [f"--params={name}", f"--params-policy={inner}", f"--params-decode={rule.get('decode', 1)}"]
    options += ["--same-origin"] * rule.get("same_origin", False)
    if rule.get("semicolons"):
        targets = [target.replace(";", "&") for target in targets]
    found = [json.loads(line)["parameters"] for line in command.run(targets, HTTPS, "--format=json", f"--policy-file={base}", *options)]
    return [any((judges(rule) and (one["verdict"] == "reject" or (rule.get("rooted", False) and not is_rooted(one["value"] or "")))) or
                ("values" in rule and one["value"] not in rule["values"]) for one in row or ()) or
            (rule.get("required", False) and not row) for row in found]


def allow(findings: list[str]) -> str:
    return f"allow: [{', '.join(findings)}]\n" if findings else ""


def waived(command: Command, base: str, rules: dict[str, dict[str, Any]], targets: list[str]) -> list[bool]:
    """Returns whether each pair of a query is accepted alone, for every rule that allows something in its value."""
    good = [True] * len(targets)
    asked: dict[tuple[str, ...], list[tuple[int, str]]] = defaultdict(list)
    for number, target in enumerate(targets):
        path, _, query = target.partition("?")
        for pair in query.split("&"):
            name, _, value = pair.partition("=")
            those = [tuple(rule["allow"]) for rule_name, rule in rules.items()
                     if "allow" in rule and is_written(rule_name, name) and ";" not in value and value] or [()]
            if those != [()]:
                asked[()].append((number, f"{path}?{name}="))   # findings in the name are not allowed
            for findings in those:
                asked[findings].append((number, f"{path}?{pair}"))
    for findings, rows in asked.items():
        path = command.file("pair.yaml", base + allow(list(findings)))
        for (number, _), accepted in zip(rows, command.accepts(path, [text for _, text in rows], HTTPS), strict=True):
            good[number] &= accepted
    return good


def target_of(rng: random.Random, names: list[str]) -> str:
    pairs = []
    for _ in range(rng.randrange(1, 4)):
        own = [name for name in PLAIN if any(is_written(rule, name) for rule in names)]
        name = rng.choice(own if own and rng.random() < 0.6 else SPELLED)
        pairs.append(name + "=" * (rng.random() < 0.95) + rng.choice(VALUES))
    return "/x?" + "&".join(pairs)


def one(command: Command, rng: random.Random, count: int) -> tuple[list[str], tuple[int, int]]:
    base = rng.choice(("base: gateway\n", "base: gateway\n", "base: strict\n", "base: any\n"))
    rules = {name: rule_of(rng, name) for name in rng.sample(NAMES, rng.randrange(1, 5))}
    policy = command.file("policy.yaml", base + f"parameters: {json.dumps(rules)}\n")
    targets = [target_of(rng, list(rules)) for _ in range(count)]
    got = command.accepts(policy, targets, HTTPS)
    if command.accepts(command.compiled(policy), targets, HTTPS) != got:
        return [f"compiled it judges otherwise:\n{policy.read_text()}"], (0, 0)
    path = command.file("base.yaml", base)
    lenient = command.file("lenient.yaml", base + allow(["forbidden-char", "query-nested-brackets"]))   # reads what rules allow
    plain = command.accepts(path, targets, HTTPS)
    want = [alone or by_pair for alone, by_pair in zip(plain, waived(command, base, rules, targets), strict=True)]
    opened = sum(a != b for a, b in zip(plain, want, strict=True))
    for name, rule in rules.items():
        if judges(rule) or {"values", "required"} & set(rule):
            want = [w and not closes for w, closes in zip(want, refused(command, lenient, name, rule, targets), strict=True)]
    closed = sum(a and not b for a, b in zip(plain, want, strict=True))
    return [f"{target}: {'accepted' if g else 'refused'}, the model says otherwise\n{policy.read_text()}"
            for target, g, w in zip(targets, got, want, strict=True) if g != w], (opened, closed)


if __name__ == "__main__":
    sys.exit(compare(__doc__, one, {"accepted by a rule": 10, "refused by a rule": 100}))
