#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares rules for paths with a naive model: below a prefix a policy judges as one that waives those findings
everywhere, and elsewhere as one without them.

    paths.py --urivet build/urivet --policies 250

The model compares the prefix with the octets of the target, and decodes what is left until nothing changes any
more, to see whether it leads out of the prefix.
"""
from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from urllib.parse import unquote_to_bytes

from naive import Command, compare

RAISED = ["path-semicolon", "path-double-slash", "escaped-percent", "path-delimiter-escaped", "path-backslash-escaped"]   # by gateway alone
FINDINGS = ["escaped-slash", "double-escape", "escaped-unreserved", "invalid-utf8-escape", "latin1-escape", "forbidden-char",
            "escaped-crlf", "path-final-semicolon", "non-ascii"]
WORDS = ["a", "api", "v4", "wiki", "x.y", "admin", "a-b", "caf%C3%A9", "@a%2Fb"]
PIECES = WORDS + ["%2F", "%2f", ";", "%3B", "//", "/", "/", "/", "%25", "%252e", "%252F", "%25252e", "%255c", "..", ".", "%2e", "%2E",
                  "%5C", "\\", "%3F", "%23", "%7E", "%61", "%E9", "%c0%ae", "|", "%0A", "%00", "%20", "..;", "%", "%2", "%25%32%65", "?",
                  "?q=%2F", "#f", "...", "%25252F", "%252", "\u00e9"]


def prefix_of(rng: random.Random) -> str:
    path = "".join("/" + rng.choice(WORDS) for _ in range(rng.randrange(4))) or "/"
    return path + rng.choice(("", "", "/" if path != "/" else "", "$"))


def target_of(rng: random.Random, prefixes: list[str]) -> str:
    start = rng.choice(prefixes).rstrip("$") if rng.random() < 0.7 else "/"
    if rng.random() < 0.15:     # another spelling of the prefix
        at = rng.randrange(len(start))
        start = start[:at] + rng.choice(PIECES) + start[at + rng.randrange(2):]
    text = start + rng.choice(("", "", "/")) + "".join(rng.choice(PIECES) for _ in range(rng.randrange(6)))
    return text if text.startswith("/") else "/" + text


def leads_out(rest: bytes) -> bool:
    """Returns true if some reader leaves the prefix: a segment of dots after any number of decodings."""
    for found in re.finditer(rb"%((?:25)*)(?![0-9A-Fa-f]{2})(?=(.?.?))", rest, re.DOTALL):
        escaped, after = found[1], found[2]
        if not escaped or after[:1] == b"%" or re.fullmatch(rb"[0-9A-Fa-f]%", after):
            return True
    while (decoded := unquote_to_bytes(rest)) != rest:
        rest = decoded
    for segment in rest.replace(b"\\", b"/").split(b"/"):
        name = bytes(octet for octet in re.split(rb"[;?#\0]", segment)[0] if octet > 0x20 and octet != 0x7F)
        if name and not name.strip(b"."):
            return True
    return False


def is_below(prefix: str, target: str) -> bool:
    path = re.split(r"[?#]", target)[0]
    if prefix.endswith("$"):
        return target == prefix[:-1]
    if not path.startswith(prefix):
        return False
    rest = path[len(prefix):]
    return (not rest or prefix.endswith("/") or rest.startswith("/")) and not leads_out(rest.encode("utf-8"))


def base_of(rng: random.Random) -> str:
    return rng.choice(("base: gateway\n", "base: gateway\n", "base: strict\n", "base: public\n"))


def one(command: Command, rng: random.Random, count: int) -> tuple[list[str], tuple[int]]:
    base = base_of(rng)
    rules = {prefix_of(rng): sorted(rng.sample(FINDINGS + RAISED * (base == "base: gateway\n"), rng.randrange(1, 6))) for _ in range(rng.randrange(1, 7))}
    policy = base + "paths:\n" + "".join(f"  - {{prefix: '{prefix}', allow: [{', '.join(those)}]}}\n" for prefix, those in rules.items())
    targets = [target_of(rng, list(rules)) for _ in range(count)]
    path = command.file("policy.yaml", policy)
    got = command.accepts(path, targets)
    if command.accepts(command.compiled(path), targets) != got:
        return [f"compiled it judges otherwise:\n{policy}"], (0,)
    waived: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, target in enumerate(targets):
        waived[tuple(sorted({name for prefix, those in rules.items() if is_below(prefix, target) for name in those}))].append(number)
    plain = command.accepts(command.file("base.yaml", base), targets)
    wrong: list[str] = []
    opened = 0
    for names, numbers in waived.items():
        waiving = command.file("waiving.yaml", base + (f"allow: [{', '.join(names)}]\n" if names else ""))
        want = command.accepts(waiving, [targets[n] for n in numbers])
        for number, verdict in zip(numbers, want, strict=True):
            expected = plain[number] or verdict
            opened += plain[number] != expected
            if got[number] != expected:
                wrong.append(f"{targets[number]}: {'accepted' if got[number] else 'refused'}, the model says otherwise, "
                             f"waived {names}\n{policy}")
    return wrong, (opened,)


if __name__ == "__main__":
    sys.exit(compare(__doc__, one, {"opened by a rule": 5}))
