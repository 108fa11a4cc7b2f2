#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares rules for paths with a naive model: below a prefix a policy judges as one that waives those findings
everywhere, and elsewhere as one without them.

    paths.py --urivet build/urivet --policies 250

The model compares the prefix with the octets of the target, and decodes what is left until nothing changes any
more, to see whether it leads out of the prefix.
"""
from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from urllib.parse import unquote_to_bytes

FINDINGS = ["escaped-slash", "path-semicolon", "path-double-slash", "escaped-percent", "double-escape", "escaped-unreserved",
            "path-delimiter-escaped", "path-backslash-escaped", "invalid-utf8-escape", "latin1-escape", "forbidden-char",
            "escaped-crlf", "path-final-semicolon", "non-ascii"]
WORDS = ["a", "api", "v4", "wiki", "x.y", "admin", "a-b"]
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
    for found in re.finditer(rb"%((?:25)*)(?![0-9A-Fa-f]{2})(.?.?)", rest, re.DOTALL):
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


class Command:
    def __init__(self, urivet: Path, folder: Path):
        self.urivet, self.folder = urivet, folder

    def verdicts(self, policy: str, targets: list[str]) -> list[str]:
        path = self.folder / "policy.yaml"
        path.write_text(policy, encoding="utf-8")
        return self.judged(path, targets)

    def judged(self, path: Path, targets: list[str]) -> list[str]:
        done = subprocess.run([str(self.urivet), "check", "--format=tsv", f"--policy-file={path}", "--method=GET",
                               "--target=h.example"], input="".join(f"{target}\n" for target in targets).encode("utf-8"),
                              capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"paths: {done.stderr.decode()}\n{path.read_text(encoding='utf-8')}")
        return [line.split(b"\t", 1)[0].decode() for line in done.stdout.splitlines()]

    def compiled(self) -> Path:
        made = self.folder / "policy.compiled"
        subprocess.run([str(self.urivet), "policy", "compile", str(self.folder / "policy.yaml"), "-o", str(made)], check=True)
        return made


def base_of(rng: random.Random) -> str:
    return rng.choice(("base: gateway\n", "base: gateway\n", "base: strict\n", "base: public\n"))


def one(command: Command, rng: random.Random, count: int) -> tuple[list[str], int]:
    base = base_of(rng)
    rules = {prefix_of(rng): sorted(rng.sample(FINDINGS, rng.randrange(1, 6))) for _ in range(rng.randrange(1, 7))}
    policy = base + "paths:\n" + "".join(f"  - {{prefix: '{prefix}', allow: [{', '.join(those)}]}}\n" for prefix, those in rules.items())
    targets = [target_of(rng, list(rules)) for _ in range(count)]
    got = command.verdicts(policy, targets)
    if command.judged(command.compiled(), targets) != got:
        return [f"compiled it judges otherwise:\n{policy}"], 0
    waived: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, target in enumerate(targets):
        waived[tuple(sorted({name for prefix, those in rules.items() if is_below(prefix, target) for name in those}))].append(number)
    plain = command.verdicts(base, targets)
    wrong: list[str] = []
    opened = 0
    for names, numbers in waived.items():
        want = command.verdicts(base + (f"allow: [{', '.join(names)}]\n" if names else ""), [targets[n] for n in numbers])
        for number, verdict in zip(numbers, want, strict=True):
            expected = "accept" if plain[number] == "accept" else verdict
            opened += plain[number] != expected
            if got[number] != expected:
                wrong.append(f"{targets[number]}: {got[number]}, the model says {expected}, waived {names}\n{policy}")
    return wrong, opened


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urivet", type=Path, default=Path("build/urivet"))
    parser.add_argument("--policies", type=int, default=250)
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    opened = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        command = Command(arguments.urivet.resolve(), Path(folder))
        for number in range(arguments.policies):
            wrong, more = one(command, random.Random(f"{arguments.seed} {number}"), arguments.targets)
            if wrong:
                print("\n".join(wrong[:5]), f"policy {number} of seed {arguments.seed}", sep="\n")
                return 1
            opened += more
    judgements = arguments.policies * arguments.targets
    if opened * 200 < judgements:
        print(f"paths: only {opened} of {judgements} targets were opened by a rule")
        return 1
    print(f"paths: {arguments.policies} policies, as YAML and compiled, {judgements} targets as the model has them, "
          f"{opened} opened by a rule, {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
