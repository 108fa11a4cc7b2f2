# SPDX-License-Identifier: Apache-2.0
"""Compares the regular expressions of build/spec with the library: every short string over the grammar's classes, and mutations.

    expressions.py URIVET [SEED [MUTATIONS]]

The library waives what no expression says; then all have to agree. Python's re is compared on each fifth input, and Go on each tenth.
"""
from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "build/spec"
sys.path.append(str(ROOT / "src/spec"))
from rules import rules  # noqa: E402

# each octet for a class of gate.abnf, or a triplet, group or other token that a rule knows
OCTETS = ["a", "g", "1", "9", ".", "-", "_", ":", "/", "?", "#", "[", "]", "@", "%", ";", "!", "~", "\\", "\n", " ", "\x7f", "\xe9"]
TRIPLETS = ["%F0%9F%98%80", "%c3%A9", "%80", "%25", "%2f", "%5C", "%3B", "%21", "%E2%80%AE", "%0A", "%41", "%", "25", "/", "?", "#", ".", ";", "!", "a:1"]
GROUPS = ["0", "1", "200", "5efe", "ffff"]
# in mutations alone: line ends, UTF-8 that folds to ASCII, the edges of UTF-8, and what is long
MORE = ["\r\n", "\x85", "\xe2\x80\xa8", "\xc5\xbf", "\xe2\x84\xaa", "%DF%BF", "%E0%9F%BF", "%ED%A0%80", "%F4%90%80%80", "%C2%9F", "%7E", "a" * 260, "a." * 130]


def short() -> list[str]:
    found = [frame.format("".join(word)) for frame in ("http://{}", "https://h/{}", "http://h/?{}") for n in range(4) for word in product(OCTETS, repeat=n)]
    found += ["http://h/" + "".join(word) for n in range(1, 4) for word in product(TRIPLETS, repeat=n)]
    found += [f"{scheme}://h:{port}{end}" for scheme in ("http", "https") for port in range(70000) for end in ("", "/")]
    for n in range(1, 10):
        for word in product(GROUPS[:2] if n > 5 else GROUPS, repeat=n):
            found += [f"http://[{':'.join(word[:k])}{gap}{':'.join(word[k:])}]/" for k in range(n + 1) for gap in ("::", ":")]
    found += [f"http://[2001:0:0:1:{a}:{b}:{c}:1]/" for a, b, c in product(GROUPS, repeat=3)]
    return found + [f"http://{'.'.join(word)}/" for n in range(1, 6) for word in product(("0", "25", "256", "a", "1a"), repeat=n)]


def mutations(random_: random.Random, count: int) -> list[str]:
    seeds = [test["input"].encode().decode("latin-1") for group in json.loads((SPEC / "vectors.json").read_text())["testGroups"] for test in group["tests"] if "input" in test]
    seeds, tokens, found = [seed for seed in seeds if len(seed) < 600 and "\0" not in seed], OCTETS + TRIPLETS + GROUPS + MORE, []
    for _ in range(count):
        text = random_.choice(seeds)
        for _ in range(random_.choice((1, 1, 2, 3))):
            at, cut = random_.randrange(len(text) + 1), random_.choice((0, 0, 1, 3))
            other = random_.choice(seeds)
            new = random_.choice(tokens) if random_.random() < .8 else other[random_.randrange(len(other) + 1):]
            text = text[:at] + new + text[at + cut:]
        found.append(text)
    return found


def main() -> int:
    urivet, seed, count = (sys.argv[1:] + ["1", "1000000"][len(sys.argv) - 2:])[:3]
    inputs = [text.encode("latin-1") for text in dict.fromkeys(short() + mutations(random.Random(seed), int(count)))]
    records = b"".join(text + b"\0" for text in inputs)
    expressions, differences = json.loads((SPEC / "expressions.json").read_text()), 0
    ids = [line.split("\t")[0] for line in subprocess.run([urivet, "findings", "--format=tsv"], capture_output=True, text=True, check=True).stdout.splitlines()]
    unsaid = [name for name in ids if name.startswith("idn-")] + ["escaped-compatibility"]
    for name, waived in (("strict", unsaid), ("gate", [*unsaid, *(finding for rule in rules() if rule.name[0] == "D" for finding in rule.ids)])):
        command = [urivet, "check", "--null", "--format=tsv", "--max-length=100000", "--allow=" + ",".join(waived)]
        said = "".join("1" if line.startswith(b"accept") else "0" for line in subprocess.run(command, input=records, capture_output=True, check=False).stdout.splitlines())
        python = {"Python": expressions["ECMAScript"][name]["accept"], "control": expressions["RE2"][name]["accept"].replace(r"\z", r"\Z")}
        answers = {engine: (5, "".join("01"[re.fullmatch(text.encode(), url) is not None] for url in inputs[::5])) for engine, text in python.items()}
        for engine, program, step in (("ECMAScript", ["node", "match.mjs", name], 1), ("RE2", ["./match-go", name], 10), ("PCRE", ["./match", expressions["PCRE"][name]["accept"]], 1)):
            data = b"".join(text + b"\0" for text in inputs[::step])
            try:
                answers[engine] = (step, subprocess.run(program, input=data, cwd=SPEC, capture_output=True, check=True).stdout.decode())
            except FileNotFoundError:
                print(f"skipped: {engine} is missing")
        for engine, (step, answer) in answers.items():
            wrong = [text for text, a, b in zip(inputs[::step], said[::step], answer, strict=True) if a != b]
            differences += (not wrong) if engine == "control" else len(wrong)   # the control refuses nothing beside the grammar
            print(f"{name}, {engine}: {len(answer)} strings, {answer.count('1')} matched, {len(wrong)} differences", *wrong[:5])
    return differences > 0 or len(said) != len(inputs)


if __name__ == "__main__":
    sys.exit(main())
