#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares policy files with a naive model of what they say, over random policies and what lies beside their rules.

    differ.py --urivet build/urivet --policies 250 --targets 450 --seed 1

Each policy is written as YAML in a style of its own, with an included file or without, judged by, compiled, and
judged by again.
"""
from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import writer
from model import ASKED, Place, Policy, findings
from naive import Command, compare

EFFECTS = sorted(ASKED) + ["accepted", "with an included file"]


def differences(command: Command, path: Path, policy: Policy, places: list[Place]) -> list[str]:
    done = subprocess.run([str(command.urivet), "check", "--format=tsv", f"--policy-file={path}"], capture_output=True, text=True,
                          input="".join(f"{place}\n" for place in places), check=False)
    if done.returncode not in (0, 1) or done.stderr:
        raise SystemExit(f"differ: {path.name} is not read: {done.stderr}{shown(command.folder)}")
    wrong: list[str] = []
    for place, line in zip(places, done.stdout.splitlines(), strict=True):
        verdict, found = line.split("\t")[:2]
        want = findings(policy, place)
        if ASKED.intersection(found.split(",")) != want or (want and verdict != "reject"):
            wrong.append(f"{place}: {path.name} says {verdict} {found}, the model {sorted(want)}\n{shown(command.folder)}")
    return wrong


def shown(folder: Path) -> str:
    return "".join(f"---- {path.name}\n{path.read_text(encoding='utf-8')}" for path in sorted(folder.glob("*.yaml")))


def one(command: Command, rng: random.Random, count: int) -> tuple[list[str], tuple[int, ...]]:
    policy = writer.policy(rng, with_urls=True)
    for path in command.folder.iterdir():
        path.unlink()
    files = writer.files(rng, policy, includes=True)
    for name, text in files.items():
        (command.folder / name).write_bytes(text.encode("utf-8"))
    places = [writer.place(rng, policy) for _ in range(count)]
    found = [effect for place in places for effect in findings(policy, place) or ["accepted"]]
    found += ["with an included file"] * (len(files) - 1)
    main = command.folder / "main.yaml"
    wrong = differences(command, main, policy, places) + differences(command, command.compiled(main), policy, places)
    return wrong, tuple(found.count(effect) for effect in EFFECTS)


if __name__ == "__main__":
    sys.exit(compare(__doc__, one, dict.fromkeys(EFFECTS, 0)))
