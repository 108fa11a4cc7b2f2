#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares policy files with a naive model of what they say, over random policies and what lies beside their rules.

    differ.py --urivet build/urivet --policies 250 --places 450 --seed 1

Each policy is written as YAML in a style of its own, with an included file or without, judged by, compiled, and
judged by again. Exit status: 0 all alike, 1 not.
"""
from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import writer
from model import ASKED, Place, Policy, findings

Judged = list[tuple[str, frozenset[str]]]


class Command:
    """The command, in a folder with the files of the policy of the moment."""

    def __init__(self, urivet: Path, folder: Path):
        self.urivet, self.folder = urivet, folder

    def run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(self.urivet), *arguments], input=text, capture_output=True, text=True,
                              cwd=self.folder, check=False)

    def judge(self, name: str, places: list[Place]) -> Judged:
        done = self.run("check", "--format=tsv", f"--policy-file={name}",
                        text="".join(f"{place}\n" for place in places))
        if done.returncode not in (0, 1) or done.stderr:
            raise SystemExit(f"differ: {name} is not read: {done.stderr}{shown(self.folder)}")
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return [(row[0], ASKED.intersection(row[1].split(","))) for row in rows]


def shown(folder: Path) -> str:
    return "".join(f"---- {path.name}\n{path.read_text(encoding='utf-8')}" for path in sorted(folder.glob("*.yaml")))


def differences(command: Command, name: str, policy: Policy, places: list[Place]) -> list[str]:
    wrong: list[str] = []
    for place, (verdict, found) in zip(places, command.judge(name, places), strict=True):
        want = frozenset(findings(policy, place))
        if found != want or (want and verdict != "reject"):
            wrong.append(f"{place}: {name} says {verdict} {sorted(found)}, the model {sorted(want)}")
    return wrong


def one(command: Command, rng: random.Random, places: int, counts: Counter[str]) -> list[str]:
    policy = writer.policy(rng, with_urls=True)
    for path in command.folder.iterdir():
        path.unlink()
    files = writer.files(rng, policy, includes=True)
    for name, text in files.items():
        (command.folder / name).write_bytes(text.encode("utf-8"))
    asked = [writer.place(rng, policy) for _ in range(places)]
    counts.update(finding for place in asked for finding in findings(policy, place) or ["accepted"])
    counts["with an included file"] += len(files) - 1
    wrong = differences(command, "main.yaml", policy, asked)
    compiled = command.run("policy", "compile", "main.yaml", "-o", "main.compiled")
    if compiled.returncode != 0:
        raise SystemExit(f"differ: not compiled: {compiled.stderr}{shown(command.folder)}")
    return wrong + differences(command, "main.compiled", policy, asked)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urivet", type=Path, default=Path("build/urivet"))
    parser.add_argument("--policies", type=int, default=250)
    parser.add_argument("--places", type=int, default=450)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        command = Command(arguments.urivet.resolve(), Path(folder))
        for number in range(arguments.policies):
            wrong = one(command, random.Random(f"{arguments.seed} {number}"), arguments.places, counts)
            if wrong:
                print("\n".join(wrong[:10]), shown(Path(folder)), f"policy {number} of seed {arguments.seed}", sep="\n")
                return 1
    missing = (ASKED | {"accepted", "with an included file"}) - set(+counts)
    if missing:
        print(f"differ: never asked: {sorted(missing)}")
        return 1
    judgements = 2 * arguments.policies * arguments.places
    print(f"differ: {arguments.policies} policies, as YAML and compiled, {judgements} judgements as the model has "
          f"them, {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
